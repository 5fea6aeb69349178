import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  type JsonText,
  locatePointer,
  readJsonText,
  type TextPosition,
  type UiDiagnostic,
  visibleControls,
} from '@vitrine/genui'
import { hintsToSchema, inspectHints } from '@vitrine/genui/hints'
import { builtinUiLocales, inspectSchema, readSchema, schemaToMarkdown, schemaToText } from '@vitrine/genui/schema'
import { inspectCatalog, inspectEnvelopes, isCatalog, isEnvelopes } from './ui-a2ui.ts'

export interface UiIo {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  readonly stdin: AsyncIterable<string | Uint8Array>
}

const usage = `vitrine ui validate <file.json | ->… [--strict]
vitrine ui compile  <file.json | -> [--locale zh-CN] [--text | --markdown]

validate   checks UiHints 2.1, UI Schema 2.0 or A2UI 0.9 as the server does; --strict also fails on warnings
compile    prints the UI Schema of UiHints, or its text alternative; --locale is ${Object.keys(builtinUiLocales).join(' or ')}
Exit code: 0 fine, 1 problems found, 2 the command or the file cannot be used.
`

/** Runs `vitrine ui …`, which is for authors of tools whose results say what to show. */
export async function ui(args: string[], io: UiIo): Promise<number> {
  return orSay(io, () => run(args, io))
}

/** Says in one place that something cannot be used. */
async function orSay(io: UiIo, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
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

/** The options of each command, besides --help. */
const commands = { validate: ['strict'], compile: ['locale', 'text', 'markdown'] } as const

type Values = ReturnType<typeof parse>['values']

async function run(args: string[], io: UiIo): Promise<number> {
  const { values, positionals } = parse(args)
  const [command, ...files] = positionals
  if (values.help) {
    io.stdout.write(usage)
    return 0
  }
  if (command !== 'validate' && command !== 'compile')
    throw unusable(command && `There is no command ${JSON.stringify(command)}.`)
  if (files.length === 0) throw unusable(`vitrine ui ${command} needs a file, or - for what comes in by a pipe.`)
  if (command === 'compile' && files.length > 1) throw unusable('vitrine ui compile takes one file.')
  checkOptions(command, values)
  let worst = 0
  for (const file of files) worst = Math.max(worst, await orSay(io, () => look(command, file, values, io)))
  return worst
}

/** What is wrong with a command line, and how to write one. */
const unusable = (why?: string): Unusable => new Unusable(`${why ? `${visibleControls(why)}\n` : ''}${usage.trimEnd()}`)

async function look(command: keyof typeof commands, file: string, values: Values, io: UiIo): Promise<number> {
  const name = file === '-' ? 'stdin' : file
  const text = await contents(file, io)
  const read = readJsonText(text)
  if (!read.ok) {
    const { line, column } = read.position
    io.stderr.write(`${name}:${line}:${column}: error not_json: this is not JSON\n`)
    return 1
  }
  const { value } = read
  const { what, inspect, compiles } = formOf(value)
  if (command === 'compile' && !compiles)
    throw new Unusable(`${name}: this is ${what}, and only UiHints and UI Schema are compiled.`)
  const problems = report(inspect(value), read, name, text, io)
  return command === 'validate'
    ? validate(what, values.strict ?? false, problems, name, io)
    : compile(value, values, problems, io)
}

/** What a command would pass over in silence is not what somebody means who writes it. */
function checkOptions(command: keyof typeof commands, values: Values): void {
  const own: readonly string[] = commands[command]
  const other = Object.keys(values).find(name => !own.includes(name))
  if (other !== undefined) throw unusable(`vitrine ui ${command} takes no --${other}.`)
  if (values.text && values.markdown) throw new Unusable('--text and --markdown exclude each other: give one of them.')
  const { locale } = values
  const languages = Object.keys(builtinUiLocales)
  if (locale !== undefined && !languages.some(one => languageOf(one) === languageOf(locale)))
    throw new Unusable(
      visibleControls(`--locale ${locale}: there are no words in this language. Use ${languages.join(' or ')}.`),
    )
}

const languageOf = (locale: string): string | undefined =>
  /^([a-z]{2,8})(-[a-z\d]{1,8})*$/.exec(locale.toLowerCase())?.[1]

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw unusable(String(error instanceof Error ? error.message : error))
  }
}

async function contents(file: string, io: UiIo): Promise<string> {
  if (file !== '-')
    return readFile(file, 'utf8').then(withoutMark, ({ code }: NodeJS.ErrnoException) => {
      const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code
      throw new Unusable(visibleControls(`${file}: cannot be read: ${why}`))
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

function report(
  found: readonly UiDiagnostic[],
  { repeated }: Extract<JsonText, { ok: true }>,
  name: string,
  text: string,
  io: UiIo,
): Problems {
  const shown = [
    ...repeated,
    ...found
      .filter(({ level }) => level !== 'default')
      .map(diagnostic => ({ diagnostic, position: locatePointer(text, diagnostic.path) })),
  ]
  for (const { diagnostic, position } of shown) io.stderr.write(lineOf(diagnostic, position, name))
  const errors = shown.filter(({ diagnostic }) => diagnostic.level === 'error').length
  return { errors, warnings: shown.length - errors }
}

function lineOf({ level, code, path, message }: UiDiagnostic, { line, column }: TextPosition, name: string): string {
  const kind = level === 'error' ? 'error' : 'warning'
  return visibleControls(`${name}:${line}:${column}: ${kind} ${code}: ${message} (${path || '/'})\n`)
}

const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null && 'root' in value

/** What a value is, and the judgement of the server about it, so that what is legal here is shown there. */
function formOf(value: unknown): { what: string; inspect(value: unknown): UiDiagnostic[]; compiles: boolean } {
  if (isEnvelopes(value)) return { what: 'A2UI 0.9', inspect: inspectEnvelopes, compiles: false }
  if (isCatalog(value)) return { what: 'A2UI catalog', inspect: () => inspectCatalog(value), compiles: false }
  if (isSchema(value)) return { what: 'UI Schema 2.0', inspect: inspectSchema, compiles: true }
  return { what: 'UiHints 2.1', inspect: inspectHints, compiles: true }
}

function validate(what: string, strict: boolean, { errors, warnings }: Problems, name: string, io: UiIo): number {
  const verdict = errors > 0 || (strict && warnings > 0) ? 'not valid' : 'valid'
  io.stdout.write(`${name}: ${verdict} ${what}${counted(errors, warnings)}\n`)
  return verdict === 'valid' ? 0 : 1
}

const counted = (errors: number, warnings: number): string =>
  errors + warnings === 0 ? '' : ` (errors: ${errors}, warnings: ${warnings})`

function compile(value: unknown, values: Values, { errors }: Problems, io: UiIo): number {
  const locale = values.locale === undefined ? {} : { locale: values.locale }
  const document = isSchema(value) ? value : hintsToSchema(value, locale)
  const { schema } = readSchema(document, locale)
  if (!schema) return 1
  if (values.text) io.stdout.write(`${schemaToText(schema, locale)}\n`)
  else if (values.markdown) io.stdout.write(`${schemaToMarkdown(schema, locale)}\n`)
  else io.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  return errors > 0 ? 1 : 0
}
