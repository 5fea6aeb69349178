// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
// biome-ignore-all lint/suspicious/noThenProperty: the name that the document gives it
import type { Json, JsonObject, SurfaceOp } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import type { UiDiagnostic } from '../diagnostic.ts'
import { isClientMessage } from './actions.ts'
import { basicCatalog, basicParts } from './basic-catalog.ts'
import { Catalog } from './catalog.ts'
import { catalogFromJson } from './catalog-document.ts'
import { BASIC_CATALOG_ID, BASIC_CATALOG_IDS } from './catalog-ids.ts'
import { checkSchema } from './check-schema.ts'
import { clientCapabilities, clientDataModel } from './client-metadata.ts'
import { toEnvelopes } from './envelopes.ts'
import { SurfacePreview } from './preview.ts'
import { SurfaceModel, type SurfaceModelOptions } from './surface-model.ts'
import { SurfacePast } from './surface-past.ts'
import { Surfaces, type SurfacesOptions } from './surfaces.ts'
import { parseEnvelopes } from './text-envelope-stream.ts'
import { a2uiToolResult } from './tool.ts'

const create = (root: Json, dataModel: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  version: 'v0.9',
  createSurface: { surfaceId: 's', catalogId: BASIC_CATALOG_ID, root, dataModel, ...more },
})
const update = (...components: Json[]): JsonObject => ({
  version: 'v0.9',
  updateComponents: { surfaceId: 's', components },
})
const data = (path: string, value?: Json): JsonObject => ({
  version: 'v0.9',
  updateDataModel: { surfaceId: 's', path, ...(value !== undefined && { value }) },
})
const column = (...children: Json[]): JsonObject => ({ id: 'root', type: 'Column', children })
const nested = (type: string, props: JsonObject): JsonObject => ({ id: 'x', type, props })

/** What the engine says about one envelope, on a surface that exists. */
function answer(envelope: unknown, options: SurfacesOptions = {}) {
  const surfaces = new Surfaces(options)
  surfaces.apply(create(column('x')))
  const [result] = surfaces.apply([envelope]).results
  return result!
}
const told = (envelope: unknown, options: SurfacesOptions = {}): [string, string][] => {
  const result = answer(envelope, options)
  if (!result.ok) return [[result.code, result.path]]
  return (result.diagnostics ?? []).map(({ code, path }) => [code, path])
}
const AT = '/updateComponents/components/0'

/** A live surface, and everything that it complains about. */
function live(root: Json, dataModel: JsonObject = {}, options: Partial<SurfaceModelOptions> = {}) {
  const surfaces = new Surfaces()
  const problems: UiDiagnostic[] = []
  const model = new SurfaceModel({
    surfaceId: 's',
    locale: 'en-US',
    timeZone: 'UTC',
    onDiagnostic: found => problems.push(found),
    ...options,
  })
  const send = (envelope: JsonObject): SurfaceOp[] => {
    const [result] = surfaces.apply([envelope]).results
    if (!result!.ok) throw new Error(`${result!.code} ${result!.path} ${result!.error}`)
    model.apply(result!.ops)
    return result!.ops
  }
  send(create(root, dataModel))
  return { surfaces, model, problems, send }
}
/** What a template shows, and the codes of what it complains about. */
function shown(text: Json, dataModel: JsonObject = {}): [Json | undefined, ...string[]] {
  const { model, problems } = live({ id: 'root', type: 'Text', props: { text: { formatString: text } } }, dataModel)
  const value = model.getNode('root')!.props.text
  return [value, ...problems.map(({ code }) => code)]
}

describe('A2-200 literals in templates', () => {
  it('A2-200 numbers, booleans, null and quoted text stand for themselves, alone and as arguments', () => {
    const own: JsonObject = { '42': 'a key', true: 'a key', n: 1 }
    for (const [text, value] of [
      ['${42} ${-1.50} ${0} ${1e3} ${2.5E-1}', '42 -1.5 0 1000 0.25'],
      ['${true}/${false}/${null}.', 'true/false/.'],
      ["${'it''s'}", ''],
      ['${"a \\"quoted\\" }{ word"} ${\'it\\\'s\'}', 'a "quoted" }{ word it\'s'],
      ["${'tab\\tline\\nback\\\\slash \\u00e9 \\/ \\q'}", 'tab\tline\nback\\slash é / q'],
      ["${'not ${/n} read'}", 'not ${/n} read'],
      ["${ 'spaces'  }", 'spaces'],
      ['${formatNumber(value: 1234.5, decimals: 1, grouping: false)}', '1234.5'],
      ['${pluralize(value: 1e0, one: \'one, two\', other: "a) b")}', 'one, two'],
      ['${./42} ${./true} ${/42}', 'a key a key a key'],
    ] as const)
      expect(shown(text, own)[0], text).toBe(value)
  })
  it('A2-200 what only looks like a number is a key', () => {
    expect(shown('${007} ${1a} ${truely} ${+1}', { '007': 'a', '1a': 'b', truely: 'c', '+1': 'd' })).toEqual([
      'a b c d',
    ])
  })
})

describe('A2-201 malformed templates', () => {
  it('A2-201 a token that is closed and cannot be read shows nothing, and is a problem of its component', () => {
    for (const text of [
      '[${what ever}]',
      '[${}]',
      '[${ }]',
      '[${alert(1)}]',
      '[${formatNumber(value: 1 2)}]',
      '[${formatNumber(value:)}]',
      '[${formatNumber(value: 1; decimals: 2)}]',
      "[${'open text}]",
      "[${'a' 'b'}]",
      '[${/a/${/b}}]',
      '[${/~9}]',
      '[${process.exit()}]',
      '[${f(a: f(b: f(}]',
    ])
      expect(shown(text, { a: 1 }), text).toEqual(['[]', 'invalid_template'])
  })
  it('A2-201 a template with a token that is never closed runs not at all and is shown as it was written', () => {
    for (const text of [
      '${/a} and ${/a',
      '${formatNumber(value: ${/a}',
      '${/a} ${',
      '${/a} ${formatNumber(value: /a, ',
    ])
      expect(shown(text, { a: 1 }), text).toEqual([text, 'invalid_template'])
    expect(shown('\\${/a and ${/a}', { a: 1 })).toEqual(['${/a and 1'])
    let runs = 0
    const functions = new Map(basicCatalog.functions)
    functions.set('count', { returnType: 'number', run: () => ++runs })
    const catalog = { functions, has: () => true, traits: () => ({}) }
    const text = (formatString: string) => ({
      op: 'upsert' as const,
      id: 'root',
      component: { type: 'Text', text: { formatString } },
    })
    for (const template of ['${count()} ${count(', '${count(a: count(), b)}', "${count(a: 'x}"]) {
      const ops: SurfaceOp[] = [{ op: 'create', root: 'root' }, text(template)]
      new SurfaceModel({ surfaceId: 's', catalog }, ops).getNode('root')
    }
    expect(runs).toBe(0)
  })
  it('A2-201 the agent is told of it, with the place in its envelope', () => {
    const text = (value: Json) => update(nested('Text', { text: value }))
    expect(told(text({ formatString: 'Hi ${/name' }))).toEqual([['invalid_template', `${AT}/props/text/formatString`]])
    expect(told(text({ concat: ['a', { formatString: '${what ever}' }] }))).toEqual([
      ['invalid_template', `${AT}/props/text/concat/1/formatString`],
    ])
    expect(told(text({ call: 'formatString', args: { value: '${f(}' } }))).toEqual([
      ['invalid_template', `${AT}/props/text/args/value`],
    ])
    expect(told(text({ map: { from: '/list', as: 'p', template: '${/p' } }))).toEqual([
      ['invalid_template', `${AT}/props/text/map/template`],
    ])
    expect(told(text({ formatString: '${nope(a: 1)} ${openUrl(url: 2)}' }))).toEqual([
      ['unknown_function', `${AT}/props/text/formatString`],
    ])
    expect(told(text({ literal: { formatString: '${' } }))).toEqual([])
    expect(
      told(update(nested('Table', { columns: [{ key: 'a' }], rows: [{ formatString: '${' }, { path: '~9' }] }))),
    ).toEqual([])
  })
})

