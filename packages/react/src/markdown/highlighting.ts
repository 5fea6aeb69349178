import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Marks } from './highlight-kinds.ts'
import { markdownWorker } from './markdown-worker.ts'
import { drawLater } from './portions.ts'

/** Code beyond this is left as it is. */
const MOST_CHARACTERS = 200_000
/** Lines in one request: the answer to it is drawn in one task. */
const PORTION = 200
const NONE: readonly Marks[] = []

/** Code that was highlighted to its end: a row that comes back into sight has its colours at once. */
const finished = new Map<string, readonly Marks[]>()
const MOST_FINISHED = 200

let codes = 0

/** The colours of one piece of code, of which more may arrive. */
class Highlighting {
  readonly #language: string
  #code = 0
  #lines: readonly string[] = []
  #complete = false
  #marks: Marks[] = []
  #shown: readonly Marks[] = NONE
  #peeked: string | undefined
  #busy = false
  #stopped = false
  #over = false
  readonly #tell = new Set<() => void>()

  constructor(language: string, lines: readonly string[], complete: boolean) {
    this.#language = language
    const known = complete ? finished.get(keyOf(language, lines)) : undefined
    if (!known) return
    this.#shown = known
    this.#over = true
  }

  subscribe = (tell: () => void): (() => void) => {
    this.#tell.add(tell)
    return () => this.#tell.delete(tell)
  }

  marks = (): readonly Marks[] => this.#shown

  /** The lines as they are now. The last one may go on, unless they are complete. */
  read(lines: readonly string[], complete: boolean): void {
    if (!continues(this.#lines, lines)) this.#forget()
    this.#lines = lines
    this.#complete = complete
    this.#stopped = false
    if (!this.#over) void this.#goOn()
  }

  /** Nobody looks at it any more. */
  stop(): void {
    this.#stopped = true
    this.#forget()
  }

  #forget(): void {
    if (this.#code) markdownWorker()?.tell({ kind: 'end', code: this.#code })
    this.#code = 0
    this.#marks = []
    this.#peeked = undefined
  }

  async #goOn(): Promise<void> {
    const worker = markdownWorker()
    if (this.#busy || this.#stopped || !worker || !this.#language) return
    const known = this.#lines.length - (this.#complete ? 0 : 1)
    const from = this.#marks.length
    const lines = this.#lines.slice(from, Math.min(known, from + PORTION))
    const arriving = from + lines.length === known && !this.#complete ? this.#lines[known] : undefined
    if (lines.length === 0 && (arriving === undefined || arriving === this.#peeked)) return
    this.#busy = true
    this.#peeked = arriving
    const first = this.#code === 0
    if (first) this.#code = ++codes
    const code = this.#code
    const answer = await worker.ask({ kind: 'code', code, language: this.#language, lines, first, arriving })
    this.#busy = false
    if ('failed' in answer) this.#over = true
    else if (code === this.#code) {
      if ('marks' in answer) this.#take(answer.marks, answer.arriving)
      else this.#forget()
    }
    if (!this.#over) void this.#goOn()
  }

  #take(marks: readonly Marks[], arriving: Marks | undefined): void {
    this.#marks.push(...marks)
    this.#shown = arriving ? [...this.#marks, arriving] : [...this.#marks]
    if (this.#complete && this.#marks.length === this.#lines.length) remember(this.#language, this.#lines, this.#shown)
    for (const tell of this.#tell) drawLater(tell)
  }
}

/** Whether the lines go on where those before ended. The last of them may have been incomplete. */
const continues = (before: readonly string[], now: readonly string[]): boolean =>
  before.length <= now.length &&
  before.every((line, at) => (at + 1 < before.length ? line === now[at] : now[at]!.startsWith(line)))

const keyOf = (language: string, lines: readonly string[]): string => `${language}\n${lines.join('\n')}`

function remember(language: string, lines: readonly string[], marks: readonly Marks[]): void {
  finished.set(keyOf(language, lines), marks)
  if (finished.size > MOST_FINISHED) finished.delete(finished.keys().next().value!)
}

/** The colours of these lines as far as they are known. Code that grows keeps those of the lines before. */
export function useMarks(language: string, lines: readonly string[], complete: boolean): readonly Marks[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what grows is handed over below; another language is other code.
  const highlighting = useMemo(() => new Highlighting(language, lines, complete), [language])
  useEffect(() => {
    let [count, characters] = [0, 0]
    while (count < lines.length && characters <= MOST_CHARACTERS) characters += lines[count++]!.length
    highlighting.read(lines.slice(0, count), complete || count < lines.length)
  }, [highlighting, lines, complete])
  useEffect(() => () => highlighting.stop(), [highlighting])
  return useSyncExternalStore(highlighting.subscribe, highlighting.marks, highlighting.marks)
}
