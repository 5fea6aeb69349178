import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishReason, Usage } from '@vitrine/protocol'
import { type AgentContext, AgentError, type AgentOutput, type HistoryCall, type HistoryPart } from '@vitrine/server'
import { type FinishReason as AnyFinishReason, type ModelMessage, streamText, type ToolSet } from 'ai'
import type { Model } from './open-model.ts'
import { explain, type ProviderProblem } from './provider-errors.ts'
import { SaidParts } from './said-parts.ts'
import { type ModelPart, StepOutputs, stepEnd, stored } from './step-outputs.ts'

type StreamTextOptions = Parameters<typeof streamText>[0]

/** Settings that go to the model as they are. */
export type ModelSettings = Pick<
  StreamTextOptions,
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'seed'
  | 'reasoning'
  | 'stopSequences'
  | 'providerOptions'
  | 'headers'
  | 'timeout'
>

/** What one step asks of the model. */
export interface StepRequest {
  model: Model
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
  /** The names of the tools that the runtime runs. */
  ofRuntime: ReadonlySet<string>
  settings: ModelSettings
  /** The key of the provider, which no message may repeat. */
  secret?: string | undefined
}

/** Which step it is. Part ids have both numbers, so that a step that was taken back can be taken again. */
export interface StepNumber {
  step: number
  /** How often the run has gone on after a restart. */
  times: number
}

/** What the model has said in one step. */
export interface Spoken {
  parts: HistoryPart[]
  /** The calls that the agent has to run; those of the provider have run already. */
  calls: HistoryCall[]
  finishReason: FinishReason
  reason: AnyFinishReason
  rawReason: string | undefined
  usage: Usage
  model: string | undefined
}

/** How often a step is tried again after the provider has failed. */
const MOST_RETRIES = 2
const FIRST_WAIT_MS = 500
/** A provider that wants us to wait for longer is not waited for. */
const LONGEST_WAIT_MS = 60_000
/** How long a model may be silent. A local model needs its time for a long conversation. */
export const SILENCE_MS = 300_000

/**
 * Lets the model speak once and shows what it says. When the provider fails it is asked again, and what it had said until
 * then is withdrawn. Gives nothing when the run is being stopped.
 */
export async function* speak(
  request: StepRequest,
  { step, times }: StepNumber,
  usedCalls: Set<string>,
  context: Pick<AgentContext, 'signal' | 'storeFile'>,
): AsyncGenerator<AgentOutput, Spoken | undefined> {
  const { signal } = context
  for (let attempt = 1; ; attempt++) {
    const marks = [step, times > 0 && `r${times}`, attempt > 1 && attempt]
    const said = new StepOutputs(marks.filter(Boolean).join('.'), usedCalls, request.ofRuntime)
    const parts = new SaidParts()
    let problem: ProviderProblem
    try {
      return yield* listen(request, said, parts, context)
    } catch (error) {
      problem = explain(error, request.secret)
    }
    if (signal.aborted) return undefined
    const waitMs = problem.waitMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1)
    if (problem.again && waitMs > LONGEST_WAIT_MS) throw waitsTooLong(problem.error, waitMs)
    if (!problem.again || attempt > MOST_RETRIES) throw problem.error
    const { message } = problem.error
    yield* withdrawn(said, parts, message)
    const when = waitMs < 1_000 ? 'at once' : `in ${Math.ceil(waitMs / 1_000)} s`
    yield { type: 'run.status', status: 'retrying', reason: `${message} It is tried again ${when}.` }
    await sleep(waitMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return undefined
  }
}

/** The provider wants a longer wait than a run takes: the person is told how long. */
function waitsTooLong({ code, message }: AgentError, waitMs: number): AgentError {
  return new AgentError(message, { code, next: `Try again in ${Math.ceil(waitMs / 60_000)} minutes.` })
}

async function* listen(
  { model, settings, secret: _, ...request }: StepRequest,
  said: StepOutputs,
  parts: SaidParts,
  context: Pick<AgentContext, 'signal' | 'storeFile'>,
): AsyncGenerator<AgentOutput, Spoken | undefined> {
  const { signal } = context
  const ended = new AbortController()
  let end: Extract<ModelPart, { type: 'finish-step' }> | undefined
  // The limit of the SDK begins with the first chunk: a provider that sends none would never be given up.
  const clock = setTimeout(() => ended.abort(), silentMs(settings))
  try {
    const { stream } = streamText({
      ...settings,
      ...request,
      model,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, ended.signal]),
      // Errors come in the stream as well. Without this the SDK prints them.
      onError: () => {},
    })
    for await (const part of stream) {
      clock.refresh()
      if (part.type === 'error' && !ended.signal.aborted) throw part.error
      if (part.type === 'error' || part.type === 'abort') break
      if (part.type === 'finish-step') end = part
      // A call that cannot be read is told as one: what to do with it is decided where calls are run.
      const isOurs = (part.type === 'tool-error' || part.type === 'tool-result') && part.providerExecuted !== true
      if (isOurs) continue
      for (const output of part.type === 'file' ? [said.file(await stored(part, context))] : said.of(part)) {
        parts.add(output)
        yield output
      }
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error
  } finally {
    clearTimeout(clock)
    ended.abort()
  }
  if (signal.aborted) return undefined
  if (!end) throw new AgentError('The model was silent for too long.', { code: 'provider_silent', next: 'Try again.' })
  const { finishReason: reason, rawFinishReason: rawReason } = end
  if (reason === 'interrupted' || reason === 'error') throw new Error('the provider ended the stream too early')
  const calls = parts.list.filter(part => part.kind === 'call').filter(({ executor }) => executor !== 'provider')
  return { parts: parts.list, calls, ...stepEnd(end), reason, rawReason }
}

/** How long a model may be silent, before its first word and between two. */
const silentMs = ({ timeout }: ModelSettings): number =>
  (typeof timeout === 'object' ? timeout.chunkMs : undefined) ?? SILENCE_MS

/** Takes back what was shown of an attempt. A call that was announced never ran. */
function* withdrawn(said: StepOutputs, parts: SaidParts, reason: string): Generator<AgentOutput> {
  const error = { code: 'withdrawn', message: 'The model is asked again, so this call was not run.' }
  for (const part of parts.list) {
    const isOpen = part.kind === 'call' && !part.result && !part.error
    if (isOpen) yield { type: 'tool.failed', toolCallId: part.toolCallId, error }
  }
  for (const partId of said.parts) {
    if (parts.began.has(partId)) yield { type: 'part.retracted', partId, reason }
  }
}
