import type { Actor, EventDraft, JsonObject, Reason, TurnInput } from '@vitrine/protocol'
import type { ActionResponse, Agent, AgentContext, ResumedRun, Steering } from '../../agents/agent.ts'
import { readable } from '../../agents/interaction-text.ts'
import { errorOf } from '../../agents/thrown.ts'
import { IllegalEvent } from '../../log/event-from.ts'
import type { SessionLog } from '../../log/session-log.ts'
import type { StoredHistory } from '../../log/stored-history.ts'
import type { DeclaredSecrets } from '../../masking/mask-secrets.ts'
import { secretsOf } from '../../tools/boundary.ts'
import { askSources, type OfferedTool, sourcesOf } from '../../tools/sources.ts'
import type { ToolSources } from '../../tools/tool.ts'
import type { SessionContent } from '../content.ts'
import { isMasked } from '../mask-interaction.ts'
import { agentDidNotStop, interruptedByPerson, runOver, steersFull, waitingForSlot } from '../reasons.ts'
import type { Slots } from '../slots.ts'
import type { SessionSurfaces } from '../surfaces.ts'
import { RunActions } from './actions.ts'
import { closeOpen } from './closing.ts'
import { type ContextParts, createContext, RUNTIME_TOOLS } from './context.ts'
import type { CutRun } from './cut-run.ts'
import { drive, type Ending } from './drive.ts'
import { Emitter } from './emit.ts'
import { failureOf } from './failure.ts'
import type { FitHost } from './fit.ts'
import { boundaryOf } from './run-boundary.ts'
import { RunSlot } from './run-slot.ts'
import { Steers } from './steers.ts'
import { type Speaker, Subagents } from './subagents.ts'
import { RUNTIME, RunWriter } from './writer.ts'

/** What a run needs of the session that it works in. */
export interface RunHost extends FitHost {
  log: SessionLog
  slots: Slots
  agent(agentId: string): Promise<Agent | undefined>
  /** Who offers tools to the agents. */
  tools: ToolSources
  /** Whose session it is. */
  owner: string
  toolMs: number
  toolsAtOnce: number
  surfaces: SessionSurfaces
  history: StoredHistory
  interruptMs: number
  now(): number
  /** A line for the server's log, with the error and its stack. */
  report(line: string, error: unknown): void
  content: Pick<SessionContent, 'readFile' | 'storeFile' | 'whole'>
}

export interface RunStart {
  runId: string
  turnId: string
  attempt: number
  /** Who works: an agent, or the one tool that somebody calls without an agent. */
  work: { agent: Agent } | { call: CallOfRun }
  input: TurnInput
  by: Actor
  /** The run was cut off and goes on: what the log says of it, and what its agent is told. */
  cut?: CutRun
  resumed?: ResumedRun
}

/** A tool that is called outside of the run of an agent. */
export interface CallOfRun {
  offered: OfferedTool
  args: JsonObject
  /** JSON pointers to arguments that a person typed hidden. */
  hidden: readonly string[]
  /** The agent of the session, whose configuration counts for the call as well. It need not be connected. */
  agentId: string
  agent: Agent | undefined
}

const SECRET_LOST =
  'What was typed hidden is kept in memory only, and the server has been started since: the agent does not have it.'

const MAIN: Speaker = { prefix: '', subagentId: null, depth: 0 }

/** One run: it drives the agent or makes the one call, and it ends when that has really ended. The other files in run/ are its parts. */
export class ActiveRun {
  readonly runId: string
  readonly turnId: string
  readonly #host: RunHost
  readonly #start: RunStart
  readonly #doubts: Set<string>
  readonly #abort = new AbortController()
  readonly #writer: RunWriter
  readonly #emitter: Emitter
  readonly #slot: RunSlot
  readonly #actions: RunActions
  readonly #steers: Steers
  readonly #subagents: Subagents
  #fence: (() => void) | undefined
  #hardLimit: NodeJS.Timeout | undefined
  #left = false

