import type { Failure, Json, JsonObject } from '@vitrine/protocol'
import type { AgentContext, AgentOutput, AgentTool, HistoryCall } from '@vitrine/server'
import { type CheckedTool, type Effects, readArguments, type ToolRun } from './tools.ts'

/** What decides about calls, beside the tools themselves. */
export interface CallRules {
  /** Whether a person is asked before the call runs, unless the person has chosen otherwise in the session. */
  asks(call: { name: string; args: unknown; effects: Effects }): boolean | Promise<boolean>
  toolTimeoutMs: number
}

/** Characters of a result that an event carries as data. */
const MOST_INLINE = 8 * 1024

/** The outcome of a call as facts and the history say it. */
type Outcome = Pick<HistoryCall, 'result' | 'error'>

/** Whether the call could not run because of its arguments, or of a tool that does not exist. */
export const isMistaken = ({ error }: HistoryCall): boolean => error?.code === 'invalid_arguments'

/**
 * Runs a call of a tool of the agent: checks its arguments, asks a person where the rules want it, and says what became
 * of it. It notes the outcome in `call`.
 */
export async function* runCall(
  call: HistoryCall,
  tool: CheckedTool | undefined,
  rules: CallRules,
  context: Pick<AgentContext, 'admit' | 'store' | 'signal'>,
): AsyncGenerator<AgentOutput, void> {
  Object.assign(call, await outcomeOf(call, tool, rules, context))
  // The run is being stopped: what became of the call is not known, and nobody claims it.
  if (context.signal.aborted) return
  const { toolCallId, error, result } = call
  if (error) yield { type: 'tool.failed', toolCallId, error, ...result }
  else yield { type: 'tool.result', toolCallId, ...result }
}

async function outcomeOf(
  call: HistoryCall,
  tool: CheckedTool | undefined,
  rules: CallRules,
  context: Pick<AgentContext, 'admit' | 'store' | 'signal'>,
): Promise<Outcome> {
  const { name, toolCallId } = call
  if (!tool) return failed('invalid_arguments', `There is no tool called ${name}.`)
  const args = asJson(call.args)
  const read = args === undefined ? { problem: 'They are not JSON.' } : await readArguments(tool, args)
  if ('problem' in read) return failed('invalid_arguments', `The arguments do not fit.\n${read.problem}`)
  let { value } = read
  const { effects = 'outside', title, repeatable } = tool
  const policy = (await rules.asks({ name, args: value, effects })) ? 'ask' : 'allow'
  const wanted = {
    toolCallId,
    name,
    args: args as Json,
    effects,
    policy,
    ...(title !== undefined && { title }),
    ...(repeatable && { repeatable }),
  } as const
  const admission = await context.admit(wanted)
  if (!admission.allowed) return { error: admission.error }
  if (admission.edited) {
    const edited = await readArguments(tool, admission.args)
    if ('problem' in edited)
      return failed('edited_arguments', `A person changed the arguments, and they do not fit.\n${edited.problem}`)
    call.approvedArgs = admission.args
    value = edited.value
  }
  const { idempotencyKey } = admission
  return execute(tool, value, { toolCallId, idempotencyKey }, rules.toolTimeoutMs, context)
}

async function execute(
  tool: CheckedTool,
  args: unknown,
  call: Omit<ToolRun, 'signal'>,
  timeoutMs: number,
  { store, signal }: Pick<AgentContext, 'store' | 'signal'>,
): Promise<Outcome> {
  const limit = AbortSignal.timeout(timeoutMs)
  const both = AbortSignal.any([signal, limit])
  // A tool that ignores its signal is left behind, so that a stop and the limit work for every tool.
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(both.reason)
  both.addEventListener('abort', stop, { once: true })
  try {
    both.throwIfAborted()
    const running = (async () => tool.execute(args, { signal: both, ...call }))()
    return { result: await resultOf(await Promise.race([running, stopped]), store) }
  } catch (error) {
    if (limit.aborted && !signal.aborted)
      return failed('timeout', `The tool did not end within ${timeoutMs / 1_000} s.`)
    return failed('tool_failed', error instanceof Error ? error.message : String(error))
  } finally {
    both.removeEventListener('abort', stop)
    stopped.catch(() => {})
  }
}

/** What an event and the history carry of a result. A large one is stored, and both have its beginning and its end. */
async function resultOf(value: unknown, store: AgentContext['store']): Promise<NonNullable<HistoryCall['result']>> {
  if (value === undefined) return { preview: 'The tool returned nothing.' }
  if (typeof value === 'string') return store({ text: value })
  const size = bytesOf(value)
  if (size !== undefined) return { preview: `The tool returned ${size} bytes, which cannot be given to a model.` }
  const text = JSON.stringify(value)
  if (text === undefined) return { preview: `The tool returned something that is no data: ${typeof value}.` }
  return text.length <= MOST_INLINE
    ? { value: JSON.parse(text) as Json }
    : store({ text, mediaType: 'application/json' })
}

function bytesOf(value: unknown): number | undefined {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength
  return value instanceof Blob ? value.size : undefined
}

const failed = (code: string, message: string): { error: Failure } => ({
  error: { code, message: message.slice(0, 4_000).toWellFormed() || 'The tool failed without saying why.' },
})

/** Runs a call of a tool that the runtime offers. The runtime checks the arguments and says what became of the call. */
export async function callOffered(call: HistoryCall, tool: AgentTool): Promise<void> {
  const args = asJson(call.args)
  const answer = await tool.call((args ?? { unreadable: call.args }) as object, { toolCallId: call.toolCallId })
  // A tool of a source answers with what the log has; one of the runtime itself logs its answer as a value.
  if (tool.sourceId !== undefined) Object.assign(call, answer satisfies Outcome | JsonObject)
  else call.result = { value: answer }
}

/** The arguments of a call that a model wrote. Some models write nothing when there are none. */
function asJson(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
