import type { SessionHandle } from '@vitrine/client'
import { useEffect, useMemo } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntity, useReadable } from '../hooks.ts'
import { isFact, type Outbox, outboxOf, type Unsent } from './outbox.ts'

/** The outbox of a session, which is sent whenever the server can be reached again. */
export function useOutbox(handle: SessionHandle): Outbox {
  const { client, kept } = useVitrine()
  const outbox = useMemo(() => outboxOf(kept, handle.sessionId), [kept, handle])
  const connection = useReadable(client.connection).state
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the connection is a reason to try.
  useEffect(() => void outbox.flush(handle), [outbox, handle, connection])
  const unsent = useReadable(outbox)
  useFacts(handle)
  // A text that was seen as a fact must not come back when the fact goes, such as a queued turn that is removed.
  useEffect(() => {
    for (const each of unsent) if (each.state === 'sent' && isFact(handle.state, each)) outbox.take(each.id)
  })
  return outbox
}

/** Draws again when something came that may be the fact of a text. */
function useFacts(handle: SessionHandle): void {
  useEntity(handle, 'messages', () => null)
  useEntity(handle, 'queue', () => null)
  useEntity(handle, 'steers', () => null)
  useEntity(handle, 'actions', () => null)
}

/** What has left the composer and cannot be seen as a fact yet. */
export function useUnsent(handle: SessionHandle): readonly Unsent[] {
  const { kept } = useVitrine()
  const unsent = useReadable(outboxOf(kept, handle.sessionId))
  useFacts(handle)
  return unsent.filter(each => each.state !== 'refused' && !isFact(handle.state, each))
}