  constructor(host: RunHost, start: RunStart) {
    this.#host = host
    this.#start = start
    this.#doubts = new Set(start.cut?.doubts)
    this.runId = start.runId
    this.turnId = start.turnId
    // A run that broke a rule is stopped like one that was interrupted.
    this.#writer = new RunWriter(host.log, start, () => this.#stop(this.#writer.illegal!))
    this.#emitter = new Emitter(this.#writer, host)
    this.#slot = new RunSlot({
      slots: host.slots,
      signal: this.signal,
      queued: ahead => void this.#writer.setStatus('queued', waitingForSlot(ahead))?.catch(() => {}),
      returned: () => this.#actions.show(),
    })
    this.#actions = new RunActions(this.#writer, this.#slot, this.signal, host.now)
    this.#steers = new Steers(this.#writer, this.signal)
    this.#subagents = new Subagents(
      {
        writer: this.#writer,
        emitter: this.#emitter,
        slot: this.#slot,
        agent: host.agent,
        context: (speaker, agent) => this.#context(speaker, agent),
        failed: (agentId, error) => this.#report(agentId, error),
      },
      start.cut?.numbers.subagents,
    )
    if (!start.cut) return
    this.#writer.goOnAfter(start.cut.numbers)
    this.#actions.goOnWith(start.cut.requests)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** The end of the run is being written, or was written: nothing more can reach the agent. */
  get over(): boolean {
    return this.#writer.over
  }

  /** Why a steer cannot reach the agent, or null when it can. */
  get deaf(): Reason | null {
    const { over, stopping, illegal } = this.#writer
    if (over || stopping !== null || illegal) return runOver
    return this.#steers.full ? steersFull : null
  }

  /**
   * Waits for a slot among the runs, runs the agent to its end and writes the terminal event. It never throws: a log that
   * cannot write tells that by itself.
   */
  async execute(): Promise<void> {
    const { work } = this.#start
    const writer = this.#writer
    const slot = this.#slot
    await slot.take()
    const fenced = new Promise<Ending>(resolve => {
      this.#fence = () =>
        resolve(writer.illegal ? { failed: writer.illegal } : { outcome: 'interrupted', reason: agentDidNotStop })
    })
    const working = slot.agent(MAIN.prefix, () =>
      'call' in work ? this.#call(work.call) : this.#drive(work.agent, this.#start.input),
    )
    const ending = await Promise.race([working, fenced])
    if ('failed' in ending && !this.#left) this.#report(this.#agentId, ending.failed)
    if (this.#left) clearTimeout(this.#hardLimit)
    else await this.#end(ending).catch(() => {})
    slot.close()
  }

  async #drive(agent: Agent, input: TurnInput): Promise<Ending> {
    const writer = this.#writer
    const { prefix, subagentId } = MAIN
    if (isMasked(input)) await writer.diagnose('secret_lost', SECRET_LOST).catch(() => {})
    const emit = (output: unknown): unknown => this.#slot.work(() => this.#emitter.emit(output, prefix, subagentId))
    const late = (error: Error): void => this.#report(agent.agentId, error)
    const context = await this.#context(MAIN, agent)
    return drive(writer, agent, readable(input), context, emit, late)
  }

  /** Makes the one call of a run that has no agent. It is a success only when the tool gave a result. */
  async #call({ offered, args, hidden, agentId, agent }: CallOfRun): Promise<Ending> {
    const writer = this.#writer
    const stopped = (): Ending | undefined =>
      writer.stopping === null ? undefined : { outcome: 'interrupted', reason: writer.stopping }
    try {
      this.signal.throwIfAborted()
      const { prefix, subagentId } = MAIN
      const caller = { agentId, prefix, subagentId, policies: agent?.toolPolicies }
      this.#emitter.masks.declare(prefix, offered.name, secretsOf(offered.tool, hidden))
      const { error } = await boundaryOf(this.#parts(), caller).call(offered, args)
      if (writer.illegal) return { failed: writer.illegal }
      return stopped() ?? (error ? { unsuccessful: error } : { outcome: 'completed' })
    } catch (error) {
      return stopped() ?? { failed: writer.illegal ?? errorOf(error) }
    }
  }

  get #agentId(): string {
    const { work } = this.#start
    return 'call' in work ? work.call.agentId : work.agent.agentId
  }

  /** Writes the status `cancelling`, aborts the agent's signal, and cuts the agent off when the hard limit is reached. */
  async interrupt(reason: Reason, by: Actor): Promise<void> {
    const writer = this.#writer
    if (writer.stopping !== null || writer.over) return
    writer.stopping = reason
    const acknowledged = writer.log.write([{ type: 'run.status', ...writer.ids, status: 'cancelling', reason, by }])
    this.#stop(new DOMException(reason.message, 'AbortError'))
    await acknowledged
  }

  /** Whether the run can go on after a restart. */
  get resumable(): boolean {
    const { work } = this.#start
    return 'agent' in work && work.agent.resume === 'steps'
  }

  /** Ends the agent without an end of the run: the run stays open, and goes on when the session is opened again. */
  leave(reason: Reason): void {
    const writer = this.#writer
    if (writer.stopping !== null || writer.over) return
    this.#left = true
    writer.over = true
    this.#steers.wake()
    this.#abort.abort(new DOMException(reason.message, 'AbortError'))
    this.#actions.close()
    this.#hardLimit ??= setTimeout(() => this.#fence?.(), this.#host.interruptMs)
  }

  steer(steering: Steering): void {
    this.#steers.push(steering)
  }

  /** What is secret in the arguments that a person is asked about. */
  declared(actionId: string): DeclaredSecrets {
    return this.#actions.declared(actionId)
  }

  /** Hands the person's response to the agent that waits for it. Returns false when no agent waits. */
  respond(actionId: string, response: ActionResponse): boolean {
    return this.#actions.respond(actionId, response)
  }

  async #context(speaker: Speaker, agent: Agent): Promise<AgentContext> {
    return createContext(this.#parts(), speaker, { agent, tools: await this.#tools(agent) })
  }

  #parts(): ContextParts {
    return {
      attempt: this.#start.attempt,
      signal: this.signal,
      writer: this.#writer,
      emitter: this.#emitter,
      slot: this.#slot,
      actions: this.#actions,
      steers: this.#steers,
      subagents: this.#subagents,
      surfaces: this.#host.surfaces,
      history: this.#host.history,
      content: this.#host.content,
      host: this.#host,
      by: this.#start.by,
      toolMs: this.#host.toolMs,
      toolsAtOnce: this.#host.toolsAtOnce,
      toolFailed: (toolId: string, error: Error) => this.#toolFailed(toolId, error),
      resumed: this.#start.resumed,
      doubts: this.#doubts,
      stop: (by: Actor) => this.interrupt(interruptedByPerson(by.name), by),
    }
  }

  /** The tools that the sources offer to an agent. What is odd about them is told once, and told off when it is over. */
  async #tools(agent: Agent): Promise<readonly OfferedTool[]> {
    const { owner, log } = this.#host
    const sources = sourcesOf(this.#host.tools)
    if (sources.length === 0 || this.signal.aborted) return []
    const { sessionId, diagnostics } = log.state
    const late = (error: Error): void => this.#toolFailed('a list of tools', error)
    const audience = { owner, sessionId, agentId: agent.agentId }
    const { tools, problems, renamed } = await askSources(sources, audience, { taken: RUNTIME_TOOLS, late })
    const told = [
      ...sources.map(({ sourceId }) => ({
        id: sourceId,
        code: 'tools_left_out',
        message: problems.get(sourceId) ?? '',
      })),
      { id: 'names', code: 'tools_renamed', message: renamed },
    ] as const
    for (const { id, code, message } of told) {
      const diagnosticId = `${RUNTIME}tools/${id}`.slice(0, 200)
      const before = diagnostics.byId.get(diagnosticId)
      const open = before?.state === 'open'
      const line = message.slice(0, 1_900).toWellFormed()
      if (line === '' ? !open : open && before.message === line) continue
      const what =
        line === '' ? { state: 'cleared' as const } : { state: 'open' as const, level: 'warning' as const, code }
      const change = { type: 'diagnostic.changed', ...this.#writer.ids, diagnosticId, ...what } as const
      await this.#writer.stream(line === '' ? change : { ...change, message: line })
    }
    return tools
  }

  #toolFailed(what: string, error: Error): void {
    const { sessionId } = this.#host.log.state
    this.#host.report(
      `The tool ${what} failed after its call was over (run ${this.runId}, session ${sessionId}).`,
      error,
    )
  }

  #stop(reason: Error): void {
    const writer = this.#writer
    if (writer.over) return
    this.#abort.abort(reason)
    this.#steers.wake()
    this.#actions.cancel()
    this.#hardLimit ??= setTimeout(() => {
      // From here on nothing of the agent is taken. The end of the run is written under the newer lease.
      writer.over = true
      writer.log.renewLease().catch(() => {})
      this.#fence?.()
    }, this.#host.interruptMs)
  }

  async #end(ending: Ending): Promise<void> {
    clearTimeout(this.#hardLimit)
    const { log, ids } = this.#writer
    this.#writer.over = true
    this.#actions.close()
    this.#steers.wake()
    // Work that the agent started and did not wait for learns that the run is over.
    this.#abort.abort(new DOMException('The run is over.', 'AbortError'))
    await log.settled()
    const held = this.#emitter.held()
    if (held.length > 0) await log.write(held).catch(unlessIllegal)
    const run = log.state.runs.byId.get(this.runId)!
    const completed = 'outcome' in ending && ending.outcome === 'completed'
    const error = completed
      ? { code: 'no_result', message: 'The agent ended without a result of this call.' }
      : { code: 'interrupted', message: 'The run ended before this call did.' }
    const texts = completed ? this.#emitter.finishTexts(run.openParts) : []
    const closing: EventDraft[] = [...texts, ...closeOpen(log.state, run, error)]
    if ('failed' in ending) closing.push({ type: 'run.failed', ...ids, error: failureOf(ending.failed) })
    else if ('unsuccessful' in ending) closing.push({ type: 'run.failed', ...ids, error: ending.unsuccessful })
    else {
      const reason = ending.outcome === 'interrupted' ? { reason: ending.reason } : {}
      closing.push({ type: 'run.finished', ...ids, outcome: ending.outcome, ...reason })
    }
    try {
      await log.write(closing)
    } catch (error) {
      if (!(error instanceof IllegalEvent)) throw error
      // Without its terminal event the run would block the session. The other events are written one by one, so that
      // those that are allowed are kept.
      for (const draft of closing.slice(0, -1)) await log.write([draft]).catch(unlessIllegal)
      await log.write([{ type: 'run.failed', ...ids, error: failureOf(error) }])
    }
  }

  #report(agentId: string, error: Error): void {
    const { sessionId } = this.#host.log.state
    const when = this.over ? 'after its run had ended' : 'and its run with it'
    this.#host.report(`The agent "${agentId}" failed, ${when} (run ${this.runId}, session ${sessionId}).`, error)
  }
}

function unlessIllegal(error: unknown): void {
  if (!(error instanceof IllegalEvent)) throw error
}
