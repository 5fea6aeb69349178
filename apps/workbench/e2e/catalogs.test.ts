import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogFromJson } from '@vitrine/genui/a2ui'
import type { Agent, AgentOutput } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin, ended, openWorkbench, saidIn, sessionOf, type Workbench } from './harness.ts'

const file = (name: string) => join(import.meta.dirname, name)
const document = JSON.parse(readFileSync(file('energy-catalog.fixture.json'), 'utf8'))
const energy = catalogFromJson(document)
const ENERGY = 'https://example.com/energy'
const BARE = 'https://example.com/bare'
const BROKEN = 'https://example.com/broken'
const BASIC = 'https://a2ui.org/specification/v0_9/basic_catalog.json'

/** The same components under other ids: one without a module, one whose module throws. */
const others = [BARE, BROKEN].map(catalogId => catalogFromJson({ ...document, catalogId }))

const kelvin = { call: 'toKelvin', args: { value: { path: '/celsius' } } }
const room = [
  { id: 'root', component: 'Column', children: ['title', 'dial'] },
  { id: 'title', component: 'Text', text: 'The room' },
  {
    id: 'dial',
    component: 'Gauge',
    label: 'Living room',
    value: kelvin,
    action: { event: { name: 'set', context: { kelvin } } },
  },
]
/** What no catalog here declares, although the page could draw it. */
const foreign = [
  { id: 'root', component: 'Column', children: ['link', 'pin', 'title'] },
  { id: 'link', component: 'Link', text: 'Click', href: 'javascript:document.title="taken"' },
  { id: 'pin', component: 'TextField', label: 'Pin', variant: 'obscured', value: { path: '/pin' } },
  room[1]!,
]
const parts = [
  { id: 'root', component: 'Column', children: ['title', 'dial', 'spark', 'crash', 'far'] },
  ...room.slice(1),
  { id: 'spark', component: 'Spark' },
  { id: 'crash', component: 'Crash' },
  { id: 'far', component: 'Gauge', label: 'Far away', value: { call: 'measure' } },
]

/** Draws the surface that the text names, in the catalog that it names, and says what it was told. */
const agent: Agent = {
  agentId: 'energy',
  name: 'Energy',
  description: 'Draws with catalogs of the host',
  scripted: true,
  async *run({ text, interaction }, { surfaces, tools }): AsyncGenerator<AgentOutput> {
    const say = (delta: string): AgentOutput => ({ type: 'text.delta', partId: 'p', delta })
    if (interaction?.kind === 'a2ui') return yield say(`Told: ${JSON.stringify(interaction)}`)
    if (text === 'prompt') return yield say(tools.find(({ name }) => name === 'a2ui')?.prompt ?? '')
    const [catalogId = '', what] = text.split(' ')
    const components =
      what === 'parts' ? parts : what === 'foreign' ? foreign : what === 'plain' ? room.slice(1, 2) : room
    const root = what === 'plain' ? 'title' : 'root'
    const answer = await surfaces.apply([
      {
        version: 'v0.9',
        createSurface: { surfaceId: 'room', catalogId, root, components, dataModel: { celsius: 20 } },
      },
    ])
    yield say(`Drawn: ${answer.applied}`)
  },
}

let folder: string
let workbench: Workbench
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-catalog-modules-'))
  const broken = join(folder, 'broken.js')
  await writeFile(broken, 'export default () => { throw new Error("no energy today") }\n')
  workbench = await openWorkbench({
    agents: [agent],
    catalogs: [energy, ...others],
    catalogModules: { [ENERGY]: file('energy-module.fixture.js'), [BROKEN]: broken },
  })
})
afterAll(async () => {
  await workbench?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The requests for modules of catalogs and for their list, as the page makes them. */
function asked(page: Page): string[] {
  const paths: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/catalogs')) paths.push(pathname)
  })
  return paths
}

const surface = (page: Page) => page.locator('.v-a2-part .v-a2').first()
const diagnostics = (page: Page) => surface(page).locator('.v-diagnostic')

