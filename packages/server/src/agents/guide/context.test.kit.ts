import { createHash } from 'node:crypto'
import { a2uiToolResult, Surfaces, toEnvelopes } from '@vitrine/genui/a2ui'
import { validateHints } from '@vitrine/genui/hints'
import { validateSchema } from '@vitrine/genui/schema'
import {
  type Actor,
  apply,
  createState,
  type EventDraft,
  type Interaction,
  type Json,
  type JsonObject,
  type SessionEvent,
  type SessionState,
  type TurnInput,
  verify,
} from '@vitrine/protocol'
import { eventSchemas, MAX_EVENT_BYTES } from '@vitrine/protocol/schema'
import type { ActionResponse, Agent, AgentContext, AgentOutput, LargeText, Steering } from '../agent.ts'

export type Asked = Parameters<AgentContext['ask']>[0]

/** What the person of a test answers; the kit says who it was. */
export type GivenResponse = Omit<ActionResponse, 'by'>

export interface PlayOptions {
  answer?: (request: Asked) => GivenResponse
  /** Called with each output; whatever it returns is a steer that waits from now on. */
  steer?: (output: AgentOutput, count: number) => string | Interaction | undefined
  /** Aborts the run when this many outputs have come. */
  abortAfter?: number
  onOutput?: (output: AgentOutput, stop: AbortController) => void
  refuseSurfaces?: boolean
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * A session that takes only legal events. Each event has to pass its schema, the size limit, `verify` and the fold, and
 * what the agent draws has to pass the engines.
 */
export class Session {
  readonly state: SessionState = createState('s1')
  readonly events: SessionEvent[] = []
  readonly envelopes: JsonObject[] = []
  readonly stored: LargeText[] = []
  readonly asked: Asked[] = []
  readonly #agents: Map<string, Agent>
  readonly #surfaces = new Surfaces()
  #runs = 0
  #ids = 0

  constructor(...agents: Agent[]) {
    this.#agents = new Map(agents.map(agent => [agent.agentId, agent]))
  }

  append(draft: EventDraft): void {
    const given = { ...draft, seq: this.state.seq + 1, sessionId: 's1', at: 1_000 + this.state.seq }
    const event = eventSchemas[draft.type].strict().parse(given) as SessionEvent
    if (JSON.stringify(event).length > MAX_EVENT_BYTES) throw new Error(`${draft.type} is larger than an event may be`)
    const violation = verify(this.state, event)
    if (violation) throw new Error(`${violation.code}: ${violation.detail} (${draft.type})`)
    apply(this.state, event)
    this.events.push(event)
  }

  /** Runs one turn to its end and gives the outputs and how the run ended. */
  async play(agentId: string, given: string | TurnInput, options: PlayOptions = {}) {
    const runId = `r${++this.#runs}`
    const turnId = `t${this.#runs}`
    const stop = new AbortController()
    const attempt = 1
    const input = typeof given === 'string' ? { text: given } : given
    this.append({ type: 'run.started', runId, turnId, agentId, messageId: `${turnId}/in`, input, attempt })
    const inbox: Steering[] = []
    const wake = new Set<() => void>()
    const outputs: AgentOutput[] = []
    const context = this.#context(runId, turnId, `${runId}/m`, stop.signal, attempt, inbox, wake, options)
    let failure: unknown
    try {
      for await (const output of this.#agents.get(agentId)!.run(input, context)) {
        this.#take(output, { runId, turnId, messageId: `${runId}/m` })
        outputs.push(output)
        options.onOutput?.(output, stop)
        if (outputs.length === options.abortAfter) stop.abort()
        const steer = options.steer?.(output, outputs.length)
        if (steer === undefined) continue
        const steerId = `steer${++this.#ids}`
        const said = typeof steer === 'string' ? { text: steer } : { text: '', interaction: steer }
        this.append({ type: 'steer.accepted', runId, steerId, ...said })
        inbox.push({ steerId, ...said })
        for (const resolve of wake) resolve()
      }
    } catch (error) {
      failure = error
    }
    const outcome = stop.signal.aborted ? 'interrupted' : 'completed'
    if (failure && outcome === 'completed') {
      const error = { code: 'failed', message: String(failure) }
      this.append({ type: 'run.failed', runId, error })
    } else this.append({ type: 'run.finished', runId, outcome })
    return { runId, outputs, failure, answer: this.#answer(`${runId}/m`) }
  }

  #answer(messageId: string): string {
    const parts = (this.state.messages.byId.get(messageId)?.parts ?? []).map(id => this.state.parts.byId.get(id)!)
    return parts
      .filter(part => part.kind === 'text' && part.state !== 'retracted')
      .map(part => part.text.toString())
      .join('\n\n')
  }

