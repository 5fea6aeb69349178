import { randomUUID } from 'node:crypto'
import type { StreamFrames } from '@vitrine/protocol'
import type { Principal } from '../auth/principal.ts'
import { type Piece, pieceOf } from './batch.ts'
import type { Dialect, Notice } from './dialect.ts'
import { createSendQueue, type SendQueue } from './send-queue.ts'
import type { Streams } from './streams.ts'

export interface ConnectionOptions {
  dialect: Dialect
  streams: Streams
  who: Principal
  /** Fires when the reader has gone. */
  signal: AbortSignal
  /** Closes the socket of a reader that does not even take the last frame. */
  destroy?: (() => void) | undefined
}

export interface Connection {
  readonly sendQueue: SendQueue
  readonly response: Response
  readonly closed: boolean
  /** Called once when the connection has ended, however it ended. */
  onClose(listener: () => void): void
  /** Says it after what waits, if the dialect has words for it. */
  say(notice: Notice): void
  /** Closes after what waits, with these last words if the dialect has any. */
  end(notice?: Notice): void
  /** Something went wrong: says so where the dialect can, else breaks off; the reader connects again and resumes. */
  fail(error: unknown): void
}

/** Nothing may hold frames back or keep them. */
const everyStream = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

export const headersOf = (dialect: Dialect): Record<string, string> => ({ ...everyStream, ...dialect.headers })

/** Whether an answer is a stream, in whatever dialect. */
export const isStream = ({ headers }: Response): boolean => headers.get('x-accel-buffering') === 'no'

const NOTHING = pieceOf('')

/** One open stream: what waits for its reader, the heartbeat, and the ways in which it ends. */
export function openConnection({ dialect, streams, who, signal, destroy }: ConnectionOptions): Connection {
  const { bootId, limits } = streams
  const listeners: (() => void)[] = []
  let closed = false
  let grace: NodeJS.Timeout | undefined
  let controller!: ReadableStreamDefaultController<Uint8Array>

  const sendQueue = createSendQueue(limits.maxWaitingBytes)
  const leave = streams.admit(who.id, cut)
  const beat = pieceOf(dialect.heartbeat)
  const heartbeat = setInterval(() => {
    if (Date.now() - sendQueue.idleSince > limits.stallMs) cut('slow')
    // A heartbeat says "alive"; bytes that wait say so too.
    else if (sendQueue.bytes === 0) sendQueue.push(beat)
  }, limits.heartbeatMs)
  heartbeat.unref()

  const wordsFor = (notice: Notice): Piece | undefined => {
    const text = dialect.say(notice)
    return text === undefined ? undefined : pieceOf(text)
  }

  function say(notice: Notice) {
    const words = wordsFor(notice)
    if (words) sendQueue.push(words)
  }

  function cut(reason: StreamFrames['cut']['reason']) {
    const words = () => wordsFor({ event: 'cut', data: { reason, resume: Object.fromEntries(sendQueue.cursors) } })
    last(() => words() ?? NOTHING, reason !== 'stopping')
  }

  function last(make: () => Piece, drop: boolean) {
    sendQueue.last(make, drop)
    grace ??= setTimeout(() => breakOff(new Error('The reader did not take the last frame.')), limits.graceMs).unref()
  }

  function close() {
    if (closed) return
    closed = true
    clearInterval(heartbeat)
    clearTimeout(grace)
    signal.removeEventListener('abort', close)
    leave()
    for (const listener of listeners.splice(0)) listener()
  }

  function breakOff(error: unknown) {
    if (closed) return
    close()
    // Closing the socket cancels the body; without a socket the body itself has to break off.
    if (destroy) destroy()
    else controller.error(error)
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own
      },
      async pull() {
        await sendQueue.ready()
        await streams.turn()
        if (closed) return
        const chunk = sendQueue.take()
        if (chunk !== null) return controller.enqueue(chunk)
        close()
        controller.close()
      },
      cancel: close,
    },
    // Nothing is taken before the socket can take it, so that `sendQueue.bytes` is all that waits.
    { highWaterMark: 0 },
  )
  say({ event: 'hello', data: { streamId: randomUUID(), bootId, heartbeatMs: limits.heartbeatMs } })
  if (signal.aborted) close()
  else signal.addEventListener('abort', close)

  return {
    sendQueue,
    response: new Response(body, { headers: headersOf(dialect) }),
    get closed() {
      return closed
    },
    onClose(listener) {
      if (closed) listener()
      else listeners.push(listener)
    },
    say,
    end(notice) {
      const words = notice && wordsFor(notice)
      last(() => words ?? NOTHING, false)
    },
    fail(error) {
      if (closed) return
      const words = wordsFor({ event: 'broken', data: {} })
      if (words) last(() => words, false)
      else breakOff(error)
    },
  }
}
