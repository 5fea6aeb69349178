import type { JsonObject } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../hints/tokens.ts'
import { basicCatalog, basicParts } from './basic-catalog.ts'
import { Catalog } from './catalog.ts'
import { catalogFromJson } from './catalog-document.ts'
import { catalogInfo, catalogOfInfo } from './catalog-info.ts'
import { hidesInput } from './hidden-fields.ts'
import { a2uiPrompt } from './prompt.ts'
import { surfaceCatalog } from './surface-catalog.ts'
import { SurfaceModel } from './surface-model.ts'
import { Surfaces } from './surfaces.ts'
import { a2uiTool } from './tool.ts'

const string = { $ref: 'https://a2ui.org/specification/v0_9/common_types.json#/$defs/DynamicString' }
const number = { $ref: 'common_types.json#/$defs/DynamicNumber' }

/** A public catalog document: two types of its own, and two that have the names of basic ones. */
const document: JsonObject = {
  catalogId: 'https://example.com/energy',
  components: {
    Gauge: {
      type: 'object',
      description: 'A dial.',
      allOf: [
        {
          properties: {
            component: { const: 'Gauge' },
            value: number,
            tone: { enum: ['calm', 'alarm'] },
            footer: { $ref: 'common_types.json#/$defs/ComponentId' },
          },
          required: ['component', 'value'],
        },
      ],
    },
    Link: { type: 'object', properties: { component: { const: 'Link' }, text: string, href: string } },
    TextField: {
      type: 'object',
      properties: { component: { const: 'TextField' }, label: string, value: string, variant: { type: 'string' } },
    },
  },
  functions: {
    toKelvin: {
      type: 'object',
      description: 'Kelvin from Celsius.',
      properties: {
        call: { const: 'toKelvin' },
        args: { type: 'object', properties: { value: number }, required: ['value'] },
        returnType: { const: 'number' },
      },
    },
    formatNumber: { properties: { returnType: { const: 'string' }, args: { properties: { value: number } } } },
  },
}
const catalog = catalogFromJson(document)
const catalogId = 'https://example.com/energy'

/** A surface of the catalog with these components of the public form, as operations. */
function drawn(...components: JsonObject[]) {
  const surfaces = new Surfaces({ catalogs: [basicCatalog, catalog] })
  const create = { version: 'v0.9', createSurface: { surfaceId: 's', catalogId } }
  const { results } = surfaces.apply([create, { version: 'v0.9', updateComponents: { surfaceId: 's', components } }])
  return { results, ops: surfaces.snapshot('s')! }
}
const kelvin = { call: 'toKelvin', args: { value: 20 } }

describe('catalogs of a host', () => {
  it('A2-300 a type of a public document that has the name of a basic one has the traits of that one', () => {
    const { results, ops } = drawn(
      { id: 'root', component: 'Link', text: 'Click', href: 'javascript:alert(1)' },
      { id: 'pin', component: 'TextField', label: 'Pin', value: { path: '/pin' }, variant: 'obscured' },
    )
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    const model = new SurfaceModel({ surfaceId: 's', catalog }, ops)
    expect(model.getNode('root')?.props.href).toBeUndefined()
    expect(model.getNode('root')?.diagnostics).toMatchObject([{ code: 'url_scheme' }])
    expect(hidesInput({ type: 'TextField', variant: 'obscured' }, catalog.traits('TextField'))).toBe(true)
  })

  it('A2-300 traits that a catalog gives count alone, and hide what is typed into fields of its own', () => {
    const traits = { input: 'code', hides: { property: 'secret', values: [true] } }
    const own = new Catalog('mine', {
      components: { Keypad: { schema: {}, traits }, Link: { schema: {}, traits: {} } },
    })
    expect(own.traits('Link').urls).toBeUndefined()
    const pad = { type: 'Keypad', secret: true, code: { path: '/code' } }
    expect([own, basicCatalog].map(one => hidesInput(pad, one.traits('Keypad')))).toEqual([true, false])
  })

  it('A2-308 a function that throws or has no code leaves its value empty, and says so', () => {
    const gauge = { id: 'root', component: 'Gauge', value: kelvin }
    const { ops } = drawn(gauge)
    const withoutCode = new SurfaceModel({ surfaceId: 's', catalog }, ops).getNode('root')!
    expect(withoutCode.props.value).toBeUndefined()
    expect(withoutCode.diagnostics).toMatchObject([
      { code: 'function_failed', message: expect.stringContaining("'toKelvin' has no code here") },
    ])
    const toKelvin = () => {
      throw new Error('no thermometer')
    }
    const info = catalogInfo(catalog, null)
    const throwing = new SurfaceModel({ surfaceId: 's', catalog: surfaceCatalog(info, { toKelvin }) }, ops)
    expect(throwing.getNode('root')!.diagnostics).toMatchObject([{ message: 'Error: no thermometer' }])
  })

  it('A2-303 what a page is told of a catalog is plain data, and with the code of the page it draws the same', () => {
    const info = catalogInfo(catalog, '/api/catalogs/modules/1.js')
    expect(JSON.parse(JSON.stringify(info))).toEqual(info)
    expect(info).toMatchObject({
      ids: [catalogId],
      module: '/api/catalogs/modules/1.js',
      components: { Gauge: {}, Link: { urls: { href: 'link' } }, TextField: { input: 'value' } },
      functions: { toKelvin: { returnType: 'number', effect: false } },
    })
    const { ops } = drawn({ id: 'root', component: 'Gauge', value: kelvin })
    const told = surfaceCatalog(info, { toKelvin: ({ value }) => Number(value) + 273 })
    expect(new SurfaceModel({ surfaceId: 's', catalog: told }, ops).getNode('root')?.props.value).toBe(293)
    // A basic function has its code on every page.
    const text = { call: 'formatNumber', args: { value: 2000 } }
    const more = drawn({ id: 'root', component: 'Gauge', value: text })
    const model = new SurfaceModel({ surfaceId: 's', locale: 'en', catalog: told }, more.ops)
    expect(model.getNode('root')?.props.value).toBe('2,000')
  })

  it('A2-407 a page that was told of a catalog checks with it as the server does', () => {
    const info = catalogInfo(catalog, null)
    const again = catalogOfInfo(JSON.parse(JSON.stringify(info)))
    expect(a2uiPrompt([basicCatalog, again])).toBe(a2uiPrompt([basicCatalog, catalog]))
    const more = new Catalog('mine', basicParts, { components: { Gauge: { schema: {} } } })
    expect(Object.keys(catalogInfo(more, null).components.Text!)).not.toContain('schema')
    expect(a2uiPrompt([basicCatalog, catalogOfInfo(catalogInfo(more, null))])).toBe(a2uiPrompt([basicCatalog, more]))
  })

  it('A2-303 even the basic catalog can be told as data', () => {
    expect(catalogInfo(basicCatalog, null).components.Heading).toEqual({ aliases: { value: 'text' } })
  })
})

