import { snapshot, windowStart } from '@vitrine/protocol'
import type { LoadedSession } from '../log/loaded-session.ts'
import { HistoryMoved } from '../log/stored-history.ts'
import { Refusal } from '../refusal.ts'
import type { BlobIndex } from '../storage/blob-index.ts'
import type { SessionRow } from '../storage/session-store.ts'
import type { Access } from './access.ts'
import type { Content } from './content.ts'
import type { OpenSessions } from './open-sessions.ts'
import type { Runtime } from './runtime.ts'

/** About what a snapshot and a page of older messages may be. */
const SNAPSHOT_BYTES = 1024 * 1024
const PAGE_BYTES = 512 * 1024

export interface ReadingOptions {
  storage: Pick<BlobIndex, 'blob'>
  open: OpenSessions
  access: Access
  content: Content
  load(sessionId: string): Promise<LoadedSession>
}

type Reading = Pick<
  Runtime,
  'position' | 'getSession' | 'listMessages' | 'listMessageParts' | 'listVersionMessages' | 'getQueue' | 'getBlob'
>

/** What people read of a session. None of it changes anything. */
export function createReading({ storage, open, access, content, load }: ReadingOptions): Reading {
  /**
   * Reads the projection, and only what is durable of it (L1). Storage has it. Memory is a shortcut while it is as new as
   * the row in storage says: another process may have taken the session over, and then what is in memory here is old.
   */
  async function read<T>({ sessionId, seq }: SessionRow, take: (loaded: LoadedSession) => T | Promise<T>): Promise<T> {
    const session = await open.find(sessionId)
    let inMemory = session !== undefined && !session.log.broken && session.state.seq >= seq
    for (;;) {
      try {
        if (!session || !inMemory) return await take(await load(sessionId))
        inMemory = false
        const taken = await take(session.log.loaded)
        const durable = await session.log.settled().then(
          () => true,
          () => false,
        )
        if (durable) return taken
      } catch (error) {
        if (!(error instanceof HistoryMoved)) throw error
      }
    }
  }

  return {
    async position(who, sessionId) {
      const { logId, seq } = await access.row(who, sessionId)
      return { log: logId, seq }
    },

    async getSession(who, sessionId, messages) {
      const row = await access.row(who, sessionId)
      const limits = { messages, bytes: SNAPSHOT_BYTES }
      const taken = await read(row, ({ state }) => snapshot(state, windowStart(state, limits), limits.bytes))
      return { ...taken, log: row.logId }
    },

    async listMessages(who, sessionId, before, limit) {
      const row = await access.row(who, sessionId)
      const limits = { messages: limit, bytes: PAGE_BYTES }
      return read(row, ({ history }) => history.page(before, limits))
    },

    async listMessageParts(who, sessionId, ordinal, before) {
      const row = await access.row(who, sessionId)
      return read(row, async ({ history, state }) => {
        const exists = Number.isSafeInteger(ordinal) && ordinal > 0 && ordinal <= state.counts.ordinals
        if (!exists) throw new Refusal('message_not_found', 'There is no such message in this session.')
        return history.parts(ordinal, before)
      })
    },

    async listVersionMessages(who, sessionId, rewindId, after, limit) {
      const row = await access.row(who, sessionId)
      return read(row, ({ history, state }) => {
        const rewind = state.rewinds.byId.get(rewindId)
        if (!rewind) throw new Refusal('version_not_found', 'There is no such earlier version in this session.')
        return history.version(rewind, after, { messages: limit, bytes: PAGE_BYTES })
      })
    },

    async getQueue(who, sessionId) {
      const row = await access.row(who, sessionId)
      return read(row, ({ state: { queue, session } }) => ({
        turns: [...queue.turns],
        held: queue.held,
        reason: queue.reason,
        policy: session.queuePolicy,
      }))
    },

    async getBlob(who, sessionId, digest) {
      await access.row(who, sessionId)
      const known = await storage.blob(sessionId, digest)
      if (!known) throw new Refusal('blob_not_found', 'There is no such content in this session.')
      const { size, mediaType } = known
      return { size, mediaType, read: (start, end) => content.read(digest, start, end) }
    },
  }
}
