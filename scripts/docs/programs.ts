// Writes the TypeScript blocks of the documents into files, checks their types and runs them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { importsOf } from '../lib/imports.ts'
import { root, run } from '../lib/run.mjs'
import { fromSource } from '../lib/server.mjs'
import { type Block, readDocument } from './documents.ts'

/** A block with the blocks that continue it. */
export interface Program {
  readonly document: string
  /** Where its first block begins. */
  readonly line: number
  readonly words: readonly string[]
  readonly settings: Readonly<Record<string, string>>
  readonly blocks: readonly Block[]
  /** Its path below the folder of all programs. Programs of one document can import each other by name. */
  readonly file: string
}

/** What a block may import beside our packages: what a program of a user has as well, or installs as its guide says. */
const ALLOWED = /^(@vitrine\/|node:|react$|react\/|react-dom$|react-dom\/|hono$|vite$)/

export const isProgram = ({ language }: Block): boolean => language === 'ts' || language === 'tsx'

/** A block that says `continue` belongs to the program above it. A first line such as `// echo.ts` names the file. */
export function programsOf(blocks: readonly Block[]): Program[] {
  const programs: { -readonly [K in keyof Program]: Program[K] }[] = []
  for (const block of blocks.filter(isProgram)) {
    const before = programs.at(-1)
    if (block.words.includes('continue') && before?.document === block.document) {
      before.blocks = [...before.blocks, block]
      continue
    }
    const { document, line, words, settings, language } = block
    const named = /^\/\/ ([\w-]+\.tsx?)\n/.exec(block.code)?.[1]
    const folder = document.replace(/\.md$/, '').replaceAll('/', '-')
    const file = join(folder, named ?? `line-${line}.${language}`)
    programs.push({ document, line, words, settings, blocks: [block], file })
  }
  return programs
}

/** The text has its lines where the document has them, so that an error names the line of the document. */
function textOf({ blocks }: Program): string {
  let text = ''
  for (const { line, code } of blocks) text += '\n'.repeat(line - text.split('\n').length) + code
  return text
}

const own = { noEmit: true, moduleDetection: 'force' }

/** Our own settings, which are stricter than most. */
const house = {
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    composite: false,
    declaration: false,
    lib: ['ES2024', 'ESNext.Iterator', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
    types: ['node', 'react', 'react-dom'],
    jsx: 'react-jsx',
    ...own,
  },
  include: ['.'],
}

/**
 * What a reader has in a new project, as a guide writes it: `strict`, and none of our other settings. Some of ours make
 * more programs legal: without `exactOptionalPropertyTypes` a list of two literals has fields that may be undefined.
 */
function readersConfig() {
  const path = 'docs/guides/react.md'
  const { blocks } = readDocument(path, readFileSync(join(root, path), 'utf8'))
  const { compilerOptions } = JSON.parse(blocks.find(({ words }) => words.includes('tsconfig'))!.code)
  return { compilerOptions: { ...compilerOptions, ...own }, include: ['.'] }
}
export const stranger = readersConfig()

const CONFIGS = {
  'tsconfig.json': house,
  'tsconfig.stranger.json': {
    ...stranger,
    compilerOptions: { ...stranger.compilerOptions, customConditions: ['vitrine-source'] },
  },
}

/** `folder` has to be two levels below the root, so that the programs find the packages as an application does. */
export function writePrograms(folder: string, programs: readonly Program[]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  for (const [name, config] of Object.entries(CONFIGS)) writeFileSync(join(folder, name), JSON.stringify(config))
  for (const program of programs) {
    const path = join(folder, program.file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, textOf(program))
  }
}

/** What the compiler says about the programs, as `document:line what`, with our settings and with those of a reader. */
export async function typeProblems(folder: string, programs: readonly Program[]): Promise<string[]> {
  const found: string[] = []
  for (const config of Object.keys(CONFIGS)) {
    const problems = await problemsWith(join(folder, config), programs)
    // Our sources are written for our settings; readers have the declarations, which no setting makes wrong.
    found.push(...problems.filter(problem => config === 'tsconfig.json' || !problem.startsWith('..')))
  }
  return [...new Set(found)]
}

export async function problemsWith(config: string, programs: readonly Program[]): Promise<string[]> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const cwd = dirname(config)
  const { code, output } = await run(process.execPath, [tsc, '-p', config, '--pretty', 'false'], { cwd })
  const documents = new Map(programs.map(({ file, document }) => [file, document]))
  // A line that is indented goes on with the problem above it.
  const lines = output.split(/\n(?! )/).filter(line => line.trim() !== '')
  const problems = lines.map(line =>
    line.replace(/^(.+?)\((\d+),\d+\): /, (_, file: string, at: string) => `${documents.get(file) ?? file}:${at} `),
  )
  return code !== 0 && problems.length === 0 ? [`tsc ended with ${code}`] : problems
}

/** Imports that a reader of the document could not write in a project of their own. */
export function importProblems(folder: string, programs: readonly Program[]): string[] {
  const files = new Set(programs.map(({ file }) => file))
  return programs.flatMap(({ file, document }) =>
    importsOf(join(folder, file)).flatMap(({ specifier, line }) => {
      const beside = specifier.startsWith('.') && files.has(join(dirname(file), specifier))
      return beside || ALLOWED.test(specifier) ? [] : [`${document}:${line} imports '${specifier}'`]
    }),
  )
}

/** Runs a program in its folder. What it prints has to be what its comments say: `console.log(x) // 3`. */
export async function runProblem(folder: string, program: Program): Promise<string | undefined> {
  const path = join(folder, program.file)
  const limitMs = 50_000
  const { code, output, timedOut } = await run(process.execPath, [...fromSource, path], { cwd: dirname(path), limitMs })
  if (timedOut) return `did not end within ${limitMs} ms: ${output}`
  if (code !== 0) return `ended with ${code}: ${output.replaceAll(relative(root, folder), '')}`
  const promised = program.blocks.flatMap(({ code }) =>
    [...code.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)].map(match => match[1]!),
  )
  const printed = output.split('\n').filter(line => line !== '')
  if (promised.length === 0) return 'prints nothing that its comments promise: add console.log(…) // what it prints'
  return printed.join('\n') === promised.join('\n')
    ? undefined
    : `printed\n${printed.join('\n')}\ninstead of\n${promised.join('\n')}`
}
