import type { Token, Tokens } from 'marked'
import { type BoundedLexer, type DrawnToken, isHeavy } from './bounded-lexer.ts'
import { endsFence, fenceIn } from './fence.ts'
import { codeEnd, findMaths, mathsMayArrive, runOf, WORD } from './maths-source.ts'

/**
 * The end of a text that is still arriving. A mark whose other half has not arrived is drawn as what it will become, or
 * waits until that is known: what a person has seen as words never turns into signs and back.
 */

/** The address of a link whose own address is still arriving. */
export const ARRIVING = 'arriving:'

/** More than this many marks at once are not emphasis that somebody is writing. */
const MOST_OPEN = 16

/** Brackets that go on for longer than this are no link, and are not waited for. */
const LONGEST_LABEL = 240

/** The last line is held as long as it consists of signs that can still become anything. */
const HELD_LINE = new RegExp(
  [
    '^[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)*(?:',
    [
      '[-=*_+#~`$|:\\s\\\\>]*',
      '\\d{1,9}[.)]?',
      '\\[[^\\]\\n]{0,80}\\]?:?[ \\t]*',
      '<\\/?[a-z]{0,8}',
      '<(?:details|summary)\\b[^>]*',
      '(?:`{3,}|~{3,})[^\\n]*',
    ].join('|'),
    ')$',
  ].join(''),
  'i',
)
const CLOSING_FENCE = /^[ \t>]*(?:`+|~+)[ \t]*$/

/** Where the text ends that can be drawn. `tokens` is what the lexer makes of all of it. */
export function knownLength(text: string, tokens: readonly Token[]): number {
  const start = text.lastIndexOf('\n') + 1
  const line = text.slice(start)
  if (line === '') return text.length
  const leaf = lastLeaf(tokens as Token[])?.token
  const inCode = leaf?.type === 'code' && leaf.raw.includes('\n')
  const held = inCode ? isOpen(leaf as Tokens.Code) && CLOSING_FENCE.test(line) : HELD_LINE.test(line)
  return held ? start : text.length
}

const isOpen = ({ raw, codeBlockStyle }: Tokens.Code): boolean => codeBlockStyle !== 'indented' && !isClosedFence(raw)

/** A fence is closed by a line of at least as many of its signs. */
export function isClosedFence(raw: string): boolean {
  const text = raw.trimEnd()
  const open = fenceIn(text.slice(0, text.indexOf('\n') + 1))
  return open !== undefined && endsFence(text.slice(text.lastIndexOf('\n') + 1), open)
}

type Words = Tokens.Paragraph | Tokens.Text

interface Leaf {
  parent: Token[]
  token: DrawnToken
}

/** The block at the very end, inside of lists, quotes and details. */
function lastLeaf(tokens: Token[]): Leaf | undefined {
  const token = tokens.findLast(({ type }) => type !== 'space') as DrawnToken | undefined
  if (!token) return undefined
  if (token.type === 'list') return lastLeaf(token.items.at(-1)?.tokens ?? [])
  const inner = token.type === 'details' ? !token.closed && token.tokens : isNested(token) && token.tokens
  return (inner && lastLeaf(inner)) || { parent: tokens, token }
}

const isNested = (token: DrawnToken) => token.type === 'blockquote' || token.type === 'callout' || token.type === 'note'

/** Changes the last block so that it is drawn as what it will become. */
export function finishLast(tokens: Token[], lexer: BoundedLexer): void {
  const leaf = lastLeaf(tokens)
  if (!leaf) return
  const { token } = leaf
  const inlines = (text: string): Token[] => lexer.inlineTokens(isHeavy(text) ? text : finishInline(text))
  if (token.type === 'paragraph' || token.type === 'text') {
    if (!becomesTable(leaf.parent, token, inlines)) token.tokens = inlines(token.text)
    // Nothing of it is known yet: not even an empty line is drawn.
    if (token.tokens?.length === 0) leaf.parent[leaf.parent.indexOf(token)] = { type: 'held', raw: token.raw }
  } else if (token.type === 'heading') token.tokens = inlines(token.text)
  else if (token.type === 'details') token.summaryTokens = inlines(token.summary.replace(/<\/?[a-z]*$/i, ''))
  else if (token.type === 'table') {
    const cell = (token.rows.at(-1) ?? token.header).findLast(({ text }) => text !== '')
    if (cell) cell.tokens = inlines(cell.text)
  }
}

/** The first line of a table, and the line below it while that is incomplete, are a table already. */
function becomesTable(parent: Token[], token: Words, inlines: (text: string) => Token[]): boolean {
  const { text, raw } = token
  const lines = text.split('\n')
  const below = lines.length > 1 && /^[ \t]*\|?[ \t]*:?-[-|: \t]*$/.test(lines.at(-1)!)
  const at = lines.length - (below ? 2 : 1)
  const head = lines[at]!
  if (below ? !head.includes('|') : !/^[ \t]*\|/.test(head)) return false
  const before = lines.slice(0, at).join('\n')
  if (before !== '') {
    // The lines above stay a paragraph, and the table waits until it is one.
    token.tokens = inlines(before)
    return true
  }
  const cells = head
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
  const header = cells.map(cell => ({ text: cell.trim(), tokens: inlines(cell.trim()), header: true, align: null }))
  parent[parent.indexOf(token)] = { type: 'table', raw, header, align: cells.map(() => null), rows: [] }
  return true
}

const ADDRESS_ARRIVES = /^<(?:[a-z]{0,7}:?\/{0,2}|(?:https?:\/\/|mailto:)[^\s>]*)$/i

interface Open {
  mark: string
  at: number
}

/** Running text with an end to everything that has begun in it, and without what is not known yet. */
export function finishInline(text: string): string {
  const maths = new Map(findMaths(text).map(({ start, end }) => [start, end]))
  let open: Open[] = []
  for (let at = 0; at < text.length; ) {
    const sign = text[at]!
    const end = maths.get(at)
    if (end !== undefined) at = end
    else if ((sign === '$' || sign === '\\') && mathsMayArrive(text, at)) return closed(text, at, open)
    else if (sign === '\\') {
      if (at + 1 === text.length) return closed(text, at, open)
      at += 2
    } else if (sign === '`') {
      const run = runOf(text, at)
      const codeEnds = codeEnd(text, at + run, run)
      if (codeEnds === undefined) return withCode(text, at, run, open)
      at = codeEnds
    } else if (sign === '[') {
      const step = bracket(text, at)
      if (step.cut !== undefined) return closed(text.slice(0, step.cut) + (step.add ?? ''), undefined, open)
      at = step.next
    } else if (sign === '*' || sign === '_' || sign === '~') {
      const run = runOf(text, at)
      if (at + run === text.length) return closed(text, at, open)
      open = afterMarks(text, at, run, open)
      at += run
    } else if (sign === '<' && ADDRESS_ARRIVES.test(text.slice(at, at + 2_000))) {
      return closed(text, at, open)
    } else if (sign === '&' && /^&[#\w]{0,8}$/.test(text.slice(at, at + 10))) return closed(text, at, open)
    else at++
  }
  return closed(text, undefined, open)
}

