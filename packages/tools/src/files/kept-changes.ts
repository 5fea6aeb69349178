import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a file was before a change of a session, and what it was made. */
export interface KeptChange {
  readonly changeId: string
  readonly sessionId: string
  readonly path: string
  readonly at: number
  /** The bytes in base64; null when there was no file. */
  readonly before: string | null
  readonly mode: number
  /** The digest of what the change wrote. */
  readonly after: string
}

/** How much is kept. The oldest changes are let go of first. */
const MOST_CHANGES = 500
const MOST_BYTES = 100 * 1024 * 1024

/** What was there before changes, so that they can be undone; in a folder, or only in memory. */
export class KeptChanges {
  readonly #folder: string | undefined
  readonly #changes = new Map<string, KeptChange>()
  #bytes = 0
  #last = 0
  #loading: Promise<void> | undefined

  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** Keeps what was there. It is durable when this resolves, before the file is changed. */
  async keep(change: Omit<KeptChange, 'changeId' | 'at'>): Promise<KeptChange> {
    await this.#load()
    // Two changes never have the same time, so that the order of their ids is theirs.
    this.#last = Math.max(Date.now(), this.#last + 1)
    const changeId = `${this.#last}-${randomBytes(6).toString('hex')}`
    const kept = { ...change, changeId, at: this.#last }
    if (this.#folder !== undefined) {
      const file = join(this.#folder, `${changeId}.json`)
      await writeFile(`${file}.new`, JSON.stringify(kept), { mode: 0o600, flush: true })
      await rename(`${file}.new`, file)
    }
    this.#add(kept)
    while (this.#changes.size > MOST_CHANGES || this.#bytes > MOST_BYTES) {
      const [oldest] = this.#changes.values()
      if (!oldest || oldest.changeId === changeId) break
      await this.drop(oldest)
    }
    return kept
  }

  /** The newest change of a session, of one file or of any. */
  async newest(sessionId: string, path?: string): Promise<KeptChange | undefined> {
    await this.#load()
    return [...this.#changes.values()].findLast(
      change => change.sessionId === sessionId && (path === undefined || change.path === path),
    )
  }

  async drop({ changeId }: KeptChange): Promise<void> {
    const known = this.#changes.get(changeId)
    if (!known) return
    this.#changes.delete(changeId)
    this.#bytes -= known.before?.length ?? 0
    if (this.#folder !== undefined) await rm(join(this.#folder, `${changeId}.json`), { force: true })
  }

  #add(change: KeptChange): void {
    this.#changes.set(change.changeId, change)
    this.#bytes += change.before?.length ?? 0
    this.#last = Math.max(this.#last, change.at)
  }

  async #load(): Promise<void> {
    this.#loading ??= this.#read()
    await this.#loading
  }

  async #read(): Promise<void> {
    const folder = this.#folder
    if (folder === undefined) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const files = (await readdir(folder)).filter(name => /^\d+-[0-9a-f]+\.json$/.test(name))
    files.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    for (const file of files) {
      try {
        const change = JSON.parse(await readFile(join(folder, file), 'utf8')) as KeptChange
        if (`${change.changeId}.json` === file && typeof change.path === 'string') this.#add(change)
      } catch {
        // A file that cannot be read is no change that could be undone. The others are.
      }
    }
  }
}
