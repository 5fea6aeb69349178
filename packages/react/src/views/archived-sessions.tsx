import type { Outcome } from '@vitrine/client'
import { listArchivedSessions } from '@vitrine/client/lists'
import type { SessionSummary } from '@vitrine/protocol'
import { useCallback, useEffect, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible, visibleText } from '../visible.tsx'
import type { SessionActions } from './session-actions.ts'

/** The sessions that were put away: each can be opened, or brought back into the list. */
export function ArchivedSessions({ actions, onClose }: { actions: SessionActions; onClose: () => void }) {
  const { t, dateTime } = useI18n()
  const { client, openSession } = useVitrine()
  const [loaded, setLoaded] = useState<Outcome<SessionSummary[]> | null>(null)
  const { sessions } = useReadable(client.sessions)
  const load = useCallback(async () => setLoaded(await listArchivedSessions(client)), [client])
  useEffect(() => void load(), [load])
  const live = new Map(sessions.map(session => [session.sessionId, session]))
  const shown = loaded?.ok
    ? loaded.value.filter(({ sessionId }) => live.get(sessionId)?.archived !== false && !actions.hidden.has(sessionId))
    : []
  return (
    <Dialog label={t('archive.label')} title={t('archive.label')} className="v-deleted" onClose={onClose}>
      <div className="v-dialog-body">
        {loaded === null ? (
          <p className="v-panel-empty">{t('fallback.loading')}</p>
        ) : !loaded.ok ? (
          <ProblemNote title={t('archive.loadFailed')} problem={loaded.problem}>
            <Button onClick={load}>{t('action.tryAgain')}</Button>
          </ProblemNote>
        ) : shown.length === 0 ? (
          <p className="v-panel-empty">{t('archive.empty')}</p>
        ) : (
          <ul className="v-deleted-list">
            {shown.map(session => {
              const title = session.title || t('sessions.untitled')
              return (
                <li key={session.sessionId}>
                  <span className="v-deleted-title" dir="auto" title={visibleText(title)}>
                    {visible(title)}
                  </span>
                  <span className="v-deleted-until">{t('archive.last', { date: dateTime(session.updatedAt) })}</span>
                  <span className="v-actions">
                    <Button
                      aria-label={t('archive.openOf', { title })}
                      onClick={() => {
                        onClose()
                        openSession(session.sessionId)
                      }}
                    >
                      {t('archive.open')}
                    </Button>
                    <Button
                      look="quiet"
                      aria-label={t('archive.bringBackOf', { title })}
                      onClick={() => actions.archive(session, false)}
                    >
                      {t('archive.bringBack')}
                    </Button>
                  </span>
                </li>
              )
            })}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
