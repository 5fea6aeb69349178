import type { Json } from '@vitrine/protocol'

/** Control, invisible and direction-changing characters. They can make a text look like a different one. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length))

/** Cuts the text to at most `limit` characters, and never cuts a character in half. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit * 2 && [...text].length <= limit) return text
  return `${[...text.slice(0, limit * 2)].slice(0, limit).join('')}…`
}

/** Puts foreign text into a code span, so that nothing in it is read as markup. */
export function inline(text: string, limit = 120): string {
  const plain = shorten(text.replace(/\s+/g, ' ').replace(HIDDEN, '').trim(), limit)
  if (plain === '') return '*(empty)*'
  const fence = '`'.repeat(longestRun(plain) + 1)
  const space = plain.startsWith('`') || plain.endsWith('`') ? ' ' : ''
  return `${fence}${space}${plain}${space}${fence}`
}

/** Puts foreign text into a code block, so that it is shown exactly as it is. */
export function quoted(text: string, limit = 400): string {
  const plain = shorten(text.replace(/\r\n?/g, '\n').replace(HIDDEN, '').trim(), limit)
  const fence = '`'.repeat(Math.max(3, longestRun(plain) + 1))
  return `${fence}text\n${plain}\n${fence}`
}

export const words = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/**
 * A bar ends a table cell even inside code, and parsers disagree
 * about escaped bars. So the wide form of the bar is shown.
 */
const cell = (text: string, limit?: number) => inline(text, limit).replaceAll('|', '｜')

/** Writes the values of a form as a table. */
export function valueTable(values: Iterable<readonly [string, Json | undefined]>): string {
  const rows = [...values].slice(0, 50).map(([name, value]) => `| ${cell(name, 60)} | ${cell(words(value))} |`)
  return rows.length === 0 ? '*(no values)*' : ['| Field | Value |', '| --- | --- |', ...rows].join('\n')
}
