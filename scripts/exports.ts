// Fails when one exported name means two things or has no sentence that says what it is, and when an entry does not name
// what it exports. With --list it prints every name.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'vite'
import { isNode, type Node } from './lib/imports.ts'

/** Where a name is declared. Two exports of the same declaration are the same thing. */
interface Declaration {
  /** The file and the name it has there, or the package and its name when it comes from outside. */
  readonly id: string
  readonly documented: boolean
}

/** A name that an entry of a package exports. */
export interface Exported {
  readonly entry: string
  readonly name: string
  readonly declarations: readonly Declaration[]
}

interface Module {
  /** Names that are declared here, exported or not. */
  readonly local: Map<string, Declaration>
  /** Names that come from elsewhere: the local name, where from, and its name there (`*` for a namespace). */
  readonly imported: Map<string, { from: string; name: string }>
  /** What is exported: the outer name and the local one, or the one of the module it is passed on from. */
  readonly exported: { name: string; local: string; from?: string }[]
  /** Modules of which everything is passed on. */
  readonly all: string[]
}

/** The text of the doc comment that ends right before `start`; comments for tools may stand in between. */
function docBefore(source: string, start: number): string | undefined {
  const before = source.slice(0, start).replace(/(\s|\/\/[^\n]*\n)*$/, '')
  return /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/$/.exec(before)?.[1]
}

/** A sentence: some words and an end. Tags such as @param are none. */
const isSentence = (doc: string | undefined) => {
  const text = (doc ?? '').replace(/^[\s*]+/gm, '').replace(/^@[\s\S]*/m, '')
  return /\p{L}+\s+\S+[\s\S]*[.!?]/u.test(text)
}

const nameOf = (node: unknown): string => {
  const { name, value } = node as { name?: string; value?: string }
  return name ?? value ?? ''
}

/** The names that a declaration binds; patterns do not occur in what is exported. */
const namesOf = (declaration: Node): string[] =>
  Array.isArray(declaration.declarations)
    ? declaration.declarations.map(({ id }) => nameOf(id))
    : [nameOf(declaration.id)]

const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

function parse(file: string, source: string): Module {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const module: Module = { local: new Map(), imported: new Map(), exported: [], all: [] }

  const declare = (declaration: Node, start: number) => {
    const documented = isSentence(docBefore(source, start))
    for (const name of namesOf(declaration)) {
      // A type and a value of one name, or the overloads of a function, are one thing: one sentence is enough.
      const known = module.local.get(name)?.documented ?? false
      module.local.set(name, { id: `${file}#${name}`, documented: known || documented })
    }
  }

  for (const node of nodesOf(program.body)) {
    if (node.type === 'ImportDeclaration') {
      for (const specifier of nodesOf(node.specifiers)) {
        const name =
          specifier.type === 'ImportNamespaceSpecifier'
            ? '*'
            : specifier.type === 'ImportDefaultSpecifier'
              ? 'default'
              : nameOf(specifier.imported)
        module.imported.set(nameOf(specifier.local), { from: nameOf(node.source), name })
      }
    } else if (node.type === 'ExportAllDeclaration') {
      const from = nameOf(node.source)
      if (node.exported) module.exported.push({ name: nameOf(node.exported), local: '*', from })
      else module.all.push(from)
    } else if (node.type === 'ExportNamedDeclaration') {
      if (isNode(node.declaration)) {
        declare(node.declaration, node.start)
        for (const name of namesOf(node.declaration)) module.exported.push({ name, local: name })
      }
      for (const specifier of nodesOf(node.specifiers)) {
        const passed = { name: nameOf(specifier.exported), local: nameOf(specifier.local) }
        module.exported.push(node.source ? { ...passed, from: nameOf(node.source) } : passed)
      }
    } else if (node.type === 'ExportDefaultDeclaration') {
      module.local.set('default', { id: `${file}#default`, documented: isSentence(docBefore(source, node.start)) })
      module.exported.push({ name: 'default', local: 'default' })
    } else if (isNode(node.id) || Array.isArray(node.declarations)) declare(node, node.start)
  }
  return module
}

