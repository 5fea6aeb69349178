import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { locatePointer, readJsonText, type UiDiagnostic, visibleControls } from '@vitrine/genui'
import { hintsToSchema, inspectHints } from '@vitrine/genui/hints'
import { inspectSchema, readSchema, schemaToMarkdown, schemaToText } from '@vitrine/genui/schema'

export interface UiIo {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  readonly stdin: AsyncIterable<string | Uint8Array>
}

const usage = `vitrine ui validate <file.json | -> [--strict]
vitrine ui compile  <file.json | -> [--locale zh-CN] [--text | --markdown]

validate   checks UiHints 2.1 or UI Schema 2.0 as the server does; --strict also fails on warnings
compile    prints the UI Schema of UiHints, or its text alternative
Exit code: 0 fine, 1 problems found, 2 the command or the file cannot be used.
`

/** Runs `vitrine ui …`, which is for authors of tools whose results say what to show. */
export async function ui(args: string[], io: UiIo): Promise<number> {
  try {
    return await run(args, io)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    io.stderr.write(`${error.message}\n`)
    return 2
  }
}

/** The command line or the file cannot be used. */
class Unusable extends Error {}

const options = {
  locale: { type: 'string' },
  text: { type: 'boolean' },
  markdown: { type: 'boolean' },
  strict: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

async function run(args: string[], io: UiIo): Promise<number> {
  const { values, positionals } = parse(args)
  const [command, file] = positionals
  if (values.help) {
    io.stdout.write(usage)
    return 0
  }
  if ((command !== 'validate' && command !== 'compile') || file === undefined || positionals.length > 2)
    throw new Unusable(usage.trimEnd())
  const name = file === '-' ? 'stdin' : file
  const text = await contents(file, io)
  const read = readJsonText(text)
  if (!read.ok) {
    const { line, column } = read.position
    io.stderr.write(`${name}:${line}:${column}: error not_json: this is not JSON\n`)
    return 1
  }
  const { value } = read
  const problems = (found: readonly UiDiagnostic[]): Problems => report(found, name, text, io)
  return command === 'validate'
    ? validate(value, values.strict ?? false, problems, name, io)
    : compile(value, values, problems, io)
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new Unusable(`${error instanceof Error ? error.message : error}\n${usage.trimEnd()}`)
  }
}

async function contents(file: string, io: UiIo): Promise<string> {
  if (file !== '-')
    return readFile(file, 'utf8').then(withoutMark, () => {
      throw new Unusable(`${file}: cannot be read`)
    })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of io.stdin)
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return withoutMark(text + decoder.decode())
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '')

interface Problems {
  readonly errors: number
  readonly warnings: number
}

function report(found: readonly UiDiagnostic[], name: string, text: string, io: UiIo): Problems {
  const shown = found.filter(({ level }) => level !== 'default')
  for (const { level, code, path, message } of shown) {
    const { line, column } = locatePointer(text, path)
    const kind = level === 'error' ? 'error' : 'warning'
    io.stderr.write(visibleControls(`${name}:${line}:${column}: ${kind} ${code}: ${message} (${path || '/'})\n`))
  }
  const errors = shown.filter(({ level }) => level === 'error').length
  return { errors, warnings: shown.length - errors }
}

const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null && 'root' in value

/** The judgement of the server about the same value, so that what is legal here is shown there. */
const inspect = (value: unknown): UiDiagnostic[] => (isSchema(value) ? inspectSchema(value) : inspectHints(value))

function validate(
  value: unknown,
  strict: boolean,
  problems: (found: readonly UiDiagnostic[]) => Problems,
  name: string,
  io: UiIo,
): number {
  const { errors, warnings } = problems(inspect(value))
  const what = isSchema(value) ? 'UI Schema 2.0' : 'UiHints 2.1'
  const verdict = errors > 0 || (strict && warnings > 0) ? 'not valid' : 'valid'
  io.stdout.write(`${name}: ${verdict} ${what}${counted(errors, warnings)}\n`)
  return verdict === 'valid' ? 0 : 1
}

const counted = (errors: number, warnings: number): string =>
  errors + warnings === 0 ? '' : ` (errors: ${errors}, warnings: ${warnings})`

function compile(
  value: unknown,
  values: { locale?: string; text?: boolean; markdown?: boolean },
  problems: (found: readonly UiDiagnostic[]) => Problems,
  io: UiIo,
): number {
  const locale = values.locale === undefined ? {} : { locale: values.locale }
  const { errors } = problems(inspect(value))
  const document = isSchema(value) ? value : hintsToSchema(value, locale)
  const { schema } = readSchema(document, locale)
  if (!schema) return 1
  if (values.text) io.stdout.write(`${schemaToText(schema, locale)}\n`)
  else if (values.markdown) io.stdout.write(`${schemaToMarkdown(schema, locale)}\n`)
  else io.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  return errors > 0 ? 1 : 0
}
