// Finds what a document points to: `server/http/app.ts#createApp` is the name createApp in
// packages/server/src/http/app.ts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import type { Exported } from '../exports.ts'
import { root } from '../lib/run.mjs'
import type { Found } from './documents.ts'

const PATH = /^([\w.-]+\/)+[\w.-]*(#[\w.#]+)?$|^[\w-]+\.(ts|tsx|mjs|css)#[\w.#]+$/

/**
 * Inline code that points to a file or folder of the repository:
 * it has a folder in it, and an ending or a slash at the end.
 */
export function isPointer({ document, text }: Found): boolean {
  if (!PATH.test(text)) return false
  const [path = ''] = text.split('#')
  return /\.(ts|tsx|mjs|css|json|md)$|\/$/.test(path) && folderOf(document, path) !== undefined
}

const AT_THE_ROOT = new Set(['apps', 'bench', 'docs', 'packages', 'scripts'])
const rooms = new Set(readdirSync(join(root, 'packages')))

/** Where a path begins: in the room of a README, in the room that its first word names, or at the root. */
function folderOf(document: string, path: string): string | undefined {
  const [first = '', ...rest] = path.split('/')
  if (/^(src|bin|e2e)$/.test(first)) {
    return /^(packages|apps)\//.test(document) ? join(dirname(document), path) : undefined
  }
  if (AT_THE_ROOT.has(first)) return path
  if (first === 'workbench') return join('apps/workbench/src', ...rest)
  return rooms.has(first) ? join('packages', first, 'src', ...rest) : undefined
}

/** What is wrong with a pointer; nothing when the file is there and has the name. */
export function pointerProblem({ document, text }: Found): string | undefined {
  const [path = '', ...names] = text.split('#')
  const name = names.join('#')
  const file = join(root, folderOf(document, path)!)
  if (!existsSync(file)) return `${text}: there is no such file`
  return name === '' || declaredNames(file).has(name) ? undefined : `${text}: the file does not declare ${name}`
}

interface Node {
  readonly type: string
  readonly [field: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

const DECLARES = new Set([
  'FunctionDeclaration',
  'ClassDeclaration',
  'VariableDeclarator',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
])
const MEMBERS = new Set([
  'MethodDefinition',
  'PropertyDefinition',
  'Property',
  'TSMethodSignature',
  'TSPropertySignature',
])

const known = new Map<string, ReadonlySet<string>>()

/**
 * What a file declares, as `name`, and what is inside of it, as `name.member`: methods, fields and functions within.
 */
export function declaredNames(file: string): ReadonlySet<string> {
  const names = known.get(file) ?? new Set(namesIn(file))
  known.set(file, names)
  return names
}

function* namesIn(file: string): Iterable<string> {
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  yield* within(program as unknown as Node, '')
}

function* within(node: Node, owner: string): Iterable<string> {
  for (const child of childrenOf(node)) {
    const name = nameOf(child)
    if (name === undefined) {
      yield* within(child, owner)
      continue
    }
    yield owner === '' ? name : `${owner}.${name}`
    // One level is enough to find a method of a class or of what a function returns.
    yield* within(child, owner === '' ? name : owner)
  }
}

function nameOf(node: Node): string | undefined {
  const named = DECLARES.has(node.type) ? node.id : MEMBERS.has(node.type) ? node.key : undefined
  if (!isNode(named)) return undefined
  if (named.type === 'PrivateIdentifier') return `#${named.name}`
  return typeof named.name === 'string' ? named.name : undefined
}

interface Step {
  readonly line: number
  readonly row: number
  readonly file: string
  readonly from: string
}

/** The tables of a document that lead from file to file: their rows have a number, a pointer, and where one comes from. */
export function walksIn(document: string, text: string): Step[][] {
  const walks: Step[][] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [, row, path = '', from = ''] = /^\| (\d+) \| `([^`#]+)#[^`]+` \| ([^|]*) ?\|/.exec(line) ?? []
    if (row === '1') walks.push([])
    if (row)
      walks.at(-1)?.push({ line: index + 1, row: Number(row), file: folderOf(document, path)!, from: from.trim() })
  }
  return walks
}

/**
 * What is wrong with a walk: each row has to say in which earlier row the call stands that leads to its file. That file
 * imports it, or the row says through what it gets there.
 */
export function walkProblems(walk: readonly Step[]): string[] {
  return walk.flatMap(({ line, row, file, from }, index) => {
    if (row !== index + 1) return [`line ${line}: row ${row} stands in place ${index + 1}`]
    if (row === 1) return []
    const caller = walk[Number.parseInt(from, 10) - 1]
    if (!caller || caller.row >= row) return [`line ${line}: row ${row} does not say from which row it is reached`]
    if (/^\d+, through \S/.test(from) || caller.file === file || importsRoomOf(caller.file, file)) return []
    return [`line ${line}: ${caller.file} does not import ${file}`]
  })
}

/** A file imports another one of its room by path, and one of another room through that room's package. */
function importsRoomOf(importer: string, file: string): boolean {
  const room = (path: string) => path.split('/')[1]
  const names = Array.from(
    readFileSync(join(root, importer), 'utf8').matchAll(/\b(?:from|import\()\s*'([^']+)'/g),
    ([, name = '']) => name,
  )
  return names.some(name =>
    name.startsWith('.')
      ? join(dirname(importer), name) === file
      : room(importer) !== room(file) && name.split('/')[1] === room(file),
  )
}

/**
 * What is wrong with the names that the tables of a package's README list. They stand in the column whose heading says
 * "name". A row that begins with an entry (`/a2ui`) lists names of that entry; otherwise names come from the plain entry
 * and from those that the row mentions.
 */
export function tableProblems(readme: string, packageName: string, exported: readonly Exported[]): string[] {
  let column = -1
  return readme.split('\n').flatMap((line, index) => {
    if (!line.startsWith('|')) column = -1
    const cells = line.split('|').slice(1, -1)
    const given = column
    if (column === -1) column = cells.findIndex(cell => /\bnames?\b/.test(cell))
    if (given === -1) return []
    const [first = '', ...others] = entriesIn(line)
    const entries = cells[0]!.trim() === `\`${first}\`` ? [first] : ['', first, ...others]
    const offered = exported.filter(({ entry }) => entries.some(one => entry === `${packageName}${one}`))
    return codeIn(cells[given] ?? '')
      .filter(text => !text.startsWith('/') && !isOffered(text, offered))
      .map(text => `line ${index + 1} ${text}`)
  })
}

const codeIn = (text: string): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code)
const entriesIn = (line: string): string[] => codeIn(line).filter(text => /^\/[\w-]+$/.test(text))

/** The text is `name` or `Type<'argument'>`. */
const isOffered = (text: string, offered: readonly Exported[]): boolean =>
  offered.some(({ name }) => name === text.replace(/<.*>$/, ''))

/** Every word of the packages' sources but those of comments: names of types and fields, and texts such as `run.started`. */
export function wordsOfSources(): ReadonlySet<string> {
  const words = new Set<string>()
  for (const name of readdirSync(join(root, 'packages'), { recursive: true }).map(String)) {
    if (!/(^|\/)src\/.*\.tsx?$/.test(name) || /node_modules|\.test\./.test(name)) continue
    const text = readFileSync(join(root, 'packages', name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
    for (const [word] of text.matchAll(/[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*/g)) {
      words.add(word)
      for (const part of word.split('.')) words.add(part)
    }
  }
  return words
}
