import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cache, root } from '../lib/run.mjs'
import { Server } from '../torture/server.ts'
import { turnProblems } from './agents.ts'
import { commandProblem, commandsIn, isCommand } from './commands.ts'
import { type Block, readDocument, readDocuments } from './documents.ts'
import { jsonProblems, kindOf } from './json-blocks.ts'
import { isAlone } from './pages.ts'
import {
  importProblems,
  isProgram,
  type Program,
  programsOf,
  runProblem,
  typeProblems,
  writePrograms,
} from './programs.ts'

/** How many blocks of all documents nobody checks. One more of them is a decision that a reviewer should see. */
const UNCHECKED = 2

const documents = readDocuments()
const blocks = documents.flatMap(document => document.blocks)
const placeOf = ({ document, line }: { document: string; line: number }): string => `${document}:${line}`
const isUnchecked = ({ settings }: Block): boolean => settings.unchecked !== undefined
const checked = blocks.filter(block => !isUnchecked(block))
const programs = programsOf(checked)
const withWord = (word: string) => programs.filter(({ words }) => words.includes(word))
const named = <T extends { document: string; line: number }>(items: readonly T[]): [string, T][] =>
  items.map(item => [placeOf(item), item])

const agents = withWord('agent')
const wrongTypes = "\n```ts\nimport { apply } from '@vitrine/protocol'\n```\n\n```ts continue\napply(1)\n```\n"
const wrongOutput = '```ts run\nconsole.log(1 + 1) // 3\n```\n'
const [planted, ...others] = programsOf([
  ...readDocument('planted.md', wrongTypes).blocks,
  ...readDocument('prints.md', wrongOutput).blocks,
])
const [prints] = others

let folder = ''
let types: Promise<string[]>
let server: Promise<Server>

// The compiler and the server take seconds, so both begin at once and the tests wait for them where they need them.
beforeAll(() => {
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'docs-'))
  const all = [...programs, planted!, prints!]
  writePrograms(folder, all)
  types = typeProblems(folder, all)
  server = Server.start({ folder, agents: agents.map(({ file }) => join(folder, file)) })
  for (const begun of [types, server]) begun.catch(() => {})
})
afterAll(async () => {
  await (await server.catch(() => undefined))?.kill()
  await types
  rmSync(folder, { recursive: true, force: true })
})

describe('R-30 every code block of the documents is checked, or says why not', () => {
  const isShell = ({ language }: Block) => language === 'sh'
  const isJson = (block: Block) => block.language === 'json' && kindOf(block) !== undefined
  // Tests in the browser build and use it: with its server apps/workbench/e2e/guide-page.test.ts, alone packages.test.ts.
  const isPage = (block: Block) => {
    const { document, language, words, settings } = block
    const served = !!settings.turn && !!settings.says
    return (
      document.startsWith('docs/guides/') && language === 'html' && words.includes('page') && (served || isAlone(block))
    )
  }

  it('R-30 the documents can be read', () => {
    expect(documents.flatMap(({ problems }) => problems)).toEqual([])
    expect(blocks.length).toBeGreaterThan(10)
  })

  it('R-30 each block has a check, or a reason why it has none', () => {
    const unknown = checked.filter(block => ![isProgram, isShell, isJson, isPage].some(is => is(block)))
    expect(
      unknown.map(block => `${placeOf(block)} is ${block.language} ${block.words.join(' ')}`),
      'CONTRIBUTING.md, "Documents are tests", says what a block can be',
    ).toEqual([])
  })

  it(`R-30 ${UNCHECKED} blocks are not checked, and each of them says why`, () => {
    const unchecked = blocks.filter(isUnchecked)
    expect(unchecked.filter(({ settings }) => settings.unchecked!.length < 10).map(placeOf)).toEqual([])
    expect(unchecked.map(placeOf)).toHaveLength(UNCHECKED)
  })

  it('R-30 a block that continues has a block above it', () => {
    const first = programs.filter(({ words }) => words.includes('continue'))
    expect(first.map(placeOf)).toEqual([])
  })

  it('R-30 finds indented blocks, blocks without an end, and the words of an info string', () => {
    const { blocks, problems } = readDocument(
      'a.md',
      'Text\n\n    indented\n\n- list\n\n  ```ts agent says="a b"\n  code\n  ```\n\n```sh\n',
    )
    expect(blocks[0]).toEqual({
      document: 'a.md',
      line: 8,
      language: 'ts',
      words: ['agent'],
      settings: { says: 'a b' },
      code: 'code\n',
    })
    expect(problems).toEqual([
      'a.md:3 is an indented code block: use a fence',
      'a.md:11 begins a code block that does not end',
    ])
  })
})

