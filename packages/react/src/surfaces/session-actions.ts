import type { Outcome } from '@vitrine/client'
import type { SessionSummary } from '@vitrine/protocol'
import { useCallback, useMemo, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'

export interface SessionActions {
  /** Sessions on their way out: gone from view, still undoable. */
  hidden: ReadonlySet<string>
  rename(session: SessionSummary, title: string): void
  pin(session: SessionSummary, pinned: boolean): void
  remove(session: SessionSummary): void
  loadMore(): void
}

const UNDO_FOR = 7000

/** Writes on sessions as wholes. One that fails says why; a deletion waits while it can still be undone. */
export function useSessionActions(onRemoved: (sessionId: string) => void): SessionActions {
  const { t } = useI18n()
  const { client, notify } = useVitrine()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())

  const report = useCallback(
    (key: MessageKey, result: Outcome) => {
      if (!result.ok) notify({ id: key, tone: 'danger', text: t(key, { reason: problemWords(t, result.problem) }) })
    },
    [notify, t],
  )
  const update = useCallback(
    async (key: MessageKey, sessionId: string, change: { title: string } | { pinned: boolean }) => {
      const handle = client.open(sessionId)
      report(key, await handle.update(change))
      handle.close()
    },
    [client, report],
  )
  const show = useCallback(
    (sessionId: string) => setHidden(all => new Set([...all].filter(id => id !== sessionId))),
    [],
  )
  const remove = useCallback(
    (session: SessionSummary) => {
      const { sessionId } = session
      setHidden(all => new Set([...all, sessionId]))
      onRemoved(sessionId)
      notify({
        id: `delete:${sessionId}`,
        tone: 'plain',
        text: t('sessions.deleted', { title: session.title || t('sessions.untitled') }),
        lasts: UNDO_FOR,
        action: { label: t('action.undo'), run: () => show(sessionId) },
        onGone: async () => {
          const result = await client.deleteSession(sessionId)
          report('sessions.deleteFailed', result)
          if (!result.ok) show(sessionId)
        },
      })
    },
    [client, notify, onRemoved, report, show, t],
  )
  return useMemo(
    () => ({
      hidden,
      rename: (session, title) => void update('sessions.renameFailed', session.sessionId, { title }),
      pin: (session, pinned) => void update('sessions.pinFailed', session.sessionId, { pinned }),
      remove,
      loadMore: async () => report('sessions.moreFailed', await client.loadMoreSessions()),
    }),
    [hidden, update, remove, report, client],
  )
}
