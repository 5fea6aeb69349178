import { newId, type Readable, type VitrineClient } from '@vitrine/client'
import { uploadFile } from '@vitrine/client/files'
import { type Command, isObject, MAX_FILE_BYTES, MAX_FILE_NAME, MAX_FILES, type Problem } from '@vitrine/protocol'
import { forgetDraft, placeOf, readDraft, storeDrafts, writeDraft } from '../drafts.ts'

/** A file as a turn names it. */
export type FileInTurn = NonNullable<Command<'submitTurn'>['files']>[number]

/** A file that is attached to a text that is not sent yet. */
export interface Attachment {
  /** Also the key of its upload: sent again, it is the same file. */
  readonly id: string
  readonly name: string
  /** Null when only its name is known, because it came back with a text that was refused. */
  readonly size: number | null
  readonly mediaType: string
  readonly state: 'waiting' | 'uploading' | 'done' | 'failed'
  /** How much of it has left, from 0 to 1. */
  readonly share: number
  /** What a turn refers to it by, once it is uploaded. */
  readonly digest: string | null
  /** When the server removes it unless it is sent. */
  readonly expiresAt: number | null
  readonly problem: Pick<Problem, 'title' | 'code'> | null
  /** The address of the picture that it is, as long as the page has the file. */
  readonly preview: string | null
}

/** Files that were not taken, and why. */
export interface NotTaken {
  readonly why: 'too-many' | 'too-large' | 'folder'
  readonly names: readonly string[]
}

interface State {
  readonly files: readonly Attachment[]
  readonly notTaken: readonly NotTaken[]
}

/** What was refused stays said until somebody closes it or sends the text: the names of one reason stand together. */
function withRefused(before: readonly NotTaken[], now: readonly NotTaken[]): readonly NotTaken[] {
  const later = now.map(({ why, names }) => {
    const earlier = before.find(each => each.why === why)?.names ?? []
    return { why, names: [...new Set([...earlier, ...names])] }
  })
  return [...before.filter(({ why }) => !later.some(each => each.why === why)), ...later]
}

/** Uploads at once: more would only share the line. */
const AT_ONCE = 3
/** Files that were sent and are remembered, should their text come back. */
const MOST_SENT = 2 * MAX_FILES

/** What was sent, by digest, whichever place it was sent from: it comes back when its text is refused. */
type Sent = Map<string, { file: Attachment; source: File | undefined }>

/**
 * What is attached in one place where a person writes. There is one for each place and page, so that uploads go on while
 * another session is open. What is uploaded is stored with the draft and outlives the page.
 */
export class Attachments implements Readable<State> {
  readonly #client: VitrineClient
  readonly #place: string
  readonly #listeners = new Set<() => void>()
  /** The files of this page, by the id of their attachment. A page that was loaded again has none. */
  readonly #sources = new Map<string, File>()
  readonly #uploads = new Map<string, AbortController>()
  readonly #sent: Sent
  #state: State

