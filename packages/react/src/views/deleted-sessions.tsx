import type { Outcome } from '@vitrine/client'
import { listDeletedSessions } from '@vitrine/client/lists'
import type { SessionSummary } from '@vitrine/protocol'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { ConfirmDialog, Dialog } from '../kit/dialog.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible, visibleText } from '../visible.tsx'

/** The sessions that were deleted and can still be brought back, or deleted for good. */
export function DeletedSessions({ onClose }: { onClose: () => void }) {
  const { t } = useI18n()
  const { client, announce, notify } = useVitrine()
  const [loaded, setLoaded] = useState<Outcome<SessionSummary[]> | null>(null)
  const [erasing, setErasing] = useState<SessionSummary | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const body = useRef<HTMLDivElement>(null)
  const load = useCallback(async () => setLoaded(await listDeletedSessions(client)), [client])
  useEffect(() => void load(), [load])

  const titleOf = (session: SessionSummary) => session.title || t('sessions.untitled')
  const act = async (session: SessionSummary, what: 'restore' | 'erase') => {
    const { sessionId } = session
    setErasing(null)
    setBusy(sessionId)
    const result = await (what === 'restore' ? client.restoreSession(sessionId) : client.eraseSession(sessionId))
    setBusy(null)
    if (!result.ok) {
      const reason = problemWords(t, result.problem)
      const text =
        what === 'restore' ? t('sessions.restoreFailed', { reason }) : `${t('deleted.eraseFailed')} ${reason}`
      notify({ id: `${what}:${sessionId}`, tone: 'danger', text })
    } else {
      announce(t(what === 'restore' ? 'sessions.restored' : 'deleted.erased', { title: titleOf(session) }))
      // The button that was pressed goes with its row.
      body.current?.focus()
    }
    await load()
  }

  return (
    <Dialog label={t('deleted.label')} title={t('deleted.label')} className="v-deleted" onClose={onClose}>
      <div ref={body} className="v-dialog-body" tabIndex={-1}>
        {loaded === null ? (
          <p className="v-panel-empty">{t('fallback.loading')}</p>
        ) : !loaded.ok ? (
          <ProblemNote title={t('deleted.loadFailed')} problem={loaded.problem}>
            <Button onClick={load}>{t('action.tryAgain')}</Button>
          </ProblemNote>
        ) : loaded.value.length === 0 ? (
          <p className="v-panel-empty">{t('deleted.empty')}</p>
        ) : (
          <ul className="v-deleted-list">
            {loaded.value.map(session => (
              <Row
                key={session.sessionId}
                session={session}
                title={titleOf(session)}
                busy={busy === session.sessionId}
                onRestore={() => void act(session, 'restore')}
                onErase={() => setErasing(session)}
              />
            ))}
          </ul>
        )}
      </div>
      {erasing && (
        <ConfirmDialog
          title={t('deleted.eraseTitle', { title: titleOf(erasing) })}
          yes={t('deleted.erase')}
          danger
          onAnswer={yes => (yes ? void act(erasing, 'erase') : setErasing(null))}
        >
          <p>{t('deleted.confirm')}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

interface RowProps {
  session: SessionSummary
  title: string
  busy: boolean
  onRestore: () => void
  onErase: () => void
}

function Row({ session, title, busy, onRestore, onErase }: RowProps) {
  const { t, dateTime } = useI18n()
  return (
    <li>
      <span className="v-deleted-title" dir="auto" title={visibleText(title)}>
        {visible(title)}
      </span>
      <span className="v-deleted-until">{t('deleted.until', { date: dateTime(session.eraseAt ?? 0) })}</span>
      <span className="v-actions">
        <Button
          aria-label={t('deleted.restoreOf', { title })}
          aria-busy={busy || undefined}
          disabled={busy}
          onClick={onRestore}
        >
          {t('deleted.restore')}
        </Button>
        <Button look="quiet" danger aria-label={t('deleted.eraseOf', { title })} disabled={busy} onClick={onErase}>
          {t('deleted.erase')}
        </Button>
      </span>
    </li>
  )
}
