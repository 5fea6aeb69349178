import {
  type Actor,
  type Answer,
  type Command,
  type EventDraft,
  MAX_FILES,
  type QueuedTurn,
  type TurnInput,
} from '@vitrine/protocol'
import { SYSTEM } from '../../auth/principal.ts'
import { IllegalEvent } from '../../log/event-from.ts'
import { Refusal } from '../../refusal.ts'
import { heldAfter, heldByPerson } from '../reasons.ts'
import type { SessionActor } from '../session-actor.ts'
import { type Given, inputOf, previewOf } from './turn-content.ts'
import { startTurn } from './turns.ts'

/** What turns that are merged may be together: no more than one turn of a person. */
const MERGED_TEXT = 1_000_000
const MERGED_CONTEXT = 64

/**
 * Adds a turn to the queue, or starts it at once when nothing runs or waits. The events `before` are written together
 * with the turn.
 */
export async function queueTurn(
  session: SessionActor,
  command: Given & { turnId: string },
  by: Actor,
  before: readonly EventDraft[] = [],
): Promise<Answer<'TurnQueued'>> {
  const { turnId } = command
  const { limits, log, state } = session
  const { turns } = state.queue
  if (await session.accepted.repeatedTurn(command)) return { turnId, state: 'started', position: 0 }
  const at = turns.findIndex(turn => turn.turnId === turnId)
  if (at >= 0) return { turnId, state: 'queued', position: at }
  const startsNow = !session.run && turns.length === 0 && !state.queue.held
  if (!startsNow && turns.length >= limits.queue) {
    throw new Refusal('queue_full', `At most ${limits.queue} turns may wait.`, { next: 'Remove one or wait.' })
  }
  const input = await inputOf(command, session.content)
  if (startsNow) {
    await startTurn(session, { turnId, input }, by, before)
    return { turnId, state: 'started', position: 0 }
  }
  const turn: QueuedTurn = { turnId, input, preview: previewOf(input.text), createdAt: session.now(), by }
  const position = turns.length
  await log.write([...before, { type: 'queue.changed', change: 'added', turnId, turn, position, by }])
  return { turnId, state: 'queued', position }
}

/** Holds the queue, or releases it and goes on with it. */
export async function updateQueue(
  session: SessionActor,
  { held }: Command<'updateQueue'>,
  by: Actor,
): Promise<Answer<'QueueHeld'>> {
  if (held !== session.state.queue.held) {
    const reason = held ? { reason: heldByPerson(by.name) } : {}
    await session.log.write([{ type: 'queue.changed', change: held ? 'held' : 'released', by, ...reason }])
    await startNext(session)
  }
  return { held }
}

/** Changes the text of a turn that waits, moves it, or promotes it so that it starts next. */
export async function editQueuedTurn(
  session: SessionActor,
  turnId: string,
  command: Command<'editQueuedTurn'>,
  by: Actor,
): Promise<Answer<'QueuedTurnPlace'>> {
  const at = await positionOf(session, turnId)
  const { turns } = session.state.queue
  const turn = turns[at]!
  const drafts: EventDraft[] = []
  if (command.text !== undefined) {
    const { ref: _, digest, files, ...rest } = turn.input
    // The digest stays that of the turn as it was accepted, so that the turn is recognised when it is sent again.
    const input = {
      ...(await inputOf({ ...rest, text: command.text }, session.content)),
      ...(files && { files }),
      ...(digest !== undefined && { digest }),
    }
    const edited = { ...turn, input, preview: previewOf(input.text) }
    drafts.push({ type: 'queue.changed', change: 'edited', turnId, by, turn: edited })
  }
  const last = session.state.queue.turns.length - 1
  const position = command.promote ? 0 : Math.min(command.position ?? at, last)
  if (position !== at) drafts.push({ type: 'queue.changed', change: 'moved', turnId, position, by })
  await session.log.write(drafts)
  if (command.promote && !session.run) await startNext(session, true)
  return { turnId, position }
}

