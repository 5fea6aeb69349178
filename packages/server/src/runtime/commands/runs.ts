import type { Actor, Answer, Command } from '@vitrine/protocol'
import { keyReused, Refusal } from '../../refusal.ts'
import { interruptedByPerson } from '../reasons.ts'
import type { SessionActor } from '../session-actor.ts'
import { runActive, runNotFound } from './refusals.ts'

/** Stops the active run when the target names it or names nothing. A turn that still waits leaves the queue instead. */
export async function interruptRun(
  session: SessionActor,
  target: Omit<Command<'interruptSession'>, 'taskId'> & { runId?: string },
  by: Actor,
): Promise<Answer<'RunsInterrupted'>> {
  const { accepted, log, state } = session
  if (target.turnId !== undefined && state.queue.turns.some(turn => turn.turnId === target.turnId)) {
    await log.write([{ type: 'queue.changed', change: 'removed', turnId: target.turnId, by }])
    return { runIds: [] }
  }
  if (target.runId !== undefined && !(await accepted.has('run', target.runId))) throw runNotFound()
  if (target.turnId !== undefined && !(await accepted.has('turn', target.turnId))) {
    throw new Refusal('turn_not_found', 'There is no such turn in this session.')
  }
  const { run } = session
  const matches =
    run && (!target.runId || run.runId === target.runId) && (!target.turnId || run.turnId === target.turnId)
  if (!matches || run.over) return { runIds: [] }
  await run.interrupt(interruptedByPerson(by.name), by)
  return { runIds: [run.runId] }
}

/** Runs the turn of a run that did not complete once more. */
export async function retryRun(
  session: SessionActor,
  runId: string,
  newRunId: string,
  by: Actor,
): Promise<Answer<'RunRetried'>> {
  const { accepted, log, state } = session
  const known = await accepted.runStart(newRunId)
  if (known?.retryOf === runId) return { runId: newRunId }
  if (known) throw keyReused()
  const first = await accepted.runStart(runId)
  if (!first) throw runNotFound()
  if (!state.runs.byId.has(runId)) await log.loaded.history.loadRun(runId, first.messageId)
  const run = state.runs.byId.get(runId)
  const turn = run && state.turns.byId.get(run.turnId)
  if (!run || !turn) throw new Refusal('run_not_found', 'The messages of this run were removed.')
  if (run.outcome === null || session.run) throw runActive('Interrupt it or wait for its end.')
  if (run.outcome === 'completed') {
    throw new Refusal('run_completed', 'This run has completed.', { next: 'Send a new turn instead.' })
  }
  if (run.retriedBy !== null) {
    throw new Refusal('run_retried', 'This run was retried already.', { next: 'Retry its newest attempt.' })
  }
  await session.startRun({ runId: newRunId, turn, attempt: run.attempt + 1, by, retryOf: runId })
  return { runId: newRunId }
}
