import { type ComponentType, Suspense } from 'react'
import { lazily } from '../../lazily.tsx'
import type { A2uiRendererProps } from './view.ts'

const media = () => import('./media.tsx')

/** Asking before something is loaded from elsewhere is code that most surfaces never need: it comes with the first medium. */
const drawn = (Medium: ComponentType<A2uiRendererProps>) =>
  function LazyMedium(props: A2uiRendererProps) {
    return (
      <Suspense fallback={<span className="v-a2-placeholder" />}>
        <Medium {...props} />
      </Suspense>
    )
  }

export const Image = drawn(lazily(async () => ({ default: (await media()).Image })))
export const Video = drawn(lazily(async () => ({ default: (await media()).Video })))
export const AudioPlayer = drawn(lazily(async () => ({ default: (await media()).AudioPlayer })))