describe('R-31 TypeScript of the documents', () => {
  it.concurrent('R-31 has the types of the packages', { timeout: 180_000 }, async () => {
    expect((await types).filter(problem => !problem.startsWith('planted.md'))).toEqual([])
  })

  it('R-31 imports only what a reader can import', () => {
    expect(importProblems(folder, programs)).toEqual([])
  })

  it.concurrent('R-31 a wrong type is found on the line of the document', { timeout: 180_000 }, async () => {
    expect(others).toHaveLength(1)
    const found = (await types).filter(problem => problem.startsWith('planted.md'))
    expect(found).toEqual([expect.stringMatching(/^planted\.md:7 error TS/)])
  })

  it.concurrent('R-31 a program that prints something else is found', async () => {
    expect(await runProblem(folder, prints!)).toBe('printed\n2\ninstead of\n3')
  })

  it.concurrent.each(named(withWord('run')))('R-31 %s runs and prints what its comments say', async (_, program) => {
    expect(await runProblem(folder, program)).toBeUndefined()
  })
})

describe('what people do in an interface, in the guides', () => {
  const running = (document: string, ...names: string[]) =>
    withWord('run').filter(program => {
      const code = program.blocks.map(block => block.code).join('')
      return program.document === document && names.every(name => code.includes(name))
    })

  it('US-287 the guide to UI Schema shows what comes back from a card, in a program that runs', () => {
    const names = ["interaction?.kind === 'ui_schema'", 'sendUiAction', 'hidden', 'toolCallId']
    expect(running('docs/guides/ui-schema.md', ...names)).toHaveLength(1)
  })

  it('A2-436 the guide to A2UI follows a surface of a session without React, in a program that runs', () => {
    const names = ['onEvent', 'surface.changed', 'model.apply', 'sendSurfaceInteraction']
    expect(running('docs/guides/a2ui.md', ...names)).toHaveLength(1)
  })
})

describe('R-32 agents of the documents', () => {
  const agentIdOf = (program: Program): string => /agentId: '([^']+)'/.exec(program.blocks[0]!.code)![1]!

  it.each(named(agents))('R-32 %s runs in the server and does what the page says', async (_, program) => {
    const { says, fails } = program.settings
    expect(says ?? fails, 'an agent block has says="…" or fails="…"').toBeDefined()
    expect(await turnProblems(await server, agentIdOf(program), program.settings)).toEqual([])
  })

  it('R-32 an agent that does something else is found', async () => {
    const promised = { fails: 'no_such_code', says: 'something else', events: 'steer.accepted' }
    expect(await turnProblems(await server, agentIdOf(agents[0]!), promised)).toEqual([
      expect.stringContaining('instead of no_such_code'),
      expect.stringMatching(/^said ".+"/),
      'its log has no steer.accepted',
    ])
  })
})

