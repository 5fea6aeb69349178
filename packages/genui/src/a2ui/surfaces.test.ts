// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
import type { Json, JsonObject, SurfaceOp } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { basicParts } from './basic-catalog.ts'
import { Catalog } from './catalog.ts'
import { BASIC_CATALOG_ID, BASIC_CATALOG_IDS } from './catalog-ids.ts'
import { a2uiPrompt } from './prompt.ts'
import { SurfaceModel } from './surface-model.ts'
import { Surfaces } from './surfaces.ts'
import { a2uiTool, a2uiToolResult } from './tool.ts'

const create = (root: Json, dataModel: JsonObject = {}, surfaceId = 's'): JsonObject => ({
  version: 'v0.9',
  createSurface: { surfaceId, catalogId: BASIC_CATALOG_ID, root, dataModel },
})
const update = (body: JsonObject, surfaceId = 's'): JsonObject => ({
  version: 'v0.9',
  updateComponents: { surfaceId, ...body },
})
const data = (body: JsonObject, surfaceId = 's'): JsonObject => ({
  version: 'v0.9',
  updateDataModel: { surfaceId, ...body },
})
const column = (...children: Json[]): JsonObject => ({ id: 'root', type: 'Column', children })
const text = (id: string, value: Json = id): JsonObject => ({ id, type: 'Text', props: { text: value } })

function ops(surfaces: Surfaces, envelope: JsonObject): SurfaceOp[] {
  const result = surfaces.apply([envelope]).results[0]!
  if (!result.ok) throw new Error(`${result.code} ${result.path} ${result.error}`)
  return result.ops
}
const failure = (surfaces: Surfaces, envelope: unknown) => {
  const before = JSON.stringify(surfaces.ids.map(id => surfaces.snapshot(id)))
  const result = surfaces.apply([envelope]).results[0]!
  expect(result.ok).toBe(false)
  expect(JSON.stringify(surfaces.ids.map(id => surfaces.snapshot(id)))).toBe(before)
  return result as Extract<typeof result, { ok: false }>
}
const started = (...children: Json[]) => {
  const surfaces = new Surfaces()
  ops(surfaces, create(column(...children), { n: 1 }))
  return surfaces
}

