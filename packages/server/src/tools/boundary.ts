import type { ActionRequest, Actor, Failure, Json, JsonObject, Tool, ToolMode } from '@vitrine/protocol'
import type { ActionResponse, AgentOutput, HistoryCall, LargeText } from '../agents/agent.ts'
import { AgentError } from '../agents/agent-error.ts'
import { argumentAsJson } from '../agents/as-json.ts'
import { contained } from '../agents/stray.ts'
import { errorData } from '../agents/thrown.ts'
import { SYSTEM } from '../auth/principal.ts'
import { callOutcome } from '../log/history-message.ts'
import { DeclaredSecrets, hasMask, maskText } from '../masking/mask-secrets.ts'
import { argumentsProblem } from '../runtime/commands/response-schema.ts'
import { type GovernedTool, type PolicyVerdict, policyActor } from './policy.ts'
import { type OutputStore, readToolOutput } from './read-output.ts'
import type { OfferedTool } from './sources.ts'
import type { Admission, CallToAdmit, SourceTool, ToolCall, ToolCallPreview, ToolPolicy } from './tool.ts'

/** What the boundary needs of the run in which a call is made. */
export interface BoundaryHost extends OutputStore {
  readonly sessionId: string
  readonly runId: string
  readonly agentId: string
  readonly by: Actor
  readonly signal: AbortSignal
  /** How long a tool may take that does not say so itself. */
  readonly toolMs: number
  mode(): ToolMode
  policy(tool: GovernedTool, wanted?: ToolPolicy): PolicyVerdict
  /** An id for a call that nobody has announced. */
  nextCall(name: string): string
  /** Says something about a call as its agent would. */
  emit(output: AgentOutput): Promise<void>
  /** Writes durably who or what has allowed the call. */
  allowed(toolCallId: string, by: Actor): Promise<void>
  ask(request: ActionRequest & { toolCallId: string }, declared?: DeclaredSecrets): Promise<ActionResponse>
  files: ToolCall['files']
  readFile: ToolCall['readFile']
  /** The call as the log has it, after everything that was said of it. */
  logged(toolCallId: string): Promise<Tool | undefined>
  /** The id of the call in the session. */
  sessionCallId(toolCallId: string): string
  /** Whether the call was allowed to run before the run was cut off, and nobody knows what came of it. It is said once. */
  inDoubt(toolCallId: string): boolean
  /** A person wants the run to end. */
  stop(by: Actor): Promise<void>
  /** A tool failed after its call was over. */
  late(toolId: string, error: Error): void
}

interface Gated extends CallToAdmit {
  toolId: string
  wanted?: ToolPolicy
  secrets?: DeclaredSecrets
  /** What whoever set up the source wants for the tool. */
  configured?: ToolPolicy
  describe?: () => Promise<ToolCallPreview>
}

/** The risk that a person reads in the request, by what the tool does. */
const RISKS = { none: 'low', reads: 'low', writes: 'medium', outside: 'high' } as const
/** How long a tool has to say what a call would change. */
const DESCRIBE_MS = 10_000
const MAX_MESSAGE = 2_000
/** The code in the request about a call of which nobody knows whether it had an effect. */
export const CALL_IN_DOUBT = 'call_in_doubt'

/**
 * The one way to call a tool (decision 61): it checks the arguments, asks by policy, has the call durable before it acts,
 * limits time and size, and says what became of it. There is one for each agent of a run.
 */
export class ToolBoundary {
  readonly #host: BoundaryHost

  constructor(host: BoundaryHost) {
    this.#host = host
  }

  /** The gate for a tool that the agent executes itself: the agent has announced the call, and says its result. */
  async admit(given: CallToAdmit): Promise<Admission> {
    const call = argumentAsJson(given) as unknown as CallToAdmit
    if (typeof call?.toolCallId !== 'string' || typeof call.name !== 'string' || call.name === '') {
      throw new AgentError('A call that is to be admitted has a toolCallId and a name.', { code: 'invalid_arguments' })
    }
    const { policy, ...rest } = call
    const wanted = policy === 'allow' || policy === 'ask' ? { wanted: policy } : {}
    const toolId = `${this.#host.agentId}:${call.name}`.slice(0, 180)
    return this.#gate({ ...rest, args: call.args ?? {}, toolId, ...wanted })
  }

