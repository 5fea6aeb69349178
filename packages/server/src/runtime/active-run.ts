import { randomUUID } from 'node:crypto'
import {
  answerText,
  type BlobRef,
  type EventDraft,
  type Failure,
  type JsonObject,
  type TurnInput,
} from '@vitrine/protocol'
import type {
  ActionAnswer,
  Agent,
  AgentContext,
  AgentOutput,
  HistoryMessage,
  LargeText,
  Steering,
} from '../agents/agent.ts'
import { MAX_DELTA } from '../log/merge.ts'
import { IllegalEvent, type SessionLog } from '../log/session-log.ts'
import { closeOpen } from './closing.ts'
import type { SessionSurfaces } from './surfaces.ts'
import { digestOf, TextFinals } from './text-finals.ts'

const PREVIEW = 8 * 1024
/** What of an interface fits into an event beside the rest of it; a larger one is loaded on demand. */
const MAX_INLINE_UI = 40 * 1024
const UI_SCHEMA_MEDIA_TYPE = 'application/vnd.vitrine.ui-schema+json'
/** What an agent may emit; everything else belongs to the runtime. */
const RUNTIME_ONLY =
  /^(session\.|run\.(started|finished|failed)|action\.|queue\.|steer\.|permission\.|task\.|surface\.)/

/** What a run needs of the session that it works in. */
export interface RunHost {
  log: SessionLog
  agent(agentId: string): Agent | undefined
  store(large: LargeText): Promise<{ preview: string; ref?: BlobRef }>
  surfaces: SessionSurfaces
  compileUi(uiHints: JsonObject): { ui: JsonObject; correction: string | null }
  interruptMs: number
  now(): number
}

export interface RunStart {
  runId: string
  turnId: string
  attempt: number
  agent: Agent
  input: TurnInput
}

type Ending = { outcome: 'completed' } | { outcome: 'interrupted'; detail: string } | { failed: IllegalEvent | Error }

/** One run: drives the agent, gives its outputs their place, and ends when the agent has really ended. */
export class ActiveRun {
  readonly runId: string
  readonly turnId: string
  /** Set on interrupt: why. */
  stopping: string | null = null
  readonly #host: RunHost
  readonly #start: RunStart
  readonly #abort = new AbortController()
  readonly #finals = new TextFinals()
  readonly #asks = new Map<string, { answer: (answer: ActionAnswer) => void; timer: NodeJS.Timeout | undefined }>()
  #steers: Steering[] = []
  #wake: (() => void)[] = []
  #status = 'submitted'
  #illegal: IllegalEvent | undefined
  #fenced = false
  #fence: (() => void) | undefined
  #hardLimit: NodeJS.Timeout | undefined
  #spawned = 0
  #parts = 0

  constructor(host: RunHost, start: RunStart) {
    this.#host = host
    this.#start = start
    this.runId = start.runId
    this.turnId = start.turnId
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get messageId(): string {
    return `${this.runId}/m`
  }

  /** Runs the agent to its end and writes the terminal event. Never throws: a log that cannot write is its own report. */
  async execute(): Promise<void> {
    await this.#end(await this.#drive()).catch(() => {})
  }

  async #drive(): Promise<Ending> {
    const { agent, input } = this.#start
    const fenced = new Promise<Ending>(resolve => {
      this.#fence = () =>
        resolve({ outcome: 'interrupted', detail: 'The agent did not stop in time; what it still sends is refused.' })
    })
    return Promise.race([
      this.#iterate(agent, input, this.#context('', null), output => this.#emit(output, '', null)),
      fenced,
    ])
  }

