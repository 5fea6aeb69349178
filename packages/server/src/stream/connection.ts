import type { Principal } from '../auth/principal.ts'
import { frame, type Piece, pieceOf } from './batch.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import type { Streams } from './streams.ts'

export interface ConnectionOptions {
  streams: Streams
  who: Principal
  /** Fires when the reader has gone. */
  signal: AbortSignal
  /** Closes the socket of a reader that does not even take the last frame. */
  destroy?: (() => void) | undefined
}

export interface Connection {
  readonly outbox: Outbox
  readonly response: Response
  readonly closed: boolean
  /** Called once when the connection has ended, however it ended. */
  onClose(listener: () => void): void
  /** Sends this frame after what waits, then closes. */
  end(piece: Piece): void
  /** Breaks the connection off; the reader connects again and resumes. */
  fail(error: unknown): void
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

const HEARTBEAT = pieceOf(': hb\n\n')

/** One open stream: what waits for its reader, the heartbeat, and the ways in which it ends. */
export function openConnection({ streams, who, signal, destroy }: ConnectionOptions): Connection {
  const { limits } = streams
  const listeners: (() => void)[] = []
  let closed = false
  let grace: NodeJS.Timeout | undefined
  let controller!: ReadableStreamDefaultController<Uint8Array>

  const outbox = createOutbox(limits.maxWaitingBytes)
  const leave = streams.admit(who.id, cut)
  const heartbeat = setInterval(() => {
    if (Date.now() - outbox.idleSince > limits.stallMs) cut('slow')
    // A heartbeat says "alive"; bytes that wait say so too.
    else if (outbox.bytes === 0) outbox.push(HEARTBEAT)
  }, limits.heartbeatMs)
  heartbeat.unref()

  function cut(reason: 'slow' | 'stopping' | 'signed_out') {
    last(() => frame('cut', { reason, resume: Object.fromEntries(outbox.cursors) }), reason !== 'stopping')
  }

  function last(make: () => Piece, drop: boolean) {
    outbox.last(make, drop)
    grace ??= setTimeout(() => fail(new Error('The reader did not take the last frame.')), limits.graceMs).unref()
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

  function fail(error: unknown) {
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
        await outbox.ready()
        await streams.turn()
        if (closed) return
        const chunk = outbox.take()
        if (chunk !== null) return controller.enqueue(chunk)
        close()
        controller.close()
      },
      cancel: close,
    },
    // Nothing is taken before the socket can take it, so that `outbox.bytes` is all that waits.
    { highWaterMark: 0 },
  )
  if (signal.aborted) close()
  else signal.addEventListener('abort', close)

  return {
    outbox,
    response: new Response(body, { headers: streamHeaders }),
    get closed() {
      return closed
    },
    onClose(listener) {
      if (closed) listener()
      else listeners.push(listener)
    },
    end: piece => last(() => piece, false),
    fail,
  }
}