  /** Runs a tool of a source. The outcome is what the log has of it, so that a model reads the same again in its next turn. */
  async call(
    offered: OfferedTool,
    args: JsonObject,
    announced?: string,
  ): Promise<Pick<HistoryCall, 'result' | 'error'>> {
    const { tool, name } = offered
    const host = this.#host
    const toolCallId = await this.#announce(offered, args, announced)
    const ending = await this.#run(offered, args, toolCallId)
    // The run is being stopped: what became of the call is not known, and nobody claims it.
    if (!ending || host.signal.aborted) return { error: INTERRUPTED }
    await host.emit(ending)
    const logged = await host.logged(toolCallId)
    if (logged) return callOutcome(logged)
    return { error: { code: 'tool_failed', message: `What became of ${tool.title ?? name} could not be written.` } }
  }

  async #announce({ tool, name }: OfferedTool, args: JsonObject, announced: string | undefined): Promise<string> {
    const host = this.#host
    if (announced !== undefined && (await host.logged(announced))) return announced
    const toolCallId = announced ?? host.nextCall(name)
    const title = tool.title === undefined ? {} : { title: tool.title }
    await host.emit({ type: 'tool.started', partId: toolCallId, toolCallId, name, ...title, executor: 'runtime' })
    await host.emit({ type: 'tool.args', toolCallId, delta: JSON.stringify(args), done: true })
    return toolCallId
  }

  async #run(offered: OfferedTool, args: JsonObject, toolCallId: string): Promise<AgentOutput | undefined> {
    const { tool, name } = offered
    const { toolId, title, effects, inputSchema, repeatable, policy } = tool
    const work = new ToolWork(this.#host, tool, toolCallId)
    const describe = tool.describe && { describe: () => work.describe(args) }
    const secrets = secretsOf(tool)
    const wants = {
      toolCallId,
      toolId,
      name,
      args,
      inputSchema,
      secrets,
      ...(title && { title }),
      ...(effects && { effects }),
      ...(repeatable && { repeatable }),
    }
    try {
      const admission = await this.#gate({ ...wants, ...describe, ...(policy && { configured: policy }) })
      if (!admission.allowed) return { type: 'tool.failed', toolCallId, error: admission.error }
      return await work.execute(admission.args as JsonObject)
    } catch (error) {
      return this.#host.signal.aborted ? undefined : { type: 'tool.failed', toolCallId, error: failureOf(error) }
    } finally {
      work.close()
    }
  }

  /** Checks the arguments, asks by policy, and has it durable that the call runs before it does. */
  async #gate(call: Gated): Promise<Admission> {
    const host = this.#host
    const { toolCallId, toolId, name, title = name, effects = 'outside', inputSchema } = call
    // What the log has in the place of a secret cannot be run again.
    if (host.inDoubt(toolCallId)) return hasMask(call.args) ? notKnown() : this.#again(call)
    const problem = inputSchema && (await argumentsProblem(inputSchema, call.args))
    if (problem) return refused('invalid_arguments', `The arguments do not fit.\n${problem}`)
    // Whoever read a secret from the log has read its mask.
    if (hasMask(call.args)) return refused('masked_arguments', MASKED)
    const verdict = host.policy({ toolId, effects, policy: call.configured }, call.wanted)
    const idempotencyKey = host.sessionCallId(toolCallId)
    if (verdict.policy === 'off') return refused('tool_off', `${title} is turned off in this session.`)
    if (verdict.policy === 'allow') {
      await host.allowed(toolCallId, policyActor(verdict, toolId, host.mode()))
      return { allowed: true, args: call.args, idempotencyKey }
    }
    const declared = call.secrets ?? new DeclaredSecrets([], inputSchema)
    const request = {
      kind: 'approval' as const,
      title: `Run ${title}?`,
      risk: RISKS[effects] ?? 'high',
      args: call.args,
      scope: { key: `tool:${toolId}`, label: title },
      toolCallId,
      ...(await call.describe?.()),
    }
    const response = await host.ask(request, declared)
    const { outcome, text, value } = response
    if (outcome !== 'approved' && outcome !== 'approved-for-scope') return notApproved(outcome, text)
    if (hasMask(value ?? undefined)) return refused('edited_arguments', `A person changed the arguments. ${MASKED}`)
    if (value !== null && inputSchema) {
      const wrong = await argumentsProblem(inputSchema, value)
      if (wrong) return refused('edited_arguments', `A person changed the arguments, and they do not fit.\n${wrong}`)
    }
    await host.allowed(toolCallId, response.by)
    return { allowed: true, args: value ?? call.args, ...(value !== null && { edited: true }), idempotencyKey }
  }

  /**
   * The server stopped while this call was running. One that may run twice is run again; about another one a person
   * decides, because nobody else can know whether it had an effect.
   */
  async #again(call: Gated): Promise<Admission> {
    const host = this.#host
    const { toolCallId, toolId, name, title = name, effects = 'outside' } = call
    const logged = await host.logged(toolCallId)
    const edited = logged?.approvedArgs ?? null
    const args = edited ?? call.args
    let by = logged?.allowedBy ?? SYSTEM
    if (host.policy({ toolId, effects }, call.wanted).policy === 'off') return notKnown()
    if (call.repeatable !== true) {
      const response = await host.ask({ ...doubtRequest(title, RISKS[effects] ?? 'high', args), toolCallId })
      const { outcome, value, text } = response
      if (value === 'stop') {
        await host.stop(response.by)
        return refused('interrupted', INTERRUPTED.message)
      }
      if (outcome !== 'answered' || value !== 'again') return notKnown(text)
      by = response.by
    }
    await host.allowed(toolCallId, by)
    const idempotencyKey = host.sessionCallId(toolCallId)
    return { allowed: true, args, ...(edited !== null && { edited: true }), idempotencyKey }
  }
}

