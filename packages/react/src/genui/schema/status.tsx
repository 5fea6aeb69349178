import type { UiStatus } from '@vitrine/genui/schema'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Clock from 'lucide-react/icons/clock'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'

const shapes = { info: Info, success: CircleCheck, warning: TriangleAlert, error: CircleAlert, pending: Clock }

/** The shape says what the colour says. */
export function StatusShape({ status }: { status: UiStatus }) {
  const Shape = shapes[status]
  return <Shape className="v-ui-shape" aria-hidden />
}