describe('A2-202 keys in templates', () => {
  it('A2-202 keys with spaces, colons, quotes, brackets and commas are read', () => {
    const keys = ['first name', 'a:b', "it's", 'say "hi"', 'f(x)', 'a,b', 'x=1 & y', '$', 'ключ', '👩‍👩‍👧', 'true']
    const own = Object.fromEntries(keys.map((key, i) => [key, i]))
    for (const key of keys) {
      expect(shown(`<\${/${key}}>`, own), key).toEqual([`<${own[key]}>`])
      expect(shown(`<\${ /${key} }>`, own), key).toEqual([`<${own[key]}>`])
      expect(shown(`<\${formatNumber(value: \${/${key}}, decimals: 1)}>`, own), key).toEqual([`<${own[key]}.0>`])
    }
    expect(shown('${/a~1b/c d}', { 'a/b': { 'c d': 'deep' } })).toEqual(['deep'])
    expect(shown("${pluralize(value: /it's: now, one: 'one', other: '?')}", { "it's: now": 1 })).toEqual(['one'])
  })
  it('A2-202 inside a list too, when the pointer begins with a dot', () => {
    const row = {
      id: 'row',
      component: 'Text',
      text: { call: 'formatString', args: { value: '${./first name}: ${./a:b}' } },
    }
    const { model, send } = live(
      { id: 'root', type: 'List', children: { componentId: 'row', path: '/items' } },
      {
        items: [{ 'first name': 'Ada', 'a:b': 1 }],
      },
    )
    send(update(row))
    const [child] = model.getNode('root')!.children
    expect(model.getNode(child!)!.props.text).toBe('Ada: 1')
  })
})

describe('A2-203 the wrapper of the public protocol', () => {
  const messages = [create(column({ id: 'a', type: 'Text', props: { text: 'x' } })), data('/a', 1)]

  it('A2-203 {messages: […]} is read like {envelopes: […]}: as an object, as text, in lines and while it streams', () => {
    for (const given of [
      { messages },
      JSON.stringify({ messages }),
      { envelopes: { messages } },
      { messages: JSON.stringify(messages) },
    ])
      expect(new Surfaces().apply(given)).toMatchObject({ applied: 2, failed: 0 })
    expect(parseEnvelopes(JSON.stringify({ messages }))).toEqual({ envelopes: messages, errors: [] })
    const preview = new SurfacePreview()
    preview.push(JSON.stringify({ messages }).slice(0, -30))
    expect(preview.take().get('s')).toContainEqual({ op: 'upsert', id: 'a', component: { type: 'Text', text: 'x' } })
    expect(toEnvelopes({ messages: [] })).toEqual([])
  })
})

describe('A2-204 closed schemas of custom catalogs', () => {
  const gauge = (schema: JsonObject) => new Catalog('energy', basicParts, { components: { Gauge: { schema } } })
  const closed = {
    type: 'object',
    properties: { value: { type: 'number' } },
    required: ['value'],
    additionalProperties: false,
  }
  const say = (catalog: Catalog, component: JsonObject) => {
    const surfaces = new Surfaces({ catalogs: [catalog] })
    surfaces.apply({ version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'energy' } })
    const [result] = surfaces.apply([update(component)]).results
    return result!.ok
      ? (result!.diagnostics ?? []).map(({ code, path }) => [code, path])
      : [[result!.code, result!.path]]
  }

  it('A2-204 the names that every component has are allowed, any other name is not', () => {
    for (const schema of [
      closed,
      { allOf: [closed] },
      { $ref: '#/shapes/gauge' },
      { ...closed, additionalProperties: true, unevaluatedProperties: false },
    ]) {
      const catalog = gauge(schema).register({ definitions: { shapes: { gauge: closed } } })
      const component = { id: 'root', component: 'Gauge', value: 1 }
      expect(say(catalog, component)).toEqual([])
      expect(say(catalog, { ...component, weight: 2, accessibility: { label: 'x' } })).toEqual([])
      expect(say(catalog, { ...component, colour: 'red' })).toEqual([['validation_failed', `${AT}/colour`]])
      expect(say(catalog, { id: 'root', type: 'Gauge', props: { value: 1, colour: 'red' } })).toEqual([
        ['unknown_field', `${AT}/props/colour`],
      ])
    }
  })
  it('P-9500 a schema refers to definitions whose names have a slash or a space', () => {
    for (const $ref of ['#/shapes/a~1gauge', '#/shapes/one%20gauge']) {
      const shapes = { 'a/gauge': closed, 'one gauge': closed }
      const catalog = gauge({ $ref }).register({ definitions: { shapes } })
      expect(say(catalog, { id: 'root', component: 'Gauge', value: 1 })).toEqual([])
      expect(say(catalog, { id: 'root', component: 'Gauge', colour: 'red' })).not.toEqual([])
    }
  })
  it('A2-204 inside of a property the same names are not allowed', () => {
    const inner = { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false }
    const catalog = gauge({ ...closed, properties: { inner }, required: [] })
    expect(say(catalog, { id: 'root', component: 'Gauge', inner: { a: 1, id: 'x' } })).toEqual([
      ['validation_failed', `${AT}/inner/id`],
    ])
  })
})

describe('A2-205 actions', () => {
  const button = (form: 'nested' | 'public', action: Json, dataModel: JsonObject = {}) => {
    const { model, send, problems } = live(column('x'), dataModel)
    send(
      form === 'nested'
        ? update(nested('Button', { label: 'Go', action }))
        : update({ id: 'x', component: 'Button', child: 't', action }, { id: 't', component: 'Text', text: 'Go' }),
    )
    const result = model.action('x', 'click')
    if (result.kind !== 'event') throw new Error(result.kind)
    const { name, context } = result.action
    return { name, context, codes: problems.map(({ code }) => code) }
  }

  it('A2-205 {name, context} is read like {event: {name, context}} in both forms', () => {
    for (const form of ['nested', 'public'] as const)
      for (const action of [
        { name: 'go', context: { id: { path: '/id' } } },
        { event: { name: 'go', context: { id: { path: '/id' } } } },
      ])
        expect(button(form, action, { id: 7 })).toEqual({ name: 'go', context: { id: 7 }, codes: [] })
    expect(button('nested', { name: 'bare' })).toMatchObject({ name: 'bare', context: {} })
  })
  it('A2-205 a value of the context that fails is null, and the others are there', () => {
    const context = {
      none: { path: '/none' },
      gone: { call: 'nothing', args: {} },
      list: { map: { from: '/l', as: 'x', template: { path: '/x/no' } } },
      deep: { a: { path: '/none' }, b: { path: '/id' } },
      id: { path: '/id' },
      plain: 'text',
    }
    expect(button('nested', { name: 'go', context }, { id: 7, l: [1] })).toEqual({
      name: 'go',
      context: { none: null, gone: null, list: [null], deep: { a: null, b: 7 }, id: 7, plain: 'text' },
      codes: ['unknown_function'],
    })
  })
  it('A2-205 a function that throws makes its own value null and no other', () => {
    const functions = new Map(basicCatalog.functions)
    functions.set('boom', {
      returnType: 'any',
      run: () => {
        throw new Error('boom')
      },
    })
    const ops: SurfaceOp[] = [
      { op: 'create', root: 'root' },
      {
        op: 'upsert',
        id: 'root',
        component: { type: 'Button', action: { event: { name: 'go', context: { a: { call: 'boom' }, b: 1 } } } },
      },
    ]
    const model = new SurfaceModel({ surfaceId: 's', catalog: { functions, has: () => true, traits: () => ({}) } }, ops)
    expect(model.action('root', 'click')).toMatchObject({ action: { name: 'go', context: { a: null, b: 1 } } })
  })
  it('A2-205 the keys of a context mean nothing, whatever they are called', () => {
    for (const context of [
      { path: '/etc/passwd' },
      { path: '~9 is no pointer' },
      { literal: 5 },
      { call: 'x' },
      { formatString: '${' },
      { length: 'abc' },
      { file: { path: '~9', size: 1 } },
    ]) {
      for (const form of ['nested', 'public'] as const)
        expect(button(form, { event: { name: 'go', context } }), JSON.stringify(context)).toEqual({
          name: 'go',
          context,
          codes: [],
        })
    }
    expect(button('nested', { name: 'go', context: { file: { path: '/a' } } }, { a: 1 }).context).toEqual({ file: 1 })
  })
  it('A2-205 what a function call of an action gets is read once', () => {
    const { model, send } = live(column('x'), { note: { path: '/secret' }, secret: 'no' })
    const functionCall = { call: 'required', args: { value: { path: '/note' } } }
    send(update(nested('Button', { label: 'Go', action: { functionCall } })))
    expect(model.action('x', 'click')).toEqual({ kind: 'call', name: 'required', value: true })
  })
  it('A2-205 an action that does nothing is told', () => {
    for (const [action, at] of [
      [{}, '/action/event'],
      [{ event: {} }, '/action/event/name'],
      [{ context: { a: 1 } }, '/action/event'],
    ] as const)
      expect(told(update(nested('Button', { label: 'Go', action }))), JSON.stringify(action)).toEqual([
        ['missing', `${AT}/props${at}`],
      ])
  })
})

