import { randomUUID } from 'node:crypto'
import { Refusal, stopping } from '../refusal.ts'

/** How many streams there may be, and how far a reader may fall behind. */
export interface StreamLimits {
  /** Open streams of one person. */
  maxStreams: number
  heartbeatMs: number
  /** No more than this waits for one reader: what comes after it is read from storage, at the reader's pace. */
  maxWaitingBytes: number
  /** A reader that takes nothing for this long while something waits is cut off. */
  stallMs: number
  /** How long the last frame may take to be read before the socket is closed. */
  graceMs: number
}

export const streamLimits: StreamLimits = {
  maxStreams: 256,
  heartbeatMs: 15_000,
  maxWaitingBytes: 256 * 1024,
  stallMs: 60_000,
  graceMs: 5_000,
}

/** All open streams of this process. */
export interface Streams {
  /** Names this start of the server. */
  readonly bootId: string
  readonly limits: StreamLimits
  /** Refuses when the person has too many; the returned function gives the place back. */
  admit(owner: string, cut: (reason: 'stopping' | 'signed_out') => void): () => void
  count(owner: string): number
  /** Resolves when this stream may write its next chunk. */
  turn(): Promise<void>
  /** Ends the streams of this person: what opened them does not count any more. */
  signOut(owner: string): void
  /** Tells every reader where to resume and ends its stream. */
  close(): void
}

/**
 * How many chunks all streams together write in one turn of the event loop. With fewer, the 256 streams of a person would
 * wait so many turns in a flood that more than `maxWaitingBytes` gathers for them, and they would read the log instead.
 */
const WRITES_A_TURN = 64

/**
 * Lets so many pass in each turn of the event loop, in the order in which they came. This way sockets that take
 * everything at once leave room for other work. While a stream waits, what is sent to it next becomes part of the same
 * chunk: the busier the server is, the fewer writes its readers cost.
 */
function createGate(most: number): () => Promise<void> {
  const waiting: (() => void)[] = []

  function open() {
    for (const pass of waiting.splice(0, most)) pass()
    if (waiting.length > 0) setImmediate(open)
  }

  return () =>
    new Promise(pass => {
      waiting.push(pass)
      if (waiting.length === 1) setImmediate(open)
    })
}

export function createStreams(limits: StreamLimits = streamLimits, bootId: string = randomUUID()): Streams {
  const open = new Map<string, Set<(reason: 'stopping' | 'signed_out') => void>>()
  let closing = false
  return {
    bootId,
    limits,
    admit(owner, cut) {
      if (closing) throw stopping()
      const own = open.get(owner) ?? new Set()
      if (own.size >= limits.maxStreams) {
        const next = 'Close a stream, or follow several sessions on one with GET /api/stream.'
        throw new Refusal('too_many_streams', `${limits.maxStreams} streams are open already.`, { next })
      }
      open.set(owner, own.add(cut))
      return () => {
        own.delete(cut)
        if (own.size === 0 && open.get(owner) === own) open.delete(owner)
      }
    },
    turn: createGate(WRITES_A_TURN),
    count: owner => open.get(owner)?.size ?? 0,
    signOut(owner) {
      for (const cut of [...(open.get(owner) ?? [])]) cut('signed_out')
    },
    close() {
      closing = true
      for (const own of open.values()) for (const cut of [...own]) cut('stopping')
    },
  }
}
