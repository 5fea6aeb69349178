import type { Catalog } from '@vitrine/genui/a2ui'
import {
  type Actor,
  answerText,
  type EventDraft,
  type JsonObject,
  MAX_RESUMES,
  type QueuedTurn,
  type Reason,
  type Run,
  type SessionState,
  type TurnInput,
} from '@vitrine/protocol'
import type { Agent, ResumedRun } from '../agents/agent.ts'
import { SYSTEM } from '../auth/principal.ts'
import { IllegalEvent } from '../log/event-from.ts'
import type { SessionLog } from '../log/session-log.ts'
import { Refusal, stopping } from '../refusal.ts'
import { askSources, type OfferedTool, sourcesOf } from '../tools/sources.ts'
import type { ToolSources } from '../tools/tool.ts'
import { Accepted } from './commands/accepted.ts'
import { holdAfter, startNext } from './commands/queue.ts'
import type { SessionContent } from './content.ts'
import { KeptSecrets } from './kept-secrets.ts'
import { sessionDeleted } from './reasons.ts'
import { ActiveRun, type RunHost, type RunStart } from './run/active-run.ts'
import { cutOff } from './run/closing.ts'
import { RUNTIME_TOOLS } from './run/context.ts'
import { readCutRun, resumption } from './run/cut-run.ts'
import { titleOf } from './session-title.ts'
import type { Slots } from './slots.ts'
import { storageRefusal } from './storage-refusal.ts'
import { SessionSurfaces } from './surfaces.ts'

export interface ActorOptions {
  log: SessionLog
  content: SessionContent
  catalogs: readonly Catalog[]
  slots: Slots
  agent(agentId: string): Promise<Agent | undefined>
  /** Who offers tools. */
  tools: ToolSources
  owner: string
  compileUi: RunHost['compileUi']
  report: RunHost['report']
  limits: { interruptMs: number; queue: number; toolMs: number; toolsAtOnce: number }
  now(): number
  /** The secret of this installation. */
  secret(): Promise<string>
}

/** How a run begins. */
interface RunBeginning {
  runId: string
  turn: { turnId: string; messageId: string; input: TurnInput }
  attempt: number
  by: Actor
  retryOf?: string
  /** Turns of the queue that run as part of this one. */
  merged?: readonly QueuedTurn[]
}

/** How a call without an agent begins. */
interface CallBeginning {
  runId: string
  /** The idempotency key of whoever wants it. */
  key: string
  /** What somebody did that led to it, as facts have it. */
  input: TurnInput
  offered: OfferedTool
  args: JsonObject
  /** JSON pointers to arguments that were typed hidden. */
  hidden: readonly string[]
  by: Actor
}

/**
 * One session in memory: it carries out its commands one after another and has at most one active run. Calls without an agent work beside it. What the commands
 * do stands in commands/, what a run does stands in run/.
 */
export class SessionActor {
  readonly log: SessionLog
  readonly content: SessionContent
  readonly accepted: Accepted
  readonly surfaces: SessionSurfaces
  /** What people typed hidden, for the runs that it is for. */
  readonly secrets = new KeptSecrets()
  readonly limits: ActorOptions['limits']
  readonly now: () => number
  readonly secret: ActorOptions['secret']
  readonly #options: ActorOptions
  #run: ActiveRun | null = null
  /** Tools that are called without an agent, by the id of their run. They work beside the active run. */
  readonly #calls = new Map<string, { run: ActiveRun; ended: Promise<void> }>()
  /** All calls have ended, and what follows from their end is done as well. */
  #callsSettled: Promise<void> = Promise.resolve()
  #runEnded: Promise<void> = Promise.resolve()
  /** The run has ended, and what follows from its end is done as well. */
  #runSettled: Promise<void> = Promise.resolve()
  #lastCommand: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #closing = false

  constructor(options: ActorOptions) {
    this.#options = options
    this.log = options.log
    this.content = options.content
    this.limits = options.limits
    this.now = options.now
    this.secret = options.secret
    this.accepted = new Accepted(options.log.loaded, options.content)
    this.surfaces = new SessionSurfaces(options.log, options.log.loaded.history, options.catalogs)
  }

  get state(): SessionState {
    return this.log.state
  }

  /** The active run, if there is one. */
  get run(): ActiveRun | null {
    return this.#run
  }

  /** The calls that work without an agent. */
  get calls(): ActiveRun[] {
    return [...this.#calls.values()].map(({ run }) => run)
  }

  /** The active run or a call, if it is the one with this id and has not ended. */
  runOf(runId: string): ActiveRun | undefined {
    return this.#run?.runId === runId ? this.#run : this.#calls.get(runId)?.run
  }

  /** Resolves when the run that began last has ended. */
  get runEnded(): Promise<void> {
    return this.#runEnded
  }

  /** Nothing works here and nobody waits, so that the session may leave memory. */
  get idle(): boolean {
    return this.#run === null && this.#calls.size === 0 && this.#waiting === 0
  }

  /** The session is leaving memory and takes no command any more. */
  get closing(): boolean {
    return this.#closing
  }

  /** Carries out a command after those before it, so that each command sees what the one before it has done. */
  serially<T>(command: () => Promise<T>): Promise<T> {
    return this.#afterTheOthers(() => {
      if (this.#closing) throw stopping('session')
      return command()
    })
  }

