import type { Problem, StreamFrame } from '@vitrine/protocol'
import { isRefusal, localProblem, problemOf, problemOfError, retryAfter } from './problem.ts'
import { readSse } from './sse.ts'
import type { Timing } from './timing.ts'

/** How an attempt ends; the words are those of the connection's signals. */
export type End = 'lost' | 'cut' | 'silent' | 'refused'

export interface AttemptOptions {
  url: string
  fetch: typeof fetch
  timing: Timing
  onFrame(frame: StreamFrame): void
  /** Told once, unless the attempt was dropped. `wait` is how long the server asks us to stay away, in milliseconds. */
  onEnd(how: End, problem: Problem | null, wait: number): void
}

/** One request of the stream. */
export interface Attempt {
  /** Ends it as silent when nothing was heard lately, instead of waiting until that is certain. */
  listen(): void
  /** Nothing is told of it any more. */
  drop(): void
}

/** Asks for the stream and reads it to its end. Nothing is told before this has returned. */
export function startAttempt({ url, fetch, timing, onFrame, onEnd }: AttemptOptions): Attempt {
  const abort = new AbortController()
  const { signal } = abort
  let heard = Date.now()
  /** How long it may be silent. The server says with its hello how often it is heard. */
  let patience = timing.answer
  let greeted = false
  let watchdog: ReturnType<typeof setTimeout> | undefined

  const drop = () => {
    clearTimeout(watchdog)
    abort.abort()
  }

  const end = (how: End, problem: Problem | null = null, wait = 0) => {
    if (signal.aborted) return
    drop()
    onEnd(how, problem, wait)
  }

  const watch = () => {
    clearTimeout(watchdog)
    const wait = heard + patience - Date.now()
    if (wait > 0) watchdog = setTimeout(watch, wait)
    else end('silent')
  }

  const run = async () => {
    try {
      const answer = await fetch(url, { headers: { accept: 'text/event-stream' }, cache: 'no-store', signal })
      if (!answer.ok) {
        const wait = retryAfter(answer)
        return end(isRefusal(answer.status) ? 'refused' : 'lost', await problemOf(answer), wait)
      }
      const type = answer.headers.get('content-type') ?? ''
      if (!answer.body || !type.startsWith('text/event-stream')) return end('lost', localProblem('bad_answer', type))
      await readSse(
        answer.body,
        (event, data) => {
          if (signal.aborted) return
          // The server is compiled against the same declaration. A frame of a newer server that has a name which is
          // not declared here is ignored.
          const frame = { event, data: JSON.parse(data) } as StreamFrame
          if (frame.event === 'cut') return end('cut')
          if (frame.event === 'hello') {
            greeted = true
            heard = Date.now()
            patience = timing.missed * frame.data.heartbeatMs
            watch()
          }
          onFrame(frame)
        },
        () => {
          // Bytes before the hello are no answer yet.
          if (greeted) heard = Date.now()
        },
      )
      end('lost', localProblem('connection_lost'))
    } catch (error) {
      end('lost', problemOfError(error))
    }
  }

  watch()
  queueMicrotask(run)

  return {
    listen() {
      if (Date.now() - heard > patience / 2) end('silent')
    },
    drop,
  }
}
