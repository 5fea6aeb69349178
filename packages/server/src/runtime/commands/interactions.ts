import type { Actor, Answer, Command } from '@vitrine/protocol'
import { type InteractionWithEdits, maskCardInteraction, maskSurfaceInteraction } from '../mask-interaction.ts'
import type { SessionActor } from '../session-actor.ts'
import { queueTurn } from './queue.ts'
import { acceptSteer } from './steers.ts'
import { INLINE_TEXT, sealOf } from './turn-content.ts'
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
  const { key, ...pressed } = command
  const used = { kind: 'ui_schema', ...pressed } as const
  const shown = await session.log.loaded.history.call(pressed.toolCallId)
  const state = { ...session.state, ...shown }
  // A command that is sent again gets its first answer, also when the document is gone meanwhile.
  if (!(await session.accepted.hasKey(key))) {
    await checkUiAction(state, command, readBlob)
  }
  const facts = maskCardInteraction(used, await hiddenFieldsOf(state, pressed.toolCallId, readBlob))
  return session.serially(() => deliver(session, key, { interaction: used, edits: {} }, facts, by))
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
