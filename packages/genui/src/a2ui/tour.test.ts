// biome-ignore-all lint/suspicious/noThenProperty: the name that the document gives it
import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { basicCatalog } from './basic-catalog.ts'
import { BASIC_CATALOG_ID } from './catalog-ids.ts'
import { HELPERS } from './expression.ts'
import { SurfaceModel } from './surface-model.ts'
import { Surfaces } from './surfaces.ts'

/** Values of every type that JSON has, with those that readers forget. */
const VALUES: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1.5,
    1e308,
    2 ** 60,
    '',
    'x',
    '3',
    ' true ',
    '\ud800',
    '\u202eabc\u202c',
    'a\nb',
    '__proto__',
  ],
  ...[
    [],
    [null],
    [1, true],
    ['x', 'y'],
    [[]],
    [{}],
    {},
    { a: { b: [null] } },
    { constructor: 1 },
    [{ a: [{ b: {} }] }],
  ],
]

type Form = 'nested' | 'public'
type Kind = (value: Json, form: Form) => boolean

const isText = (value: Json): value is string => typeof value === 'string'
const isList = (value: Json): value is Json[] => Array.isArray(value)

/** Whether a value can be used without a word about it. In the nested form null is what was left out. */
const kinds = {
  text: (value, form) => isText(value) || (form === 'nested' && typeof value !== 'object'),
  number: value => typeof value === 'number',
  boolean: value => typeof value === 'boolean',
  choice: () => false,
  rows: value => typeof value === 'number' && value >= 2 && value <= 30,
  time: value => value === '',
  level: value => value === 1,
  any: () => true,
  /** The items that the tour has are scalars that can be shown, or records and lists that cannot. */
  scalars: value => isList(value) && value.every(item => typeof item !== 'object'),
  records: value => isList(value) && value.every(isObject),
  texts: (value, form) => isList(value) && (form === 'nested' || value.every(isText)),
  id: value => isText(value) && value !== '' && value.isWellFormed() && value !== '__proto__',
  ids: value => isList(value) && value.every(isText),
  checks: value => isList(value) && value.length === 0,
  action: () => false,
  tabs: () => false,
  pattern: value => isText(value),
  address: value => value === '',
  record: value => isObject(value),
} satisfies Record<string, Kind>

const common: Record<string, Kind> = { accessibility: kinds.record, weight: kinds.number }
const layout = { align: kinds.choice, justify: kinds.choice, children: kinds.ids, child: kinds.id }
const field = { label: kinds.text, action: kinds.action, checks: kinds.checks }

const COMPONENTS: Record<string, [props: JsonObject, kinds: Record<string, Kind>]> = {
  Text: [{ text: 'x' }, { text: kinds.text, variant: kinds.choice }],
  Heading: [{ text: 'x' }, { text: kinds.text, level: kinds.level }],
  Paragraph: [{ text: 'x' }, { text: kinds.text }],
  Row: [{ children: [] }, layout],
  Column: [{ children: [] }, layout],
  Stack: [{ children: [] }, layout],
  List: [
    { children: [] },
    { align: kinds.choice, children: kinds.ids, child: kinds.id, ordered: kinds.boolean, direction: kinds.choice },
  ],
  Card: [{ child: 'c' }, { child: kinds.id, children: kinds.ids }],
  Tabs: [{ tabs: [{ title: 'x', child: 'c' }] }, { tabs: kinds.tabs }],
  Modal: [
    { trigger: 't', content: 'c' },
    { trigger: kinds.id, content: kinds.id },
  ],
  Divider: [{}, { axis: kinds.choice }],
  Spacer: [{}, { size: kinds.number }],
  Button: [
    { text: 'x' },
    { text: kinds.text, child: kinds.id, variant: kinds.choice, action: kinds.action, checks: kinds.checks },
  ],
  TextField: [
    { label: 'x' },
    {
      ...field,
      placeholder: kinds.text,
      value: kinds.text,
      variant: kinds.choice,
      rows: kinds.rows,
      validationRegexp: kinds.pattern,
    },
  ],
  TextArea: [{ label: 'x' }, { ...field, placeholder: kinds.text, value: kinds.text, rows: kinds.rows }],
  Checkbox: [
    { label: 'x', value: true },
    { ...field, value: kinds.boolean },
  ],
  CheckBox: [
    { label: 'x', value: true },
    { ...field, value: kinds.boolean },
  ],
  Select: [{ options: [] }, { ...field, placeholder: kinds.text, options: kinds.scalars, value: kinds.any }],
  ChoicePicker: [
    { options: [], value: [] },
    {
      ...field,
      options: kinds.scalars,
      value: kinds.texts,
      variant: kinds.choice,
      displayStyle: kinds.choice,
      filterable: kinds.boolean,
    },
  ],
  Slider: [
    { value: { path: '/v' }, max: 2 },
    {
      ...field,
      value: value => typeof value === 'number' && value >= 0 && value <= 2,
      min: value => typeof value === 'number' && value <= 2,
      max: value => typeof value === 'number' && value >= 0,
      step: kinds.number,
    },
  ],
  DateTimeInput: [
    { value: '' },
    {
      ...field,
      value: kinds.time,
      enableDate: kinds.boolean,
      enableTime: kinds.boolean,
      min: kinds.time,
      max: kinds.time,
    },
  ],
  Link: [{ href: 'https://a.example' }, { text: kinds.text, href: kinds.address }],
  ProgressBar: [
    {},
    {
      value: value => typeof value === 'number' && value >= 0 && value <= 100,
      max: value => typeof value === 'number' && value > 0,
      label: kinds.text,
    },
  ],
  Badge: [{ text: 'x' }, { text: kinds.text, tone: kinds.choice }],
  Table: [
    { columns: [], rows: [] },
    { columns: kinds.scalars, rows: kinds.records, caption: kinds.text },
  ],
  Image: [
    { url: 'https://a.example/b.png' },
    { url: kinds.address, description: kinds.text, fit: kinds.choice, variant: kinds.choice },
  ],
  // There is an icon of this name.
  Icon: [{ name: 'home' }, { name: value => value === 'x' }],
  Video: [{ url: 'https://a.example/b.mp4' }, { url: kinds.address, description: kinds.text }],
  AudioPlayer: [{ url: 'https://a.example/b.mp3' }, { url: kinds.address, description: kinds.text }],
}

