import { type ComponentType, Suspense } from 'react'
import { lazily } from '../../lazily.tsx'
import type { A2uiRendererProps } from './view.ts'

const media = () => import('./media.tsx')

/**
 * Asking before something is loaded from elsewhere, and the clocks of the world, are code that most surfaces never need: it
 * comes with the first medium or date.
 */
const drawn = (Part: ComponentType<A2uiRendererProps>) =>
  function LazyPart(props: A2uiRendererProps) {
    return (
      <Suspense fallback={<span className="v-a2-placeholder" />}>
        <Part {...props} />
      </Suspense>
    )
  }

export const Image = drawn(lazily(async () => ({ default: (await media()).Image })))
export const Video = drawn(lazily(async () => ({ default: (await media()).Video })))
export const AudioPlayer = drawn(lazily(async () => ({ default: (await media()).AudioPlayer })))
export const DateTimeInput = drawn(
  lazily(async () => ({ default: (await import('./date-time-input.tsx')).DateTimeInput })),
)
