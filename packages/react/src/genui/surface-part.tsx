import type { SessionHandle } from '@vitrine/client'
import { memo, Suspense } from 'react'
import { useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { lazily } from '../lazily.tsx'
import { DrawnFrame } from './drawn-frame.tsx'

// Engine and catalog are fetched with the first surface, the preview with the first call that is being written.
const InSession = lazily(async () => ({ default: (await import('./a2ui/in-session.tsx')).InSession }))
const Provisional = lazily(async () => ({ default: (await import('./a2ui/preview.tsx')).Provisional }))

/** Draws a surface of the agent at its place in the conversation. One that was made again elsewhere is not drawn here. */
export const SurfacePart = memo(function SurfacePart(props: {
  surfaceId: string
  partId: string
  handle: SessionHandle
}) {
  const { surfaceId, partId, handle } = props
  const { t } = useI18n()
  const key = `surface:${surfaceId}`
  const shown = useEntityValue(handle, key, ({ surfaces }) => {
    const surface = surfaces.byId.get(surfaceId)
    return surface?.state === 'live' && surface.partId === partId
  })
  const loaded = useEntityValue(handle, key, ({ surfaces }) => surfaces.byId.get(surfaceId)?.loaded)
  const runId = useEntityValue(handle, key, ({ surfaces, messages }) => {
    const messageId = surfaces.byId.get(surfaceId)?.messageId ?? ''
    return messages.byId.get(messageId)?.runId
  })
  if (!shown) return <p className="v-note">{t('surface.removed')}</p>
  const loading = <p className="v-note">{t('fallback.loading')}</p>
  if (!loaded) return loading
  return (
    <div className="v-a2-part">
      <DrawnFrame handle={handle} runId={runId ?? null}>
        <Suspense fallback={loading}>
          <InSession surfaceId={surfaceId} handle={handle} />
        </Suspense>
      </DrawnFrame>
    </div>
  )
})

/**
 * Draws what an `a2ui` call that is still being written will become. It draws nothing when the call has ended, well or
 * not.
 */
export function A2uiPreview({ handle, toolCallId }: { handle: SessionHandle; toolCallId: string }) {
  const state = useEntityValue(handle, `tool:${toolCallId}`, ({ tools }) => tools.byId.get(toolCallId)?.state)
  if (state !== 'preparing' && state !== 'running') return null
  return (
    <Suspense>
      <Provisional handle={handle} toolCallId={toolCallId} />
    </Suspense>
  )
}
