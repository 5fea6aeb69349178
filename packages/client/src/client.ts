import type { SessionSummary } from '@vitrine/protocol'
import { newId, sessionPath } from './commands.ts'
import { TIMING, type Timing } from './connection.ts'
import type { Feed, ListFrame } from './feed.ts'
import { onceAFrame } from './frame.ts'
import { createSend } from './http.ts'
import { readable } from './readable.ts'
import { createSessionList } from './session-list.ts'
import { joinShared } from './shared.ts'
import { createStore, type Store } from './store.ts'
import { createStream } from './stream.ts'
import type { AgentInfo, Connection, Outcome, SessionHandle, VitrineClient } from './types.ts'

export interface ClientOptions {
  /** Where the API is. `/api` of the page's own origin by default. */
  baseUrl?: string
  /** For API clients that add a token. The connection is then not shared between tabs. */
  fetch?: typeof globalThis.fetch
  /** One connection for all tabs of the browser (default), where the browser can. */
  shared?: boolean
  timing?: Partial<Timing>
}

const PAGE = 50

export function createClient(options: ClientOptions = {}): VitrineClient {
  const given = options.baseUrl ?? '/api'
  // Absolute, because a worker resolves paths by its own address.
  const baseUrl = (globalThis.location ? new URL(given, location.href).href : given).replace(/\/+$/, '')
  const fetch: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const timing = { ...TIMING, ...options.timing }
  const send = createSend(baseUrl, fetch, timing)

  const connection = readable<Connection>({ state: 'connecting', retryAt: null, problem: null })
  const sessions = readable<{ loaded: boolean; sessions: readonly SessionSummary[]; more: boolean }>({
    loaded: false,
    sessions: [],
    more: false,
  })
  const list = createSessionList()
  const open = new Map<string, { store: Store; holders: number }>()
  let paging: Promise<Outcome<boolean>> | null = null
  const lifetime = new AbortController()
  const { signal } = lifetime

  const showList = onceAFrame(() =>
    sessions.set({ loaded: list.loaded, sessions: list.sorted(), more: list.cursor !== null }),
  )

  const take = (frame: ListFrame) => {
    list.apply(frame)
    showList.request()
    for (const row of frame.sessions) if (!row.deleted) open.get(row.sessionId)?.store.revive('gone')
  }

  const use = (feed: Feed): Feed => {
    const show = () => {
      if (signal.aborted) return
      const now = feed.connection.get()
      connection.set(now)
      if (now.state === 'live') for (const { store } of open.values()) store.revive('failed')
    }
    feed.connection.subscribe(show)
    show()
    feed.onList(take)
    for (const { store } of open.values()) store.attach(feed)
    return feed
  }

  const direct = () => createStream({ baseUrl, fetch, timing })
  const goAlone = () => {
    if (!signal.aborted) feed = use(direct())
  }
  const shared = options.shared !== false && !options.fetch ? joinShared(baseUrl, goAlone) : null
  let feed = use(shared ?? direct())

  const wake = () => {
    if (!globalThis.document?.hidden) feed.wake()
  }
  for (const type of ['online', 'offline', 'pageshow']) globalThis.window?.addEventListener(type, wake, { signal })
  globalThis.document?.addEventListener('visibilitychange', wake, { signal })

  const page = (query: Record<string, string>) =>
    send<{ sessions: SessionSummary[]; cursor: string | null }>(
      'GET',
      `/sessions?${new URLSearchParams({ limit: String(PAGE), ...query })}`,
    )

  const loadMore = async (): Promise<Outcome<boolean>> => {
    const { cursor } = list
    if (cursor === null) return { ok: true, value: false }
    const answer = await page({ cursor })
    if (!answer.ok) return answer
    // A new first page may have come meanwhile: then this one does not continue it.
    if (list.cursor === cursor) list.append(answer.value.sessions, answer.value.cursor)
    showList.request()
    return { ok: true, value: true }
  }

  const forget = (sessionId: string) => {
    list.remove(sessionId)
    showList.request()
  }

  const remove = async (sessionId: string, query = ''): Promise<Outcome> => {
    const answer = await send('DELETE', sessionPath(sessionId) + query)
    if (answer.ok) forget(sessionId)
    return answer
  }

  return {
    connection,
    sessions,
    loadMoreSessions() {
      paging ??= loadMore().finally(() => {
        paging = null
      })
      return paging
    },
    async searchSessions(text) {
      // No title is longer: the rest would only have the search refused.
      const answer = await page({ q: text.slice(0, 500) })
      return answer.ok ? { ok: true, value: answer.value.sessions } : answer
    },
    async agents() {
      const answer = await send<{ agents: AgentInfo[] }>('GET', '/agents')
      return answer.ok ? { ok: true, value: answer.value.agents } : answer
    },
    createSession: input => send('POST', '/sessions', { body: { sessionId: newId(), ...input } }),
    deleteSession: sessionId => remove(sessionId),
    async restoreSession(sessionId) {
      const answer = await send<{ session: SessionSummary }>('POST', `${sessionPath(sessionId)}/restore`)
      if (answer.ok) take({ sessions: [answer.value.session] })
      return answer
    },
    eraseSession: sessionId => remove(sessionId, '?erase=now'),
    async deletedSessions() {
      const sessions: SessionSummary[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const answer = await page({ only: 'deleted', ...(cursor && { cursor }) })
        if (!answer.ok) return answer
        sessions.push(...answer.value.sessions)
        cursor = answer.value.cursor
      }
      return { ok: true, value: sessions }
    },
    open(sessionId) {
      let entry = open.get(sessionId)
      if (!entry) {
        const store = createStore({ sessionId, send, feed, timing, onGone: () => forget(sessionId) })
        entry = { store, holders: 0 }
        open.set(sessionId, entry)
      }
      const held = entry
      held.holders++
      let given = false
      const handle: SessionHandle = Object.create(held.store, {
        close: {
          value() {
            if (given) return
            given = true
            if (--held.holders > 0) return
            if (open.get(sessionId) === held) open.delete(sessionId)
            held.store.close()
          },
        },
      })
      return handle
    },
    async rotateToken() {
      const answer = await send<{ token: string; url: string }>('POST', '/token/rotate')
      // The server has ended the stream of the old credential.
      if (answer.ok) feed.reconnect()
      return answer
    },
    reconnect: () => feed.reconnect(),
    close() {
      if (signal.aborted) return
      lifetime.abort()
      for (const { store } of open.values()) store.close()
      open.clear()
      showList.cancel()
      feed.close()
      connection.set({ state: 'closed', retryAt: null, problem: null })
    },
  }
}
