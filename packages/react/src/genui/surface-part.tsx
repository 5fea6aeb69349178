import type { SessionHandle } from '@vitrine/client'
import { memo, Suspense } from 'react'
import { useFact } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { lazily } from '../lazily.tsx'

// Engine and catalog are fetched with the first surface.
const renderer = () => import('./a2ui/in-session.tsx')
const InSession = lazily(async () => ({ default: (await renderer()).InSession }))
const Provisional = lazily(async () => ({ default: (await renderer()).Provisional }))

/** UI that the agent drew with A2UI, at its place in the conversation. */
export const SurfacePart = memo(function SurfacePart(props: { surfaceId: string; handle: SessionHandle }) {
  const { surfaceId, handle } = props
  const { t } = useI18n()
  const key = `surface:${surfaceId}`
  const state = useFact(handle, key, ({ surfaces }) => surfaces.byId.get(surfaceId)?.state)
  const loaded = useFact(handle, key, ({ surfaces }) => surfaces.byId.get(surfaceId)?.loaded)
  if (state !== 'live') return <p className="v-note">{t('surface.removed')}</p>
  const loading = <p className="v-note">{t('fallback.loading')}</p>
  if (!loaded) return loading
  return (
    <Suspense fallback={loading}>
      <InSession surfaceId={surfaceId} handle={handle} />
    </Suspense>
  )
})

/** What an `a2ui` call that is still being written will draw; nothing once it has ended, well or not. */
export function A2uiPreview({ handle, toolCallId }: { handle: SessionHandle; toolCallId: string }) {
  const state = useFact(handle, `tool:${toolCallId}`, ({ tools }) => tools.byId.get(toolCallId)?.state)
  if (state !== 'preparing' && state !== 'running') return null
  return (
    <Suspense>
      <Provisional handle={handle} toolCallId={toolCallId} />
    </Suspense>
  )
}
