import type { Usage } from '@vitrine/protocol'
import { AgentError, type HistoryMessage, type HistoryPart } from '@vitrine/server'
import { type ModelMessage, streamText } from 'ai'
import { stepOf } from './messages.ts'
import { SILENCE_MS, type StepRequest } from './speak.ts'
import { usageOf } from './usage.ts'

/** Of a context that is known, this much may be full before older messages are summarised, and this much stays as it is. */
const FULL = 0.8
const KEPT = 0.25
/** Characters of a token, and tokens of a file, when nobody has counted them. */
const CHARACTERS = 4
const FILE_TOKENS = 1_500
/** The most that a fact has of a summary. */
const MOST_SUMMARY = 32_000
/** What is left of a text when even the older messages are too long to be summarised. */
const CUT = 1_000

const WANTED = `Summarise the conversation above, because it no longer fits into your context. You will go on with the summary
in place of it. Keep what the person wants, what was decided and why, names, numbers, paths and other exact values, what the
tools found and changed, and what is still open. Write the summary alone, without a greeting. Do not call a tool.`

/** The words before a summary that takes the place of what was said. */
const BEFORE = 'This is a summary of the conversation until here, which was too long for your context:\n\n'

/** A summary as the model reads it. */
export const summaryMessage = (summary: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'text', text: BEFORE + summary }],
})

/** About how many tokens the messages have. */
export function estimatedTokens(messages: readonly ModelMessage[]): number {
  let files = 0
  const text = JSON.stringify(messages, (_, value) => {
    if (!(value instanceof Uint8Array) && value?.type !== 'file') return value
    files++
    return ''
  })
  return Math.ceil(text.length / CHARACTERS) + files * FILE_TOKENS
}

/** Knows how full the context of a model is. The provider counts exactly, and later estimates are corrected by that. */
export class ContextMeter {
  readonly #size: number | undefined
  #correction = 1

  constructor(size: number | undefined) {
    this.#size = size
  }

  /** What the provider has counted for messages of this estimate. */
  learn(estimate: number, counted: number | undefined): void {
    if (counted === undefined || counted <= 0 || estimate <= 0) return
    // Some count only what they had not seen before, and that must not make a full context look empty.
    this.#correction = Math.min(Math.max(counted / estimate, 0.5), 3)
  }

  tokens(messages: readonly ModelMessage[]): number {
    return Math.ceil(estimatedTokens(messages) * this.#correction)
  }

  isFull(messages: readonly ModelMessage[]): boolean {
    return this.#size !== undefined && this.tokens(messages) > this.#size * FULL
  }

  /** How many tokens of the newest messages stay as they are. */
  kept(messages: readonly ModelMessage[]): number {
    return (this.#size ?? this.tokens(messages)) * KEPT
  }
}

/** What is summarised, and from where on everything stays as it was said. */
export interface Cut {
  older: HistoryMessage[]
  /** The id of a message of a person, or the number of a step of the answer that is under way. */
  keptFrom: string
}

/**
 * Divides a conversation whose last two messages are the turn and the answer that is under way. Turns stay whole, and so
 * do the steps of a long answer with their calls and results. Gives nothing when there is nothing older.
 */
export function cutOf(
  conversation: readonly HistoryMessage[],
  size: (messages: readonly HistoryMessage[]) => number,
  most: number,
): Cut | undefined {
  const last = conversation.length - 2
  const [turn, answer] = conversation.slice(last) as [HistoryMessage, HistoryMessage]
  const parts = answer.parts ?? []
  const steps = [...new Set(parts.flatMap(part => ('partId' in part ? (stepOf(part.partId) ?? []) : [])))]
  // A long answer is cut itself: its newest steps stay, at least one.
  if (size([turn, answer]) > most && steps.length > 1) {
    let from = steps.length - 1
    while (from > 1 && size([{ ...answer, parts: since(parts, steps[from - 1]!) }]) <= most) from--
    const keptFrom = steps[from]!
    const before = parts.slice(0, parts.length - since(parts, keptFrom).length)
    return { older: [...conversation.slice(0, last), turn, { ...answer, parts: before }], keptFrom }
  }
  let from = last
  for (let at = last - 1; at >= 0; at--) {
    if (size(conversation.slice(at)) > most) break
    if (conversation[at]!.role === 'user') from = at
  }
  const older = conversation.slice(0, from)
  if (!older.some(({ text, parts = [] }) => text !== '' || parts.length > 0)) return undefined
  return { older, keptFrom: from === last ? '1' : conversation[from]!.messageId }
}

/** The parts from the first one of a step on. */
export function since(parts: readonly HistoryPart[], step: string): HistoryPart[] {
  const at = parts.findIndex(part => 'partId' in part && Number(stepOf(part.partId)) >= Number(step))
  return at < 0 ? [] : parts.slice(at)
}

/** Has the model summarise the messages. The request begins as the last one did, so that the provider knows its beginning. */
export async function summarise(
  { model, settings, instructions, tools }: Omit<StepRequest, 'messages'>,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<{ summary: string; usage: Usage }> {
  const result = streamText({
    ...settings,
    model,
    instructions,
    tools,
    toolChoice: 'auto',
    messages: [...messages, { role: 'user', content: [{ type: 'text', text: WANTED }] }],
    maxRetries: 1,
    abortSignal: AbortSignal.any([signal, AbortSignal.timeout(SILENCE_MS)]),
    // Errors come in the stream as well. Without this the SDK prints them.
    onError: () => {},
  })
  let summary = ''
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') summary += part.text
  }
  signal.throwIfAborted()
  if (summary.trim() === '') throw new AgentError('The model gave no summary.', { code: 'summary_empty' })
  return { summary: summary.trim().slice(0, MOST_SUMMARY).toWellFormed(), usage: usageOf(await result.usage) }
}

/** The messages with short texts, for a model that cannot even take the older ones as a whole. */
export const shortened = (messages: readonly ModelMessage[]): ModelMessage[] =>
  JSON.parse(
    JSON.stringify(messages, (_, value) => {
      if (value?.type === 'file') return { type: 'text', text: '[a file]' }
      if (typeof value !== 'string' || value.length <= CUT) return value
      return `${value.slice(0, CUT / 2)} […] ${value.slice(-CUT / 2)}`.toWellFormed()
    }),
  ) as ModelMessage[]
