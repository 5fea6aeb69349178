import type { BlobRef } from '@vitrine/protocol'

/** Content-addressed bytes. Who may read one is decided by the session that refers to it, not here. */
export interface Blobs {
  /** `refer` notes durably who needs the blob. `remove` of the same digest never comes between the bytes and the note. */
  put(bytes: Uint8Array, mediaType: string, refer: (ref: BlobRef) => Promise<void>): Promise<BlobRef>
  get(digest: string): Promise<Uint8Array | undefined>
  /** Resolves when no file has the bytes any more, or when somebody needs them. */
  remove(digest: string, isNeeded: () => Promise<boolean>): Promise<void>
}
