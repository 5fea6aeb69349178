import type { Citation, FileRef, FinishReason, JsonObject, Source } from '@vitrine/protocol'
import type { AgentContext, AgentOutput } from '@vitrine/server'
import type { FinishReason as AnyFinishReason, ProviderMetadata, TextStreamPart, ToolSet } from 'ai'
import { usageOf } from './usage.ts'

/** One part of the stream of `streamText`. */
export type ModelPart = TextStreamPart<ToolSet>

/** The most that `reasoning.summary` keeps of what a provider wants back. */
const MAX_SIGNATURE = 16_384
/** The most that `tool.started` keeps of it. */
const MAX_METADATA = 4_000

interface Call {
  toolCallId: string
  /** Whether all of its arguments have been told. */
  told: boolean
  /** Whether a piece of its arguments has been told. */
  begun: boolean
}

/**
 * Says what the parts of one model call mean in the conversation. Part ids begin with the step, so that they differ from
 * those of every other step, and the step of a part can be read from the log.
 */
export class StepOutputs {
  /** The parts of the conversation that the step has begun, in order. */
  readonly parts: string[] = []
  /** The calls of the step by the id that the provider gave. */
  readonly calls = new Map<string, Call>()
  readonly #step: string
  readonly #usedCalls: Set<string>
  readonly #ofRuntime: ReadonlySet<string>
  /** The ids of texts and reasonings by those of the provider, as long as they are open. */
  readonly #open = new Map<string, { partId: string; metadata?: ProviderMetadata | undefined }>()

  /**
   * `usedCalls` are the call ids of the run: a provider may use an id twice, and the log may not. `ofRuntime` has the names
   * of the tools that the runtime runs; the agent runs the others.
   */
  constructor(step: string, usedCalls: Set<string>, ofRuntime: ReadonlySet<string> = new Set()) {
    this.#step = step
    this.#usedCalls = usedCalls
    this.#ofRuntime = ofRuntime
  }

