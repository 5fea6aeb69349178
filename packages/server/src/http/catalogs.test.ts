import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BASIC_CATALOG_ID, basicParts, Catalog } from '@vitrine/genui/a2ui'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AgentOutput } from '../agents/agent.ts'
import { tellModules } from '../catalogs/catalogs.ts'
import { agentThat, type Door, ofType, openDoor, saidIn } from '../door.test.kit.ts'
import { StartRefused, startServer } from '../start-server.ts'

const ENERGY = 'https://example.com/energy'
const number = { $ref: 'common_types.json#/$defs/DynamicNumber' }
const text = { $ref: 'common_types.json#/$defs/DynamicString' }

const energy = () =>
  new Catalog(ENERGY, basicParts, {
    components: {
      Gauge: {
        description: 'A dial.',
        schema: { type: 'object', properties: { value: number, footer: { $ref: '#/$defs/ComponentId' } } },
      },
      Keypad: {
        description: 'A field for a code.',
        schema: { type: 'object', properties: { code: text, secret: { type: 'boolean' } } },
        traits: { input: 'code', hides: { property: 'secret', values: [true] } },
      },
    },
    functions: {
      toKelvin: { description: 'Kelvin from Celsius.', returnType: 'number', run: ({ value }) => Number(value) + 273 },
    },
  })

/** Draws the root that a turn brings, and says what the tool answered; says the prompt of a tool when it is named. */
const agent = agentThat(async function* ({ text, interaction }, { tools }): AsyncGenerator<AgentOutput> {
  const say = (delta: string): AgentOutput => ({ type: 'text.delta', partId: 'p', delta })
  if (interaction) return yield say(text)
  const asked = tools.find(({ name }) => name === text)
  if (asked) return yield say(asked.prompt)
  const createSurface = { surfaceId: 's', catalogId: ENERGY, root: JSON.parse(text) }
  const { call } = tools.find(({ name }) => name === 'a2ui')!
  yield say(JSON.stringify(await call({ envelopes: [{ version: 'v0.9', createSurface }] })))
})

let folder: string
let moduleFile: string
let door: Door
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-catalogs-'))
  moduleFile = join(folder, 'energy-module.js')
  await writeFile(moduleFile, 'export default () => ({ components: {} })\n')
  door = await openDoor([agent], { catalogs: [energy()], catalogModules: { [ENERGY]: moduleFile } })
})
afterAll(async () => {
  await door.close()
  await rm(folder, { recursive: true, force: true })
})

async function turn(words: string, session: object = {}): Promise<{ id: string; said: string }> {
  const id = await door.session(session)
  await door.submitTurn(id, words)
  return { id, said: saidIn(await door.ended(id)) }
}