describe('envelopes', () => {
  it('A2-06 v0.9 and v0.9.1 are accepted, anything else is a version_mismatch', () => {
    for (const version of ['v0.9', 'v0.9.1'])
      expect(new Surfaces().apply([{ ...create(column()), version }]).applied).toBe(1)
    for (const version of ['v0.8', 'v1.0', '0.9', 9, null, undefined])
      expect(failure(new Surfaces(), { ...create(column()), version })).toMatchObject({
        code: 'version_mismatch',
        path: '/version',
      })
  })
  it('A2-120 the place of a problem is a JSON pointer, whatever the property is called', () => {
    const components = [{ id: 'root', component: 'Text', text: 'Hello', 'a/b~c': 1 }]
    const envelope = { version: 'v0.9', updateComponents: { surfaceId: 's', components } }
    expect(failure(started(), envelope).path).toBe('/updateComponents/components/0/a~1b~0c')
  })
  it('A2-07 exactly one kind', () => {
    expect(failure(started(), { version: 'v0.9' }).code).toBe('invalid_envelope')
    expect(failure(started(), { ...create(column()), ...data({ value: {} }) }).code).toBe('invalid_envelope')
    for (const odd of [null, 7, 'text', []]) expect(failure(started(), odd).code).toBe('invalid_envelope')
  })
  it('A2-08 A2-61 createSurface makes a named surface with its tree and data', () => {
    const surfaces = new Surfaces()
    expect(ops(surfaces, create(column(text('a')), { x: 1 }))).toEqual([
      { op: 'create', root: 'root', catalogId: BASIC_CATALOG_ID },
      { op: 'upsert', id: 'root', component: { type: 'Column', children: ['a'] } },
      { op: 'upsert', id: 'a', component: { type: 'Text', text: 'a' } },
      { op: 'set', path: '', value: { x: 1 } },
    ])
    expect(surfaces.ids).toEqual(['s'])
  })
  it('A2-09 A2-63 updateComponents adds and replaces by id', () => {
    const surfaces = started(text('a'))
    expect(ops(surfaces, update({ components: [text('a', 'new'), text('b')] }))).toEqual([
      { op: 'upsert', id: 'b', component: { type: 'Text', text: 'b' } },
      { op: 'upsert', id: 'a', component: { type: 'Text', text: 'new' } },
    ])
  })
  it('A2-10 replace exchanges a subtree', () => {
    const surfaces = started({ id: 'card', type: 'Card', children: [text('old'), text('kept')] })
    const changes = ops(
      surfaces,
      update({ replace: { id: 'card', component: { type: 'Card', children: [text('kept', 'k2'), text('new')] } } }),
    )
    expect(changes.filter(op => op.op === 'delete')).toEqual([{ op: 'delete', id: 'old' }])
    expect(surfaces.inspect('s')).toEqual([])
    expect(failure(surfaces, update({ replace: { id: 'none', component: text('x') } })).code).toBe('unknown_component')
  })
  it('A2-11 delete removes components, what only they held, and every mention of them', () => {
    const surfaces = started(text('a'), { id: 'card', type: 'Card', children: [text('inner')] })
    expect(ops(surfaces, update({ delete: ['card'] }))).toEqual([
      { op: 'upsert', id: 'root', component: { type: 'Column', children: ['a'] } },
      { op: 'delete', id: 'card' },
      { op: 'delete', id: 'inner' },
    ])
    expect(surfaces.inspect('s')).toEqual([])
    expect(failure(surfaces, update({ delete: ['a', 'card'] }))).toMatchObject({
      code: 'unknown_component',
      path: '/updateComponents/delete/1',
    })
    expect(failure(surfaces, update({ delete: ['root'] })).code).toBe('validation_failed')
  })
  it('A2-123 a child sent for a deleted parent is kept and reported, not drawn', () => {
    const surfaces = started({ id: 'card', type: 'Card', children: [text('inner')] })
    ops(surfaces, update({ delete: ['card'] }))
    ops(surfaces, update({ components: [text('inner', 'late')] }))
    expect(surfaces.inspect('s')).toMatchObject([{ code: 'unreachable_component', componentId: 'inner' }])
  })
  it('A2-12 A2-62 updateDataModel writes at a pointer; without a value the path is deleted', () => {
    const surfaces = started()
    expect(ops(surfaces, data({ path: '/a/b', value: 1 }))).toEqual([{ op: 'set', path: '/a/b', value: 1 }])
    expect(ops(surfaces, data({ path: '/n' }))).toEqual([{ op: 'set', path: '/n' }])
    expect(ops(surfaces, data({ path: '/', value: { x: 2 } }))).toEqual([{ op: 'set', path: '', value: { x: 2 } }])
    expect(failure(surfaces, data({ path: '/x/y', value: 1 })).code).toBe('invalid_path')
    expect(failure(surfaces, data({ path: '/~7', value: 1 })).code).toBe('invalid_path')
  })
  it('A2-13 A2-64 deleteSurface removes it', () => {
    const surfaces = started()
    expect(ops(surfaces, { version: 'v0.9', deleteSurface: { surfaceId: 's' } })).toEqual([{ op: 'remove' }])
    expect(failure(surfaces, data({ path: '/a', value: 1 }))).toMatchObject({ code: 'unknown_surface', surfaceId: 's' })
  })
  it('A2-65 A2-105 createSurface for a live id replaces it in place', () => {
    const surfaces = started(text('a'))
    ops(surfaces, create(column(text('b')), { other: 1 }))
    expect(surfaces.ids).toEqual(['s'])
    expect(surfaces.snapshot('s')).toContainEqual({ op: 'set', path: '', value: { other: 1 } })
    expect(JSON.stringify(surfaces.snapshot('s'))).not.toContain('"id":"a"')
  })
  it('A2-66 the result counts and explains', () => {
    const surfaces = new Surfaces()
    const result = surfaces.apply({
      envelopes: [create(column()), data({ value: 1 }, 'none'), data({ path: '/a', value: 1 })],
    })
    expect(result).toMatchObject({
      applied: 2,
      failed: 1,
      results: [{ ok: true }, { ok: false, code: 'unknown_surface' }, { ok: true }],
    })
    expect(surfaces.apply(JSON.stringify([create(column())])).applied).toBe(1)
    expect(surfaces.apply(create(column())).applied).toBe(1)
  })
  it('A2-104 a failing envelope changes nothing of its surface, the others apply', () => {
    const surfaces = started(text('a'))
    failure(
      surfaces,
      update({
        components: [text('new'), text('a', 'changed'), { id: 'bad', type: 'Heading', props: { text: 'x', level: 9 } }],
      }),
    )
    failure(surfaces, update({ delete: ['a'], components: [text('b'), text('b')] }))
    failure(surfaces, create({ id: 'r', type: 'Column', children: [text('x'), text('x')] }))
    expect(ops(surfaces, data({ path: '/n', value: 2 }))).toHaveLength(1)
  })
  it('A2-67 errors say what was rejected and what to do', () => {
    const surfaces = started()
    expect(failure(surfaces, data({ value: 1 }, 'gone')).error).toMatch(
      /no surface 'gone' \(live surfaces: s\).*createSurface/,
    )
    expect(failure(surfaces, { ...create(column()), version: 'v2' }).error).toMatch(/"v2".*"v0.9"/)
    expect(
      failure(surfaces, update({ components: [{ id: 'b', component: 'Text', text: 'x', colour: 'red' }] })),
    ).toMatchObject({
      code: 'validation_failed',
      path: '/updateComponents/components/0/colour',
      error: expect.stringMatching(/Text 'b'.*'colour'.*known are/),
    })
    expect(failure(surfaces, create(column({ id: 'h', type: 'Heading', props: { level: 9 } })))).toMatchObject({
      path: '/createSurface/root/children/0/props/level',
    })
  })
  it('A2-68 the incremental example of the document', () => {
    const surfaces = new Surfaces()
    const model = new SurfaceModel({ surfaceId: 'counter' })
    const label = { id: 'label', type: 'Heading', props: { text: { formatString: 'Count: ${/count}' }, level: 2 } }
    model.apply(ops(surfaces, create(column(label), { count: 0 }, 'counter')))
    expect(model.getNode('label')?.props).toEqual({ text: 'Count: 0', variant: 'h2' })
    model.apply(ops(surfaces, data({ path: '/count', value: 3 }, 'counter')))
    expect(model.getNode('label')?.props.text).toBe('Count: 3')
    model.apply(ops(surfaces, { version: 'v0.9', deleteSurface: { surfaceId: 'counter' } }))
    expect(model.getSurface().root).toBeUndefined()
    expect(model.live).toEqual({ subscriptions: 0, nodes: 0 })
  })
  it('A2-69 A2-15 the order example of the document, with its theme', () => {
    const surfaces = new Surfaces()
    const changes = ops(surfaces, {
      version: 'v0.9',
      createSurface: {
        surfaceId: 'order-confirmation',
        catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json',
        theme: { primaryColor: '#0f766e' },
        root: column(
          { id: 'title', type: 'Heading', props: { text: 'Order placed', level: 2 } },
          { id: 'total', type: 'Text', props: { text: { formatString: 'Total: $${/amountUsd}' } } },
          { id: 'thanks', type: 'Paragraph', props: { text: "We'll email a receipt shortly." } },
        ),
        dataModel: { amountUsd: 42.37 },
      },
    })
    const model = new SurfaceModel({ surfaceId: 'order-confirmation' }, changes)
    expect(model.getSurface().theme).toEqual({ primaryColor: '#0f766e' })
    expect(model.getNode('root')?.children.map(id => model.getNode(id)?.props.text)).toEqual([
      'Order placed',
      'Total: $42.37',
      "We'll email a receipt shortly.",
    ])
  })
  it('A2-104 the state is rebuilt from its operations', () => {
    const surfaces = started(text('a'), text('b'))
    const log = surfaces.snapshot('s')!
    const changes = [...ops(surfaces, update({ delete: ['a'] })), ...ops(surfaces, data({ path: '/list', value: [1] }))]
    const again = new Surfaces()
    again.fold('s', [...log, ...changes])
    expect(again.snapshot('s')).toEqual(surfaces.snapshot('s'))
    again.fold('s', [{ op: 'remove' }])
    expect(again.ids).toEqual([])
  })
  it('A2-112 a person’s edits become facts', () => {
    const surfaces = started({ id: 'f', type: 'TextField', props: { label: 'Name' } })
    expect(surfaces.accept('s', { '/n': 5, '#f': 'Ada', '#none': 1 })).toMatchObject({
      ok: true,
      ops: [
        { op: 'set', path: '/n', value: 5 },
        { op: 'upsert', id: 'f', component: { type: 'TextField', label: 'Name', value: 'Ada', emits: true } },
      ],
    })
    expect(surfaces.accept('none', {})).toMatchObject({ ok: false, code: 'unknown_surface' })
  })
})

