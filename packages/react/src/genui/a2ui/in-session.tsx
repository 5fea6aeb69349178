import type { SessionHandle } from '@vitrine/client'
import { use, useContext } from 'react'
import { CatalogsContext } from '../../context.tsx'
import { useEntity, useEntityValue } from '../../hooks.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { liveSurface } from './live-surface.ts'
import { A2uiSurface } from './surface.tsx'

/** A surface of an open session, live. */
export function InSession({ surfaceId, handle }: { surfaceId: string; handle: SessionHandle }) {
  const { t, locale } = useI18n()
  const key = `surface:${surfaceId}` as const
  const theme = useEntity(handle, key, ({ surfaces }) => surfaces.byId.get(surfaceId)?.theme)
  const catalogId = useEntityValue(handle, key, ({ surfaces }) => surfaces.byId.get(surfaceId)?.catalogId)
  const streaming = useEntityValue(handle, 'session', ({ session }) => session.activeRunId !== null)
  const found = useContext(CatalogsContext)(catalogId)
  const { catalog, ...drawing } = found instanceof Promise ? use(found) : found
  const live = liveSurface(handle, surfaceId, locale, catalog)
  const by = typeof theme?.agentDisplayName === 'string' ? theme.agentDisplayName : ''
  return (
    <A2uiSurface
      key={catalogId}
      model={live.model}
      shared={live}
      streaming={streaming}
      label={by || t('a2ui.surface')}
      {...drawing}
    />
  )
}
