import type { VitrineClient } from '@vitrine/client'
import { type Command, isObject, type Problem } from '@vitrine/protocol'
import { placeOf, readDraft, storeDrafts, writeField } from '../drafts.ts'
import { isAway, outboxOf } from './outbox.ts'

/** A session whose first text was sent, and that the server has not made yet. Its text is in its outbox. */
export type Beginning = Command<'createSession'> & { sessionId: string }

const PLACE = placeOf('outbox', 'new')
/** While the server cannot be reached, it is asked again this often. */
const AGAIN_MS = 3_000

const isBeginning = (value: unknown): value is Beginning => isObject(value) && typeof value.sessionId === 'string'

/** The session that an earlier page was about to begin. One whose text has been sent meanwhile has begun. */
export const storedBeginning = (): Beginning | null =>
  Object.values(readDraft(PLACE))
    .filter(isBeginning)
    .find(({ sessionId }) => Object.keys(readDraft(placeOf('outbox', sessionId))).length > 0) ?? null

/** Keeps it, so that a page that is loaded again goes on with it; without a beginning it is forgotten. */
export function keepBeginning(sessionId: string, beginning?: Beginning): void {
  if (!beginning && !Object.hasOwn(readDraft(PLACE), sessionId)) return
  writeField(PLACE, sessionId, beginning)
  storeDrafts()
}

/**
 * Makes the session with its first text, in one request: a page that goes away meanwhile leaves no empty session. Both have
 * ids of this side, so that they are made once, however often they are asked for. Gives the problem when the server says
 * no to the session; while it cannot be reached, it is asked again. A text that the server refuses comes back in the
 * composer of its session, so the session is then made without it.
 */
export async function begin(
  client: VitrineClient,
  kept: Map<string, unknown>,
  beginning: Beginning,
  wanted: () => boolean,
): Promise<Problem | null> {
  const { sessionId } = beginning
  const outbox = outboxOf(kept, sessionId)
  const first = outbox
    .get()
    .find(({ action, state }) => action === 'send' && (state === 'sending' || state === 'waiting'))
  const whole = first ? { ...beginning, turn: { ...first.input, turnId: first.id } } : beginning
  let created = await client.createSession(whole)
  while (!created.ok && isAway(created.problem) && wanted()) {
    await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
    created = await client.createSession(whole)
  }
  if (created.ok && first) outbox.taken(first.id)
  else if (first && !created.ok && !isAway(created.problem)) created = await client.createSession(beginning)
  // Left behind, it is kept: the first screen goes on with it when it is shown again.
  if (!created.ok && isAway(created.problem)) return null
  if (!created.ok) {
    keepBeginning(sessionId)
    return created.problem
  }
  const handle = client.open(sessionId)
  outbox.flush(handle).finally(() => {
    // A page that is loaded again while the text waits goes to the session by it.
    if (outbox.get().every(({ state }) => state !== 'waiting')) keepBeginning(sessionId)
    handle.close()
  })
  return null
}
