import {
  type Actor,
  type Answer,
  type Command,
  type EventDraft,
  MAX_FILES,
  type Message,
  onPath,
} from '@vitrine/protocol'
import { keyReused, Refusal } from '../../refusal.ts'
import type { SessionActor } from '../session-actor.ts'
import { runActive } from './refusals.ts'
import { contentDigest, inputOf } from './turn-content.ts'
import { startTurn } from './turns.ts'

/**
 * Says something else in the place of a message: the session goes back to it and the new turn starts, in one write, so
 * that a crash leaves either the old message or the new one.
 */
export async function editMessage(
  session: SessionActor,
  ordinal: number,
  command: Command<'editMessage'>,
  by: Actor,
): Promise<Answer<'TurnStarted'>> {
  const { turnId, keepFiles } = command
  const given = { ...command, replaces: ordinal }
  const repeated = await session.accepted.repeatedTurn(given)
  if (repeated) return repeated
  await checkAtRest(session)
  const message = await messageAt(session, ordinal)
  const before = session.state.turns.byId.get(message.turnId ?? '')?.input
  if (message.role !== 'user' || !before || before.interaction) {
    throw fixed('Only what a person wrote can be edited.', 'Send a new turn instead.')
  }
  const { context, mode, files = [] } = before
  const kept = keepFiles ? files.filter(({ digest }) => keepFiles.includes(digest)) : files
  if (kept.length + (command.files?.length ?? 0) > MAX_FILES) throw tooManyFiles()
  const said = await inputOf({ ...(context && { context }), ...(mode && { mode }), ...given }, session.content)
  const all = [...kept, ...(said.files ?? [])]
  const input = {
    ...said,
    ...(all.length > 0 && { files: all }),
    // Of the command as it was sent, so that it is recognised when it is sent again.
    digest: contentDigest(given),
  }
  return startTurn(session, { turnId, input }, by, await rewindTo(session, message, 'edited', by))
}

/** Asks for another answer: the session goes back to where the answer began, and its turn runs again, in one write. */
export async function regenerateMessage(
  session: SessionActor,
  ordinal: number,
  { newRunId }: Command<'regenerateMessage'>,
  by: Actor,
): Promise<Answer<'RunRetried'>> {
  const { accepted, state } = session
  if (await accepted.has('run', newRunId)) {
    const rewound = await accepted.rewindBefore(newRunId)
    if (rewound?.reason === 'regenerated' && rewound.fromOrdinal <= ordinal) return { runId: newRunId }
    throw keyReused()
  }
  await checkAtRest(session)
  const message = await messageAt(session, ordinal)
  const turn = state.turns.byId.get(message.turnId ?? '')
  let run = state.runs.byId.get(message.runId ?? '')
  if (message.role !== 'assistant' || !turn || !run) {
    throw fixed('Only the answer of an agent to a turn can be made again.', 'Send a new turn instead.')
  }
  const first = await beginningOf(session, message)
  // The turn may have been tried again since, without an answer.
  for (let next = run; next; next = state.runs.byId.get(run.retriedBy ?? '') as typeof run) run = next
  const again = { runId: newRunId, turn, attempt: run.attempt + 1, by, retryOf: run.runId }
  await session.startRun(again, await rewindTo(session, first, 'regenerated', by))
  return { runId: newRunId }
}

/** Notes what a person thinks of an answer. The same thing said twice is one fact. */
export async function giveFeedback(
  session: SessionActor,
  ordinal: number,
  { rating, reason }: Command<'giveFeedback'>,
  by: Actor,
): Promise<void> {
  const message = await messageAt(session, ordinal)
  if (message.role !== 'assistant') {
    throw fixed('Only the answer of an agent takes feedback.', 'Name an answer of the agent.')
  }
  const before = message.feedback[by.id]
  if ((before?.rating ?? 'none') === rating && (before?.reason ?? '') === (reason ?? '')) return
  const { messageId } = message
  const said = { rating, ...(reason && rating !== 'none' && { reason }) }
  await session.log.write([{ type: 'feedback.changed', messageId, ordinal, ...said, by }])
}

/** The message of the agent or of a person at this ordinal of the active path. */
export async function messageAt({ log, state }: SessionActor, ordinal: number): Promise<Message> {
  const exists = Number.isSafeInteger(ordinal) && ordinal > 0 && ordinal <= state.counts.ordinals
  if (exists && !onPath(state, ordinal)) {
    throw new Refusal('message_superseded', 'A newer version has taken the place of this message.', {
      next: 'Load the session again and use the message that is there now.',
    })
  }
  const message = exists ? await log.loaded.history.message(ordinal) : undefined
  if (!message) throw new Refusal('message_not_found', 'There is no such message in this session.')
  if (message.subagentId !== null) {
    throw fixed('This message is part of the work of a subagent.', 'Use the answer of the agent itself.')
  }
  return message
}

/** A rewind changes what agents have read: it waits until nothing works and nothing is about to. */
async function checkAtRest(session: SessionActor): Promise<void> {
  // Somebody may have read the last event of a run before this process is told that it is durable.
  if (session.run?.over) await session.runEnded
  await session.callsOver()
  if (session.run || session.calls.length > 0) throw runActive('Interrupt it or wait for its end.')
  if (session.state.queue.turns.length > 0) {
    throw new Refusal('queue_not_empty', 'Turns wait in the queue of this session.', {
      next: 'Let them run or remove them first.',
    })
  }
}

/** The first message of an answer: a run can say several, and so can the attempts before it. */
async function beginningOf({ log, state }: SessionActor, message: Message): Promise<Message> {
  let first = message
  for (let at = message.ordinal - 1; at > 0; at--) {
    if (!onPath(state, at)) continue
    const before = await log.loaded.history.message(at)
    // A tool was called beside the run, without the agent.
    if (state.runs.byId.get(before?.runId ?? '')?.call) continue
    if (before?.role === 'user' || before?.turnId !== message.turnId) break
    first = before
  }
  return first
}

/** The session goes back to a message, and the surfaces before it go back with it. */
async function rewindTo(
  { surfaces }: SessionActor,
  message: Message,
  reason: 'edited' | 'regenerated',
  by: Actor,
): Promise<EventDraft[]> {
  const { messageId: fromMessageId, ordinal: fromOrdinal } = message
  const restored = await surfaces.restored(message, by)
  return [{ type: 'history.rewound', fromMessageId, fromOrdinal, reason, by }, ...restored]
}

const tooManyFiles = (): Refusal =>
  new Refusal('too_large', `A turn has at most ${MAX_FILES} files.`, {
    next: 'Leave some of them out.',
    path: '/files',
  })

const fixed = (why: string, next: string): Refusal => new Refusal('message_fixed', why, { next })