describe('A2-206 trailing slashes', () => {
  it('A2-206 a slash at the end of a pointer changes nothing: in updates, bindings, lists and templates', () => {
    const row = { id: 'row', component: 'Text', text: { path: 'name/' } }
    const { model, send } = live({ id: 'root', type: 'List', children: { componentId: 'row', path: '/items/' } }, {})
    send(update(row))
    expect(send(data('/items/', [{ name: 'Ada' }]))).toEqual([{ op: 'set', path: '/items', value: [{ name: 'Ada' }] }])
    expect(send(data('/items/0/name//', 'Bob'))).toEqual([{ op: 'set', path: '/items/0/name', value: 'Bob' }])
    expect(model.getNode(model.getNode('root')!.children[0]!)!.props.text).toBe('Bob')
    expect(send(data('//', { a: 1 }))).toEqual([{ op: 'set', path: '', value: { a: 1 } }])
    expect(shown('${/a/} ${/a/b/}', { a: { b: 1 } })).toEqual(['{"b":1} 1'])
  })
  it('A2-206 L10 a hidden field is known by the pointer of its edits, however its binding is written', () => {
    const isHidden = (path: string, ...at: string[]) => {
      const past = new SurfacePast()
      past.note('f', { type: 'TextField', variant: 'obscured', value: { path } }, basicCatalog.traits('TextField'))
      return past.hidden.has(at)
    }
    for (const path of ['/pw', '/pw/', 'pw', 'pw/', './pw']) {
      expect([isHidden(path, 'pw'), isHidden(path, 'a', 'pw'), isHidden(path)], path).toEqual([true, false, false])
    }
    expect(isHidden('/a~1b/', 'a/b')).toBe(true)
  })
})

describe('A2-207 functions at their edges', () => {
  const call = (
    name: string,
    args: JsonObject,
    dataModel: JsonObject = {},
    options: Partial<SurfaceModelOptions> = {},
  ) => {
    const { model, problems } = live(
      { id: 'root', type: 'Table', props: { rows: { path: '/none' } } },
      dataModel,
      options,
    )
    model.apply([{ op: 'upsert', id: 'root', component: { type: 'Any', value: { call: name, args } } }])
    return [model.getNode('root')!.props.value, ...problems.map(({ code }) => code)]
  }

  it('A2-207 email', () => {
    const good = [
      'a@b.co',
      'a.b+c@d-e.org',
      'ü@ö.de',
      "o'brien@ex.ie",
      'a@b.c.d.e',
      'x@1.example',
      `${'a'.repeat(64)}@b.co`,
    ]
    const bad = [
      '',
      'a',
      '@b.co',
      'a@',
      'a@b',
      'a@b.',
      'a@.co',
      'a@b..co',
      'a..b@c.de',
      '.a@b.co',
      'a.@b.co',
      'a b@c.de',
      'a@b c.de',
      'a@b@c.de',
      'a@-b.co',
      'a@b-.co',
      'a@b.co\n',
      ' a@b.co',
      'a\u200b@b.co',
      'a@b\u202e.co',
      'a@b_c.de',
      'a@b.c/d',
      '\ud800@b.co',
      'a,b@c.de',
      'a<b@c.de',
      'a@b.co>',
      `${'a'.repeat(65)}@b.co`,
      `a@${'b'.repeat(64)}.co`,
      `a@${'b.'.repeat(130)}co`,
    ]
    for (const value of good) expect(call('email', { value }), value).toEqual([true])
    for (const value of bad) expect(call('email', { value }), JSON.stringify(value)).toEqual([false])
    for (const value of [['a@b.co'], { a: 'a@b.co' }, 5, true, null])
      expect(call('email', { value: { path: '/v' } }, { v: value })).toEqual([false])
  })
  it('A2-207 pluralize takes what the author wrote for exactly 0, 1 and 2, in every language', () => {
    const words = { zero: 'zero', one: 'one', two: 'two', few: 'few', many: 'many', other: 'other' }
    const say = (value: Json, more: JsonObject, locale: string) =>
      call('pluralize', { value, ...more }, {}, { locale })[0]
    for (const locale of ['en-US', 'ja', 'pl', 'ar', 'fr'])
      expect(
        [0, 1, 2].map(n => say(n, words, locale)),
        locale,
      ).toEqual(['zero', 'one', 'two'])
    expect(say(2, { one: 'one', other: 'other' }, 'en-US')).toBe('other')
    expect(say(2, { few: 'few', other: 'other' }, 'pl')).toBe('few')
    expect(say(21, words, 'ru')).toBe('one')
    expect(say(1.5, words, 'en-US')).toBe('other')
    expect(say('2', words, 'en-US')).toBe('two')
    for (const value of ['', 'x', '0x2', 'Infinity']) expect(say(value, words, 'en-US'), value).toBe('other')
    expect(say(2, { other: 'other', two: '' }, 'en-US')).toBe('')
  })
  it('A2-207 numbers are decimal and finite', () => {
    for (const value of [
      '0x10',
      'Infinity',
      '-Infinity',
      '1e999',
      '1_000',
      '1,5',
      ' ',
      'NaN',
      true,
      null,
      [1],
      { a: 1 },
    ]) {
      expect(call('numeric', { value: { path: '/v' }, min: -1e9 }, { v: value }), JSON.stringify(value)).toEqual([
        false,
      ])
      expect(call('formatNumber', { value: { path: '/v' } }, { v: value }), JSON.stringify(value)).toEqual([''])
    }
    for (const value of ['7', ' 7 ', '+7', '7.', '.7e1', '7e0'])
      expect(call('numeric', { value, min: 7, max: 7 }), value).toEqual([true])
  })
  it('A2-207 formatDate knows no 30 February, and says so', () => {
    for (const value of [
      '2026-02-30',
      '2026-02-30T10:00:00Z',
      '2025-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-04-31',
      '2026-01-16T25:00',
      '2026-01-16T10:61',
      'Room 12',
      'tomorrow',
      1e300,
      true,
      {},
      [],
    ])
      expect(
        call('formatDate', { value: { path: '/v' }, format: 'yyyy-MM-dd' }, { v: value }),
        JSON.stringify(value),
      ).toEqual(['', 'wrong_type'])
    for (const value of [null, ''])
      expect(call('formatDate', { value: { path: '/v' }, format: 'yyyy' }, { v: value })).toEqual([''])
    expect(call('formatDate', { value: { path: '/none' }, format: 'yyyy' })).toEqual([''])
    for (const [value, shows] of [
      ['2024-02-29', '2024-02-29 00:00'],
      ['2026-01-16T14:03:09Z', '2026-01-16 14:03'],
      ['2026-01-16T14:03', '2026-01-16 14:03'],
      ['2026-01-16 14:03', '2026-01-16 14:03'],
      ['2026-01-16T23:30:00-05:00', '2026-01-17 04:30'],
      ['2026-01-16T24:00:00Z', '2026-01-17 00:00'],
      ['2026-01', '2026-01-01 00:00'],
      [0, '1970-01-01 00:00'],
    ] as const)
      expect(call('formatDate', { value, format: 'yyyy-MM-dd HH:mm' }), String(value)).toEqual([shows])
  })
  it('A2-207 an invalid regular expression is told where it was sent and where it is used', () => {
    const check = (pattern: string) => ({
      id: 'x',
      component: 'TextField',
      label: 'L',
      value: { path: '/v' },
      checks: [{ condition: { call: 'regex', args: { value: { path: '/v' }, pattern } }, message: 'no' }],
    })
    expect(told(update(check('^[a-z]+$')))).toEqual([])
    expect(told(update(check('([a-z')))).toEqual([['invalid_pattern', `${AT}/checks/0/condition/args/pattern`]])
    expect(told(update({ id: 'x', component: 'TextField', label: 'L', validationRegexp: '*' }))).toEqual([
      ['invalid_pattern', `${AT}/validationRegexp`],
    ])
    expect(told(update(nested('TextField', { label: 'L', validationRegexp: '(?<' })))).toEqual([
      ['invalid_pattern', `${AT}/props/validationRegexp`],
    ])
    const { model, send, problems } = live(column('x'), { v: 'x' })
    send(update(check('([a-z')))
    expect(model.getNode('x')!.errors).toEqual(['no'])
    expect(problems).toMatchObject([{ code: 'invalid_pattern', componentId: 'x' }])
  })
})

