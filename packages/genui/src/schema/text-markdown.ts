import { imageUrlProblem } from '../url.ts'
import { visibleControls } from '../visible.ts'
import { codeBlock, entity, inertMarkdown } from './inert-markdown.ts'
import type { AlternativeFormat } from './text.ts'

/** Markdown for exports. Content stays content: nothing in a plain text turns into markup, nothing into HTML. */
export const markdownFormat: AlternativeFormat = {
  text: escapeMarkup,
  // An indented beginning could be read as part of a list that stands before it.
  markdown: source => inertMarkdown(visibleControls(source).replace(/^(?:[ \t]*\n)+/, '')).replace(/^ {1,3}(?=\S)/, ''),
  role: (role, written) => {
    if (role === 'title') return `## ${headline(written)}`
    if (role === 'subtitle') return `### ${headline(written)}`
    // Blank lines too: a quotation that ended in the middle of code would end the code.
    return role === 'caption' ? written.replace(/^/gm, '> ') : written
  },
  pair: (label, value) => `- ${strong(oneLine(label).trim())}: ${oneLine(value)}`,
  badge: label => codeSpan(oneLine(visibleControls(label))),
  button: (label, target) => (target === '' ? `\\[${oneLine(label)}\\]` : `[${linkText(label)}](${address(target)})`),
  image: (alt, url) => (imageUrlProblem(url) ? alt : `![${linkText(alt)}](${address(url)})`),
  table: (head, rows, align) => {
    if (head.length === 0) return ''
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const rule = align.map(side => (side === 'end' ? '---:' : side === 'center' ? ':---:' : '---'))
    return [line(head), line(rule), ...rows.map(line)].join('\n')
  },
  code: content => codeBlock(visibleControls(content)),
  across: (parts, inline) =>
    inline ? parts.join('  ') : parts.map((part, at) => (at > 0 ? between(parts[at - 1]!, part) : '') + part).join(''),
  between,
  divider: '---',
  blank: '\\_\\_\\_\\_',
  gap: '\n\n',
}

/**
 * Ends a list before the next one: readers take neighbouring lists for one. It is the definition of a link that nobody uses,
 * so that nothing of it is seen, and it is no HTML.
 */
const LIST_END = '[//]: #'

const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/m
const BEGINS_LIST = new RegExp(LIST_ITEM.source)

function between(before: string, after: string): string {
  return endsInList(before) && BEGINS_LIST.test(after) ? `\n\n${LIST_END}\n\n` : '\n\n'
}

/** Whether the last block of a text may belong to a list. An end too many is not seen, and one that is missing is. */
function endsInList(text: string): boolean {
  const last = text
    .trimEnd()
    .split(/\n[ \t]*\n/)
    .at(-1)!
  return last.startsWith('  ') || LIST_ITEM.test(last)
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

/** Parsers differ in what they make of escaped brackets in the text of a link. */
const linkText = (text: string): string =>
  oneLine(text).replace(/\\(.)/g, (pair, mark: string) => (/[[\]]/.test(mark) ? entity(mark) : pair))

/** Stars around nothing would be stars. */
const strong = (text: string): string => (text === '' ? '' : `**${text}**`)

/** A code span whose ends are longer than every run of backticks in it. */
function codeSpan(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const ends = '`'.repeat(longest + 1)
  const room = /^`|`$|^ .* $/.test(text) ? ' ' : ''
  return text === '' ? '' : `${ends}${room}${text}${room}${ends}`
}

/** Number signs at the end of a heading would be taken for its end. */
const headline = (text: string): string => oneLine(text).replace(/(?<=^|\s)#+\s*$/, '\\$&')

/**
 * The beginning of a bare address is broken with an entity: a parser that took it for a link would take the backslashes
 * behind it for a part of the address, and what they escape would come alive.
 */
function escapeMarkup(plain: string): string {
  return visibleControls(plain)
    .replace(/[\\`*_[\]>|~$&]/g, '\\$&')
    .replace(/[<@]|:(?=\/\/)|(?<=www)\./gi, entity)
    .replace(/^([ \t]*)([#+=:-])/gm, '$1\\$2')
    .replace(/^([ \t]*\d+)([.)])/gm, '$1\\$2')
    .replace(/^[ \t](?=.*\S)/gm, entity)
}

const address = (target: string): string =>
  target
    .replace(/[()\s<>\\`]/g, char => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/&(?=#?\w+;)/g, '&amp;')
