import { describe, expect, it } from 'vitest'
import { checkExports, exportsOf } from './exports.ts'
import { folderWith } from './lib/folder.ts'

/** A repository with rooms `one` and `two`, whose entries are their index files. */
function repositoryWith(sources: Record<string, string>): string {
  const manifest = (name: string) => ({ name, exports: { '.': { 'vitrine-source': './src/index.ts' } } })
  return folderWith({
    'packages/one/package.json': manifest('@vitrine/one'),
    'packages/two/package.json': {
      ...manifest('@vitrine/two'),
      exports: {
        ...manifest('').exports,
        './more': { 'vitrine-source': './src/more.ts' },
        './styles.css': './styles.css',
      },
    },
    'packages/one/src/index.ts': '',
    'packages/two/src/index.ts': '',
    'packages/two/src/more.ts': '',
    ...sources,
  })
}

const problemsOf = (sources: Record<string, string>) => checkExports(repositoryWith(sources))
const doc = '/** It is described. */\n'

describe('R-17 a name that packages export means one thing', () => {
  it('finds a name that two entries give to two things', () => {
    const [problem, ...others] = problemsOf({
      'packages/one/src/index.ts': `${doc}export const size = 1`,
      'packages/two/src/more.ts': `${doc}export interface size {}`,
    })
    expect(problem).toBe(
      'size means 2 things: @vitrine/one (packages/one/src/index.ts#size); @vitrine/two/more (packages/two/src/more.ts#size)',
    )
    expect(others).toEqual([])
  })

  it('accepts the same declaration from several entries, however it is passed on', () => {
    expect(
      problemsOf({
        'packages/one/src/index.ts': "export { A, type A2 } from './a.ts'\nexport { local as renamed } from './b.ts'",
        'packages/one/src/a.ts': "export * from './c.ts'",
        'packages/one/src/c.ts': `${doc}export class A {}\n${doc}export type A2 = A`,
        'packages/one/src/b.ts': `${doc}const local = 1\nexport { local }`,
        'packages/two/src/index.ts': "export { A, renamed } from '@vitrine/one'",
        'packages/two/src/more.ts': "import { A2 } from '@vitrine/one'\nexport type { A2 }",
      }),
    ).toEqual([])
  })

  it('reads names off every kind of export', () => {
    const names = exportsOf(
      repositoryWith({
        'packages/one/src/index.ts': [
          "export type * from './types.ts'",
          "export * as tools from './types.ts'",
          "export { z as zod } from 'zod'",
          'export const a = 1, b = 2',
          'export async function f() {}',
          'export default class {}',
          'export enum E {}',
        ].join('\n'),
        'packages/one/src/types.ts': 'export interface T {}\nexport type U = T\ninterface Hidden {}',
      }),
    ).map(({ name }) => name)
    expect(names.sort()).toEqual(['E', 'T', 'U', 'a', 'b', 'default', 'f', 'tools', 'zod'])
  })

  it('finds a name that is passed on but declared nowhere', () => {
    expect(
      problemsOf({ 'packages/one/src/index.ts': "export { gone } from './a.ts'", 'packages/one/src/a.ts': '' }),
    ).toEqual(['@vitrine/one exports gone, which is declared nowhere'])
  })
})

describe('R-42 an entry names what it exports', () => {
  it.each(['export *', 'export type *'])('finds %s', words => {
    expect(
      problemsOf({
        'packages/one/src/index.ts': `${words} from './a.ts'`,
        'packages/one/src/a.ts': `${doc}export const a = 1`,
      }),
    ).toEqual(['@vitrine/one exports everything of ./a.ts: list the names, because each of them is a promise'])
  })
})

describe('R-18 a name that packages export has a sentence', () => {
  it.each([
    ['no comment', 'export const a = 1'],
    ['an ordinary comment', '// It is described.\nexport const a = 1'],
    ['a word alone', '/** Size */\nexport const a = 1'],
    ['tags alone', '/** @param x It is described. */\nexport function a(x) {}'],
    ['the comment of what stands before', `${doc}const b = 1\nexport const a = 1`],
  ])('finds %s', (_, source) => {
    expect(problemsOf({ 'packages/one/src/index.ts': source })).toEqual([
      'a (packages/one/src/index.ts#a) has no sentence that says what it is',
    ])
  })

  it.each([
    ['one line', `${doc}export const a = 1`],
    ['several lines', '/**\n * It is described\n * on two lines.\n */\nexport const a = 1'],
    ['a comment for a tool in between', `${doc}// biome-ignore lint: because\nexport const a = 1`],
    ['a type beside a value of the same name', `${doc}export const a = 1\nexport type a = number`],
    ['what is declared first and exported later', `${doc}const a = 1\nexport { a }`],
  ])('accepts %s', (_, source) => {
    expect(problemsOf({ 'packages/one/src/index.ts': source })).toEqual([])
  })
})