  /** What a part means. A part that means nothing for people gives nothing. */
  of(part: ModelPart): AgentOutput[] {
    switch (part.type) {
      case 'text-delta':
        return part.text === '' ? [] : [{ type: 'text.delta', partId: this.#at(part, 't').partId, delta: part.text }]
      case 'text-end': {
        const { partId } = this.#close(part, 't')
        // A text without a word was never begun.
        if (!this.parts.includes(partId)) return []
        return [{ type: 'text.final', partId, ...citationsOf(part.citations) }]
      }
      case 'reasoning-start':
        this.#at(part, 'r')
        return []
      case 'reasoning-delta': {
        const { partId } = this.#at(part, 'r')
        return part.text === '' ? [] : [{ type: 'reasoning.delta', partId, delta: part.text }]
      }
      case 'reasoning-end': {
        const { partId, metadata } = this.#close(part, 'r')
        const signature = metadata && JSON.stringify(metadata)
        const fits = signature !== undefined && signature.length <= MAX_SIGNATURE
        return [{ type: 'reasoning.summary', partId, ...(fits && { signature }) }]
      }
      case 'tool-input-start':
        return this.#start(part.id, part)
      case 'tool-input-delta': {
        const call = this.calls.get(part.id)
        if (!call || call.told || part.delta === '') return []
        call.begun = true
        return [{ type: 'tool.args', toolCallId: call.toolCallId, delta: part.delta }]
      }
      case 'tool-call':
        return this.#called(part)
      case 'tool-result': {
        const { toolCallId } = this.calls.get(part.toolCallId) ?? part
        const preliminary = part.preliminary === true && { preliminary: true }
        return [{ type: 'tool.result', toolCallId, ...asResult(part.output), ...preliminary }]
      }
      case 'tool-error': {
        const { toolCallId } = this.calls.get(part.toolCallId) ?? part
        return [{ type: 'tool.failed', toolCallId, error: { code: 'tool_failed', message: wordsOf(part.error) } }]
      }
      case 'source':
        return [{ type: 'source.added', partId: this.#next('s'), source: sourceOf(part) }]
      default:
        return []
    }
  }

  /** A file of the step, whose bytes are stored. */
  file(file: FileRef): AgentOutput {
    return { type: 'file.added', partId: this.#next('f'), file }
  }

  /** The text or reasoning with this id of the provider, which begins with its first part. */
  #at(part: { id: string; providerMetadata?: ProviderMetadata | undefined }, kind: 't' | 'r') {
    const key = `${kind} ${part.id}`
    let open = this.#open.get(key)
    if (!open) {
      open = { partId: this.#next(kind) }
      this.#open.set(key, open)
    }
    if (part.providerMetadata) open.metadata = { ...open.metadata, ...part.providerMetadata }
    return open
  }

  #close(part: { id: string; providerMetadata?: ProviderMetadata | undefined }, kind: 't' | 'r') {
    const known = this.#open.has(`${kind} ${part.id}`)
    if (!known && kind === 't') return { partId: '', metadata: undefined }
    const open = this.#at(part, kind)
    this.#open.delete(`${kind} ${part.id}`)
    return open
  }

  #next(kind: string): string {
    const partId = `${this.#step}/${kind}${this.parts.length}`
    this.parts.push(partId)
    return partId
  }

  #start(
    id: string,
    part: {
      toolName: string
      title?: string | undefined
      providerExecuted?: boolean | undefined
      providerMetadata?: ProviderMetadata | undefined
      inputEncoding?: 'json' | 'text' | undefined
    },
  ): AgentOutput[] {
    if (this.calls.has(id)) return []
    const toolCallId = this.#callId(id)
    // Arguments that are streamed as plain text are told when they are JSON.
    this.calls.set(id, { toolCallId, told: part.inputEncoding === 'text', begun: false })
    const { toolName: name, title, providerExecuted, providerMetadata: metadata } = part
    const fits = metadata !== undefined && JSON.stringify(metadata).length <= MAX_METADATA
    return [
      {
        type: 'tool.started',
        partId: this.#next('c'),
        toolCallId,
        name,
        executor: providerExecuted ? 'provider' : this.#ofRuntime.has(name) ? 'runtime' : 'agent',
        ...(title !== undefined && { title }),
        ...(fits && { metadata: metadata as JsonObject }),
      },
    ]
  }

  #called(part: Extract<ModelPart, { type: 'tool-call' }>): AgentOutput[] {
    const started = this.#start(part.toolCallId, part)
    const call = this.calls.get(part.toolCallId)!
    const delta = call.begun ? '' : argumentsText(part.input)
    return [...started, { type: 'tool.args', toolCallId: call.toolCallId, delta, done: true }]
  }

  #callId(given: string): string {
    const id = given.slice(0, 100) || 'call'
    let unique = id
    for (let n = 2; this.#usedCalls.has(unique); n++) unique = `${id}_${n}`
    this.#usedCalls.add(unique)
    return unique
  }
}

/** Stores a file that a model made. */
export const stored = (
  { file }: Extract<ModelPart, { type: 'file' }>,
  { storeFile }: Pick<AgentContext, 'storeFile'>,
): Promise<FileRef> => storeFile({ bytes: file.uint8Array, mediaType: file.mediaType })

/** Arguments that are not JSON stand there as the model wrote them. */
const argumentsText = (input: unknown): string => (typeof input === 'string' ? input : (JSON.stringify(input) ?? '{}'))

const REASONS: readonly string[] = ['stop', 'length', 'tool-calls', 'content-filter', 'error', 'other', 'unknown']

/** The end of a step as facts say it. A reason that the vocabulary does not know is `unknown`. */
export function stepEnd(part: Extract<ModelPart, { type: 'finish-step' }>) {
  const finishReason: FinishReason = REASONS.includes(part.finishReason)
    ? (part.finishReason as FinishReason)
    : 'unknown'
  return { finishReason, usage: usageOf(part.usage), model: part.response?.modelId }
}

/** Whether a model that stopped for this reason has said all that it wanted. */
export const isWhole = (reason: AnyFinishReason): boolean => reason === 'stop' || reason === 'tool-calls'

function asResult(output: unknown) {
  if (typeof output === 'string') return { preview: output }
  const text = JSON.stringify(output)
  return text === undefined ? { preview: '' } : { value: JSON.parse(text) }
}

const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 2_000) || 'The tool failed without saying why.'

function sourceOf(part: Extract<ModelPart, { type: 'source' }>): Source {
  const title = part.title === undefined ? {} : { title: part.title.slice(0, 2_000) }
  const sourceId = part.id
  return part.sourceType === 'url'
    ? { sourceId, url: part.url, ...title }
    : { sourceId, mediaType: part.mediaType, ...title }
}

function citationsOf(given: Extract<ModelPart, { type: 'text-end' }>['citations']): { citations?: Citation[] } {
  const citations = (given ?? []).flatMap(({ source, startIndex, endIndex, citedText }): Citation[] => {
    if (startIndex === undefined || endIndex === undefined) return []
    const { url } = source as { url?: string }
    return [
      {
        start: startIndex,
        end: endIndex,
        sourceId: source.id,
        ...(url !== undefined && { url }),
        ...(source.title !== undefined && { title: source.title }),
        ...(citedText !== undefined && { quote: citedText.slice(0, 2_000) }),
      },
    ]
  })
  return citations.length === 0 ? {} : { citations: citations.slice(0, 100) }
}