describe('R-33 JSON of the documents', () => {
  const json = checked.filter(block => block.language === 'json' && kindOf(block) !== undefined)

  it.each(named(json))('R-33 %s is what its schema says', (_, block) => {
    expect(jsonProblems(block)).toEqual([])
  })

  it('R-33 what breaks its schema is found', () => {
    const block = (kind: string, code: unknown) => {
      const text = `\`\`\`json ${kind}\n${JSON.stringify(code)}\n\`\`\``
      return jsonProblems(readDocument('a.md', text).blocks[0]!)
    }
    const event = { type: 'run.finished', seq: 1, sessionId: 's', at: 1, runId: 'r', turnId: 't', outcome: 'completed' }
    expect(block('event', event)).toEqual([])
    expect(block('events', [event])).not.toEqual([])
    expect(block('event.run.finished', { ...event, outcome: 'well' })).not.toEqual([])
    expect(block('command.submitTurn', { turnId: 't' })).not.toEqual([])
    expect(block('hints', { intent: 'nothing' })).not.toEqual([])
    expect(block('ui-schema', { version: '2.0' })).not.toEqual([])
    expect(block('a2ui', { version: 'v0.9', createSurface: {} })).not.toEqual([])
  })
})

describe('R-34 commands of the documents', () => {
  const inBlocks = checked.filter(({ language }) => language === 'sh').flatMap(commandsIn)
  const inText = documents.flatMap(({ inline }) => inline.filter(isCommand))
  const lines = [...new Set([...inBlocks, ...inText].map(({ text }) => text))]
  const found = new Map([...inBlocks, ...inText].map(command => [command.text, command]))
  /** The files that the blocks of a document are. */
  const filesOf = (document: string) =>
    new Set(programs.filter(program => program.document === document).map(({ file }) => basename(file)))

  it.concurrent.each(lines)('R-34 `%s` can be used as it stands there', async line => {
    const command = found.get(line)!
    expect(await commandProblem(line, filesOf(command.document)), placeOf(command)).toBeUndefined()
  })

  it.concurrent.each([
    'npm run nothing',
    'npm start --port 5000',
    'npm start -- --no-such-flag',
    'npm test -- --no-such-flag',
    'npx vitrine nothing',
    'npx nothing build',
    'npx vite nothing',
    'npx vite build --nothing',
    'node server.ts',
    'vitrine ui nothing <file>',
    'node scripts/nothing.ts',
    'node scripts/spec.ts --nothing',
    'rm -rf /',
  ])('R-34 `%s` is refused', async line => {
    expect(await commandProblem(line)).toBeDefined()
  })
})

describe('R-35 links of the documents', () => {
  const anchors = new Map(documents.map(({ path, anchors }) => [path, anchors]))

  it('R-35 each link within the repository leads to a file, and to a heading when it names one', () => {
    const broken = documents.flatMap(({ links }) =>
      links.flatMap(link => {
        if (/^(https?|mailto):/.test(link.text)) return []
        const [path = '', anchor] = link.text.split('#')
        const target = path === '' ? link.document : normalize(join(dirname(link.document), path))
        const there = existsSync(join(root, target))
        return there && (anchor === undefined || anchors.get(target)?.has(anchor))
          ? []
          : [`${placeOf(link)} ${link.text}`]
      }),
    )
    expect(broken).toEqual([])
  })
})

describe('R-36 every package explains itself', () => {
  const license = readFileSync(join(root, 'LICENSE'), 'utf8')
  const rooms = documents.filter(({ path }) => /^(packages|apps)\/[^/]+\/README\.md$/.test(path))
  const folders = ['packages', 'apps'].flatMap(parent =>
    readdirSync(join(root, parent))
      .map(name => `${parent}/${name}`)
      .filter(path => existsSync(join(root, path, 'package.json'))),
  )

  it.each(folders)('R-36 %s has a README of one screen with a checked block, and the license', path => {
    const readme = rooms.find(room => room.path === `${path}/README.md`)
    expect(readme).toBeDefined()
    expect(readFileSync(join(root, path, 'README.md'), 'utf8').split('\n').length).toBeLessThan(60)
    expect(readme!.blocks.filter(block => !isUnchecked(block)).length).toBeGreaterThan(0)
    expect(readFileSync(join(root, path, 'LICENSE'), 'utf8')).toBe(license)
  })
})
