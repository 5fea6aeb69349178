import type { FileRef } from '@vitrine/protocol'
import type { AgentContext, HistoryMessage } from '@vitrine/server'
import type { AttachedPart } from './messages.ts'

/** The largest image or document that a model is given, in bytes; `readFile` gives no more at once. */
const MOST_BYTES = 8 * 1024 * 1024
/** How much of a text file is quoted, in bytes. */
const MOST_TEXT = 64 * 1024

/** Whether a file begins with these bytes. The name and the media type are what a browser said, and may be wrong. */
const SIGNATURES: readonly [mediaType: string, begins: (bytes: Uint8Array) => boolean][] = [
  ['image/png', bytes => startsWith(bytes, '\x89PNG')],
  ['image/jpeg', bytes => startsWith(bytes, '\xff\xd8\xff')],
  ['image/gif', bytes => startsWith(bytes, 'GIF8')],
  ['image/webp', bytes => startsWith(bytes, 'RIFF') && startsWith(bytes.subarray(8), 'WEBP')],
  ['application/pdf', bytes => startsWith(bytes, '%PDF-')],
]

/** Reads what people attached, once in a run, and makes of each file what a model can take. */
export class Attachments {
  readonly #read: AgentContext['readFile']
  readonly #parts = new Map<string, AttachedPart>()

  constructor(read: AgentContext['readFile']) {
    this.#read = read
  }

  /** What the file has become. `load` must have seen it. */
  part = (file: FileRef): AttachedPart => this.#parts.get(keyOf(file)) ?? words(file, 'could not be read')

  async load(history: readonly HistoryMessage[]): Promise<void> {
    const files = history.flatMap(({ files = [], parts = [] }) => [
      ...files,
      ...parts.flatMap(part => (part.kind === 'steer' ? (part.files ?? []) : [])),
    ])
    for (const file of files) {
      if (!this.#parts.has(keyOf(file))) this.#parts.set(keyOf(file), await this.#partOf(file))
    }
  }

  async #partOf(file: FileRef): Promise<AttachedPart> {
    const { digest, size } = file
    try {
      const head = await this.#read(digest, { start: 0, end: Math.min(size, MOST_TEXT) })
      const mediaType = SIGNATURES.find(([, begins]) => begins(head))?.[0]
      if (mediaType === undefined) return quoted(file, head)
      if (size > MOST_BYTES) return words(file, `is too large for a model: it has ${size} bytes`)
      const data = size > head.length ? await this.#read(digest) : head
      return { type: 'file', data, mediaType, filename: nameOf(file) }
    } catch {
      return words(file, 'could not be read')
    }
  }
}

function quoted(file: FileRef, head: Uint8Array): AttachedPart {
  const isCut = file.size > head.length
  const text = decoded(head, isCut)
  if (text === undefined) return words(file, 'is of a kind that cannot be given to a model')
  const cut = isCut
    ? `\n[The rest is left out: the file has ${file.size} bytes, and these are the first ${head.length}.]`
    : ''
  return { type: 'text', text: `The attached file ${JSON.stringify(nameOf(file))}:\n\n${text}${cut}` }
}

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
