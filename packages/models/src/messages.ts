import type { FileRef, Json, JsonObject } from '@vitrine/protocol'
import { isObject } from '@vitrine/protocol'
import type { HistoryCall, HistoryMessage, HistoryPart } from '@vitrine/server'
import type { AssistantModelMessage, FilePart, ModelMessage, TextPart, ToolResultPart } from 'ai'
import { imagesOf } from './attachments.ts'
import { since, summaryMessage } from './compaction.ts'

/** What an attached file becomes for a model. */
export type AttachedPart = TextPart | FilePart

type Output = ToolResultPart['output']
type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]

/**
 * The messages for a model, as a pure function of the conversation: the same history gives the same messages, and a longer
 * one begins with those of the shorter one. `attached` says what a file becomes.
 */
export function toModelMessages(
  history: readonly HistoryMessage[],
  attached: (file: FileRef) => AttachedPart,
): ModelMessage[] {
  const ids = new CallIds()
  const { summary, rest } = compacted(history)
  const messages = rest.flatMap((message): ModelMessage[] => {
    if (message.text === COMPACT) return []
    if (message.role === 'user') return fromPerson(message, attached)
    return message.role === 'assistant' ? fromAgent(message.parts ?? [], attached, ids) : []
  })
  return summary === undefined ? messages : [summaryMessage(summary), ...messages]
}

/** What a person writes to have the conversation summarised. The model does not read it. */
export const COMPACT = '/compact'

/** The newest summary, and what is read as it was said. Without a summary that is everything. */
function compacted(history: readonly HistoryMessage[]): { summary?: string; rest: readonly HistoryMessage[] } {
  for (let at = history.length - 1; at >= 0; at--) {
    const message = history[at]!
    const found = message.parts?.findLast(part => part.kind === 'compaction')
    if (!found) continue
    const { summary, keptFrom = '' } = found
    const from = history.findIndex(({ messageId }) => messageId === keptFrom)
    if (from >= 0) return { summary, rest: history.slice(from) }
    const kept = /^\d+$/.test(keptFrom) && { ...message, parts: since(message.parts!, keptFrom) }
    // The turn that the answer belongs to stays. Without a place that is known, everything before the answer is left out.
    const turn = history.slice(0, at).findLast(({ role }) => role === 'user')
    return { summary, rest: [...(turn ? [turn] : []), kept || message, ...history.slice(at + 1)] }
  }
  return { rest: history }
}

function fromPerson(
  { text, files = [] }: { text: string; files?: readonly FileRef[] | undefined },
  attached: (file: FileRef) => AttachedPart,
): ModelMessage[] {
  const content = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files.map(attached)]
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

/** An answer is one message for each step, followed by the results of its calls and by what people said meanwhile. */
function fromAgent(
  parts: readonly HistoryPart[],
  attached: (file: FileRef) => AttachedPart,
  ids: CallIds,
): ModelMessage[] {
  return stepsOf(parts).flatMap((step): ModelMessage[] => {
    if (step[0]?.kind === 'steer') return fromPerson(step[0], attached)
    const said: AssistantPart[] = []
    const results: ToolResultPart[] = []
    for (const part of step) {
      if (part.kind === 'text' && part.text.trim() !== '') said.push({ type: 'text', text: part.text })
      else if (part.kind === 'reasoning') said.push(...reasoning(part))
      else if (part.kind === 'call') {
        const [call, result] = callAndResult(part, ids.next(part.toolCallId))
        said.push(call)
        // A call that the provider ran belongs to the answer of the model, together with its result.
        if (part.executor === 'provider') said.push(result)
        else results.push(result)
      }
    }
    // Not every provider takes an image as the result of a call, and each that takes images takes one from a person.
    const images = step.flatMap(part => (part.kind === 'call' ? imagesOf(part) : []))
    return [
      ...(said.length > 0 ? [{ role: 'assistant' as const, content: said }] : []),
      ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
      ...images.flatMap(image =>
        fromPerson({ text: `This is the image of the ${image.name}:`, files: [image] }, attached),
      ),
    ]
  })
}

