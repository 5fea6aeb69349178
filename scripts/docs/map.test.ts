import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportsOf } from '../exports.ts'
import { folderWith } from '../lib/folder.ts'
import { root } from '../lib/run.mjs'
import { readDocuments } from './documents.ts'
import {
  declaredNames,
  isPointer,
  pointerProblem,
  tableProblems,
  walkProblems,
  walksIn,
  wordsOfSources,
} from './map.ts'

const documents = readDocuments()
const document = (path: string) => documents.find(one => one.path === path)!

describe('R-37 what the documents point to exists', () => {
  const pointers = documents.map(({ path, inline }) => [path, inline.filter(isPointer)] as const)

  it.each(pointers.filter(([, found]) => found.length > 0))('R-37 %s', (_, found) => {
    const problems = found.flatMap(pointer => {
      const problem = pointerProblem(pointer)
      return problem ? [`line ${pointer.line} ${problem}`] : []
    })
    expect(problems).toEqual([])
  })

  it('R-37 the map names files and functions', () => {
    const inMap = document('docs/architecture.md').inline.filter(isPointer)
    expect(inMap.filter(({ text }) => text.includes('#')).length).toBeGreaterThan(30)
  })

  it('R-37 a wrong file and a wrong name are found', () => {
    const at = { document: 'docs/a.md', line: 1 }
    expect(pointerProblem({ ...at, text: 'server/start-server.ts#startServer' })).toBeUndefined()
    expect(pointerProblem({ ...at, text: 'server/nothing.ts' })).toContain('no such file')
    expect(pointerProblem({ ...at, text: 'server/server.ts#nothing' })).toContain('does not declare')
    expect(isPointer({ ...at, text: 'application/json' })).toBe(false)
  })

  it('R-37 sees functions, classes, their members, and what functions return', () => {
    const folder = folderWith({
      'a.ts': `export function make() { const inner = () => 1; return { run: () => inner() } }
        export class Log { #tail = 1; write() {} }
        export interface Port { read(): void }
        export const table = { row: 1 }`,
    })
    expect([...declaredNames(join(folder, 'a.ts'))].sort()).toEqual(
      [
        'make',
        'make.inner',
        'make.run',
        'Log',
        'Log.#tail',
        'Log.write',
        'Port',
        'Port.read',
        'table',
        'table.row',
      ].sort(),
    )
  })
})

describe('R-37 the walks of the map lead from file to file', () => {
  const map = 'docs/architecture.md'
  const walks = walksIn(map, readFileSync(join(root, map), 'utf8'))

  it('R-37 there are two walks, and each has at most 30 rows', () => {
    expect(walks.map(walk => walk.length > 20 && walk.length <= 30)).toEqual([true, true])
  })

  it.each(walks.map((walk, index) => [index + 1, walk] as const))('R-37 walk %i', (_, walk) => {
    expect(walkProblems(walk)).toEqual([])
  })

  it('R-37 a row that nothing leads to is found', () => {
    const rows = (...lines: string[]) => walksIn(map, lines.join('\n')).flatMap(walkProblems)
    const first = '| 1 | `server/server.ts#createServer` | | begins |'
    expect(rows(first, '| 2 | `server/http/app.ts#createApp` | 1 | x |')).toEqual([])
    expect(rows(first, '| 2 | `server/stream/hub.ts#Hub` | 1, through a port | x |')).toEqual([])
    expect(rows(first, '| 2 | `react/views/message.tsx#Message` | 1 | x |')).toHaveLength(1)
    expect(rows(first, '| 2 | `server/http/app.ts#createApp` | | x |')).toHaveLength(1)
    expect(rows(first, '| 3 | `server/http/app.ts#createApp` | 1 | x |')).toHaveLength(1)
  })
})

describe('R-37 names in the documents are names of the sources', () => {
  const words = wordsOfSources()
  const speaking = documents.filter(
    ({ path }) => path === 'docs/glossary.md' || /^packages\/[^/]+\/README\.md$/.test(path),
  )

  it.each(speaking.map(({ path, inline }) => [path, inline] as const))('R-37 %s', (path, inline) => {
    const names = inline.filter(({ text }) => /^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/.test(text))
    if (path === 'docs/glossary.md') expect(names.length).toBeGreaterThan(40)
    expect(names.filter(({ text }) => !words.has(text)).map(({ line, text }) => `line ${line} ${text}`)).toEqual([])
  })
})

describe('R-37 tables of the READMEs list what the packages export', () => {
  const exported = exportsOf(root)
  const readmes = documents.filter(({ path }) => /^packages\/[^/]+\/README\.md$/.test(path))

  it.each(readmes.map(({ path }) => path))('R-37 %s', path => {
    const { name } = JSON.parse(readFileSync(join(root, dirname(path), 'package.json'), 'utf8'))
    expect(tableProblems(readFileSync(join(root, path), 'utf8'), name, exported)).toEqual([])
  })

  it('R-37 a name that the entry does not export is found', () => {
    const rows = (...lines: string[]) => tableProblems(lines.join('\n'), '@vitrine/client', exported)
    expect(rows('| name | what |', '|---|---|', '| `createClient`, `Outcome<T>` | x |')).toEqual([])
    expect(rows('| name | what |', '|---|---|', '| `createStore` | `nothing` |')).toEqual(['line 3 createStore'])
    const entries = ['| entry | names |', '|---|---|', '| `/hints` | `compileHints`, `Surfaces` |'].join('\n')
    expect(tableProblems(entries, '@vitrine/genui', exported)).toEqual(['line 3 Surfaces'])
  })
})
