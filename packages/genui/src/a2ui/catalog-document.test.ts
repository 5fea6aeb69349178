import type { JsonObject } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { offers } from './actions.ts'
import { basicCatalog, basicParts } from './basic-catalog.ts'
import { Catalog } from './catalog.ts'
import { catalogFromJson, catalogProblems } from './catalog-document.ts'
import { BASIC_CATALOG_ID } from './catalog-ids.ts'
import { catalogInfo } from './catalog-info.ts'
import { hidesInput } from './hidden-fields.ts'
import { a2uiPrompt } from './prompt.ts'
import { surfaceCatalog } from './surface-catalog.ts'
import { SurfaceModel } from './surface-model.ts'
import { Surfaces } from './surfaces.ts'

const catalogId = 'https://example.com/stay'
const string = { $ref: 'common_types.json#/$defs/DynamicString' }
const SeatMap: JsonObject = {
  type: 'object',
  properties: { component: { const: 'SeatMap' }, label: string, value: string, plan: string, legend: string },
  required: ['component', 'label'],
}

/** A catalog of the document, and a surface of it with this root, as the server makes it and a page that was told draws it. */
function drawn(document: JsonObject, root: JsonObject) {
  const catalog = catalogFromJson({ catalogId, components: { SeatMap }, ...document })
  const surfaces = new Surfaces({ catalogs: [basicCatalog, catalog] })
  const { results } = surfaces.apply([{ version: 'v0.9', createSurface: { surfaceId: 's', catalogId, root } }])
  const told = surfaceCatalog(JSON.parse(JSON.stringify(catalogInfo(catalog, null))), {})
  const model = new SurfaceModel({ surfaceId: 's', catalog: told }, surfaces.snapshot('s')!)
  return { catalog, results, model }
}

const traits = (given: JsonObject): JsonObject => ({ components: { SeatMap: { ...SeatMap, 'x-traits': given } } })

describe('types that the catalog of a surface has not', () => {
  const root = {
    id: 'root',
    type: 'SeatMap',
    props: { label: 'Seats' },
    children: [
      { id: 'link', type: 'Link', props: { text: 'Click', href: 'javascript:alert(1)' } },
      { id: 'pin', type: 'TextField', props: { label: 'Pin', variant: 'obscured', value: { path: '/pin' } } },
    ],
  }

  it('A2-400 they are unknown on the page as the agent is told, and nothing of them is used', () => {
    const { results, model } = drawn({}, root)
    expect(results[0]).toMatchObject({ diagnostics: [{ code: 'unknown_type' }, { code: 'unknown_type' }] })
    for (const id of ['link', 'pin'])
      expect(model.getNode(id)).toMatchObject({ unknown: true, props: {}, children: [], diagnostics: [] })
    expect(model.getNode('root')).toMatchObject({ unknown: false, children: ['link', 'pin'] })
  })

  it('A2-400 a press of one is not offered', () => {
    const catalog = catalogFromJson({ catalogId, components: { SeatMap } })
    expect(offers({ type: 'SeatMap' }, catalog, { eventType: 'click' })).toBe(true)
    expect(offers({ type: 'Button', text: 'Go' }, catalog, { eventType: 'click' })).toBe(false)
  })

  it('A2-400 a type that stands for another one is drawn as that one, with its traits', () => {
    const { TextArea, Heading } = basicParts.components!
    const own = new Catalog('mine', { components: { TextArea: TextArea!, Heading: Heading! } })
    expect([own.has('Text'), own.has('Link')]).toEqual([true, false])
    expect(own.traits('TextField').input).toBe('value')
    expect(Object.keys(catalogInfo(own, null).components)).toEqual(['TextArea', 'Heading', 'TextField', 'Text'])
  })
})

