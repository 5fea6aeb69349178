import { type BlobRef, type FileRef, isObject, type Json, type JsonObject } from '@vitrine/protocol'
import type { FileToStore, LargeText } from '../agents/agent.ts'
import { AgentError } from '../agents/agent-error.ts'
import { asJson, NotJson } from '../agents/as-json.ts'

/** Characters of text, and bytes of one file, that a result may have. */
const MAX_TEXT = 8 * 1024 * 1024
const MAX_PARTS = 100
/** Characters of a text that an event carries as a whole. */
const MAX_INLINE = 8 * 1024
/** What is told of a result that is too large. */
const EXCERPT = 2 * 1024

/** Where the large pieces of a result are kept. */
export interface OutputStore {
  store(large: LargeText): Promise<{ preview: string; tail?: string; ref?: BlobRef }>
  storeFile(file: FileToStore): Promise<FileRef>
}

/** The fields of `tool.result` or `tool.failed` that a tool itself decides about. */
export interface ReadOutput {
  failed: boolean
  fields: JsonObject
}

/**
 * Reads what a tool has given back: large texts and bytes are stored, and the event gets what it can carry. Throws when it
 * is no output at all, with words that say so.
 */
export async function readToolOutput(given: unknown, store: OutputStore): Promise<ReadOutput> {
  if (given === undefined || given === null) return { failed: false, fields: { preview: 'The tool returned nothing.' } }
  const bytes = bytesOf(given)
  if (bytes !== undefined) {
    throw wrong(`The tool returned ${bytes} bytes alone. An output gives bytes as content, with their media type.`)
  }
  if (typeof given === 'string') return { failed: false, fields: { ...(await textFields(given, store)) } }
  if (!isObject(given)) throw wrong(`The tool returned something that is no output: ${typeof given}.`)
  const { text, value, content, structured, uiHints, ui, meta, failed } = given as Record<string, unknown>
  if (text !== undefined && typeof text !== 'string') throw wrong('The text that the tool returned is no text.')
  const parts = await readContent(content, store)
  const words = text ?? parts?.words
  const fields: JsonObject = {
    ...(words !== undefined && words !== '' && (await textFields(words, store))),
    ...(value !== undefined && { value: dataOf(value) }),
    ...(structured !== undefined && { structured: dataOf(structured) }),
    ...(parts && { content: parts.content }),
    ...(isObject(uiHints) && { uiHints: dataOf(uiHints) }),
    ...(isObject(ui) && { ui: dataOf(ui) }),
    ...(isObject(meta) && { meta: dataOf(meta) }),
  }
  if (fields.preview === undefined && fields.value === undefined) {
    if (structured !== undefined) fields.value = fields.structured!
    else fields.preview = 'The tool returned nothing.'
  }
  return { failed: failed === true, fields }
}

async function textFields(text: string, { store }: OutputStore): Promise<JsonObject> {
  if (text.length > MAX_TEXT) throw tooLarge(text.length, 'characters', text.slice(0, EXCERPT).toWellFormed())
  return (await store({ text })) as unknown as JsonObject
}

/** The parts for the event, and the words of all of them for a model. */
async function readContent(
  given: unknown,
  store: OutputStore,
): Promise<{ content: JsonObject[]; words: string } | undefined> {
  if (given === undefined) return undefined
  if (!Array.isArray(given)) throw wrong('The content that the tool returned is no list.')
  if (given.length > MAX_PARTS) throw wrong(`The tool returned more than ${MAX_PARTS} pieces of content.`)
  const content: JsonObject[] = []
  const words: string[] = []
  for (const part of given as unknown[]) {
    const read = await readPart(isObject(part) ? (part as Record<string, unknown>) : {}, store)
    content.push(read.part)
    words.push(read.words)
  }
  return { content, words: words.filter(Boolean).join('\n\n') }
}

async function readPart(
  { kind, text, bytes, mediaType, uri, title }: Record<string, unknown>,
  store: OutputStore,
): Promise<{ part: JsonObject; words: string }> {
  if (kind === 'text' && typeof text === 'string') {
    const { preview } = await store.store({ text: limited(text) })
    return { part: { kind, text: preview }, words: text }
  }
  if ((kind === 'image' || kind === 'audio') && bytes instanceof Uint8Array && typeof mediaType === 'string') {
    const ref = await keep(bytes, mediaType, store)
    return { part: { kind, ref }, words: `[${kind} ${mediaType}, ${bytes.length} bytes]` }
  }
  if (kind === 'resource' && typeof uri === 'string') {
    const type = typeof mediaType === 'string' ? mediaType : undefined
    const part: JsonObject = {
      kind,
      uri,
      ...(typeof title === 'string' && { title: title.slice(0, 500).toWellFormed() }),
      ...(type !== undefined && { mediaType: type.slice(0, 200).toWellFormed() }),
    }
    if (typeof text === 'string') {
      const { preview, ref } = await store.store({
        text: limited(text),
        ...(type !== undefined && { mediaType: type }),
      })
      return { part: { ...part, text: preview, ...(ref && { ref: { ...ref } }) }, words: `${uri}\n${text}` }
    }
    const ref = bytes instanceof Uint8Array && (await keep(bytes, type ?? 'application/octet-stream', store))
    return { part: { ...part, ...(ref && { ref }) }, words: typeof title === 'string' ? `${title}: ${uri}` : uri }
  }
  throw wrong(`The tool returned a piece of content that is none: ${String(kind).slice(0, 100)}.`)
}

async function keep(bytes: Uint8Array, mediaType: string, { storeFile }: OutputStore): Promise<JsonObject> {
  if (bytes.length > MAX_TEXT) throw tooLarge(bytes.length, 'bytes')
  const { ref, digest, size, mediaType: type } = await storeFile({ bytes, mediaType })
  return { ref, digest, size, mediaType: type }
}

function limited(text: string): string {
  if (text.length > MAX_TEXT) throw tooLarge(text.length, 'characters', text.slice(0, EXCERPT).toWellFormed())
  return text.length > MAX_INLINE ? text : text.toWellFormed()
}

function dataOf(value: unknown): Json {
  try {
    const { value: data, size } = asJson(value)
    if (size > MAX_TEXT) throw tooLarge(size, 'characters')
    return data ?? null
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw wrong(`The tool returned something that is no data: ${error.message}.`)
  }
}

function bytesOf(value: unknown): number | undefined {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength
  return value instanceof Blob ? value.size : undefined
}

const wrong = (message: string): AgentError =>
  new AgentError(`${message} The call itself may have had its effect.`, { code: 'output_invalid', retryable: false })

const tooLarge = (size: number, of: string, beginning = ''): AgentError =>
  new AgentError(
    `The tool returned ${size} ${of}, and ${MAX_TEXT} are the most. The call itself may have had its effect.${
      beginning && ` It begins with: ${beginning}`
    }`,
    { code: 'output_too_large', retryable: false },
  )
