import type { Principal } from '../auth/principal.ts'
import { createOutbox, type Frames, frame, type Outbox } from './outbox.ts'
import type { Streams } from './streams.ts'

export interface ConnectionOptions {
  streams: Streams
  who: Principal
  frames: Frames
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
  end(text: string): void
  /** Breaks the connection off; the reader connects again and resumes. */
  fail(error: unknown): void
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** One open stream: what waits for its reader, the heartbeat, and the ways in which it ends. */
export function openConnection({ streams, who, frames, signal, destroy }: ConnectionOptions): Connection {
  const { limits } = streams
  const listeners: (() => void)[] = []
  let closed = false
  let grace: NodeJS.Timeout | undefined
  let controller!: ReadableStreamDefaultController<Uint8Array>

  const outbox = createOutbox({ frames, maxBytes: limits.maxWaitingBytes, tooSlow: () => cut('slow') })
  const leave = streams.admit(who.id, cut)
  const heartbeat = setInterval(() => {
    if (Date.now() - outbox.idleSince > limits.stallMs) cut('slow')
    // A heartbeat says "alive"; bytes that wait say so too.
    else if (outbox.bytes === 0) outbox.frame(': hb\n\n')
  }, limits.heartbeatMs)
  heartbeat.unref()

  function cut(reason: 'slow' | 'shutdown' | 'signed_out') {
    last(() => frame('cut', { reason, resume: Object.fromEntries(outbox.cursors) }), reason !== 'shutdown')
  }

  function last(text: () => string, drop: boolean) {
    outbox.last(text, drop)
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

  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      async pull() {
        const chunk = await outbox.take()
        if (closed) return
        if (chunk !== null) return controller.enqueue(encoder.encode(chunk))
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
    end: text => last(() => text, false),
    fail,
  }
}
