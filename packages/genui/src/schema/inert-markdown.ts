import { urlProblem } from '../url.ts'

/** A piece of Markdown: a block of code, a code span on one line, or everything else. */
export interface MarkdownPiece {
  readonly kind: 'code' | 'span' | 'text'
  /** Of code its content, of everything else what the author wrote. */
  readonly text: string
  /** Of a block of code what stands behind its fence. */
  readonly info?: string
}

/**
 * Divides Markdown into code and everything else. It need not see all that a parser would call code: what it does not see
 * is treated as text, which is safe.
 */
export function markdownPieces(source: string): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = []
  const lines = source.split('\n')
  let inList = false
  let blank = true
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const block = fenced(lines, at) ?? (blank && !inList ? indented(lines, at) : undefined)
    if (block) {
      pieces.push({ kind: 'code', text: block.code, info: block.info })
      at = block.last
      blank = true
      continue
    }
    if (/^\s*([-*+]|\d{1,9}[.)])(\s|$)/.test(line)) inList = true
    else if (blank && /^\S/.test(line)) inList = false
    blank = /^\s*$/.test(line)
    pieces.push(...spansOf(at + 1 < lines.length ? `${line}\n` : line))
  }
  return pieces
}

interface CodeLines {
  readonly code: string
  readonly info: string
  readonly last: number
}

