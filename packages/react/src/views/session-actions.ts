import { newId, type Outcome } from '@vitrine/client'
import { deleteFolder, saveFolder } from '@vitrine/client/lists'
import type { Command, Folder, SessionSummary } from '@vitrine/protocol'
import { useCallback, useMemo, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'

/** What can be done with a session as a whole, and with the folders that sessions are in. */
export interface SessionActions {
  /** Sessions on their way out: gone from view before the server has answered. */
  hidden: ReadonlySet<string>
  rename(session: SessionSummary, title: string): void
  pin(session: SessionSummary, pinned: boolean): void
  /** Puts the session away, or brings it back. Putting away can be undone. */
  archive(session: SessionSummary, archived: boolean): void
  /** Null takes it out of its folder. */
  move(session: SessionSummary, folderId: string | null): void
  remove(session: SessionSummary): void
  loadMore(): void
  /** The session for which a folder is being chosen. `askMove(null)` ends that. */
  moving: SessionSummary | null
  askMove(session: SessionSummary | null): void
  /** Makes a folder, named or not yet, and gives its id. */
  addFolder(name?: string): string
  renameFolder(folderId: string, name: string): void
  /** Its sessions stay. It can be undone. */
  removeFolder(folder: Folder): void
}

const UNDO_FOR = 6_000

/**
 * Commands on a whole session, such as renaming and deleting it. One that fails says why; a deletion is done at once
 * and can be undone. `onRemoved` leaves the session and says whether it was open.
 */
export function useSessionActions(onRemoved: (sessionId: string) => boolean): SessionActions {
  const { t } = useI18n()
  const { announce, client, dismiss, notify, openSession } = useVitrine()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [moving, askMove] = useState<SessionSummary | null>(null)

  const report = useCallback(
    (key: MessageKey, result: Outcome) => {
      if (!result.ok) notify({ id: key, tone: 'danger', text: t(key, { reason: problemWords(t, result.problem) }) })
      return result.ok
    },
    [notify, t],
  )
  const update = useCallback(
    async (key: MessageKey, sessionId: string, change: Command<'updateSession'>) => {
      const handle = client.open(sessionId)
      const done = report(key, await handle.updateSession(change))
      handle.close()
      return done
    },
    [client, report],
  )
  const hide = useCallback((sessionId: string) => setHidden(all => new Set([...all, sessionId])), [])
  const show = useCallback(
    (sessionId: string) => setHidden(all => new Set([...all].filter(id => id !== sessionId))),
    [],
  )
  const titleOf = useCallback((session: SessionSummary) => session.title || t('sessions.untitled'), [t])

  const remove = useCallback(
    (session: SessionSummary) => {
      const { sessionId } = session
      const title = titleOf(session)
      const id = `delete:${sessionId}`
      hide(sessionId)
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
    [announce, client, dismiss, hide, notify, onRemoved, openSession, report, show, t, titleOf],
  )

  const archive = useCallback(
    async (session: SessionSummary, archived: boolean) => {
      const { sessionId } = session
      const title = titleOf(session)
      const id = `archive:${sessionId}`
      const change = (to: boolean) => update('archive.failed', sessionId, { archived: to })
      if (!archived) {
        dismiss(id)
        if (await change(false)) announce(t('archive.back', { title }))
        return
      }
      hide(sessionId)
      const done = change(true)
      const undo = async () => {
        if ((await done) && (await change(false))) announce(t('archive.back', { title }))
      }
      notify({
        id,
        tone: 'plain',
        text: t('archive.archived', { title }),
        lasts: UNDO_FOR,
        action: { label: t('action.undo'), run: () => void undo() },
      })
      if (!(await done)) dismiss(id)
      show(sessionId)
    },
    [announce, dismiss, hide, notify, show, t, titleOf, update],
  )

  const move = useCallback(
    async (session: SessionSummary, folderId: string | null) => {
      if (!(await update('folders.moveFailed', session.sessionId, { folderId }))) return
      const folder = client.sessions.get().folders.find(one => one.folderId === folderId)
      const title = titleOf(session)
      announce(folder ? t('folders.moved', { title, folder: folder.name }) : t('folders.movedOut', { title }))
    },
    [announce, client, t, titleOf, update],
  )

  const removeFolder = useCallback(
    async ({ folderId, name }: Folder) => {
      const id = `folder:${folderId}`
      const deleted = deleteFolder(client, folderId)
      notify({
        id,
        tone: 'plain',
        text: t('folders.deleted', { name }),
        lasts: UNDO_FOR,
        action: {
          label: t('action.undo'),
          // A folder of the same id has the same sessions again.
          run: async () => {
            if ((await deleted).ok) report('folders.failed', await saveFolder(client, name, folderId))
          },
          undoes: true,
        },
      })
      if (!report('folders.failed', await deleted)) dismiss(id)
    },
    [client, dismiss, notify, report, t],
  )

  return useMemo(
    () => ({
      hidden,
      rename: (session, title) => void update('sessions.renameFailed', session.sessionId, { title }),
      pin: (session, pinned) => void update('sessions.pinFailed', session.sessionId, { pinned }),
      archive: (session, archived) => void archive(session, archived),
      move: (session, folderId) => void move(session, folderId),
      remove,
      loadMore: async () => void report('sessions.moreFailed', await client.loadMoreSessions()),
      moving,
      askMove,
      addFolder(name = t('folders.newName')) {
        const folderId = newId()
        void saveFolder(client, name, folderId).then(result => report('folders.failed', result))
        return folderId
      },
      renameFolder: async (folderId, name) => void report('folders.failed', await saveFolder(client, name, folderId)),
      removeFolder: folder => void removeFolder(folder),
    }),
    [hidden, update, archive, move, remove, removeFolder, report, client, moving, t],
  )
}
