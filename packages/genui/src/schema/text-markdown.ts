import { imageUrlProblem, urlProblem } from '../url.ts'
import { visibleControls } from '../visible.ts'
import type { TextFormat } from './text.ts'

/** Markdown for exports. Content stays content: nothing in a plain text turns into markup, nothing into HTML. */
export const markdownFormat: TextFormat = {
  text: escapeMarkup,
  markdown: source => inert(visibleControls(source)),
  role: (role, written) => {
    if (role === 'title') return `## ${oneLine(written)}`
    if (role === 'subtitle') return `### ${oneLine(written)}`
    return role === 'caption' ? written.replace(/^(?=.)/gm, '> ') : written
  },
  pair: (label, value) => `- **${oneLine(label)}**: ${oneLine(value)}`,
  badge: label => `\`${label.replaceAll('`', "'").replaceAll('\\', '')}\``,
  button: (label, target) => (target === '' ? `\\[${oneLine(label)}\\]` : `[${oneLine(label)}](${address(target)})`),
  image: (alt, url) => (imageUrlProblem(url) ? alt : `![${oneLine(alt)}](${address(url)})`),
  table: (head, rows, align) => {
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const rule = align.map(side => (side === 'end' ? '---:' : side === 'center' ? ':---:' : '---'))
    return [line(head), line(rule), ...rows.map(line)].join('\n')
  },
  code: content => {
    const fence = '`'.repeat(Math.max(3, 1 + longestRun(content)))
    return `${fence}\n${visibleControls(content)}\n${fence}`
  },
  divider: '---',
  gap: '\n\n',
}

/** A fence is longer than every run of backticks in the code. */
const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

function escapeMarkup(plain: string): string {
  return visibleControls(plain)
    .replace(/[\\`*_[\]<>|~$&]/g, '\\$&')
    .replace(/^(\s*)([#+-])/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/gm, '$1\\$2')
}

/** An author's markdown without HTML and without links that may not be opened. Code keeps its text. */
function inert(source: string): string {
  return source
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/(\]\(\s*)([^)\s]+)/g, (whole, open: string, url: string) => (allowed(url) ? whole : `${open}#`))
    .replace(/^(\s*\[[^\]\n]+\]:\s*)(\S+)/gm, (whole, open: string, url: string) => (allowed(url) ? whole : `${open}#`))
}

/** Entities and escapes could spell a scheme that the check does not see. */
const allowed = (url: string): boolean =>
  !/[&\\]/.test(url.replace(/&amp;/g, '')) && (/^[/#](?!\/)/.test(url) || !urlProblem(url))

const address = (target: string): string =>
  target.replace(/[()\s<>\\]/g, char => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