/** The parts by step. What another agent wrote has no steps: there a step ends when something follows its calls. */
function stepsOf(parts: readonly HistoryPart[]): HistoryPart[][] {
  const steps: HistoryPart[][] = []
  let current: { step: string | undefined; parts: HistoryPart[] } | undefined
  for (const part of parts) {
    if (part.kind === 'steer') {
      steps.push([part])
      current = undefined
      continue
    }
    const step = stepOf(part.partId)
    const follows = part.kind !== 'call' && current?.parts.at(-1)?.kind === 'call'
    if (!current || current.step !== step || (step === undefined && follows)) {
      current = { step, parts: [] }
      steps.push(current.parts)
    }
    current.parts.push(part)
  }
  return steps
}

/** The step that a part belongs to, which its id begins with. */
export const stepOf = (partId: string): string | undefined => /^\d+(?=[./])/.exec(partId)?.[0]

function reasoning({ text, signature }: { text: string; signature?: string }): AssistantPart[] {
  const given = signature === undefined ? undefined : parsed(signature)
  const wanted = isObject(given) ? wantedBack(given as JsonObject) : undefined
  // Reasoning that OpenAI keeps for itself is only a reference to it.
  const isReference = isObject(wanted?.openai) && !wanted.openai.reasoningEncryptedContent
  return isReference ? [] : [{ type: 'reasoning', text, ...(wanted && { providerOptions: wanted as never }) }]
}

/**
 * What a provider wants back, without references to what it has stored itself: the log is the only memory of a
 * conversation, and a reference without the item that followed it is refused.
 */
function wantedBack(metadata: JsonObject): JsonObject {
  if (!isObject(metadata.openai)) return metadata
  const { itemId: _, ...openai } = metadata.openai as JsonObject
  return { ...metadata, openai }
}

function callAndResult(call: HistoryCall, toolCallId: string): [AssistantPart, ToolResultPart] {
  const { name: toolName, args, metadata, executor } = call
  const providerOptions = metadata && { providerOptions: wantedBack(metadata) as never }
  const providerExecuted = executor === 'provider' && { providerExecuted: true }
  const input = inputOf(args)
  return [
    { type: 'tool-call', toolCallId, toolName, input, ...providerExecuted, ...providerOptions },
    { type: 'tool-result', toolCallId, toolName, output: outputOf(call) },
  ]
}

/** Providers take nothing but an object. What a model wrote that is none is shown to it as it was. */
function inputOf(args: string): JsonObject {
  const input = args.trim() === '' ? {} : parsed(args)
  return isObject(input) ? (input as JsonObject) : { unreadable: args }
}

/** The result of a call as the model gets it. */
function outputOf({ result, error, approvedArgs }: HistoryCall): Output {
  const changed =
    approvedArgs === undefined ? '' : `A person changed the arguments to ${JSON.stringify(approvedArgs)}.\n\n`
  if (error && result?.value === undefined) return { type: 'error-text', value: changed + error.message }
  const value = result?.value
  if (value !== undefined) {
    if (changed !== '') return { type: 'text', value: changed + textOf(value) }
    return error ? { type: 'error-json', value: value as never } : { type: 'json', value: value as never }
  }
  if (!result) return { type: 'error-text', value: 'The call was cut off: nobody knows whether it had an effect.' }
  return { type: 'text', value: changed + excerpt(result) }
}

function excerpt({ preview = '', tail, ref }: NonNullable<HistoryCall['result']>): string {
  if (tail === undefined && ref === undefined) return preview
  const size = ref ? ` The whole has ${ref.size} bytes.` : ''
  return `${preview}\n\n[The middle is left out.${size}]\n\n${tail ?? ''}`
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Ids of calls are unique in a run. In a conversation they are made unique, in order, so that the beginning stays the same. */
class CallIds {
  readonly #used = new Set<string>()

  next(given: string): string {
    // Some providers take nothing but these characters, and calls of other agents are called anything.
    const id = given.replace(/[^\w-]/g, '_').slice(0, 60)
    let unique = id
    for (let n = 2; this.#used.has(unique); n++) unique = `${id}_${n}`
    this.#used.add(unique)
    return unique
  }
}
