import {
  addPage,
  addParts,
  applyToWindow,
  createState,
  type Entity,
  hydrate,
  type MessagesPage,
  type Problem,
  type SessionEvent,
  type SessionSnapshot,
  type SessionState,
} from '@vitrine/protocol'
import { sessionCommands, sessionPath } from './commands.ts'
import type { Feed } from './feed.ts'
import { onceAFrame } from './frame.ts'
import type { Send } from './http.ts'
import { closed, isGone, isRefusal, localProblem } from './problem.ts'
import { createListeners, type Listeners, readable, safely } from './readable.ts'
import { backoff, type Timing } from './timing.ts'
import type { Outcome, SessionHandle, SessionPhase } from './types.ts'

const PAGE = 50
/** The largest window that the server gives. */
const MOST = 500

export interface StoreOptions {
  sessionId: string
  send: Send
  feed: Feed
  timing: Timing
  /** The session turned out not to exist. */
  onGone(): void
  /** The last handle was given back. */
  onUnused(): void
}

/** One session's projection: a snapshot, then its tail. */
export interface Store {
  /** A handle for one more view. The projection is closed when all of them are. */
  handle(): SessionHandle
  /** Goes on from the same cursor with another source of events. */
  attach(feed: Feed): void
  /** Loads it again when it failed (the connection is up again) or is gone (it is in the list again). */
  revive(when: 'failed' | 'gone'): void
  close(): void
}

export function createStore({ sessionId, send, feed, timing, onGone, onUnused }: StoreOptions): Store {
  const path = sessionPath(sessionId)
  const phase = readable<{ phase: SessionPhase; problem: Problem | null }>({ phase: 'loading', problem: null })
  const live = readable(false)
  const lifetime = new AbortController()
  const { signal } = lifetime
  const listeners = new Map<string, Listeners<void>>()
  const eventListeners = createListeners<SessionEvent>()
  const versions = new Map<string, number>()
  const dirty = new Set<string>()
  let state: SessionState = createState(sessionId)
  let log = ''
  /** Counts snapshots: a new one changes every entity. */
  let generation = 0
  let tries = 0
  let holes = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let loading = false
  let handles = 0
  let stop = () => {}
  /** Pages that are on their way: of older messages without a name, of parts by the id of their message. */
  const pages = new Map<string, Promise<Outcome<boolean>>>()

  const touch = (entity: Entity) => void dirty.add(entity.key)

  const flush = onceAFrame(() => {
    const keys = [...dirty]
    dirty.clear()
    // All versions first: a listener may read another key than its own.
    for (const key of keys) versions.set(key, (versions.get(key) ?? 0) + 1)
    for (const key of keys) listeners.get(key)?.tell()
  })

  const load = async () => {
    if (loading || signal.aborted) return
    loading = true
    clearTimeout(timer)
    leave()
    // A session that is loaded anew has as many messages as before, so that nobody loses their place.
    const messages = Math.min(Math.max(state.messages.byId.size, PAGE), MOST)
    const answer = await send<SessionSnapshot>('GET', `${path}?messages=${messages}`, { signal })
    loading = false
    // The session was closed meanwhile, and perhaps opened again: this answer is for nobody.
    if (signal.aborted) return
    if (!answer.ok) return fail(answer.problem)
    tries = 0
    state = hydrate(answer.value)
    log = answer.value.log
    generation++
    follow()
    phase.set({ phase: 'ready', problem: null })
    for (const list of [...listeners.values()]) list.tell()
  }

  const fail = (problem: Problem) => {
    if (isGone(problem.status)) return gone(problem)
    phase.set({ phase: 'failed', problem })
    // Asking again does not sign anybody in: that comes with the connection.
    if (!isRefusal(problem.status)) timer = setTimeout(load, backoff(tries++, timing))
  }

  /** Follows no more; what is shown is no longer the present. */
  const leave = () => {
    stop()
    stop = () => {}
    live.set(false)
  }

  const gone = (problem: Problem) => {
    leave()
    phase.set({ phase: 'gone', problem })
    onGone()
  }

  const follow = () => {
    stop = feed.follow(
      sessionId,
      { seq: state.seq, log },
      {
        events(events) {
          for (const event of events) {
            let result = 'applied' as ReturnType<typeof applyToWindow>
            // The fold has moved past the event even when a handler failed: the rest of the stream must go on.
            safely(() => {
              result = applyToWindow(state, event, touch)
            })
            if (result === 'gap') return reload()
            holes = 0
            if (result === 'applied') eventListeners.tell(event)
          }
          if (dirty.size > 0) flush.request()
        },
        gone,
        hole: reload,
        live: live.set,
      },
    )
  }

  /** The tail does not join what we have: a new snapshot does. Later and later, if it keeps happening. */
  const reload = () => {
    leave()
    clearTimeout(timer)
    timer = setTimeout(load, holes++ === 0 ? 0 : backoff(holes, timing))
  }

  /** A page that is older than what the stream has brought, or that is meant for a replaced state, is asked for again. */
  const loadPage = async (
    next: (target: SessionState) => string | undefined,
    add: (target: SessionState, page: MessagesPage, touch: (entity: Entity) => void) => boolean,
  ): Promise<Outcome<boolean>> => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const target = state
      const query = next(target)
      if (query === undefined) return { ok: true, value: false }
      const answer = await send<MessagesPage>('GET', `${path}/messages${query}`, { signal })
      if (signal.aborted) return { ok: false, problem: closed() }
      if (!answer.ok) return answer
      if (target === state && add(state, answer.value, touch)) {
        flush.request()
        return { ok: true, value: true }
      }
    }
    return { ok: false, problem: localProblem('page_outdated') }
  }

  /** Who asks for a page that is on its way waits for the same one. */
  const once = (name: string, ...page: Parameters<typeof loadPage>) => {
    const loading = pages.get(name) ?? loadPage(...page).finally(() => pages.delete(name))
    pages.set(name, loading)
    return loading
  }

  const close = () => {
    clearTimeout(timer)
    flush.cancel()
    leave()
    lifetime.abort()
  }

  /** What all handles have in common. */
  const common: Omit<SessionHandle, 'state' | 'close'> = {
    ...sessionCommands(send, sessionId),
    sessionId,
    phase,
    live,
    subscribe(key, listener) {
      const list = listeners.get(key) ?? createListeners()
      listeners.set(key, list)
      const stop = list.add(listener)
      return () => {
        if (stop() && listeners.get(key) === list) listeners.delete(key)
      }
    },
    version: key => generation + (versions.get(key) ?? 0),
    onEvent: eventListeners.add,
    loadOlder: (limit = PAGE) =>
      once('', ({ windowFrom }) => (windowFrom > 1 ? `?before=${windowFrom}&limit=${limit}` : undefined), addPage),
    loadEarlierParts: messageId => {
      const next = ({ messages }: SessionState) => {
        const message = messages.byId.get(messageId)
        return message?.partsFrom ? `/${message.ordinal}/parts?before=${message.partsFrom}` : undefined
      }
      return once(messageId, next, addParts)
    },
    markSessionRead: () => send('PUT', `${path}/read`, { body: { seq: state.seq } }),
  }

  void load()

  return {
    handle() {
      let open = true
      handles++
      return {
        ...common,
        get state() {
          return state
        },
        close() {
          if (!open) return
          open = false
          if (--handles > 0) return
          close()
          onUnused()
        },
      }
    },
    attach(to) {
      leave()
      feed = to
      if (phase.get().phase === 'ready' && !loading) follow()
    },
    revive(when) {
      if (phase.get().phase === when) void load()
    },
    close,
  }
}
