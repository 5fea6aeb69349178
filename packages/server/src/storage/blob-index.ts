/** What is known of a blob without its bytes. */
export interface StoredBlob {
  digest: string
  size: number
  mediaType: string
}

/** Which session refers to which blob. The bytes themselves live in the blob store (`Blobs`). */
export interface BlobIndex {
  /** From now on the session refers to this blob. */
  addBlob(sessionId: string, owner: string, blob: StoredBlob): Promise<void>
  /** The blob, when this session refers to it. */
  blob(sessionId: string, digest: string): Promise<StoredBlob | undefined>
  /**
   * The digests of the blobs that this session, hidden or not, refers to and nobody else needs: no other session and no
   * upload that waits for its turn. What is hidden for good
   * needs none, so that sessions that are erased together leave none of theirs.
   */
  soleBlobs(sessionId: string): Promise<string[]>
}