describe('a document that extends the basic catalog', () => {
  it('A2-401 it has all basic components and functions with their traits, and its own', () => {
    const link = { id: 'link', type: 'Link', props: { text: 'Click', href: 'javascript:alert(1)' } }
    const { catalog, results, model } = drawn(
      { extends: BASIC_CATALOG_ID },
      { id: 'root', type: 'Card', children: [link] },
    )
    expect(results).toMatchObject([{ ok: true }])
    expect([...catalog.components.keys()]).toEqual([...basicCatalog.components.keys(), 'SeatMap'])
    expect([...catalog.functions.keys()]).toEqual([...basicCatalog.functions.keys()])
    expect(model.getNode('link')).toMatchObject({ unknown: false, diagnostics: [{ code: 'url_scheme' }] })
    expect(model.getNode('link')?.props.href).toBeUndefined()
    expect(a2uiPrompt([basicCatalog, catalog])).toContain(`Everything of ${BASIC_CATALOG_ID}, and:`)
  })

  it('A2-401 no other catalog can be extended', () => {
    expect(catalogProblems({ catalogId, extends: 'https://example.com/other' })).toMatchObject([
      { code: 'wrong_choice', path: '/extends', message: expect.stringContaining(BASIC_CATALOG_ID) },
    ])
  })
})

describe('traits in a document', () => {
  const seat = { id: 'root', type: 'SeatMap', props: { label: 'Seat', value: { path: '/seat' }, plan: 'javascript:1' } }

  it('A2-402 they say what people edit, what is an address and what names components', () => {
    const given = traits({ input: 'value', urls: { plan: 'image' }, refs: ['legend'] })
    const { model } = drawn(given, {
      ...seat,
      props: { ...seat.props, legend: { type: 'SeatMap', props: { label: 'L' } } },
    })
    expect(model.getNode('root')).toMatchObject({ children: ['root.legend'], diagnostics: [{ code: 'url_scheme' }] })
    expect(model.getNode('root')?.props.plan).toBeUndefined()
    model.setInput('root', 'A1')
    expect(model.dataModel()).toEqual({ seat: 'A1' })
    expect(model.hidesInput('root')).toBe(false)
  })

  it('A2-402 what is typed is hidden always, or with a value of a property', () => {
    for (const hides of [true, { property: 'label', values: ['Seat'] }] as const) {
      const { catalog, model } = drawn(traits({ input: 'value', hides: hides as never }), seat)
      expect(model.hidesInput('root')).toBe(true)
      const component = { type: 'SeatMap', label: 'Seat', value: { path: '/seat' } }
      expect(hidesInput(component, catalog.traits('SeatMap'))).toBe(true)
    }
  })

  it('A2-451 what people press is disabled while its checks fail, whatever its type is called', () => {
    const checks = [{ condition: { path: '/seat' }, message: 'Choose a seat' }]
    const root = { ...seat, props: { ...seat.props, checks } } as JsonObject
    const { model } = drawn(traits({ pressed: true }), root)
    expect([model.isPressed('root'), model.isPressed('nobody')]).toEqual([true, false])
    expect(model.getNode('root')).toMatchObject({ disabled: true, errors: ['Choose a seat'] })
    model.setLocal('/seat', 'A1')
    expect(model.getNode('root')).toMatchObject({ disabled: false, errors: [] })
    const { model: shown } = drawn({}, root)
    expect([shown.isPressed('root'), shown.getNode('root')?.disabled]).toEqual([false, false])
  })

  it('A2-451 a catalog in code says of its own types that they are pressed or are Markdown', () => {
    const note = { schema: { type: 'object', properties: { text: { type: 'string' } } }, traits: { markdown: true } }
    const catalog = new Catalog(catalogId, { components: { Note: note as never } })
    const surfaces = new Surfaces({ catalogs: [catalog] })
    const at = { surfaceId: 's' }
    surfaces.apply([
      { version: 'v0.9', createSurface: { ...at, catalogId } },
      { version: 'v0.9', updateComponents: { ...at, components: [{ id: 'root', component: 'Note', text: '*x*' }] } },
    ])
    expect(surfaces.snapshot('s')).toContainEqual({
      op: 'upsert',
      id: 'root',
      component: { type: 'Note', text: '*x*', markdown: true },
    })
  })

  it.each([
    [7, '', /is not an object of traits/],
    [{ pressed: 'yes' }, '/pressed', /"yes" is not true/],
    [{ inputs: 'value' }, '/inputs', /'inputs' is no trait; traits are input, hides/],
    [{ input: 'valeu' }, '/input', /"valeu" is no property of the component/],
    [{ hides: true }, '/hides', /needs the trait 'input'/],
    [{ input: 'value', hides: 'yes' }, '/hides', /true or an object with property and values/],
    [{ input: 'value', hides: { property: 'x', values: [] } }, '/hides/property', /"x" is no property/],
    [{ urls: ['plan'] }, '/urls', /for each property/],
    [{ urls: { plan: 'picture' } }, '/urls/plan', /"picture" is not one of image, video, audio, link/],
    [{ refs: 'legend' }, '/refs', /list of names/],
    [{ refs: ['footer'] }, '/refs/0', /"footer" is no property/],
    [{ records: ['rows'] }, '/records/0', /"rows" is no property/],
    [{ aliases: { title: 'name' } }, '/aliases/title', /"name" is no property/],
  ])('A2-402 mistakes in traits are told with their place: %j', (given, path, message) => {
    expect(catalogProblems({ catalogId, ...traits(given as never) })).toMatchObject([
      { path: `/components/SeatMap/x-traits${path}`, message: expect.stringMatching(message) },
    ])
  })
})

