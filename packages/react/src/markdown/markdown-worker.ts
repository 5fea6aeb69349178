import type { LineDiff } from '../diff/diff-rows.ts'
import type { Marks } from './highlight-kinds.ts'
import type { MathNode } from './mathml.ts'

export type Request = Work | { id: number; kind: 'end'; code: number }

/** What has an answer. */
export type Work =
  | { id: number; kind: 'maths'; tex: string; display: boolean }
  | { id: number; kind: 'diff'; before: string; after: string }
  | {
      id: number
      kind: 'code'
      /** The name of the code whose lines these are. */
      code: number
      language: string
      lines: readonly string[]
      /** Whether these are its first lines. */
      first: boolean
      /** The line after them, of which more will come. */
      arriving?: string | undefined
    }

export type Answer =
  | { maths: MathNode }
  | { diff: LineDiff }
  | { marks: readonly Marks[]; arriving?: Marks }
  | { lost: true }
  | { failed: true }

/** Nothing that people write takes this long, even on a machine that is busy. */
const LONGEST = 10_000

type WithoutId<R> = R extends { id: number } ? Omit<R, 'id'> : never

interface Waiting {
  request: Request
  resolve: (answer: Answer) => void
}

/** How long to wait before the file of the thread is fetched once more: after each failure longer, up to a minute. */
const againAfter = (failures: number): number => Math.min(60_000, 1_000 * 3 ** (failures - 1))

/**
 * The thread in which code is highlighted, formulas are laid out and texts are compared, away from the page. It starts with the first of
 * them. Work that does not end is given up: the thread is started again for all others. While its file cannot be fetched, work waits.
 */
class MarkdownWorker {
  #thread: Worker | undefined
  #waiting = new Map<number, Waiting>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #last = 0
  /** How many times in a row the thread could not be started. */
  #failures = 0

  ask(asked: WithoutId<Work>): Promise<Answer> {
    const request = { ...asked, id: ++this.#last } as Request
    return new Promise(resolve => {
      this.#waiting.set(request.id, { request, resolve })
      this.#post(request)
    })
  }

  /** Says something that has no answer. */
  tell(asked: WithoutId<Request>): void {
    if (this.#thread) this.#post({ ...asked, id: ++this.#last } as Request)
  }

  #post(request: Request): void {
    this.#thread ??= this.#start()
    this.#thread.postMessage(request)
  }

  #start(): Worker {
    // The name of the built file: bundlers find the source by it, and the published package has it.
    const thread = new Worker(new URL('./markdown-thread.js', import.meta.url), { type: 'module' })
    thread.onmessage = ({ data }: MessageEvent<{ id: number; answer?: Answer; begins?: true }>) => {
      clearTimeout(this.#timer)
      this.#failures = 0
      if (data.begins) this.#timer = setTimeout(() => this.#restart(data.id), LONGEST)
      else this.#answer(data.id, data.answer ?? { failed: true })
    }
    // Most likely the file of the thread could not be fetched.
    thread.onerror = () => {
      thread.terminate()
      setTimeout(
        () => {
          if (this.#thread === thread) this.#begin()
        },
        againAfter(++this.#failures),
      )
    }
    return thread
  }

  /** Starts the thread for all that waits. */
  #begin(): void {
    this.#thread = undefined
    for (const { request } of this.#waiting.values()) this.#post(request)
  }

  #restart(culprit: number): void {
    this.#thread?.terminate()
    this.#answer(culprit, { failed: true })
    this.#begin()
  }

  #answer(id: number, answer: Answer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.resolve(answer)
  }
}

let shared: MarkdownWorker | undefined

/** The one thread of the page, or nothing where there are no threads. */
export function markdownWorker(): MarkdownWorker | undefined {
  if (typeof Worker === 'undefined') return undefined
  shared ??= new MarkdownWorker()
  return shared
}