/** Takes a turn out of the queue. */
export async function removeQueuedTurn(session: SessionActor, turnId: string, by: Actor): Promise<void> {
  await session.log.write(await takeOut(session, turnId, by))
}

/** What takes a turn out of the queue. Refuses when it is not there, or has started. */
export async function takeOut(session: SessionActor, turnId: string, by: Actor): Promise<EventDraft[]> {
  await positionOf(session, turnId)
  return [{ type: 'queue.changed', change: 'removed', turnId, by }]
}

async function positionOf({ accepted, state }: SessionActor, turnId: string): Promise<number> {
  const at = state.queue.turns.findIndex(turn => turn.turnId === turnId)
  if (at >= 0) return at
  if (await accepted.hasBegun(turnId)) {
    throw new Refusal('turn_started', 'This turn has started.', { next: 'Steer or interrupt its run instead.' })
  }
  throw new Refusal('turn_not_found', 'There is no such turn in the queue.')
}

/** Holds the queue after a run that did not complete, unless the policy of the session says to continue. */
export async function holdAfter({ log, state }: SessionActor, what: keyof typeof heldAfter): Promise<void> {
  const { queue, session } = state
  if (queue.turns.length === 0 || queue.held || session.queuePolicy.onFailure === 'continue') return
  await log.write([{ type: 'queue.changed', change: 'held', reason: heldAfter[what], by: SYSTEM }])
}

/** Starts what waits when nothing runs. When the policy says `merge`, all turns that wait become one. */
export async function startNext(actor: SessionActor, evenIfHeld = false): Promise<void> {
  const { queue, session } = actor.state
  if (actor.run || actor.closing || queue.turns.length === 0 || (queue.held && !evenIfHeld)) return
  const merge = session.queuePolicy.mode === 'merge' && !evenIfHeld
  const { turns, input } = merge ? await merged(actor) : { turns: [queue.turns[0]!], input: queue.turns[0]!.input }
  const started: EventDraft[] = turns.map(({ turnId }) => ({
    type: 'queue.changed',
    change: 'started',
    turnId,
    by: SYSTEM,
  }))
  const [first, ...others] = turns as [QueuedTurn, ...QueuedTurn[]]
  try {
    await startTurn(actor, { turnId: first.turnId, input }, first.by ?? SYSTEM, started, others)
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof IllegalEvent)) throw error
    const code = error instanceof Refusal ? error.code : 'not_allowed'
    const reason = { code, message: error.message.slice(0, 2_000).toWellFormed() }
    await actor.log.write([{ type: 'queue.changed', change: 'held', reason, by: SYSTEM }])
  }
}

/** The turns at the head of the queue that fit into one, with their whole texts and all that came with them. */
async function merged({ content, state }: SessionActor): Promise<{ turns: QueuedTurn[]; input: TurnInput }> {
  const turns: QueuedTurn[] = []
  const texts: string[] = []
  const context: NonNullable<TurnInput['context']> = []
  const files: NonNullable<TurnInput['files']> = []
  let length = 0
  for (const turn of [...state.queue.turns]) {
    // An interaction is data, so it stays a turn of its own.
    if (turn.input.interaction && turns.length > 0) break
    const { text, context: attached = [], files: given = [] } = await content.whole(turn.input)
    length += text.length
    const full =
      length > MERGED_TEXT ||
      context.length + attached.length > MERGED_CONTEXT ||
      files.length + given.length > MAX_FILES
    if (full && turns.length > 0) break
    turns.push(turn)
    if (turn.input.interaction) return { turns, input: turn.input }
    texts.push(text)
    context.push(...attached)
    files.push(...given)
  }
  const { input } = turns[0]!
  if (turns.length === 1) return { turns, input }
  const { digest, files: _, ...first } = input
  const all = { ...first, text: texts.join('\n\n'), ...(context.length > 0 && { context }) }
  const joined = { ...(await inputOf(all, content)), ...(files.length > 0 && { files }) }
  // The digest is that of the first turn as it was sent, so that the turn is recognised when it is sent again.
  return { turns, input: { ...joined, ...(digest !== undefined && { digest }) } }
}
