import type { Outcome, SessionHandle } from '@vitrine/client'
import type { BlobRef } from '@vitrine/protocol'

/** All of what a person wrote. A text that is too long for an event is in the blob store, and the page has its beginning. */
export const wholeText = async (
  handle: SessionHandle,
  { text, ref }: { text: string; ref?: BlobRef | null | undefined },
): Promise<Outcome<string>> => (ref ? handle.getBlob(ref.digest) : { ok: true, value: text })
