import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from '@vitrine/protocol'
import type { LoadedSession } from '../log/loaded-session.ts'
import { textsOf } from '../log/text-change.ts'
import type { SearchStore } from '../storage/search-store.ts'

export interface IndexingOptions {
  storage: SearchStore
  load(sessionId: string): Promise<LoadedSession>
}

/** Brings the texts of sessions that an older version wrote, or that are copies, to where they can be found. */
export interface Indexing {
  /** Looks now, and again from time to time. */
  start(): void
  stop(): Promise<void>
}

/** What one step takes from the storage and brings back, and how long everybody else goes first after it. */
const STEP = { messages: 50, bytes: 256 * 1024 }
const PAUSE_MS = 20
/** How often it is looked for sessions that were busy, or that an agent has repaired. */
const AGAIN_MS = 30_000

/** Works in the background, in small steps, one session at a time, the newest first. */
export function createIndexing({ storage, load }: IndexingOptions): Indexing {
  let working: Promise<void> | null = null
  let wanted = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  /** Brings all texts of a session. False when somebody wrote it meanwhile. */
  async function bring(sessionId: string): Promise<boolean> {
    const { state, history } = await load(sessionId)
    const { seq } = state
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = await history.page(before, STEP)
      const last = page.from <= 1 || page.entities.messages.length === 0
      if (!(await storage.indexTexts(sessionId, seq, textsOf(page), false))) return false
      for (const message of page.entities.messages as unknown as Message[]) {
        for (let from = message.partsFrom; from > 0; ) {
          const older = await history.parts(message.ordinal, from)
          if (!(await storage.indexTexts(sessionId, seq, textsOf(older, message), false))) return false
          from = older.partsFrom ?? 0
        }
      }
      if (last) return storage.indexTexts(sessionId, seq, [], true)
      before = page.from
      await pause(PAUSE_MS)
      if (stopped) return false
    }
  }

  async function work(): Promise<void> {
    do {
      wanted = false
      const later = new Set<string>()
      for (;;) {
        const next = (await storage.unindexed(later.size + 1)).find(sessionId => !later.has(sessionId))
        if (next === undefined || stopped) break
        // One that is busy or damaged must not keep the others from being found.
        if (!(await bring(next).catch(() => false))) later.add(next)
        await pause(PAUSE_MS)
      }
    } while (wanted && !stopped)
  }

  function start(): void {
    wanted = true
    clearTimeout(timer)
    working ??= work()
      .catch(() => {})
      .then(() => {
        working = null
        if (!stopped) timer = setTimeout(start, AGAIN_MS).unref()
      })
  }

  return {
    start,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await working
    },
  }
}
