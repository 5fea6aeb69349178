import type { StoredBlob } from './blob-index.ts'

/** A file that a person has uploaded and that no turn refers to yet. */
export interface Upload extends StoredBlob {
  /** After this time it is removed unless a turn refers to it. */
  expiresAt: number
}

/** How much of one person may wait for a turn that refers to it. */
export interface UploadLimits {
  bytes: number
  files: number
}

/** Which person has uploaded which blob for a turn to come. The bytes themselves live in the blob store (`Blobs`). */
export interface UploadStore {
  /**
   * Notes an upload under the key of its request. The same blob under the same key is noted once and gives the first
   * upload again; other bytes under it are refused (UploadKeyTaken), and so is what goes over the limits (UploadsFull).
   */
  addUpload(owner: string, key: string, upload: Upload, limits: UploadLimits): Promise<Upload>
  /** What of this person waits. */
  waitingUploads(owner: string): Promise<UploadLimits>
  /**
   * Makes blobs belong to the session, in one commit: each is one that the session refers to already, or an upload of the
   * owner that is not expired, which is then used up. Gives them in the same order; nothing when one of them is neither,
   * and then nothing was changed.
   */
  claimUploads(
    sessionId: string,
    owner: string,
    digests: readonly string[],
    now: number,
  ): Promise<StoredBlob[] | undefined>
  /** The digests of uploads that are expired at this time. From now on no turn can refer to them. */
  dueUploads(now: number): Promise<string[]>
  /** Whether a session, or an upload that is not due, needs this blob. */
  isBlobNeeded(digest: string): Promise<boolean>
  /** Forgets the uploads of this blob that are due. */
  removeDueUploads(digest: string): Promise<void>
}
