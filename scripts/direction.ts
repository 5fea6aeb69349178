// Fails when a room imports against the direction: protocol ← genui, elements ← server, client, widget ← react ← workbench.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Import, importsOf } from './lib/imports.ts'

interface Room {
  /** The rooms it may import, by folder name. */
  readonly imports: readonly string[]
  /** Browsers load its code: no modules of Node, and no zod (in protocol, not from the plain entry). */
  readonly browser?: boolean
}

const drawing = ['protocol', 'genui', 'elements']
const rooms: Readonly<Record<string, Room>> = {
  'packages/protocol': { imports: [], browser: true },
  'packages/genui': { imports: ['protocol'], browser: true },
  'packages/elements': { imports: ['protocol'], browser: true },
  'packages/server': { imports: drawing },
  'packages/client': { imports: drawing, browser: true },
  'packages/widget': { imports: drawing, browser: true },
  'packages/react': { imports: [...drawing, 'client', 'widget'], browser: true },
  'packages/conformance': { imports: ['protocol'] },
  'packages/cli': { imports: ['protocol', 'genui', 'server'] },
  'apps/workbench': { imports: [...drawing, 'client', 'widget', 'react'], browser: true },
}

const sourceFile = /\.(ts|tsx|mts|mjs|js|jsx)$/
const builtins = new Set(builtinModules)

/** Tests, what only they use, and tool configuration: these may import the development tools and modules of Node. */
function isTooling(path: string) {
  return (
    /\.(test|contract|fixture)\.([a-z]+\.)?tsx?$/.test(path) ||
    /(^|\/)e2e\//.test(path) ||
    /^[^/]+\.config\.(ts|mjs)$/.test(path)
  )
}

/** The part of a browser room that is for Node alone, behind an entry of its own: `pattern-node.ts`. */
const isForNode = (path: string) => /(^|[/-])node\.ts$/.test(path)

function sourceFilesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    if (['node_modules', 'dist', 'output', '.cache'].includes(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sourceFilesOf(path)
    return sourceFile.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : []
  })
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

interface Importer {
  readonly folder: string
  readonly room: Room
  readonly manifest: Manifest
  readonly tooling: boolean
  readonly inBrowser: boolean
  /** Browser tests put the whole system together, so they may start the server. */
  readonly composes: boolean
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Every import against the rules, as `file:line what is wrong`. */
export function checkDirection(repository: string): string[] {
  const problems: string[] = []
  const folders = ['packages', 'apps'].flatMap(parent =>
    existsSync(join(repository, parent)) ? readdirSync(join(repository, parent)).map(name => `${parent}/${name}`) : [],
  )
  const present = folders.filter(folder => existsSync(join(repository, folder, 'package.json')))
  const tools = manifestOf(repository).devDependencies ?? {}
  const roomOfPackage = new Map(present.map(folder => [manifestOf(join(repository, folder)).name, basename(folder)]))

  for (const folder of present) {
    const room = rooms[folder]
    if (!room) {
      problems.push(`${folder} is a room without a place in the direction: add it to scripts/direction.ts`)
      continue
    }
    checkRoom(folder, room)
  }
  if (present.includes('packages/protocol')) checkPlainEntry(join(repository, 'packages/protocol'))
  return problems

  function checkRoom(folder: string, room: Room) {
    const base = join(repository, folder)
    const manifest = manifestOf(base)
    for (const file of sourceFilesOf(base)) {
      const inRoom = relative(base, file)
      const tooling = isTooling(inRoom)
      const inBrowser = room.browser === true && !tooling && !isForNode(inRoom)
      const importer = { folder, room, manifest, tooling, inBrowser, composes: inRoom.startsWith('e2e/') }
      for (const found of importsOf(file)) {
        const problem = found.specifier.startsWith('.')
          ? problemOfRelative(found, relative(base, resolve(dirname(file), found.specifier)), importer)
          : problemOfPackage(found, importer)
        if (problem) report(file, found, problem)
      }
    }
  }

  function report(file: string, found: Import, problem: string) {
    problems.push(`${relative(repository, file)}:${found.line} '${found.specifier}': ${problem}`)
  }

  function problemOfRelative({ runtime }: Import, target: string, { tooling, inBrowser }: Importer) {
    if (target.startsWith('..')) return 'leaves its room; import the package by its name'
    if (inBrowser && runtime && isForNode(target)) return 'is for Node, and browsers load this file'
    return !tooling && isTooling(target) ? 'is a test, and this file is not' : undefined
  }

  function problemOfPackage(
    { specifier, runtime }: Import,
    { folder, room, manifest, tooling, inBrowser, composes }: Importer,
  ) {
    if (specifier.startsWith('node:')) return inBrowser ? 'is a module of Node, and browsers load this room' : undefined
    if (builtins.has(specifier)) return `is a module of Node: write node:${specifier}`
    const name = packageOf(specifier)
    if (name === manifest.name) return undefined
    const target = roomOfPackage.get(name)
    if (target !== undefined && composes) return undefined
    if (target !== undefined && !room.imports.includes(target)) {
      const allowed = room.imports.length === 0 ? 'nothing of ours' : room.imports.join(', ')
      return `against the direction: ${basename(folder)} may import ${allowed}`
    }
    const loadsZod = runtime && (name === 'zod' || specifier === '@vitrine/protocol/schema')
    if (inBrowser && loadsZod && folder !== 'packages/protocol') return 'brings zod into the browser; import types only'
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }
    const forTooling = tooling ? { ...manifest.devDependencies, ...tools } : {}
    return name in declared || name in forTooling ? undefined : `is not declared in ${folder}/package.json`
  }

  /** What the plain entry loads, followed file by file, must not reach zod. */
  function checkPlainEntry(base: string) {
    const entry = join(base, 'src/index.ts')
    if (!existsSync(entry)) return
    const seen = new Set([entry])
    for (const file of seen) {
      for (const found of importsOf(file).filter(candidate => candidate.runtime)) {
        if (packageOf(found.specifier) === 'zod') report(file, found, 'brings zod into the plain entry of protocol')
        const target = resolve(dirname(file), found.specifier)
        if (!found.specifier.startsWith('.') || !sourceFile.test(target)) continue
        if (existsSync(target) && statSync(target).isFile()) seen.add(target)
      }
    }
  }
}

if (import.meta.main) {
  const problems = checkDirection(resolve(import.meta.dirname, '..'))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
}