describe('A2-101 two forms become one flat form', () => {
  const flat = (component: JsonObject) => {
    const surfaces = new Surfaces()
    ops(surfaces, create(column()))
    return Object.fromEntries(
      ops(surfaces, update({ components: [component] })).map(op => (op.op === 'upsert' ? [op.id, op.component] : [])),
    )
  }

  it('A2-90 A2-102 the types of the document are read, with their aliases', () => {
    const cases: [JsonObject, JsonObject][] = [
      [
        { type: 'Text', props: { value: 'x' } },
        { type: 'Text', text: 'x' },
      ],
      [
        { type: 'Paragraph', props: { text: 'x' } },
        { type: 'Text', text: 'x', variant: 'body' },
      ],
      [
        { type: 'Heading', props: { text: 'x', level: 6 } },
        { type: 'Text', text: 'x', variant: 'h6' },
      ],
      [
        { type: 'Heading', props: { text: 'x', level: { path: '/l' } } },
        { type: 'Text', text: 'x', variant: { concat: ['h', { path: '/l' }] } },
      ],
      [
        { type: 'Stack', props: { justify: 'center', align: 'end' }, children: [] },
        { type: 'Stack', justify: 'center', align: 'end', children: [] },
      ],
      [{ type: 'Divider' }, { type: 'Divider' }],
      [{ type: 'Spacer' }, { type: 'Spacer' }],
      [
        { type: 'List', props: { ordered: true }, children: [] },
        { type: 'List', ordered: true, children: [] },
      ],
      [
        { type: 'Button', props: { label: 'Go' } },
        { type: 'Button', text: 'Go' },
      ],
      [
        { type: 'TextField', props: { label: 'L', placeholder: 'P', value: 'v' } },
        { type: 'TextField', label: 'L', placeholder: 'P', value: 'v', emits: true },
      ],
      [
        { type: 'TextArea', props: { label: 'L', rows: 4 } },
        { type: 'TextField', label: 'L', rows: 4, variant: 'longText', emits: true },
      ],
      [
        { type: 'Checkbox', props: { label: 'L', value: true } },
        { type: 'Checkbox', label: 'L', value: true, emits: true },
      ],
      [
        { type: 'Select', props: { options: [{ value: 1, label: 'one' }], value: 1 } },
        { type: 'Select', options: [{ value: 1, label: 'one' }], value: 1, emits: true },
      ],
      [
        { type: 'Link', props: { text: 'x', href: 'https://a.b' } },
        { type: 'Link', text: 'x', href: 'https://a.b' },
      ],
      [
        { type: 'ProgressBar', props: { value: 1, max: 4, label: 'L' } },
        { type: 'ProgressBar', value: 1, max: 4, label: 'L' },
      ],
      [
        { type: 'Badge', props: { text: 'x', tone: 'danger' } },
        { type: 'Badge', text: 'x', tone: 'danger' },
      ],
      [
        { type: 'Table', props: { columns: [{ key: 'a', label: 'A' }], rows: [{ a: 1 }] } },
        { type: 'Table', columns: [{ key: 'a', label: 'A' }], rows: [{ a: 1 }] },
      ],
      [
        { type: 'Image', props: { src: 'https://a.b/c.png', alt: 'A' } },
        { type: 'Image', url: 'https://a.b/c.png', description: 'A' },
      ],
    ]
    for (const [component, expected] of cases) expect(flat({ id: 'x', ...component }).x).toEqual(expected)
  })
  it('A2-102 Checkbox and CheckBox, src and url are one thing', () => {
    expect(flat({ id: 'x', component: 'CheckBox', label: 'L', value: true }).x).toEqual({
      type: 'Checkbox',
      label: 'L',
      value: true,
    })
    expect(flat({ id: 'x', component: 'Image', url: 'u:x', description: 'A' }).x).toEqual({
      type: 'Image',
      url: 'u:x',
      description: 'A',
    })
    expect(flat({ id: 'x', component: 'Image', src: 'u:x' }).x).toEqual({ type: 'Image', url: 'u:x' })
  })
  it('A2-102 catalog ids of both documents are accepted, another one is a warning', () => {
    for (const catalogId of BASIC_CATALOG_IDS)
      expect(
        new Surfaces().apply([{ version: 'v0.9', createSurface: { surfaceId: 's', catalogId } }]).results[0],
      ).not.toHaveProperty('diagnostics')
    expect(
      new Surfaces().apply([{ version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'x' } }]).results[0],
    ).toMatchObject({
      diagnostics: [{ code: 'unknown_catalog' }],
    })
  })
  it('A2-101 inline children become components, with names of their own when they have none', () => {
    expect(
      flat({
        id: 'x',
        type: 'Card',
        children: [{ type: 'Text', props: { text: 'a' } }, 'y', { id: 'z', component: 'Divider' }],
      }),
    ).toEqual({
      x: { type: 'Card', children: ['x.0', 'y', 'z'] },
      'x.0': { type: 'Text', text: 'a' },
      z: { type: 'Divider' },
    })
    expect(flat({ id: 'x', type: 'Tabs', props: { tabs: [{ title: 'T', child: text('t') }] } })).toMatchObject({
      x: { type: 'Tabs', tabs: [{ title: 'T', child: 't' }] },
      t: { text: 't' },
    })
    expect(
      flat({ id: 'x', type: 'Modal', trigger: { type: 'Button', props: { text: 'open' } }, content: text('c') }),
    ).toMatchObject({
      x: { trigger: 'x.trigger', content: 'c' },
    })
  })
  it('A2-107 only the public Text takes markdown', () => {
    expect(flat({ id: 'x', component: 'Text', text: '**b**' }).x).toHaveProperty('markdown', true)
    expect(flat({ id: 'x', type: 'Text', props: { text: '**b**' } }).x).not.toHaveProperty('markdown')
  })
  it('A2-107 what the engine says about a component cannot be forged, and a property may be called type', () => {
    expect(flat({ id: 'x', type: 'Text', props: { text: 'x', markdown: true, emits: true } }).x).toEqual({
      type: 'Text',
      text: 'x',
    })
    expect(flat({ id: 'x', type: 'Chart', props: { type: 'pie' } }).x).toEqual({ type: 'Chart', $type: 'pie' })
    const model = new SurfaceModel({ surfaceId: 's' }, [
      { op: 'create', root: 'x' },
      { op: 'upsert', id: 'x', component: { type: 'Chart', $type: 'pie' } },
    ])
    expect(model.getNode('x')).toMatchObject({ type: 'Chart', props: { type: 'pie' } })
  })
  it('A2-32 an unknown type is accepted, with a warning', () => {
    const surfaces = started()
    expect(
      surfaces.apply([update({ components: [{ id: 'x', type: 'Gauge', props: { value: 1 } }] })]).results[0],
    ).toMatchObject({
      ok: true,
      diagnostics: [{ code: 'unknown_type', path: '/updateComponents/components/0' }],
    })
  })
})