  constructor(client: VitrineClient, where: string, sent: Sent = new Map()) {
    this.#client = client
    this.#sent = sent
    this.#place = placeOf('files', where)
    const { files } = readDraft(this.#place)
    this.#state = { files: Array.isArray(files) ? files.flatMap(restored) : [], notTaken: [] }
  }

  get(): State {
    return this.#state
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Attaches what fits, and says of the rest why it does not. */
  add(given: readonly File[], folders: readonly string[] = []): void {
    const small = given.filter(({ size }) => size <= MAX_FILE_BYTES)
    const room = Math.max(MAX_FILES - this.#state.files.length, 0)
    const taken = small.slice(0, room).map(file => {
      const id = newId()
      this.#sources.set(id, file)
      const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null
      return { ...attachmentOf(id, file), preview }
    })
    const left: NotTaken[] = [
      { why: 'folder' as const, names: folders },
      { why: 'too-large' as const, names: given.filter(file => !small.includes(file)).map(({ name }) => name) },
      { why: 'too-many' as const, names: small.slice(room).map(({ name }) => name) },
    ].filter(({ names }) => names.length > 0)
    this.#set({ files: [...this.#state.files, ...taken], notTaken: withRefused(this.#state.notTaken, left) })
    this.#store()
    this.#start()
  }

  /** Takes a file out again, also while it is on its way. */
  remove(id: string): void {
    const file = this.#find(id)
    this.#uploads.get(id)?.abort()
    this.#sources.delete(id)
    if (file?.preview) URL.revokeObjectURL(file.preview)
    this.#set({ files: this.#state.files.filter(other => other.id !== id) })
    this.#store()
    this.#start()
  }

  retry(id: string): void {
    if (!this.#sources.has(id)) return
    this.#change(id, { state: 'waiting', share: 0, problem: null, digest: null })
    this.#start()
  }

  /** Whether the page still has the file, so that its upload can be tried again. */
  canRetry(id: string): boolean {
    return this.#sources.has(id)
  }

  forgetNotTaken(): void {
    this.#set({ notTaken: [] })
  }

  /** Hands the files to a text that is being sent: nothing is attached here any more. */
  take(): FileInTurn[] | undefined {
    const { files } = this.#state
    if (files.length === 0) return undefined
    for (const file of files) {
      if (file.digest) this.#sent.set(file.digest, { file, source: this.#sources.get(file.id) })
      this.#sources.delete(file.id)
    }
    for (const [digest, { file }] of [...this.#sent].slice(0, -MOST_SENT)) {
      this.#sent.delete(digest)
      if (file.preview) URL.revokeObjectURL(file.preview)
    }
    this.#set({ files: [], notTaken: [] })
    this.#store()
    return files.flatMap(({ digest, name }) => (digest ? [{ digest, name }] : []))
  }

  /** A text was refused: what was attached to it is attached here again. */
  giveBack(files: readonly FileInTurn[], problem: Pick<Problem, 'title' | 'code'> | null): void {
    if (files.length === 0) return
    const lost = problem?.code === 'file_not_found'
    const back = files.map(({ digest, name }): Attachment => {
      const { file, source } = this.#sent.get(digest) ?? {}
      const known = file ?? { ...attachmentOf(newId(), { name, type: '', size: null }), digest }
      if (source) this.#sources.set(known.id, source)
      return { ...known, state: lost ? 'failed' : 'done', share: 1, problem: lost ? problem : null }
    })
    this.#set({ files: [...back, ...this.#state.files].slice(0, MAX_FILES) })
    this.#store()
  }

  #find(id: string): Attachment | undefined {
    return this.#state.files.find(file => file.id === id)
  }

  #start(): void {
    for (const { id, state } of this.#state.files) {
      if (this.#uploads.size >= AT_ONCE) return
      const file = this.#sources.get(id)
      if (state === 'waiting' && file) void this.#upload(id, file)
    }
  }

  async #upload(id: string, file: File): Promise<void> {
    const stop = new AbortController()
    this.#uploads.set(id, stop)
    this.#change(id, { state: 'uploading' })
    const onProgress = (share: number) => this.#change(id, { share })
    const outcome = await uploadFile(this.#client, file, { key: id, onProgress, signal: stop.signal })
    this.#uploads.delete(id)
    if (outcome.ok) {
      const { digest, expiresAt } = outcome.value
      this.#change(id, { state: 'done', share: 1, digest, expiresAt })
      this.#store()
    } else if (!stop.signal.aborted) this.#change(id, { state: 'failed', problem: outcome.problem })
    this.#start()
  }

  #change(id: string, change: Partial<Attachment>): void {
    if (!this.#find(id)) return
    this.#set({ files: this.#state.files.map(file => (file.id === id ? { ...file, ...change } : file)) })
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** At once: the page may go at any moment, and an upload that it had made would be lost. */
  #store(): void {
    const { files } = this.#state
    // The address of a picture is of this page alone.
    if (files.length > 0) writeDraft(this.#place, { files: files.map(({ preview: _, ...file }) => file) })
    else forgetDraft(this.#place)
    storeDrafts()
  }
}

/** A file that was sent from this page, by its digest. A page that was loaded again knows none. */
export const sentFile = (kept: Map<string, unknown>, digest: string): Attachment | undefined =>
  (kept.get('attachments') as Sent | undefined)?.get(digest)?.file

/** The attachments of a place. There is one for the page. */
export function attachmentsOf(kept: Map<string, unknown>, client: VitrineClient, where: string): Attachments {
  const key = `attachments:${where}`
  const found = kept.get(key)
  if (found instanceof Attachments) return found
  const sent = (kept.get('attachments') as Sent | undefined) ?? new Map()
  kept.set('attachments', sent)
  const made = new Attachments(client, where, sent)
  kept.set(key, made)
  return made
}

interface Named {
  name: string
  type: string
  size: number | null
}

function attachmentOf(id: string, { name, type, size }: Named): Attachment {
  return {
    id,
    name: shortName(name),
    size,
    mediaType: type || 'application/octet-stream',
    state: 'waiting',
    share: 0,
    digest: null,
    expiresAt: null,
    problem: null,
    preview: null,
  }
}

/** A name that a server takes: its end says what kind of file it is, so its middle gives way. */
function shortName(name: string): string {
  const plain = name.toWellFormed().replaceAll('\0', '') || 'file'
  if (plain.length <= MAX_FILE_NAME) return plain
  return `${plain.slice(0, MAX_FILE_NAME - 21)}…${plain.slice(-20)}`.toWellFormed()
}

/** What a page before this one had attached. */
function restored(stored: unknown): Attachment[] {
  if (!isObject(stored) || typeof stored.id !== 'string' || typeof stored.name !== 'string') return []
  const { id, name, size, mediaType, digest, expiresAt } = stored
  const file = attachmentOf(id, { name, type: '', size: typeof size === 'number' ? size : null })
  const known = { ...file, mediaType: typeof mediaType === 'string' ? mediaType : file.mediaType, share: 1 }
  const fresh = typeof expiresAt !== 'number' || expiresAt > Date.now()
  if (typeof digest === 'string' && fresh) return [{ ...known, digest, expiresAt: expiresAt as number, state: 'done' }]
  const code = typeof digest === 'string' ? 'file_not_found' : 'upload_cut_off'
  return [{ ...known, state: 'failed', problem: { title: code, code } }]
}
