import { type BlobRef, type Command, type FileRef, type Interaction, isObject, type TurnInput } from '@vitrine/protocol'
import type { FileRange, FileToStore, LargeText } from '../agents/agent.ts'
import { AgentError } from '../agents/agent-error.ts'
import { BlobDamaged, type Blobs } from '../blobs/blobs.ts'
import { Refusal } from '../refusal.ts'
import type { BlobIndex } from '../storage/blob-index.ts'
import type { UploadStore } from '../storage/upload-store.ts'

/** A text that is longer is stored. The event has its beginning and its end, because output often ends with what counts. */
const PREVIEW = 8 * 1024
const TAIL = 2 * 1024
/** Bytes of a file that an agent is given at once, and that it gives. */
const MAX_FILE = 8 * 1024 * 1024

/** A file as a command names it. */
export type Attachment = NonNullable<Command<'submitTurn'>['files']>[number]

/** What an event carries of a text: all of it, or its beginning, its end and a reference to the whole. */
export interface Excerpt {
  preview: string
  tail?: string
  ref?: BlobRef
}

/** Content that is too large for an event: it is kept as a blob, and the event has its beginning and a reference. */
export interface Content {
  /** The bytes that a fact refers to. Refuses when they are missing or damaged: nobody may go on with a part of them. */
  bytes(digest: string): Promise<Uint8Array>
  /** A part of those bytes as they are read. Refuses like `bytes`. */
  read(digest: string, start: number, end: number): Promise<AsyncIterable<Uint8Array>>
  /** Stores what belongs to this session. */
  ofSession(session: Owned): SessionContent
}

export interface SessionContent {
  /** Keeps a text. A short text needs no blob and is its own preview. */
  store(large: LargeText): Promise<Excerpt>
  /** The files that a turn names, which belong to this session from now on. Refuses when one of them is not there. */
  refer(files: readonly Attachment[]): Promise<FileRef[]>
  /** Keeps a file that an agent gives. */
  storeFile(file: FileToStore): Promise<FileRef>
  /** Bytes that the session refers to, for its agents. */
  readFile(digest: string, range?: FileRange): Promise<Uint8Array>
  /** The input of a turn with its whole text or interaction, also when its event only carries the beginning. */
  whole(input: TurnInput): Promise<TurnInput>
}

export interface ContentOptions {
  storage: Pick<BlobIndex, 'addBlob' | 'blob'> & Pick<UploadStore, 'claimUploads'>
  blobs: Blobs
  now(): number
}

export function createContent({ storage, blobs, now }: ContentOptions): Content {
  async function whole<T>(reading: Promise<T | undefined>): Promise<T> {
    const found = await reading.catch(error => {
      if (!(error instanceof BlobDamaged)) throw error
    })
    if (found) return found
    const why = 'Content that this session refers to is missing or damaged in the data folder.'
    throw new Refusal('data_damaged', why, { next: 'Restore the data folder of the server from a backup.' })
  }
  const bytes = (digest: string): Promise<Uint8Array> => whole(blobs.get(digest))
  const read = (digest: string, start: number, end: number) => whole(blobs.read(digest, start, end))

  async function refer({ sessionId, owner }: Owned, files: readonly Attachment[]): Promise<FileRef[]> {
    if (files.length === 0) return []
    const digests = files.map(({ digest }) => digest)
    const blobs = await storage.claimUploads(sessionId, owner, digests, now())
    // What was never uploaded, what somebody else has uploaded and what is expired get the same refusal.
    if (!blobs) {
      const why = 'A file of this turn is not there: it was never uploaded, or it waited too long.'
      throw new Refusal('file_not_found', why, { path: '/files', next: 'Upload it again.' })
    }
    return blobs.map((blob, index) => ({ ref: `sha256:${blob.digest}`, ...blob, name: files[index]!.name }))
  }

  async function readFile({ sessionId }: Owned, given: unknown, range: unknown): Promise<Uint8Array> {
    const known = typeof given === 'string' ? await storage.blob(sessionId, given) : undefined
    if (!known) throw wrongArguments('This session has no file with this digest.')
    const [start, end] = rangeOf(range, known.size)
    const pieces: Uint8Array[] = []
    for await (const piece of await read(known.digest, start, end)) pieces.push(piece)
    // A copy of its own, because it may go to another thread.
    return new Uint8Array(Buffer.concat(pieces))
  }

  async function store({ sessionId, owner }: Owned, large: LargeText): Promise<Excerpt> {
    // Agents bring it, so that nothing but this check makes sure of its types.
    const { text: given, mediaType } = large as { text: unknown; mediaType?: unknown }
    if (typeof given !== 'string' || (mediaType !== undefined && typeof mediaType !== 'string')) {
      throw wrongArguments('What is stored is a text with a media type.')
    }
    const text = given.toWellFormed()
    if (text.length <= PREVIEW) return { preview: text }
    const ref = await put({ sessionId, owner }, Buffer.from(text), mediaType ?? 'text/plain; charset=utf-8')
    return { preview: text.slice(0, PREVIEW - TAIL).toWellFormed(), tail: text.slice(-TAIL).toWellFormed(), ref }
  }

  async function storeFile(session: Owned, file: FileToStore): Promise<FileRef> {
    const { bytes, mediaType, name } = file as { bytes: unknown; mediaType: unknown; name?: unknown }
    if (
      !(bytes instanceof Uint8Array) ||
      typeof mediaType !== 'string' ||
      !['string', 'undefined'].includes(typeof name)
    ) {
      throw wrongArguments('What is stored is bytes with a media type.')
    }
    if (bytes.length > MAX_FILE) throw wrongArguments(`A file that an agent gives has at most ${MAX_FILE} bytes.`)
    const ref = await put(session, bytes, mediaType.slice(0, 200).toWellFormed())
    return { ...ref, ...(name !== undefined && { name: (name as string).slice(0, 200).toWellFormed() }) }
  }

  const put = ({ sessionId, owner }: Owned, content: Uint8Array, type: string): Promise<BlobRef> =>
    blobs.put(content, type, ({ digest, size, mediaType }) =>
      storage.addBlob(sessionId, owner, { digest, size, mediaType }),
    )

  async function wholeInput(input: TurnInput): Promise<TurnInput> {
    if (!input.ref) return input
    const text = Buffer.from(await bytes(input.ref.digest)).toString()
    return input.interaction ? { ...input, interaction: JSON.parse(text) as Interaction } : { ...input, text }
  }

  return {
    bytes,
    read,
    ofSession: session => ({
      store: large => store(session, large),
      storeFile: file => storeFile(session, file),
      refer: files => refer(session, files),
      readFile: (digest, range) => readFile(session, digest, range),
      whole: wholeInput,
    }),
  }
}

type Owned = { sessionId: string; owner: string }

/** Agents bring it, so that nothing but this check makes sure of its types. */
function rangeOf(given: unknown, size: number): [start: number, end: number] {
  const { start = 0, end = size } = isObject(given) ? given : {}
  const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
  if (!isPlace(start) || !isPlace(end)) throw wrongArguments('The bounds of what is read are whole numbers.')
  const to = Math.min(end, size)
  if (to - start > MAX_FILE) {
    throw wrongArguments(`At most ${MAX_FILE} bytes are read at once: name a start and an end.`)
  }
  return [start, Math.max(start, to)]
}

const wrongArguments = (message: string): AgentError =>
  new AgentError(message, { code: 'invalid_arguments', retryable: false })
