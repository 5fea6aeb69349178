import { type FileChange, jsonBytes, MAX_CHANGES } from '@vitrine/protocol'

/** Lines that stay around what differs, when the rest of a file has no room. */
const CONTEXT = 10
/** With less room than this nothing useful of a file can be shown. */
const LEAST = 256
const LONGEST_PATH = 500

export interface FittedChanges {
  changes: FileChange[]
  /** How many files are left out. */
  left: number
  /** Whether something of the files that stay was cut. */
  cut: boolean
}

/**
 * Makes the changes of a request fit into `room` bytes of JSON. A file keeps what is around its changes, then loses its end,
 * and the last files are left out; what is missing is counted. Small files stay whole, because large ones are cut first.
 */
export function fitChanges(given: readonly FileChange[], room: number): FittedChanges {
  const most = Math.min(MAX_CHANGES, Math.max(0, Math.floor(room / LEAST)))
  const whole = given.slice(0, most).map(withShortPath)
  if (jsonBytes(whole) <= room) return { changes: whole, left: given.length - whole.length, cut: false }
  const sized = whole.map((change, at) => {
    const near = nearChanges(change)
    return { at, change: near, size: jsonBytes(near) + 1 }
  })
  const fitted: (FileChange | undefined)[] = []
  let rest = room - 2
  for (const [n, { at, change, size }] of sized.sort((a, b) => a.size - b.size).entries()) {
    const share = Math.floor(rest / (sized.length - n))
    const one = size <= share ? change : cutTo(change, share - 1)
    fitted[at] = one
    if (one) rest -= jsonBytes(one) + 1
  }
  const changes = fitted.filter(change => change !== undefined)
  return { changes, left: given.length - changes.length, cut: changes.some(change => change.cut !== undefined) }
}

const withShortPath = (change: FileChange): FileChange =>
  change.path.length <= LONGEST_PATH
    ? change
    : { ...change, path: `…${change.path.slice(1 - LONGEST_PATH).toWellFormed()}` }

/** The change without the lines that are the same at the beginning and at the end of both texts, but for a few. */
function nearChanges(change: FileChange): FileChange {
  const { before, after, line = 1 } = change
  if (before === undefined || after === undefined) return change
  const shorter = Math.min(before.length, after.length)
  let same = 0
  while (same < shorter && before[same] === after[same]) same++
  let sameEnd = 0
  while (sameEnd < shorter - same && before.at(-1 - sameEnd) === after.at(-1 - sameEnd)) sameEnd++
  let start = same === 0 ? 0 : before.lastIndexOf('\n', same - 1) + 1
  for (let n = 0; n < CONTEXT && start > 0; n++) start = before.lastIndexOf('\n', start - 2) + 1
  let end = before.length - sameEnd
  for (let n = 0; n <= CONTEXT && end < before.length; n++) end = before.indexOf('\n', end) + 1 || before.length
  const kept = before.length - end
  return {
    ...change,
    before: before.slice(start, end),
    after: after.slice(start, after.length - kept),
    ...(start > 0 && { line: line + linesOf(before.slice(0, start)) }),
  }
}

/** The change with the ends of its texts cut off, or nothing when there is no room for it. */
function cutTo(change: FileChange, room: number): FileChange | undefined {
  const { before, after, cut, ...head } = change
  const left = { before: cut?.before ?? 0, after: cut?.after ?? 0 }
  const most = { before: Number.MAX_SAFE_INTEGER, after: Number.MAX_SAFE_INTEGER }
  const texts = room - jsonBytes({ ...head, before: '', after: '', cut: most })
  if (texts < 0) return undefined
  const [beforeBytes, afterBytes] = [jsonBytes(before ?? ''), jsonBytes(after ?? '')]
  // A text that needs less than its half leaves the rest to the other one.
  const beforeRoom = Math.min(beforeBytes, Math.max(texts / 2, texts - afterBytes))
  const old = before === undefined ? undefined : cutText(before, beforeRoom)
  const next = after === undefined ? undefined : cutText(after, texts - beforeRoom)
  return {
    ...head,
    ...(old && { before: old.text }),
    ...(next && { after: next.text }),
    cut: { before: left.before + (old?.lines ?? 0), after: left.after + (next?.lines ?? 0) },
  }
}

/** The whole lines of a text that fit, and how many lines do not. Of a single long line its beginning stays. */
function cutText(text: string, bytes: number): { text: string; lines: number } {
  if (text.length <= bytes && jsonBytes(text) <= bytes) return { text, lines: 0 }
  let [end, used] = [0, 2]
  while (end < text.length) {
    const next = text.indexOf('\n', end) + 1 || text.length
    // A character takes a byte at least, so that a long line need not be measured.
    used += next - end > bytes ? bytes : jsonBytes(text.slice(end, next)) - 2
    if (used > bytes) break
    end = next
  }
  if (end === 0) {
    // No character takes more than six bytes.
    end = Math.max(0, Math.floor((bytes - 2) / 6))
  }
  return { text: text.slice(0, end).toWellFormed(), lines: linesOf(text.slice(end)) }
}

function linesOf(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
