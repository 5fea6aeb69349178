import { hash } from 'node:crypto'

/** One stored row of a log: the events of one append, or a part of a large one. */
export interface Chunk {
  first: number
  last: number
  /** The shape of these events (upcast.ts). */
  shape: number
  /** Each event is one line of JSON: a reader can enter in the middle without parsing what is before. */
  events: string
}

export interface StoredChunk extends Chunk {
  digest: string
}

/** The digest before the first row. */
export const NO_DIGEST = ''

/** Covers the row before, so that a changed, missing or moved row is noticed by whoever reads over it. */
export const digestOf = (before: string, { first, last, shape, events }: Chunk): string =>
  hash('sha256', `${before}\n${first} ${last} ${shape}\n${events}`)

/** For derived texts: they are replaced, not chained. `place` keeps two of them from changing places. */
export const digestOfText = (place: number, text: string): string => hash('sha256', `${place}\n${text}`)

const MAX_EVENTS = 1_000
/** Bounds what is read and hashed for one event in the middle. */
const MAX_CHARACTERS = 256 * 1024

/** Events that follow each other from `first` on, each as one line of JSON, as few chunks as their limits allow. */
export function chunksOf(first: number, events: readonly string[], shape: number): Chunk[] {
  const chunks: Chunk[] = []
  let lines: string[] = []
  let characters = 0
  let next = first
  const flush = () => {
    if (lines.length === 0) return
    chunks.push({ first: next, last: next + lines.length - 1, shape, events: lines.join('\n') })
    next += lines.length
    lines = []
    characters = 0
  }
  for (const event of events) {
    if (lines.length === MAX_EVENTS || (lines.length > 0 && characters + event.length > MAX_CHARACTERS)) flush()
    lines.push(event)
    characters += event.length
  }
  flush()
  return chunks
}
