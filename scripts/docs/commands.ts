// Says whether a command line that a document names can be used as it stands there.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../lib/run.mjs'
import { cli, fromSource } from '../lib/server.mjs'
import type { Block, Found } from './documents.ts'

const COMMAND = /^(npm|npx|vitrine|node|node_modules\/\.bin\/\S+) \S/

/** The command lines of a shell block: comments are dropped, lines that end in `\` are joined. */
export function commandsIn({ document, line, code }: Block): Found[] {
  const lines = code.replaceAll('\\\n', '  ').split('\n')
  return lines.flatMap((text, index) =>
    withoutComment(text)
      .split('&&')
      .map(part => part.trim().replace(/^(\$ )?([A-Z_]+=\S+ )*/, ''))
      .filter(part => part !== '')
      .map(part => ({ document, line: line + index, text: part })),
  )
}

const withoutComment = (line: string): string => line.replace(/(^|\s)#.*$/, '')

/** Inline code that is a command line. */
export const isCommand = ({ text }: Found): boolean => COMMAND.test(text)

/** Words as a shell divides them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain ?? '')

/** `<file>` and `…` stand for what the reader puts in. */
const isPlaceholder = (word: string): boolean => /^<.*>$|…/.test(word)

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
const NPM_ITSELF = new Set(['install', 'ci', 'pack', 'exec'])

/** What is wrong with the command line; nothing when a reader can use it. `files` are those that its document writes. */
export async function commandProblem(
  line: string,
  files: ReadonlySet<string> = new Set(),
): Promise<string | undefined> {
  const [program, ...given] = wordsOf(line)
  const words = given.filter(word => !isPlaceholder(word))
  if (program === 'npm') return npmProblem(words)
  if (program === 'npx') return words[0] === 'vitrine' ? vitrineProblem(words.slice(1)) : toolProblem(words)
  if (program === 'vitrine') return vitrineProblem(words)
  if (program === 'node') {
    // Options of Node itself stand before the file.
    const own = words.slice(words.findIndex(word => !word.startsWith('--')))
    return own[0] && files.has(own[0]) ? undefined : fileProblem(own)
  }
  if (program?.startsWith('node_modules/.bin/')) {
    return existsSync(join(root, program)) ? undefined : `${program} does not exist`
  }
  return `nobody knows how to check ${program}`
}

async function npmProblem([command = '', ...rest]: readonly string[]): Promise<string | undefined> {
  if (NPM_ITSELF.has(command)) return undefined
  const [name = '', ...after] = command === 'run' ? rest : [command, ...rest]
  // `npm run …` stands for any of them.
  if (command === 'run' && name === '') return undefined
  if (!Object.hasOwn(scripts, name)) return `package.json has no script ${name}`
  if (after.length === 0) return undefined
  if (after[0] !== '--') return `options of ${name} stand after --`
  const options = after.slice(1)
  if (name === 'start' || name === 'gallery') return vitrineProblem(['start', ...options])
  if (name === 'screenshots') {
    const set = `scripts/screenshots/${options[0]}.ts`
    return existsSync(join(root, set)) ? undefined : `${set} does not exist`
  }
  const file = name === 'torture' ? 'scripts/torture/main.ts' : /scripts\/\S+/.exec(scripts[name]!)?.[0]
  // Options are read in order: when the first one that is refused is ours, all before it were taken.
  const { output } = await run(process.execPath, [...fromSource, join(root, file!), ...options, '--no-such-option'])
  return output.includes("Unknown option '--no-such-option'") ? undefined : `${name} says: ${output}`
}

type Main = (args: readonly string[], io: object) => Promise<number>
const io = (output: string[]) => ({ stdout: { write: (text: string) => output.push(text) } })

/** `--help` reads all options before it answers, and it names the commands that there are. */
async function vitrineProblem(words: readonly string[]): Promise<string | undefined> {
  const { main } = (await import(cli)) as { main: Main }
  const output: string[] = []
  const code = await main([...words, '--help'], { ...io(output), stderr: io(output).stdout })
  if (code !== 0) return output.join('').trim()
  // What follows the command is an option or the name of a file.
  const first = words.findIndex(word => /^-|[./]/.test(word))
  const command = ['vitrine', ...(first === -1 ? words : words.slice(0, first))].join(' ')
  return output.join('').includes(command) ? undefined : `there is no ${command}`
}

/** A tool that this repository has as well: its help names the command, and the options with their two dashes. */
async function toolProblem([tool = '', command = '', ...options]: readonly string[]): Promise<string | undefined> {
  const path = join(root, 'node_modules/.bin', tool)
  if (!/^[\w-]+$/.test(tool) || !existsSync(path)) return `nobody knows how to check ${tool}`
  const { output } = await run(process.execPath, [path, command, '--help'])
  const named = [`${tool} ${command}`, ...options.filter(word => word.startsWith('--'))]
  const unknown = named.filter(word => !output.includes(word))
  return unknown.length === 0 ? undefined : `${tool} does not know ${unknown.join(' ')}`
}

function fileProblem([file = '', ...options]: readonly string[]): string | undefined {
  if (!existsSync(join(root, file))) return `${file} does not exist`
  const source = readFileSync(join(root, file), 'utf8')
  const unknown = options.filter(word => word.startsWith('--') && !source.includes(word))
  return unknown.length === 0 ? undefined : `${file} does not know ${unknown.join(' ')}`
}
