import type { SessionHandle } from '@vitrine/client'
import type { Reason, SessionState } from '@vitrine/protocol'
import type { ReactNode } from 'react'
import { useEntity, useEntityValue, useNow } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Icon } from '../kit/icon.tsx'
import { Bot, CornerDownRight, FoldVertical } from '../kit/icons.ts'
import { MarkdownText } from '../markdown/markdown.tsx'
import { visible } from '../visible.tsx'
import { messagesOfSubagent } from './conversation-rows.ts'
import { KeptDisclosure } from './kept-disclosure.tsx'
import { Message } from './message.tsx'

/** Where in the run a person's steer took effect. */
export function SteerMark({ handle, steerId }: { handle: SessionHandle; steerId: string }) {
  const { t } = useI18n()
  const steer = useEntity(handle, `steer:${steerId}`, state => state.steers.byId.get(steerId))
  return (
    <div className="v-steer">
      <Icon of={CornerDownRight} />
      <span className="v-steer-label">{t('steer.consumed')}</span>
      <span className="v-steer-text">{steer?.text || t('fallback.unknown')}</span>
    </div>
  )
}

const stateWords: Record<string, MessageKey> = {
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
  if (!subagent) return <p className="v-note">{t('subagent.missing')}</p>
  const took = (subagent.endedAt ?? Math.max(now, subagent.startedAt)) - subagent.startedAt
  return (
    <KeptDisclosure
      id={subagent.key}
      open={waits}
      className="v-agent"
      summary={
        <>
          <Icon of={Bot} className="v-row-icon" />
          <span className="v-tool-name">{visible(subagent.name)}</span>
          <span className="v-tool-summary">{visible(subagent.input ?? '')}</span>
          <span className="v-agent-state">{t(stateWords[subagent.state]!)}</span>
          {(subagent.endedAt || subagent.state === 'running') && <span className="v-tool-time">{duration(took)}</span>}
        </>
      }
    >
      {() => (
        <>
          {subagent.input && (
            <section>
              <p className="v-label">{t('subagent.input')}</p>
              <p className="v-prewrap">{visible(subagent.input)}</p>
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
      <Icon of={FoldVertical} className="v-row-icon" />
      <span>{words}</span>
    </>
  )
  const about = summary ?? (reason && reasonWords(t, reason))
  if (!about) return <div className="v-divider">{label}</div>
  return (
    <KeptDisclosure id={found.key} className="v-divider" summary={label}>
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
        <span>{reason ? t('retracted.because', { reason: reasonWords(t, reason) }) : t('retracted.label')}</span>
      }
    >
      {() => <div className="v-retracted-body">{children()}</div>}
    </KeptDisclosure>
  )
}
