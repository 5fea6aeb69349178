import { randomUUID } from 'node:crypto'
import type { Answer } from '@vitrine/protocol'
import { type Blobs, BlobTooLarge } from '../blobs/blobs.ts'
import { keyReused, Refusal } from '../refusal.ts'
import { UploadKeyTaken, UploadsFull } from '../storage/storage.ts'
import type { Upload, UploadStore } from '../storage/upload-store.ts'
import type { Limits } from './limits.ts'
import type { Runtime } from './runtime.ts'

export interface UploadsOptions {
  storage: UploadStore
  blobs: Blobs
  limits: Limits
  now(): number
}

export interface Uploads extends Pick<Runtime, 'uploadFile'> {
  /** Removes the files that no turn has referred to in time, and what crashes have left half written. */
  prune(): Promise<void>
}

/** Files on their way to a turn: they are the person's own until a turn refers to them, or their time is over. */
export function createUploads({ storage, blobs, limits, now }: UploadsOptions): Uploads {
  /** By person: what is on its way at this moment. */
  const underWay = new Map<string, { files: number; bytes: number }>()

  /** The bytes as they come, as long as they keep to the limits of the person and to the time. */
  async function* counted({ bytes, size }: Given, owner: string): AsyncGenerator<Uint8Array> {
    const waiting = await storage.waitingUploads(owner)
    const mine = underWay.get(owner)!
    if (waiting.files + mine.files > limits.uploads) throw full()
    const pieces = bytes[Symbol.asyncIterator]()
    const end = Date.now() + limits.uploadMs
    let counted = 0
    try {
      for (;;) {
        const left = Math.min(limits.uploadIdleMs, end - Date.now())
        const { done, value } = await inTime(pieces.next(), left)
        if (done && size !== undefined && counted !== size)
          throw incomplete('The connection ended before the file did.')
        if (done) return
        counted += value.byteLength
        mine.bytes += value.byteLength
        if (waiting.bytes + mine.bytes > limits.uploadBytes) throw full()
        yield value
      }
    } finally {
      mine.bytes -= counted
      // Not awaited: the end of a body that stopped coming may never come.
      void pieces.return?.()?.catch(() => {})
    }
  }

  return {
    async uploadFile(who, given) {
      const { mediaType, key = randomUUID(), size: announced = 0 } = given
      const owner = who.id
      if (announced > limits.fileBytes) throw tooLarge(limits)
      const mine = underWay.get(owner) ?? { files: 0, bytes: 0 }
      if (mine.files >= limits.uploadsAtOnce) throw tooManyAtOnce(limits)
      underWay.set(owner, mine)
      mine.files++
      let upload: Upload | undefined
      try {
        await blobs.receive(counted(given, owner), mediaType, limits.fileBytes, async ({ digest, size }) => {
          const expiresAt = now() + limits.uploadKeptMs
          const wanted = { digest, size, mediaType, expiresAt }
          upload = await storage.addUpload(owner, key, wanted, { bytes: limits.uploadBytes, files: limits.uploads })
        })
      } catch (error) {
        throw refusalOf(error, limits)
      } finally {
        if (--mine.files === 0) underWay.delete(owner)
      }
      const { digest, size, expiresAt } = upload!
      return { digest, size, mediaType, expiresAt } satisfies Answer<'FileUploaded'>
    },

    async prune() {
      for (const digest of await storage.dueUploads(now())) {
        await blobs.remove(digest, () => storage.isBlobNeeded(digest))
        // Last: what a crash cuts off before this is due again.
        await storage.removeDueUploads(digest)
      }
      await blobs.prune()
    },
  }
}

type Given = Parameters<Runtime['uploadFile']>[1]

function refusalOf(error: unknown, limits: Limits): unknown {
  if (error instanceof BlobTooLarge) return tooLarge(limits)
  if (error instanceof UploadsFull) return full()
  return error instanceof UploadKeyTaken ? keyReused() : error
}

const tooLarge = ({ fileBytes }: Limits): Refusal =>
  new Refusal('too_large', `The file is larger than ${fileBytes} bytes.`, {
    next: 'Send a smaller file.',
    params: { bytes: fileBytes },
  })

const incomplete = (why: string): Refusal => new Refusal('body_incomplete', why, { next: 'Send it again.' })

const full = (): Refusal =>
  new Refusal('uploads_full', 'Too many files of this person wait for a turn that refers to them.', {
    next: 'Send or drop some of them, or wait: each is removed after a day.',
  })

const tooManyAtOnce = ({ uploadsAtOnce }: Limits): Refusal =>
  new Refusal('uploads_busy', `This person is sending ${uploadsAtOnce} files already.`, {
    next: 'Try again in a moment, when one of them has arrived.',
  })

/** A body that is sent too slowly must not keep a file open for ever. */
async function inTime<T>(next: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(incomplete('The file did not arrive in time.')), Math.max(ms, 0))
  })
  try {
    return await Promise.race([next, late])
  } finally {
    clearTimeout(timer)
  }
}
