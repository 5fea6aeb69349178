import { type EventsFrame, type ListFrame, type Problem, type StreamFrame, unpackEvents } from '@vitrine/protocol'
import { type Attempt, type End, startAttempt } from './attempt.ts'
import { type Effect, type Machine, type Signal, START, transition } from './connection.ts'
import type { Cursor, Feed, Sink } from './feed.ts'
import { isPart } from './known-sessions.ts'
import { localProblem } from './problem.ts'
import { createListeners, readable, safely } from './readable.ts'
import { backoff, type Timing } from './timing.ts'
import type { Connection } from './types.ts'

export interface StreamOptions {
  /** Absolute, or relative to the page; without a slash at the end. */
  baseUrl: string
  fetch: typeof fetch
  timing: Timing
}

interface Follower extends Cursor {
  sessionId: string
  sink: Sink
  live: boolean
}

/** An attempt and what it has brought. */
interface Line {
  attempt: Attempt
  /** How far each of its sessions has come on it. */
  at: Map<string, Cursor>
  /** What has not been brought up to date on it, the list included. */
  behind: Set<string>
  /** Frames of the list that wait until this line is the current one: two passes must not be mixed. */
  list: ListFrame[]
  moved: boolean
}

/** The name of the list among what is followed; a session id is never empty. */
const LIST = ''

/**
 * The multiplexed stream: all followed sessions and the list on one connection. When the set of sessions grows,
 * the new connection is opened beside the old one, which is closed when the new one has caught up; what both
 * deliver reaches a follower once, because each follower has a cursor (L3). What a signal means is decided in
 * connection.ts: here signals are noticed and effects are carried out.
 */