interface Manifest {
  name: string
  exports?: Record<string, string | Record<string, string>>
}

/** The entries of all packages with the source file of each. */
function entriesOf(repository: string): Map<string, string> {
  const entries = new Map<string, string>()
  const packages = join(repository, 'packages')
  for (const room of readdirSync(packages).sort()) {
    const manifest = join(packages, room, 'package.json')
    if (!existsSync(manifest)) continue
    const { name, exports = {} }: Manifest = JSON.parse(readFileSync(manifest, 'utf8'))
    for (const [path, targets] of Object.entries(exports)) {
      const source = typeof targets === 'object' ? targets['vitrine-source'] : undefined
      if (source) entries.set(join(name, path), join(packages, room, source))
    }
  }
  return entries
}

/** Every name that an entry of a package exports, with what it stands for. */
export function exportsOf(repository: string): Exported[] {
  const modules = new Map<string, Module>()
  const entries = entriesOf(repository)

  const read = (file: string): Module => {
    const known = modules.get(file)
    if (known) return known
    const module = parse(file, readFileSync(file, 'utf8'))
    modules.set(file, module)
    return module
  }

  /** The file that a module of ours means; undefined for what comes from outside. */
  const fileOf = (from: string, importer: string) =>
    from.startsWith('.') ? resolve(dirname(importer), from) : entries.get(from)

  const declarationOf = (name: string, from: string, importer: string): Declaration[] => {
    const file = fileOf(from, importer)
    // What comes from outside is described there; a namespace is the module that it names.
    if (file === undefined || name === '*') return [{ id: `${file ?? from}#${name}`, documented: true }]
    return namesIn(file).get(name) ?? []
  }

  const namesIn = (file: string): Map<string, Declaration[]> => {
    const { local, imported, exported, all } = read(file)
    const names = new Map<string, Declaration[]>()
    for (const from of all) {
      const target = fileOf(from, file)
      if (target !== undefined) for (const [name, declared] of namesIn(target)) names.set(name, declared)
    }
    for (const { name, local: inside, from } of exported) {
      const here = local.get(inside)
      const there = imported.get(inside)
      if (from !== undefined) names.set(name, declarationOf(inside, from, file))
      else if (here) names.set(name, [here])
      else if (there) names.set(name, declarationOf(there.name, there.from, file))
    }
    return names
  }

  return [...entries].flatMap(([entry, file]) =>
    Array.from(namesIn(file), ([name, declarations]) => ({
      entry,
      name,
      declarations: declarations.map(({ id, documented }) => ({ id: relative(repository, id), documented })),
    })),
  )
}

/** Everything that is wrong with the exported names, as sentences. */
export function checkExports(repository: string): string[] {
  const problems: string[] = []
  for (const [entry, file] of entriesOf(repository)) {
    for (const from of parse(file, readFileSync(file, 'utf8')).all)
      problems.push(`${entry} exports everything of ${from}: list the names, because each of them is a promise`)
  }
  const meanings = new Map<string, Map<string, string[]>>()
  for (const { entry, name, declarations } of exportsOf(repository)) {
    if (declarations.length === 0) problems.push(`${entry} exports ${name}, which is declared nowhere`)
    for (const { id, documented } of declarations) {
      const places = meanings.get(name) ?? new Map<string, string[]>()
      meanings.set(name, places.set(id, [...(places.get(id) ?? []), entry]))
      if (!documented && places.get(id)?.length === 1)
        problems.push(`${name} (${id}) has no sentence that says what it is`)
    }
  }
  for (const [name, places] of meanings) {
    if (name === 'default' || places.size < 2) continue
    const listed = Array.from(places, ([id, entries]) => `${entries.join(', ')} (${id})`)
    problems.push(`${name} means ${places.size} things: ${listed.join('; ')}`)
  }
  return problems
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  if (process.argv.includes('--list')) for (const { entry, name } of exportsOf(root)) console.log(entry, name)
  const problems = checkExports(root)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
}