const AT = '/updateComponents/components/0'

/** What the engine says about a component, and whether all that a person can do with it can be done. */
function told(component: JsonObject, data: Json = {}): { paths: string[]; shown: SurfaceModel } {
  const surfaces = new Surfaces()
  const version = 'v0.9'
  const shown = new SurfaceModel({
    surfaceId: 's',
    locale: 'en-US',
    onDiagnostic: ({ code, message }) => expect(code, message).not.toBe('function_failed'),
  })
  const results = [
    { createSurface: { surfaceId: 's', catalogId: BASIC_CATALOG_ID, root: 'me' } },
    { updateDataModel: { surfaceId: 's', path: '/v', value: data } },
    { updateComponents: { surfaceId: 's', components: [component] } },
  ].map(envelope => surfaces.apply([{ version, ...envelope }]).results[0]!)
  for (const result of results) {
    if (result.ok) shown.apply(result.ops)
    else expect(result.code).not.toBe('not_applied')
  }
  shown.getNode('me')
  for (const event of ['click', 'submit', 'change'] as const) shown.action('me', event)
  shown.setInput('me', data)
  shown.values()
  const last = results.at(-1)!
  return { paths: last.ok ? (last.diagnostics ?? []).map(({ path }) => path) : [last.path], shown }
}

const componentOf = (form: Form, type: string, props: JsonObject): JsonObject =>
  form === 'nested' ? { id: 'me', type, props } : { id: 'me', component: type, ...props }

/** The property itself, or a place inside of it. */
const isAt = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

describe('A2-216 a tour with values of every type', () => {
  it('A2-216 knows every component and every property of the catalog', () => {
    expect(Object.keys(COMPONENTS).toSorted()).toEqual([...basicCatalog.components.keys()].toSorted())
    for (const [type, [, own]] of Object.entries(COMPONENTS)) {
      const { properties } = basicCatalog.components.get(type)!.schema as { properties: JsonObject }
      const names = Object.keys(properties).filter(name => name !== 'id' && name !== 'component')
      expect(Object.keys({ ...common, ...own }).toSorted(), type).toEqual(names.toSorted())
    }
  })

  it.each(Object.keys(COMPONENTS))('A2-216 %s: what can be used is used, and all else is told at its place', type => {
    const [props, own] = COMPONENTS[type]!
    for (const form of ['nested', 'public'] as const) {
      const place = form === 'nested' ? `${AT}/props` : AT
      expect(told(componentOf(form, type, props)).paths, form).toEqual([])
      for (const [name, usable] of Object.entries({ ...common, ...own }))
        for (const value of VALUES) {
          const { paths } = told(componentOf(form, type, { ...props, [name]: value }))
          const what = `${form} ${type} ${name}: ${JSON.stringify(value)}`
          for (const path of paths) expect(isAt(path, `${place}/${name}`), `${what} is told at ${path}`).toBe(true)
          if (form === 'nested' && value === null) continue
          expect(paths.length === 0, what).toBe(usable(value, form))
        }
      for (const [name, usable] of Object.entries({ ...common, ...own }))
        for (const value of VALUES) {
          if (usable === kinds.id || usable === kinds.record || usable === kinds.pattern) continue
          if (usable === kinds.action || usable === kinds.checks || usable === kinds.tabs || usable === kinds.ids)
            continue
          // What the data hold is not known when the component comes: it is drawn as far as it goes.
          expect(told(componentOf(form, type, { ...props, [name]: { path: '/v' } }), value).paths).toEqual([])
        }
    }
  })
})

