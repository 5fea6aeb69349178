import { type Change, diffArrays, diffWordsWithSpace } from 'diff'
import { type LineDiff, linesOf, wholeDiff } from './diff-rows.ts'

/** What takes longer is given up: the texts then stand whole, one after the other. */
const LONGEST = 500
const MOST_EDITS = 10_000
/** The same for what differs inside lines: these marks are a help, and the lines are there without them. */
const LONGEST_WORDS = 200
const MOST_WORD_EDITS = 1_000
const MOST_CHARACTERS = 8_000

/** Of two pieces of text so much has to be the same, or marks inside them would say nothing. */
const ALIKE = 0.25

/** Compares two texts line by line, and the lines that differ word by word. It takes bounded time. */
export function lineDiff(before: string, after: string): LineDiff {
  const [old, now] = [linesOf(before), linesOf(after)]
  const changes = diffArrays(old, now, { timeout: LONGEST, maxEditLength: MOST_EDITS })
  if (!changes) return wholeDiff(old, now)
  const runs = runsOf(changes)
  const removed: Record<number, number[]> = {}
  const added: Record<number, number[]> = {}
  const until = Date.now() + LONGEST_WORDS
  let [oldAt, nowAt] = [0, 0]
  for (let at = 0; at < runs.length; at += 3) {
    const [same, gone, come] = [runs[at]!, runs[at + 1]!, runs[at + 2]!]
    oldAt += same
    nowAt += same
    const left = until - Date.now()
    if (gone > 0 && come > 0 && left > 0) {
      const words = wordMarks(old.slice(oldAt, oldAt + gone), now.slice(nowAt, nowAt + come), left)
      for (const [n, marks] of words.removed.entries()) if (marks.length > 0) removed[oldAt + n] = marks
      for (const [n, marks] of words.added.entries()) if (marks.length > 0) added[nowAt + n] = marks
    }
    oldAt += gone
    nowAt += come
  }
  return { runs, removed, added, whole: false }
}

/** Same, removed, added, and again: what is removed comes before what is added in its place. */
function runsOf(changes: readonly { count: number; added: boolean; removed: boolean }[]): number[] {
  const runs = [0, 0, 0]
  for (const { count, added, removed } of changes) {
    if (added) runs[runs.length - 1]! += count
    else if (removed) runs[runs.length - 2]! += count
    else if (runs.at(-1) === 0 && runs.at(-2) === 0) runs[runs.length - 3]! += count
    else runs.push(count, 0, 0)
  }
  return runs
}

type Ranges = [start: number, end: number][]

/** What differs inside lines that took the place of others, for each of the lines. */
function wordMarks(old: readonly string[], now: readonly string[], left: number) {
  const [before, after] = [old.join(''), now.join('')]
  const none = { removed: [], added: [] }
  if (before.length + after.length > MOST_CHARACTERS) return none
  const changes = diffWordsWithSpace(before, after, { timeout: left, maxEditLength: MOST_WORD_EDITS })
  if (!changes || !areAlike(changes, before, after)) return none
  const gone: Ranges = []
  const come: Ranges = []
  let [at, to] = [0, 0]
  for (const { value, added, removed } of changes) {
    if (removed) gone.push([at, at + value.length])
    if (added) come.push([to, to + value.length])
    if (!added) at += value.length
    if (!removed) to += value.length
  }
  return { removed: byLine(old, joined(gone, before)), added: byLine(now, joined(come, after)) }
}

const solid = (text: string): number => text.replace(/\s+/g, '').length

function areAlike(changes: readonly Change[], before: string, after: string): boolean {
  const same = changes.reduce((sum, { value, added, removed }) => sum + (added || removed ? 0 : solid(value)), 0)
  return same >= ALIKE * Math.min(solid(before), solid(after))
}

/** Neighbours with nothing but space between them are one piece. */
function joined(ranges: Ranges, text: string): Ranges {
  const pieces: Ranges = []
  for (const [start, end] of ranges) {
    const last = pieces.at(-1)
    if (last && text.slice(last[1], start).trim() === '') last[1] = end
    else pieces.push([start, end])
  }
  return pieces
}

/** The pieces in each line, without space at their ends. A line that differs as a whole needs no mark inside. */
function byLine(lines: readonly string[], ranges: Ranges): number[][] {
  let start = 0
  return lines.map(line => {
    const first = line.length - line.trimStart().length
    const last = line.trimEnd().length
    const marks: number[] = []
    for (const [from, to] of ranges) {
      let [a, b] = [Math.max(from - start, first), Math.min(to - start, last)]
      while (a < b && line[a]!.trim() === '') a++
      while (a < b && line[b - 1]!.trim() === '') b--
      if (a < b && !(a === first && b === last)) marks.push(a, b)
    }
    start += line.length
    return marks
  })
}
