/** Maths beyond this length is shown as it was written. */
export const LONGEST_MATHS = 5_000

/** Where maths stands in running text. */
export interface FoundMaths {
  start: number
  end: number
  tex: string
  /** Whether it stands on a line of its own. */
  display: boolean
}

/** What hardly any sentence has: a command of TeX, an equation, a power, an index, a group. */
const STRONG = /\\[a-z]|[\^_={}]/i
/** What both formulas and sentences have. */
const WEAK = /[-+*/<>|−×·]/
const TWO_WORDS = /(?<![\\{\p{L}])\p{L}{2,}\s+(?:\p{L}\s+)?\p{L}{2,}/u
const LONG_WORD = /\p{L}{3,}/u
/** A letter or a figure of a script whose words have spaces between them: Chinese stands close to a formula. */
export const WORD = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}]/u

/**
 * Whether what stands between two marks is maths. Escaped brackets, prices and names of variables stand between such
 * marks, too. What is escaped says nothing.
 */
function isMaths(tex: string, open: string): boolean {
  if (tex.trim() === '' || tex.includes('://')) return false
  const bare = tex.replace(/\\[^a-z\s]/gi, ' ')
  if (STRONG.test(bare)) return true
  if (LONG_WORD.test(bare) || TWO_WORDS.test(bare)) return false
  if (WEAK.test(bare)) return true
  if (open === '\\[') return false
  // An amount, and a letter or a number in escaped brackets that stand close to it.
  return open === '\\(' ? /\p{L}|^\s.*\s$/u.test(tex) : !/^[\d.,]+\D*\s/.test(tex)
}

/** All maths in running text: `$…$`, `$$…$$`, `\(…\)` and `\[…\]` outside of code. */
export function findMaths(text: string): FoundMaths[] {
  const found: FoundMaths[] = []
  if (!text.includes('$') && !text.includes('\\(') && !text.includes('\\[')) return found
  for (let at = 0; at < text.length; ) {
    const maths = mathsAt(text, at)
    if (maths) {
      found.push(maths)
      at = maths.end
    } else at = next(text, at)
  }
  return found
}

/** The place after what stands at `at`: an escaped sign and code are stepped over as a whole. */
function next(text: string, at: number): number {
  if (text[at] === '\\') return at + 2
  if (text[at] !== '`') return at + 1
  const run = runOf(text, at)
  return codeEnd(text, at + run, run) ?? at + run
}

/** How many times the sign at `at` is repeated. */
export function runOf(text: string, at: number): number {
  let end = at + 1
  while (text[end] === text[at]) end++
  return end - at
}

/** Where code that began with so many backticks ends. */
export function codeEnd(text: string, from: number, run: number): number | undefined {
  for (let at = text.indexOf('`', from); at >= 0; ) {
    const length = runOf(text, at)
    if (length === run) return at + length
    at = text.indexOf('`', at + length)
  }
  return undefined
}

function mathsAt(text: string, start: number): FoundMaths | undefined {
  const marks = marksAt(text, start)
  if (!marks) return undefined
  const { open, close, display } = marks
  const from = start + open.length
  const end = closeOf(text, from, close)
  if (end === undefined) return undefined
  const tex = text.slice(from, end)
  if (!isMaths(tex, open)) return undefined
  // A single dollar stands close to its formula, and a price is followed by its figure.
  if (open === '$' && (/^\s|\s$/.test(tex) || WORD.test(text[end + 1] ?? ''))) return undefined
  return { start, end: end + close.length, tex: tex.trim(), display }
}

function marksAt(text: string, at: number) {
  if (WORD.test(text[at - 1] ?? '')) return undefined
  if (text[at] === '\\') {
    if (text[at + 1] === '(') return { open: '\\(', close: '\\)', display: false }
    if (text[at + 1] === '[') return { open: '\\[', close: '\\]', display: true }
    return undefined
  }
  if (text[at] !== '$') return undefined
  const run = runOf(text, at)
  if (run > 2) return undefined
  return run === 2 ? { open: '$$', close: '$$', display: true } : { open: '$', close: '$', display: false }
}

/** Where the closing mark begins. An escaped sign inside is none. */
function closeOf(text: string, from: number, close: string): number | undefined {
  const last = Math.min(text.length - close.length, from + LONGEST_MATHS)
  for (let at = from; at <= last; at++) {
    if (text.startsWith(close, at)) return at
    if (text[at] === '\\') at++
  }
  return undefined
}

/**
 * Whether maths that begins at `at` may still get its closing mark. Amounts of money and ordinary sentences are not
 * waited for.
 */
export function mathsMayArrive(text: string, at: number): boolean {
  if (text[at] === '$' && at + 1 === text.length) return true
  const marks = marksAt(text, at)
  if (!marks) return false
  const tex = text.slice(at + marks.open.length)
  if (closeOf(tex, 0, marks.close) !== undefined || tex.length > LONGEST_MATHS) return false
  if (marks.open === '$') {
    if (/^\s/.test(tex)) return false
    if (/^\d/.test(tex)) return !/\s\p{L}{2}|[.,;:!?)]\s/u.test(tex)
  }
  return !TWO_WORDS.test(tex.replace(/\\\w+\{[^}]*\}?/g, ''))
}

/** Whether a block that begins like maths may still become maths. */
export const mathsBlockMayArrive = (src: string): boolean =>
  /^ {0,3}(?:\$\$|\\\[)/.test(src) && !/\n[ \t]*\n/.test(src) && mathsMayArrive(src, src.search(/\S/))

/** Maths that is a block of its own. It has no empty line in it, as in TeX, so that it is soon known where it ends. */
export function mathsBlockAt(src: string): { raw: string; tex: string } | undefined {
  const open = /^ {0,3}(\$\$|\\\[)/.exec(src)
  if (!open) return undefined
  const near = src.slice(0, LONGEST_MATHS + 16)
  const gap = near.search(/\n[ \t]*\n/)
  const within = gap < 0 ? near : near.slice(0, gap)
  const close = open[1] === '$$' ? '$$' : '\\]'
  const end = closeOf(within, open[0].length, close)
  if (end === undefined) return undefined
  const tex = within.slice(open[0].length, end).trim()
  if (close === '\\]' && !isMaths(tex, open[1]!)) return undefined
  const rest = /^[ \t]*(?:\n|$)/.exec(src.slice(end + close.length, end + close.length + 200))
  if (!rest || tex === '') return undefined
  return { raw: src.slice(0, end + close.length + rest[0].length), tex }
}
