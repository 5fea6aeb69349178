import type { SessionHandle } from '@vitrine/client'
import type { BlobRef, Problem } from '@vitrine/protocol'
import { useCallback, useState } from 'react'

/** How far the bytes behind a reference are. */
export type BlobState =
  | { readonly state: 'idle' | 'loading' }
  | { readonly state: 'done'; readonly text: string }
  | { readonly state: 'failed'; readonly problem: Problem }

/** A text that is too large for an event, and the function that fetches it, at first or again. */
export function useBlob(handle: SessionHandle, { digest }: BlobRef): [BlobState, () => Promise<string | undefined>] {
  const [blob, setBlob] = useState<BlobState & { digest?: string }>({ state: 'idle' })
  const load = useCallback(async () => {
    setBlob({ state: 'loading', digest })
    const answer = await handle.getBlob(digest)
    const loaded: BlobState = answer.ok
      ? { state: 'done', text: answer.value }
      : { state: 'failed', problem: answer.problem }
    // Another reference may have come meanwhile: its text is not this one.
    setBlob(now => (now.digest === digest ? { ...loaded, digest } : now))
    return answer.ok ? answer.value : undefined
  }, [handle, digest])
  return [blob.digest === digest ? blob : { state: 'idle' }, load]
}