const count: Kind = value => typeof value === 'number' && Number.isInteger(value) && value >= 0
const plural = {
  zero: kinds.text,
  one: kinds.text,
  two: kinds.text,
  few: kinds.text,
  many: kinds.text,
  other: kinds.text,
}
const conditions: Kind = value => isList(value) && value.length > 1 && value.every(item => typeof item === 'boolean')
const FUNCTIONS: Record<string, [args: JsonObject, kinds: Record<string, Kind>]> = {
  required: [{ value: 1 }, { value: kinds.any }],
  regex: [
    { value: 'x', pattern: 'x' },
    { value: kinds.text, pattern: kinds.pattern },
  ],
  length: [
    { value: 'x', min: 1 },
    { value: kinds.text, min: count, max: count },
  ],
  numeric: [
    { value: 1, min: 1 },
    { value: kinds.number, min: kinds.number, max: kinds.number },
  ],
  email: [{ value: 'x' }, { value: kinds.text }],
  formatString: [{ value: 'x' }, { value: kinds.text }],
  formatNumber: [{ value: 1 }, { value: kinds.number, decimals: kinds.number, grouping: kinds.boolean }],
  formatCurrency: [
    { value: 1, currency: 'USD' },
    { value: kinds.number, currency: kinds.text, decimals: kinds.number, grouping: kinds.boolean },
  ],
  formatDate: [
    { value: '2026-03-15', format: 'yyyy' },
    { value: kinds.any, format: kinds.text },
  ],
  pluralize: [
    { value: 1, other: 'x' },
    { value: kinds.number, ...plural },
  ],
  and: [{ values: [true, false] }, { values: conditions }],
  or: [{ values: [true, false] }, { values: conditions }],
  not: [{ value: true }, { value: kinds.boolean }],
}

describe('A2-216 a tour through the functions', () => {
  it('A2-216 knows every function that a value may call', () => {
    const callable = [...basicCatalog.functions].flatMap(([name, { effect }]) => (effect ? [] : [name]))
    expect(Object.keys(FUNCTIONS).toSorted()).toEqual(callable.toSorted())
    for (const [name, [, own]] of Object.entries(FUNCTIONS)) {
      const { properties } = basicCatalog.functions.get(name)!.parameters as { properties: JsonObject }
      expect(Object.keys(own).toSorted(), name).toEqual(Object.keys(properties).toSorted())
    }
  })

  it.each(Object.keys(FUNCTIONS))(
    'A2-216 %s: arguments of the wrong type are told, data of any type give a result',
    name => {
      const [args, own] = FUNCTIONS[name]!
      const { returnType } = basicCatalog.functions.get(name)!
      const call = (more: JsonObject) => ({
        id: 'me',
        component: 'Text',
        text: { call: name, args: { ...args, ...more } },
      })
      expect(told(call({})).paths).toEqual([])
      for (const [arg, usable] of Object.entries(own))
        for (const value of VALUES) {
          const { paths } = told(call({ [arg]: value }))
          const what = `${name} ${arg}: ${JSON.stringify(value)}`
          for (const path of paths)
            expect(isAt(path, `${AT}/text/args/${arg}`), `${what} is told at ${path}`).toBe(true)
          expect(paths.length === 0, what).toBe(usable(value, 'public'))
          if (usable === count || usable === kinds.pattern || arg === 'values') continue
          if (name === 'numeric' && arg !== 'value') continue
          const bound = told(call({ [arg]: { path: '/v' } }), value)
          expect(bound.paths, what).toEqual([])
          expect(typeof bound.shown.getNode('me')!.props.text, what).toBe(returnType)
        }
    },
  )

  it.each(HELPERS)('A2-216 the helper %s takes anything', helper => {
    for (const value of VALUES)
      for (const inner of [
        value,
        [value, value],
        { path: '/v' },
        { from: value, items: value, cond: value, then: value },
      ]) {
        const { paths } = told({ id: 'me', type: 'Text', props: { text: { [helper]: inner } } }, value)
        for (const path of paths) expect(isAt(path, `${AT}/props/text/${helper}`), path).toBe(true)
      }
  })
})
