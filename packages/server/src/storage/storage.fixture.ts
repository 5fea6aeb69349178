import type { SessionEvent } from '@vitrine/protocol'
import { afterEach, beforeEach, expect } from 'vitest'
import type { RowChange, SessionToStore } from './session-store.ts'
import type { Storage } from './storage.ts'

/** An implementation of the ports of storage, as their contract suites open it. */
export interface StorageUnderTest<Options> {
  /** Options of a storage that holds nothing yet. */
  fresh(): Promise<Options>
  open(options: Options): Promise<Storage>
  /** Where a process of its own finds `open`. */
  module: string
  export: string
}

export const row = (sessionId: string, change: Partial<SessionToStore> = {}): SessionToStore => ({
  sessionId,
  owner: 'ada',
  title: `Title of ${sessionId}`,
  agentId: 'guide',
  createdAt: 1_000,
  updatedAt: 1_000,
  pinned: false,
  archived: false,
  folderId: null,
  waitsFor: null,
  status: 'idle',
  queued: 0,
  messageCount: 0,
  parentSessionId: null,
  unfinished: false,
  ...change,
})

/** How a row is found again when its log has come to `seq`. */
export const stored = (given: SessionToStore, seq = 0) => ({ ...given, seq, logId: expect.any(String) })

export const delta = (sessionId: string, seq: number, text = `${seq} `): SessionEvent => ({
  type: 'text.delta',
  seq,
  sessionId,
  at: 1_000 + seq,
  runId: 'run',
  messageId: 'message',
  partId: 'part',
  delta: text,
})

export const deltas = (sessionId: string, from: number, to: number): SessionEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => delta(sessionId, from + index))

export const HOSTILE = [
  `quotes ' '' " \` ; DROP TABLE sessions; --`,
  'emoji 👩🏽‍🚀🏳️‍🌈 and \u202eright to left',
  '% _ \\ * ? [a-z]',
  'line\nbreak\r\n\ttab \u2028 \u2029',
  '__proto__',
  'é ≠ e\u0301',
]

/** No database keeps these as plain text: a lone surrogate has no UTF-8, NUL ends the text. */
export const UNSTORABLE = ['high \ud83d', '\udc00 low', 'nul \0 inside']

export interface OpenedStorage<Options> {
  /** The one that is open now; it stays the same object when the storage is opened again. */
  readonly storage: Storage
  /** Closes it and opens it again with what it holds. */
  reopen(): Promise<void>
  /** Closes it, lets `use` do something with what is stored, and opens it again. */
  whileClosed(use: (options: Options) => Promise<void>): Promise<void>
  /** Makes a session with events up to `seq`, and gives the epoch of its writer. */
  started(sessionId: string, seq?: number, change?: Partial<SessionToStore>): Promise<number>
  /** Changes the list row as the writer of the session would. */
  changeRow(sessionId: string, change: RowChange): Promise<void>
}

/** Opens a new storage for each test of the suite around it, and closes it. */
export function eachWithStorage<Options>(subject: StorageUnderTest<Options>): OpenedStorage<Options> {
  let options: Options
  let opened: Storage
  beforeEach(async () => {
    options = await subject.fresh()
    opened = await subject.open(options)
  })
  afterEach(() => opened.close())

  const storage = new Proxy({} as Storage, {
    get: (_, name) => opened[name as keyof Storage],
    ownKeys: () => Reflect.ownKeys(opened),
    getOwnPropertyDescriptor: (_, name) => Object.getOwnPropertyDescriptor(opened, name),
  })
  async function whileClosed(use: (options: Options) => Promise<void>): Promise<void> {
    await opened.close()
    await use(options)
    opened = await subject.open(options)
  }

  return {
    storage,
    whileClosed,
    reopen: () => whileClosed(async () => {}),
    async started(sessionId, seq = 0, change = {}) {
      await storage.createSession(row(sessionId, change), [])
      const { epoch } = await storage.lease(sessionId, 'test')
      if (seq > 0) await storage.append({ sessionId, epoch, events: deltas(sessionId, 1, seq) })
      return epoch
    },
    async changeRow(sessionId, change) {
      const { epoch } = await storage.lease(sessionId, 'test')
      await storage.append({ sessionId, epoch, events: [], row: change })
    },
  }
}