describe('A2-106 A2-52 limits', () => {
  const limited = (limits: object) => {
    const surfaces = new Surfaces({ limits })
    ops(surfaces, create(column(), { keep: 1 }))
    return surfaces
  }
  const chain = (length: number): JsonObject[] =>
    Array.from({ length }, (_, i) => ({ id: `c${i}`, component: 'Card', child: `c${i + 1}` }))

  it('A2-52 depth, in one envelope, across envelopes and inline', () => {
    expect(failure(started(), update({ components: chain(64) })).code).toBe('too_deep')
    const surfaces = started()
    ops(surfaces, update({ components: chain(60) }))
    expect(
      failure(
        surfaces,
        update({
          components: [1, 2, 3, 4].map(i => ({ id: `p${i}`, component: 'Card', child: i === 1 ? 'c0' : `p${i - 1}` })),
        }),
      ).code,
    ).toBe('too_deep')
    let nested: JsonObject = text('end')
    for (let i = 0; i < 70; i++) nested = { id: `n${i}`, type: 'Card', children: [nested] }
    expect(failure(started(), create(nested)).code).toBe('too_deep')
    let deep: Json = 1
    for (let i = 0; i < 5000; i++) deep = { deep }
    expect(failure(started(), data({ path: '/x', value: deep })).code).toBe('too_deep')
  })
  it('A2-106 number of components', () => {
    expect(failure(limited({ components: 3 }), update({ components: [text('a'), text('b'), text('c')] })).code).toBe(
      'too_many_components',
    )
    expect(failure(started(), update({ components: Array.from({ length: 5000 }, (_, i) => text(`t${i}`)) })).code).toBe(
      'too_many_components',
    )
  })
  it('A2-52 length of a string, in bytes', () => {
    const surfaces = started()
    ops(surfaces, data({ path: '/x', value: 'x'.repeat(32 * 1024) }))
    expect(failure(surfaces, data({ path: '/x', value: 'x'.repeat(32 * 1024 + 1) })).code).toBe('string_too_long')
    expect(failure(surfaces, data({ path: '/x', value: 'é'.repeat(17_000) })).code).toBe('string_too_long')
    expect(failure(surfaces, update({ components: [text('a', 'x'.repeat(40_000))] })).code).toBe('string_too_long')
  })
  it('A2-106 resolved state, over many small writes too', () => {
    const surfaces = limited({ stateBytes: 2000 })
    for (let i = 0; i < 50; i++) ops(surfaces, data({ path: '/same', value: 'x'.repeat(500) }))
    expect(failure(surfaces, data({ path: '/more', value: 'x'.repeat(1600) })).code).toBe('state_too_large')
    ops(surfaces, data({ path: '/same' }))
    ops(surfaces, data({ path: '/more', value: 'x'.repeat(1600) }))
  })
  it('A2-106 number of surfaces', () => {
    const surfaces = new Surfaces()
    for (let i = 0; i < 64; i++) ops(surfaces, create(column(), {}, `s${i}`))
    expect(failure(surfaces, create(column(), {}, 'more')).code).toBe('too_many_surfaces')
    ops(surfaces, create(column(), {}, 's3'))
  })
  it('A2-123 calls in calls', () => {
    let value: Json = true
    for (let i = 0; i < 40; i++) value = { call: 'not', args: { value } }
    expect(failure(started(), update({ components: [{ id: 'x', type: 'Checkbox', props: { value } }] })).code).toBe(
      'too_deep',
    )
  })
})

