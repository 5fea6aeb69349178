import type { FileRef } from '@vitrine/protocol'
import type { ToolCall, ToolOutput, ToolSource } from '@vitrine/server'
import { ToolFailed } from '../failure.ts'
import { beginning, FITS, sizeInWords } from '../fit.ts'
import { sourceOf } from '../source.ts'
import { takingTurns } from '../turns.ts'
import type { Cell, QueriedFile, QueryAnswer, QueryRequest } from './query.ts'
import { runQuery } from './run-query.ts'

/** How much a query may use. */
export interface DataToolsOptions {
  /** Milliseconds that a query may take; 10,000 when nothing is given. */
  ms?: number
  /** Megabytes of memory that a query may take; 512 when nothing is given. */
  memoryMb?: number
  /** The largest file that is read, in bytes; 32 MB when nothing is given. */
  maxFileBytes?: number
  /** Queries that run at the same time; the others wait. 2 when nothing is given. */
  atOnce?: number
}

const MAX_FILE_BYTES = 32 * 1024 * 1024
const PIECE = 8 * 1024 * 1024
const MOST_FILES = 8
/** Rows that people see at once, and characters of a cell in a text. */
const SHOWN_ROWS = 50
const SHOWN_CELL = 200

const fileProperty = { type: 'string', minLength: 1, maxLength: 300, description: 'The name of an attached file.' }

/** Tools for data that people attached: JMESPath over JSON, and SQL over CSV and JSON. */
export function createDataTools(options: DataToolsOptions = {}): ToolSource {
  const { ms = 10_000, memoryMb = 512, maxFileBytes = MAX_FILE_BYTES, atOnce = 2 } = options
  const inTurn = takingTurns(atOnce)
  const ask = (request: QueryRequest, { signal }: ToolCall): Promise<QueryAnswer> =>
    inTurn(signal, () => runQuery(request, { ms, memoryMb, signal }))
  const open = (name: string, table: string, call: ToolCall) => openFile(name, table, maxFileBytes, call)
  const reading = { effects: 'reads', repeatable: true, timeoutMs: 60_000 } as const

  return sourceOf('data', 'Data', [
    {
      toolId: 'data:json',
      name: 'query_json',
      title: 'Query JSON',
      description:
        'Asks a JSON file that a person attached, or JSON text, with a JMESPath expression, such as items[?price > `10`].name, length(@) or keys(@).',
      inputSchema: {
        type: 'object',
        properties: {
          file: fileProperty,
          json: { type: 'string', maxLength: 500_000, description: 'JSON text, when there is no file.' },
          query: { type: 'string', minLength: 1, maxLength: 2_000, description: 'The JMESPath expression.' },
        },
        required: ['query'],
        additionalProperties: false,
      },
      ...reading,
      async execute({ file, json, query }, call) {
        if ((file === undefined) === (json === undefined)) throw new ToolFailed('Give either a file or JSON text.')
        const bytes = typeof json === 'string' ? Buffer.from(json) : undefined
        const opened = bytes ? { name: 'The text', table: '', bytes } : await open(file as string, '', call)
        const answer = await ask({ kind: 'json', file: opened, query: query as string }, call)
        return { text: answer.kind === 'value' ? answer.json : '' }
      },
    },
    {
      toolId: 'data:table',
      name: 'query_table',
      title: 'Query tables',
      description: `Asks CSV and JSON files that a person attached with SQL (SQLite, SELECT only). Each file is a table; its name is that of the file without its ending, such as sales for sales.csv. Without sql it says which columns the tables have, with their types and the first rows: begin with that.`,
      inputSchema: {
        type: 'object',
        properties: {
          files: {
            type: 'array',
            minItems: 1,
            maxItems: MOST_FILES,
            items: fileProperty,
            description: 'The attached files.',
          },
          sql: { type: 'string', minLength: 1, maxLength: 20_000, description: 'One SELECT statement.' },
        },
        required: ['files'],
        additionalProperties: false,
      },
      ...reading,
      async execute({ files, sql }, call) {
        const names = [...new Set(files as string[])]
        const taken = new Set<string>()
        const opened: QueriedFile[] = []
        for (const name of names) opened.push(await open(name, tableName(name, taken), call))
        const memoryBytes = memoryMb * 1024 * 512
        const answer = await ask({ kind: 'table', files: opened, sql: sql as string | undefined, memoryBytes }, call)
        return answer.kind === 'tables' ? described(answer) : answer.kind === 'rows' ? shownRows(answer) : {}
      },
    },
  ])
}

