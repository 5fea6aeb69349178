import type { BlobRef } from '@vitrine/protocol'

/** The blob is larger than the store takes. */
export class BlobTooLarge extends Error {
  override name = 'BlobTooLarge'
}

/** The stored bytes are not the ones that were put. Putting them again repairs it. */
export class BlobDamaged extends Error {
  override name = 'BlobDamaged'
}

/** Content-addressed bytes. Who may read one is decided by the session that refers to it, not here. */
export interface Blobs {
  /**
   * `refer` notes durably who needs the blob, before its bytes are written: a crash in between leaves no bytes that nobody
   * knows of. `remove` of the same digest never comes between the note and the bytes.
   */
  put(bytes: Uint8Array, mediaType: string, refer: (ref: BlobRef) => Promise<void>): Promise<BlobRef>
  /**
   * Takes bytes as they come, without holding them in memory, and stores them like `put`. Nothing of them stays when they
   * are more than `maxBytes` (BlobTooLarge), when `bytes` fails, or when `refer` does.
   */
  receive(
    bytes: AsyncIterable<Uint8Array>,
    mediaType: string,
    maxBytes: number,
    refer: (ref: BlobRef) => Promise<void>,
  ): Promise<BlobRef>
  get(digest: string): Promise<Uint8Array | undefined>
  /** A part of the bytes as they are read, from `start` up to and without `end`. Its bytes were checked like those of `get`. */
  read(digest: string, start: number, end: number): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Resolves when no file has the bytes any more, or when somebody needs them. */
  remove(digest: string, isNeeded: () => Promise<boolean>): Promise<void>
  /** Removes what crashes have left of blobs that were never whole. */
  prune(): Promise<void>
}