describe('A2-123 hostile input', () => {
  it('A2-123 cycles and duplicate ids', () => {
    expect(failure(started(), update({ components: [{ id: 'a', component: 'Card', child: 'a' }] })).code).toBe(
      'circular_reference',
    )
    const surfaces = started()
    ops(surfaces, update({ components: [{ id: 'a', component: 'Card', child: 'b' }] }))
    expect(failure(surfaces, update({ components: [{ id: 'b', component: 'Row', children: ['c', 'a'] }] })).code).toBe(
      'circular_reference',
    )
    expect(
      failure(
        surfaces,
        update({ components: [{ id: 'b', component: 'List', children: { componentId: 'a', path: '/x' } }] }),
      ).code,
    ).toBe('circular_reference')
    expect(
      failure(surfaces, update({ components: [text('d'), { id: 'e', type: 'Card', children: [text('d')] }] })).code,
    ).toBe('duplicate_id')
  })
  it('A2-123 keys and pointers that reach for a prototype', () => {
    const surfaces = started()
    const hostile = JSON.parse('{"__proto__": {"polluted": true}}')
    expect(failure(surfaces, data({ path: '/x', value: hostile })).code).toBe('forbidden_key')
    expect(failure(surfaces, data({ path: '/__proto__/polluted', value: true })).code).toBe('invalid_path')
    expect(failure(surfaces, create(column(), hostile)).code).toBe('forbidden_key')
    expect(failure(surfaces, update({ components: [{ id: 'x', type: 'Text', props: hostile }] })).code).toBe(
      'forbidden_key',
    )
    expect(failure(surfaces, update({ components: [text('x', { path: '/__proto__/x' })] })).code).toMatch(
      /invalid_path|validation_failed/,
    )
    expect(failure(surfaces, update({ components: [{ id: '__proto__', type: 'Text' }] })).code).toBe('forbidden_key')
    ops(surfaces, data({ path: '/constructor/prototype/polluted', value: true }))
    expect(({} as JsonObject).polluted).toBeUndefined()
    // Every object inherits a `valueOf`; it is no other name of a property.
    const odd = { type: 'Text', text: 'x', valueOf: 'y' }
    expect(ops(surfaces, update({ components: [{ id: 'x', ...odd }] }))).toEqual([
      { op: 'upsert', id: 'x', component: odd },
    ])
  })
  it('A2-123 wrong types everywhere are refused, never thrown', () => {
    const odd: unknown[] = [null, 1, 'x', [], {}, true]
    for (const value of odd)
      for (const kind of ['createSurface', 'updateComponents', 'updateDataModel', 'deleteSurface'])
        for (const body of [
          value,
          { surfaceId: value },
          {
            surfaceId: 's',
            components: value,
            root: value,
            replace: value,
            delete: value,
            path: value,
            theme: value,
            dataModel: value,
            catalogId: value,
          },
        ]) {
          const { applied, failed } = started().apply([{ version: 'v0.9', [kind]: body }])
          expect(applied + failed).toBe(1)
        }
  })
})

