import { visibleControls } from '../visible.ts'
import { markdownPieces } from './inert-markdown.ts'
import type { AlternativeFormat } from './text.ts'

/** Plain text for terminals, notifications and screen readers. */
export const plainFormat: AlternativeFormat = {
  text: visibleControls,
  markdown: source => visibleControls(withoutMarkup(source)),
  role: (_role, written) => written,
  pair: (label, value) => `${label}: ${value}`,
  badge: label => `[${visibleControls(label)}]`,
  button: (label, target) => (target === '' ? `[${label}]` : `[${label}] ${visibleControls(target)}`),
  image: (alt, url) => (/^data:/i.test(url) ? `[${alt}]` : `[${alt}] ${visibleControls(url)}`),
  table,
  code: visibleControls,
  across: parts => parts.join(parts.every(part => !part.includes('\n')) ? '  ' : '\n'),
  between: () => '\n\n',
  divider: '----',
  blank: '____',
  gap: '\n',
}

/** Emphasis marks, heading marks and link targets read badly aloud; words are never removed, and code stays as it is. */
const withoutMarkup = (source: string): string =>
  markdownPieces(source)
    .map(({ kind, text }) => (kind === 'code' ? `${text}\n` : kind === 'span' ? text : unmarked(text)))
    .join('')
    .replace(/\n$/, '')

const unmarked = (text: string): string =>
  text
    .replace(/^#{1,6}[ \t]+/gm, '')
    .replace(/(?<!\\)\*\*(?=\S)([^*_\n]+)(?<=\S)\*\*/g, '$1')
    // Underscores in a word are part of it.
    .replace(/(?<![\p{L}\p{N}_\\])__(?=\S)([^*_\n]+)(?<=\S)__(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/!?\[([^\]\n]*)\]\(([^()\s<>]+)\)/g, (_, words: string, url: string) => `${words} (${url})`)

function table(head: readonly string[], rows: readonly (readonly string[])[], align: readonly (string | undefined)[]) {
  const widths = head.map((label, column) =>
    rows.reduce((most, row) => Math.max(most, width(row[column] ?? '')), width(label)),
  )
  const line = (cells: readonly string[]) =>
    widths
      .map((size, column) => pad(cells[column] ?? '', size, align[column] === 'end'))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map(size => '-'.repeat(size)).join('  '), ...rows.map(line)].join('\n')
}

const pad = (text: string, size: number, end: boolean): string => {
  const space = ' '.repeat(Math.max(0, size - width(text)))
  return end ? space + text : text + space
}

/** Columns in a terminal: East Asian wide characters and emoji take two, combining marks none. */
function width(text: string): number {
  let columns = 0
  for (const char of text) {
    if (/\p{M}|\u200d|\ufe0f/u.test(char)) continue
    columns +=
      /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u.test(
        char,
      )
        ? 2
        : 1
  }
  return columns
}