describe('A2-208 the cache of templates', () => {
  it('A2-208 a template means the same at every depth and on every surface', () => {
    const text = '${formatNumber(value: ${${/n}}, decimals: 1)}'
    let deep: Json = { formatString: text }
    for (let i = 0; i < 30; i++) deep = { coalesce: [deep] }
    const { model } = live(column(nested('Text', { text: deep })), { n: 1 })
    const before = model.getNode('x')!.props.text
    expect(shown(text, { n: 2 })).toEqual(['2.0'])
    expect(before).toBe('1.0')
    const own = {
      functions: new Map([['formatNumber', { returnType: 'string' as const, run: () => 'own' }]]),
      has: () => true,
      traits: () => ({}),
    }
    const ops: SurfaceOp[] = [
      { op: 'create', root: 'root' },
      { op: 'upsert', id: 'root', component: { type: 'Text', text: { formatString: text } } },
    ]
    expect(new SurfaceModel({ surfaceId: 't', catalog: own }, ops).getNode('root')!.props.text).toBe('own')
    expect(shown(text, { n: 3 })).toEqual(['3.0'])
  })
})

describe('A2-209 bound choices and numbers', () => {
  it('A2-209 align, justify, variant, fit, axis, direction, max and their like are bound in both forms', () => {
    const cases: [string, JsonObject, string[]][] = [
      ['Row', { children: [] }, ['align', 'justify', 'weight']],
      ['Column', { children: [] }, ['align', 'justify']],
      ['List', { children: [] }, ['align', 'direction', 'ordered']],
      ['Text', { text: 'x' }, ['variant']],
      ['Image', { url: 'https://a.b/c.png' }, ['fit', 'variant']],
      ['Divider', {}, ['axis']],
      ['Spacer', {}, ['size']],
      ['Button', { text: 'x' }, ['variant']],
      ['TextField', { label: 'x' }, ['variant', 'rows']],
      ['TextArea', { label: 'x' }, ['rows']],
      ['ChoicePicker', { options: [], value: [] }, ['variant', 'displayStyle', 'filterable']],
      ['Slider', { value: 1, max: 2 }, ['min', 'max', 'step']],
      ['DateTimeInput', { value: '' }, ['enableDate', 'enableTime', 'min', 'max']],
      ['ProgressBar', {}, ['value', 'max']],
      ['Badge', { text: 'x' }, ['tone']],
      ['Heading', { text: 'x' }, ['level']],
    ]
    for (const [type, props, names] of cases)
      for (const name of names)
        for (const value of [{ path: '/v' }, { $ref: '/v' }, { literal: 'x' }, { if: { cond: true, then: 'x' } }]) {
          expect(told(update({ id: 'x', component: type, ...props, [name]: value })), `${type} ${name}`).toEqual([])
          expect(told(update(nested(type, { ...props, [name]: value }))), `${type} ${name}`).toEqual([])
          const wrong = update({ id: 'x', component: type, ...props, [name]: { what: 'x' } })
          expect(told(wrong), `${type} ${name}`).toEqual([['validation_failed', `${AT}/${name}`]])
        }
    const { model, send } = live(column('x'), { v: 'end', m: 4 })
    send(update({ id: 'x', component: 'Row', children: [], align: { path: '/v' } }))
    expect(model.getNode('x')!.props.align).toBe('end')
    send(update({ id: 'x', component: 'Slider', value: 1, max: { path: '/m' } }))
    expect(model.getNode('x')!.props.max).toBe(4)
    expect(told(update({ id: 'x', component: 'Row', children: [], align: 'middle' }))).toEqual([
      ['validation_failed', `${AT}/align`],
    ])
  })
})

describe('A2-210 what is not used is told', () => {
  it('A2-210 unknown properties of the nested form', () => {
    expect(told(update(nested('Text', { content: 'Hello' })))).toEqual([
      ['unknown_field', `${AT}/props/content`],
      ['missing', `${AT}/props/text`],
    ])
    const table = { columns: [{ key: 'a', label: 'A' }], rows: [], striped: true, pageSize: 5 }
    expect(told(update(nested('Table', table)))).toEqual([
      ['unknown_field', `${AT}/props/striped`],
      ['unknown_field', `${AT}/props/pageSize`],
    ])
    expect(told(update({ id: 'x', type: 'Divider', colour: 'red', children: [] }))).toEqual([
      ['unknown_field', `${AT}/colour`],
    ])
    expect(told(create(column({ id: 'a', type: 'Row', gap: 4, children: [] })))).toEqual([
      ['unknown_field', '/createSurface/root/children/0/gap'],
    ])
    const result = answer(update(nested('Text', { content: 'Hello' })))
    expect(result).toMatchObject({ diagnostics: [{ message: expect.stringMatching(/Text 'x'.*'content'.*text/) }, {}] })
  })
  it('A2-210 a property that a component shows nothing without', () => {
    for (const [type, key] of [
      ['Heading', 'text'],
      ['Badge', 'text'],
      ['Link', 'href'],
      ['Image', 'url'],
      ['Icon', 'name'],
      ['Select', 'options'],
      ['TextField', 'label'],
    ] as const) {
      expect(told(update(nested(type, {}))), type).toContainEqual(['missing', `${AT}/props/${key}`])
      expect(told(update(nested(type, { [key]: null }))), type).toContainEqual(['missing', `${AT}/props/${key}`])
    }
    for (const type of ['Column', 'Card', 'Divider', 'Spacer'])
      expect(told(update({ id: 'x', type })), type).toEqual([])
  })
  it('A2-210 records that are not complete', () => {
    expect(told(update(nested('Button', { label: 'x', checks: [{ message: 'no' }] })))).toEqual([
      ['missing', `${AT}/props/checks/0/condition`],
    ])
    expect(told(update(nested('Tabs', { tabs: [{ title: 'x' }] })))).toEqual([['missing', `${AT}/props/tabs/0/child`]])
  })
  it('A2-210 addresses that nobody may open', () => {
    for (const [component, at] of [
      [nested('Link', { text: 'x', href: 'javascript:alert(1)' }), '/props/href'],
      [{ id: 'x', component: 'Link', text: 'x', href: 'javascript:alert(1)' }, '/href'],
      [{ id: 'x', component: 'Image', url: 'file:///etc/passwd' }, '/url'],
      [nested('Image', { src: 'blob:x' }), '/props/src'],
      [
        nested('Button', { label: 'x', action: { functionCall: { call: 'openUrl', args: { url: 'javascript:x' } } } }),
        '/props/action/functionCall/args/url',
      ],
    ] as const)
      expect(told(update(component as Json)), JSON.stringify(component)).toEqual([['url_scheme', AT + at]])
    expect(told(update(nested('Link', { text: 'x', href: { path: '/u' } })))).toEqual([])
    expect(told(update(nested('Link', { text: 'x', href: 'mailto:a@b.co' })))).toEqual([])
  })
  it('A2-210 members of a message that nobody reads, and those of the wrong kind', () => {
    const create = (more: JsonObject) =>
      told({ version: 'v0.9', createSurface: { surfaceId: 't', catalogId: BASIC_CATALOG_ID, ...more } })
    for (const value of [5, 'x', true, { a: { id: 'a', component: 'Text', text: 'x' } }])
      expect(create({ components: value }), JSON.stringify(value)).toEqual([
        ['validation_failed', '/createSurface/components'],
      ])
    for (const value of [5, true, []])
      expect(create({ root: value })).toEqual([['validation_failed', '/createSurface/root']])
    for (const value of [5, 'yes', {}])
      expect(create({ sendDataModel: value })).toEqual([['validation_failed', '/createSurface/sendDataModel']])
    expect(create({ data: { a: 1 }, title: 'x' })).toEqual([
      ['unknown_field', '/createSurface/data'],
      ['unknown_field', '/createSurface/title'],
    ])
    expect(told({ version: 'v0.9', updateComponents: { surfaceId: 's', components: {} } })).toEqual([
      ['validation_failed', '/updateComponents/components'],
    ])
    expect(told({ ...data('/a', 1), why: 'x' })).toEqual([['unknown_field', '/why']])
    // Without a value a path is deleted: a value under another name must not delete it.
    expect(told({ version: 'v0.9', updateDataModel: { surfaceId: 's', path: '/a', contents: [1] } })).toEqual([
      ['validation_failed', '/updateDataModel/contents'],
    ])
    expect(told({ version: 'v0.9', updateDataModel: { surfaceId: 's', path: '/a', value: 1, op: 'add' } })).toEqual([
      ['unknown_field', '/updateDataModel/op'],
    ])
    expect(told({ version: 'v0.9', deleteSurface: { surfaceId: 's', force: true } })).toEqual([
      ['unknown_field', '/deleteSurface/force'],
    ])
  })
  it('A2-210 the agent reads all of it in the answer of the tool', () => {
    const surfaces = new Surfaces()
    const result = surfaces.apply(create({ id: 'root', type: 'Text', props: { content: 'x' } }))
    expect(a2uiToolResult(surfaces, result)).toMatchObject({
      results: [
        {
          ok: true,
          diagnostics: [{ code: 'unknown_field', path: '/createSurface/root/props/content' }, { code: 'missing' }],
        },
      ],
    })
  })
})

