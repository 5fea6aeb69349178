import type { SessionHandle } from '@vitrine/client'
import { type Json, type Message as MessageEntity, partsOf } from '@vitrine/protocol'
import { memo, useState } from 'react'
import { InteractionMark } from '../genui/interaction-mark.tsx'
import { SurfacePart } from '../genui/surface-part.tsx'
import { useEntity, useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Bot } from '../kit/icons.ts'
import { Time } from '../kit/time.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'
import { ActionCard } from './action-card.tsx'
import { ArtifactCard } from './artifact-card.tsx'
import { EntityBoundary } from './entity-boundary.tsx'
import { CompactionMark, Retracted, SteerMark, SubagentPart } from './marks.tsx'
import { Editable, InVersion, MessageActions, messageKeys } from './message-actions.tsx'
import { ReasoningPart } from './reasoning-part.tsx'
import { TextPart } from './text-part.tsx'
import { ToolRow } from './tool-row.tsx'
import { useCommand } from './use-command.ts'

/** One message: its parts in the order they happened. */
export const Message = memo(function Message({ handle, messageId }: { handle: SessionHandle; messageId: string }) {
  const { t } = useI18n()
  const message = useEntity(handle, `message:${messageId}`, state => state.messages.byId.get(messageId))
  if (!message) return null
  const child = message.subagentId
    ? (handle.state.subagents.byId.get(message.subagentId)?.name ?? message.subagentId)
    : null
  const article = (
    <article
      className={`v-message v-message-${message.role}`}
      data-message={messageId}
      data-child={child ? true : undefined}
      aria-label={t(`message.${message.role}`)}
      tabIndex={-1}
      onKeyDown={messageKeys}
    >
      {child && (
        <p className="v-speaker">
          <Icon of={Bot} className="v-row-icon" />
          {visible(child)}
        </p>
      )}
      {message.role === 'user' ? (
        <>
          <Editable handle={handle} message={message}>
            <UserInput handle={handle} message={message} />
          </Editable>
          <MessageActions handle={handle} message={message} />
        </>
      ) : (
        <>
          <EarlierParts handle={handle} message={message} />
          {message.parts.map(partId => (
            <Guarded key={partId} handle={handle} partId={partId} />
          ))}
        </>
      )}
      {message.role !== 'user' && (
        <EntityBoundary
          handle={handle}
          of={[`message:${messageId}`, `run:${message.runId ?? ''}`]}
          raw={() => [message.metadata, handle.state.runs.byId.get(message.runId ?? '')]}
        >
          <Footer handle={handle} message={message} />
        </EntityBoundary>
      )}
    </article>
  )
  return (
    <InVersion handle={handle} messageId={messageId} draw={drawMessage}>
      {article}
    </InVersion>
  )
})

const drawMessage = (handle: SessionHandle, messageId: string) => <Message handle={handle} messageId={messageId} />

