import { randomUUID } from 'node:crypto'
import type { Actor, Answer, Command, EventDraft, QueuedTurn } from '@vitrine/protocol'
import type { SessionActor } from '../session-actor.ts'
import { isProvisional } from '../session-title.ts'
import { messageOfTurn } from '../turn-message.ts'
import { runActive } from './refusals.ts'
import { inputOf } from './turn-content.ts'

/** Starts a turn now, or takes it out of the queue and starts it. */
export async function submitTurn(
  session: SessionActor,
  command: Command<'submitTurn'>,
  by: Actor,
): Promise<Answer<'TurnStarted'>> {
  const repeated = await session.accepted.repeatedTurn(command)
  if (repeated) return repeated
  // Somebody may have read the last event of a run before this process is told that it is durable.
  if (session.run?.over) await session.runEnded
  if (session.run) throw runActive('Queue the turn, steer the run, or start a new task.')
  const { turnId } = command
  const queued = session.state.queue.turns.find(turn => turn.turnId === turnId)
  // The turn waits already: it leaves the queue in the same write in which it starts, so that it runs once.
  if (queued) return startTurn(session, queued, by, [{ type: 'queue.changed', change: 'started', turnId, by }])
  return startTurn(session, { turnId, input: await inputOf(command, session.content) }, by)
}

/** Starts the first run of a turn. The events `before` are written together with the start of the run. */
export async function startTurn(
  session: SessionActor,
  { turnId, input }: Pick<QueuedTurn, 'turnId' | 'input'>,
  by: Actor,
  before: readonly EventDraft[] = [],
  merged: readonly QueuedTurn[] = [],
): Promise<Answer<'TurnStarted'>> {
  const { title, titledBy } = session.state.session
  // A session that began with a greeting or with signs alone is called by the first turn that says more.
  const untitled = !title.known || (!titledBy && isProvisional(title.value) && !isProvisional(input.text))
  const titled: EventDraft[] = untitled ? [{ type: 'session.updated', title: await session.titleOf(input.text) }] : []
  const runId = `run_${randomUUID()}`
  const turn = { turnId, messageId: messageOfTurn(turnId), input }
  await session.startRun({ runId, turn, attempt: 1, by, merged }, [...before, ...titled])
  return { turnId, runId, state: 'started' }
}
