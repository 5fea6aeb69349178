// Fails when a room imports another room that the table below does not allow.
// It fails also when a package takes from its process what it was not given: the environment, or a place to write to.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ambientUses } from './lib/ambient.ts'
import { type Import, importsOf } from './lib/imports.ts'

interface Room {
  /** The folder names of the rooms that it may import. */
  readonly imports: readonly string[]
  /**
   * True when browsers load the room. Then it may use neither
   * modules of Node nor zod; protocol may use zod behind /schema.
   */
  readonly browser?: boolean
}

const rooms: Readonly<Record<string, Room>> = {
  'packages/protocol': { imports: [], browser: true },
  'packages/genui': { imports: ['protocol'], browser: true },
  'packages/server': { imports: ['protocol', 'genui'] },
  'packages/models': { imports: ['protocol', 'server'] },
  'packages/mcp': { imports: ['protocol', 'server'] },
  'packages/tools': { imports: ['protocol', 'server'] },
  'packages/client': { imports: ['protocol'], browser: true },
  'packages/react': { imports: ['protocol', 'genui', 'client'], browser: true },
  'packages/cli': { imports: ['protocol', 'genui', 'server', 'mcp', 'models', 'tools'] },
  'apps/workbench': { imports: ['protocol', 'genui', 'client', 'react'], browser: true },
}

/** The command is what reads the environment and writes for people; the others are given what they need. */
const mayUseProcess = new Map([
  ['packages/cli', 'is the command'],
  ['packages/server/src/start-server.ts', 'logs to stderr unless it is given another log'],
  ['packages/server/src/agents/guide/process.ts', 'starts child processes, which inherit little'],
  ['packages/mcp/src/stdio-transport.ts', 'starts MCP servers, and ends what they have started'],
])

/** Packages that one folder hides, so that the rest of the house knows one way to what they give. */
const hidden = new Map([
  ['lucide', { folder: 'packages/react/src/kit/', instead: 'take an icon from `icons` of the React room' }],
  ['ai', { folder: 'packages/models/', instead: 'nothing else knows the AI SDK' }],
  ['@modelcontextprotocol/client', { folder: 'packages/mcp/', instead: 'nothing else knows the SDK of MCP' }],
])

const sourceFile = /\.(ts|tsx|mts|mjs|js|jsx)$/
const builtins = new Set(builtinModules)

/**
 * Tests, files that only tests use, and the configuration of tools may import development tools and modules of Node.
 */
function isTooling(path: string) {
  return (
    /\.(test|contract|fixture)\.([a-z]+\.)?tsx?$/.test(path) ||
    /(^|\/)e2e\//.test(path) ||
    /^[^/]+\.config\.(ts|mjs)$/.test(path)
  )
}

/** A file such as `regex-node.ts` is the part of a browser room that is for Node alone. It has an entry of its own. */
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
  /** The path of the file from the repository on. */
  readonly path: string
  readonly room: Room
  readonly manifest: Manifest
  readonly tooling: boolean
  readonly inBrowser: boolean
  /** Browser tests put the whole system together, so they may start the server. */
  readonly composes: boolean
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Lists every import that breaks a rule, as `file:line what is wrong`. */
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
      const path = relative(repository, file)
      const importer = { folder, path, room, manifest, tooling, inBrowser, composes: inRoom.startsWith('e2e/') }
      if (folder.startsWith('packages/') && !tooling) checkAmbient(file, folder)
      for (const found of importsOf(file)) {
        const problem = found.specifier.startsWith('.')
          ? problemOfRelative(found, relative(base, resolve(dirname(file), found.specifier)), importer)
          : problemOfPackage(found, importer)
        if (problem) report(file, found, problem)
      }
    }
  }

  function checkAmbient(file: string, folder: string) {
    const path = relative(repository, file)
    if (mayUseProcess.has(folder) || mayUseProcess.has(path)) return
    for (const { what, line } of ambientUses(file)) {
      problems.push(`${path}:${line} '${what}': only the command may use it; take what you need as an option`)
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
    { folder, path, room, manifest, tooling, inBrowser, composes }: Importer,
  ) {
    if (specifier.startsWith('node:')) return inBrowser ? 'is a module of Node, and browsers load this room' : undefined
    if (builtins.has(specifier)) return `is a module of Node: write node:${specifier}`
    const name = packageOf(specifier)
    const place = hidden.get(name.startsWith('@ai-sdk/') ? 'ai' : name)
    if (place && !path.startsWith(place.folder)) return `is for ${place.folder} alone: ${place.instead}`
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

  /** Follows the imports of the plain entry file by file. None of them may reach zod. */
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
