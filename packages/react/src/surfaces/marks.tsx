import type { SessionHandle } from '@vitrine/client'
import type { Reason, SessionState } from '@vitrine/protocol'
import Bot from 'lucide-react/icons/bot'
import CornerDownRight from 'lucide-react/icons/corner-down-right'
import FoldVertical from 'lucide-react/icons/fold-vertical'
import type { ReactNode } from 'react'
import { Disclosure } from '../disclosure.tsx'
import { useEntity, useFact, useNow } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { MarkdownText } from '../markdown/markdown.tsx'
import { visible } from '../visible.tsx'
import { messagesOfAgent } from './conversation-rows.ts'
import { Message } from './message.tsx'

/** Where in the run a person's direction took effect. */
export function SteerMark({ handle, steerId }: { handle: SessionHandle; steerId: string }) {
  const { t } = useI18n()
  const steer = useEntity(handle, `steer:${steerId}`, state => state.steers.byId.get(steerId))
  return (
    <div className="v-steer">
      <CornerDownRight aria-hidden />
      <span className="v-steer-label">{t('steer.consumed')}</span>
      <span className="v-steer-text">{steer?.text || t('fallback.unknown')}</span>
    </div>
  )
}

const agentWords: Record<string, MessageKey> = {
  running: 'agent.running',
  completed: 'agent.completed',
  failed: 'agent.failed',
  interrupted: 'agent.interrupted',
  unknown: 'agent.unknown',
}

/** Another agent that works inside this run. */
export function AgentPart({ handle, agentId }: { handle: SessionHandle; agentId: string }) {
  const { t, duration } = useI18n()
  const agent = useEntity(handle, `agent:${agentId}`, state => state.agents.byId.get(agentId))
  const messages = useEntity(handle, 'messages', state => messagesOfAgent(state, agentId))
  // What it needs from a person must not be folded away.
  const waits = useFact(handle, 'actions', state => waitsForPerson(state, agentId))
  const now = useNow(agent?.state === 'running')
  if (!agent) return <p className="v-note">{t('agent.missing')}</p>
  const took = (agent.endedAt ?? Math.max(now, agent.startedAt)) - agent.startedAt
  return (
    <Disclosure
      id={agent.key}
      open={waits}
      className="v-agent"
      summary={
        <>
          <Bot className="v-row-icon" aria-hidden />
          <span className="v-tool-name">{visible(agent.name)}</span>
          <span className="v-tool-summary">{visible(agent.input ?? '')}</span>
          <span className="v-agent-state">{t(agentWords[agent.state]!)}</span>
          {(agent.endedAt || agent.state === 'running') && <span className="v-tool-time">{duration(took)}</span>}
        </>
      }
    >
      {() => (
        <>
          {agent.input && (
            <section>
              <p className="v-label">{t('agent.input')}</p>
              <p className="v-prewrap">{visible(agent.input)}</p>
            </section>
          )}
          {messages.map(({ messageId }) => (
            <Message key={messageId} handle={handle} messageId={messageId} />
          ))}
          {messages.length === 0 && (
            <section>
              <p className="v-label">{t('agent.summary')}</p>
              {agent.summary ? <MarkdownText text={agent.summary} /> : <p className="v-note">{t('agent.noSummary')}</p>}
            </section>
          )}
          {agent.handedOffTo && <p className="v-note">{t('agent.handoff', { name: agent.handedOffTo })}</p>}
        </>
      )}
    </Disclosure>
  )
}

function waitsForPerson(state: SessionState, agentId: string): boolean {
  for (const { state: step, messageId } of state.actions.byId.values()) {
    if (step === 'pending' && messageId && state.messages.byId.get(messageId)?.agentId === agentId) return true
  }
  return false
}

/** The context was shortened here. */
export function CompactionMark({ handle, compactionId }: { handle: SessionHandle; compactionId: string }) {
  const { t } = useI18n()
  const found = useEntity(handle, `compaction:${compactionId}`, state => state.compactions.byId.get(compactionId))
  if (!found) return null
  const { state, tokensBefore, tokensAfter, summary, reason } = found
  const words =
    state === 'running'
      ? t('compaction.running')
      : state === 'unknown'
        ? t('compaction.unknown')
        : tokensBefore !== null && tokensAfter !== null
          ? t('compaction.tokens', { before: tokensBefore, after: tokensAfter })
          : t('compaction.done')
  const label = (
    <>
      <FoldVertical className="v-row-icon" aria-hidden />
      <span>{words}</span>
    </>
  )
  const about = summary ?? (reason && reasonWords(t, reason))
  if (!about) return <div className="v-divider">{label}</div>
  return (
    <Disclosure id={found.key} className="v-divider" summary={label}>
      {() => <MarkdownText text={about} />}
    </Disclosure>
  )
}

/** What a retried step withdrew: struck out and folded, because it was seen. */
export function Retracted(props: { partId: string; reason: Reason | null; children: () => ReactNode }) {
  const { t } = useI18n()
  const { partId, reason, children } = props
  return (
    <Disclosure
      id={`retracted:${partId}`}
      className="v-retracted"
      summary={
        <span>{reason ? t('retracted.because', { reason: reasonWords(t, reason) }) : t('retracted.label')}</span>
      }
    >
      {() => <div className="v-retracted-body">{children()}</div>}
    </Disclosure>
  )
}
