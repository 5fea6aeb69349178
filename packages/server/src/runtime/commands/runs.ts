import type { Actor, Answer, Command } from '@vitrine/protocol'
import { keyReused, Refusal } from '../../refusal.ts'
import { interruptedByPerson } from '../reasons.ts'
import type { ActiveRun } from '../run/active-run.ts'
import type { SessionActor } from '../session-actor.ts'
import { runActive, runNotFound } from './refusals.ts'

/** Stops this run. A run that is over is left as it is. */
export async function interruptRun(
  session: SessionActor,
  runId: string,
  by: Actor,
): Promise<Answer<'RunsInterrupted'>> {
  if (!(await session.accepted.has('run', runId))) throw runNotFound()
  return interruptActive(session, run => run.runId === runId, by)
}

/**
 * Stops the active run and the calls that work without an agent, or only the run of this turn. A turn that still waits leaves the queue instead. The tasks of the
 * session are sessions of their own and are not stopped here.
 */
export async function interruptSession(
  session: SessionActor,
  { turnId }: Pick<Command<'interruptSession'>, 'turnId'>,
  by: Actor,
): Promise<Answer<'RunsInterrupted'>> {
  if (turnId === undefined) return interruptActive(session, () => true, by)
  const { accepted, log, state } = session
  if (state.queue.turns.some(turn => turn.turnId === turnId)) {
    await log.write([{ type: 'queue.changed', change: 'removed', turnId, by }])
    return { runIds: [] }
  }
  if (!(await accepted.has('turn', turnId))) {
    throw new Refusal('turn_not_found', 'There is no such turn in this session.')
  }
  return interruptActive(session, run => run.turnId === turnId, by)
}

async function interruptActive(
  { run, calls }: SessionActor,
  isMeant: (run: ActiveRun) => boolean,
  by: Actor,
): Promise<Answer<'RunsInterrupted'>> {
  const meant = [...(run ? [run] : []), ...calls].filter(one => !one.over && isMeant(one))
  await Promise.all(meant.map(one => one.interrupt(interruptedByPerson(by.name), by)))
  return { runIds: meant.map(({ runId }) => runId) }
}

/** Runs the turn of a run that did not complete once more. */
export async function retryRun(
  session: SessionActor,
  runId: string,
  { newRunId }: Command<'retryRun'>,
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
  if (run?.call) {
    const next = 'Use the card again from which it was called.'
    throw new Refusal('not_allowed', 'This run is a call of a tool, and no turn of the agent.', { next })
  }
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
