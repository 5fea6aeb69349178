import type { SessionHandle } from '@vitrine/client'
import { type Message as MessageEntity, partsOf } from '@vitrine/protocol'
import {
  type CSSProperties,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { InteractionMark } from '../genui/interaction-mark.tsx'
import { SurfacePart } from '../genui/surface-part.tsx'
import { useEntity, useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { ActionCard } from './action-card.tsx'
import { ActivityPart } from './activity-part.tsx'
import { ArtifactCard } from './artifact-card.tsx'
import { type MessageRow, messageRows } from './conversation-rows.ts'
import { EntityBoundary } from './entity-boundary.tsx'
import { CompactionMark, Retracted, SteerMark, SubagentPart } from './marks.tsx'
import { MessageActions, messageKeys } from './message-actions.tsx'
import { Editable } from './message-editing.tsx'
import { MessageFiles } from './message-files.tsx'
import { MessageFooter } from './message-footer.tsx'
import { MessageHead } from './message-head.tsx'
import { ReasoningPart } from './reasoning-part.tsx'
import { SourcePart } from './source-part.tsx'
import { TextPart } from './text-part.tsx'
import { ToolRow } from './tool-row.tsx'
import { callWaits } from './tool-state.ts'
import { useCommand } from './use-command.ts'
import { wholeText } from './whole-text.ts'

interface OfMessage {
  handle: SessionHandle
  messageId: string
}

/** What stands around the rows of a message: an article, in which the letters of its buttons act. */
export function MessageFrame(props: OfMessage & { last?: boolean; children: ReactNode }) {
  const { handle, messageId, last, children } = props
  const { t } = useI18n()
  const message = useEntity(handle, `message:${messageId}`, state => state.messages.byId.get(messageId))
  if (!message) return null
  return (
    <article
      className={`v-message v-message-${message.role}`}
      data-message={messageId}
      data-child={message.subagentId ? true : undefined}
      data-last={last || undefined}
      aria-label={t(`message.${message.role}`)}
      tabIndex={-1}
      onKeyDown={messageKeys}
    >
      {children}
    </article>
  )
}

/** One message with all its rows, where nothing scrolls out of sight: inside the work of a subagent, or in a version. */
export const Message = memo(function Message({ handle, messageId }: OfMessage) {
  const message = useEntity(handle, `message:${messageId}`, state => state.messages.byId.get(messageId))
  if (!message) return null
  return (
    <MessageFrame handle={handle} messageId={messageId}>
      {messageRows(handle.state, message).map(row => (
        <div key={row.key} className="v-part" data-gap={row.gap}>
          <MessageRowView handle={handle} row={row} />
        </div>
      ))}
    </MessageFrame>
  )
})

/** One row of a message. A failure to draw it leaves a note in its place. */
export const MessageRowView = memo(function MessageRowView({
  handle,
  row,
}: {
  handle: SessionHandle
  row: MessageRow
}) {
  if (row.kind === 'part') return <Guarded handle={handle} partId={row.partId} />
  if (row.kind === 'text') return <Guarded handle={handle} partId={row.partId} at={row.at} />
  if (row.kind === 'tool') return <ToolLine handle={handle} row={row} />
  return <OfWhole handle={handle} row={row} />
})

/** A call in its place on a plate. */
function ToolLine(props: { handle: SessionHandle; row: Extract<MessageRow, { kind: 'tool' }> }) {
  const { place, last, lit, partId, messageId } = props.row
  // Amber needs a person, and says so before cobalt says that something works.
  const waits = useEntityValue(props.handle, 'actions', state => lit && callWaits(state, messageId))
  return (
    <div
      className={lit ? 'v-tool-line v-lamp' : 'v-tool-line'}
      data-first={place === 0 || undefined}
      data-last={last || undefined}
      data-lamp={lit && !waits ? 'live' : undefined}
      style={lit ? ({ '--v-lamp-row': place } as CSSProperties) : undefined}
    >
      <Guarded handle={props.handle} partId={partId} />
    </div>
  )
}

/** A row that says something of the message as a whole. */
function OfWhole({ handle, row: { kind, messageId } }: { handle: SessionHandle; row: MessageRow }) {
  const key = `message:${messageId}`
  const message = useEntity(handle, key, state => state.messages.byId.get(messageId))
  if (!message) return null
  const draw = () => {
    if (kind === 'head') return <MessageHead handle={handle} message={message} />
    if (kind === 'earlier') return earlierCount(message) > 0 && <EarlierParts handle={handle} message={message} />
    if (kind === 'footer') return <MessageFooter handle={handle} message={message} />
    return (
      <div className="v-mine">
        <MessageFiles handle={handle} files={handle.state.turns.byId.get(message.turnId ?? '')?.input.files ?? []} />
        <Editable handle={handle} message={message}>
          <UserInput handle={handle} message={message} />
        </Editable>
        <MessageActions handle={handle} message={message} />
      </div>
    )
  }
  return (
    <EntityBoundary
      handle={handle}
      of={[key, `run:${message.runId ?? ''}`]}
      raw={() => [message, handle.state.runs.byId.get(message.runId ?? '')]}
    >
      {draw()}
    </EntityBoundary>
  )
}

function Guarded({ handle, partId, at }: { handle: SessionHandle; partId: string; at?: number }) {
  const key = `part:${partId}`
  const part = handle.state.parts.byId.get(partId)
  return (
    <EntityBoundary
      handle={handle}
      of={part?.refId ? [key, `${part.kind}:${part.refId}`] : [key]}
      raw={() => rawOf(handle, partId)}
    >
      <Part handle={handle} partId={partId} {...(at !== undefined && { at })} />
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
export const Part = memo(function Part(props: { handle: SessionHandle; partId: string; at?: number }) {
  const { handle, partId, at } = props
  const key = `part:${partId}`
  const kind = useEntityValue(handle, key, state => state.parts.byId.get(partId)?.kind)
  const refId = useEntityValue(handle, key, state => state.parts.byId.get(partId)?.refId)
  const retracted = useEntityValue(handle, key, state => state.parts.byId.get(partId)?.state === 'retracted')
  const reason = handle.state.parts.byId.get(partId)?.reason
  const draw = () => {
    if (kind === 'text') return <TextPart handle={handle} partId={partId} {...(at !== undefined && { at })} />
    if (kind === 'reasoning') return <ReasoningPart handle={handle} partId={partId} />
    if (kind === 'file') return <FilePart handle={handle} partId={partId} />
    if (kind === 'source') return <SourcePart handle={handle} partId={partId} />
    if (kind === 'activity') return <ActivityPart handle={handle} partId={partId} />
    if (!refId) return null
    if (kind === 'tool') return <ToolRow handle={handle} toolCallId={refId} />
    if (kind === 'action') {
      return (
        <div data-request={refId}>
          <ActionCard handle={handle} actionId={refId} />
        </div>
      )
    }
    if (kind === 'artifact') return <ArtifactCard handle={handle} artifactId={refId} />
    if (kind === 'surface') return <SurfacePart handle={handle} surfaceId={refId} partId={partId} />
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

function FilePart({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const file = useEntity(handle, `part:${partId}`, state => state.parts.byId.get(partId)?.file)
  return file ? <MessageFiles handle={handle} files={[file]} /> : null
}

/** How many of the parts of a message are not loaded. */
const earlierCount = ({ partsFrom, loose }: MessageEntity): number => partsFrom - loose

/** So many pages of earlier parts come by themselves while somebody is near them: about two megabytes. */
const PAGES = 8

/**
 * A long message comes with its newest parts. This is drawn when somebody comes near its beginning, and then those before
 * them are loaded, page by page. Of a very long message it says how many are left, and has the way to them.
 */
function EarlierParts({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t } = useI18n()
  const { messageId, partsFrom } = message
  const { sending: loading, problem, send } = useCommand()
  const show = useCallback(() => send(() => handle.loadEarlierParts(messageId)), [handle, messageId, send])
  const pages = useRef(0)
  useEffect(() => {
    if (partsFrom > 0 && pages.current++ < PAGES) void show()
  }, [show, partsFrom])
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = box.current
    // The button goes away with the last of them. The keys of the message go on from the message itself.
    return () => {
      if (!shown?.contains(document.activeElement)) return
      shown.closest<HTMLElement>('[data-message]')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div ref={box} className="v-earlier">
      <span className="v-note">{t('message.earlier', { count: earlierCount(message) })}</span>
      <Button look="quiet" onClick={show}>
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
    <>
      <SteerMark handle={handle} steerId={steerId} />
      <MessageFiles handle={handle} files={steer?.files ?? []} />
    </>
  )
}

/** What the person wrote, as they wrote it. */
function UserText({ handle, message }: { handle: SessionHandle; message: MessageEntity }) {
  const { t } = useI18n()
  const [all, setAll] = useState(false)
  const [whole, setWhole] = useState<string | null>(null)
  const { problem, send } = useCommand()
  const parts = partsOf(handle.state, message).filter(({ kind }) => kind === 'text')
  const ref = parts.find(part => part.ref)?.ref
  const text = whole ?? parts.map(part => part.text.toString()).join('\n')
  const long = text.length > FOLDED || ref !== undefined
  const open = async () => {
    setAll(!all)
    if (!ref || whole !== null || all) return
    const result = await send(() => wholeText(handle, { text, ref }))
    if (result.ok) setWhole(result.value)
    else setAll(false)
  }
  return (
    <div className="v-user-text">
      <p className="v-prewrap" dir="auto">
        {long && !all ? `${text.slice(0, FOLDED).trimEnd()}…` : text}
      </p>
      {long && (
        <Button look="quiet" onClick={open} aria-expanded={all}>
          {t(all ? 'message.less' : 'message.more')}
        </Button>
      )}
      {problem && <ProblemNote title={t('message.moreFailed')} problem={problem} />}
    </div>
  )
}
