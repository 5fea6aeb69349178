import type { Action, Answer, EventOf, SessionEvent, Steer, TurnInput } from '@vitrine/protocol'
import type { LoadedSession } from '../../log/loaded-session.ts'
import { keyReused, Refusal } from '../../refusal.ts'
import type { SessionContent } from '../content.ts'
import { contentDigest, type Given, isDigestOf } from './turn-content.ts'

/** A steer as far as it matters after its run is over. */
type PastSteer = Pick<Steer, 'state' | 'reason' | 'text' | 'interaction'>
/** An action as far as it matters after its run is over. */
type PastAction = Pick<Action, 'state' | 'outcome' | 'request' | 'runId'>

/**
 * What a session has accepted once and for ever. The index of ids says whether something was accepted, and the log says
 * what became of it, however long ago that was.
 */
export class Accepted {
  readonly #loaded: LoadedSession
  readonly #content: SessionContent

  constructor(loaded: LoadedSession, content: SessionContent) {
    this.#loaded = loaded
    this.#content = content
  }

  /** Whether this id was accepted before. */
  async has(kind: 'turn' | 'steer' | 'run', id: string): Promise<boolean> {
    return (await this.#loaded.history.accepted(kind, id)) !== undefined
  }

  /** The seq of the event with which this run began. */
  async started(runId: string): Promise<number | undefined> {
    return (await this.#loaded.history.accepted('run', runId))?.seq
  }

  /** Whether a turn or a steer was accepted under this key. A steer that was rejected does not count. */
  async hasKey(key: string): Promise<boolean> {
    return (await this.has('turn', key)) || isAccepted(await this.steer(key))
  }

  /**
   * The first answer, when the same turn was accepted before. Other content under the same id is a mistake of the caller
   * and refused. Nothing for a turn that is new or waits.
   */
  async repeatedTurn(command: Given & { turnId: string }): Promise<Answer<'TurnStarted'> | undefined> {
    const { turnId } = command
    const { state, history } = this.#loaded
    const known = await history.accepted('turn', turnId)
    if (!known) {
      if (await this.repeatedSteer(turnId, command)) throw keyReused()
      return undefined
    }
    const waiting = state.queue.turns.find(turn => turn.turnId === turnId)
    const began = waiting ? undefined : await this.#beganAfter(turnId, known.seq)
    const input = waiting?.input ?? began?.input
    // Turns of older logs have no digest: the content of such a turn is what it waits or ran with.
    const accepted = known.digest ?? input?.digest ?? (input && contentDigest(await this.#older(input)))
    if (accepted !== undefined && !isDigestOf(accepted, command)) throw keyReused()
    if (waiting) return undefined
    if (began) return { turnId, runId: began.runId, state: 'started' }
    const why = 'This turn was taken out of the queue before it ran.'
    throw new Refusal('turn_removed', why, { next: 'Send it under a new turn id.' })
  }

  /** What a turn of an older log was given. Such turns have no files. */
  async #older(input: TurnInput): Promise<Given> {
    const { text, interaction, context, mode } = await this.#content.whole(input)
    return { text, interaction, context, mode }
  }

  /** Whether the same steer was accepted before. Other content under its id is a mistake of the caller and refused. */
  async repeatedSteer(steerId: string, given: Given): Promise<boolean> {
    const old = await this.steer(steerId)
    // A steer that was rejected may be sent again to the queue under its id.
    if (!isAccepted(old)) return false
    const { text, interaction } = old
    // Steers of older logs have no digest.
    const digest = (await this.#loaded.history.accepted('steer', steerId))?.digest
    if (!isDigestOf(digest ?? contentDigest({ text, ...(interaction && { interaction }) }), given)) throw keyReused()
    return true
  }

  /** Whether a turn that was accepted has begun to run, on its own or as part of another turn. */
  async hasBegun(turnId: string): Promise<boolean> {
    const known = await this.#loaded.history.accepted('turn', turnId)
    return known !== undefined && (await this.#beganAfter(turnId, known.seq)) !== undefined
  }

  /** The event with which the run of a turn began, or the call under this key. */
  async turnStart(turnId: string): Promise<EventOf<'run.started'> | undefined> {
    const known = await this.#loaded.history.accepted('turn', turnId)
    return known && this.#beganAfter(turnId, known.seq)
  }

  /** The event with which a run began. */
  async runStart(runId: string): Promise<EventOf<'run.started'> | undefined> {
    const { history } = this.#loaded
    const known = await history.accepted('run', runId)
    if (!known) return undefined
    for await (const event of history.events(known.seq)) {
      if (event.type === 'run.started' && event.runId === runId) return event
    }
    return undefined
  }

  /** The rewind that was written together with the start of this run. */
  async rewindBefore(runId: string): Promise<EventOf<'history.rewound'> | undefined> {
    const { history } = this.#loaded
    const known = await history.accepted('run', runId)
    if (!known) return undefined
    for await (const event of history.events(known.seq)) {
      if (event.type === 'history.rewound') return event
      if (event.type === 'run.started') break
    }
    return undefined
  }

  /** What became of a steer. */
  async steer(steerId: string): Promise<PastSteer | undefined> {
    return this.#loaded.state.steers.byId.get(steerId) ?? (await this.#pastSteer(steerId))
  }

  /** What became of an action. */
  async action(actionId: string): Promise<PastAction | undefined> {
    return this.#loaded.state.actions.byId.get(actionId) ?? (await this.#pastAction(actionId))
  }

  async #beganAfter(turnId: string, acceptedAt: number): Promise<EventOf<'run.started'> | undefined> {
    for await (const event of this.#loaded.history.events(acceptedAt)) {
      if (event.type === 'queue.changed' && event.turnId === turnId && event.change === 'removed') return undefined
      if (event.type !== 'run.started') continue
      if (event.turnId === turnId || event.merged?.some(turn => turn.turnId === turnId)) return event
    }
    return undefined
  }

  /** The log has it all: an action that has left the memory belongs to a run that is over. */
  async #pastAction(actionId: string): Promise<PastAction | undefined> {
    const { history } = this.#loaded
    const known = await history.accepted('action', actionId)
    if (!known) return undefined
    let asked: EventOf<'action.required'> | undefined
    for await (const event of history.events(known.seq)) {
      if (event.type === 'action.required' && event.actionId === actionId) asked = event
      if (!asked) continue
      if (event.type === 'action.resolved' && event.actionId === actionId) {
        return { ...asked, state: 'resolved', outcome: event.outcome }
      }
      if (ends(event, asked.runId)) break
    }
    return asked && { ...asked, state: 'stale', outcome: null }
  }

  /** The log has it all: a steer that has left the memory belongs to a run that is over. */
  async #pastSteer(steerId: string): Promise<PastSteer | undefined> {
    const { history } = this.#loaded
    const known = await history.accepted('steer', steerId)
    if (!known) return undefined
    let accepted: EventOf<'steer.accepted'> | undefined
    const said = () => ({ text: accepted?.text ?? '', interaction: accepted?.interaction ?? null })
    for await (const event of history.events(known.seq)) {
      if (event.type === 'steer.rejected' && event.steerId === steerId) {
        return { state: 'rejected', reason: event.reason, ...said() }
      }
      if (event.type === 'steer.accepted' && event.steerId === steerId) accepted = event
      if (accepted && ends(event, accepted.runId)) break
    }
    return { state: 'accepted', reason: null, ...said() }
  }
}

/** An interaction whose run ended before the agent took it was accepted all the same: it became a turn. */
const isAccepted = (steer: PastSteer | undefined): steer is PastSteer =>
  steer !== undefined && (steer.state !== 'rejected' || steer.interaction !== null)

const ends = (event: SessionEvent, runId: string): boolean =>
  (event.type === 'run.finished' || event.type === 'run.failed') && event.runId === runId
