import type { FileRef, ModelInfo } from '@vitrine/protocol'
import type { AgentContext, HistoryCall, HistoryMessage } from '@vitrine/server'
import type { AttachedPart } from './messages.ts'

/** What a model takes beside text. What is absent is tried, and told when the provider refuses it. */
export interface ModelInputs {
  images?: boolean
  /** PDF documents. */
  documents?: boolean
}

/** What a model takes, by what is known of it. */
export function inputsOf(takes: ModelInfo['takes']): ModelInputs {
  const { images, files } = takes ?? {}
  return { ...(images !== undefined && { images }), ...(files !== undefined && { documents: files }) }
}

/** The largest image or document that a model is given, in bytes; `readFile` gives no more at once. */
const MOST_BYTES = 8 * 1024 * 1024
/** A text file up to so many bytes is quoted. Of a larger one the model gets the beginning, and reads on by itself. */
const MOST_TEXT = 64 * 1024
const BEGINNING = 8 * 1024

/** Whether a file begins with these bytes. The name and the media type are what a browser said, and may be wrong. */
const SIGNATURES: readonly [mediaType: string, begins: (bytes: Uint8Array) => boolean][] = [
  ['image/png', bytes => startsWith(bytes, '\x89PNG')],
  ['image/jpeg', bytes => startsWith(bytes, '\xff\xd8\xff')],
  ['image/gif', bytes => startsWith(bytes, 'GIF8')],
  ['image/webp', bytes => startsWith(bytes, 'RIFF') && startsWith(bytes.subarray(8), 'WEBP')],
  ['application/pdf', bytes => startsWith(bytes, '%PDF-')],
]

/** The name of the tool that reads large files. */
export const READ_ATTACHED = 'read_attached_file'

/** Reads what people attached and what tools returned, once in a run, and makes of each file what a model can take. */
export class Attachments {
  /** Text files that are too large to be quoted, by the id that the model is told. */
  readonly large = new Map<string, FileRef>()
  /** The provider has refused images and documents in this run. */
  refused = false
  readonly #read: AgentContext['readFile']
  readonly #takes: ModelInputs
  readonly #parts = new Map<string, AttachedPart>()

  constructor(read: AgentContext['readFile'], takes: ModelInputs = {}) {
    this.#read = read
    this.#takes = takes
  }

  /** Whether the model is given bytes, which it may not take. */
  get hasBytes(): boolean {
    return !this.refused && [...this.#parts.values()].some(({ type }) => type === 'file')
  }

  /** What the file has become. `load` must have seen it. */
  part = (file: FileRef): AttachedPart => {
    const found = this.#parts.get(keyOf(file)) ?? words(file, 'could not be read')
    return this.refused && found.type === 'file' ? words(file, 'is of a kind that this model does not take') : found
  }

  async load(history: readonly HistoryMessage[]): Promise<void> {
    const files = history.flatMap(({ files = [], parts = [] }) => [
      ...files,
      ...parts.flatMap(part => {
        if (part.kind === 'call') return imagesOf(part)
        return part.kind === 'steer' ? (part.files ?? []) : []
      }),
    ])
    for (const file of files) {
      if (!this.#parts.has(keyOf(file))) this.#parts.set(keyOf(file), await this.#partOf(file))
    }
  }

  /** A part of a large file as text, and where it ends. */
  async read(id: string, start: number, bytes: number): Promise<string> {
    const file = this.large.get(id)
    if (!file) return `There is no large file ${JSON.stringify(id)}. There are: ${[...this.large.keys()].join(', ')}.`
    const end = Math.min(start + bytes, file.size)
    const read = await this.#read(file.digest, { start, end })
    const text = new TextDecoder().decode(read)
    return `Bytes ${start} to ${start + read.length} of ${file.size} of ${JSON.stringify(nameOf(file))}:\n\n${text}`
  }

  async #partOf(file: FileRef): Promise<AttachedPart> {
    const { digest, size } = file
    try {
      const head = await this.#read(digest, { start: 0, end: Math.min(size, MOST_TEXT) })
      const mediaType = SIGNATURES.find(([, begins]) => begins(head))?.[0]
      if (mediaType === undefined) return this.#quoted(file, head)
      const isImage = mediaType !== 'application/pdf'
      const taken = isImage ? this.#takes.images : this.#takes.documents
      if (taken === false)
        return words(file, `cannot be given to this model: it takes no ${isImage ? 'images' : 'PDF'}`)
      if (size > MOST_BYTES) return words(file, `is too large for a model: it has ${size} bytes`)
      const data = size > head.length ? await this.#read(digest) : head
      return { type: 'file', data, mediaType, filename: nameOf(file) }
    } catch {
      return words(file, 'could not be read')
    }
  }

  #quoted(file: FileRef, head: Uint8Array): AttachedPart {
    const isLarge = file.size > head.length
    const text = decoded(isLarge ? head.subarray(0, BEGINNING) : head, isLarge)
    if (text === undefined) return words(file, 'is of a kind that cannot be given to a model')
    const name = JSON.stringify(nameOf(file))
    if (!isLarge) return { type: 'text', text: `The attached file ${name}:\n\n${text}` }
    const id = file.digest.slice(0, 12)
    this.large.set(id, file)
    const rest = `[This is the beginning: the file has ${file.size} bytes. Read more of it with ${READ_ATTACHED}, file ${JSON.stringify(id)}.]`
    return { type: 'text', text: `The attached file ${name}:\n\n${text}\n${rest}` }
  }
}

/** The images that a tool has returned. */
export const imagesOf = ({ name, result }: HistoryCall): FileRef[] =>
  (result?.content ?? []).flatMap(part => (part.kind === 'image' ? [{ ...part.ref, name: `result of ${name}` }] : []))

/** The bytes as text, or nothing when they are none. A piece of a file may end in the middle of a character. */
function decoded(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const words = (file: FileRef, what: string): AttachedPart => ({
  type: 'text',
  text: `The attached file ${JSON.stringify(nameOf(file))} (${file.mediaType}) ${what}. You do not see its content.`,
})

const nameOf = ({ name }: FileRef): string => name ?? 'file'

const keyOf = (file: FileRef): string => `${file.digest} ${nameOf(file)}`

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return [...signature].every((character, index) => bytes[index] === character.charCodeAt(0))
}
