import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkDirection } from './direction.ts'
import { folderWith } from './lib/folder.ts'

const ours = ['protocol', 'genui', 'server', 'models', 'mcp', 'client', 'react', 'cli']
const everything = Object.fromEntries(ours.map(room => [`@vitrine/${room}`, '1.0.0']))

/** Checks a repository in which every room declares every other room, so that only the direction can be wrong. */
function repositoryWith(sources: Record<string, string | object>) {
  const manifests = ours.map(room => [
    `packages/${room}/package.json`,
    { name: `@vitrine/${room}`, dependencies: { ...everything, zod: '1.0.0' } },
  ])
  return checkDirection(
    folderWith({
      'package.json': { name: 'root', devDependencies: { vitest: '1.0.0' } },
      'apps/workbench/package.json': { name: '@vitrine/workbench', dependencies: everything },
      ...Object.fromEntries(manifests),
      ...sources,
    }),
  )
}

describe('R-06 direction of imports', () => {
  it('this repository keeps the direction', () => {
    expect(checkDirection(resolve(import.meta.dirname, '..'))).toEqual([])
  })

  it('accepts imports along the direction', () => {
    const problems = repositoryWith({
      'packages/genui/src/a.ts': "import { x } from '@vitrine/protocol'",
      'packages/server/src/a.ts': "import { x } from '@vitrine/genui/a2ui'\nimport y from '@vitrine/protocol/schema'",
      'packages/react/src/a.tsx': "import { x } from '@vitrine/client'\nexport * from './b.ts'",
      'packages/cli/src/a.ts': "import { x } from '@vitrine/server'",
      'apps/workbench/src/a.tsx': "import '@vitrine/react'",
      'apps/workbench/e2e/a.test.ts': "import { start } from '@vitrine/server'\nimport { it } from 'vitest'",
    })
    expect(problems).toEqual([])
  })

  it.each([
    ['protocol', 'genui'],
    ['genui', 'client'],
    ['server', 'client'],
    ['client', 'server'],
    ['client', 'genui'],
    ['client', 'react'],
    ['react', 'server'],
    ['cli', 'react'],
    ['cli', 'client'],
  ])('refuses %s → %s', (room, target) => {
    const file = `packages/${room}/src/a.ts`
    const [problem, ...others] = repositoryWith({ [file]: `\nimport { x } from '@vitrine/${target}'` })
    expect(problem).toContain(`${file}:2 '@vitrine/${target}': against the direction`)
    expect(others).toEqual([])
  })

  it.each([
    ['a type import', "import type { X } from '@vitrine/server'"],
    ['a re-export', "export { x } from '@vitrine/server'"],
    ['export all', "export * from '@vitrine/server'"],
    ['a dynamic import', "const x = await import('@vitrine/server')"],
    ['a dynamic import in a template', 'const x = await import(`@vitrine/server`)'],
    ['an import for its effect', "import '@vitrine/server'"],
    ['an inline type', "let x: import('@vitrine/server').X"],
    ['an import over several lines', "import {\n  x,\n} from '@vitrine/server'"],
    ['a subpath', "import x from '@vitrine/server/log'"],
  ])('sees %s', (_, source) => {
    expect(repositoryWith({ 'packages/client/src/a.ts': source })).toHaveLength(1)
  })

  it('is not misled by comments and strings', () => {
    const source = "// import '@vitrine/server'\nexport const text = \"import '@vitrine/server'\""
    expect(repositoryWith({ 'packages/client/src/a.ts': source })).toEqual([])
  })

  it('holds for the tests of a room too', () => {
    expect(repositoryWith({ 'packages/client/src/a.test.ts': "import '@vitrine/server'" })).toHaveLength(1)
  })

  it('refuses a relative path into another room', () => {
    const [problem] = repositoryWith({ 'packages/genui/src/a.ts': "import x from '../../protocol/src/index.ts'" })
    expect(problem).toContain('leaves its room')
  })

  it('refuses a test imported by a source', () => {
    const [problem] = repositoryWith({ 'packages/genui/src/a.ts': "import x from './b.test.ts'" })
    expect(problem).toContain('is a test')
  })

  it('refuses a room that has no place in the direction', () => {
    const [problem] = repositoryWith({ 'packages/utils/package.json': '{ "name": "@vitrine/utils" }' })
    expect(problem).toContain('packages/utils is a room without a place')
  })
})

describe('R-07 undeclared dependencies', () => {
  it.each([
    ['a package', "import x from 'left-pad'", 'src/a.ts'],
    ['a development tool in a source', "import { it } from 'vitest'", 'src/a.ts'],
    ['a package in a test', "import x from 'left-pad'", 'src/a.test.ts'],
    ['a scoped package by its subpath', "import x from '@scope/left-pad/x'", 'src/a.ts'],
  ])('refuses %s', (_, source, file) => {
    const [problem] = repositoryWith({ [`packages/server/${file}`]: source })
    expect(problem).toContain('is not declared in packages/server/package.json')
  })

  it('lets tests, contract suites and fixtures use the development tools', () => {
    const problems = repositoryWith({
      'packages/server/src/a.test.ts': "import { it } from 'vitest'",
      'packages/server/src/a.contract.ts': "import { it } from 'vitest'",
      'packages/server/src/a.fixture.ts': "import { it } from 'vitest'",
      'packages/server/src/a.test.kit.ts': "import { it } from 'vitest'",
    })
    expect(problems).toEqual([])
  })

  it('refuses a module of Node without the prefix node:', () => {
    expect(repositoryWith({ 'packages/server/src/a.ts': "import 'fs'" })[0]).toContain('write node:fs')
    expect(repositoryWith({ 'packages/server/src/a.ts': "import 'node:fs'\nimport 'node:sqlite'" })).toEqual([])
  })
})