describe('A2-211 the place of an error', () => {
  const long = 'x'.repeat(40_000)
  const parent = '/updateComponents/components/1'
  const text = (id: string, value: Json = 'x') => ({ id, component: 'Text', text: value })
  const row = (id: string, ...children: Json[]) => ({ id, component: 'Row', children })

  it('A2-211 names the component and the property that it is about', () => {
    expect(told(update(text('a'), text('b', long)))).toEqual([['string_too_long', `${parent}/text`]])
    expect(told(update(text('a'), { id: 'b', type: 'Paragraph', props: { value: long } }))).toEqual([
      ['string_too_long', `${parent}/props/value`],
    ])
    expect(told(update(text('a'), { id: 'b', component: 'Table', columns: [], rows: [{}, { a: [long] }] }))).toEqual([
      ['string_too_long', `${parent}/rows/1/a/0`],
    ])
    expect(told(update(text('a'), text('a')))).toEqual([['duplicate_id', `${parent}/id`]])
    expect(told(update(text('a'), row('b', 'b')))).toEqual([['circular_reference', parent]])
    expect(told(update(text('a'), row('b', 'c'), row('c', 'b')))).toEqual([
      ['circular_reference', expect.stringMatching(/components\/[12]$/)],
    ])
    expect(
      told(update(text('a'), { id: 'b', type: 'Row', children: [{ id: 'c', type: 'Text', props: { text: long } }] })),
    ).toEqual([['string_too_long', `${parent}/children/0/props/text`]])
    let deep: Json = 1
    for (let i = 0; i < 70; i++) deep = [deep]
    expect(told(update(text('a'), { id: 'b', component: 'Custom', a: 1, rows: deep }))[0]![1]).toMatch(
      /^\/updateComponents\/components\/1\/rows\/0/,
    )
  })
  it('A2-211 names the place in the data', () => {
    expect(told(data('/a', { b: [1, { 'c/d': long }] }))).toEqual([
      ['string_too_long', '/updateDataModel/value/b/1/c~1d'],
    ])
    expect(told(create(column(), { a: [{ b: long }] }))).toEqual([
      ['string_too_long', '/createSurface/dataModel/a/0/b'],
    ])
    expect(told({ version: 'v0.9', updateDataModel: { surfaceId: 's', path: '/a', value: { b: 10n } } })).toEqual([
      ['not_json', '/updateDataModel/value'],
    ])
    expect(
      told({ version: 'v0.9', createSurface: { surfaceId: 't', catalogId: 'x', dataModel: { a: [1n] } } }),
    ).toEqual([['not_json', '/createSurface']])
  })
  it('A2-211 is inside of its own envelope, and the results stand in the order of the envelopes', () => {
    const result = new Surfaces().apply({
      messages: [create(column()), update(text('a', 5)), data('/x', 1), update(text('a', long))],
    })
    expect(result.results.map(entry => (entry.ok ? 'ok' : entry.path))).toEqual([
      'ok',
      `${AT}/text`,
      'ok',
      `${AT}/text`,
    ])
  })
})

describe('A2-212 limits of names', () => {
  it('A2-212 ids, names of types, references, surfaces and keys have a length', () => {
    const long = 'k'.repeat(201)
    for (const [envelope, code, path] of [
      [update({ id: long, component: 'Text', text: 'x' }), 'id_too_long', `${AT}/id`],
      [update({ id: 'x', component: long }), 'id_too_long', `${AT}/component`],
      [update({ id: 'x', type: long }), 'id_too_long', `${AT}/type`],
      [update({ id: 'x', component: 'Row', children: ['a', long] }), 'id_too_long', `${AT}/children/1`],
      [update({ id: 'x', component: 'Card', child: long }), 'id_too_long', `${AT}/child`],
      [
        update({ id: 'x', component: 'List', children: { componentId: long, path: '/a' } }),
        'id_too_long',
        `${AT}/children/componentId`,
      ],
      [
        update({ id: 'x', component: 'Tabs', tabs: [{ title: 'x', child: long }] }),
        'id_too_long',
        `${AT}/tabs/0/child`,
      ],
      [update({ id: 'x', component: 'Card', child: '\ud800' }), 'validation_failed', `${AT}/child`],
      [update({ id: 'x', component: '' }), 'validation_failed', `${AT}/type`],
      [{ version: 'v0.9', deleteSurface: { surfaceId: long } }, 'id_too_long', '/deleteSurface/surfaceId'],
      [data('/a', { ['k'.repeat(2_001)]: 1 }), 'path_too_long', '/updateDataModel/value'],
      [update({ id: 'x', component: 'Custom', ['k'.repeat(2_001)]: 1 }), 'path_too_long', AT],
    ] as const)
      expect(told(envelope), path).toEqual([[code, path]])
    const most = 'k'.repeat(200)
    expect(told(update({ id: most, component: 'Row', children: [`${most.slice(1)}a`] }))).toEqual([])
    expect(told(data('/a', { ['k'.repeat(1_990)]: 1 }))).toEqual([])
  })
  it('A2-212 an empty id names nothing, also where no schema looks, and leaves nothing behind', () => {
    for (const [component, at] of [
      [{ id: 'x', type: 'Unknown', children: ['a', ''] }, '/children/1'],
      [{ id: 'x', component: 'Unknown', child: '' }, '/child'],
      [{ id: 'x', component: 'Unknown', children: { componentId: '', path: '/a' } }, '/children/componentId'],
    ] as const)
      expect(told(update(component as unknown as Json))).toEqual([['validation_failed', AT + at]])
    const model = new SurfaceModel({ surfaceId: 's' }, [
      { op: 'create', root: 'root' },
      { op: 'upsert', id: 'root', component: { type: 'Unknown', children: ['a', ''] } },
    ])
    model.dispose()
    expect(model.live).toEqual({ subscriptions: 0, nodes: 0 })
  })
  it('A2-212 no answer repeats a name of any length', () => {
    const huge = 'h'.repeat(1_000_000)
    for (const envelope of [
      data('/a', 1),
      update({ id: 'x', component: huge }),
      update({ id: 'x', component: 'Text', text: { call: huge } }),
      update({ id: 'x', type: 'Text', props: { [huge]: 1 } }),
      { version: huge, deleteSurface: { surfaceId: 's' } },
      { version: 'v0.9', deleteSurface: { surfaceId: huge } },
      { version: 'v0.9', [huge]: {} },
      { version: 'v0.9', deleteSurface: { surfaceId: 's', [huge]: 1 } },
    ])
      expect(JSON.stringify({ ...answer(envelope), ops: undefined }).length).toBeLessThan(4_000)
  })
})

