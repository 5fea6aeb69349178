import { isObject } from '@vitrine/protocol'
import { NamedIcon } from '../../kit/named-icon.tsx'
import { frame, given } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

/** Path data and nothing else: it becomes an attribute, but a stylesheet or a reference has no business in it. */
const PATH = /^[\s\d.,eE+\-MmZzLlHhVvCcSsQqTtAa]+$/

export function Icon({ node }: A2uiRendererProps) {
  const { name } = node.props
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-icon')
  const named = {
    ...attributes,
    ...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }),
  }
  const path = isObject(name) ? name.svgPath : undefined
  const written = given(node, 'name')
  return (
    <span {...named}>
      {typeof path === 'string' ? (
        <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden>
          {PATH.test(path) && <path d={path} />}
        </svg>
      ) : (
        <NamedIcon
          name={written}
          vocabulary="material"
          // A square for a name that nobody knows, so that nothing shifts.
          unknown={<svg viewBox="0 0 24 24" className="v-a2-icon-unknown" aria-hidden data-name={written} />}
        />
      )}
    </span>
  )
}