/** Everything that is open gets its end, in the reverse order. A mark that nothing follows is left out. */
function closed(text: string, cut: number | undefined, open: readonly Open[]): string {
  let kept = text.slice(0, cut).replace(/[ \t\n]+$/, '')
  const marks = [...open]
  for (let last = marks.at(-1); last && last.at + last.mark.length >= kept.length; last = marks.at(-1)) {
    kept = kept.slice(0, last.at).replace(/[ \t\n]+$/, '')
    marks.pop()
  }
  return (
    kept +
    marks
      .reverse()
      .map(({ mark }) => mark)
      .join('')
  )
}

function withCode(text: string, at: number, run: number, open: readonly Open[]): string {
  const code = text.slice(at + run).replace(/`+$/, '')
  if (code.trim() === '') return closed(text, at, open)
  return closed(text.slice(0, at + run) + code.trimEnd() + '`'.repeat(run), undefined, open)
}

type Step = { next: number; cut?: undefined } | { next?: undefined; cut: number; add?: string }

/** What stands in brackets may become a link, a picture or a footnote when more of it is there. */
function bracket(text: string, at: number): Step {
  const isImage = text[at - 1] === '!'
  const start = isImage ? at - 1 : at
  const close = matching(text, at, '[', ']')
  if (close === undefined) return text.length - at > LONGEST_LABEL ? { next: at + 1 } : { cut: start }
  const after = text[close + 1]
  if (after === undefined) return { cut: start }
  if (after === '(') {
    const end = matching(text, close + 1, '(', ')', 2_000)
    if (end !== undefined) return { next: end + 1 }
    // An address has no space, and behind it there is at most a title.
    if (/^\(\s*[^\s<]+\s+[^"'(\s]/.test(text.slice(close + 1, close + 2_100))) return { next: at + 1 }
    return isImage ? { cut: start } : { cut: close + 1, add: `(${ARRIVING})` }
  }
  if (after === '[') {
    const end = matching(text, close + 1, '[', ']')
    if (end === undefined && text.length - close <= LONGEST_LABEL) return { cut: start }
  }
  return { next: at + 1 }
}

/** Where a bracket is closed, if that is near. */
function matching(text: string, from: number, open: string, close: string, most = LONGEST_LABEL): number | undefined {
  let depth = 0
  const last = Math.min(text.length, from + most)
  for (let at = from; at < last; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === open) depth++
    else if (text[at] === close && --depth === 0) return at
  }
  return undefined
}

/** What is open behind a run of stars, lines or tildes. */
function afterMarks(text: string, at: number, run: number, open: readonly Open[]): Open[] {
  const sign = text[at]!
  const before = text[at - 1] ?? ' '
  const after = text[at + run]!
  const inWord = WORD.test(before) && WORD.test(after)
  if (sign === '~' ? run !== 2 : run > 3 || (sign === '_' && inWord)) return [...open]
  const left = [...open]
  if (/\S/.test(before)) {
    let rest = run
    for (let place = lastOf(left, sign); place >= 0 && left[place]!.mark.length <= rest; place = lastOf(left, sign)) {
      rest -= left[place]!.mark.length
      left.length = place
    }
    if (rest < run) return left
  }
  // One star within a word multiplies more often than it stresses.
  if (!/\S/.test(after) || (inWord && run === 1) || left.length >= MOST_OPEN) return left
  if (sign === '~' || run < 3) return [...left, { mark: sign.repeat(run), at }]
  return [...left, { mark: sign, at }, { mark: sign.repeat(2), at: at + 1 }]
}

const lastOf = (open: readonly Open[], sign: string): number => open.findLastIndex(({ mark }) => mark[0] === sign)
