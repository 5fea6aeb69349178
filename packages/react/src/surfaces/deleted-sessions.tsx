import type { Outcome } from '@vitrine/client'
import type { SessionSummary } from '@vitrine/protocol'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { Dialog } from '../dialog.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
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
  const load = useCallback(async () => setLoaded(await client.deletedSessions()), [client])
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
      <div ref={body} className="v-deleted-body" tabIndex={-1}>
        {loaded === null ? (
          <p className="v-panel-empty">{t('fallback.loading')}</p>
        ) : !loaded.ok ? (
          <ProblemNote title={t('deleted.loadFailed')} problem={loaded.problem}>
            <button type="button" className="v-button" onClick={load}>
              {t('action.tryAgain')}
            </button>
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
        <Confirm title={titleOf(erasing)} onAnswer={yes => (yes ? void act(erasing, 'erase') : setErasing(null))} />
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
        <button
          type="button"
          className="v-button"
          aria-label={t('deleted.restoreOf', { title })}
          aria-busy={busy || undefined}
          disabled={busy}
          onClick={onRestore}
        >
          {t('deleted.restore')}
        </button>
        <button
          type="button"
          className="v-button v-quiet v-danger"
          aria-label={t('deleted.eraseOf', { title })}
          disabled={busy}
          onClick={onErase}
        >
          {t('deleted.erase')}
        </button>
      </span>
    </li>
  )
}

/** Says that there is no way back; the safe choice has the focus. */
function Confirm({ title, onAnswer }: { title: string; onAnswer: (yes: boolean) => void }) {
  const { t } = useI18n()
  const heading = t('deleted.eraseTitle', { title })
  return (
    <Dialog className="v-deleted-confirm" label={heading} title={heading} onClose={() => onAnswer(false)}>
      <div className="v-deleted-body">
        <p>{t('deleted.confirm')}</p>
        <div className="v-actions">
          <button
            type="button"
            className="v-button"
            // The dialog looks for the attribute when it opens; React's autoFocus acts before that.
            ref={button => button?.setAttribute('autofocus', '')}
            onClick={() => onAnswer(false)}
          >
            {t('action.cancel')}
          </button>
          <button type="button" className="v-button v-ui-danger" onClick={() => onAnswer(true)}>
            {t('deleted.erase')}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
