import type { VitrineClient } from '@vitrine/client'
import { SurfaceModel } from '@vitrine/genui/a2ui'
import type { CatalogInfo } from '@vitrine/protocol'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createDrawnCatalogs } from '../drawn-catalogs.ts'
import { loadCatalog } from './catalog-modules.tsx'
import { A2uiSurface } from './surface.tsx'
import type { A2uiCatalogViews, A2uiModuleTools } from './view.ts'

beforeAll(() => vi.stubGlobal('location', new URL('https://own.test/s/1')))

const info: CatalogInfo = {
  ids: ['https://example.com/energy', 'energy'],
  module: '/vitrine/api/catalogs/modules/1.js',
  components: { Gauge: {}, Spark: {} },
  functions: { toKelvin: { returnType: 'number', effect: false } },
}
const Gauge = () => 'dial'
const Link = () => 'drawn'

function pageWith(answer: () => Response, module: unknown = {}, views: A2uiCatalogViews = {}) {
  const fetch = vi.fn(async () => answer())
  const load = vi.fn(async () => ({ default: module }))
  const client = { api: { baseUrl: '/vitrine/api', fetch } } as unknown as VitrineClient
  const source = { client, views }
  return { source, fetch, load, found: (id: string) => loadCatalog(source, id, load) }
}
const listed = (...catalogs: CatalogInfo[]) => Response.json({ catalogs })

describe('the catalogs of a page', () => {
  it('A2-306 a module gets the tools of the page, and its list is asked for once', async () => {
    const module = vi.fn((_: A2uiModuleTools) => ({ components: { Gauge }, functions: { toKelvin: () => 293 } }))
    const { found, fetch, load } = pageWith(() => listed(info), module)
    const energy = (await found('energy')).found
    expect(load.mock.calls).toEqual([['https://own.test/vitrine/api/catalogs/modules/1.js']])
    expect(Object.keys(module.mock.calls[0]![0])).toEqual(expect.arrayContaining(['React', 'kit', 'useA2uiView']))
    expect(energy.renderers).toEqual({ Gauge })
    expect(energy.catalog!.functions.get('toKelvin')!.run({}, {} as never)).toBe(293)
    // The server takes the basic catalog for one that it does not have.
    expect(await found('https://example.com/other')).toEqual({ found: {} })
    expect(fetch).toHaveBeenCalledOnce()
  })

  it('A2-306 nobody is asked for the basic catalog, and others are found once', async () => {
    const { source, fetch } = pageWith(() => listed({ ...info, module: null }))
    const find = createDrawnCatalogs(source)
    expect(find(null)).toEqual({})
    expect(find('https://a2ui.org/specification/v0_9/basic_catalog.json')).toEqual({})
    expect(fetch).not.toHaveBeenCalled()
    const asked = find('energy')
    expect(asked).toBeInstanceOf(Promise)
    expect(find('energy')).toBe(asked)
    const energy = await asked
    expect(find('energy')).toBe(energy)
    expect(fetch).toHaveBeenCalledOnce()
  })

  it('A2-400 a type that the catalog has not is drawn as unknown, also where a component of that name is there', async () => {
    const { found } = await pageWith(
      () => listed(info),
      () => ({ components: { Link } }),
    ).found('energy')
    const { catalog, ...drawing } = found
    const html = (type: string) => {
      const component = { type, text: 'Click', href: 'javascript:alert(1)', label: 'Pin' }
      const model = new SurfaceModel({ surfaceId: 's', catalog }, [
        { op: 'create', root: 'root' },
        { op: 'upsert', id: 'root', component },
      ])
      return renderToStaticMarkup(<A2uiSurface model={model} {...drawing} />)
    }
    for (const type of ['Link', 'TextField', 'Typo']) {
      expect(html(type)).toContain(`Unknown component “${type}”`)
      expect(html(type)).not.toMatch(/<input|<a |javascript|Pin|drawn/)
    }
  })

  it('A2-404 a component that takes no input says that what was entered is lost', async () => {
    const module = () => ({ components: { Gauge } })
    const { catalog, ...drawing } = (await pageWith(() => listed(info), module).found('energy')).found
    const model = new SurfaceModel({ surfaceId: 's', catalog }, [
      { op: 'create', root: 'root' },
      { op: 'upsert', id: 'root', component: { type: 'Gauge' } },
    ])
    const html = () => renderToStaticMarkup(<A2uiSurface model={model} {...drawing} />)
    expect(html()).not.toContain('is lost')
    model.setInput('root', 21)
    expect(html()).toMatch(/dial.*What was entered into Gauge is lost/)
  })

  it('A2-311 the view that the page gives comes before the module of the server', async () => {
    const { found, load } = pageWith(() => listed(info), undefined, { energy: { components: { Gauge } } })
    expect((await found('https://example.com/energy')).found.renderers).toEqual({ Gauge })
    expect(load).not.toHaveBeenCalled()
  })

  it.each([
    ['a list that does not come', () => new Response('', { status: 500 }), undefined, 'could not be loaded.'],
    [
      'no module',
      () => listed({ ...info, module: null }),
      undefined,
      'The server has no module that draws its catalog.',
    ],
    ['no function', () => listed(info), 7, 'could not be used: Its default export is no function.'],
    ['nothing given', () => listed(info), () => null, 'could not be used: Its function gives no object.'],
    ['a component that is missing', () => listed(info), () => ({}), 'has no component of this name.'],
    [
      'a module that throws',
      () => listed(info),
      () => {
        throw new Error('no energy')
      },
      'could not be used: no energy',
    ],
  ])('A2-307 each type says why it is not drawn: %s', async (_what, answer, module, reason) => {
    const { fallbacks } = (await pageWith(answer, module).found('energy')).found
    const html = renderToStaticMarkup(fallbacks!.undrawn('Gauge'))
    expect(html).toContain('The component Gauge could not be drawn.')
    expect(html).toContain(reason)
  })

  it('A2-307 what could not be loaded is asked for again after a while', async () => {
    vi.useFakeTimers()
    const answers = [new Response('', { status: 500 }), listed({ ...info, module: null })]
    const { source, fetch } = pageWith(() => answers.shift()!)
    const find = createDrawnCatalogs(source)
    const failed = await find('energy')
    expect(find('energy')).toBe(failed)
    vi.advanceTimersByTime(6_000)
    vi.useRealTimers()
    expect((await find('energy')).catalog).toBeDefined()
    expect(fetch).toHaveBeenCalledTimes(2)
  })
})