describe('catalogs of the host in the workbench', () => {
  it('A2-306 A2-309 a custom component with a custom function is drawn, pressed, and the agent gets the interaction', async () => {
    const page = await workbench.page()
    const paths = asked(page)
    await begin(page, `${ENERGY} room`)
    await surface(page).getByText('Living room: 293 K').waitFor()
    expect(await surface(page).getByText('The room').isVisible()).toBe(true)
    expect(paths.map(path => path.replace(/[\da-f]{16}/, '1'))).toEqual(['/api/catalogs', '/api/catalogs/modules/1.js'])
    await ended(page)
    await surface(page).getByRole('button', { name: 'Set (0)' }).click()
    const events = await ended(page, 2)
    const [, told = '{}'] = /Told: (.*)$/.exec(saidIn(events)) ?? []
    expect(JSON.parse(told)).toMatchObject({
      surfaceId: 'room',
      componentId: 'dial',
      eventType: 'click',
      name: 'set',
      context: { kelvin: 293 },
    })
    // Its state is that of the React of the page.
    await surface(page).getByRole('button', { name: 'Set (1)' }).waitFor()
    await page.reload()
    await surface(page).getByText('Living room: 293 K').waitFor()
    expect(workbench.errors()).toEqual([])
    await page.close()
  })

  it('A2-306 nothing of catalogs is loaded for surfaces of the basic catalog', async () => {
    const page = await workbench.page()
    const paths = asked(page)
    await begin(page, `${BASIC} plain`)
    await surface(page).getByText('The room').waitFor()
    expect(paths).toEqual([])
    await page.close()
  })

  it('A2-400 basic components that the catalog of a surface has not are unknown, and nothing of them is there', async () => {
    const page = await workbench.page()
    await begin(page, `${ENERGY} foreign`)
    await surface(page).getByText('The room').waitFor()
    expect(await diagnostics(page).allTextContents()).toEqual([
      'Unknown component “Link”',
      'Unknown component “TextField”',
    ])
    expect(await surface(page).locator('a, input').count()).toBe(0)
    expect(workbench.errors()).toEqual([])
    await page.close()
  })

  it('A2-302 the prompt of the agent names the component and the function', async () => {
    const page = await workbench.page()
    await begin(page, 'prompt')
    const said = saidIn(await ended(page))
    expect(said).toContain('- Gauge: A dial with a button to set it. {label: string, value: number, action?: action}')
    expect(said).toContain('- toKelvin(value: number): Kelvin from Celsius.')
    await page.close()
  })

  it('A2-307 A2-308 what a module lacks, what throws and a function that throws are told each in its place', async () => {
    const page = await workbench.page()
    await begin(page, `${ENERGY} parts`)
    await surface(page).getByText('Living room: 293 K').waitFor()
    const told = await diagnostics(page).allTextContents()
    expect(told).toEqual([
      'The component Spark could not be drawn. The module that draws its catalog has no component of this name.',
      'The component Crash could not be drawn.',
      'A value of Gauge could not be computed: Error: no thermometer',
    ])
    expect(await diagnostics(page).nth(1).getAttribute('title')).toBe('no dial here')
    workbench.errors()
    await page.close()
  })

  it.each([
    [BARE, 'The server has no module that draws its catalog.'],
    [BROKEN, 'The module that draws its catalog could not be used: no energy today'],
  ])('A2-307 the components of %s say why they are not drawn, and all else is there', async (catalogId, reason) => {
    const page = await workbench.page()
    await begin(page, `${catalogId} room`)
    await surface(page).getByText(`The component Gauge could not be drawn. ${reason}`).waitFor()
    expect(await surface(page).getByText('The room').isVisible()).toBe(true)
    expect(await diagnostics(page).count()).toBe(1)
    expect(sessionOf(page)).not.toBe('')
    expect(workbench.errors()).toEqual([])
    await page.close()
  })

  it('A2-407 the gallery lists the components and functions of the host, and draws them', async () => {
    const page = await workbench.page({ path: '/gallery' })
    const examples = page.getByRole('navigation', { name: 'Examples' })
    const listed = (catalogId: string) =>
      examples.locator('div', { has: page.getByRole('heading', { name: catalogId, exact: true }) })
    await listed(ENERGY).getByRole('button', { name: 'Gauge', exact: true }).click()
    const stage = page.locator('.w-gallery-stage')
    await stage.getByText('label: 1 K').waitFor()
    await stage.getByRole('button', { name: 'Set (0)' }).click()
    await page.getByText('"componentId": "root"').waitFor()
    await listed(ENERGY).getByRole('button', { name: 'toKelvin()', exact: true }).click()
    await stage.getByText('274').waitFor()
    await listed(BARE).getByRole('button', { name: 'Gauge', exact: true }).click()
    await stage.getByText('The server has no module that draws its catalog.').waitFor()
    expect(workbench.errors()).toEqual([])
    await page.close()
  })

  it('A2-311 a surface that is made anew in another catalog is drawn with that one', async () => {
    const page = await workbench.page()
    const id = await begin(page, `${BARE} room`)
    await diagnostics(page).waitFor()
    await ended(page)
    const turn = { turnId: 'again', text: `${ENERGY} room` }
    const post = new URL(`/api/sessions/${id}/turns`, page.url()).href
    expect((await page.request.post(post, { data: turn })).status()).toBe(202)
    await surface(page).getByText('Living room: 293 K').waitFor()
    await page.close()
  })
})
