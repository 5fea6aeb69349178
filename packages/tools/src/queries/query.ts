import { constants, DatabaseSync, type StatementSync } from 'node:sqlite'
import { search } from '@jmespath-community/jmespath'
import { contentOf } from '../content.ts'
import { ToolFailed } from '../failure.ts'
import { readCsv, type Table } from './csv.ts'
import { parseJson, readJsonTable } from './json-table.ts'

/** A file that a query reads, under the name of its table. */
export interface QueriedFile {
  readonly name: string
  readonly table: string
  readonly bytes: Uint8Array
}

/** What is asked of a process: SQL over tables, or JMESPath over JSON. Without SQL the tables are described. */
export type QueryRequest =
  | {
      readonly kind: 'table'
      readonly files: readonly QueriedFile[]
      readonly sql?: string | undefined
      readonly memoryBytes: number
    }
  | { readonly kind: 'json'; readonly file: QueriedFile; readonly query: string }

/** A cell as JSON has it. */
export type Cell = string | number | null

/** What a query found. */
export type QueryAnswer =
  | {
      readonly kind: 'rows'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly Cell[])[]
      readonly more: boolean
      readonly notes: readonly string[]
    }
  | {
      readonly kind: 'tables'
      readonly tables: readonly {
        name: string
        table: string
        rows: number
        columns: readonly string[]
        first: readonly Cell[][]
        notes: readonly string[]
      }[]
    }
  | { readonly kind: 'value'; readonly json: string }

const MOST_RESULT_ROWS = 1_000
const MOST_CELL = 2_000
const MOST_RESULT = 400_000
const MOST_JSON = 100_000

export function query(request: QueryRequest): QueryAnswer {
  return request.kind === 'json' ? queryJson(request.file, request.query) : queryTables(request)
}

function textOf({ name, bytes }: QueriedFile): string {
  const content = contentOf(bytes)
  if (content.kind === 'text') return content.text
  const what = content.kind === 'image' ? 'an image' : content.what
  throw new ToolFailed(`${name} is ${what}, and no table of text. Save it as CSV or JSON first.`)
}

function queryJson(file: QueriedFile, expression: string): QueryAnswer {
  const value = parseJson(textOf(file))
  let found: unknown
  try {
    found = search(value as Parameters<typeof search>[0], expression)
  } catch (error) {
    throw new ToolFailed(`The query cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  }
  const json = JSON.stringify(found ?? null)
  if (json.length > MOST_JSON) {
    throw new ToolFailed(
      `The result has ${json.length} characters, which is too much. Ask for a part of it, such as length(@), keys(@) or [:10].`,
    )
  }
  return { kind: 'value', json }
}

function readTable(file: QueriedFile): Table {
  const text = textOf(file)
  try {
    const isJson =
      /\.(json|jsonl|ndjson)$/i.test(file.name) || /^\s*[[{]/.test(text.slice(0, 100).replace(/^\ufeff/, ''))
    return isJson ? readJsonTable(text) : readCsv(text)
  } catch (error) {
    throw error instanceof ToolFailed ? new ToolFailed(`${file.name}: ${error.message}`) : error
  }
}

function queryTables({ files, sql, memoryBytes }: Extract<QueryRequest, { kind: 'table' }>): QueryAnswer {
  const tables = files.map(file => ({ ...file, ...readTable(file) }))
  if (sql === undefined) {
    return {
      kind: 'tables',
      tables: tables.map(({ name, table, columns, rows, notes }) => ({
        name,
        table,
        rows: rows.length,
        columns: columns.map(column => `${column.name} (${column.type})`),
        first: rows.slice(0, 3).map(row => row.map(cellOf)),
        notes,
      })),
    }
  }
  const database = new DatabaseSync(':memory:', { allowExtension: false })
  database.exec(`PRAGMA hard_heap_limit = ${memoryBytes}; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF`)
  for (const { table, columns, rows } of tables) {
    const names = columns.map(({ name, type }) => `${quoted(name)} ${type}`)
    database.exec(`CREATE TABLE ${quoted(table)} (${names.join(', ')}); BEGIN`)
    const insert = database.prepare(`INSERT INTO ${quoted(table)} VALUES (${columns.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(...row)
    database.exec('COMMIT')
  }
  restrict(database)
  return { ...rowsOf(database, sql), notes: tables.flatMap(({ notes }) => notes) }
}

/** Functions that reach something else, or make large values of nothing. */
const REFUSED = new Set(['load_extension', 'fts3_tokenizer', 'randomblob', 'zeroblob', 'edit', 'readfile', 'writefile'])

/** From here on the database is only read: no other file, no setting, no table of its own. */
function restrict(database: DatabaseSync): void {
  if (typeof database.setAuthorizer !== 'function') {
    throw new ToolFailed('SQL needs Node 24.10 or newer, because older versions cannot restrict what SQL does.')
  }
  const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_OK, SQLITE_DENY } = constants
  const allowed = new Set([SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE])
  database.setAuthorizer((action, _first, name) => {
    if (action === SQLITE_FUNCTION) return REFUSED.has((name ?? '').toLowerCase()) ? SQLITE_DENY : SQLITE_OK
    return allowed.has(action) ? SQLITE_OK : SQLITE_DENY
  })
}

function rowsOf(database: DatabaseSync, sql: string): Omit<Extract<QueryAnswer, { kind: 'rows' }>, 'notes'> {
  try {
    const statement = database.prepare(sql)
    const rest = sql.slice(statement.sourceSQL.length).replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '')
    if (rest.replace(/[\s;]/g, '') !== '')
      throw new ToolFailed('Give one statement: only SELECT is possible, and only once.')
    return { kind: 'rows', ...read(statement) }
  } catch (error) {
    throw inWords(error)
  }
}

function read(statement: StatementSync): { columns: string[]; rows: Cell[][]; more: boolean } {
  const columns = statement.columns().map(({ name }) => name)
  if (columns.length === 0) throw new ToolFailed('The statement gives no rows. Only SELECT is possible.')
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const rows: Cell[][] = []
  let room = MOST_RESULT
  for (const row of statement.iterate() as Iterable<unknown>) {
    if (rows.length >= MOST_RESULT_ROWS || room < 0) return { columns, rows, more: true }
    const cells = (row as unknown[]).map(cellOf)
    for (const cell of cells) room -= typeof cell === 'string' ? cell.length + 4 : 12
    rows.push(cells)
  }
  return { columns, rows, more: false }
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (typeof value === 'string') {
    return value.length > MOST_CELL ? `${value.slice(0, MOST_CELL).toWellFormed()}…` : value.toWellFormed()
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return value instanceof Uint8Array ? `[${value.length} bytes]` : null
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""').replaceAll('\0', '')}"`

function inWords(error: unknown): Error {
  if (error instanceof ToolFailed) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/not authorized/.test(message)) {
    return new ToolFailed(
      'Only SELECT over the tables of the files is possible: no other files, no changes, no settings.',
    )
  }
  if (/out of memory|too big/.test(message))
    return new ToolFailed('It needed more memory than it may have, and was stopped.')
  return new ToolFailed(`The SQL cannot be used: ${message}.`)
}