describe('A2-213 what a public client sends', () => {
  const capabilities: JsonObject = {
    type: 'object',
    required: ['v0.9'],
    properties: {
      'v0.9': {
        type: 'object',
        required: ['supportedCatalogIds'],
        properties: {
          supportedCatalogIds: { type: 'array', items: { type: 'string' } },
          inlineCatalogs: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['catalogId'],
              properties: {
                catalogId: { type: 'string' },
                components: { type: 'object', additionalProperties: { type: 'object' } },
                functions: {
                  type: 'array',
                  items: {
                    type: 'object',
                    additionalProperties: false,
                    required: ['name', 'parameters', 'returnType'],
                    properties: {
                      name: { type: 'string' },
                      description: { type: 'string' },
                      parameters: { type: 'object' },
                      returnType: { type: 'string' },
                    },
                  },
                },
                theme: { type: 'object', additionalProperties: { type: 'object' } },
              },
            },
          },
        },
      },
    },
  }
  const context = { root: {}, functions: new Map(), lenient: false }

  it('A2-213 its capabilities: the catalogs that it knows, and on request what is in those of the host', () => {
    expect(clientCapabilities()).toEqual({ 'v0.9': { supportedCatalogIds: [...BASIC_CATALOG_IDS] } })
    const own = new Catalog('energy', basicParts, {
      components: {
        Gauge: { description: 'A dial.', schema: { type: 'object', properties: { value: { type: 'number' } } } },
      },
      functions: { toKelvin: { description: 'Kelvin.', returnType: 'number', run: () => 1 } },
    })
    expect(clientCapabilities({ catalogs: [basicCatalog, own] })['v0.9']).toEqual({
      supportedCatalogIds: [...BASIC_CATALOG_IDS, 'energy'],
    })
    const inline = clientCapabilities({ catalogs: [basicCatalog, own], inline: [own] })
    expect(checkSchema(capabilities, inline, context)).toBeUndefined()
    const [sent] = (inline['v0.9'] as { inlineCatalogs: JsonObject[] }).inlineCatalogs
    expect(sent).toMatchObject({
      catalogId: 'energy',
      components: { Gauge: { description: 'A dial.' } },
      theme: { primaryColor: {} },
    })
    expect(sent!.functions).toContainEqual({
      name: 'toKelvin',
      description: 'Kelvin.',
      parameters: {},
      returnType: 'number',
    })
    expect(JSON.parse(JSON.stringify(inline))).toEqual(inline)
    const again = catalogFromJson(sent!)
    expect(again.components.has('Gauge')).toBe(true)
  })
  it('A2-213 the data of the surfaces that ask for it, with what the person typed', () => {
    const model = (surfaceId: string, sendDataModel: boolean, value: Json) =>
      new SurfaceModel({ surfaceId }, [
        { op: 'create', root: 'root', ...(sendDataModel && { sendDataModel }) },
        { op: 'set', path: '', value },
      ])
    const asked = model('a', true, { name: 'Ada' })
    asked.setLocal('/name', 'Grace')
    const gone = model('e', true, { x: 1 })
    gone.apply([{ op: 'remove' }])
    expect(
      clientDataModel([asked, model('b', false, { n: 1 }), model('c', true, [1]), gone, model('d', true, {})]),
    ).toEqual({
      version: 'v0.9',
      surfaces: { a: { name: 'Grace' }, d: {} },
    })
    expect(isClientMessage({})).toBe(false)
  })
})

describe('A2-214 numbers and switches that came as text', () => {
  it('A2-214 in the nested form "3" is 3 and "true" is true, and the agent is told', () => {
    for (const [type, props, key, given, taken] of [
      ['ProgressBar', {}, 'value', '3', 3],
      ['ProgressBar', {}, 'max', ' 4.5 ', 4.5],
      ['Slider', { value: 1, max: 9 }, 'max', '3', 3],
      ['Heading', { text: 'x' }, 'level', '3', 'h3'],
      ['TextArea', { label: 'x' }, 'rows', '3', 3],
      ['Checkbox', { label: 'x' }, 'value', 'true', true],
      ['List', { children: [] }, 'ordered', 'false', false],
    ] as [string, JsonObject, string, string, Json][]) {
      const result = answer(update(nested(type, { ...props, [key]: given })))
      expect(result, `${type} ${key}`).toMatchObject({
        ok: true,
        diagnostics: [{ level: 'repair', code: 'coerced', path: `${AT}/props/${key}` }],
      })
      const [op] = result.ok ? result.ops : []
      expect(Object.values((op as { component: JsonObject }).component), `${type} ${key}`).toContain(taken)
    }
    expect(told(update({ id: 'x', component: 'ProgressBar', value: '3' }))).toEqual([
      ['validation_failed', `${AT}/value`],
    ])
    expect(told(update(nested('Text', { text: '3' })))).toEqual([])
  })
  it('A2-214 a value that cannot be read as the number or switch that is needed is told', () => {
    for (const [type, props, key, given] of [
      ['ProgressBar', {}, 'value', 'three'],
      ['ProgressBar', {}, 'max', true],
      ['Checkbox', { label: 'x' }, 'value', 'on'],
      ['Checkbox', { label: 'x' }, 'value', 1],
    ] as const)
      expect(told(update(nested(type, { ...props, [key]: given }))), `${type} ${key}`).toEqual([
        ['wrong_type', `${AT}/props/${key}`],
      ])
  })
})

describe('A2-215 order', () => {
  it('A2-215 a refused envelope leaves the components in their order, also after it deleted some', () => {
    const text = (id: string): JsonObject => ({ id, type: 'Text', props: { text: id } })
    const surfaces = new Surfaces()
    surfaces.apply(create(column(text('a'), { id: 'card', type: 'Card', children: [text('b'), text('c')] }, text('d'))))
    const before = JSON.stringify([surfaces.snapshot('s'), surfaces.inspect('s')])
    for (const body of [
      { delete: ['a'], components: [text('z'), text('z')] },
      { delete: ['card', 'a'], components: [text('y'), { id: 'x', component: 'Text', text: 5 }] },
      { replace: { id: 'card', component: { type: 'Card', children: [text('n')] } }, components: [5] },
    ]) {
      const [result] = surfaces.apply([{ version: 'v0.9', updateComponents: { surfaceId: 's', ...body } }]).results
      expect(result!.ok).toBe(false)
      expect(JSON.stringify([surfaces.snapshot('s'), surfaces.inspect('s')])).toBe(before)
    }
  })
})

describe('A2-334 what nobody would see or could use is told', () => {
  const both = (type: string, props: JsonObject, key: string, at: string): void => {
    expect(told(update(nested(type, props))), `nested ${type}`).toContainEqual([
      expect.any(String),
      `${AT}/props/${key}${at}`,
    ])
    expect(told(update({ id: 'x', component: type, ...props })), `public ${type}`).toContainEqual([
      expect.any(String),
      `${AT}/${key}${at}`,
    ])
  }

  it('A2-334 rows, columns and options that cannot be shown are told with their path, in both forms', () => {
    both(
      'Table',
      {
        columns: ['a', 'b'],
        rows: [
          [1, 2],
          [3, 4],
        ],
      },
      'rows',
      '/0',
    )
    both('Table', { columns: [{ key: 'a' }, { label: 'Name' }], rows: [] }, 'columns', '/1')
    both('Select', { options: ['a', { label: 'NoValue' }, null] }, 'options', '/1')
    both('Select', { options: ['a', null] }, 'options', '/1')
    expect(told(update(nested('Table', { columns: ['a', { key: 'b' }], rows: [{ a: 1 }] })))).toEqual([])
    expect(told(update(nested('Select', { options: ['a', 1, { label: 'B', value: false }] })))).toEqual([])
  })

  it('A2-335 an event name that the command would not take is refused, in both forms', () => {
    const name = 'n'.repeat(201)
    expect(told(update(nested('Button', { text: 'Go', action: { name } })))).toEqual([
      ['id_too_long', `${AT}/props/action/name`],
    ])
    const button = { id: 'x', component: 'Button', text: 'Go' }
    expect(told(update({ ...button, action: { event: { name } } }))).toEqual([
      ['id_too_long', `${AT}/action/event/name`],
    ])
    expect(told(update({ ...button, action: { event: { name: name.slice(1) } } }))).toEqual([])
  })

  it('A2-336 properties that are no object are told, and so is a button without words', () => {
    expect(told(update({ id: 'x', type: 'Button', props: 'Save' }))).toEqual([
      ['wrong_type', `${AT}/props`],
      ['missing', `${AT}/text`],
    ])
    expect(told(update(nested('Button', {})))).toEqual([['missing', `${AT}/props/text`]])
    expect(told(update(nested('Button', { child: 'y' })))).toEqual([])
    expect(told(update({ id: 'x', type: 'Card' }))).toEqual([])
  })

  it('A2-337 a text that is too long with its escapes is refused with its true size', () => {
    const result = answer(data('/a', '"'.repeat(24_570)))
    expect(result).toMatchObject({ ok: false, code: 'string_too_long', error: expect.stringContaining('49142 bytes') })
  })

  it('A2-338 the name of a type that is not allowed is told as that', () => {
    expect(told(update(nested('__proto__', {})))).toEqual([['forbidden_key', `${AT}/type`]])
  })
})

