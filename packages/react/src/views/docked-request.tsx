import type { SessionHandle } from '@vitrine/client'
import { type Action, pendingActions } from '@vitrine/protocol'
import { useRef } from 'react'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { StatusDot } from '../kit/status-dot.tsx'
import { visible } from '../visible.tsx'
import { ARMED_AFTER } from './action-card.tsx'
import { useCommand } from './use-command.ts'

interface Props {
  handle: SessionHandle
  /** The requests that wait and have their buttons out of view. */
  hidden: readonly string[]
  onShow: (actionId: string) => void
}

/** The first request that waits and has its buttons out of view, as one line above the composer. */
export function DockedRequest({ handle, hidden, onShow }: Props) {
  const action = useEntity(handle, 'actions', state =>
    pendingActions(state).find(({ actionId }) => hidden.includes(actionId)),
  )
  if (!action) return null
  return <Line key={action.actionId} handle={handle} action={action} onShow={() => onShow(action.actionId)} />
}

function Line({ handle, action, onShow }: { handle: SessionHandle; action: Action; onShow: () => void }) {
  const { t } = useI18n()
  const { sending, problem, send } = useCommand()
  const shownAt = useRef(Date.now())
  const { request, actionId } = action
  const decides = request.kind === 'approval'
  // What stands nowhere whole is looked at first.
  const known = request.risk !== 'high' && !request.moreChanges && !request.changes?.some(({ cut }) => cut)
  const respond = (decision: 'approve' | 'deny') => {
    if (sending || Date.now() - shownAt.current < ARMED_AFTER) return
    send(() => handle.respondToAction(actionId, { decision }))
  }
  return (
    <section
      className="v-docked v-lamp"
      data-lamp={request.risk === 'high' ? 'failed' : undefined}
      aria-label={t('request.docked')}
    >
      <StatusDot tone="attention" />
      <button type="button" className="v-docked-title" dir="auto" onClick={onShow}>
        {visible(request.title)}
      </button>
      {problem && (
        <span className="v-docked-problem" role="alert">
          {problemWords(t, problem)}
        </span>
      )}
      {decides && (
        <Button disabled={sending} onClick={() => respond('deny')}>
          {t('request.deny')}
        </Button>
      )}
      {decides && known ? (
        <Button look="primary" disabled={sending} onClick={() => respond('approve')}>
          {t('request.allowOnce')}
        </Button>
      ) : (
        <Button look="primary" onClick={onShow}>
          {t(decides ? 'request.review' : 'request.show')}
        </Button>
      )}
    </section>
  )
}
