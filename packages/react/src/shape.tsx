import { __iconData as check } from 'lucide-react/icons/check'
import { __iconData as circleCheck } from 'lucide-react/icons/circle-check'
import { __iconData as circleAlert } from 'lucide-react/icons/circle-exclamation-point'
import { __iconData as clock } from 'lucide-react/icons/clock'
import { __iconData as copy } from 'lucide-react/icons/copy'
import { __iconData as info } from 'lucide-react/icons/info'
import { __iconData as triangleAlert } from 'lucide-react/icons/triangle-exclamation-point'
import { createElement } from 'react'

declare module 'lucide-react/icons/check' {
  /** What every icon of the pinned version exports beside its component; the types leave it out. */
  export const __iconData: { readonly node: readonly (readonly [string, Readonly<Record<string, string>>])[] }
}

const drawn = ({ node }: typeof check) => node.map(([tag, attributes]) => createElement(tag, attributes))

const shapes = {
  check: drawn(check),
  'circle-alert': drawn(circleAlert),
  'circle-check': drawn(circleCheck),
  clock: drawn(clock),
  copy: drawn(copy),
  info: drawn(info),
  'triangle-alert': drawn(triangleAlert),
}

/**
 * An icon that a page draws by the hundred. Lucide's own component gives each of them a dozen attributes, which took a
 * third of the time of a large card; what all icons share is in the style sheet.
 */
export function Shape({ name, className }: { name: keyof typeof shapes; className?: string }) {
  return (
    <svg className={className ? `v-shape ${className}` : 'v-shape'} viewBox="0 0 24 24" aria-hidden>
      {shapes[name]}
    </svg>
  )
}
