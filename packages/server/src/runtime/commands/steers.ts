import type { Actor, Answer, Command, EventDraft, Interaction, Reason } from '@vitrine/protocol'
import { keyReused, Refusal } from '../../refusal.ts'
import { runOver, steerTooLong } from '../reasons.ts'
import type { ActiveRun } from '../run/active-run.ts'
import type { SessionActor } from '../session-actor.ts'
import { takeOut } from './queue.ts'
import { runNotFound } from './refusals.ts'
import { contentDigest, type Given, INLINE_TEXT } from './turn-content.ts'

/** Gives a text to the agent of the active run. */
export async function steerRun(
  session: SessionActor,
  runId: string,
  command: Command<'steerRun'>,
  by: Actor,
): Promise<Answer<'SteerAccepted'>> {
  const { accepted, log } = session
  const { steerId, text, turnId } = command
  if (await accepted.repeatedSteer(steerId, command)) return { steerId, state: 'accepted' }
  if (await accepted.has('turn', steerId)) throw keyReused()
  const old = await accepted.steer(steerId)
  if (old) throw steerRejected(old.reason)
  if (!(await accepted.has('run', runId))) throw runNotFound()
  const run = session.run?.runId === runId ? session.run : null
  const why = run ? (run.deaf ?? (text.length > INLINE_TEXT ? steerTooLong : null)) : runOver
  if (!run || why) {
    const reason = why ?? runOver
    await log.write([{ type: 'steer.rejected', steerId, reason, by }])
    throw steerRejected(reason)
  }
  await acceptSteer(session, run, command, by, turnId === undefined ? [] : await takeOut(session, turnId, by))
  return { steerId, state: 'accepted' }
}

/** Writes the steer at once and hands it to the agent. The events `before` are written together with the steer. */
export async function acceptSteer(
  { content, log, state, secrets }: SessionActor,
  run: ActiveRun,
  command: Command<'steerRun'> & Pick<Given, 'interaction' | 'edits' | 'seal'>,
  by: Actor,
  before: readonly EventDraft[] = [],
): Promise<void> {
  const { steerId, text, interaction } = command
  const files = await content.refer(command.files ?? [])
  const accepted: EventDraft = {
    type: 'steer.accepted',
    runId: run.runId,
    steerId,
    text,
    by,
    digest: contentDigest(command),
    ...(interaction && { interaction }),
    ...(files.length > 0 && { files }),
  }
  await log.write([...before, accepted])
  // The run may have ended while this was written; an interaction has then become a turn.
  const steer = state.steers.byId.get(steerId)!
  if (steer.state === 'rejected' && !interaction) throw steerRejected(steer.reason)
  run.steer({
    steerId,
    text,
    ...(files.length > 0 && { files }),
    ...(interaction && { interaction: { ...interaction, ...secrets.get(steerId) } as Interaction }),
  })
}

function steerRejected(why: Reason | null): Refusal {
  const next = 'Queue it for the next turn, or start a new task.'
  const { code, message } = why ?? runOver
  return new Refusal('steer_rejected', message, { next, params: { why: code } })
}