describe('catalogs of a server', () => {
  it('A2-301 the engine of a session checks with them, and its answer speaks of them', async () => {
    const fine = { id: 'root', type: 'Gauge', props: { value: { call: 'toKelvin', args: { value: 20 } } } }
    expect(JSON.parse((await turn(JSON.stringify(fine))).said)).toMatchObject({ applied: 1, results: [{ ok: true }] })
    const other = { id: 'root', type: 'Column', children: [{ id: 'a', type: 'Thermostat' }] }
    const { results } = JSON.parse((await turn(JSON.stringify(other))).said)
    expect(results[0].diagnostics).toMatchObject([
      { code: 'unknown_type', message: expect.stringMatching(/'Thermostat' is not in the catalog.*Gauge/) },
    ])
    const wrong = { id: 'root', type: 'Gauge', props: { value: [1] } }
    const refused = JSON.parse((await turn(JSON.stringify(wrong))).said)
    expect(refused.results).toMatchObject([{ ok: false, code: 'validation_failed' }])
    // A property that names a component is followed, as the schema says.
    const missing = { id: 'root', type: 'Gauge', props: { value: 1, footer: 'nobody' } }
    const { notes } = JSON.parse((await turn(JSON.stringify(missing))).said)
    expect(notes).toMatchObject([{ code: 'missing_child' }])
  })

  it('A2-302 A2-313 the prompts of the agent name them, and name only tools that are there', async () => {
    const { said } = await turn('a2ui')
    expect(said).toContain(`## Catalog ${ENERGY}`)
    expect(said).toContain('- Gauge: A dial. {value?: number, footer?: component}')
    expect(said).toContain('- toKelvin(): Kelvin from Celsius.')
    expect(said).toMatch(/use the ask tool instead/)
    expect((await turn('ask')).said).toMatch(/a2ui tool instead/)
    expect((await turn('ask', { metadata: { enableA2ui: false } })).said).not.toMatch(/a2ui/)
  })

  it('A2-310 what is typed into a hidden field of such a catalog stands in no event', async () => {
    const pad = { id: 'root', type: 'Keypad', props: { secret: true, code: { path: '/code' } } }
    const { id } = await turn(JSON.stringify(pad))
    const payload = { value: 'tango-77', values: { root: 'tango-77' } }
    const pressed = { key: 'k1', componentId: 'root', eventType: 'submit', payload }
    expect((await door.call('POST', `/sessions/${id}/surfaces/s/actions`, pressed)).status).toBe(202)
    const events = await door.ended(id, 2)
    expect(ofType(events, 'run.started')[1]?.input.interaction?.hidden).toEqual(['root'])
    const facts = events.filter(({ type }) => type !== 'text.delta')
    expect(JSON.stringify(facts)).not.toContain('tango-77')
    expect(saidIn(events)).toContain('tango-77')
  })

  it('A2-303 a page learns which there are, and reads the module of each from this server alone', async () => {
    const { json } = await door.call('GET', '/catalogs')
    expect(json.catalogs).toMatchObject([
      {
        ids: [ENERGY],
        module: expect.stringMatching(/^\/api\/catalogs\/modules\/[\da-f]{16}\.js$/),
        components: { Gauge: { refs: expect.arrayContaining(['footer']) }, Keypad: { input: 'code' } },
        functions: { toKelvin: { returnType: 'number', effect: false } },
      },
    ])
    const path = json.catalogs[0].module.slice('/api'.length)
    const module = await door.call('GET', path)
    expect([module.status, module.text]).toEqual([200, 'export default () => ({ components: {} })\n'])
    expect(module.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect((await fetch(`${door.url}/api${path}`)).status).toBe(401)
    expect((await door.call('GET', '/catalogs/modules/..%2f..%2fserver.ts')).status).toBe(404)
    // A changed file has another address, and what was there before is not.
    await writeFile(moduleFile, 'export default () => ({})\n')
    expect((await door.call('GET', path)).status).toBe(404)
    const again = (await door.call('GET', '/catalogs')).json.catalogs[0].module
    expect((await door.call('GET', again.slice('/api'.length))).text).toBe('export default () => ({})\n')
  })

  it('A2-405 a module of TypeScript reaches the page without its types', async () => {
    const file = join(folder, 'typed.ts')
    await writeFile(file, 'const draw = (tools: object): object => ({ tools })\nexport default draw\n')
    const typed = await openDoor([agent], { catalogs: [energy()], catalogModules: { [ENERGY]: file } })
    const { module } = (await typed.call('GET', '/catalogs')).json.catalogs[0]
    const { text, headers } = await typed.call('GET', module.slice('/api'.length))
    expect(text.replaceAll(/ +/g, ' ')).toBe('const draw = (tools ) => ({ tools })\nexport default draw\n')
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    await typed.close()
  })

  it.each([
    ['broken.js', 'export default (', /could not be read as a module: Unexpected end of input/],
    ['bare.js', "import React from 'react'\nexport default () => React", /imports "react", which the page cannot find/],
    ['beside.js', "import './other.js'\nexport default () => ({})", /imports ".\/other.js"/],
    ['named.js', 'export const draw = () => ({})', /has no default export/],
    ['enum.ts', 'enum A { B }\nexport default () => A', /could not be read: .*enum/],
    ['view.tsx', 'export default () => null', /cannot read .tsx. Compile it to JavaScript/],
    ['gone.js', undefined, /could not be read: ENOENT/],
    ['fine.js', 'globalThis.ran = true\nexport default () => ({})', undefined],
    ['other.js', 'const draw = () => import("/x.js")\nexport { draw as default }', undefined],
  ])('A2-406 a module that no page could use is told at start, without running it: %s', async (name, source, why) => {
    const file = join(folder, name)
    if (source !== undefined) await writeFile(file, source)
    const told: [string, unknown][] = []
    await tellModules({ catalogModules: { [ENERGY]: file } }, (line, error) => told.push([line, error]))
    const line = `The module ${file} cannot draw the catalog ${ENERGY}.`
    expect(told).toEqual(why ? [[line, expect.stringMatching(why)]] : [])
    expect(globalThis).not.toHaveProperty('ran')
  })

  it('A2-406 a server tells at start which module no page could use', async () => {
    const file = join(folder, 'bare-at-start.js')
    await writeFile(file, "import 'react'\nexport default () => ({})\n")
    const log = vi.fn()
    const started = await openDoor([agent], { catalogs: [energy()], catalogModules: { [ENERGY]: file }, log })
    await vi.waitFor(() =>
      expect(log.mock.calls).toEqual([[expect.stringContaining(file), expect.stringContaining('imports "react"')]]),
    )
    await started.close()
  })

  it.each([
    ['two catalogs with one id', { catalogs: [energy(), energy()] }, 'catalogs', /Two catalogs have the id/],
    ['a catalog without an id', { catalogs: [new Catalog('', basicParts)] }, 'catalogs', /has no id/],
    [
      'an id that is too long',
      { catalogs: [new Catalog('x'.repeat(2_001), basicParts)] },
      'catalogs',
      /longer than 2000/,
    ],
    ['a catalog without content', { catalogs: [new Catalog('empty')] }, 'catalogs', /has no components/],
    [
      'the id of the basic catalog',
      { catalogs: [new Catalog(BASIC_CATALOG_ID, basicParts)] },
      'catalogs',
      /have the id/,
    ],
    ['a module for no catalog', { catalogModules: { x: 'x.js' } }, 'catalogModules', /no catalog x/],
    [
      'a module that is missing',
      { catalogs: [energy()], catalogModules: { [ENERGY]: 'x.js' } },
      'catalogModules',
      /x\.js/,
    ],
  ])('A2-304 a start with %s is refused', async (_what, options, option, message) => {
    const start = startServer({ dataFolder: folder, port: 0, agents: [agent], ...options })
    await expect(start).rejects.toThrow(StartRefused)
    await expect(start).rejects.toMatchObject({ option, message: expect.stringMatching(message) })
  })
})
