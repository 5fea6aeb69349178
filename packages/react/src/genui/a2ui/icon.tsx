import { Suspense } from 'react'
import { lazily } from '../../lazily.tsx'
import { frame, given } from './props.ts'
import type { RendererProps } from './view.ts'

// The drawings are fetched with the first icon.
const NamedIcon = lazily(() => import('./icons.tsx'))

/** Path data and nothing else: it becomes an attribute, but a stylesheet or a reference has no business in it. */
const PATH = /^[\s\d.,eE+\-MmZzLlHhVvCcSsQqTtAa]+$/

export function Icon({ node }: RendererProps) {
  const { name } = node.props
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-icon')
  const named = {
    ...attributes,
    ...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }),
  }
  const path = typeof name === 'object' && name !== null && !Array.isArray(name) ? name.svgPath : undefined
  return (
    <span {...named}>
      {typeof path === 'string' ? (
        <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden>
          {PATH.test(path) && <path d={path} />}
        </svg>
      ) : (
        <Suspense fallback={<svg viewBox="0 0 24 24" aria-hidden />}>
          <NamedIcon name={given(node, 'name')} />
        </Suspense>
      )}
    </span>
  )
}