function Guarded({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const key = `part:${partId}`
  const part = handle.state.parts.byId.get(partId)
  return (
    <EntityBoundary
      handle={handle}
      of={part?.refId ? [key, `${part.kind}:${part.refId}`] : [key]}
      raw={() => rawOf(handle, partId)}
    >
      <Part handle={handle} partId={partId} />
    </EntityBoundary>
  )
}

/** The text of a part, or the entity that it stands for. */
function rawOf({ state }: SessionHandle, partId: string): unknown {
  const part = state.parts.byId.get(partId)
  if (!part) return undefined
  if (part.kind === 'text' || part.kind === 'reasoning') return part.text.toString()
  if (part.kind === 'file' || part.kind === 'source' || part.kind === 'activity') return part[part.kind]
  return state[`${part.kind}s`].byId.get(part.refId ?? '')
}

/**
 * Draws a part by its kind. What it shows subscribes by itself: a delta draws one part again, not the message.
 * @kept A browser test bundles it by itself to count how often it is drawn.
 */
export const Part = memo(function Part({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const key = `part:${partId}`
  const kind = useEntityValue(handle, key, state => state.parts.byId.get(partId)?.kind)
  const refId = useEntityValue(handle, key, state => state.parts.byId.get(partId)?.refId)
  const retracted = useEntityValue(handle, key, state => state.parts.byId.get(partId)?.state === 'retracted')
  const reason = handle.state.parts.byId.get(partId)?.reason
  const draw = () => {
    if (kind === 'text') return <TextPart handle={handle} partId={partId} />
    if (kind === 'reasoning') return <ReasoningPart handle={handle} partId={partId} />
    if (!refId) return null
    if (kind === 'tool') return <ToolRow handle={handle} toolCallId={refId} />
    if (kind === 'action') return <ActionCard handle={handle} actionId={refId} />
    if (kind === 'artifact') return <ArtifactCard handle={handle} artifactId={refId} />
    if (kind === 'surface') return <SurfacePart handle={handle} surfaceId={refId} />
    if (kind === 'steer') return <Steered handle={handle} steerId={refId} />
    if (kind === 'subagent') return <SubagentPart handle={handle} subagentId={refId} />
    if (kind === 'compaction') return <CompactionMark handle={handle} compactionId={refId} />
    return null
  }
  return retracted ? (
    <Retracted partId={partId} reason={reason ?? null}>
      {draw}
    </Retracted>
  ) : (
    draw()
  )
})

/** A long message comes with its newest parts: how many there were before, and a way to see them. */
function EarlierParts({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t } = useI18n()
  const { sending: loading, problem, send } = useCommand()
  const count = message.partsFrom - message.loose
  if (count <= 0) return null
  const show = () => send(() => handle.loadEarlierParts(message.messageId))
  return (
    <div className="v-earlier">
      <span className="v-note">{t('message.earlier', { count })}</span>
      <Button look="quiet" onClick={show} disabled={loading}>
        {t(loading ? 'message.earlierLoading' : 'message.earlierShow')}
      </Button>
      {problem && <ProblemNote title={t('message.earlierFailed')} problem={problem} />}
    </div>
  )
}

const FOLDED = 1200

/** A turn that a person began: what they wrote, or what they did in an interface of the agent. */
function UserInput({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const input = handle.state.turns.byId.get(message.turnId ?? '')?.input
  const used = input?.interaction
  return used ? (
    <InteractionMark handle={handle} id={message.messageId} interaction={used} />
  ) : (
    <UserText handle={handle} message={message} />
  )
}

function Steered({ handle, steerId }: { handle: SessionHandle; steerId: string }) {
  const steer = useEntity(handle, `steer:${steerId}`, state => state.steers.byId.get(steerId))
  const used = steer?.interaction
  return used ? (
    <InteractionMark handle={handle} id={steerId} interaction={used} />
  ) : (
    <SteerMark handle={handle} steerId={steerId} />
  )
}

/** What the person wrote, as they wrote it. */
function UserText({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t } = useI18n()
  const [all, setAll] = useState(false)
  const [whole, setWhole] = useState<string | null>(null)
  const parts = partsOf(handle.state, message).filter(({ kind }) => kind === 'text')
  const ref = parts.find(part => part.ref)?.ref
  const text = whole ?? parts.map(part => part.text.toString()).join('\n')
  const long = text.length > FOLDED || ref !== undefined
  const open = async () => {
    setAll(!all)
    if (!ref || whole !== null || all) return
    const result = await handle.getBlob(ref.digest)
    if (result.ok) setWhole(result.value)
  }
  return (
    <div className="v-user-text">
      <p className="v-prewrap">{long && !all ? `${text.slice(0, FOLDED).trimEnd()}…` : text}</p>
      {long && (
        <Button look="quiet" onClick={open} aria-expanded={all}>
          {t(all ? 'message.less' : 'message.more')}
        </Button>
      )}
    </div>
  )
}

function Footer({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t, time, duration, number, cost } = useI18n()
  const runId = message.runId ?? ''
  const run = useEntity(handle, `run:${runId}`, state => state.runs.byId.get(runId))
  const hasText = message.parts.some(partId => handle.state.parts.byId.get(partId)?.kind === 'text')
  if (run && !run.outcome) return null
  const usage = usageOf({ ...run?.metrics, ...message.metadata })
  return (
    <footer className="v-footer">
      {hasText && <MessageActions handle={handle} message={message} />}
      <div className="v-footer-facts">
        <Time at={message.at}>{time(message.at)}</Time>
        {run?.endedAt && <span>{duration(run.endedAt - run.startedAt)}</span>}
        {usage.tokens !== null && (
          <span title={usage.detail && t('message.tokensDetail', usage.detail)}>
            {t('message.tokens', { count: usage.tokens, shown: number(usage.tokens) })}
          </span>
        )}
        {usage.cost && <span>{cost(usage.cost.amount, usage.cost.currency)}</span>}
        {usage.model && <span>{usage.model}</span>}
      </div>
    </footer>
  )
}

/** Usage as producers write it: in `usage` or at the top, counted in parts or as a total. */
export function usageOf(metadata: MessageEntity['metadata']) {
  const usage = typeof metadata.usage === 'object' && metadata.usage !== null ? metadata.usage : metadata
  const read = (name: string) => {
    const value = (usage as Record<string, unknown>)[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }
  const input = read('inputTokens')
  const output = read('outputTokens')
  const tokens = read('totalTokens') ?? (input !== null || output !== null ? (input ?? 0) + (output ?? 0) : null)
  return {
    tokens,
    detail: input !== null && output !== null ? { input, output } : undefined,
    cost: costOf(metadata.cost),
    model: typeof metadata.model === 'string' ? metadata.model : null,
  }
}

/** What a run cost; nothing when it was free, because a scripted or local agent has no price to show. */
function costOf(cost: Json | undefined): { amount: number; currency: string } | null {
  if (typeof cost === 'number') return cost === 0 ? null : { amount: cost, currency: 'USD' }
  if (typeof cost !== 'object' || cost === null || Array.isArray(cost)) return null
  if (typeof cost.amount !== 'number' || cost.amount === 0) return null
  // A currency that is none would make the formatter throw.
  const currency = typeof cost.currency === 'string' && /^[A-Z]{3}$/.test(cost.currency) ? cost.currency : 'USD'
  return { amount: cost.amount, currency }
}
