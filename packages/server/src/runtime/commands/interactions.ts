import { randomUUID } from 'node:crypto'
import { type Actor, type Answer, type Command, formatPointer } from '@vitrine/protocol'
import { keyReused, Refusal } from '../../refusal.ts'
import type { OfferedTool } from '../../tools/sources.ts'
import { type InteractionWithEdits, maskCardInteraction, maskSurfaceInteraction } from '../mask-interaction.ts'
import type { SessionActor } from '../session-actor.ts'
import { queueTurn } from './queue.ts'
import { acceptSteer } from './steers.ts'
import { INLINE_TEXT, inputOf, sealOf } from './turn-content.ts'
import { checkUiAction, hiddenFieldsOf } from './ui-actions.ts'

/** What a person did on a surface, with what they had typed into it. */
export async function sendSurfaceInteraction(
  session: SessionActor,
  surfaceId: string,
  { key, edits = {}, ...action }: Command<'sendSurfaceInteraction'>,
  by: Actor,
): Promise<Answer<'InteractionAccepted'>> {
  const used = { kind: 'a2ui', surfaceId, ...action } as const
  const past = await session.surfaces.past(surfaceId)
  return deliver(session, key, { interaction: used, edits }, maskSurfaceInteraction(used, edits, past), by)
}

/**
 * A button of a UI Schema document that a person pressed. Reading and checking the document takes its time, so other
 * commands of the session go on meanwhile.
 */
export async function sendUiAction(
  session: SessionActor,
  command: Command<'sendUiAction'>,
  by: Actor,
  readBlob: (digest: string) => Promise<Uint8Array | undefined>,
): Promise<Answer<'InteractionAccepted'>> {
  const { key, through: _, ...pressed } = command
  const used = { kind: 'ui_schema', ...pressed } as const
  const shown = await session.log.loaded.history.call(pressed.toolCallId)
  const state = { ...session.state, ...shown }
  // A command that is sent again gets its first answer, also when the document is gone meanwhile.
  if (!(await session.accepted.hasKey(key))) {
    await checkUiAction(state, command, readBlob)
  }
  const facts = maskCardInteraction(used, await hiddenFieldsOf(state, pressed.toolCallId, readBlob))
  const done = { interaction: used, edits: {} }
  const offered = await calledTool(session, command)
  return session.serially(() =>
    offered ? callTool(session, key, done, facts, offered, by) : deliver(session, key, done, facts, by),
  )
}

/** Calls that may work at once in a session without an agent. */
const MAX_CALLS = 8

/**
 * The tool that is called for this press without the agent; nothing when the agent is asked. What became of the first
 * command under a key counts for all that follow.
 */
async function calledTool(
  session: SessionActor,
  { key, action, through }: Command<'sendUiAction'>,
): Promise<OfferedTool | 'called before' | undefined> {
  const before = await session.accepted.turnStart(key)
  if (before || (await session.accepted.hasKey(key))) return before?.kind === 'call' ? 'called before' : undefined
  if (action.type !== 'tool' || through === 'agent') return undefined
  const offered = await session.offered(action.toolId)
  if (offered || through === undefined) return offered
  throw new Refusal('tool_not_offered', 'The tool of this button is not offered any more, so nothing was done.', {
    next: 'Use the button again: it then asks the agent.',
  })
}

/** Runs the tool of a button as a call of its own. The tool gets what was typed; facts have it with masks. */
async function callTool(
  session: SessionActor,
  key: string,
  done: InteractionWithEdits,
  { interaction }: InteractionWithEdits,
  offered: OfferedTool | 'called before',
  by: Actor,
): Promise<Answer<'InteractionAccepted'>> {
  const seal = interaction.hidden && sealOf(await session.secret(), `${session.state.sessionId} ${key}`, done)
  const given = { text: '', interaction, ...(seal && { seal }) }
  const repeated = await session.accepted.repeatedTurn({ turnId: key, ...given })
  if (repeated) return { state: 'called', runId: repeated.runId }
  const used = done.interaction
  if (offered === 'called before' || used.kind !== 'ui_schema' || used.action.type !== 'tool') throw keyReused()
  if (session.calls.length >= MAX_CALLS) {
    throw new Refusal('calls_full', `At most ${MAX_CALLS} tools may work in a session at once without its agent.`, {
      next: 'Wait until one of them has ended, or stop one.',
    })
  }
  const args = { ...used.action.params, ...used.values }
  const runId = `run_${randomUUID()}`
  const input = await inputOf(given, session.content)
  const hidden = (interaction.hidden ?? []).map(name => formatPointer([name]))
  await session.startCall({ runId, key, input, offered, args, hidden, by })
  return { state: 'called', runId }
}

/**
 * An interaction steers the active run, or waits in the queue, or starts a turn. What the person typed is written in the
 * same commit, once, and not at all when the interaction is refused. Facts have it with masks; the agent gets what was `done`.
 */
async function deliver(
  session: SessionActor,
  key: string,
  done: InteractionWithEdits,
  { interaction, edits }: InteractionWithEdits,
  by: Actor,
): Promise<Answer<'InteractionAccepted'>> {
  const { accepted, log, surfaces, secrets } = session
  const seal = interaction.hidden && sealOf(await session.secret(), `${session.state.sessionId} ${key}`, done)
  const given = { text: '', interaction, ...(interaction.kind === 'a2ui' && { edits }), ...(seal && { seal }) }
  if (await accepted.repeatedSteer(key, given)) return { state: 'steered' }
  // The interaction may be sent again while the turn that it started works: it must not steer that turn as well.
  const known = await accepted.has('turn', key)
  // The id of a steer that was rejected cannot be used for another steer: what comes under it goes to the queue.
  const steers = !known && !(await accepted.has('steer', key)) && JSON.stringify(interaction).length <= INLINE_TEXT
  if (interaction.hidden && !known) secrets.keep(key, done.interaction)
  try {
    const used = known ? undefined : done.interaction
    const typed = used?.kind === 'a2ui' ? await surfaces.accept(used, edits, by) : []
    for (const draft of typed) await log.reach(draft)
    const { run } = session
    // Nothing is awaited between this look and the write: a run that ends meanwhile has the steer, or it is queued.
    if (steers && run?.deaf === null) {
      await acceptSteer(session, run, { steerId: key, ...given }, by, typed)
      return { state: 'steered', runId: run.runId }
    }
    const { state } = await queueTurn(session, { turnId: key, ...given }, by, typed)
    return { state }
  } catch (error) {
    // The engine has taken what was typed, and the log has not: the engine is made anew from the log.
    surfaces.forgetEngine()
    if (!known) secrets.forget(key)
    throw error
  }
}
