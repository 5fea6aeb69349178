import { createHash, randomUUID } from 'node:crypto'
import type {
  Action,
  ActionOutcome,
  ActionRequest,
  Actor,
  Command,
  EventDraft,
  EventOf,
  Interaction,
  Json,
  JsonObject,
  QueuedTurn,
  Reason,
  SessionEvent,
  SessionState,
  Steer,
  TurnInput,
} from '@vitrine/protocol'
import type { Agent } from '../agents/agent.ts'
import { SYSTEM } from '../auth/principal.ts'
import { IllegalEvent, type SessionLog } from '../log/session-log.ts'
import { ActiveRun, type RunHost } from './active-run.ts'
import { answerProblem } from './answer-schema.ts'
import { cutOff } from './closing.ts'
import type { Loaded } from './load.ts'
import * as reasons from './reasons.ts'
import { type Accepted, keyReused, Refusal } from './runtime.ts'
import type { Slots } from './slots.ts'
import { storageRefusal } from './storage-refusal.ts'
import type { StoredHistory } from './stored-history.ts'
import { SessionSurfaces } from './surfaces.ts'
import { messageOfTurn } from './turn-message.ts'

/** The longest text that an event carries itself. */
const INLINE_TEXT = 16 * 1024
/** What turns that are merged may be together: no more than one turn of a person. */
const MERGED_TEXT = 1_000_000
const MERGED_CONTEXT = 64
/** Characters of an answer: with the rest of its event it fits into one. */
const MAX_ANSWER = 48 * 1024

export interface ActorOptions {
  log: SessionLog
  loaded: Loaded
  slots: Slots
  agent(agentId: string): Agent | undefined
  store: RunHost['store']
  /** The input with its whole text, also when the event only carries the beginning. */
  whole(input: TurnInput): Promise<TurnInput>
  compileUi: RunHost['compileUi']
  report: RunHost['report']
  limits: { interruptMs: number; queue: number }
  now(): number
  /** No run is active: a good moment for a checkpoint. True when messages left the memory. */
  onIdle(): Promise<boolean>
}

/** What a turn is made of before it is accepted. */
type Given = Pick<TurnInput, 'text' | 'interaction' | 'context' | 'mode'> & {
  /** What was typed into the surface before the interaction: it becomes part of the surface, not of the turn. */
  edits?: JsonObject
}

type OldSteer = Pick<Steer, 'state' | 'reason' | 'text' | 'interaction'>

/** One session in memory: takes its commands one after another and runs its turns one at a time. */
export class SessionActor {
  readonly log: SessionLog
  readonly loaded: Loaded
  readonly surfaces: SessionSurfaces
  readonly #options: ActorOptions
  #run: ActiveRun | null = null
  #settled: Promise<void> = Promise.resolve()
  #ending: Promise<void> = Promise.resolve()
  #commands: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #closing = false

  constructor(options: ActorOptions) {
    this.#options = options
    this.log = options.log
    this.loaded = options.loaded
    this.surfaces = new SessionSurfaces(options.log, options.loaded.history)
  }

  get state(): SessionState {
    return this.log.state
  }

