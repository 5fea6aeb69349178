import { randomUUID, webcrypto } from 'node:crypto'
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
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024
const DIGEST = /^[0-9a-f]{64}$/
/** Long after any write has ended, so that only what a crash left is removed. */
const ABANDONED_MS = 60 * 60 * 1000

/** Files named by the SHA-256 of their bytes: `blobs/ab/cdef…`. */
export async function openFileBlobs({ folder, maxBytes = DEFAULT_MAX_BYTES }: FileBlobsOptions): Promise<Blobs> {
  const root = join(folder, 'blobs')
  const partial = join(root, 'partial')
  try {
    await mkdir(partial, { recursive: true, mode: 0o700 })
    await removeAbandoned(partial)
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
    const { shelf, file } = placeOf(digest)
    // Named after its digest, so that what a crash leaves of it can be removed with it.
    const temporary = join(partial, `${digest}.${randomUUID()}`)
    try {
      await using handle = await open(temporary, 'wx', 0o600)
      await handle.writeFile(bytes)
      await handle.sync()
      if ((await mkdir(shelf, { recursive: true, mode: 0o700 })) !== undefined) await sync(root)
      await rename(temporary, file)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  return {
    async put(bytes, mediaType, refer) {
      if (bytes.byteLength > maxBytes) {
        throw new BlobTooLarge(`${bytes.byteLength} bytes are more than the ${maxBytes} that a blob may have`)
      }
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
    async get(digest) {
      // Nothing but a digest becomes part of a path.
      if (!DIGEST.test(digest)) return undefined
      const bytes = await read(placeOf(digest).file)
      if (bytes && (await digestOf(bytes)) !== digest) {
        throw new BlobDamaged(`Blob ${digest} on disk no longer has its digest: restore it from a backup`)
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
  }
}

function missing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
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

async function sync(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

async function removeAbandoned(partial: string): Promise<void> {
  for (const name of await readdir(partial)) {
    const file = join(partial, name)
    const found = await stat(file).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(file, { force: true })
  }
}
