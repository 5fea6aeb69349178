/** How two texts differ, line by line. It is worked out in a thread, by `line-diff.ts`. */
export interface LineDiff {
  /** Numbers of lines, three by three: so many are the same, then so many are removed, then so many are added. */
  readonly runs: readonly number[]
  /** What differs inside removed lines, by their place in the text before: start and end, start and end. */
  readonly removed: Readonly<Record<number, readonly number[]>>
  /** What differs inside added lines, by their place in the text after. */
  readonly added: Readonly<Record<number, readonly number[]>>
  /** Too much differs: the text before stands whole, then the text after. */
  readonly whole: boolean
}

export interface DiffRow {
  readonly kind: 'same' | 'removed' | 'added'
  /** The place of the line in the text that it is from: the text before when it is removed, and the text after otherwise. */
  readonly at: number
  readonly text: string
  /** The text ends with this line, without a line break. It is told of lines that differ. */
  readonly noBreak: boolean
}

/** A row that is shown, or rows that are the same in both texts and folded away. */
export interface DiffPiece {
  readonly kind: 'rows' | 'fold'
  readonly from: number
  readonly to: number
}

/** Lines that stay around what differs. */
const CONTEXT = 3
/** Fewer lines are not folded away: the line that says so would need as much room. */
const LEAST_FOLDED = 2

/** The lines of a text with their line breaks: joined they are the text again. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** What is shown when the texts are not compared. */
export const wholeDiff = (before: readonly string[], after: readonly string[]): LineDiff => ({
  runs: [0, before.length, after.length],
  removed: {},
  added: {},
  whole: true,
})

/** The lines of both texts in the order in which they are shown. */
export function rowsOf(before: readonly string[], after: readonly string[], { runs }: LineDiff): DiffRow[] {
  const rows: DiffRow[] = []
  let [old, now] = [0, 0]
  // A text whose lines all end with a carriage return has none to show. Where only some do, that may be what differs.
  const everywhere = [before, after].every(lines => lines.every(line => !line.endsWith('\n') || line.endsWith('\r\n')))
  const row = (kind: DiffRow['kind'], line: string, at: number) => {
    const breaks = line.endsWith('\n')
    const returns = line.endsWith('\r\n') && (everywhere || kind === 'same')
    const end = line.length - (returns ? 2 : breaks ? 1 : 0)
    rows.push({ kind, at, text: line.slice(0, end), noBreak: !breaks && kind !== 'same' })
  }
  for (let at = 0; at < runs.length; at += 3) {
    for (let n = runs[at]!; n > 0; n--) {
      row('same', after[now]!, now)
      old++
      now++
    }
    for (let n = runs[at + 1]!; n > 0; n--) row('removed', before[old]!, old++)
    for (let n = runs[at + 2]!; n > 0; n--) row('added', after[now]!, now++)
  }
  return rows
}

/**
 * The rows without those at the end about which nothing is known: a line that is only in one text may be in the part of the
 * other text that is missing.
 */
export function withoutDoubtful(rows: readonly DiffRow[], cut: { before: number; after: number }): readonly DiffRow[] {
  const last = rows.findLastIndex(({ kind }) => kind === 'same')
  const tail = rows.slice(last + 1)
  const doubtful =
    last >= 0 &&
    tail.length > 0 &&
    ((cut.after > 0 && tail.every(({ kind }) => kind === 'removed')) ||
      (cut.before > 0 && tail.every(({ kind }) => kind === 'added')))
  return doubtful ? rows.slice(0, last + 1) : rows
}

/** The rows near something that differs, and between them those that are folded away. */
export function piecesOf(rows: readonly DiffRow[]): DiffPiece[] {
  const pieces: DiffPiece[] = []
  const add = (kind: DiffPiece['kind'], from: number, to: number) => {
    if (from >= to) return
    const last = pieces.at(-1)
    if (last?.kind === kind) pieces[pieces.length - 1] = { kind, from: last.from, to }
    else pieces.push({ kind, from, to })
  }
  for (let from = 0; from < rows.length; ) {
    const same = rows[from]!.kind === 'same'
    let to = from
    while (to < rows.length && (rows[to]!.kind === 'same') === same) to++
    const [start, end] = [from === 0 ? from : from + CONTEXT, to === rows.length ? to : to - CONTEXT]
    if (same && end - start >= LEAST_FOLDED) {
      add('rows', from, start)
      add('fold', start, end)
      add('rows', end, to)
    } else add('rows', from, to)
    from = to
  }
  return pieces
}