describe('the prompt of the tool', () => {
  it('A2-302 it names every catalog with its components and functions', () => {
    const prompt = a2uiPrompt([basicCatalog, catalog])
    expect(prompt).toContain('## Catalog https://example.com/energy')
    expect(prompt).toContain('- Gauge: A dial. {value: number, tone?: calm|alarm, footer?: component}')
    expect(prompt).toContain('- toKelvin(value: number): Kelvin from Celsius.')
  })

  it('A2-302 it does not tell again what the first catalog has told', () => {
    const more = new Catalog('mine', basicParts, { components: { Gauge: { description: 'A dial.', schema: {} } } })
    const prompt = a2uiPrompt([basicCatalog, more])
    expect(prompt).toContain(`Everything of ${basicCatalog.ids[0]}, and:`)
    expect(prompt.match(/^- Column:/gm)).toHaveLength(1)
    expect(prompt).toContain('- Gauge: A dial.')
    expect(estimateTokens(prompt) - estimateTokens(a2uiPrompt())).toBeLessThan(60)
  })

  it('A2-408 of components and functions of a host it tells types, what is optional, and what they are for', () => {
    const string = { $ref: 'common_types.json#/$defs/DynamicString' }
    const list = { $ref: 'common_types.json#/$defs/DynamicStringList', description: 'All seats, such as A1.' }
    const point = {
      type: 'object',
      properties: { x: { type: 'number' }, y: { type: ['number', 'null'] } },
      required: ['x'],
    }
    const properties = {
      component: { const: 'SeatMap' },
      label: string,
      seats: list,
      value: string,
      size: { enum: ['s', 'l'] },
      marks: { type: 'array', items: { $ref: '#/$defs/point' } },
      free: { anyOf: [{ type: 'boolean' }, string] },
      legend: { $ref: 'common_types.json#/$defs/ComponentId' },
      extra: {},
    }
    const seats = catalogFromJson({
      catalogId: 'https://example.com/stay',
      extends: basicCatalog.ids[0]!,
      components: {
        SeatMap: {
          description: 'A plan of the seats.',
          allOf: [{ properties }, { $ref: 'common_types.json#/$defs/Checkable' }],
          required: ['component', 'label', 'seats'],
          'x-traits': { input: 'value' },
        },
      },
      functions: { count: { properties: { args: { properties: { of: list }, required: ['of'] } } } },
      $defs: { point },
    })
    const prompt = a2uiPrompt([basicCatalog, seats])
    expect(prompt).toContain(
      '- SeatMap: A plan of the seats. {label: string, seats: string[] (All seats, such as A1), value?: string (people edit it), size?: s|l, marks?: {x: number, y?: number|null}[], free?: boolean|string, legend?: component, extra?: any, checks?: check[]}',
    )
    expect(prompt).toMatch(/^- count\(of: string\[\] \(All seats, such as A1\)\)$/m)
    expect(prompt).toContain(`Everything of ${basicCatalog.ids[0]}, and:`)
  })

  it('A2-408 it names the forms of basic properties that nobody could guess', () => {
    for (const form of ['options [{"value", "label"}]', 'columns [{"key"', 'tabs [{"title", "child"}]', '"message"}]'])
      expect(a2uiPrompt()).toContain(form)
  })

  it('A2-313 it shows what a pressed button sends, as the agent will get it', () => {
    const [, line = ''] = /\[a2ui\.action\]\n(\{.*\})\n/.exec(a2uiPrompt()) ?? []
    expect(JSON.parse(line)).toEqual({
      surfaceId: expect.any(String),
      componentId: expect.any(String),
      eventType: 'click',
      payload: { values: expect.any(Object) },
      name: expect.any(String),
      context: expect.any(Object),
    })
  })

  it('A2-313 it names the ask tool only where there is one', () => {
    expect(a2uiPrompt()).not.toMatch(/ask tool/)
    expect(a2uiPrompt(undefined, { ask: true })).toMatch(/use the ask tool instead/)
  })

  it('A2-314 prompt and tool cost at most half of what the prompt of OpenUI Lang costs', () => {
    // Counted once from @openuidev/react-ui 0.12.1 (bench/ui-schema/run.ts).
    expect(estimateTokens(a2uiPrompt()) + estimateTokens(JSON.stringify(a2uiTool))).toBeLessThan(5107 / 2)
  })
})