  async #iterate(
    agent: Agent,
    input: TurnInput,
    context: AgentContext,
    emit: (output: AgentOutput) => Promise<void>,
  ): Promise<Ending> {
    try {
      await this.#setStatus('preparing')
      for await (const output of agent.run(input, context)) {
        if (this.#illegal) break
        await emit(output)
      }
      await this.#host.log.settled()
      if (this.#illegal) return { failed: this.#illegal }
      return this.stopping === null ? { outcome: 'completed' } : { outcome: 'interrupted', detail: this.stopping }
    } catch (error) {
      if (this.stopping !== null) return { outcome: 'interrupted', detail: this.stopping }
      return { failed: this.#illegal ?? (error instanceof Error ? error : new Error(String(error))) }
    }
  }

  /** Acknowledged by `cancelling`, carried out by the abort signal, bounded by the hard limit. */
  async interrupt(reason: string, onHardLimit: () => Promise<void>): Promise<void> {
    if (this.stopping !== null) return
    this.stopping = reason
    const acknowledged = this.#host.log.write([
      { type: 'run.status', runId: this.runId, turnId: this.turnId, status: 'cancelling', detail: reason },
    ])
    this.#abort.abort(new DOMException(reason, 'AbortError'))
    for (const wake of this.#wake.splice(0)) wake()
    for (const [actionId, ask] of [...this.#asks]) this.#settleAsk(actionId, ask, { outcome: 'cancelled', value: null })
    this.#hardLimit = setTimeout(async () => {
      await onHardLimit().catch(() => {})
      this.#fenced = true
      this.#fence?.()
    }, this.#host.interruptMs)
    await acknowledged
  }

  steer(steering: Steering): void {
    this.#steers.push(steering)
    for (const wake of this.#wake.splice(0)) wake()
  }

  /** Hands the person's answer to the agent that waits for it; false when nobody does. */
  answer(actionId: string, answer: ActionAnswer): boolean {
    const ask = this.#asks.get(actionId)
    if (!ask) return false
    this.#asks.delete(actionId)
    clearTimeout(ask.timer)
    ask.answer(answer)
    if (this.#asks.size === 0 && this.stopping === null) this.#setStatus('streaming').catch(() => {})
    return true
  }

  #partId(): string {
    return `${this.messageId}/r${++this.#parts}`
  }

  async #end(ending: Ending): Promise<void> {
    clearTimeout(this.#hardLimit)
    this.#fenced = true
    const { log } = this.#host
    await log.settled()
    const { runId, turnId } = this
    const ids = { runId, turnId }
    const run = log.state.runs.byId.get(runId)!
    const completed = 'outcome' in ending && ending.outcome === 'completed'
    const error = completed
      ? { code: 'no-result', message: 'The agent ended without a result of this call.' }
      : { code: 'interrupted', message: 'The run ended before this call did.' }
    const closing = [...(completed ? this.#finishTexts([...run.open]) : []), ...closeOpen(log.state, run, error)]
    if ('failed' in ending) {
      closing.push({ type: 'run.failed', ...ids, error: failureOf(ending.failed) })
    } else {
      const detail = ending.outcome === 'interrupted' ? ending.detail : undefined
      closing.push({ type: 'run.finished', ...ids, outcome: ending.outcome, ...(detail !== undefined && { detail }) })
    }
    await log.write(closing)
  }

  /** An agent that ends well has said all of its texts. */
  #finishTexts(open: string[]): EventDraft[] {
    const { runId, turnId } = this
    return open.flatMap((key): EventDraft[] => {
      const part = key.startsWith('part:') ? this.#host.log.state.parts.byId.get(key.slice('part:'.length)) : undefined
      if (!part) return []
      const at = { runId, turnId, messageId: part.messageId, partId: part.partId }
      const rest = this.#finals.rest(part.partId)
      if (part.kind === 'reasoning') return [{ type: 'reasoning.summary', ...at }]
      if (part.kind !== 'text') return []
      const delta: EventDraft[] = rest ? [{ type: 'text.delta', ...at, delta: rest }] : []
      return [...delta, { type: 'text.final', ...at, ...this.#finals.final(part.partId) }]
    })
  }

  async #setStatus(status: 'queued' | 'preparing' | 'streaming' | 'tool' | 'waiting', detail?: string): Promise<void> {
    if (this.stopping !== null || (this.#status === status && detail === undefined)) return
    this.#status = status
    const { runId, turnId } = this
    await this.#stream({ type: 'run.status', runId, turnId, status, ...(detail !== undefined && { detail }) })
  }

  /** Shown while the run waits for a free place. */
  async waiting(ahead: number): Promise<void> {
    await this.#setStatus('queued', ahead === 0 ? 'Next to start.' : `${ahead} ahead.`)
  }

  #stream(draft: EventDraft): Promise<void> {
    if (this.#fenced) return Promise.reject(new IllegalEvent('run-ended', 'the run is over', draft))
    return this.#host.log.stream(draft, error => {
      this.#illegal ??= error
      this.#abort.abort(error)
    })
  }

  /** `prefix` keeps the ids of child agents apart; `agentId` says which of them speaks. */
  async #emit(output: AgentOutput, prefix: string, agentId: string | null): Promise<void> {
    const { runId, turnId } = this
    if (RUNTIME_ONLY.test(output.type)) {
      this.#illegal ??= new IllegalEvent('not-for-agents', 'only the runtime says this', output as EventDraft)
      this.#abort.abort(this.#illegal)
      return
    }
    const local = output as AgentOutput & { messageId?: string; partId?: string; toolCallId?: string; agentId?: string }
    const base = `${this.messageId}${prefix}`
    const messageId = local.messageId === undefined ? base : `${base}/${local.messageId}`
    const event = {
      ...output,
      runId,
      turnId,
      ...(agentId !== null && local.agentId === undefined && { agentId }),
    } as EventDraft & Record<string, unknown>
    if (local.partId !== undefined) {
      event.partId = `${messageId}/${local.partId}`
      event.messageId = messageId
    } else if (local.messageId !== undefined || output.type === 'metric.changed') event.messageId = messageId
    if (local.toolCallId !== undefined) event.toolCallId = this.#toolCallId(local.toolCallId, prefix)
    if (event.type === 'part.retracted' && event.replacedBy !== undefined)
      event.replacedBy = `${messageId}/${event.replacedBy}`
    if (event.type === 'tool.started' && event.retryOf !== undefined)
      event.retryOf = this.#toolCallId(event.retryOf, prefix)

    switch (event.type) {
      case 'text.delta':
      case 'reasoning.delta':
        await this.#setStatus('streaming')
        return this.#pieces(event, this.#finals.push(event.partId, event.delta))
      case 'text.final':
        return this.#final(event)
      case 'tool.started':
        await this.#setStatus('tool')
        return this.#stream(event)
      case 'tool.output.delta':
        return this.#pieces(event, event.delta.toWellFormed())
      case 'tool.result':
        return this.#stream(await this.#fit(event))
      default:
        return this.#stream(event)
    }
  }

  #toolCallId(local: string, prefix: string): string {
    return `${this.runId}${prefix}/${local}`
  }

  async #pieces(event: EventDraft & { delta?: unknown }, text: string): Promise<void> {
    for (let at = 0; at < text.length; ) {
      let end = Math.min(at + MAX_DELTA, text.length)
      const last = text.charCodeAt(end - 1)
      if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--
      await this.#stream({ ...event, delta: text.slice(at, end) } as EventDraft)
      at = end
    }
  }

  async #final(event: Extract<EventDraft, { type: 'text.final' }>): Promise<void> {
    await this.#pieces({ ...event, type: 'text.delta' } as never, this.#finals.rest(event.partId))
    const streamed = this.#finals.final(event.partId)
    const { text: given, ...rest } = event
    const text = given?.toWellFormed()
    const final = text === undefined ? streamed : digestOf(text)
    const same = final.digest === streamed.digest
    if (same || text === undefined) return this.#stream({ ...rest, ...final })
    if (text.length <= PREVIEW) return this.#stream({ ...rest, ...final, text })
    const { ref } = await this.#host.store({ text, mediaType: 'text/markdown' })
    return this.#stream({ ...rest, ...final, ...(ref && { ref }) })
  }

  /** A result that is too large for an event goes to the blob store; hints become the interface they describe. */
  async #fit(event: Extract<EventDraft, { type: 'tool.result' }>): Promise<EventDraft> {
    const fitted = { ...event }
    if (fitted.uiHints && !fitted.ui) {
      const { ui, correction } = this.#host.compileUi(fitted.uiHints)
      fitted.ui = ui
      if (correction) await this.#diagnose('ui-hints', correction)
    }
    const drawn = fitted.ui && JSON.stringify(fitted.ui)
    if (drawn && drawn.length + JSON.stringify(fitted.uiHints ?? null).length > MAX_INLINE_UI) {
      delete fitted.uiHints
      if (drawn.length > MAX_INLINE_UI) {
        delete fitted.ui
        const { ref } = await this.#host.store({ text: drawn, mediaType: UI_SCHEMA_MEDIA_TYPE })
        return { ...fitted, ...(ref && { ref }) }
      }
    }
    const value = fitted.value === undefined ? '' : JSON.stringify(fitted.value)
    if (value.length > PREVIEW) {
      const stored = await this.#host.store({ text: value, mediaType: 'application/json' })
      delete fitted.value
      return { ...fitted, ...stored, preview: fitted.preview ?? stored.preview }
    }
    if (fitted.preview !== undefined && fitted.preview.length > PREVIEW) {
      return { ...fitted, ...(await this.#host.store({ text: fitted.preview })) }
    }
    return fitted
  }

  async #diagnose(code: string, message: string): Promise<void> {
    const { runId, turnId } = this
    const diagnosticId = `${runId}/${code}`
    const text = message.slice(0, 2_000).toWellFormed()
    await this.#stream({
      type: 'diagnostic.changed',
      runId,
      turnId,
      diagnosticId,
      state: 'open',
      level: 'warning',
      code,
      message: text,
    })
  }

  /** The `show_ui` tool: draws what the hints describe, or tells the agent what to correct. */
  async #showUi(hints: JsonObject, emit: (output: AgentOutput) => Promise<void>): Promise<JsonObject> {
    const toolCallId = `show-ui-${++this.#parts}`
    const args = JSON.stringify(hints)
    await emit({ type: 'tool.started', partId: toolCallId, toolCallId, name: 'show_ui' })
    await emit({ type: 'tool.args', toolCallId, delta: args.length > PREVIEW ? '' : args, done: true })
    const { correction } = this.#host.compileUi(hints)
    if (correction) {
      const preview = args.slice(0, PREVIEW)
      await emit({
        type: 'tool.failed',
        toolCallId,
        error: { code: 'ui-hints', message: correction.slice(0, 2_000) },
        preview,
      })
      return { shown: false, error: correction }
    }
    await emit({ type: 'tool.result', toolCallId, uiHints: hints })
    return { shown: true }
  }

  #context(prefix: string, agentId: string | null): AgentContext {
    const { log } = this.#host
    return {
      sessionId: log.state.sessionId,
      runId: this.runId,
      turnId: this.turnId,
      attempt: this.#start.attempt,
      signal: this.signal,
      steers: {
        take: () => this.#takeSteers(),
        wait: () =>
          new Promise(resolve => {
            if (this.#steers.length > 0 || this.signal.aborted) resolve()
            else this.#wake.push(resolve)
          }),
      },
      ask: request => this.#ask(request, prefix),
      store: large => this.#host.store(large),
      spawn: (childId, input, name) => this.#spawn(childId, input, name, agentId),
      surfaces: {
        apply: (envelopes, toolCallId) => {
          const { runId, turnId } = this
          const call = toolCallId === undefined ? undefined : this.#toolCallId(toolCallId, prefix)
          const messageId = `${this.messageId}${prefix}`
          return this.#host.surfaces.apply(envelopes, {
            runId,
            turnId,
            messageId,
            partId: () => this.#partId(),
            toolCallId: call,
          })
        },
      },
      showUi: hints => this.#showUi(hints, output => this.#emit(output, prefix, agentId)),
      history: async limit => this.#history(limit ?? 100),
      state: () => (log.state.shared.value.known ? structuredClone(log.state.shared.value.value) : undefined),
    }
  }

  #takeSteers(): Steering[] {
    const taken = this.#steers.splice(0)
    for (const { steerId } of taken) {
      const { runId, turnId, messageId } = this
      this.#stream({ type: 'steer.consumed', runId, turnId, steerId, messageId, partId: this.#partId() }).catch(
        () => {},
      )
    }
    return taken
  }

  async #ask(request: Parameters<AgentContext['ask']>[0], prefix: string): Promise<ActionAnswer> {
    const { toolCallId: local, ...given } = request
    const { log } = this.#host
    const { runId, turnId } = this
    const actionId = `act_${randomUUID()}`
    this.signal.throwIfAborted()
    const grant =
      given.kind === 'approval' && given.scope
        ? [...log.state.permissions.byId.values()].find(p => p.state === 'granted' && p.scope?.key === given.scope?.key)
        : undefined
    const messageId = `${this.messageId}${prefix}`
    const required: EventDraft = {
      type: 'action.required',
      runId,
      turnId,
      actionId,
      messageId,
      partId: this.#partId(),
      request: given,
      ...(local !== undefined && { toolCallId: this.#toolCallId(local, prefix) }),
    }
    if (grant) {
      await log.write([
        required,
        { type: 'action.resolved', runId, turnId, actionId, outcome: 'approved', by: 'policy' },
      ])
      return { outcome: 'approved', value: null }
    }
    const answered = new Promise<ActionAnswer>(answer => {
      const timer =
        given.expiresAt === undefined
          ? undefined
          : setTimeout(
              () => this.#settleAsk(actionId, this.#asks.get(actionId), { outcome: 'expired', value: null }),
              Math.min(Math.max(given.expiresAt - this.#host.now(), 0), 2_147_483_647),
            )
      this.#asks.set(actionId, { answer, timer })
    })
    try {
      await log.write([required])
    } catch (error) {
      clearTimeout(this.#asks.get(actionId)?.timer)
      this.#asks.delete(actionId)
      if (error instanceof IllegalEvent) this.#illegal ??= error
      throw error
    }
    await this.#setStatus('waiting', given.title.slice(0, 200))
    return answered
  }

  /** The system answers: expiry (the safe default is no) or the end of the run. */
  #settleAsk(
    actionId: string,
    ask: { answer: (answer: ActionAnswer) => void; timer: NodeJS.Timeout | undefined } | undefined,
    answer: ActionAnswer,
  ): void {
    if (!ask || !this.#asks.delete(actionId)) return
    clearTimeout(ask.timer)
    const { runId, turnId } = this
    this.#host.log
      .write([{ type: 'action.resolved', runId, turnId, actionId, outcome: answer.outcome, by: 'system' }])
      .catch(() => {})
      .finally(() => ask.answer(answer))
  }

  async #spawn(
    childId: string,
    text: string,
    name: string | undefined,
    parentAgentId: string | null,
  ): ReturnType<AgentContext['spawn']> {
    const agent = this.#host.agent(childId)
    if (!agent) throw new Error(`There is no agent "${childId}" to spawn.`)
    const { runId, turnId } = this
    const prefix = `/a${++this.#spawned}`
    const agentId = `${runId}${prefix}`
    await this.#stream({
      type: 'agent.spawned',
      runId,
      turnId,
      agentId,
      messageId: this.messageId,
      partId: this.#partId(),
      name: name ?? agent.name,
      input: text.slice(0, 2_000),
      ...(parentAgentId !== null && { parentAgentId }),
    })
    let said = ''
    const ending = await this.#iterate(agent, { text }, this.#context(prefix, agentId), async output => {
      if (output.type === 'text.delta') said += output.delta
      await this.#emit(output, prefix, agentId)
    })
    const outcome = 'failed' in ending ? 'failed' : ending.outcome
    const summary = 'failed' in ending ? ending.failed.message : said
    await this.#stream({
      type: 'agent.completed',
      runId,
      turnId,
      agentId,
      outcome,
      summary: summary.slice(0, 2_000).toWellFormed(),
    })
    return { outcome, text: said }
  }

  #history(limit: number): HistoryMessage[] {
    const { state } = this.#host.log
    const messages: HistoryMessage[] = []
    for (const message of state.messages.byId.values()) {
      if (message.turnId !== this.turnId && message.agentId === null) {
        messages.push({ role: message.role, text: answerText(state, message) })
      }
    }
    return messages.slice(-limit)
  }
}

/** What a person is told. An agent's error may bring its own code, advice and whether trying again can help. */
function failureOf(error: Error & { code?: unknown; next?: unknown; retryable?: unknown }): Failure {
  const text = (value: unknown, fallback: string): string =>
    typeof value === 'string' && value ? value.slice(0, 2_000).toWellFormed() : fallback
  const illegal = error instanceof IllegalEvent
  return {
    code: text(error.code, 'agent-error').slice(0, 200),
    message: text(error.message, 'The agent failed without saying why.'),
    retryable: error.retryable !== false,
    next: illegal ? 'The agent broke the protocol; tell whoever maintains it.' : text(error.next, 'Try again.'),
  }
}