/** The name of a table: that of the file without its ending, in characters that need no quotes. */
function tableName(file: string, taken: Set<string>): string {
  const base = file.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '')
  const plain =
    base
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}_]+/gu, '_')
      .replace(/^(?=\d)/, 't_')
      .slice(0, 60) || 'data'
  let name = plain
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${plain}_${n}`
  taken.add(name.toLowerCase())
  return name
}

async function openFile(name: string, table: string, most: number, call: ToolCall): Promise<QueriedFile> {
  const files = await call.files()
  const found = files.find(file => file.name === name) ?? files.find(file => file.digest === name) ?? alike(files, name)
  if (!found) {
    const names = [...new Set(files.map(file => file.name ?? file.digest))].slice(0, 20)
    const known = names.length === 0 ? 'No file is attached.' : `Attached are: ${names.join(', ')}.`
    throw new ToolFailed(`There is no attached file ${JSON.stringify(beginning(name, 200))}. ${known}`)
  }
  const { digest, size } = found
  if (size > most) throw new ToolFailed(`${name} has ${sizeInWords(size)}, and ${sizeInWords(most)} are the most.`)
  const pieces: Uint8Array[] = []
  for (let start = 0; start < size; start += PIECE) {
    pieces.push(await call.readFile(digest, { start, end: Math.min(size, start + PIECE) }))
  }
  return { name: found.name ?? name, table, bytes: new Uint8Array(Buffer.concat(pieces)) }
}

/** A model may write the name a little differently. */
function alike(files: readonly FileRef[], name: string): FileRef | undefined {
  const plain = (text: string | undefined): string =>
    (text ?? '')
      .toLowerCase()
      .replace(/^.*[/\\]/, '')
      .trim()
  const found = files.filter(file => plain(file.name) === plain(name))
  return new Set(found.map(({ digest }) => digest)).size === 1 ? found[0] : undefined
}

function described({ tables }: Extract<QueryAnswer, { kind: 'tables' }>): ToolOutput {
  const room = Math.floor((FITS - 200) / tables.length)
  const words = tables.map(({ name, table, rows, columns, first, notes }) =>
    beginning(
      [
        `${name} is the table ${table} with ${rows} rows. Its columns: ${columns.join(', ')}.`,
        ...notes,
        'The first rows:',
        ...first.map(row => row.map(inText).join(' | ')),
      ].join('\n'),
      room,
    ),
  )
  return { text: words.join('\n\n') }
}

function shownRows({ columns, rows, more, notes }: Extract<QueryAnswer, { kind: 'rows' }>): ToolOutput {
  const lines: string[] = [columns.join(' | ')]
  let room = FITS - 600 - lines[0]!.length
  for (const row of rows) {
    const line = row.map(inText).join(' | ')
    if (room < line.length + 1) break
    room -= line.length + 1
    lines.push(line)
  }
  const shown = lines.length - 1
  const count = more ? `more than ${rows.length} rows` : `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  const cut = shown < rows.length || more ? ` Here are the first ${shown}: ask for fewer, or group them.` : ''
  const table = {
    columns: columns.map(label => ({
      label,
      ...(isNumeric(rows, columns.indexOf(label)) && { align: 'end' as const }),
    })),
    rows: rows
      .slice(0, SHOWN_ROWS)
      .map(row => row.map(cell => (typeof cell === 'string' ? beginning(cell, SHOWN_CELL) : cell))),
    ...(rows.length > SHOWN_ROWS && { caption: `The first ${SHOWN_ROWS} of ${count}.` }),
  }
  return {
    text: [`The result has ${count}.${cut}`, ...notes, '', ...lines].join('\n'),
    ...(rows.length > 0 && { uiHints: { intent: 'data' as const, table } }),
  }
}

const isNumeric = (rows: readonly (readonly Cell[])[], index: number): boolean =>
  rows.length > 0 && rows.every(row => row[index] === null || typeof row[index] === 'number')

const inText = (cell: Cell): string =>
  cell === null ? 'NULL' : beginning(String(cell).replace(/\s*[\r\n]+\s*/g, ' '), SHOWN_CELL)
