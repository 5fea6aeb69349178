import { endsFence } from './fence.ts'

/** A place that mentions a footnote, and its label. */
export const NOTE_REF = /\[\^([^\]\s[]{1,64})\]/
/** The beginning of a footnote, and its label. */
export const NOTE = new RegExp(`^${NOTE_REF.source}:[ \\t]*`)
/** A line that begins something else ends a footnote whose lines are not indented. */
const BEGINS = /^(?:\[\^|#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|```|~~~|\$\$|\\\[|<|\|)/

/** The text of a footnote: its line, the lines that continue it, and what is indented below it. */
export function noteAt(src: string): { raw: string; label: string; body: string } | undefined {
  const found = NOTE.exec(src)
  if (!found) return undefined
  let end = lineEnd(src, 0)
  let body = src.slice(found[0].length, end)
  let empty = ''
  while (end < src.length) {
    const line = src.slice(end, lineEnd(src, end))
    const text = line.trim()
    const indented = /^(?: {2,}|\t)/.test(line)
    if (text !== '' && !indented && (empty !== '' || BEGINS.test(line))) break
    if (text === '') empty += line
    else {
      body += empty + line.replace(/^(?: {1,4}|\t)/, '')
      empty = ''
    }
    end += line.length
  }
  return { raw: src.slice(0, end - empty.length), label: found[1]!, body }
}

/** Where the line that `at` is in ends, with its line break. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

const DETAILS = /^ {0,3}<details(\s+open(?:\s*=\s*(?:""|"open"|''|open))?)?\s*>/i
const SUMMARY = /^\s*<summary>([\s\S]*?)(?:<\/summary>|$)/i
/** What opens or closes: code, in which tags are text, and details in details. */
const MARKERS = /^ {0,3}(`{3,}|~{3,}).*$|<(\/?)details\b[^>\n]*>/gim

export interface FoundDetails {
  raw: string
  open: boolean
  /** Whether its end is there. Without it, everything that follows is in it. */
  closed: boolean
  summary: string
  body: string
}

/** `<details>`, the one piece of HTML that is understood, because an answer has no other way to fold something. */
export function detailsAt(src: string): FoundDetails | undefined {
  const found = DETAILS.exec(src)
  if (!found) return undefined
  const start = found[0].length
  const { inside, length } = insideOf(src, start)
  const summary = SUMMARY.exec(src.slice(start, inside))
  return {
    raw: src.slice(0, length),
    open: found[1] !== undefined,
    closed: length > inside,
    summary: (summary?.[1] ?? '').trim(),
    body: src.slice(start + (summary?.[0].length ?? 0), inside),
  }
}

/** Where its content ends, and where it ends with its own tag. */
function insideOf(src: string, start: number): { inside: number; length: number } {
  let depth = 1
  let fence = ''
  MARKERS.lastIndex = start
  for (let found = MARKERS.exec(src); found; found = MARKERS.exec(src)) {
    const [text, run, slash] = found
    if (run !== undefined) {
      if (fence === '') fence = run
      else if (endsFence(text, fence)) fence = ''
    } else if (fence === '') {
      depth += slash === '' ? 1 : -1
      if (depth === 0) {
        const end = found.index + text.length
        return { inside: found.index, length: end + /^[ \t]*\n?/.exec(src.slice(end, end + 200))![0].length }
      }
    }
  }
  return { inside: src.length, length: src.length }
}
