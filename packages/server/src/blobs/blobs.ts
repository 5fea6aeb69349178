import type { BlobRef } from '@vitrine/protocol'

/** Content-addressed bytes. Who may read one is decided by the session that refers to it, not here. */
export interface Blobs {
  put(bytes: Uint8Array, mediaType: string): Promise<BlobRef>
  get(digest: string): Promise<Uint8Array | undefined>
}
