import type { Outcome } from '@vitrine/client'
import type { SessionSummary } from '@vitrine/protocol'
import { useCallback, useMemo, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'

/** What can be done with a session as a whole. */
export interface SessionActions {
  /** Sessions on their way out: gone from view before the server has answered. */
  hidden: ReadonlySet<string>
  rename(session: SessionSummary, title: string): void
  pin(session: SessionSummary, pinned: boolean): void
  remove(session: SessionSummary): void
  loadMore(): void
}

const UNDO_FOR = 10_000

/**
 * Commands on a whole session, such as renaming and deleting it. One that fails says why; a deletion is done at once
 * and can be undone. `onRemoved` leaves the session and says whether it was open.
 */
export function useSessionActions(onRemoved: (sessionId: string) => boolean): SessionActions {
  const { t } = useI18n()
  const { announce, client, dismiss, notify, openSession } = useVitrine()
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
      report(key, await handle.updateSession(change))
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
      const title = session.title || t('sessions.untitled')
      const id = `delete:${sessionId}`
      setHidden(all => new Set([...all, sessionId]))
      const wasOpen = onRemoved(sessionId)
      const deleted = client.deleteSession(sessionId)
      const undo = async () => {
        if (!(await deleted).ok) return
        const result = await client.restoreSession(sessionId)
        report('sessions.restoreFailed', result)
        if (result.ok) announce(t('sessions.restored', { title }))
        if (result.ok && wasOpen) openSession(sessionId)
      }
      notify({
        id,
        tone: 'plain',
        text: t('sessions.deleted', { title }),
        lasts: UNDO_FOR,
        action: { label: t('action.undo'), run: () => void undo(), undoes: true },
      })
      void deleted.then(result => {
        show(sessionId)
        if (!result.ok) dismiss(id)
        report('sessions.deleteFailed', result)
      })
    },
    [announce, client, dismiss, notify, onRemoved, openSession, report, show, t],
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