describe('A2-120 catalogs are data', () => {
  const own = new Catalog('own', basicParts, {
    components: {
      Gauge: {
        description: 'A dial.',
        schema: {
          type: 'object',
          properties: {
            value: { $ref: 'common_types.json#/$defs/DynamicNumber' },
            unit: { type: 'string', minLength: 2, maxLength: 3 },
            footer: { $ref: 'common_types.json#/$defs/ComponentId' },
          },
          required: ['value'],
          additionalProperties: true,
        },
      },
    },
    functions: {
      double: {
        returnType: 'number',
        parameters: { type: 'object', required: ['value'] },
        run: ({ value }) => Number(value) * 2,
      },
    },
  })
  const surfaces = () => {
    const result = new Surfaces({ catalogs: [own] })
    ops(result, { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'own' } })
    return result
  }

  it('A2-120 own components and functions are checked, run and referenced', () => {
    const state = surfaces()
    const changes = ops(
      state,
      update({
        components: [
          {
            id: 'root',
            component: 'Gauge',
            value: { call: 'double', args: { value: { path: '/v' } } },
            unit: 'kW',
            footer: 'f',
          },
          text('f'),
        ],
      }),
    )
    const model = new SurfaceModel({ surfaceId: 's', catalog: own }, [{ op: 'create', root: 'root' }, ...changes])
    model.apply([{ op: 'set', path: '/v', value: 21 }])
    expect(model.getNode('root')).toMatchObject({ type: 'Gauge', props: { value: 42, footer: 'f' }, children: ['f'] })
  })
  it('A2-120 validation_failed with a path', () => {
    expect(failure(surfaces(), update({ components: [{ id: 'root', component: 'Gauge', unit: 'kW' }] }))).toMatchObject(
      {
        code: 'validation_failed',
        path: '/updateComponents/components/0/value',
      },
    )
    expect(
      failure(surfaces(), update({ components: [{ id: 'root', type: 'Gauge', props: { value: 1, unit: 'long' } }] })),
    ).toMatchObject({
      code: 'validation_failed',
      path: '/updateComponents/components/0/props/unit',
    })
  })
  it('A2-120 a text that is too short or too long is told the length that it needs', () => {
    const refused = (unit: string) =>
      failure(surfaces(), update({ components: [{ id: 'root', component: 'Gauge', value: 1, unit }] }))
    expect(refused('W').error).toBe("Gauge 'root': is shorter than 2.")
    expect(refused('long').error).toBe("Gauge 'root': is longer than 3.")
  })
  it('A2-120 a function that throws takes down one value', () => {
    const broken = new Catalog('b', basicParts, {
      functions: {
        boom: {
          returnType: 'any',
          run: () => {
            throw new Error('no')
          },
        },
      },
    })
    const model = new SurfaceModel({ surfaceId: 's', catalog: broken }, [
      { op: 'create', root: 'root' },
      { op: 'upsert', id: 'root', component: { type: 'Text', text: { call: 'boom' }, variant: 'h1' } },
    ])
    expect(model.getNode('root')).toMatchObject({
      props: { variant: 'h1' },
      diagnostics: [{ code: 'function_failed' }],
    })
  })
})