  get #history(): StoredHistory {
    return this.loaded.history
  }

  get busy(): boolean {
    return this.#run !== null
  }

  /** Nothing works here and nobody waits: it may leave memory. */
  get idle(): boolean {
    return this.#run === null && this.#waiting === 0
  }

  /** Commands of a session never overlap: each sees what the one before it has done. */
  exclusively<T>(command: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => {
      if (this.#closing) throw closed()
      return command()
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++
    const result = this.#commands.then(work).catch(error => {
      throw this.#refusal(error)
    })
    this.#commands = result
      .catch(() => {})
      .finally(() => {
        this.#waiting--
      })
    return result
  }

  /** A write that fails says why and what to do next (L7). */
  #refusal(error: unknown): unknown {
    if (error instanceof Refusal) return error
    if (error instanceof IllegalEvent) {
      const large = error.code === 'too-large'
      const next = large ? 'Send less, or send it as a blob.' : 'Correct it and send it again.'
      return new Refusal(large ? 413 : 422, large ? 'too_large' : 'not_allowed', error.message, next)
    }
    const refusal = storageRefusal(error)
    if (refusal || !this.log.broken) return refusal ?? error
    const why = 'This could not be stored, so nothing of it was accepted.'
    return new Refusal(503, 'storage_failed', why, 'Try again in a moment; nothing that was accepted is lost.')
  }

  /** Ends what a crash cut off (L12). The streamed parts stay as they are. */
  async recover(): Promise<void> {
    const open = [...this.state.runs.byId.values()].filter(run => run.outcome === null)
    for (const run of open) await this.log.write(cutOff(this.state, run))
    if (open.length > 0) await this.#holdAfter('crash')
    await this.#rest()
    await this.#next()
  }

  submit(command: Command<'submitTurn'>, by: Actor): Promise<Accepted> {
    return this.exclusively(async () => {
      const repeated = await this.#repeatedTurn(command)
      if (repeated) return repeated
      // Somebody may have read the last event of a run before this process is told that it is durable.
      if (this.#run?.over) await this.#ending
      if (this.#run) {
        throw new Refusal(
          409,
          'run_active',
          'A run is active in this session.',
          'Queue the turn, steer the run, or start a new task.',
        )
      }
      const { turnId } = command
      const queued = this.state.queue.turns.find(turn => turn.turnId === turnId)
      // It waits already: starting it takes it out of the queue, so that it runs once.
      if (queued) return this.#begin(queued, by, [{ type: 'queue.changed', change: 'started', turnId, by }])
      return this.#begin({ turnId, input: await this.#input(command) }, by, [])
    })
  }

  enqueue(
    command: Given & { turnId: string },
    by: Actor,
  ): Promise<{ turnId: string; state: 'queued' | 'started'; position: number }> {
    return this.exclusively(() => this.#enqueue(command, by))
  }

  async #enqueue(
    command: Given & { turnId: string },
    by: Actor,
    before: readonly EventDraft[] = [],
  ): Promise<{ turnId: string; state: 'queued' | 'started'; position: number }> {
    const { turnId } = command
    const queue = this.state.queue.turns
    if (await this.#repeatedTurn(command)) return { turnId, state: 'started', position: 0 }
    const at = queue.findIndex(turn => turn.turnId === turnId)
    if (at >= 0) return { turnId, state: 'queued', position: at }
    const input = await this.#input(command)
    if (!this.#run && queue.length === 0 && !this.state.queue.held) {
      await this.#begin({ turnId, input }, by, [...before])
      return { turnId, state: 'started', position: 0 }
    }
    if (queue.length >= this.#options.limits.queue) {
      throw new Refusal(
        409,
        'queue_full',
        `At most ${this.#options.limits.queue} turns may wait.`,
        'Remove one or wait.',
      )
    }
    const turn: QueuedTurn = { turnId, input, preview: preview(input.text), createdAt: this.#options.now(), by }
    const position = queue.length
    await this.log.write([...before, { type: 'queue.changed', change: 'added', turnId, turn, position, by }])
    return { turnId, state: 'queued', position }
  }

  hold(held: boolean, by: Actor): Promise<{ held: boolean }> {
    return this.exclusively(async () => {
      if (held !== this.state.queue.held) {
        const reason = held ? { reason: reasons.heldByPerson(by.name) } : {}
        await this.log.write([{ type: 'queue.changed', change: held ? 'held' : 'released', by, ...reason }])
        await this.#next()
      }
      return { held }
    })
  }

  editQueued(turnId: string, command: Command<'editQueued'>, by: Actor): Promise<{ turnId: string; position: number }> {
    return this.exclusively(async () => {
      const at = await this.#queued(turnId)
      const turn = this.state.queue.turns[at]!
      const drafts: EventDraft[] = []
      if (command.text !== undefined) {
        const { ref: _, digest, ...rest } = turn.input
        // The digest stays that of the turn as it was accepted: sent again, it is the same turn.
        const input = {
          ...(await this.#input({ ...rest, text: command.text })),
          ...(digest !== undefined && { digest }),
        }
        drafts.push({
          type: 'queue.changed',
          change: 'edited',
          turnId,
          by,
          turn: { ...turn, input, preview: preview(input.text) },
        })
      }
      const last = this.state.queue.turns.length - 1
      const position = command.promote ? 0 : Math.min(command.position ?? at, last)
      if (position !== at) drafts.push({ type: 'queue.changed', change: 'moved', turnId, position, by })
      await this.log.write(drafts)
      if (command.promote && !this.#run) await this.#next(true)
      return { turnId, position }
    })
  }

  removeQueued(turnId: string, by: Actor): Promise<void> {
    return this.exclusively(async () => {
      await this.#queued(turnId)
      await this.log.write([{ type: 'queue.changed', change: 'removed', turnId, by }])
    })
  }

  steer(runId: string, command: Command<'steer'>, by: Actor): Promise<{ steerId: string; state: 'accepted' }> {
    return this.exclusively(() => this.#steer(runId, command, by))
  }

  interrupt(target: { runId?: string; turnId?: string }, by: Actor): Promise<{ runIds: string[] }> {
    return this.exclusively(async () => {
      if (target.turnId !== undefined && this.state.queue.turns.some(turn => turn.turnId === target.turnId)) {
        await this.log.write([{ type: 'queue.changed', change: 'removed', turnId: target.turnId, by }])
        return { runIds: [] }
      }
      if (target.runId !== undefined && !(await this.#knows('run', target.runId))) {
        throw new Refusal(404, 'run_not_found', 'There is no such run in this session.')
      }
      if (target.turnId !== undefined && !(await this.#knows('turn', target.turnId))) {
        throw new Refusal(404, 'turn_not_found', 'There is no such turn in this session.')
      }
      const run = this.#run
      const matches =
        run && (!target.runId || run.runId === target.runId) && (!target.turnId || run.turnId === target.turnId)
      if (!matches || run.over) return { runIds: [] }
      await run.interrupt(reasons.interruptedByPerson(by.name), by)
      return { runIds: [run.runId] }
    })
  }

  retry(runId: string, newRunId: string, by: Actor): Promise<{ runId: string }> {
    return this.exclusively(async () => {
      const known = await this.#runStart(newRunId)
      if (known?.retryOf === runId) return { runId: newRunId }
      if (known) throw new Refusal(409, 'run_reused', 'Another run has this id.', 'Use a new run id.')
      const first = await this.#runStart(runId)
      if (!first) throw new Refusal(404, 'run_not_found', 'There is no such run in this session.')
      if (!this.state.runs.byId.has(runId)) await this.#history.loadRun(runId, first.messageId)
      const run = this.state.runs.byId.get(runId)
      const turn = run && this.state.turns.byId.get(run.turnId)
      if (!run || !turn) throw new Refusal(404, 'run_not_found', 'The messages of this run were removed.')
      if (run.outcome === null || this.#run) {
        throw new Refusal(409, 'run_active', 'A run is active in this session.', 'Interrupt it or wait for its end.')
      }
      if (run.outcome === 'completed') {
        throw new Refusal(409, 'run_completed', 'This run has completed.', 'Send a new turn instead.')
      }
      if (run.retriedBy !== null)
        throw new Refusal(409, 'run_retried', 'This run was retried already.', 'Retry its newest attempt.')
      await this.#startRun({ runId: newRunId, turn, attempt: run.attempt + 1, by, retryOf: runId }, [])
      return { runId: newRunId }
    })
  }

  respond(
    actionId: string,
    command: Command<'respond'>,
    by: Actor,
  ): Promise<{ actionId: string; outcome: ActionOutcome; first: boolean }> {
    return this.exclusively(async () => {
      const action = this.state.actions.byId.get(actionId) ?? (await this.#oldAction(actionId))
      if (!action) throw new Refusal(404, 'action_not_found', 'There is no such request in this session.')
      const before = this.#firstOutcome(action)
      if (before) return { actionId, outcome: before, first: false }
      const { request, runId } = action
      await checkAnswer(request, command)
      // Checking takes its time: the request may have expired meanwhile, or its run may have ended.
      const meanwhile = this.#firstOutcome(action)
      if (meanwhile) return { actionId, outcome: meanwhile, first: false }
      const run = this.#run!
      const outcome = outcomeOf(command.decision)
      const value = command.value ?? null
      const response = command.value === undefined ? {} : { response: command.value }
      // The outcome comes first: a grant that is written must be the grant of an answer that counts.
      const drafts: EventDraft[] = [{ type: 'action.resolved', runId, actionId, outcome, by, ...response }]
      if (outcome === 'approved-for-scope' && request.scope) {
        const permissionId = `perm_${randomUUID()}`
        drafts.push({ type: 'permission.changed', permissionId, state: 'granted', scope: request.scope, actionId, by })
      }
      await this.log.write(drafts)
      run.answer(actionId, { outcome, value, by })
      return { actionId, outcome, first: true }
    })
  }

  /** The outcome that a request has already; nothing while it can be answered. */
  #firstOutcome({ state, outcome }: Pick<Action, 'state' | 'outcome'>): ActionOutcome | undefined {
    if (outcome === 'expired') {
      throw new Refusal(409, 'action_expired', 'The request expired and was denied.', 'Ask the agent again.')
    }
    if (state === 'resolved') return outcome!
    if (state === 'stale' || !this.#run) {
      throw new Refusal(409, 'action_stale', 'The run that asked is over.', 'Retry the run to be asked again.')
    }
    return undefined
  }

  revoke(permissionId: string, by: Actor): Promise<void> {
    return this.exclusively(async () => {
      const permission = this.state.permissions.byId.get(permissionId)
      if (!permission) throw new Refusal(404, 'permission_not_found', 'There is no such permission in this session.')
      if (permission.state === 'revoked') return
      await this.log.write([{ type: 'permission.changed', permissionId, state: 'revoked', by }])
    })
  }

  /** Whether a turn or a steer was accepted under this key. A steer that was rejected was not. */
  async knows(key: string): Promise<boolean> {
    return (await this.#knows('turn', key)) || isAccepted(await this.#steerOf(key))
  }

  /**
   * What a person did in the agent's own interface: steers the run, or waits for its turn, or starts one. What they
   * typed is written in the same commit, once, and not at all when the action is refused.
   */
  deliver(
    key: string,
    interaction: Interaction,
    by: Actor,
    edits: JsonObject = {},
  ): Promise<{ state: 'steered' | 'queued' | 'started'; runId?: string }> {
    const given = { text: '', interaction, ...(interaction.kind === 'a2ui' && { edits }) }
    return this.exclusively(async () => {
      if (await this.#repeatedSteer(key, given)) return { state: 'steered' }
      // Sent again while the turn that it started works: it must not steer that turn as well.
      const known = await this.#knows('turn', key)
      // The id of a steer that was rejected is spent: what came under it goes to the queue.
      const steers = !known && !(await this.#knows('steer', key)) && JSON.stringify(interaction).length <= INLINE_TEXT
      try {
        const onSurface = !known && interaction.kind === 'a2ui'
        const typed = onSurface ? await this.surfaces.accept(interaction.surfaceId, edits, by) : []
        for (const draft of typed) await this.log.reach(draft)
        const run = this.#run
        // Nothing is awaited between this look and the write: a run that ends meanwhile has the steer, or it is queued.
        if (steers && run?.deaf === null) {
          await this.#acceptSteer(run, { steerId: key, ...given }, by, typed)
          return { state: 'steered', runId: run.runId }
        }
        const { state } = await this.#enqueue({ turnId: key, ...given }, by, typed)
        return { state }
      } catch (error) {
        // The engine has taken the edits and the log has not.
        this.surfaces.rest()
        throw error
      }
    })
  }

  /** Stops the active run, if any, and waits until it has ended. */
  async close(reason: Reason): Promise<void> {
    this.#closing = true
    await this.#run?.interrupt(reason, SYSTEM).catch(() => {})
    // A command that is under way may still start a run.
    await this.#commands
    await this.#run?.interrupt(reason, SYSTEM).catch(() => {})
    await this.#settled
    await this.log.settled().catch(() => {})
  }

  async #steer(runId: string, command: Command<'steer'>, by: Actor): Promise<{ steerId: string; state: 'accepted' }> {
    const { steerId, text } = command
    if (await this.#repeatedSteer(steerId, command)) return { steerId, state: 'accepted' }
    if (await this.#knows('turn', steerId)) throw keyReused()
    const old = await this.#steerOf(steerId)
    if (old) throw steerRejected(old.reason)
    if (!(await this.#knows('run', runId)))
      throw new Refusal(404, 'run_not_found', 'There is no such run in this session.')
    const run = this.#run?.runId === runId ? this.#run : null
    const why = run ? (run.deaf ?? (text.length > INLINE_TEXT ? reasons.steerTooLong : null)) : reasons.runOver
    if (!run || why) {
      const reason = why ?? reasons.runOver
      await this.log.write([{ type: 'steer.rejected', steerId, reason, by }])
      throw steerRejected(reason)
    }
    await this.#acceptSteer(run, command, by)
    return { steerId, state: 'accepted' }
  }

  /** Writes the steer at once and hands it to the agent. */
  async #acceptSteer(
    run: ActiveRun,
    command: Command<'steer'> & Pick<Given, 'interaction' | 'edits'>,
    by: Actor,
    before: readonly EventDraft[] = [],
  ): Promise<void> {
    const { steerId, text, interaction } = command
    const accepted: EventDraft = {
      type: 'steer.accepted',
      runId: run.runId,
      steerId,
      text,
      by,
      digest: contentDigest(command),
      ...(interaction && { interaction }),
    }
    await this.log.write([...before, accepted])
    // The run may have ended while this was written; an interaction has then become a turn.
    const { state, reason } = this.state.steers.byId.get(steerId)!
    if (state === 'rejected' && !interaction) throw steerRejected(reason)
    run.steer({ steerId, text, ...(interaction && { interaction }) })
  }

  /** The same steer was accepted before, however long ago; other content under its id is a mistake of the caller. */
  async #repeatedSteer(steerId: string, given: Given): Promise<boolean> {
    const old = await this.#steerOf(steerId)
    // One that was rejected may be given to the queue under its id.
    if (!isAccepted(old)) return false
    const { text, interaction } = old
    // Steers of older logs have no digest.
    const digest = (await this.#history.accepted('steer', steerId))?.digest
    if (!isOf(digest ?? contentDigest({ text, ...(interaction && { interaction }) }), given)) throw keyReused()
    return true
  }

  /** What became of a steer, however long ago. */
  async #steerOf(steerId: string): Promise<OldSteer | undefined> {
    return this.state.steers.byId.get(steerId) ?? (await this.#oldSteer(steerId))
  }

  /** This id was accepted before, however long ago. */
  async #knows(kind: 'turn' | 'steer' | 'run', id: string): Promise<boolean> {
    return (await this.#history.accepted(kind, id)) !== undefined
  }

  /**
   * The same turn again gets the first answer, however long ago it was accepted; other content under the same id is a
   * mistake of the caller. Nothing for a turn that is new or waits.
   */
  async #repeatedTurn(command: Given & { turnId: string }): Promise<Accepted | undefined> {
    const { turnId } = command
    const known = await this.#history.accepted('turn', turnId)
    if (!known) {
      if (await this.#repeatedSteer(turnId, command)) throw keyReused()
      return undefined
    }
    const waiting = this.state.queue.turns.find(turn => turn.turnId === turnId)
    const began = waiting ? undefined : await this.#began(turnId, known.seq)
    const input = waiting?.input ?? began?.input
    // Turns of older logs have no digest: the turn is what it waits or ran with.
    const accepted = known.digest ?? input?.digest ?? (input && contentDigest(await this.#options.whole(input)))
    if (accepted !== undefined && !isOf(accepted, command)) {
      if (command.interaction) throw keyReused()
      throw new Refusal(409, 'turn_reused', 'This turn id was used with other content.', 'Use a new turn id.')
    }
    if (waiting) return undefined
    if (began) return { turnId, runId: began.runId, state: 'started' }
    const why = 'This turn was taken out of the queue before it ran.'
    throw new Refusal(409, 'turn_removed', why, 'Send it under a new turn id.')
  }

  /** The event with which the first run of a turn began, on its own or as part of another turn. */
  async #began(turnId: string, acceptedAt: number): Promise<EventOf<'run.started'> | undefined> {
    for await (const event of this.#history.events(acceptedAt)) {
      if (event.type === 'queue.changed' && event.turnId === turnId && event.change === 'removed') return undefined
      if (event.type !== 'run.started') continue
      if (event.turnId === turnId || event.merged?.some(turn => turn.turnId === turnId)) return event
    }
    return undefined
  }

  /** The event with which a run began. */
  async #runStart(runId: string): Promise<EventOf<'run.started'> | undefined> {
    const known = await this.#history.accepted('run', runId)
    if (!known) return undefined
    for await (const event of this.#history.events(known.seq)) {
      if (event.type === 'run.started' && event.runId === runId) return event
    }
    return undefined
  }

  /** What became of a request that is no longer in memory: its run is over. */
  async #oldAction(actionId: string): Promise<Pick<Action, 'state' | 'outcome' | 'request' | 'runId'> | undefined> {
    const known = await this.#history.accepted('action', actionId)
    if (!known) return undefined
    let asked: EventOf<'action.required'> | undefined
    for await (const event of this.#history.events(known.seq)) {
      if (event.type === 'action.required' && event.actionId === actionId) asked = event
      if (!asked) continue
      if (event.type === 'action.resolved' && event.actionId === actionId) {
        return { ...asked, state: 'resolved', outcome: event.outcome }
      }
      if (ends(event, asked.runId)) break
    }
    return asked && { ...asked, state: 'stale', outcome: null }
  }

  /** What became of a steer that is no longer in memory: its run is over. */
  async #oldSteer(steerId: string): Promise<OldSteer | undefined> {
    const known = await this.#history.accepted('steer', steerId)
    if (!known) return undefined
    let accepted: EventOf<'steer.accepted'> | undefined
    const said = () => ({ text: accepted?.text ?? '', interaction: accepted?.interaction ?? null })
    for await (const event of this.#history.events(known.seq)) {
      if (event.type === 'steer.rejected' && event.steerId === steerId) {
        return { state: 'rejected', reason: event.reason, ...said() }
      }
      if (event.type === 'steer.accepted' && event.steerId === steerId) accepted = event
      if (accepted && ends(event, accepted.runId)) break
    }
    return { state: 'accepted', reason: null, ...said() }
  }

  async #queued(turnId: string): Promise<number> {
    const at = this.state.queue.turns.findIndex(turn => turn.turnId === turnId)
    if (at >= 0) return at
    const known = await this.#history.accepted('turn', turnId)
    if (known && (await this.#began(turnId, known.seq))) {
      throw new Refusal(409, 'turn_started', 'This turn has started.', 'Steer or interrupt its run instead.')
    }
    throw new Refusal(404, 'turn_not_queued', 'There is no such turn in the queue.')
  }

  async #input(given: Given): Promise<TurnInput> {
    const { text, interaction, context, mode } = given
    const digest = contentDigest(given)
    const rest = { digest, ...(context && { context }), ...(mode && { mode }) }
    if (interaction) {
      const whole = JSON.stringify(interaction)
      if (whole.length <= INLINE_TEXT) return { text, interaction, ...rest }
      const { ref } = await this.#options.store({ text: whole, mediaType: 'application/json' })
      return { text, interaction: beginningOf(interaction), ...(ref && { ref }), ...rest }
    }
    if (text.length <= INLINE_TEXT) return { text, ...rest }
    const { preview: begin, ref } = await this.#options.store({ text })
    return { text: begin, ...(ref && { ref }), ...rest }
  }

  async #begin(
    { turnId, input }: Pick<QueuedTurn, 'turnId' | 'input'>,
    by: Actor,
    before: EventDraft[],
    merged: readonly QueuedTurn[] = [],
  ): Promise<Accepted> {
    const titled: EventDraft[] = this.state.session.title.known
      ? []
      : [{ type: 'session.updated', title: titleOf(input.text) }]
    const runId = `run_${randomUUID()}`
    const turn = { turnId, messageId: messageOfTurn(turnId), input }
    await this.#startRun({ runId, turn, attempt: 1, by, merged }, [...before, ...titled])
    return { turnId, runId, state: 'started' }
  }

  async #startRun(
    start: {
      runId: string
      turn: { turnId: string; messageId: string; input: TurnInput }
      attempt: number
      by: Actor
      retryOf?: string
      merged?: readonly QueuedTurn[]
    },
    before: EventDraft[],
  ): Promise<void> {
    const { runId, turn, attempt, by, retryOf, merged = [] } = start
    const { turnId, messageId, input } = turn
    const { agentId: id } = this.state.session
    const agent = id.known ? this.#options.agent(id.value) : undefined
    if (!agent) {
      const which = id.known ? `"${id.value}"` : 'none'
      throw new Refusal(
        409,
        'agent_unavailable',
        `The agent of this session (${which}) is not connected.`,
        'Choose another agent.',
      )
    }
    const { agentId } = agent
    // Read before the run is a fact: a text that cannot be read must not leave a run that nobody works on.
    const given = await this.#options.whole(input)
    if (this.#closing) throw closed()
    const started: EventDraft = {
      type: 'run.started',
      runId,
      turnId,
      agentId,
      messageId,
      input,
      attempt,
      by,
      ...(retryOf !== undefined && { retryOf }),
      ...(merged.length > 0 && {
        merged: merged.map(({ turnId, input: { digest } }) => ({ turnId, ...(digest !== undefined && { digest }) })),
      }),
    }
    await this.log.write([...before, started])
    const run = new ActiveRun(
      {
        log: this.log,
        slots: this.#options.slots,
        agent: this.#options.agent,
        store: this.#options.store,
        surfaces: this.surfaces,
        history: this.#history,
        compileUi: this.#options.compileUi,
        report: this.#options.report,
        interruptMs: this.#options.limits.interruptMs,
        now: this.#options.now,
      },
      { runId, turnId, attempt, agent, input: given },
    )
    this.#run = run
    this.#settled = this.#execute(run)
  }

  async #execute(run: ActiveRun): Promise<void> {
    this.#ending = run.execute().then(() => {
      if (this.#run === run) this.#run = null
    })
    await this.#ending
    // Also when the server stops: what waits must not start by itself after the next start.
    await this.#inTurn(async () => {
      const outcome = this.state.runs.byId.get(run.runId)?.outcome
      if (outcome && outcome !== 'completed') await this.#holdAfter(outcome)
      await this.#rest()
      await this.#next()
    }).catch(() => {})
  }

  async #rest(): Promise<void> {
    if (await this.#options.onIdle()) this.surfaces.rest()
  }

  async #holdAfter(what: keyof typeof reasons.heldAfter): Promise<void> {
    const { queue, session } = this.state
    if (queue.turns.length === 0 || queue.held || session.queuePolicy.onFailure === 'continue') return
    await this.log.write([{ type: 'queue.changed', change: 'held', reason: reasons.heldAfter[what], by: SYSTEM }])
  }

  /** Starts what waits. With `merge` all that wait become one turn. */
  async #next(evenIfHeld = false): Promise<void> {
    const { queue, session } = this.state
    if (this.#run || this.#closing || queue.turns.length === 0 || (queue.held && !evenIfHeld)) return
    const merge = session.queuePolicy.mode === 'merge' && !evenIfHeld
    const { turns, input } = merge ? await this.#merged() : { turns: [queue.turns[0]!], input: queue.turns[0]!.input }
    const started: EventDraft[] = turns.map(({ turnId }) => ({
      type: 'queue.changed',
      change: 'started',
      turnId,
      by: SYSTEM,
    }))
    const [first, ...others] = turns as [QueuedTurn, ...QueuedTurn[]]
    try {
      await this.#begin({ turnId: first.turnId, input }, first.by ?? SYSTEM, started, others)
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof IllegalEvent)) throw error
      const code = error instanceof Refusal ? error.code : 'not_allowed'
      const reason = { code, message: error.message.slice(0, 2_000).toWellFormed() }
      await this.log.write([{ type: 'queue.changed', change: 'held', reason, by: SYSTEM }])
    }
  }

  /** The turns at the head of the queue that fit into one, with their whole texts and all that was attached. */
  async #merged(): Promise<{ turns: QueuedTurn[]; input: TurnInput }> {
    const turns: QueuedTurn[] = []
    const texts: string[] = []
    const context: NonNullable<TurnInput['context']> = []
    let length = 0
    for (const turn of [...this.state.queue.turns]) {
      // An interaction is data and stays a turn of its own.
      if (turn.input.interaction && turns.length > 0) break
      const { text, context: attached = [] } = await this.#options.whole(turn.input)
      length += text.length
      const full = length > MERGED_TEXT || context.length + attached.length > MERGED_CONTEXT
      if (full && turns.length > 0) break
      turns.push(turn)
      if (turn.input.interaction) return { turns, input: turn.input }
      texts.push(text)
      context.push(...attached)
    }
    const { input } = turns[0]!
    if (turns.length === 1) return { turns, input }
    const { digest, ...first } = input
    const all = { ...first, text: texts.join('\n\n'), ...(context.length > 0 && { context }) }
    // The digest is that of the first turn as it was sent: sent again, it is the same turn.
    return { turns, input: { ...(await this.#input(all)), ...(digest !== undefined && { digest }) } }
  }
}

const steerRejected = (why: Reason | null): Refusal => {
  const next = 'Queue it for the next turn, or start a new task.'
  return new Refusal(409, 'steer_rejected', (why ?? reasons.runOver).message, next)
}
const closed = (): Refusal => new Refusal(503, 'stopping', 'The session is being closed.', 'Try again in a moment.')

/** An interaction whose run ended first was accepted all the same: it became a turn. */
const isAccepted = (steer: OldSteer | undefined): steer is OldSteer =>
  steer !== undefined && (steer.state !== 'rejected' || steer.interaction !== null)

const ends = (event: SessionEvent, runId: string): boolean =>
  (event.type === 'run.finished' || event.type === 'run.failed') && event.runId === runId

function outcomeOf(decision: Command<'respond'>['decision']): ActionOutcome {
  return (
    { approve: 'approved', 'approve-for-scope': 'approved-for-scope', deny: 'denied', answer: 'answered' } as const
  )[decision]
}

/** The answer must be one that the request allows; otherwise nothing is written and the person can correct it. */
async function checkAnswer(request: ActionRequest, command: Command<'respond'>): Promise<void> {
  const { decision, value } = command
  if (decision === 'deny') return
  const refuse = (why: string): Refusal =>
    new Refusal(422, 'answer_invalid', why, 'Correct the answer and send it again.')
  const decides = request.kind === 'approval' || request.kind === 'plan' || request.kind === 'correction'
  if (!decides && decision !== 'answer') throw refuse(`A ${request.kind} is answered, not approved.`)
  if (decision === 'approve-for-scope' && !request.scope) throw refuse('This request has no scope to remember.')
  if (request.kind === 'choice') {
    const chosen = request.multiple ? value : [value as Json]
    const allowed = new Set(request.options?.map(option => option.value))
    const fits =
      Array.isArray(chosen) && chosen.length > 0 && chosen.every(one => typeof one === 'string' && allowed.has(one))
    if (!fits) throw refuse('Choose one of the options.')
  }
  if (request.kind === 'question' && (typeof value !== 'string' || value.trim() === ''))
    throw refuse('Write an answer.')
  if (!request.schema || value === undefined) {
    if (request.kind === 'form' && value === undefined) throw refuse('Fill in the form.')
    return
  }
  if (JSON.stringify(value).length > MAX_ANSWER) {
    throw new Refusal(413, 'too_large', 'The answer is larger than what a session keeps of it.', 'Send less.')
  }
  const problem = await answerProblem(request.schema, value)
  if (problem) throw refuse(problem)
}

/** What of a turn its id stands for: the same id with other content is refused. What was typed for it is a part of its own. */
const contentDigest = ({ text, interaction, context, mode, edits }: Given): string => {
  const content = digestOf([text, interaction ?? null, context ?? null, mode ?? null])
  return edits ? `${content}.${digestOf(edits)}` : content
}

/** Digests of older logs say nothing of what was typed. */
function isOf(digest: string, given: Given): boolean {
  const content = contentDigest(given)
  return digest === (digest.includes('.') ? content : content.split('.', 1)[0])
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, sorted)).digest('base64url')

/** Objects with their names in order: what is stored may have them in another one than what is sent again. */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** What an event keeps of an interaction that is too large for it. */
function beginningOf(interaction: Interaction): Interaction {
  if (interaction.kind === 'a2ui') {
    const { payload: _, context: __, ...rest } = interaction
    return rest
  }
  const { values: _, action, ...rest } = interaction
  if (action.type === 'tool') return { ...rest, action: { type: 'tool', toolId: action.toolId } }
  return { ...rest, action: { ...action, payload: {} } }
}

const preview = (text: string): string => text.slice(0, 200).toWellFormed()

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0]!.replace(/\s+/g, ' ')
  return (line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line).toWellFormed() || 'New session'
}
