import type { SessionHandle } from '@vitrine/client'
import type { Reason, SessionState, Subagent } from '@vitrine/protocol'
import type { ReactNode } from 'react'
import { useAgentName } from '../agents.tsx'
import { useEntity, useEntityValue, useNow } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { AgentFace } from '../kit/face.tsx'
import { Icon } from '../kit/icon.tsx'
import { CornerDownRight, FoldVertical, Undo2 } from '../kit/icons.ts'
import { StatusDot } from '../kit/status-dot.tsx'
import { Time } from '../kit/time.tsx'
import { MarkdownText } from '../markdown/lazy-markdown.tsx'
import { visible, visibleText } from '../visible.tsx'
import { messagesOfSubagent } from './conversation-rows.ts'
import { KeptDisclosure } from './kept-disclosure.tsx'
import { Message } from './message.tsx'
import { subagentTone } from './status.tsx'

/** Where in the run a person's steer took effect: one quiet line. */
export function SteerMark({ handle, steerId }: { handle: SessionHandle; steerId: string }) {
  const { t, time } = useI18n()
  const steer = useEntity(handle, `steer:${steerId}`, state => state.steers.byId.get(steerId))
  return (
    <div className="v-said">
      <Icon of={CornerDownRight} />
      <b>{t('steer.consumed')}</b>
      <span className="v-said-text" dir="auto">
        {steer?.text ? visible(steer.text) : t('fallback.unknown')}
      </span>
      {steer && <Time at={steer.at}>{time(steer.at)}</Time>}
    </div>
  )
}

const stateWords: Record<Subagent['state'], MessageKey> = {
  running: 'subagent.running',
  completed: 'subagent.completed',
  failed: 'subagent.failed',
  interrupted: 'subagent.interrupted',
  unknown: 'subagent.unknown',
}

/** An agent that works inside the run of another one. */
export function SubagentPart({ handle, subagentId }: { handle: SessionHandle; subagentId: string }) {
  const { t, duration } = useI18n()
  const subagent = useEntity(handle, `subagent:${subagentId}`, state => state.subagents.byId.get(subagentId))
  const messages = useEntity(handle, 'messages', state => messagesOfSubagent(state, subagentId))
  // What it needs from a person must not be folded away.
  const waits = useEntityValue(handle, 'actions', state => waitsForPerson(state, subagentId))
  const now = useNow(subagent?.state === 'running')
  const agentName = useAgentName(subagent?.agentId ?? '')
  if (!subagent) return <p className="v-note">{t('subagent.missing')}</p>
  const { name, agentId, input, state } = subagent
  const took = (subagent.endedAt ?? Math.max(now, subagent.startedAt)) - subagent.startedAt
  return (
    <KeptDisclosure
      id={subagent.key}
      open={waits}
      className="v-agent"
      summary={
        <>
          <AgentFace agentId={agentId ?? name} />
          <span className="v-tool-name" title={agentId === null ? undefined : visibleText(agentName)}>
            {visible(name)}
          </span>
          <span className="v-tool-summary" dir="auto">
            {visible(input ?? '')}
          </span>
          <span className="v-tool-end">
            {(waits || state !== 'completed') && <StatusDot tone={waits ? 'attention' : subagentTone[state]} />}
            <span>{t(waits ? 'run.waiting' : stateWords[state])}</span>
            {(subagent.endedAt || state === 'running') && <span>{duration(took)}</span>}
          </span>
        </>
      }
    >
      {() => (
        <>
          {input && (
            <section>
              <p className="v-label">{t('subagent.input')}</p>
              <p className="v-prewrap">{visible(input)}</p>
            </section>
          )}
          {messages.map(({ messageId }) => (
            <Message key={messageId} handle={handle} messageId={messageId} />
          ))}
          {messages.length === 0 && (
            <section>
              <p className="v-label">{t('subagent.summary')}</p>
              {subagent.summary ? (
                <MarkdownText text={subagent.summary} />
              ) : (
                <p className="v-note">{t('subagent.noSummary')}</p>
              )}
            </section>
          )}
          {subagent.handedOffTo && <p className="v-note">{t('subagent.handoff', { name: subagent.handedOffTo })}</p>}
        </>
      )}
    </KeptDisclosure>
  )
}

function waitsForPerson(state: SessionState, subagentId: string): boolean {
  for (const { state: step, messageId } of state.actions.byId.values()) {
    if (step === 'pending' && messageId && state.messages.byId.get(messageId)?.subagentId === subagentId) return true
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
      <Icon of={FoldVertical} />
      <span className="v-said-text">{words}</span>
    </>
  )
  const about = summary ?? (reason && reasonWords(t, reason))
  if (!about) return <div className="v-said">{label}</div>
  return (
    <KeptDisclosure id={found.key} className="v-said-more" summary={label}>
      {() => <MarkdownText text={about} />}
    </KeptDisclosure>
  )
}

/** What a retried step withdrew: struck out and folded, because it was seen. */
export function Retracted(props: { partId: string; reason: Reason | null; children: () => ReactNode }) {
  const { t } = useI18n()
  const { partId, reason, children } = props
  return (
    <KeptDisclosure
      id={`retracted:${partId}`}
      className="v-retracted"
      summary={
        <>
          <Icon of={Undo2} />
          <span>{reason ? t('retracted.because', { reason: reasonWords(t, reason) }) : t('retracted.label')}</span>
        </>
      }
    >
      {() => <div className="v-retracted-body">{children()}</div>}
    </KeptDisclosure>
  )
}
