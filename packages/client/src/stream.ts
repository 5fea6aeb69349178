import { type EventsFrame, type Problem, unpackEvents } from '@vitrine/protocol'
import { backoff, type Signal, type Timing, transition } from './connection.ts'
import type { Cursor, Feed, ListFrame, Sink } from './feed.ts'
import { isRefusal, localProblem, problemOf, problemOfError, retryAfter } from './problem.ts'
import { createListeners, readable, safely } from './readable.ts'
import { isPart } from './session-list.ts'
import { readSse } from './sse.ts'
import type { Connection } from './types.ts'

export interface StreamOptions {
  /** Absolute, or relative to the page; without a slash at the end. */
  baseUrl: string
  fetch: typeof fetch
  timing: Timing
}

interface Follower extends Cursor {
  sink: Sink
  live: boolean
}

/** One request of the stream. `at` is how far each of its sessions has come on it. */
interface Attempt {
  at: Map<string, Cursor>
  /** What has not been brought up to date on it, the list included. */
  behind: Set<string>
  /** Frames of the list that wait until this attempt is the one that counts: two passes must not be mixed. */
  list: ListFrame[]
  opened: boolean
  moved: boolean
  heard: number
  patience: number
  watchdog: ReturnType<typeof setTimeout> | undefined
  abort: AbortController
}

/** The name of the list among what is followed; a session id is never empty. */
const LIST = ''

/** The server cannot go on from the cursor, but it has the session. */
const RELOAD = new Set(['cursor_ahead', 'cursor_foreign'])

type End = 'lost' | 'cut' | 'silent' | 'refused'

/**
 * The multiplexed stream: all followed sessions and the list on one connection. When the set of sessions grows,
 * the new connection is opened beside the old one, which is closed when the new one has caught up; what both
 * deliver reaches a follower once, because each follower has a cursor (L3).
 */