export function createStream({ baseUrl, fetch, timing }: StreamOptions): Feed {
  const connection = readable<Connection>({ state: 'connecting', retryAt: null, problem: null })
  const followers = new Set<Follower>()
  const listListeners = createListeners<ListFrame>()
  /** Cursors from which the server has already failed to continue once. */
  const holes = new Map<string, number>()
  let machine: Machine = START
  let current: Line | null = null
  let successor: Line | null = null
  /** Where the pass over the list stands that has not ended yet. */
  let listAt: string | undefined
  let problem: Problem | null = null
  let retryAt: number | null = null
  /** How long the server wants us to stay away. */
  let wait = 0
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let lingerTimer: ReturnType<typeof setTimeout> | undefined
  let syncing = false

  const signal = (given: Signal, moved?: boolean) => {
    const next = transition(machine, given, moved)
    if (!next) return
    machine = next
    for (const effect of next.effects) carryOut[effect]()
    const { state } = machine
    if (state === 'live') retryAt = problem = null
    const before = connection.get()
    if (state !== before.state || retryAt !== before.retryAt || problem !== before.problem) {
      connection.set({ state, retryAt, problem })
    }
    look()
  }

  const carryOut: Record<Effect, () => void> = {
    open() {
      carryOut.drop()
      current = start(listAt)
    },
    replace() {
      clearTimeout(retryTimer)
      successor?.attempt.drop()
      // A pass over the list of its own: the one of the current line may end before.
      successor = start()
    },
    promote() {
      current?.attempt.drop()
      current = successor!
      successor = retryAt = null
      giveList(current)
    },
    drop() {
      clearTimeout(retryTimer)
      current?.attempt.drop()
      successor?.attempt.drop()
      current = successor = retryAt = null
    },
    retry() {
      const delay = Math.max(wait, backoff(machine.tries - 1, timing))
      retryAt = Date.now() + delay
      retryTimer = setTimeout(wake, delay)
    },
  }

  /** Notices what is to be done now instead of later. */
  const wake = () => {
    signal('wake')
    current?.attempt.listen()
    lookForMissing()
  }

  const start = (list = '1'): Line => {
    const query = new URLSearchParams({ list })
    const at = new Map<string, Cursor>()
    for (const { sessionId, seq, log } of followers) {
      const other = at.get(sessionId)
      // The newest follower knows best which log it is.
      at.set(sessionId, { seq: other?.log === log ? Math.min(other.seq, seq) : seq, log })
    }
    for (const follower of followers) {
      // Who has another log has to load the session again.
      if (follower.log !== at.get(follower.sessionId)!.log) {
        followers.delete(follower)
        queueMicrotask(() => follower.sink.hole())
      }
    }
    for (const [sessionId, { seq, log }] of at) query.append('s', `${sessionId}:${seq}:${log}`)
    const attempt = startAttempt({
      url: `${baseUrl}/stream?${query}`,
      fetch,
      timing,
      onFrame: given => frame(line, given),
      onEnd: (how, why, after) => ended(line, how, why, after),
    })
    const line: Line = { attempt, at, behind: new Set([LIST, ...at.keys()]), list: [], moved: false }
    return line
  }

  const ended = (line: Line, how: End, why: Problem | null, after: number) => {
    problem = why ?? problem
    wait = after
    if (line === successor) successor = null
    signal(line === current || how === 'refused' ? how : 'successor-lost', line.moved)
  }

  const frame = (line: Line, { event, data }: StreamFrame) => {
    if (event === 'events') return deliver(line, data)
    if (event === 'hello') {
      if (line === current) signal('hello')
    } else if (event === 'list') {
      line.list.push(data)
      if (data.begins) line.behind.add(LIST)
      if (data.ends) line.behind.delete(LIST)
      // The beginning of a pass comes with every connection: it alone is no progress.
      if (data.at && !data.begins) line.moved = true
      if (line === current) giveList(line)
    } else if (event === 'caught-up') {
      line.behind.delete(data.sessionId)
    } else if (event === 'behind') {
      line.behind.add(data.sessionId)
    } else if (event === 'gone') {
      leaveOut(line, data.sessionId)
      // The session exists, but the server cannot continue from this cursor.
      const foreign = data.code === 'cursor_foreign'
      release(data.sessionId, sink => (foreign ? sink.hole() : sink.gone(localProblem(data.code, '', 404))))
    }
    settle(line)
  }

  const giveList = (line: Line) => {
    for (const frame of line.list.splice(0)) {
      if (isPart(frame)) listAt = frame.at
      listListeners.tell(frame)
    }
  }

  const deliver = (line: Line, frame: EventsFrame) => {
    const { sessionId, from: first } = frame
    const at = line.at.get(sessionId)
    if (at === undefined) return
    if (first > at.seq + 1) return hole(line, sessionId, at.seq)
    const events = unpackEvents(frame)
    const last = first + events.length - 1
    at.seq = Math.max(at.seq, last)
    line.moved = true
    for (const follower of followers) {
      const { seq, log } = follower
      // This follower is further behind; the attempt opened for its cursor will bring these events.
      if (follower.sessionId !== sessionId || log !== at.log || last <= seq || first > seq + 1) continue
      follower.seq = last
      safely(() => follower.sink.events(events.slice(seq + 1 - first)))
    }
  }

  /** Asked again once from the same cursor; a server that cannot do it then has to give a new snapshot. */
  const hole = (line: Line, sessionId: string, at: number) => {
    leaveOut(line, sessionId)
    if (holes.get(sessionId) === at) release(sessionId, sink => sink.hole())
    else holes.set(sessionId, at)
    settle(line)
    sync()
  }

  const leaveOut = (line: Line, sessionId: string) => {
    line.at.delete(sessionId)
    line.behind.delete(sessionId)
  }

  const release = (sessionId: string, tell: (sink: Sink) => void) => {
    holes.delete(sessionId)
    // A copy: who is told may follow again at once.
    for (const follower of [...followers]) {
      if (follower.sessionId === sessionId && followers.delete(follower)) safely(() => tell(follower.sink))
    }
  }

  const settle = (line: Line) => {
    if (line === successor && line.behind.size === 0) signal('successor-caught-up')
    look()
  }

  /** Says what is live: each session for itself, and the connection when all that is followed is. */
  const look = () => {
    const { state } = machine
    const answered = state === 'catching-up' || state === 'live'
    let missing = false
    for (const follower of followers) {
      const covered = covers(current, follower)
      missing ||= !covered
      const live = answered && covered && !current?.behind.has(follower.sessionId)
      if (live === follower.live) continue
      follower.live = live
      safely(() => follower.sink.live(live))
    }
    const late = [...(current?.behind ?? [])].some(name => name === LIST || isFollowed(name))
    if (late) signal('behind')
    else if (!missing) signal('caught-up')
  }

  const isFollowed = (sessionId: string) => [...followers].some(follower => follower.sessionId === sessionId)

  const covers = (line: Line | null, { sessionId, seq, log }: Follower) => {
    const at = line?.at.get(sessionId)
    return at?.log === log && at.seq <= seq
  }

  /** Several changes in one go (one session closed, another opened) make one new connection. */
  const sync = () => {
    if (syncing) return
    syncing = true
    queueMicrotask(() => {
      syncing = false
      lookForMissing()
    })
  }

  const lookForMissing = () => {
    for (const follower of followers) {
      if (!covers(current, follower) && !covers(successor, follower)) return signal('changed')
    }
    // Who joins a connection that has caught up already is live at once.
    look()
  }

  /** What nobody follows any more is left after a while, unless the next line has left it out already. */
  const trimLater = () => {
    clearTimeout(lingerTimer)
    lingerTimer = setTimeout(() => {
      const { at } = (successor ?? current) || {}
      if (at && [...at.keys()].some(sessionId => !isFollowed(sessionId))) signal('changed')
    }, timing.linger)
  }

  signal('wake')

  return {
    connection,
    follow(sessionId, after, sink) {
      const follower: Follower = { ...after, sessionId, sink, live: false }
      followers.add(follower)
      sync()
      return () => {
        if (!followers.delete(follower)) return
        trimLater()
        look()
      }
    },
    onList: listListeners.add,
    wake,
    reconnect: () => signal('reconnect'),
    close() {
      clearTimeout(lingerTimer)
      followers.clear()
      signal('close')
    },
  }
}