  #afterTheOthers<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++
    const result = this.#lastCommand.then(work).catch(error => {
      throw this.#refusal(error)
    })
    this.#lastCommand = result
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
      const large = error.code === 'too_large'
      const next = large ? 'Send less, or send it as a blob.' : 'Correct it and send it again.'
      return new Refusal(large ? 'too_large' : 'not_allowed', error.message, { next })
    }
    const refusal = storageRefusal(error)
    if (refusal || !this.log.broken) return refusal ?? error
    const why = 'This could not be stored, so nothing of it was accepted.'
    const next = 'Try again in a moment; nothing that was accepted is lost.'
    return new Refusal('storage_failed', why, { next })
  }

  /** Writes the start of a run, after the events `before` in the same commit, and lets its agent begin. */
  async startRun(beginning: RunBeginning, before: readonly EventDraft[] = []): Promise<void> {
    const { runId, turn, attempt, by, retryOf, merged = [] } = beginning
    const { turnId, messageId, input } = turn
    const agent = await this.#agent()
    // The input is read before the run is a fact: a text that cannot be read must not leave a run that nobody works on.
    const whole = await this.content.whole(input)
    if (this.#closing) throw stopping('session')
    const started: EventDraft = {
      type: 'run.started',
      runId,
      turnId,
      agentId: agent.agentId,
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
    // Surfaces that a rewind closed are no longer there to be changed.
    if (before.some(({ type }) => type === 'history.rewound')) this.surfaces.forgetEngine()
    this.#begin({ runId, turnId, attempt, work: { agent }, input: this.#withSecrets(turnId, whole), by })
  }

  #begin(start: RunStart): ActiveRun {
    const run = new ActiveRun(this.#runHost(), start)
    this.#run = run
    this.#runSettled = this.#execute(run)
    return run
  }

  #runHost(): RunHost {
    const { slots, agent, tools, owner, compileUi, report } = this.#options
    return {
      log: this.log,
      slots,
      agent,
      tools,
      owner,
      toolMs: this.limits.toolMs,
      toolsAtOnce: this.limits.toolsAtOnce,
      store: this.content.store,
      content: this.content,
      surfaces: this.surfaces,
      history: this.log.loaded.history,
      compileUi,
      report,
      interruptMs: this.limits.interruptMs,
      now: this.now,
    }
  }

  /** The tool that a button names, by its id or by its name, when a source offers it in this session. */
  async offered(toolId: string): Promise<OfferedTool | undefined> {
    const { tools: sources, owner, report } = this.#options
    const { sessionId } = this.state
    const late = (error: Error): void => report('A source of tools failed after it had listed them.', error)
    const audience = { owner, sessionId, agentId: this.agentId }
    const { tools } = await askSources(sourcesOf(sources), audience, { taken: RUNTIME_TOOLS, late })
    return tools.find(({ tool }) => tool.toolId === toolId) ?? tools.find(({ name }) => name === toolId)
  }

  /**
   * Calls a tool without an agent, beside the active run. The call is a run of its own that nothing waits for: it has no
   * turn, no place in the queue, and the session stays free for turns.
   */
  async startCall(call: CallBeginning): Promise<void> {
    const { runId, key, input, offered, args, hidden, by } = call
    if (this.#closing) throw stopping('session')
    const { agentId } = this
    const agent = await this.#options.agent(agentId)
    const messageId = `${runId}/m`
    const ids = { runId, turnId: key }
    await this.log.write([{ type: 'run.started', ...ids, kind: 'call', agentId, messageId, input, attempt: 1, by }])
    const work = { call: { offered, args, hidden, agentId, agent } }
    const run = new ActiveRun(this.#runHost(), { ...ids, attempt: 1, work, input, by })
    const ended = run.execute().then(() => void this.#calls.delete(runId))
    this.#calls.set(runId, { run, ended })
    const before = this.#callsSettled
    this.#callsSettled = ended.then(() => this.#afterTheOthers(() => this.#rest()).catch(() => {})).then(() => before)
  }

  /** Resolves when the calls whose end is being written have ended. */
  async callsOver(): Promise<void> {
    await Promise.all([...this.#calls.values()].filter(({ run }) => run.over).map(({ ended }) => ended))
  }

  /** The agent of the session, which need not be connected. */
  get agentId(): string {
    const { agentId } = this.state.session
    return agentId.known ? agentId.value : ''
  }

  /** The input with what the person typed hidden, if it is still there. The run tells when it is not. */
  #withSecrets(turnId: string, input: TurnInput): TurnInput {
    const hidden = input.interaction?.hidden
    const used = hidden && this.secrets.get(turnId)
    return used ? { ...input, interaction: { ...used, hidden } } : input
  }

  async #agent(): Promise<Agent> {
    const { agentId: id } = this.state.session
    const agent = id.known ? await this.#options.agent(id.value) : undefined
    if (agent) return agent
    const which = id.known ? `"${id.value}"` : 'none'
    const why = `The agent of this session (${which}) is not connected.`
    throw new Refusal('agent_unavailable', why, { next: 'Choose another agent.' })
  }

  /** Runs the agent to its end, then holds the queue or goes on with it. */
  async #execute(run: ActiveRun): Promise<void> {
    this.#runEnded = run.execute().then(() => {
      if (this.#run === run) this.#run = null
    })
    await this.#runEnded
    // This is done also when the server stops: what waits must not start by itself after the next start.
    await this.#afterTheOthers(async () => {
      const outcome = this.state.runs.byId.get(run.runId)?.outcome
      // The run was left open, and goes on when the session is opened again.
      if (outcome === null) return
      if (outcome && outcome !== 'completed') await holdAfter(this, outcome)
      await this.#title(run)
      await this.#rest()
      await startNext(this)
    }).catch(() => {})
  }

  /** The title that a turn gives to the session. */
  async titleOf(asked: string, answered?: string): Promise<string> {
    const { agentId } = this.state.session
    const agent = agentId.known ? await this.#options.agent(agentId.value) : undefined
    return titleOf(asked, answered, agent?.commands)
  }

  /** A title that was made from a question which says little is made anew from the whole exchange. */
  async #title({ runId, turnId }: ActiveRun): Promise<void> {
    const { session, turns, messages } = this.state
    const asked = turns.byId.get(turnId)?.input.text
    if (asked === undefined || session.titledBy || !session.title.known) return
    // Any other title is that of an earlier turn, or of the agent.
    if (session.title.value !== (await this.titleOf(asked))) return
    const answered = [...messages.byId.values()]
      .filter(message => message.runId === runId && message.role === 'assistant' && message.subagentId === null)
      .map(message => answerText(this.state, message))
    const title = await this.titleOf(asked, answered.join('\n\n'))
    if (title !== session.title.value) await this.log.write([{ type: 'session.updated', title }])
  }

  /** Between runs: the log may let messages leave memory, and the engine of the surfaces with them. */
  async #rest(): Promise<void> {
    // The message of a call still grows.
    if (this.#run || this.#calls.size > 0) return
    if (await this.log.rest()) this.surfaces.forgetEngine()
  }

  /** Goes on with what a crash cut off, or ends it (L12), and goes on with the queue. */
  async recover(): Promise<void> {
    const open = [...this.state.runs.byId.values()].filter(run => run.outcome === null)
    let ended = 0
    for (const run of open) {
      if (await this.#resume(run)) continue
      await this.log.write(cutOff(this.state, run))
      if (run.call === null) ended++
    }
    if (ended > 0) await holdAfter(this, 'crash')
    if (this.#run) return
    await this.#rest()
    await startNext(this)
  }

  /** Goes on with a run that was cut off, when its agent can. Returns false when the run has to end. */
  async #resume(run: Run): Promise<boolean> {
    const { runId, turnId, attempt, by } = run
    const agent = await this.#options.agent(run.agentId)
    const turn = this.state.turns.byId.get(turnId)
    const first = await this.accepted.started(runId)
    const isActive = this.state.session.activeRunId === runId
    // Somebody who wanted the run to stop must not see it go on.
    if (agent?.resume !== 'steps' || !isActive || !turn || first === undefined || run.status === 'cancelling')
      return false
    const input = await this.content.whole(turn.input).catch(() => undefined)
    const cut = await readCutRun(this.state, run, this.log.loaded.history.events(first))
    if (!input || !cut || (!cut.waits && run.resumes >= MAX_RESUMES)) return false
    if (!cut.waits) await this.log.write(resumption(run, cut))
    const { steps, openStep, callIds } = cut
    const resumed: ResumedRun = {
      times: cut.waits ? cut.resumed : cut.resumed + 1,
      steps,
      callIds,
      parts: this.log.loaded.history.underWay(`${runId}/m`),
      ...(openStep !== undefined && { openStep }),
    }
    const active = this.#begin({ runId, turnId, attempt, work: { agent }, input, by: by ?? SYSTEM, cut, resumed })
    for (const { steerId, text, interaction, files, state: is, runId: of } of this.state.steers.byId.values()) {
      if (of !== runId || is !== 'accepted') continue
      active.steer({ steerId, text, ...(interaction && { interaction }), ...(files && { files }) })
    }
    return true
  }

  /** Stops the active run, if there is one, and resolves when it has ended. One that can go on later is left open. */
  async close(reason: Reason): Promise<void> {
    this.#closing = true
    await this.#stop(reason)
    // A command that is under way may still start a run.
    await this.#lastCommand
    await this.#stop(reason)
    await this.#runSettled
    await this.#callsSettled
    await this.log.settled().catch(() => {})
  }

  async #stop(reason: Reason): Promise<void> {
    const runs = [...(this.#run ? [this.#run] : []), ...this.calls]
    const left = reason === sessionDeleted ? [] : runs.filter(run => run.resumable)
    for (const run of left) run.leave(reason)
    const ended = runs.filter(run => !left.includes(run))
    await Promise.all(ended.map(run => run.interrupt(reason, SYSTEM).catch(() => {})))
  }
}
