import type { Principal } from '../auth/principal.ts'
import { Refusal } from '../refusal.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { EventReader } from '../storage/log-store.ts'
import type { Hub } from './hub.ts'

/** Where streams come from: the log in storage, and whoever tells that it has grown. */
export interface Sources {
  runtime: Pick<Runtime, 'position' | 'listSessions' | 'listFolders'>
  storage: EventReader
  hub: Pick<Hub, 'onEvents' | 'onHint' | 'onSummary' | 'onFolders'>
  /** Told when a stream breaks off for a reason of ours. */
  report(error: unknown): void
}

/** How far a reader has come in a log, and in which one when it knows that. */
export interface Cursor {
  seq: number
  log?: string | undefined
}

/** Refuses a session that is not the person's, and a cursor that this log has never reached or that is of another log. */
export async function allow(
  { runtime, storage }: Pick<Sources, 'runtime' | 'storage'>,
  who: Principal,
  sessionId: string,
  { seq, log }: Cursor,
): Promise<void> {
  const position = await runtime.position(who, sessionId)
  if (log !== undefined && log !== position.log) {
    const detail = 'The session has another log now: it was made again, or put back from an older copy.'
    throw new Refusal('cursor_foreign', detail, { next: 'Load the session again.' })
  }
  if (seq <= position.seq) return
  const [last] = await storage.events(sessionId, seq - 1, 1)
  if (last) return
  throw new Refusal('cursor_foreign', `The session has no event ${seq}.`, { next: 'Load the session again.' })
}
