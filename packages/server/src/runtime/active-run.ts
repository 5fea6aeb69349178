import { randomUUID } from 'node:crypto'
import {
  type Actor,
  answerText,
  type BlobRef,
  type Code,
  type EventDraft,
  type Failure,
  type Interaction,
  type Json,
  type JsonObject,
  type Reason,
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
import { interactionText } from '../agents/interaction-text.ts'
import { SYSTEM } from '../auth/principal.ts'
import { MAX_DELTA } from '../log/merge.ts'
import { IllegalEvent, type SessionLog } from '../log/session-log.ts'
import { answerSchema } from './answer-schema.ts'
import { closeOpen } from './closing.ts'
import { drawingTools } from './drawing-tools.ts'
import { agentDidNotStop, agentSaid, runOver, steersFull, waitingForAnswer, waitingForPlace } from './reasons.ts'
import type { SessionSurfaces } from './surfaces.ts'
import { digestOf, TextFinals } from './text-finals.ts'

const PREVIEW = 8 * 1024
/** Bytes of an interface that fit into an event beside the rest of it; a larger one is loaded on demand. */
const MAX_INLINE_UI = 32 * 1024
/** What one run may have under way, so that an agent that starts itself or asks without end is stopped. */
const MAX_AGENTS = 64
const MAX_DEPTH = 8
const MAX_ASKS = 100
const MAX_STEERS = 100
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

type Ending = { outcome: 'completed' } | { outcome: 'interrupted'; reason: Reason } | { failed: IllegalEvent | Error }

/** One run: drives the agent, gives its outputs their place, and ends when the agent has really ended. */
export class ActiveRun {
  readonly runId: string
  readonly turnId: string
  /** Set on interrupt: why. */
  stopping: Reason | null = null
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

  /** Its end is being written or was: nothing more can reach the agent. */
  get over(): boolean {
    return this.#fenced
  }

  /** Why a steer cannot reach the agent; null when it can. */
  get deaf(): Reason | null {
    if (this.#fenced || this.stopping !== null || this.#illegal) return runOver
    return this.#steers.length < MAX_STEERS ? null : steersFull
  }

  async #drive(): Promise<Ending> {
    const { agent, input: given } = this.#start
    const input = readable(given)
    const fenced = new Promise<Ending>(resolve => {
      this.#fence = () =>
        resolve(this.#illegal ? { failed: this.#illegal } : { outcome: 'interrupted', reason: agentDidNotStop })
    })
    return Promise.race([
      this.#iterate(agent, input, this.#context('', null, 0), output => this.#emit(output, '', null)),
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
      this.signal.throwIfAborted()
      await this.#setStatus('preparing')
      for await (const output of agent.run(input, context)) {
        if (this.#illegal) break
        await emit(output)
      }
      await this.#host.log.settled()
      if (this.#illegal) return { failed: this.#illegal }
      return this.stopping === null ? { outcome: 'completed' } : { outcome: 'interrupted', reason: this.stopping }
    } catch (error) {
      if (this.stopping !== null) return { outcome: 'interrupted', reason: this.stopping }
      return { failed: this.#illegal ?? (error instanceof Error ? error : new Error(textOf(error))) }
    }
  }

  /** Acknowledged by `cancelling`, carried out by the abort signal, bounded by the hard limit. */
  async interrupt(reason: Reason, by: Actor): Promise<void> {
    if (this.stopping !== null || this.over) return
    this.stopping = reason
    const acknowledged = this.#host.log.write([
      { type: 'run.status', runId: this.runId, turnId: this.turnId, status: 'cancelling', reason, by },
    ])
    this.#stop(new DOMException(reason.message, 'AbortError'))
    await acknowledged
  }

  /** The agent broke a rule: the run fails with the first one, and is stopped like one that was interrupted. */
  #violated(error: IllegalEvent): void {
    this.#illegal ??= error
    this.#stop(error)
  }

  #stop(reason: Error): void {
    if (this.#fenced) return
    this.#abort.abort(reason)
    for (const wake of this.#wake.splice(0)) wake()
    for (const [actionId, ask] of [...this.#asks])
      this.#settleAsk(actionId, ask, { outcome: 'cancelled', value: null, by: SYSTEM })
    this.#hardLimit ??= setTimeout(() => {
      // From here on nothing is taken, also while the lease is on its way; the end of the run waits for it.
      this.#fenced = true
      this.#host.log.renewLease().catch(() => {})
      this.#fence?.()
    }, this.#host.interruptMs)
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
    for (const { answer, timer } of this.#asks.values()) {
      clearTimeout(timer)
      answer({ outcome: 'cancelled', value: null, by: SYSTEM })
    }
    this.#asks.clear()
    for (const wake of this.#wake.splice(0)) wake()
    const { log } = this.#host
    await log.settled()
    const { runId, turnId } = this
    const ids = { runId, turnId }
    const run = log.state.runs.byId.get(runId)!
    const completed = 'outcome' in ending && ending.outcome === 'completed'
    const error = completed
      ? { code: 'no_result', message: 'The agent ended without a result of this call.' }
      : { code: 'interrupted', message: 'The run ended before this call did.' }
    const closing = [...(completed ? this.#finishTexts([...run.open]) : []), ...closeOpen(log.state, run, error)]
    if ('failed' in ending) {
      closing.push({ type: 'run.failed', ...ids, error: failureOf(ending.failed) })
    } else {
      const reason = ending.outcome === 'interrupted' ? { reason: ending.reason } : {}
      closing.push({ type: 'run.finished', ...ids, outcome: ending.outcome, ...reason })
    }
    try {
      await log.write(closing)
    } catch (error) {
      if (!(error instanceof IllegalEvent) || run.outcome) throw error
      // Without its terminal event the run would block the session; what it left open the fold shows as unknown.
      await log.write([{ type: 'run.failed', ...ids, error: failureOf(error) }])
    }
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
      const final = this.#finals.final(part.partId)
      // A child that still spoke when the run ended was cut off: its text stays incomplete.
      if (final.length !== part.text.length + rest.length) return []
      return [...delta, { type: 'text.final', ...at, ...final }]
    })
  }

  async #setStatus(status: 'queued' | 'preparing' | 'streaming' | 'tool' | 'waiting', reason?: Reason): Promise<void> {
    if (this.stopping !== null || (this.#status === status && reason === undefined)) return
    this.#status = status
    const { runId, turnId } = this
    await this.#stream({ type: 'run.status', runId, turnId, status, ...(reason && { reason }) })
  }

  /** Shown while the run waits for a free place. */
  async waiting(ahead: number): Promise<void> {
    await this.#setStatus('queued', waitingForPlace(ahead))
  }

  #stream(draft: EventDraft): Promise<void> {
    if (this.#fenced) return Promise.reject(new IllegalEvent('run-ended', 'the run is over', draft))
    return this.#host.log.stream(draft, error => this.#violated(error))
  }

  /** `prefix` keeps the ids of child agents apart; `agentId` says which of them speaks. */
  async #emit(output: AgentOutput, prefix: string, agentId: string | null): Promise<void> {
    const { runId, turnId } = this
    const wrong = misshapen(output)
    if (wrong !== undefined) {
      return this.#violated(new IllegalEvent('shape', wrong, { type: output?.type } as EventDraft))
    }
    if (RUNTIME_ONLY.test(output.type)) {
      return this.#violated(new IllegalEvent('not-for-agents', 'only the runtime says this', output as EventDraft))
    }
    const local = output as AgentOutput & { messageId?: string; partId?: string; toolCallId?: string; agentId?: string }
    const base = `${this.messageId}${prefix}`
    const messageId = local.messageId === undefined ? base : `${base}/${local.messageId}`
    const { reason } = output as { reason?: unknown }
    const event = {
      ...output,
      ...(typeof reason === 'string' && { reason: agentSaid(reason) }),
      // Only the runtime knows who acted.
      by: undefined,
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
      case 'tool.args': {
        const { done: _, summary: __, ...part } = event
        const rest = event.delta.length > MAX_DELTA ? event.delta.length - (event.delta.length % MAX_DELTA) : 0
        await this.#pieces(part as EventDraft, event.delta.slice(0, rest))
        return this.#stream({ ...event, delta: event.delta.slice(rest) })
      }
      case 'tool.result':
        return this.#stream(await this.#fit(event))
      case 'tool.failed': {
        if (event.preview === undefined || event.preview.length <= PREVIEW) return this.#stream(event)
        return this.#stream({ ...event, ...(await this.#host.store({ text: event.preview })) })
      }
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
      if (correction) await this.#diagnose('ui_hints', correction)
    }
    const drawn = fitted.ui && JSON.stringify(fitted.ui)
    if (drawn && Buffer.byteLength(drawn + JSON.stringify(fitted.uiHints ?? null)) > MAX_INLINE_UI) {
      delete fitted.uiHints
      if (Buffer.byteLength(drawn) > MAX_INLINE_UI) {
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

  #context(prefix: string, agentId: string | null, depth: number): AgentContext {
    const { log } = this.#host
    // An agent may start something and not wait for it: its failure must not end the process.
    const kept = <T>(promise: Promise<T>): Promise<T> => {
      promise.catch(() => {})
      return promise
    }
    const applySurfaces = (envelopes: Json[], toolCallId?: string): Promise<JsonObject> => {
      const { runId, turnId } = this
      const call = toolCallId === undefined ? undefined : this.#toolCallId(toolCallId, prefix)
      const messageId = `${this.messageId}${prefix}`
      const ids = { runId, turnId, messageId, partId: () => this.#partId(), toolCallId: call }
      return kept(this.#host.surfaces.apply(envelopes, ids))
    }
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
            if (this.#steers.length > 0 || this.signal.aborted || this.#fenced) resolve()
            else this.#wake.push(resolve)
          }),
      },
      ask: request => kept(this.#ask(request, prefix)),
      store: large => kept(this.#host.store(large)),
      spawn: (childId, input, name) => kept(this.#spawn(childId, input, name, agentId, depth + 1)),
      surfaces: { apply: applySurfaces },
      tools: drawingTools({
        a2ui: log.state.session.metadata.enableA2ui !== false,
        callId: name => `${name}-${++this.#parts}`,
        emit: output => this.#emit(output, prefix, agentId),
        applySurfaces,
        correctionOf: hints => this.#host.compileUi(hints).correction,
      }).map(tool => ({ ...tool, call: args => kept(tool.call(args)) })),
      history: async limit => this.#history(limit ?? 100),
      state: () => (log.state.shared.value.known ? structuredClone(log.state.shared.value.value) : undefined),
    }
  }

  #takeSteers(): Steering[] {
    const taken = this.#steers.splice(0).map(readable)
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
    if (this.#asks.size >= MAX_ASKS) throw coded('ask_limit', `At most ${MAX_ASKS} requests of a run wait at once.`)
    if (given.schema && !answerSchema(given.schema)) {
      throw coded('schema_invalid', 'The schema of the answer is not a JSON Schema that can be used.')
    }
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
      const by: Actor = { kind: 'policy', id: grant.permissionId, name: grant.scope?.label ?? '' }
      await log.write([required, { type: 'action.resolved', runId, turnId, actionId, outcome: 'approved', by }])
      return { outcome: 'approved', value: null, by }
    }
    const answered = new Promise<ActionAnswer>(answer => {
      const timer =
        given.expiresAt === undefined
          ? undefined
          : setTimeout(
              () =>
                this.#settleAsk(actionId, this.#asks.get(actionId), { outcome: 'expired', value: null, by: SYSTEM }),
              Math.min(Math.max(given.expiresAt - this.#host.now(), 0), 2_147_483_647),
            )
      this.#asks.set(actionId, { answer, timer })
    })
    try {
      await log.write([required])
    } catch (error) {
      clearTimeout(this.#asks.get(actionId)?.timer)
      this.#asks.delete(actionId)
      if (error instanceof IllegalEvent) this.#violated(error)
      throw error
    }
    await this.#setStatus('waiting', waitingForAnswer(given.title.slice(0, 200).toWellFormed()))
    return answered
  }

  /** The system answers: expiry (the safe default is no) or the end of the run. */
  #settleAsk(
    actionId: string,
    ask: { answer: (answer: ActionAnswer) => void; timer: NodeJS.Timeout | undefined } | undefined,
    answer: ActionAnswer,
  ): void {
    // A person's answer is on its way into the log: it is the first outcome, and `answer` hands it over.
    if (this.#host.log.state.actions.byId.get(actionId)?.state === 'resolved') return
    if (!ask || !this.#asks.delete(actionId)) return
    clearTimeout(ask.timer)
    const { runId, turnId } = this
    this.#host.log
      .write([{ type: 'action.resolved', runId, turnId, actionId, outcome: answer.outcome, by: SYSTEM }])
      .catch(() => {})
      .finally(() => ask.answer(answer))
  }

  async #spawn(
    childId: string,
    text: string,
    name: string | undefined,
    parentAgentId: string | null,
    depth: number,
  ): ReturnType<AgentContext['spawn']> {
    const agent = this.#host.agent(childId)
    if (!agent) throw coded('agent_unknown', `There is no agent "${childId}" to spawn.`)
    if (depth > MAX_DEPTH || this.#spawned >= MAX_AGENTS) {
      throw coded('spawn_limit', `A run has at most ${MAX_AGENTS} child agents, ${MAX_DEPTH} deep.`)
    }
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
    const ending = await this.#iterate(agent, { text }, this.#context(prefix, agentId, depth), async output => {
      await this.#emit(output, prefix, agentId)
      if (output.type === 'text.delta') said += output.delta
    })
    const outcome = 'failed' in ending ? 'failed' : ending.outcome
    const summary = 'failed' in ending ? failureOf(ending.failed).message : said
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
    const messages = [...state.messages.byId.values()].filter(
      message => message.turnId !== this.turnId && message.agentId === null,
    )
    // Only the texts that are asked for are put together.
    const last = limit > 0 ? messages.slice(-limit) : []
    return last.map(message => {
      const interaction = message.role === 'user' && state.turns.byId.get(message.turnId ?? '')?.input.interaction
      return { role: message.role, text: interaction ? interactionText(interaction) : answerText(state, message) }
    })
  }
}

const DELTAS = new Set<unknown>(['text.delta', 'reasoning.delta', 'tool.output.delta', 'tool.args'])
const IDS = ['messageId', 'partId', 'toolCallId'] as const

/** What of an output the runtime itself works with and is not there; the log checks the rest. */
function misshapen(output: AgentOutput): string | undefined {
  const given = output as unknown
  if (typeof given !== 'object' || given === null) return 'an output is an object'
  const fields = given as Record<string, unknown>
  if (typeof fields.type !== 'string') return '/type: is not a string'
  const wrong = IDS.find(name => fields[name] !== undefined && typeof fields[name] !== 'string')
  if (wrong) return `/${wrong}: is not a string`
  return DELTAS.has(fields.type) && typeof fields.delta !== 'string' ? '/delta: is not a string' : undefined
}

/** What an agent reads of a turn or a steer: an interaction also as the text that a2ui.md prescribes. */
const readable = <T extends { text: string; interaction?: Interaction | undefined }>(said: T): T =>
  said.interaction ? { ...said, text: interactionText(said.interaction) } : said

const coded = (code: Code, message: string): Error => Object.assign(new Error(message), { code })

/** Whatever was thrown, in words; some values cannot even be turned into text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return ''
  }
}

/** What a person is told. An agent's error may bring its own code, advice and whether trying again can help. */
function failureOf(error: Error): Failure {
  const read = (name: string): unknown => {
    try {
      return (error as unknown as Record<string, unknown>)[name]
    } catch {
      return undefined
    }
  }
  const text = (name: string, fallback: string): string => {
    const value = read(name)
    return typeof value === 'string' && value ? value.slice(0, 2_000).toWellFormed() : fallback
  }
  const illegal = error instanceof IllegalEvent
  return {
    code: text('code', 'agent_error').slice(0, 200),
    message: text('message', 'The agent failed without saying why.'),
    retryable: read('retryable') !== false,
    next: illegal ? 'The agent broke the protocol; tell whoever maintains it.' : text('next', 'Try again.'),
  }
}