function fenced(lines: readonly string[], first: number): CodeLines | undefined {
  const [, indent = '', fence = '', info = ''] = /^( *)(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(lines[first]!) ?? []
  if (fence === '') return undefined
  const end = new RegExp(`^ *${fence[0]}{${fence.length},}\\s*$`)
  let last = first + 1
  while (last < lines.length && !end.test(lines[last]!)) last++
  const inner = new RegExp(`^ {0,${indent.length}}`)
  const code = lines.slice(first + 1, last).map(line => line.replace(inner, ''))
  return { code: code.join('\n'), info: info.trim(), last }
}

function indented(lines: readonly string[], first: number): CodeLines | undefined {
  let last = first - 1
  for (let at = first; at < lines.length && /^( {4}|\t|\s*$)/.test(lines[at]!); at++)
    if (/\S/.test(lines[at]!)) last = at
  if (last < first || !/\S/.test(lines[first]!)) return undefined
  const code = lines.slice(first, last + 1).map(line => line.replace(/^( {4}|\t)/, ''))
  return { code: code.join('\n'), info: '', last }
}

/** A span ends on its line. One that holds a pipe may be cut by a table, so that it is no code at all. */
function spansOf(line: string): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = []
  let text = ''
  for (let at = 0; at < line.length; ) {
    const escaped = /^\\[!-/:-@[-`{-~]/.exec(line.slice(at, at + 2))?.[0]
    const run = escaped ? undefined : /^`+/.exec(line.slice(at))?.[0]
    const end = run === undefined ? -1 : endOfSpan(line, at + run.length, run.length)
    const span = end < 0 ? undefined : line.slice(at, end)
    if (span === undefined || span.includes('|')) {
      const plain = escaped ?? run ?? line[at]!
      text += plain
      at += plain.length
      continue
    }
    if (text !== '') pieces.push({ kind: 'text', text })
    text = ''
    pieces.push({ kind: 'span', text: span })
    at = end
  }
  return text === '' ? pieces : [...pieces, { kind: 'text', text }]
}

function endOfSpan(line: string, from: number, length: number): number {
  for (const { 0: run, index } of line.slice(from).matchAll(/`+/g))
    if (run.length === length) return from + index + length
  return -1
}

/**
 * An author's Markdown that no parser can take for more than it is: code as it was, no HTML, and no link that may not be
 * opened. What is disarmed stays readable. Code is written with fences of our own, and every other fence is escaped, so
 * that a parser finds code exactly where it was found here.
 */
export function inertMarkdown(source: string): string {
  let written = ''
  const pieces = markdownPieces(source)
  for (const [at, { kind, text, info }] of pieces.entries()) {
    if (kind === 'text') written += disarmed(text, pieces[at + 1]?.text ?? '')
    else if (kind === 'span') written += text
    else written = `${written.replace(/\n*$/, written === '' ? '' : '\n\n')}${codeBlock(text, info)}\n\n`
  }
  return written.replace(/\n+$/, '')
}

/** A block of code whose fence is longer than every run of backticks in it. */
export function codeBlock(code: string, info = ''): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${/^[\w+#.-]*$/.test(info) ? info : ''}\n${code}\n${fence}`
}

const URL_TEXT = String.raw`<[^<>\n\\]*>|[^\s()<>\\]*(?:\([^\s()<>\\]*\)[^\s()<>\\]*)*`
const TITLE = String.raw`(?:[ \t]+(?:"[^"\n\\<]*"|'[^'\n\\<]*'))?`
/** The end of an inline link and the end of a definition, in the plain forms that every parser reads alike. */
const LINK_END = new RegExp(String.raw`^\]\((${URL_TEXT})${TITLE}\)`)
const DEFINITION_END = new RegExp(String.raw`^\]:[ \t]*(${URL_TEXT})${TITLE}[ \t]*(?:\n|$)`)
/** What may have to be disarmed: an escaped mark, a link in angle brackets, the beginning of a bare address, other marks. */
const SUSPECT = /\\[!-/:-@[-`{-~]|<[a-z][a-z0-9+.-]+:[^\s<>\\`]*>|<|(?:https?|ftp):(?=\/\/)|www\.|`|~{3,}|\](?=[(:])/gi
/** A bare address as far as a parser may read it, up to where the text of a link ends. */
const BARE = /(?:(?!\]\()[^\s<])*/y

/** `next` is what stands behind the text. */
function disarmed(text: string, next: string): string {
  const all = text + next
  let bare = { end: 0, whole: true }
  return text.replace(SUSPECT, (found, at: number) => {
    if (found.startsWith('\\')) return found
    if (found.startsWith('<')) {
      if (found.length > 1 && isOpen(found.slice(1, -1))) return found
      const rest = disarmed(found.slice(1), all.slice(at + found.length))
      return (OPENS_TAG.test(all.slice(at, at + 2)) ? entity('<') : '<') + rest
    }
    if (/^[hfw]/i.test(found)) {
      if (at >= bare.end) bare = bareAddress(all, at)
      return bare.whole ? found : found.slice(0, -1) + entity(found.at(-1)!)
    }
    if (found !== ']') return found.replace(/./g, '\\$&')
    const url = LINK_END.exec(text.slice(at))?.[1] ?? (DEFINITION_END.exec(text.slice(at))?.[1] || undefined)
    return url !== undefined && isOpen(url.replace(/^<|>$/g, '')) ? ']' : '\\]'
  })
}

/** A character that no parser takes for a mark, and that is read as itself. */
export const entity = (char: string): string => (char === '<' ? '&lt;' : `&#${char.charCodeAt(0)};`)

const OPENS_TAG = /^<[a-z/!?]/i

/**
 * A parser makes a link of a bare address, and takes every backslash, entity and backtick up to the next space or `<` for a
 * part of it. An address that may not be opened, or that such a mark stands in or behind, is to be read as text.
 */
function bareAddress(all: string, at: number): { end: number; whole: boolean } {
  BARE.lastIndex = at
  const found = BARE.exec(all)![0]
  const end = at + found.length
  const marked = /[\\`]|~{3}|\]:/.test(found) || all.startsWith('](', end) || OPENS_TAG.test(all.slice(end, end + 2))
  return { end, whole: !marked && found.split(ADDRESS_START).every(isOpenBare) }
}

/** An address may stand in another, and a parser that does not see the outer one reads the inner one. */
const ADDRESS_START = /(?=(?:https?|ftp):\/\/|(?<!\/\/)www\.)/i

function isOpenBare(found: string): boolean {
  const url = found.replace(/[\])}*_~|'".,;:!?]+$/, '')
  return isOpen(/^www/i.test(url) ? `http://${url}` : url)
}

/** Entities could spell a scheme that the check does not see. */
const isOpen = (url: string): boolean =>
  !/&(?!amp;)#?\w+;/.test(url) && (/^([/#](?!\/)|$)/.test(url) || !urlProblem(url))