  #take(output: AgentOutput, ids: { runId: string; turnId: string; messageId: string }, under = ''): void {
    const part = (id: string) => `${ids.messageId}/${under}${id}`
    const draft: Record<string, unknown> = { ...output, ...ids }
    if (typeof output.partId === 'string') draft.partId = part(output.partId)
    if ('replacedBy' in output && output.replacedBy) draft.replacedBy = part(output.replacedBy)
    if (output.type === 'text.final') {
      const text = this.state.parts.byId.get(draft.partId as string)?.text.toString() ?? ''
      Object.assign(draft, { length: text.length, digest: digest(text) })
    }
    if (output.type === 'tool.result') {
      const problems = [
        ...(output.uiHints ? validateHints(output.uiHints) : []),
        ...(output.ui ? validateSchema(output.ui) : []),
      ]
      if (problems.length > 0) throw new Error(JSON.stringify(problems))
    }
    if (typeof draft.reason === 'string') draft.reason = { code: 'agent_said', message: draft.reason }
    this.append(draft as EventDraft)
  }

  #context(
    runId: string,
    turnId: string,
    messageId: string,
    signal: AbortSignal,
    attempt: number,
    inbox: Steering[],
    wake: Set<() => void>,
    options: PlayOptions,
  ): AgentContext {
    const context: AgentContext = {
      sessionId: 's1',
      runId,
      turnId,
      attempt,
      principal: { kind: 'local', id: 'local', name: '' },
      admit: async ({ args, toolCallId }) => ({ allowed: true, args, idempotencyKey: toolCallId }),
      signal,
      steers: {
        take: async () => {
          const taken = inbox.splice(0)
          for (const { steerId } of taken) {
            this.append({ type: 'steer.consumed', runId, steerId, messageId, partId: `${messageId}/${steerId}` })
          }
          return taken
        },
        wait: () => {
          if (inbox.length > 0 || signal.aborted) return Promise.resolve()
          return new Promise(resolve => {
            wake.add(resolve)
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
        },
      },
      ask: async ({ toolCallId, ...request }) => {
        signal.throwIfAborted()
        this.asked.push(toolCallId ? { ...request, toolCallId } : request)
        const actionId = `a${++this.#ids}`
        const ids = { runId, messageId, partId: `${messageId}/${actionId}`, ...(toolCallId && { toolCallId }) }
        this.append({ type: 'action.required', actionId, request, ...ids })
        const answer = options.answer?.(request) ?? { outcome: 'answered' as const, value: null }
        const by: Actor = { kind: 'local', id: 'local', name: '' }
        this.append({
          type: 'action.resolved',
          actionId,
          outcome: answer.outcome,
          by,
          response: answer.value,
          ...(answer.text !== undefined && { text: answer.text }),
        })
        return { ...answer, by }
      },
      store: async large => {
        this.stored.push(large)
        const ref = { ref: digest(large.text), size: large.text.length, digest: digest(large.text) }
        return { preview: large.text.slice(0, 4_000), ref: { ...ref, mediaType: large.mediaType ?? 'text/plain' } }
      },
      storeFile: async () => Promise.reject(new Error('The guide gives no files.')),
      readFile: async (_digest, { start, end } = {}) => Buffer.from('First line\nSecond line').subarray(start, end),
      spawn: async (agentId, text, name = agentId) => {
        const id = `${agentId}-${++this.#ids}`
        this.append({
          type: 'agent.spawned',
          runId,
          subagentId: id,
          agentId,
          name,
          messageId,
          partId: `${messageId}/${id}`,
        })
        const child = { ...context, runId: `${runId}-${id}` }
        let said = ''
        for await (const output of this.#agents.get(agentId)!.run({ text }, child)) {
          if (output.type === 'text.delta') said += output.delta
          this.#take(output, { runId, turnId, messageId: `${messageId}/${id}` }, `${id}/`)
        }
        const outcome = signal.aborted ? ('interrupted' as const) : ('completed' as const)
        this.append({ type: 'agent.completed', runId, subagentId: id, outcome })
        return { outcome, text: said }
      },
      surfaces: {
        apply: async (given, toolCallId) => {
          const envelopes = toEnvelopes(given) as JsonObject[]
          this.envelopes.push(...envelopes)
          if (options.refuseSurfaces) return { applied: 0, failed: envelopes.length, results: [] }
          const applied = this.#surfaces.apply(envelopes)
          for (const result of applied.results) {
            if (!result.ok || result.diagnostics) throw new Error(JSON.stringify(result))
            const { surfaceId } = result
            const shown = { messageId, partId: `${messageId}/${surfaceId}`, ...(toolCallId && { toolCallId }) }
            this.append({ type: 'surface.changed', runId, surfaceId, ops: result.ops, ...shown })
          }
          return a2uiToolResult(this.#surfaces, applied)
        },
      },
      tools: [],
      history: async () =>
        [...this.state.messages.byId.values()]
          .filter(message => message.runId !== runId)
          .map(({ role, messageId: id, parts }) => ({
            messageId: id,
            role,
            text: role === 'user' ? this.state.parts.byId.get(parts[0]!)!.text.toString() : this.#answer(id),
          })),
      memory: { get: async () => undefined, set: async () => {}, delete: async () => {} },
      setTitle: async () => true,
      state: async (): Promise<Json | undefined> =>
        this.state.shared.value.known ? structuredClone(this.state.shared.value.value) : undefined,
    }
    return context
  }
}

/** Says whether the process runs. A zombie has ended and only waits for its parent to notice, so it does not count. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
