import { ToolFailed } from '../failure.ts'

/** A table as it was read: names of columns, and cells that are texts, numbers, or nothing. */
export interface Table {
  readonly columns: readonly { readonly name: string; readonly type: 'INTEGER' | 'REAL' | 'TEXT' }[]
  readonly rows: readonly (readonly (string | number | bigint | null)[])[]
  /** What a reader should know about how it was read, in words. */
  readonly notes: readonly string[]
}

export const MOST_ROWS = 500_000
export const MOST_COLUMNS = 500
const MOST_CELLS = 5_000_000
const DELIMITERS = [',', ';', '\t', '|'] as const
/** Characters that are looked at to find out what stands between the cells. */
const SAMPLE = 64 * 1024

/** Reads comma-separated values (RFC 4180), and those of programs that separate them in another way. */
export function readCsv(given: string): Table {
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  // Some programs say in the first line what stands between the cells.
  const said = /^sep=(.)\r?\n/.exec(text)
  const body = said ? text.slice(said[0].length) : text
  const delimiter = said?.[1] ?? delimiterOf(body.slice(0, SAMPLE))
  const records = recordsOf(body, delimiter).filter(record => record.length > 1 || record[0] !== '')
  if (records.length === 0) throw new ToolFailed('The file has no rows.')
  const width = records.reduce((most, record) => Math.max(most, record.length), 0)
  if (width > MOST_COLUMNS) throw new ToolFailed(`The file has ${width} columns, and ${MOST_COLUMNS} are the most.`)
  if (records.length * width > MOST_CELLS) throw new ToolFailed(`The file has more than ${MOST_CELLS} cells.`)
  const head = records[0]!
  const hasHead = isHead(head)
  const rows = hasHead ? records.slice(1) : records
  const notes: string[] = []
  if (!hasHead) notes.push('The first row holds data, so the columns have numbers for names.')
  const ragged = records.filter(record => record.length !== width).length
  if (ragged > 0) notes.push(`${ragged} rows have fewer cells than others; what is missing is NULL.`)
  const columns = namesOf(hasHead ? head : [], width).map((name, index) => ({
    name,
    ...typeOf(rows, index, delimiter),
  }))
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map(row => columns.map(({ read }, index) => read(row[index] ?? ''))),
    notes,
  }
}

/** Records in order. A quotation mark in the middle of a cell is an ordinary character. */
function recordsOf(text: string, delimiter: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let line = 1
  for (let at = 0; at <= text.length; ) {
    let cell: string
    if (text[at] === '"') {
      const begun = line
      cell = ''
      for (at++; ; ) {
        const end = text.indexOf('"', at)
        if (end === -1) throw new ToolFailed(`A quotation mark in line ${begun} is never closed.`)
        const piece = text.slice(at, end)
        line += piece.split('\n').length - 1
        cell += piece
        at = end + 1
        if (text[at] !== '"') break
        cell += '"'
        at++
      }
      // What follows the closing mark belongs to the cell, because it was never meant as one.
      const rest = untilEnd(text, at, delimiter)
      cell += text.slice(at, rest)
      at = rest
    } else {
      const end = untilEnd(text, at, delimiter)
      cell = text.slice(at, end)
      at = end
    }
    record.push(cell)
    if (text[at] === delimiter) {
      at++
      continue
    }
    records.push(record)
    if (records.length > MOST_ROWS) throw new ToolFailed(`The file has more than ${MOST_ROWS} rows.`)
    record = []
    line++
    if (at >= text.length) break
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    if (at >= text.length) break
  }
  return records
}

function untilEnd(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === delimiter || character === '\n' || character === '\r') return at
  }
  return text.length
}

/** What stands between the cells: what divides the first records into the same number of cells, and into most of them. */
function delimiterOf(sample: string): string {
  let best: { delimiter: string; score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of DELIMITERS) {
    let records: string[][]
    try {
      // The last record of a sample may be cut.
      records = recordsOf(sample, delimiter).slice(0, 50)
    } catch {
      continue
    }
    const [first] = records
    if (!first || first.length < 2) continue
    const same = records.filter(record => record.length === first.length).length
    const score = (same / records.length) * 1_000 + Math.min(first.length, 100)
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

const isNumber = (cell: string): boolean => cell.trim() !== '' && !Number.isNaN(Number(cell))

/** Names are texts. */
const isHead = (cells: readonly string[]): boolean => !cells.some(isNumber) && cells.some(cell => cell.trim() !== '')

/** A name for each column, each of them once; SQL does not tell capitals from small letters. */
export function namesOf(given: readonly string[], width: number): string[] {
  const taken = new Set<string>()
  return Array.from({ length: width }, (_, index) => {
    const wanted = given[index]?.trim().replace(/\s+/g, ' ').slice(0, 100).toWellFormed() || `column_${index + 1}`
    let name = wanted
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted}_${n}`
    taken.add(name.toLowerCase())
    return name
  })
}

type Reading = { type: 'INTEGER' | 'REAL' | 'TEXT'; read: (cell: string) => string | number | bigint | null }

/** The type of a column that all of its cells have. Digits that begin with a zero, such as those of a phone number, are text. */
function typeOf(rows: readonly (readonly string[])[], index: number, delimiter: string): Reading {
  let [filled, isInteger, isReal, hasComma] = [0, true, true, false]
  for (const row of rows) {
    const cell = (row[index] ?? '').trim()
    if (cell === '') continue
    filled++
    if (isInteger && !/^-?(0|[1-9]\d{0,17})$/.test(cell)) isInteger = false
    const comma = delimiter !== ',' && /^-?(0|[1-9]\d*),\d+$/.test(cell)
    hasComma ||= comma
    if (isReal && !comma && !/^-?((0|[1-9]\d{0,17})(\.\d+)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(cell)) isReal = false
    if (!isReal) break
  }
  if (filled === 0 || !isReal) return { type: 'TEXT', read: cell => (cell === '' ? null : cell) }
  const plain = (cell: string): string => (hasComma ? cell.replace(',', '.') : cell).trim()
  if (isInteger) return { type: 'INTEGER', read: cell => (cell.trim() === '' ? null : BigInt(cell.trim())) }
  return { type: 'REAL', read: cell => (cell.trim() === '' ? null : Number(plain(cell))) }
}
