import { createHash, randomUUID, webcrypto } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageRefused } from '../storage/storage.ts'
import { fromSystem } from '../storage/system-errors.ts'
import { BlobDamaged, type Blobs, BlobTooLarge } from './blobs.ts'

/** Where blobs are kept as files, and how large one may be. */
export interface FileBlobsOptions {
  /** The data folder; bytes live in its `blobs` folder. */
  folder: string
  /** The largest blob that is taken. */
  maxBytes?: number
  /** Nobody else writes into the folder, because this process holds its lock: then what is half written is left from a crash. */
  alone?: boolean
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024
const DIGEST = /^[0-9a-f]{64}$/
/** Long after any write has ended, so that only what a crash left is removed. */
const ABANDONED_MS = 60 * 60 * 1000
/** Files of which it is remembered that they are whole. */
const MAX_CHECKED = 1_000

/** Files named by the SHA-256 of their bytes: `blobs/ab/cdef…`. */
export async function openFileBlobs(options: FileBlobsOptions): Promise<Blobs> {
  const { folder, maxBytes = DEFAULT_MAX_BYTES, alone = false } = options
  const root = join(folder, 'blobs')
  const partial = join(root, 'partial')
  try {
    await mkdir(partial, { recursive: true, mode: 0o700 })
    await removeAbandoned(partial, alone ? 0 : ABANDONED_MS)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw fromSystem(error)
    throw new StorageRefused(`${root} is not a folder: move that file away or choose another data folder.`)
  }

  const placeOf = (digest: string) => {
    const shelf = join(root, digest.slice(0, 2))
    return { shelf, file: join(shelf, digest.slice(2)) }
  }

  /** The last one that works with a digest: the next one waits for it. */
  const busy = new Map<string, Promise<unknown>>()
  async function exclusively<T>(digest: string, work: () => Promise<T>): Promise<T> {
    const turn = (busy.get(digest) ?? Promise.resolve()).then(work)
    const ended = turn.then(
      () => {},
      () => {},
    )
    busy.set(digest, ended)
    try {
      return await turn
    } catch (error) {
      throw fromSystem(error)
    } finally {
      if (busy.get(digest) === ended) busy.delete(digest)
    }
  }

  /** Whole under its final name or not there at all, also after a power cut. */
  async function write(bytes: Uint8Array, digest: string): Promise<void> {
    // Named after its digest, so that what a crash leaves of it can be removed with it.
    const temporary = join(partial, `${digest}.${randomUUID()}`)
    try {
      await using handle = await open(temporary, 'wx', 0o600)
      await handle.writeFile(bytes)
      await handle.sync()
      await moveIn(temporary, digest)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  async function moveIn(temporary: string, digest: string): Promise<void> {
    const { shelf, file } = placeOf(digest)
    if ((await mkdir(shelf, { recursive: true, mode: 0o700 })) !== undefined) await sync(root)
    await rename(temporary, file)
  }

  /** Writes the bytes to a file of their own while it hashes them. */
  async function take(bytes: AsyncIterable<Uint8Array>, temporary: string, maxBytes: number) {
    await using handle = await open(temporary, 'wx', 0o600)
    const hash = createHash('sha256')
    let size = 0
    for await (const piece of bytes) {
      size += piece.byteLength
      if (size > maxBytes) throw tooLarge(size, maxBytes)
      hash.update(piece)
      await handle.writeFile(piece)
    }
    await handle.sync()
    return { size, digest: hash.digest('hex') }
  }

  /** Files that were whole when they were read last, with the time of their last change. */
  const whole = new Map<string, string>()

  /** Whether the file has the bytes of its name. A file that was checked is read again only when it has changed. */
  async function check(digest: string): Promise<boolean> {
    const { file } = placeOf(digest)
    const found = await stat(file).catch(missing)
    if (!found) return false
    const state = `${found.ino} ${found.size} ${found.mtimeMs}`
    if (whole.get(digest) === state) return true
    const hash = createHash('sha256')
    for await (const piece of createReadStream(file)) hash.update(piece as Uint8Array)
    if (hash.digest('hex') !== digest) throw damaged(digest)
    whole.delete(digest)
    whole.set(digest, state)
    if (whole.size > MAX_CHECKED) whole.delete(whole.keys().next().value!)
    return true
  }

  return {
    async put(bytes, mediaType, refer) {
      if (bytes.byteLength > maxBytes) throw tooLarge(bytes.byteLength, maxBytes)
      const digest = await digestOf(bytes)
      const { shelf, file } = placeOf(digest)
      const ref = { ref: `sha256:${digest}`, size: bytes.byteLength, digest, mediaType }
      return exclusively(digest, async () => {
        await refer(ref)
        const present = await read(file)
        if (!present || (await digestOf(present)) !== digest) await write(bytes, digest)
        // Also for a file that was there: the server that put it may have been killed before it came this far.
        await sync(shelf)
        return ref
      })
    },
    async receive(bytes, mediaType, limit, refer) {
      // Nobody knows its digest yet: what a crash leaves of it is removed by its age.
      const temporary = join(partial, `received.${randomUUID()}`)
      try {
        const { size, digest } = await take(bytes, temporary, Math.min(limit, maxBytes))
        const ref = { ref: `sha256:${digest}`, size, digest, mediaType }
        return await exclusively(digest, async () => {
          await refer(ref)
          await moveIn(temporary, digest)
          await sync(placeOf(digest).shelf)
          return ref
        })
      } catch (error) {
        await rm(temporary, { force: true })
        throw fromSystem(error)
      }
    },
    async read(digest, start, end) {
      if (!DIGEST.test(digest) || !(await check(digest))) return undefined
      return pieces(placeOf(digest).file, start, end)
    },
    async get(digest) {
      // Nothing but a digest becomes part of a path.
      if (!DIGEST.test(digest)) return undefined
      const bytes = await read(placeOf(digest).file)
      if (bytes && (await digestOf(bytes)) !== digest) {
        throw damaged(digest)
      }
      return bytes
    },
    async remove(digest, isNeeded) {
      if (!DIGEST.test(digest)) return
      const { shelf, file } = placeOf(digest)
      await exclusively(digest, async () => {
        if (await isNeeded()) return
        await rm(file, { force: true })
        await sync(shelf).catch(missing)
        for (const name of await readdir(partial)) {
          if (name.startsWith(digest)) await rm(join(partial, name), { force: true })
        }
      })
    },
    prune: () => removeAbandoned(partial, ABANDONED_MS),
  }
}

const tooLarge = (bytes: number, maxBytes: number): BlobTooLarge =>
  new BlobTooLarge(`${bytes} bytes are more than the ${maxBytes} that a blob may have`)

const damaged = (digest: string): BlobDamaged =>
  new BlobDamaged(`Blob ${digest} on disk no longer has its digest: restore it from a backup`)

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

/** Hashed off the event loop. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
}

async function read(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The file is opened when the first piece is asked for: nobody may ever ask. */
async function* pieces(file: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start < end) yield* createReadStream(file, { start, end: end - 1 }) as AsyncIterable<Uint8Array>
}

async function sync(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

/** Removes what is older than this. With 0 all of it. */
async function removeAbandoned(partial: string, olderMs: number): Promise<void> {
  for (const name of await readdir(partial)) {
    const file = join(partial, name)
    const found = await stat(file).catch(() => undefined)
    if (found && (olderMs === 0 || Date.now() - found.mtimeMs > olderMs)) await rm(file, { force: true })
  }
}
