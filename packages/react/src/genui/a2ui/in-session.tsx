import type { SessionHandle } from '@vitrine/client'
import { useEntity, useEntityValue } from '../../hooks.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { liveSurface } from './live-surface.ts'
import { A2uiSurface } from './surface.tsx'

export { Provisional } from './preview.tsx'

/** A surface of an open session, live. */
export function InSession({ surfaceId, handle }: { surfaceId: string; handle: SessionHandle }) {
  const { t, locale } = useI18n()
  const theme = useEntity(handle, `surface:${surfaceId}`, ({ surfaces }) => surfaces.byId.get(surfaceId)?.theme)
  const streaming = useEntityValue(handle, 'session', ({ session }) => session.activeRunId !== null)
  const live = liveSurface(handle, surfaceId, locale)
  const by = typeof theme?.agentDisplayName === 'string' ? theme.agentDisplayName : ''
  return <A2uiSurface model={live.model} shared={live} streaming={streaming} label={by || t('a2ui.surface')} />
}
