import type { Answer, ListFrame } from '@vitrine/protocol'
import { newId, sessionPath } from './commands.ts'
import type { Feed } from './feed.ts'
import { onceAFrame } from './frame.ts'
import { createSend } from './http.ts'
import { createKnownSessions } from './known-sessions.ts'
import { readable } from './readable.ts'
import { joinWorker } from './shared/join-worker.ts'
import { createStore, type Store } from './store.ts'
import { createStream } from './stream.ts'
import { TIMING, type Timing } from './timing.ts'
import type { Connection, Outcome, SessionListState, VitrineClient } from './types.ts'

/** Where the server is, and how to talk to it. */
export interface ClientOptions {
  /** Where the API is. `/api` of the page's own origin by default. */
  baseUrl?: string
  /** For API clients that add a token. The connection is then not shared between tabs. */
  fetch?: typeof globalThis.fetch
  /** One connection for all tabs of the browser (default), where the browser can. */
  shared?: boolean
  /** Other waits and limits, for tests and for unusual networks. */
  timing?: Partial<Timing>
}

/** Connects to a server. The connection opens at once and is kept until `close`. */
export function createClient(options: ClientOptions = {}): VitrineClient {
  const given = options.baseUrl ?? '/api'
  // Absolute, because a worker resolves paths by its own address.
  const baseUrl = (globalThis.location ? new URL(given, location.href).href : given).replace(/\/+$/, '')
  const fetch: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const timing = { ...TIMING, ...options.timing }
  const send = createSend(baseUrl, fetch, timing)

  const connection = readable<Connection>({ state: 'connecting', retryAt: null, problem: null })
  const list = createKnownSessions()
  const listState = (): SessionListState => ({
    loaded: list.loaded,
    sessions: list.sorted(),
    folders: list.folders,
    more: list.cursor !== null,
  })
  const sessions = readable(listState())
  /** One for each session that is open. */
  const stores = new Map<string, Store>()
  let paging: Promise<Outcome<boolean>> | null = null
  const lifetime = new AbortController()
  const { signal } = lifetime
  let feed: Feed

  const showList = onceAFrame(() => sessions.set(listState()))

  const take = (frame: ListFrame) => {
    list.apply(frame)
    showList.request()
    for (const row of frame.sessions) if (!row.deleted) stores.get(row.sessionId)?.revive('gone')
  }

  const use = (given: Feed) => {
    feed = given
    const show = () => {
      if (signal.aborted) return
      const now = given.connection.get()
      connection.set(now)
      if (now.state === 'live') for (const store of stores.values()) store.revive('failed')
    }
    given.connection.subscribe(show)
    show()
    given.onList(take)
    for (const store of stores.values()) store.attach(given)
  }

  const goAlone = () => {
    if (!signal.aborted) use(createStream({ baseUrl, fetch, timing }))
  }
  const shared = options.shared !== false && !options.fetch && joinWorker(baseUrl, goAlone)
  if (shared) use(shared)
  else goAlone()

  const wake = () => {
    if (!globalThis.document?.hidden) feed.wake()
  }
  for (const type of ['online', 'pageshow']) globalThis.window?.addEventListener(type, wake, { signal })
  // A stream that hangs is not noticed for long. A new attempt tells at once, also that a server of this machine is there.
  globalThis.window?.addEventListener('offline', () => feed.reconnect(), { signal })
  globalThis.document?.addEventListener('visibilitychange', wake, { signal })

  const loadMore = async (): Promise<Outcome<boolean>> => {
    const { cursor } = list
    if (cursor === null) return { ok: true, value: false }
    const answer = await send<Answer<'SessionList'>>('GET', `/sessions?cursor=${encodeURIComponent(cursor)}`)
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
    api: { baseUrl, fetch: options.fetch },
    connection,
    sessions,
    loadMoreSessions() {
      paging ??= loadMore().finally(() => {
        paging = null
      })
      return paging
    },
    async listAgents() {
      const answer = await send<Answer<'AgentList'>>('GET', '/agents')
      return answer.ok ? { ok: true, value: answer.value.agents } : answer
    },
    createSession: input => send('POST', '/sessions', { body: { sessionId: newId(), ...input } }),
    deleteSession: sessionId => remove(sessionId),
    async restoreSession(sessionId) {
      const answer = await send<Answer<'Session'>>('POST', `${sessionPath(sessionId)}/restore`)
      if (answer.ok) take({ sessions: [answer.value.session] })
      return answer
    },
    eraseSession: sessionId => remove(sessionId, '?erase=now'),
    open(sessionId) {
      let store = stores.get(sessionId)
      if (!store) {
        const onGone = () => forget(sessionId)
        const onUnused = () => stores.delete(sessionId)
        store = createStore({ sessionId, send, feed, timing, onGone, onUnused })
        stores.set(sessionId, store)
      }
      return store.handle()
    },
    async rotateToken() {
      const answer = await send<Answer<'NewToken'>>('POST', '/token/rotate')
      // The server has ended the stream of the old credential.
      if (answer.ok) feed.reconnect()
      return answer
    },
    reconnect: () => feed.reconnect(),
    close() {
      if (signal.aborted) return
      lifetime.abort()
      for (const store of stores.values()) store.close()
      showList.cancel()
      feed.close()
      connection.set({ state: 'closed', retryAt: null, problem: null })
    },
  }
}
