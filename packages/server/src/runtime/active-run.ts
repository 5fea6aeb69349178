import type { Actor, EventDraft, Reason, TurnInput } from '@vitrine/protocol'
import type { ActionAnswer, Agent, AgentContext, Steering } from '../agents/agent.ts'
import { readable } from '../agents/interaction-text.ts'
import { IllegalEvent, type SessionLog } from '../log/session-log.ts'
import { closeOpen } from './closing.ts'
import { agentDidNotStop, runOver, steersFull, waitingForPlace } from './reasons.ts'
import { Asks } from './run/asks.ts'
import { createContext } from './run/context.ts'
import { drive, type Ending } from './run/drive.ts'
import { Emitter } from './run/emit.ts'
import { failureOf } from './run/failure.ts'
import type { FitHost } from './run/fit.ts'
import { Place } from './run/place.ts'
import { Children, type Speaker } from './run/spawn.ts'
import { Steers } from './run/steers.ts'
import { RunWriter } from './run/writer.ts'
import type { Slots } from './slots.ts'
import type { StoredHistory } from './stored-history.ts'
import type { SessionSurfaces } from './surfaces.ts'

/** What a run needs of the session that it works in. */
export interface RunHost extends FitHost {
  log: SessionLog
  slots: Slots
  agent(agentId: string): Agent | undefined
  surfaces: SessionSurfaces
  history: StoredHistory
  interruptMs: number
  now(): number
  /** A line for the server's log, with the error and its stack. */
  report(line: string, error: unknown): void
}

export interface RunStart {
  runId: string
  turnId: string
  attempt: number
  agent: Agent
  input: TurnInput
}

const MAIN: Speaker = { prefix: '', agentId: null, depth: 0 }

/** One run: drives the agent and ends when the agent has really ended. The files in run/ do its parts. */
export class ActiveRun {
  readonly runId: string
  readonly turnId: string
  readonly #host: RunHost
  readonly #start: RunStart
  readonly #abort = new AbortController()
  readonly #writer: RunWriter
  readonly #emitter: Emitter
  readonly #place: Place
  readonly #asks: Asks
  readonly #steers: Steers
  readonly #children: Children
  #fence: (() => void) | undefined
  #hardLimit: NodeJS.Timeout | undefined

  constructor(host: RunHost, start: RunStart) {
    this.#host = host
    this.#start = start
    this.runId = start.runId
    this.turnId = start.turnId
    // A run that broke a rule is stopped like one that was interrupted.
    this.#writer = new RunWriter(host.log, start, () => this.#stop(this.#writer.illegal!))
    this.#emitter = new Emitter(this.#writer, host)
    this.#place = new Place({
      slots: host.slots,
      signal: this.signal,
      queued: ahead => void this.#writer.setStatus('queued', waitingForPlace(ahead)).catch(() => {}),
      returned: () => this.#asks.show(),
    })
    this.#asks = new Asks(this.#writer, this.#place, this.signal, host.now)
    this.#steers = new Steers(this.#writer, this.signal)
    this.#children = new Children({
      writer: this.#writer,
      emitter: this.#emitter,
      place: this.#place,
      agent: host.agent,
      context: speaker => this.#context(speaker),
      failed: (agentId, error) => this.#report(agentId, error),
    })
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Its end is being written or was: nothing more can reach the agent. */
  get over(): boolean {
    return this.#writer.over
  }

  /** Why a steer cannot reach the agent; null when it can. */
  get deaf(): Reason | null {
    const { over, stopping, illegal } = this.#writer
    if (over || stopping !== null || illegal) return runOver
    return this.#steers.full ? steersFull : null
  }

  /** Waits for a place, runs the agent to its end and writes the terminal event. Never throws: a log that cannot write is its own report. */
  async execute(): Promise<void> {
    const { agent, input } = this.#start
    const writer = this.#writer
    const place = this.#place
    await place.take()
    const fenced = new Promise<Ending>(resolve => {
      this.#fence = () =>
        resolve(writer.illegal ? { failed: writer.illegal } : { outcome: 'interrupted', reason: agentDidNotStop })
    })
    const { prefix, agentId } = MAIN
    const emit = (output: unknown): Promise<unknown> => place.work(() => this.#emitter.emit(output, prefix, agentId))
    const late = (error: Error): void => this.#report(agent.agentId, error)
    const driven = place.agent(prefix, () => drive(writer, agent, readable(input), this.#context(MAIN), emit, late))
    const ending = await Promise.race([driven, fenced])
    if ('failed' in ending) this.#report(agent.agentId, ending.failed)
    await this.#end(ending).catch(() => {})
    place.close()
  }

  /** Acknowledged by `cancelling`, carried out by the abort signal, bounded by the hard limit. */
  async interrupt(reason: Reason, by: Actor): Promise<void> {
    const writer = this.#writer
    if (writer.stopping !== null || writer.over) return
    writer.stopping = reason
    const acknowledged = writer.log.write([{ type: 'run.status', ...writer.ids, status: 'cancelling', reason, by }])
    this.#stop(new DOMException(reason.message, 'AbortError'))
    await acknowledged
  }

  steer(steering: Steering): void {
    this.#steers.push(steering)
  }

  /** Hands the person's answer to the agent that waits for it; false when nobody does. */
  answer(actionId: string, answer: ActionAnswer): boolean {
    return this.#asks.answer(actionId, answer)
  }

  #context(speaker: Speaker): AgentContext {
    const parts = {
      attempt: this.#start.attempt,
      signal: this.signal,
      writer: this.#writer,
      emitter: this.#emitter,
      place: this.#place,
      asks: this.#asks,
      steers: this.#steers,
      children: this.#children,
      surfaces: this.#host.surfaces,
      history: this.#host.history,
      host: this.#host,
    }
    return createContext(parts, speaker)
  }

  #stop(reason: Error): void {
    const writer = this.#writer
    if (writer.over) return
    this.#abort.abort(reason)
    this.#steers.wake()
    this.#asks.cancel()
    this.#hardLimit ??= setTimeout(() => {
      // From here on nothing is taken, also while the lease is on its way; the end of the run waits for it.
      writer.over = true
      writer.log.renewLease().catch(() => {})
      this.#fence?.()
    }, this.#host.interruptMs)
  }

  async #end(ending: Ending): Promise<void> {
    clearTimeout(this.#hardLimit)
    const { log, ids } = this.#writer
    this.#writer.over = true
    this.#asks.close()
    this.#steers.wake()
    // What the agent left behind learns that nobody waits for it any more.
    this.#abort.abort(new DOMException('The run is over.', 'AbortError'))
    await log.settled()
    const run = log.state.runs.byId.get(this.runId)!
    const completed = 'outcome' in ending && ending.outcome === 'completed'
    const error = completed
      ? { code: 'no_result', message: 'The agent ended without a result of this call.' }
      : { code: 'interrupted', message: 'The run ended before this call did.' }
    const texts = completed ? this.#emitter.finishTexts([...run.open]) : []
    const closing: EventDraft[] = [...texts, ...closeOpen(log.state, run, error)]
    if ('failed' in ending) closing.push({ type: 'run.failed', ...ids, error: failureOf(ending.failed) })
    else {
      const reason = ending.outcome === 'interrupted' ? { reason: ending.reason } : {}
      closing.push({ type: 'run.finished', ...ids, outcome: ending.outcome, ...reason })
    }
    try {
      await log.write(closing)
    } catch (error) {
      if (!(error instanceof IllegalEvent)) throw error
      // Without its terminal event the run would block the session. What else is allowed is kept, each on its own.
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