/** One call of a tool of a source while it works. A tool that ignores its signal is left behind. */
class ToolWork {
  readonly #host: BoundaryHost
  readonly #tool: SourceTool
  readonly #toolCallId: string
  readonly #stop = new AbortController()
  readonly #stopped = Promise.withResolvers<never>()
  #over = false
  #clock: NodeJS.Timeout | undefined
  /** Milliseconds that are left, and since when the clock runs. It stands still while a person is asked. */
  #left: number
  #since = 0
  /** What the tool says of its work is written one after another, and before its end. */
  #said: Promise<void> = Promise.resolve()

  constructor(host: BoundaryHost, tool: SourceTool, toolCallId: string) {
    this.#host = host
    this.#tool = tool
    this.#toolCallId = toolCallId
    this.#left = Math.min(tool.timeoutMs ?? host.toolMs, MAX_TIMER_MS)
    this.#stopped.promise.catch(() => {})
    if (host.signal.aborted) this.#abort()
    else host.signal.addEventListener('abort', this.#abort, { once: true })
  }

  async execute(args: JsonObject): Promise<AgentOutput> {
    const { toolCallId } = this
    const output = await this.#contained(this.#left, () => this.#tool.execute(args, this.#call()))
    this.#over = true
    await this.#said
    const { store, storeFile } = this.#host
    const masked = { storeFile, store: (large: LargeText) => store({ ...large, text: maskText(large.text) }) }
    const { failed, fields } = await readToolOutput(output, masked)
    if (!failed) return { ...fields, type: 'tool.result', toolCallId } as AgentOutput
    const { preview, tail, value, ref } = fields
    const said = typeof preview === 'string' ? preview : JSON.stringify(value ?? null)
    const rest = Object.fromEntries(
      Object.entries({ preview, tail, value, ref }).filter(([, one]) => one !== undefined),
    )
    const error: Failure = { code: 'tool_failed', message: said.slice(0, MAX_MESSAGE).toWellFormed() }
    return { ...rest, type: 'tool.failed', toolCallId, error } as AgentOutput
  }

  /** What a person is shown before they decide. A tool that cannot say it is asked about with its arguments alone. */
  async describe(args: JsonObject): Promise<ToolCallPreview> {
    try {
      const given = await this.#contained(DESCRIBE_MS, () => this.#tool.describe!(args, this.#call()))
      const { title, detail, changes } = (given ?? {}) as Partial<ToolCallPreview>
      return {
        ...(typeof title === 'string' && title !== '' && { title }),
        ...(typeof detail === 'string' && { detail }),
        ...(Array.isArray(changes) && { changes }),
      }
    } catch (error) {
      if (this.#host.signal.aborted) throw error
      return { detail: `What it would change cannot be shown: ${failureOf(error).message}` }
    }
  }

  close(): void {
    this.#over = true
    clearTimeout(this.#clock)
    this.#host.signal.removeEventListener('abort', this.#abort)
    this.#stop.abort(new DOMException('The call is over.', 'AbortError'))
  }

  get toolCallId(): string {
    return this.#toolCallId
  }

  #abort = (): void => {
    this.#stop.abort(this.#host.signal.reason)
    this.#stopped.reject(this.#host.signal.reason)
  }

  /** Lets the tool work until it ends, the time is over or the run is stopped. */
  async #contained<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const timedOut = Promise.withResolvers<never>()
    const limit = `The tool did not end within ${ms / 1_000} s, and was left behind.`
    const over = (): void => {
      const error = new AgentError(limit, { code: 'timeout' })
      this.#stop.abort(error)
      timedOut.reject(error)
    }
    this.#left = ms
    this.#expire = over
    this.#tick()
    // An error after the end of the call has nobody to be told to but the log of the server.
    const late = (error: Error): void => this.#host.late(this.#tool.toolId, error)
    const working = contained(async () => work(), late)
    working.catch(() => {})
    try {
      return await Promise.race([working, timedOut.promise, this.#stopped.promise])
    } finally {
      timedOut.promise.catch(() => {})
      clearTimeout(this.#clock)
    }
  }

  #expire: () => void = () => {}

  #tick(): void {
    this.#since = performance.now()
    this.#clock = setTimeout(() => this.#expire(), Math.max(this.#left, 0))
  }

  #call(): ToolCall {
    const { sessionId, runId, agentId, by, sessionCallId, files, readFile } = this.#host
    const toolCallId = this.#toolCallId
    return {
      sessionId,
      runId,
      agentId,
      toolCallId: sessionCallId(toolCallId),
      by,
      idempotencyKey: sessionCallId(toolCallId),
      signal: this.#stop.signal,
      progress: ({ message, current, total } = {}) => {
        const given = { message, current, total }
        const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
        this.#say({ type: 'tool.progress', toolCallId, ...known })
      },
      output: (delta, stream) => {
        if (typeof delta === 'string' && delta !== '')
          this.#say({ type: 'tool.output.delta', toolCallId, delta, ...(stream && { stream }) })
      },
      ask: async request => {
        if (this.#over) throw new AgentError('The call is over.', { code: 'call_over' })
        clearTimeout(this.#clock)
        this.#left -= performance.now() - this.#since
        try {
          return await this.#host.ask({ ...request, toolCallId })
        } finally {
          if (!this.#over) this.#tick()
        }
      },
      files,
      readFile,
    }
  }

  #say(output: AgentOutput): void {
    if (this.#over) return
    this.#said = this.#said.then(() => this.#host.emit(output)).catch(() => {})
  }
}

const MAX_TIMER_MS = 2_147_483_647

const INTERRUPTED: Failure = { code: 'interrupted', message: 'The run ended before this call did.' }

const MASKED =
  'A mask stands in the arguments in the place of a secret, so the tool would not get the secret. Ask the person for it.'

/** What a tool of a source declares as secret. */
export const secretsOf = ({ secrets, inputSchema }: SourceTool, hidden: readonly string[] = []): DeclaredSecrets =>
  new DeclaredSecrets([...(Array.isArray(secrets) ? secrets : []), ...hidden], inputSchema)
/** What a person is asked about a call of which nobody knows whether it had an effect. */
const doubtRequest = (title: string, risk: 'low' | 'medium' | 'high', args: Json): ActionRequest => ({
  kind: 'choice',
  title: `Did ${title} run?`,
  detail: `The server stopped while ${title} was running. It may have had its effect, or a part of it. Look before you choose.`,
  reason: { code: CALL_IN_DOUBT, message: 'The server stopped while this call was running.' },
  risk,
  args,
  options: [
    { value: 'again', label: 'Run it again' },
    { value: 'unknown', label: 'Tell the agent that it is not known' },
    { value: 'stop', label: 'Stop the run' },
  ],
})

const notKnown = (text?: string): Admission =>
  refused(
    'outcome_unknown',
    `The server stopped while this call was running: nobody knows whether it had an effect. It was not run again.${text ? ` The person said: ${text}` : ''}`,
  )

const refused = (code: string, message: string): Admission => ({
  allowed: false,
  error: { code, message: message.slice(0, MAX_MESSAGE).toWellFormed() },
})

function notApproved(outcome: string, text: string | undefined): Admission {
  if (outcome === 'expired') return refused('expired', 'Nobody answered in time, so it was not done.')
  if (outcome === 'cancelled') return refused('interrupted', INTERRUPTED.message)
  return refused('denied', `The person did not allow this call.${text ? ` They said: ${text}` : ''}`)
}

function failureOf(error: unknown): Failure {
  const { code, message } = errorData(error)
  const known = error instanceof AgentError && code !== undefined
  return {
    code: known ? code : 'tool_failed',
    message: message.slice(0, MAX_MESSAGE).toWellFormed() || 'The tool failed without saying why.',
  }
}