describe('mistakes in a document', () => {
  it.each([
    [{ propertis: {} }, '/propertis', /'propertis' is not a keyword of JSON Schema/],
    [{ properties: { a: { $ref: 'common_types.json#/$defs/DynamicStrin' } } }, '/properties/a/$ref', /DynamicString,/],
    [{ properties: { a: { $ref: '#/$defs/nobody' } } }, '/properties/a/$ref', /leads nowhere in this document/],
    [{ allOf: [{ properties: { a: { typ: 'string' } } }] }, '/allOf/0/properties/a/typ', /not a keyword/],
    [{ properties: { a: 'string' } }, '/properties/a', /"string" is not a schema/],
    [{ properties: { a: { type: 'text' } } }, '/properties/a/type', /"text" is not a type/],
    [{ required: 'label' }, '/required', /not a list of names/],
    [{ properties: { a: { enum: 'x' } } }, '/properties/a/enum', /not a list of values/],
    [{ properties: { a: { pattern: '(' } } }, '/properties/a/pattern', /Invalid regular expression/],
    [{ anyOf: {} }, '/anyOf', /not a list of schemas/],
    [{ properties: [] }, '/properties', /not an object of schemas/],
  ])('A2-403 they are told with their place: %j', (schema, path, message) => {
    const document: JsonObject = { catalogId, components: { Foo: { type: 'object', ...(schema as JsonObject) } } }
    expect(catalogProblems(document)).toMatchObject([
      { path: `/components/Foo${path}`, message: expect.stringMatching(message) },
    ])
    expect(() => catalogFromJson(document)).toThrow(`/components/Foo${path}: `)
  })

  it('A2-403 functions and definitions are read too, and a legal document has none', () => {
    const broken = { properties: { args: { propertys: {} } } }
    expect(catalogProblems({ catalogId, functions: { f: broken }, $defs: { d: { typ: 1 } } })).toMatchObject([
      { path: '/$defs/d/typ' },
      { path: '/functions/f/properties/args/propertys' },
    ])
    const fine: JsonObject = { ...SeatMap, 'x-note': 1, $comment: 'c', examples: [{}], minProperties: 1 }
    expect(catalogProblems({ catalogId, components: { SeatMap: fine, Any: {} } })).toEqual([])
    expect(catalogProblems({ catalogId, components: [] })).toMatchObject([{ path: '/components' }])
    expect(catalogProblems({ catalogId, components: { A: true } })).toMatchObject([{ path: '/components/A' }])
  })
})

describe('input into what is no input', () => {
  it('A2-404 it is told once, on the component and to whoever made the model', () => {
    const { catalog, model: source } = drawn({}, { id: 'root', type: 'SeatMap', props: { label: 'Seat' } })
    const told: string[] = []
    const model = new SurfaceModel({ surfaceId: 's', catalog, onDiagnostic: ({ code }) => told.push(code) })
    model.apply([
      { op: 'create', root: 'root' },
      { op: 'upsert', id: 'root', component: { type: 'SeatMap', label: source.getNode('root')!.props.label! } },
    ])
    expect(model.getNode('root')?.diagnostics).toEqual([])
    let changes = 0
    model.subscribe('root', () => changes++)
    model.setInput('root', 'A1')
    expect(model.getNode('root')?.diagnostics).toMatchObject([{ code: 'not_an_input', componentId: 'root' }])
    const after = model.getNode('root')
    model.setInput('root', 'A2')
    expect(model.getNode('root')).toBe(after)
    expect(told).toEqual(['not_an_input'])
    expect(changes).toBeGreaterThan(0)
  })
})
