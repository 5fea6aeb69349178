import type { SessionHandle } from '@vitrine/client'
import { type AgentInfo, pendingActions } from '@vitrine/protocol'
import { useEffect, useRef } from 'react'
import { useEntity, useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { AgentFace } from '../kit/face.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { ChevronLeft, ChevronRight } from '../kit/icons.ts'
import { Sheet, useBackCloses } from '../kit/sheet.tsx'
import { visible, visibleText } from '../visible.tsx'
import { PendingRequest } from './action-card.tsx'
import { wordsTo } from './composer-mode.ts'

interface Props {
  handle: SessionHandle
  agent: AgentInfo | null
  actionId: string
  /** Shows another request that waits. */
  onGo: (actionId: string) => void
  /** Closing answers nothing. */
  onClose: () => void
  /** Nothing waits any more. */
  onDone: () => void
  /** Goes to where the person can write what to do instead. */
  onSayInstead: () => void
}

/** A request that was opened in a narrow window. It is answered by its buttons alone, never by a swipe. */
export function RequestSheet({ handle, agent, actionId, onGo, onClose, onDone, onSayInstead }: Props) {
  const { t } = useI18n()
  const waiting = useEntity(handle, 'actions', pendingActions)
  const title = useEntityValue(handle, 'session', ({ session }) => (session.title.known ? session.title.value : ''))
  const at = waiting.findIndex(action => action.actionId === actionId)
  const action = waiting[at]
  useBackCloses(onClose)
  // What was answered, here or elsewhere, gives way to the next one that waits.
  const place = useRef(0)
  if (at >= 0) place.current = at
  const next = action ? actionId : (waiting[place.current] ?? waiting[0])?.actionId
  useEffect(() => {
    if (next === undefined) onDone()
    else if (next !== actionId) onGo(next)
  }, [next, actionId, onGo, onDone])
  const body = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request that is shown gives the focus to its safe choice.
  useEffect(() => {
    body.current?.querySelector<HTMLElement>('button[data-safe]')?.focus({ preventScroll: true })
  }, [actionId])
  if (!action) return null
  const name = agent?.name ?? ''
  const takesWords = waiting.find(one => wordsTo(one) !== null)?.actionId === actionId
  const step = (by: 1 | -1) => onGo(waiting[(at + by + waiting.length) % waiting.length]!.actionId)
  return (
    <Sheet label={visibleText(action.request.title)} className="v-request-sheet v-lamp" onClose={onClose}>
      <header className="v-request-from">
        {agent && <AgentFace agentId={agent.agentId} />}
        <span className="v-request-agent">{visible(name)}</span>
        {title && (
          <span className="v-request-session" dir="auto">
            {t('request.inSession', { title })}
          </span>
        )}
        {waiting.length > 1 && (
          <span className="v-pager">
            <IconButton icon={ChevronLeft} label={t('request.previous')} onClick={() => step(-1)} />
            {t('history.version', { at: at + 1, total: waiting.length })}
            <IconButton icon={ChevronRight} label={t('request.next')} onClick={() => step(1)} />
          </span>
        )}
      </header>
      <div ref={body} className="v-request-scroll">
        <PendingRequest
          key={actionId}
          handle={handle}
          action={action}
          {...(takesWords && action.request.kind === 'approval' && { onSayInstead })}
        />
      </div>
    </Sheet>
  )
}
