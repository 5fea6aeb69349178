import { imageUrlProblem } from '../url.ts'
import { visibleControls } from '../visible.ts'
import { codeBlock, inertMarkdown } from './inert-markdown.ts'
import type { TextFormat } from './text.ts'

/** Markdown for exports. Content stays content: nothing in a plain text turns into markup, nothing into HTML. */
export const markdownFormat: TextFormat = {
  text: escapeMarkup,
  markdown: source => inertMarkdown(visibleControls(source)),
  role: (role, written) => {
    if (role === 'title') return `## ${headline(written)}`
    if (role === 'subtitle') return `### ${headline(written)}`
    // Blank lines too: a quotation that ended in the middle of code would end the code.
    return role === 'caption' ? written.replace(/^/gm, '> ') : written
  },
  pair: (label, value) => `- **${oneLine(label)}**: ${oneLine(value)}`,
  badge: label => codeSpan(oneLine(visibleControls(label))),
  button: (label, target) => (target === '' ? `\\[${oneLine(label)}\\]` : `[${oneLine(label)}](${address(target)})`),
  image: (alt, url) => (imageUrlProblem(url) ? alt : `![${oneLine(alt)}](${address(url)})`),
  table: (head, rows, align) => {
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const rule = align.map(side => (side === 'end' ? '---:' : side === 'center' ? ':---:' : '---'))
    return [line(head), line(rule), ...rows.map(line)].join('\n')
  },
  code: content => codeBlock(visibleControls(content)),
  divider: '---',
  gap: '\n\n',
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

/** A code span whose ends are longer than every run of backticks in it. */
function codeSpan(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const ends = '`'.repeat(longest + 1)
  const room = /^`|`$|^ .* $/.test(text) ? ' ' : ''
  return text === '' ? '' : `${ends}${room}${text}${room}${ends}`
}

/** Number signs at the end of a heading would be taken for its end. */
const headline = (text: string): string => oneLine(text).replace(/#+\s*$/, signs => signs.replace('#', '\\#'))

function escapeMarkup(plain: string): string {
  return visibleControls(plain)
    .replace(/[\\`*_[\]<>|~$&]/g, '\\$&')
    .replace(/^(\s*)([#+=-])/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/gm, '$1\\$2')
    .replace(/^(?: {4}|\t)/gm, indent => `&#${indent.charCodeAt(0)};${indent.slice(1)}`)
}

const address = (target: string): string =>
  target.replace(/[()\s<>\\]/g, char => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