export function createStream({ baseUrl, fetch, timing }: StreamOptions): Feed {
  const connection = readable<Connection>({ state: 'connecting', retryAt: null, problem: null })
  const followers = new Map<string, Set<Follower>>()
  const listListeners = createListeners<ListFrame>()
  /** Cursors from which the server has already failed to continue once. */
  const holes = new Map<string, number>()
  let current: Attempt | null = null
  let next: Attempt | null = null
  let tries = 0
  /** The last attempt to take everybody along has failed. */
  let failing = false
  /** Where the pass over the list stands that has not ended yet. */
  let listAt: string | undefined
  /** Until the next try, to connect or to take everybody along. */
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let lingerTimer: ReturnType<typeof setTimeout> | undefined
  let syncing = false

  const signal = (signals: Signal[], problem: Problem | null = null, retryAt: number | null = null) => {
    const before = connection.get()
    const state = signals.reduce((at, given) => transition(at, given), before.state)
    const told = state === 'live' ? null : (problem ?? before.problem)
    if (state !== before.state || told !== before.problem || retryAt !== before.retryAt) {
      connection.set({ state, retryAt, problem: told })
    }
  }

  const isClosed = () => connection.get().state === 'closed'

  const start = (list = listAt ?? '1'): Attempt => {
    const at = new Map<string, Cursor>()
    for (const [sessionId, set] of followers) {
      // The newest follower knows best which log it is; who has another one has to load the session again.
      const { log } = [...set].at(-1)!
      for (const follower of set) {
        if (follower.log !== log && set.delete(follower)) safely(() => follower.sink.hole())
      }
      at.set(sessionId, { seq: Math.min(...Array.from(set, ({ seq }) => seq)), log })
    }
    const attempt: Attempt = {
      at,
      behind: new Set([LIST, ...at.keys()]),
      list: [],
      opened: false,
      moved: false,
      heard: Date.now(),
      patience: timing.answer,
      watchdog: undefined,
      abort: new AbortController(),
    }
    watch(attempt)
    void run(attempt, list)
    return attempt
  }

  const drop = (attempt: Attempt | null) => {
    clearTimeout(attempt?.watchdog)
    attempt?.abort.abort()
  }

  const dropAll = () => {
    drop(current)
    drop(next)
    current = next = null
  }

  const watch = (attempt: Attempt) => {
    clearTimeout(attempt.watchdog)
    const wait = attempt.heard + attempt.patience - Date.now()
    if (wait <= 0) return ended(attempt, 'silent', null)
    attempt.watchdog = setTimeout(watch, wait, attempt)
  }

  const run = async (attempt: Attempt, list: string) => {
    const { signal: abandoned } = attempt.abort
    const query = new URLSearchParams({ list })
    for (const [sessionId, { seq, log }] of attempt.at) query.append('s', `${sessionId}:${seq}:${log}`)
    try {
      const answer = await fetch(`${baseUrl}/stream?${query}`, {
        headers: { accept: 'text/event-stream' },
        cache: 'no-store',
        signal: abandoned,
      })
      if (!answer.ok) {
        const wait = retryAfter(answer)
        return ended(attempt, isRefusal(answer.status) ? 'refused' : 'lost', await problemOf(answer), wait)
      }
      const type = answer.headers.get('content-type') ?? ''
      if (!answer.body || !type.startsWith('text/event-stream')) {
        return ended(attempt, 'lost', localProblem('bad_answer', type))
      }
      await readSse(
        answer.body,
        (event, data) => {
          if (!abandoned.aborted) frame(attempt, event, JSON.parse(data))
        },
        () => {
          // Bytes before the hello are no answer yet.
          if (attempt.opened) attempt.heard = Date.now()
        },
      )
      ended(attempt, 'lost', localProblem('connection_lost'))
    } catch (error) {
      ended(attempt, 'lost', problemOfError(error))
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the server validates what it sends, and its frames are told apart by name
  const frame = (attempt: Attempt, event: string, data: any) => {
    if (event === 'events') return deliver(attempt, data)
    if (event === 'hello') {
      attempt.opened = true
      attempt.heard = Date.now()
      attempt.patience = timing.missed * data.heartbeatMs
      watch(attempt)
      if (attempt === current) signal(['hello'])
    } else if (event === 'list') {
      attempt.list.push(data)
      if (data.begins) attempt.behind.add(LIST)
      if (data.ends) attempt.behind.delete(LIST)
      // The beginning of a pass comes with every connection: it alone is no progress.
      if (data.at && !data.begins) attempt.moved = true
      if (attempt === current) giveList(attempt)
    } else if (event === 'caught-up') {
      attempt.behind.delete(data.sessionId)
    } else if (event === 'behind') {
      attempt.behind.add(data.sessionId)
    } else if (event === 'gone') {
      attempt.at.delete(data.sessionId)
      attempt.behind.delete(data.sessionId)
      const problem = localProblem(data.code, '', 404)
      release(data.sessionId, ({ sink }) => (RELOAD.has(data.code) ? sink.hole() : sink.gone(problem)))
    } else if (event === 'cut') {
      return ended(attempt, 'cut', null)
    }
    settle(attempt)
  }

  const giveList = (attempt: Attempt) => {
    for (const frame of attempt.list.splice(0)) {
      if (isPart(frame)) listAt = frame.at
      listListeners.tell(frame)
    }
  }

  const deliver = (attempt: Attempt, frame: EventsFrame) => {
    const { sessionId, from: first } = frame
    const at = attempt.at.get(sessionId)
    if (at === undefined) return
    if (first > at.seq + 1) return hole(attempt, sessionId, at.seq)
    const events = unpackEvents(frame)
    const last = first + events.length - 1
    at.seq = Math.max(at.seq, last)
    attempt.moved = true
    for (const follower of followers.get(sessionId) ?? []) {
      const { seq } = follower
      // Behind `first`, the attempt that was opened for this follower's cursor brings what is missing.
      if (follower.log !== at.log || last <= seq || first > seq + 1) continue
      follower.seq = last
      safely(() => follower.sink.events(events.slice(seq + 1 - first)))
    }
  }

  /** Asked again once from the same cursor; a server that cannot do it then has to give a new snapshot. */
  const hole = (attempt: Attempt, sessionId: string, at: number) => {
    attempt.at.delete(sessionId)
    attempt.behind.delete(sessionId)
    if (holes.get(sessionId) === at) release(sessionId, ({ sink }) => sink.hole())
    else holes.set(sessionId, at)
    settle(attempt)
    sync()
  }

  const release = (sessionId: string, tell: (follower: Follower) => void) => {
    const set = followers.get(sessionId)
    followers.delete(sessionId)
    holes.delete(sessionId)
    for (const follower of set ?? []) safely(() => tell(follower))
  }

  const settle = (attempt: Attempt) => {
    if (attempt === next && attempt.opened && attempt.behind.size === 0) {
      drop(current)
      current = next
      next = null
      failing = false
      tries = 0
      giveList(current)
      signal(['hello', 'caught-up'])
      if (hasLeft(current)) trimLater()
    }
    look()
  }

  /** Says what is live: each session for itself, and the connection when all that is followed is. */
  const look = () => {
    let missing = false
    for (const [sessionId, set] of followers) {
      for (const follower of set) {
        const covered = covers(current, sessionId, follower)
        missing ||= !covered
        const live = covered && !!current?.opened && !current.behind.has(sessionId)
        if (live === follower.live) continue
        follower.live = live
        safely(() => follower.sink.live(live))
      }
    }
    if (!current?.opened) return
    const { state } = connection.get()
    // A session that was just added and is on its way with the next attempt is no reason to call the others late.
    const late = [...current.behind].some(name => name === LIST || followers.has(name))
    if (late || (missing && failing)) {
      if (state === 'live') signal(['lagging'])
    } else if (state !== 'live') {
      tries = 0
      signal(['caught-up'])
    }
  }

  const ended = (attempt: Attempt, how: End, problem: Problem | null, wait = 0) => {
    drop(attempt)
    if (attempt !== current && attempt !== next) return
    if (attempt.moved) tries = 0
    end(attempt, how, problem, wait)
    look()
  }

  const end = (attempt: Attempt, how: End, problem: Problem | null, wait: number) => {
    if (how === 'refused') {
      dropAll()
      return signal(['refused'], problem)
    }
    if (attempt === next) {
      next = null
      failing = true
      return signal(['lagging'], problem, later(sync, wait))
    }
    current = next
    next = null
    if (current) {
      giveList(current)
      return signal(current.opened ? [how, 'attempt', 'hello'] : [how, 'attempt'], problem)
    }
    // A cut is an invitation to come back, but not from a server that cuts before it has said anything.
    if ((how === 'cut' && attempt.moved) || (how === 'silent' && attempt.opened)) {
      current = start()
      return signal([how, 'attempt'], problem)
    }
    signal([how === 'cut' ? 'lost' : how], problem, later(open, wait))
  }

  /** Returns when the next try is due. */
  const later = (tryAgain: () => void, wait: number) => {
    const delay = Math.max(wait, backoff(tries++, timing))
    clearTimeout(retryTimer)
    retryTimer = setTimeout(tryAgain, delay)
    return Date.now() + delay
  }

  const open = () => {
    clearTimeout(retryTimer)
    dropAll()
    failing = false
    current = start()
    signal(['attempt'])
    look()
  }

  const covers = (attempt: Attempt | null, sessionId: string, { seq, log }: Cursor) => {
    const at = attempt?.at.get(sessionId)
    return at !== undefined && at.log === log && at.seq <= seq
  }

  /** Several changes in one go (one session closed, another opened) make one new connection. */
  const sync = () => {
    if (syncing) return
    syncing = true
    queueMicrotask(() => {
      syncing = false
      // Without a connection there is nothing to replace: the next attempt takes everybody along.
      if (!current) return
      for (const [sessionId, set] of followers) {
        for (const follower of set) {
          if (!covers(current, sessionId, follower) && !covers(next, sessionId, follower)) return replace()
        }
      }
      look()
    })
  }

  const replace = () => {
    clearTimeout(retryTimer)
    drop(next)
    // A pass of its own: the one of the connection that is open may end before.
    next = start('1')
  }

  /** Whether it brings a session that nobody follows any more. */
  const hasLeft = ({ at }: Attempt) => [...at.keys()].some(sessionId => !followers.has(sessionId))

  const trimLater = () => {
    clearTimeout(lingerTimer)
    lingerTimer = setTimeout(() => {
      if (current && !next && hasLeft(current)) replace()
    }, timing.linger)
  }

  open()

  return {
    connection,
    follow(sessionId, after, sink) {
      const follower: Follower = { ...after, sink, live: false }
      const set = followers.get(sessionId) ?? new Set()
      followers.set(sessionId, set.add(follower))
      sync()
      return () => {
        if (!set.delete(follower) || set.size > 0) return
        if (followers.get(sessionId) === set) followers.delete(sessionId)
        if (isClosed()) return
        trimLater()
        look()
      }
    },
    onList: listListeners.add,
    wake() {
      if (isClosed()) return
      if (!current) open()
      else if (Date.now() - current.heard > current.patience / 2) ended(current, 'silent', null)
    },
    reconnect() {
      if (isClosed()) return
      tries = 0
      open()
    },
    close() {
      clearTimeout(retryTimer)
      clearTimeout(lingerTimer)
      dropAll()
      followers.clear()
      signal(['close'])
    },
  }
}
