import { ToolFailed } from '../failure.ts'
import { MOST_COLUMNS, MOST_ROWS, namesOf, type Table } from './csv.ts'

type Cell = string | number | bigint | null

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** JSON text, or one value in each line. */
export function parseJson(text: string): unknown {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    return JSON.parse(plain)
  } catch (error) {
    const lines = plain.split('\n').filter(line => line.trim() !== '')
    try {
      if (lines.length > 1) return lines.map(line => JSON.parse(line))
    } catch {
      // The first error is the one of the format that most files have.
    }
    throw new ToolFailed(`The file is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`)
  }
}

/** A list of records or of lists as a table. What is nested is a cell with its JSON, for json_extract. */
export function readJsonTable(text: string): Table {
  const value = parseJson(text)
  const list = Array.isArray(value)
    ? value
    : isObject(value)
      ? (Object.values(value).find(Array.isArray) ?? [value])
      : undefined
  if (!list) throw new ToolFailed('The file holds no list of records, so it is no table. Use query_json for it.')
  if (list.length === 0) throw new ToolFailed('The file has no rows.')
  if (list.length > MOST_ROWS) throw new ToolFailed(`The file has more than ${MOST_ROWS} rows.`)
  const keys = new Map<string, number>()
  const rows = (list as unknown[]).map(one => {
    const entries = Array.isArray(one) ? one.entries() : isObject(one) ? Object.entries(one) : [['value', one] as const]
    const row: Cell[] = []
    for (const [key, cell] of entries) {
      const name = typeof key === 'number' ? `column_${key + 1}` : String(key)
      if (!keys.has(name)) keys.set(name, keys.size)
      row[keys.get(name)!] = cellOf(cell)
    }
    return row
  })
  if (keys.size > MOST_COLUMNS)
    throw new ToolFailed(`The file has ${keys.size} columns, and ${MOST_COLUMNS} are the most.`)
  if (keys.size === 0) throw new ToolFailed('The records of the file have no fields.')
  const names = namesOf([...keys.keys()], keys.size)
  return {
    columns: names.map((name, index) => ({ name, type: typeOf(rows, index) })),
    rows: rows.map(row => names.map((_, index) => row[index] ?? null)),
    notes: Array.isArray(value) ? [] : ['The table is the first list in the file.'],
  }
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return JSON.stringify(value)
}

function typeOf(rows: readonly (readonly Cell[])[], index: number): 'INTEGER' | 'REAL' | 'TEXT' {
  const cells = rows.map(row => row[index] ?? null).filter(cell => cell !== null)
  if (cells.length === 0 || cells.some(cell => typeof cell !== 'number')) return 'TEXT'
  return cells.every(Number.isSafeInteger) ? 'INTEGER' : 'REAL'
}