describe('A2-350 helpers and calls that cannot be used', () => {
  const text = (value: Json) => told(update(nested('Text', { text: value })))
  const PROP = `${AT}/props/text`

  it.each<[Json, string]>([
    [{ if: 'x' }, '/if'],
    [{ if: { then: 'a', else: 'b' } }, '/if/cond'],
    [{ if: { cond: true } }, '/if/then'],
    [{ if: { condition: true, cond: true, then: 'a' } }, '/if/condition'],
    [{ if: { cond: true, then: { conct: ['a'] } } }, '/if/then'],
    [{ eq: [1] }, '/eq'],
    [{ neq: [1, 2, 3] }, '/neq'],
    [{ eq: 'x' }, '/eq'],
    [{ and: true }, '/and'],
    [{ or: [] }, '/or'],
    [{ concat: 'x' }, '/concat'],
    [{ concat: ['x', { path: 5 }] }, '/concat/1'],
    [{ concat: [{ if: { cond: true } }] }, '/concat/0/if/then'],
    [{ length: 5 }, '/length'],
    [{ join: 'x' }, '/join'],
    [{ join: { path: '/a' } }, '/join/items'],
    [{ join: { items: 'a', separator: ', ' } }, '/join/items'],
    [{ join: { items: ['a'], seperator: ', ' } }, '/join/seperator'],
    [{ join: { items: ['a'], separator: {} } }, '/join/separator'],
    [{ map: ['a'] }, '/map'],
    [{ map: { from: 5, template: 'x' } }, '/map/from'],
    [{ map: { from: '/a' } }, '/map/template'],
    [{ map: { from: '/a', as: '', template: 'x' } }, '/map/as'],
    [{ map: { from: '/a', in: 'x', template: 'x' } }, '/map/in'],
    [{ coalesce: 'x' }, '/coalesce'],
    [{ coalesce: [{ conct: [] }, 'x'] }, '/coalesce/0'],
    [{ not: { eq: [1] } }, '/not/eq'],
    [{ formatString: ['x'] }, '/formatString'],
    [{ concat: [{ call: 'formatNumber', args: { value: 'x' } }] }, '/concat/0/args/value'],
    [{ concat: [{ call: 'formatNumber' }] }, '/concat/0/args'],
    [{ concat: [{ call: 'nope' }] }, '/concat/0/call'],
  ])('A2-350 the agent is told once, at the place, that nobody can use %j', (value, at) => {
    expect(text(value)).toEqual([[expect.any(String), PROP + at]])
  })

  it('A2-350 the public form and the context of an action are read in the same way', () => {
    expect(told(update({ id: 'x', component: 'Text', text: { concat: 'x' } }))).toEqual([
      ['validation_failed', `${AT}/text/concat`],
    ])
    const action = { event: { name: 'go', context: { who: { join: 'x' } } } }
    expect(told(update(nested('Button', { text: 'Go', action })))).toEqual([
      ['validation_failed', `${AT}/props/action/event/context/who/join`],
    ])
  })

  it('A2-350 helpers that are as the document has them are told nothing of', () => {
    const values: Json[] = [
      { if: { cond: { path: '/on' }, then: { concat: ['a', 1, null, { path: '/b' }] }, else: 'x' } },
      { if: { cond: { not: { path: '/on' } }, then: 'x' } },
      { eq: [{ path: '/a' }, null] },
      { and: [true, { or: [{ path: '/a' }] }] },
      { length: { path: '/a' } },
      { join: { items: { map: { from: '/a', as: 'it', template: '${/it/name}' } }, separator: ', ' } },
      { join: ['a', 'b'] },
      { map: { from: { path: '/a' }, template: { concat: [{ path: '/item/name' }] } } },
      { coalesce: [{ path: '/a' }, 'x'] },
      { literal: { if: 'anything' } },
    ]
    for (const value of values) expect(text(value), JSON.stringify(value)).toEqual([])
  })
})

describe('A2-351 calls in templates', () => {
  it.each([
    ["formatNumber(value: 'x')", { call: 'formatNumber', args: { value: 'x' } }],
    ['formatNumber(decimals: 2)', { call: 'formatNumber', args: { decimals: 2 } }],
    ['formatNumber(value: 1, digits: 2)', { call: 'formatNumber', args: { value: 1, digits: 2 } }],
    ["pluralize(value: ${/n}, other: 'x', on: 'y')", { call: 'pluralize', args: { value: 1, other: 'x', on: 'y' } }],
    ["regex(value: ${/n}, pattern: '(')", { call: 'regex', args: { value: { path: '/n' }, pattern: '(' } }],
    ['nope(a: 1)', { call: 'nope', args: { a: 1 } }],
    ['formatNumber(value: formatNumber(value: true))', { call: 'formatNumber', args: { value: true } }],
  ])('A2-351 %s is told for the same reason as the call outside of a template', (token, call) => {
    const tell = (value: Json) => answer(update(nested('Text', { text: value }))) as { diagnostics?: UiDiagnostic[] }
    const [inside, ...more] = tell({ formatString: `a \${${token}} b` }).diagnostics!
    const [outside] = tell({ concat: [call] }).diagnostics!
    expect(inside).toEqual({ ...outside, path: `${AT}/props/text/formatString` })
    expect(more).toEqual([])
  })

  it('A2-351 a call of formatString in a template is a template', () => {
    expect(shown("${formatString(value: 'n is ${/n}')}", { n: 2 })).toEqual(['n is 2'])
  })
})

describe('A2-352 what is given twice', () => {
  const AGAIN = '/updateComponents/components/0'

  it('A2-352 a component in two members of one envelope: the later one is shown, and the earlier one is told', () => {
    const root = column('a')
    const made = create(root, {}, { components: [{ id: 'root', component: 'Text', text: 'flat' }] })
    expect(told(made)).toEqual([['given_twice', '/createSurface/root']])
    const component = { id: 'x', type: 'Text', props: { text: 'a' } }
    const both = {
      surfaceId: 's',
      replace: { id: 'y', component: { ...component, id: 'y' } },
      components: [{ ...component, id: 'y' }],
    }
    const surfaces = new Surfaces()
    surfaces.apply(create(column(nested('Text', { text: 'x' }), { id: 'y', type: 'Text', props: { text: 'y' } })))
    const [result] = surfaces.apply([{ version: 'v0.9', updateComponents: both }]).results
    expect(result).toMatchObject({
      diagnostics: [{ code: 'given_twice', path: '/updateComponents/replace/component' }],
    })
    expect(told(update(component, component))).toEqual([['duplicate_id', '/updateComponents/components/1/id']])
  })

  it('A2-353 both names of a property, or both places: one is used, and the other one is told', () => {
    const shownText = (component: JsonObject) => live(column(component)).model.getNode('x')!.props.text
    const cases: [JsonObject, string, string][] = [
      [{ id: 'x', type: 'Text', props: { text: 'a', value: 'b' } }, 'a', '/props/value'],
      [{ id: 'x', type: 'Text', props: { value: 'b', text: 'a' } }, 'a', '/props/value'],
      [{ id: 'x', type: 'Text', text: 'b', props: { text: 'a' } }, 'a', '/text'],
      [{ id: 'x', type: 'Text', text: 'a', props: { value: 'b' } }, 'a', '/props/value'],
      [{ id: 'x', type: 'Text', value: 'a', props: { value: 'b' } }, 'a', '/props/value'],
      [{ id: 'x', component: 'Text', text: 'a', value: 'b' }, 'a', '/value'],
    ]
    for (const [component, wins, at] of cases) {
      expect(told(update(component)), JSON.stringify(component)).toEqual([['given_twice', AGAIN + at]])
      expect(shownText(component)).toBe(wins)
    }
    expect(told(update(nested('Text', { text: 'a', value: 'a' })))).toEqual([])
  })
})