describe('for the agent', () => {
  it('A2-14 A2-121 the tool has a JSON Schema', () => {
    expect(a2uiTool.name).toBe('a2ui')
    expect(a2uiTool.inputSchema).toMatchObject({ type: 'object', required: ['envelopes'] })
    expect(JSON.parse(JSON.stringify(a2uiTool))).toEqual(a2uiTool)
  })
  it('A2-121 its result carries errors and notes, no operations', () => {
    const surfaces = new Surfaces()
    const result = surfaces.apply([create(column('missing')), data({ value: 1 }, 'none')])
    expect(a2uiToolResult(surfaces, result)).toEqual({
      applied: 1,
      failed: 1,
      results: [
        { ok: true, surfaceId: 's' },
        expect.objectContaining({ ok: false, code: 'unknown_surface', path: '/updateDataModel/surfaceId' }),
      ],
      notes: [expect.objectContaining({ surfaceId: 's', code: 'missing_child' })],
    })
  })
  it('A2-121 the prompt says when to use it and when not', () => {
    const prompt = a2uiPrompt(undefined, { ask: true })
    for (const words of [
      /form, a card, a list/,
      /tables, KPIs/,
      /visual/,
      /answer\s+prose as prose/i,
      /ask tool/,
      /short Paragraph/,
      /stable/,
    ])
      expect(prompt).toMatch(words)
  })
  it('A2-121 the prompt is made from the registered catalog', () => {
    const prompt = a2uiPrompt([
      new Catalog('mine', {
        components: {
          Gauge: { description: 'A dial.', schema: { properties: { value: {}, tone: { enum: ['a', 'b'] } } } },
        },
      }),
    ])
    expect(prompt).toContain('## Catalog mine')
    expect(prompt).toContain('- Gauge: A dial. {value?: any, tone?: a|b}')
    for (const type of basicParts.components ? Object.keys(basicParts.components) : [])
      expect(a2uiPrompt()).toContain(`- ${type}:`)
  })
})
