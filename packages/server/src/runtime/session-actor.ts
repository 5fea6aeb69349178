import type { Catalog } from '@vitrine/genui/a2ui'
import {
  type Actor,
  answerText,
  type EventDraft,
  type QueuedTurn,
  type Reason,
  type SessionState,
  type TurnInput,
} from '@vitrine/protocol'
import type { Agent } from '../agents/agent.ts'
import { SYSTEM } from '../auth/principal.ts'
import { IllegalEvent } from '../log/event-from.ts'
import type { SessionLog } from '../log/session-log.ts'
import { Refusal, stopping } from '../refusal.ts'
import type { ToolSources } from '../tools/tool.ts'
import { Accepted } from './commands/accepted.ts'
import { holdAfter, startNext } from './commands/queue.ts'
import type { SessionContent } from './content.ts'
import { KeptSecrets } from './kept-secrets.ts'
import { ActiveRun, type RunHost } from './run/active-run.ts'
import { cutOff } from './run/closing.ts'
import { titleOf } from './session-title.ts'
import type { Slots } from './slots.ts'
import { storageRefusal } from './storage-refusal.ts'
import { SessionSurfaces } from './surfaces.ts'

export interface ActorOptions {
  log: SessionLog
  content: SessionContent
  catalogs: readonly Catalog[]
  slots: Slots
  agent(agentId: string): Agent | undefined
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

/**
 * One session in memory: it carries out its commands one after another and has at most one active run. What the commands
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

  /** Resolves when the run that began last has ended. */
  get runEnded(): Promise<void> {
    return this.#runEnded
  }

  /** Nothing works here and nobody waits, so that the session may leave memory. */
  get idle(): boolean {
    return this.#run === null && this.#waiting === 0
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
    const agent = this.#agent()
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
    const { slots, agent: agentOf, tools, owner, compileUi, report } = this.#options
    const run = new ActiveRun(
      {
        log: this.log,
        slots,
        agent: agentOf,
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
      },
      { runId, turnId, attempt, agent, input: this.#withSecrets(turnId, whole), by },
    )
    this.#run = run
    this.#runSettled = this.#execute(run)
  }

  /** The input with what the person typed hidden, if it is still there. The run tells when it is not. */
  #withSecrets(turnId: string, input: TurnInput): TurnInput {
    const hidden = input.interaction?.hidden
    const used = hidden && this.secrets.get(turnId)
    return used ? { ...input, interaction: { ...used, hidden } } : input
  }

  #agent(): Agent {
    const { agentId: id } = this.state.session
    const agent = id.known ? this.#options.agent(id.value) : undefined
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
      if (outcome && outcome !== 'completed') await holdAfter(this, outcome)
      await this.#title(run)
      await this.#rest()
      await startNext(this)
    }).catch(() => {})
  }

  /** The title that a turn gives to the session. */
  titleOf(asked: string, answered?: string): string {
    const { agentId } = this.state.session
    const agent = agentId.known ? this.#options.agent(agentId.value) : undefined
    return titleOf(asked, answered, agent?.commands)
  }

  /** A title that was made from a question which says little is made anew from the whole exchange. */
  async #title({ runId, turnId }: ActiveRun): Promise<void> {
    const { session, turns, messages } = this.state
    const asked = turns.byId.get(turnId)?.input.text
    if (asked === undefined || session.titledBy || !session.title.known) return
    // Any other title is that of an earlier turn, or of the agent.
    if (session.title.value !== this.titleOf(asked)) return
    const answered = [...messages.byId.values()]
      .filter(message => message.runId === runId && message.role === 'assistant' && message.subagentId === null)
      .map(message => answerText(this.state, message))
    const title = this.titleOf(asked, answered.join('\n\n'))
    if (title !== session.title.value) await this.log.write([{ type: 'session.updated', title }])
  }

  /** Between runs: the log may let messages leave memory, and the engine of the surfaces with them. */
  async #rest(): Promise<void> {
    if (await this.log.rest()) this.surfaces.forgetEngine()
  }

  /** Ends what a crash cut off (L12) and goes on with the queue. What was streamed stays as it is. */
  async recover(): Promise<void> {
    const open = [...this.state.runs.byId.values()].filter(run => run.outcome === null)
    for (const run of open) await this.log.write(cutOff(this.state, run))
    if (open.length > 0) await holdAfter(this, 'crash')
    await this.#rest()
    await startNext(this)
  }

  /** Stops the active run, if there is one, and resolves when it has ended. */
  async close(reason: Reason): Promise<void> {
    this.#closing = true
    await this.#run?.interrupt(reason, SYSTEM).catch(() => {})
    // A command that is under way may still start a run.
    await this.#lastCommand
    await this.#run?.interrupt(reason, SYSTEM).catch(() => {})
    await this.#runSettled
    await this.log.settled().catch(() => {})
  }
}