describe('A2-354 properties that fit the schema and show nothing', () => {
  it('A2-354 the name of an icon that is not drawn is told, in both forms', () => {
    expect(told(update(nested('Icon', { name: 'not_an_icon' })))).toEqual([['wrong_choice', `${AT}/props/name`]])
    expect(told(update({ id: 'x', component: 'Icon', name: 'not_an_icon' }))).toEqual([['wrong_choice', `${AT}/name`]])
    for (const name of ['home', 'shopping_cart', 'accountCircle', { path: '/icon' }, { svgPath: 'M0 0' }])
      expect(told(update(nested('Icon', { name })))).toEqual([])
  })

  it('A2-355 a lower bound above the upper one is told', () => {
    const slider = (props: JsonObject) => told(update(nested('Slider', { value: { path: '/v' }, ...props })))
    expect(slider({ min: 9, max: 3 })).toEqual([['out_of_range', `${AT}/props/min`]])
    expect(slider({ max: -1 })).toEqual([['out_of_range', `${AT}/props/max`]])
    expect(slider({ min: { path: '/a' }, max: 3 })).toEqual([])
    expect(slider({ min: 3, max: 3 })).toEqual([])
    const days = (min: string, max: string) => told(update(nested('DateTimeInput', { value: '', min, max })))
    expect(days('2026-02-01', '2026-01-01')).toEqual([['out_of_range', `${AT}/props/min`]])
    expect(days('2026-01-01', '2026-02-01')).toEqual([])
    // The night is a range of the clock.
    expect(days('22:00', '06:00')).toEqual([])
  })
})

describe('A2-430 literal values that nobody sees as they were meant', () => {
  it.each<[string, JsonObject, string, string]>([
    ['DateTimeInput', { min: '2026-01-01T10:00:00Z', max: '2026-01-01T12:00:00+05:00' }, 'out_of_range', 'min'],
    ['DateTimeInput', { min: '2026-01-02', max: '2026-01-01T23:00:00' }, 'out_of_range', 'min'],
    ['DateTimeInput', { min: '2026-01-02', value: '2026-01-01' }, 'out_of_range', 'value'],
    ['DateTimeInput', { max: '2026-01-01T10:00Z', value: '2026-01-01T11:00+00:30' }, 'out_of_range', 'value'],
    ['DateTimeInput', { min: 'tomorrow' }, 'validation_failed', 'min'],
    ['DateTimeInput', { max: '9:00' }, 'validation_failed', 'max'],
    ['DateTimeInput', { value: '2026-02-30' }, 'validation_failed', 'value'],
    ['Slider', { value: 50, max: 10 }, 'out_of_range', 'value'],
    ['Slider', { value: 1, min: 2, max: 10 }, 'out_of_range', 'value'],
    ['ProgressBar', { value: 5, max: 0 }, 'out_of_range', 'max'],
    ['ProgressBar', { value: 5, max: 3 }, 'out_of_range', 'value'],
    ['ProgressBar', { value: -1 }, 'out_of_range', 'value'],
    ['TextArea', { label: 'x', rows: 100_000 }, 'out_of_range', 'rows'],
    ['TextField', { label: 'x', rows: 0 }, 'out_of_range', 'rows'],
  ])('A2-430 %s %j is told', (type, props, code, at) => {
    expect(told(update(nested(type, props))).filter(([found]) => found !== 'missing')).toEqual([
      [code, `${AT}/props/${at}`],
    ])
  })

  it.each<[string, JsonObject]>([
    ['DateTimeInput', { value: '2026-01-01T11:00+05:00', min: '2026-01-01T05:00Z', max: '2026-01-01T12:00+05:00' }],
    ['DateTimeInput', { value: '14:00', min: '22:00', max: '06:00' }],
    ['DateTimeInput', { value: '', min: { path: '/a' } }],
    ['Slider', { value: 10, max: 10 }],
    ['ProgressBar', { value: { path: '/v' }, max: 3 }],
    ['TextArea', { label: 'x', rows: 30 }],
  ])('A2-430 nothing is said about %s %j', (type, props) => {
    expect(told(update(nested(type, props)))).toEqual([])
  })
})

describe('A2-431 what a component names or has twice', () => {
  it.each<[JsonObject, string]>([
    [{ id: 'x', component: 'Column', children: ['a', 'b', 'a'] }, '/children/2'],
    [{ id: 'x', component: 'Card', child: 'a', children: ['b', 'a'] }, '/children/1'],
    [{ id: 'x', component: 'Modal', trigger: 'a', content: 'a' }, '/content'],
    [
      {
        id: 'x',
        component: 'Tabs',
        tabs: [
          { title: 'A', child: 'a' },
          { title: 'B', child: 'a' },
        ],
      },
      '/tabs/1/child',
    ],
    [{ id: 'x', type: 'Select', props: { options: ['a', { value: 'a', label: 'Again' }] } }, '/props/options/1'],
    [{ id: 'x', type: 'Table', props: { columns: [{ key: 'k' }, 'b', 'k'], rows: [] } }, '/props/columns/2'],
  ])('A2-431 %j is told', (component, at) => {
    expect(told(update(component))).toEqual([['given_twice', AT + at]])
  })

  it('A2-432 an argument of a call in a template that is given twice is told, and nothing of the call is shown', () => {
    const text = '[${formatNumber(value: 1, value: 2)}]'
    expect(shown(text)).toEqual(['[]', 'invalid_template'])
    expect(answer(update(nested('Text', { text: { formatString: text } })))).toMatchObject({
      diagnostics: [
        { code: 'invalid_template', message: expect.stringContaining("The argument 'value' is given twice") },
      ],
    })
  })
})

describe('A2-434 the answer of the tool', () => {
  it('A2-434 has a type, and says diagnostics where the engine says it', () => {
    const surfaces = new Surfaces()
    const envelopes = [create({ id: 'root', type: 'Text', props: { text: 'x', zork: 1 } }), { version: 'v0.9' }]
    const { applied, failed, results } = a2uiToolResult(surfaces, surfaces.apply(envelopes))
    expect([applied, failed]).toEqual([1, 1])
    const found = results.map(entry => (entry.ok ? entry.diagnostics?.map(({ code }) => code) : entry.code))
    expect(found).toEqual([['unknown_field'], 'invalid_envelope'])
  })
})

describe('A2-433 messages that name what is wrong', () => {
  const messageOf = (props: JsonObject, type = 'Text') => {
    const result = answer(update(nested(type, props)))
    return result.ok
      ? (result.diagnostics ?? []).map(({ message }) => message).join()
      : `${result.path} ${result.error}`
  }

  it('A2-433 a token of a template without an end is shown in the message', () => {
    expect(messageOf({ text: { formatString: 'Price ${/a and more' } })).toContain('has no end: ${/a and more')
    expect(messageOf({ text: { formatString: '${formatNumber(' } })).toContain('has no end: ${formatNumber(')
  })

  it('A2-433 double braces are told, and leave no brace behind', () => {
    expect(shown('${{name}}, hi', { name: 'N' })).toEqual([', hi', 'invalid_template'])
    expect(messageOf({ text: { formatString: '${{name}}, hi' } })).toContain('from here on: {name}}, hi')
    expect(shown('${/a}} and ${/b{c}', { a: 1, 'b{c': 2 })).toEqual(['1} and 2'])
  })

  it('A2-433 a context that is a list is told as that', () => {
    const context = [{ key: 'a', value: { path: '/a' } }]
    const found = messageOf({ label: 'x', action: { name: 'go', context } }, 'Button')
    expect(found).toContain("is not of type 'object'")
    expect(found).not.toContain("'event'")
  })

  it('A2-433 an address is refused for the reason that it has', () => {
    const link = (href: string) => messageOf({ text: 'x', href }, 'Link')
    expect(link('https://a@b.example/')).toContain('has a user part')
    expect(link('https://a@b.example/')).not.toContain('begin with')
    expect(link('ftp://b.example/')).toContain('begin with http: or https: or mailto: or data:')
  })
})

describe('A2-356 gaps of a list', () => {
  it.each(['/items/3', '/items/3/name', '/none/2', '/items/0/inner/2'])(
    'A2-356 a write to %s tells those who read what it fills',
    pointer => {
      const { model, send } = live(
        column(
          ...['/items/1', '/none/0', '/items/0/inner/1'].map((path, i) => ({
            id: `t${i}`,
            type: 'Badge',
            props: { text: { path } },
          })),
        ),
        { items: [{}] },
      )
      const before = ['t0', 't1', 't2'].map(id => model.getNode(id)!.props.text)
      expect(before).toEqual([undefined, undefined, undefined])
      send(data(pointer, 'x'))
      const filled = ['/items/3', '/items/3/name'].includes(pointer) ? 't0' : pointer === '/none/2' ? 't1' : 't2'
      expect(model.getNode(filled)!.props.text).toBe(null)
    },
  )
})
