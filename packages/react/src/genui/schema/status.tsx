import type { UiStatus } from '@vitrine/genui/schema'
import { Shape } from '../../shape.tsx'

const shapes = {
  info: 'info',
  success: 'circle-check',
  warning: 'triangle-alert',
  error: 'circle-alert',
  pending: 'clock',
} as const

/** The shape says what the colour says. */
export const statusShape = (status: UiStatus) => <Shape name={shapes[status]} className="v-ui-shape" />
