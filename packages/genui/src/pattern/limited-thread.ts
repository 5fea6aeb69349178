/** What a thread tells the one who started it. */
export interface ThreadEvents<Answer> {
  ready(): void
  answer(answer: Answer): void
  /** The thread has broken down; whoever waits for it is told. */
  failed(error: unknown): void
}

/** A thread that takes one request after another, and can be stopped in the middle of one. */
export interface Thread<Request> {
  post(request: Request): void
  terminate(): void
}

/** A thread in which each request has a time limit. */
export interface LimitedThread<Request, Answer> {
  run(request: Request): Promise<Answer | 'timeout'>
  close(): void
}

type Job<Request, Answer> = {
  request: Request
  done: (answer: Answer | 'timeout') => void
  failed: (error: unknown) => void
}

/**
 * Runs one request at a time on one thread: the limit then measures that request, and the thread that it blocked can be
 * ended without losing another's answer. The clock starts when the thread is ready, not while it boots.
 */
export function limitedThread<Request, Answer>(
  spawn: (events: ThreadEvents<Answer>) => Thread<Request>,
  limitMs: number,
): LimitedThread<Request, Answer> {
  const jobs: Job<Request, Answer>[] = []
  let thread: Thread<Request> | undefined
  let ready = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    thread?.terminate()
    thread = undefined
    ready = false
  }
  const finish = (end: (job: Job<Request, Answer>) => void) => {
    clearTimeout(timer)
    timer = undefined
    const job = jobs.shift()
    if (job) end(job)
    next()
  }
  const start = (): Thread<Request> => {
    const mine: Thread<Request> = spawn({
      ready() {
        if (thread !== mine) return
        ready = true
        next()
      },
      answer(answer) {
        if (thread === mine && timer !== undefined) finish(job => job.done(answer))
      },
      failed(error) {
        if (thread !== mine) return
        stop()
        finish(job => job.failed(error))
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
      finish(job => job.done('timeout'))
    }, limitMs)
    thread.post(job.request)
  }

  return {
    run: request =>
      new Promise((done, failed) => {
        jobs.push({ request, done, failed })
        next()
      }),
    close() {
      stop()
      for (const job of jobs.splice(0)) job.done('timeout')
    },
  }
}
