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
  get(digest: string): Promise<Uint8Array | undefined>
  /** Resolves when no file has the bytes any more, or when somebody needs them. */
  remove(digest: string, isNeeded: () => Promise<boolean>): Promise<void>
}