describe('R-08 what browsers load', () => {
  it.each(['protocol', 'genui', 'client', 'react'])('refuses modules of Node in %s', room => {
    const source = "import { readFile } from 'node:fs/promises'"
    expect(repositoryWith({ [`packages/${room}/src/a.ts`]: source })[0]).toContain('browsers load this room')
    expect(repositoryWith({ [`packages/${room}/src/a.test.ts`]: source })).toEqual([])
  })

  it('lets a room for both sides have files for Node, which its other files do not load', () => {
    const node = { 'packages/genui/src/pattern-node.ts': "import { Worker } from 'node:worker_threads'" }
    expect(repositoryWith(node)).toEqual([])
    const loading = { ...node, 'packages/genui/src/index.ts': "export { pattern } from './pattern-node.ts'" }
    expect(repositoryWith(loading)).toEqual([expect.stringContaining('is for Node, and browsers load this file')])
  })

  it.each(['zod', 'zod/mini', '@vitrine/protocol/schema'])(
    'refuses %s in a browser room, but not its types',
    module => {
      const file = 'packages/client/src/a.ts'
      expect(repositoryWith({ [file]: `import { z } from '${module}'` })[0]).toContain('brings zod into the browser')
      expect(repositoryWith({ [file]: `import type { z } from '${module}'` })).toEqual([])
    },
  )

  it('follows the plain entry of protocol to zod', () => {
    const problems = repositoryWith({
      'packages/protocol/src/index.ts': "export { a } from './a.ts'\nexport type { S } from './schema.ts'",
      'packages/protocol/src/a.ts': "import { b } from './b.ts'\nexport const a = b",
      'packages/protocol/src/b.ts': "import { type ZodType } from 'zod'\nexport const b = 1",
      'packages/protocol/src/schema.ts': "import { z } from 'zod'",
    })
    // Stripping the types leaves `import {} from 'zod'`, which still loads the module.
    expect(problems).toEqual(["packages/protocol/src/b.ts:1 'zod': brings zod into the plain entry of protocol"])
  })

  it('lets the plain entry use types of zod', () => {
    const problems = repositoryWith({
      'packages/protocol/src/index.ts': "import type { z } from 'zod'\nexport type { S } from './schema.ts'",
      'packages/protocol/src/schema.ts': "import { z } from 'zod'",
    })
    expect(problems).toEqual([])
  })
})

describe('R-20 a package takes nothing from its process that it was not given', () => {
  it.each([
    ['process.env', 'export const a = process.env.PORT'],
    ['process.env', "export const a = globalThis.process['env']"],
    ['process.stderr', "process.stderr.write('x')"],
    ['process.stdout', "if (process.stdout.isTTY) throw new Error('x')"],
    ['console', "console.error('x')"],
    ['process', 'const { env } = process\nexport default env'],
    ['node:process', "import { env } from 'node:process'\nexport default env"],
  ])('refuses %s', (what, source) => {
    const file = 'packages/server/src/a.ts'
    expect(repositoryWith({ [file]: source })).toEqual([
      `${file}:1 '${what}': only the command may use it; take what you need as an option`,
    ])
  })

  it('lets the command and tests do so, and everybody name it in words or use the rest of the process', () => {
    const problems = repositoryWith({
      'packages/cli/src/a.ts': "process.stderr.write(process.env.HOME ?? '')",
      'packages/server/src/a.test.ts': 'console.log(process.env.CI)',
      'packages/server/src/start-server.ts': "process.stderr.write('x')",
      'packages/server/src/a.ts':
        "// process.env is for the command.\nexport const a = [process.pid, process.platform, 'console.log']",
    })
    expect(problems).toEqual([])
  })
})

describe('R-21 a library that one folder hides', () => {
  it.each(['packages/react/src/views/a.tsx', 'apps/workbench/src/a.tsx'])('is refused in %s', file => {
    expect(repositoryWith({ [file]: "import { X } from 'lucide'" })).toEqual([
      `${file}:1 'lucide': is for packages/react/src/kit/ alone: take an icon from \`icons\` of the React room`,
    ])
  })

  it.each(['ai', '@ai-sdk/openai'])('MO-34 the room of models hides %s', name => {
    const manifest = { name: '@vitrine/models', dependencies: { [name]: '1.0.0' } }
    const source = `import { x } from '${name}'`
    expect(repositoryWith({ 'packages/models/package.json': manifest, 'packages/models/src/a.ts': source })).toEqual([])
    expect(repositoryWith({ 'packages/server/src/a.ts': source })).toEqual([
      `packages/server/src/a.ts:1 '${name}': is for packages/models/ alone: nothing else knows the AI SDK`,
    ])
  })

  it('is accepted in that folder', () => {
    const file = 'packages/react/src/kit/a.ts'
    const problems = repositoryWith({
      'packages/react/package.json': { name: '@vitrine/react', dependencies: { lucide: '1.0.0' } },
      [file]: "export { X } from 'lucide'",
    })
    expect(problems).toEqual([])
  })
})
