import { REGEX_LIMIT_MS, type RegexWorker } from './regex.ts'

/** A thread that answers `{pattern, value}` with a boolean, and can be stopped in the middle of it. */
export interface RegexThread {
  post(request: { pattern: string; value: string }): void
  terminate(): void
}

/** Source of the thread for hosts that start it from text. */
export const REGEX_THREAD = `({pattern, value}) => { try { return new RegExp(pattern).test(value) } catch { return false } }`

type Job = { pattern: string; value: string; done: (answer: boolean | 'timeout') => void }

/**
 * One pattern at a time on one thread: the limit then measures that pattern, and the thread it blocked can be ended
 * without losing another's answer. The clock starts when the thread is ready, not while it boots.
 */
export function regexQueue(
  spawn: (on: { ready(): void; answer(matches: boolean): void }) => RegexThread,
  limitMs = REGEX_LIMIT_MS,
): RegexWorker & { close(): void } {
  const jobs: Job[] = []
  let thread: RegexThread | undefined
  let ready = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const finish = (answer: boolean | 'timeout') => {
    clearTimeout(timer)
    timer = undefined
    jobs.shift()?.done(answer)
    next()
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    thread?.terminate()
    thread = undefined
    ready = false
  }
  const start = (): RegexThread => {
    const mine: RegexThread = spawn({
      ready() {
        if (thread !== mine) return
        ready = true
        next()
      },
      answer(matches) {
        if (thread === mine && timer !== undefined) finish(matches)
      },
    })
    return mine
  }
  const next = () => {
    const job = jobs[0]
    if (!job || timer !== undefined) return
    thread ??= start()
    if (!ready) return
    timer = setTimeout(() => {
      stop()
      finish('timeout')
    }, limitMs)
    thread.post({ pattern: job.pattern, value: job.value })
  }

  return {
    test: (pattern, value) =>
      new Promise(done => {
        jobs.push({ pattern, value, done })
        next()
      }),
    close() {
      stop()
      for (const job of jobs.splice(0)) job.done('timeout')
    },
  }
}
