import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileInput, compileOutput } from '../schema/examples.test.data.ts'
import {
  inspectSchema,
  readSchema,
  schemaToMarkdown,
  schemaToText,
  type UiNode,
  validateSchema,
} from '../schema/index.ts'
import { hints, texts } from './arbitrary.test.data.ts'
import { compileHints, hintsCorrection, hintsToSchema, inspectHints, validateHints } from './index.ts'

const children = (value: unknown): UiNode[] => hintsToSchema(value).root.children
const types = (value: unknown): string[] => children(value).map(({ type }) => type)
const errors = (value: unknown): string[] =>
  compileHints(value)
    .diagnostics.filter(d => d.level === 'error')
    .map(d => `${d.code} ${d.path}`)
const repairs = (value: unknown): string[] =>
  compileHints(value)
    .diagnostics.filter(d => d.level === 'repair')
    .map(d => d.path)

describe('compile', () => {
  it('UH-09 the example of the document gives exactly its output', () => {
    const schema = hintsToSchema(compileInput, { locale: 'zh-CN' })
    expect(JSON.stringify(schema)).toBe(JSON.stringify(compileOutput))
    expect(compileHints(compileInput).diagnostics.map(d => d.code)).toEqual(['default_taken'])
  })

  it('UH-08 an intent gives the default layout and nothing else', () => {
    const layouts = { message: 'plain', data: 'card', list: 'plain', status: 'card', form: 'section', mixed: 'card' }
    for (const [intent, appearance] of Object.entries(layouts)) {
      const schema = hintsToSchema({ intent, status: 'success', title: 't', body: 'b' })
      expect(schema.root).toEqual({
        ...hintsToSchema({ intent: 'mixed', status: 'success', title: 't', body: 'b' }).root,
        appearance,
      })
    }
  })

  it('UH-10 the order is title row, description, body, items, list, sections, actions', () => {
    const shuffled = {
      actions: [{ label: 'A', action: { type: 'event', event: 'e' } }],
      sections: [{ title: 'S' }],
      listItems: [{ title: 'L' }],
      items: [{ key: 'k', value: 'v' }],
      body: 'B',
      description: 'D',
      title: 'T',
      icon: { source: 'emoji', value: '🎉' },
      status: 'success',
    }
    const { schema } = readSchema(hintsToSchema(shuffled))
    expect(schemaToText(schema!).replace(/\s+/g, ' ')).toBe('🎉 T [Success] D B k: v L S [A]')
  })

  it('UH-15 a badge is there when intent is status or status is not info', () => {
    const badge = (value: object) => JSON.stringify(hintsToSchema(value)).includes('"badge"')
    expect(badge({ title: 't', status: 'info' })).toBe(false)
    expect(badge({ title: 't', status: 'info', intent: 'status' })).toBe(true)
    expect(badge({ title: 't', status: 'warning' })).toBe(true)
    expect(children({ status: 'error' })).toEqual([{ type: 'badge', label: 'ui.status.error', status: 'error' }])
  })

  it('UH-16 version is 2.1, intent mixed and status info unless said', () => {
    const { schema, diagnostics } = compileHints({ title: 't' })
    expect(schema).toMatchObject({
      version: '2.0',
      status: 'info',
      theme: 'default',
      locale: 'en',
      root: { appearance: 'card' },
    })
    expect(diagnostics.map(d => `${d.level} ${d.path}`)).toEqual([
      'default /version',
      'default /intent',
      'default /status',
    ])
    for (const [index, value] of ['2.1', 'mixed', 'info'].entries())
      expect(diagnostics[index]!.message).toContain(value)
    // Saying the defaults is the same as leaving them out.
    expect(compileHints({ title: 't', version: '2.1', intent: 'mixed', status: 'info' })).toEqual({
      schema,
      diagnostics: [],
    })
    expect(validateHints({ version: '3.0' })[0]).toMatchObject({ code: 'version_mismatch' })
  })

  it('UH-01 UH-07 takes every field of the payload', () => {
    const icon = { source: 'icon', value: 'check', color: 'green', size: 20 }
    const schema = hintsToSchema({
      version: '2.1',
      intent: 'message',
      status: 'info',
      title: 't',
      description: 'd',
      body: 'b',
      bodyFormat: 'markdown',
      icon,
      meta: { requestId: 'r', extra: 1 },
    })
    expect(schema.meta).toEqual({ requestId: 'r', extra: 1 })
    expect(schema.root.children).toEqual([
      {
        type: 'stack',
        direction: 'horizontal',
        gap: 8,
        children: [
          { type: 'icon', ...icon },
          { type: 'text', content: 't', role: 'title' },
        ],
        align: 'center',
      },
      { type: 'text', content: 'd', role: 'subtitle' },
      { type: 'text', content: 'b', format: 'markdown', role: 'body' },
    ])
  })

  it('UH-04 key-value items keep key, label, value and copyable', () => {
    expect(children({ items: [{ key: 'k', label: 'K', value: { a: 1 }, copyable: true }, { key: 'none' }] })).toEqual([
      {
        type: 'kv',
        items: [
          { key: 'k', label: 'K', value: { a: 1 }, copyable: true },
          { key: 'none', value: null },
        ],
      },
    ])
  })

  it('UH-03 a list item carries icon, status and actions', () => {
    const [list] = children({
      listItems: [
        {
          id: 'i1',
          title: 't',
          subtitle: 's',
          description: 'd',
          icon: { source: 'icon', value: 'x' },
          status: 'pending',
          actions: [{ label: 'Go', action: { type: 'tool', toolId: 'x' } }],
        },
      ],
    })
    const [item] = (list as { children: UiNode[] }).children
    expect(item).toMatchObject({
      id: 'i1',
      direction: 'horizontal',
      children: [
        { type: 'icon', value: 'x' },
        {
          type: 'stack',
          children: [
            { content: 't', role: 'body' },
            { content: 's', role: 'caption' },
            { content: 'd', role: 'caption' },
            { type: 'stack', children: [{ type: 'button', label: 'Go' }] },
          ],
        },
        { type: 'badge', label: 'ui.status.pending' },
      ],
    })
  })

  it('UH-02 UH-24 sections carry all their content and nest', () => {
    const inner = { title: 'Inner', listItems: [{ title: 'x' }] }
    const schema = hintsToSchema({
      sections: [
        {
          title: 'S',
          description: 'D',
          icon: { source: 'emoji', value: '⚙️' },
          content: 'C',
          contentFormat: 'markdown',
          items: [{ key: 'k', value: 1 }],
          listItems: [{ title: 'l' }],
          actions: [{ label: 'a', action: { type: 'copy', content: 'c' } }],
          sections: [inner],
        },
      ],
    })
    const [section] = schema.root.children
    expect(section).toMatchObject({ type: 'stack', appearance: 'section', gap: 12 })
    expect((section as { children: UiNode[] }).children.map(({ type }) => type)).toEqual([
      'stack',
      'text',
      'text',
      'kv',
      'stack',
      'stack',
      'stack',
    ])
    expect(JSON.stringify(section)).toContain('"content":"Inner"')
    expect(validateSchema(schema)).toEqual([])
  })

  it('UH-05 UH-06 actions become buttons with their target', () => {
    const targets = [
      { type: 'navigation', path: '/a', params: { q: 1 } },
      { type: 'url', url: 'https://x.example', target: '_self' },
      { type: 'event', event: 'e', payload: { a: 1 } },
      { type: 'tool', toolId: 't', params: { a: [1] } },
      { type: 'copy', content: 'c', successMessage: 's' },
      { type: 'payload', payload: { a: 1 }, submitTo: '/s' },
    ]
    const schema = hintsToSchema({
      actions: targets.map((action, index) => ({ label: `L${index}`, style: 'ghost', disabled: index === 0, action })),
    })
    const [row] = schema.root.children
    expect((row as { children: UiNode[] }).children).toEqual(
      targets.map((action, index) => ({
        type: 'button',
        label: `L${index}`,
        style: 'ghost',
        disabled: index === 0,
        action,
      })),
    )
  })

  it('UH-35 C02 a violated contract gives a disabled button with a reason', () => {
    const bad = {
      actions: [
        { label: 'Go', action: { type: 'navigation', path: '/todo/:id' } },
        { label: 'X', action: { type: 'url', url: 'javascript:x' } },
        { label: 'None' },
      ],
    }
    const schema = hintsToSchema(bad)
    expect(schema.root.children[0]).toMatchObject({
      children: [
        { disabled: true, disabledReason: 'ui.reason.path_param' },
        { disabled: true, disabledReason: 'ui.reason.url_scheme' },
        { label: 'None', disabled: true, disabledReason: 'ui.reason.action_missing' },
      ],
    })
    expect(validateSchema(schema)).toEqual([])
    expect(errors(bad)).toEqual([
      'path_param /actions/0/action/path',
      'url_scheme /actions/1/action/url',
      'missing /actions/2/action',
      'action_missing /actions/2/action',
    ])
    expect(validateHints(bad).map(d => d.code)).toEqual(['path_param', 'url_scheme', 'missing'])
  })
})

describe('beyond the document', () => {
  it('UH-18 a table from rows or records', () => {
    expect(
      children({
        table: { columns: ['A', { key: 'b', label: 'B', align: 'end' }], rows: [[1, 2, 3], { A: 'x', b: null }] },
      }),
    ).toEqual([
      {
        type: 'table',
        columns: [{ label: 'A' }, { label: 'B', align: 'end' }, { label: '' }],
        rows: [
          [1, 2, 3],
          ['x', null],
        ],
      },
    ])
    expect(hintsToSchema({ table: { columns: ['A'], rows: [{ A: 1, more: 2 }] } }).meta).toEqual({
      unknown: { '/table/rows/0/more': 2 },
    })
  })

  it('UH-19 fields with their validation and options in any form', () => {
    const [form] = children({
      fields: [
        { key: 'a', label: 'A', type: 'email', required: true, minLength: 3, placeholder: 'p', help: 'h', value: 'v' },
        { key: 'b', options: { x: 'Ex', y: 'Why' } },
        { key: 'c', type: 'radio', options: ['one', 2] },
        { key: 'd', type: 'multiselect', options: [{ value: 1, label: 'One' }] },
        { key: 'e', type: 'select' },
        { name: 'f', type: 'textarea' },
      ],
    })
    expect((form as { children: UiNode[] }).children).toEqual([
      {
        type: 'field',
        name: 'a',
        label: 'A',
        input: 'email',
        value: 'v',
        placeholder: 'p',
        help: 'h',
        required: true,
        minLength: 3,
      },
      {
        type: 'field',
        name: 'b',
        label: 'b',
        input: 'select',
        options: [
          { value: 'x', label: 'Ex' },
          { value: 'y', label: 'Why' },
        ],
      },
      {
        type: 'field',
        name: 'c',
        label: 'c',
        input: 'radio',
        options: [
          { value: 'one', label: 'one' },
          { value: 2, label: '2' },
        ],
      },
      { type: 'field', name: 'd', label: 'd', input: 'multiselect', options: [{ value: 1, label: 'One' }] },
      { type: 'field', name: 'e', label: 'e' },
      { type: 'field', name: 'f', label: 'f', input: 'multiline' },
    ])
  })

  it('UH-19 C05 a pattern that could block the page moves to meta', () => {
    const { schema } = compileHints({ fields: [{ key: 'a', pattern: '^(a+)+$' }] })
    expect(JSON.stringify(schema.root)).not.toContain('(a+)+')
    expect(schema.meta).toEqual({ unknown: { '/fields/0/pattern': '^(a+)+$' } })
  })

  it('UH-25 a form that nobody can send gets a submit button in the locale', () => {
    const fields = [{ key: 'a' }]
    const label = (value: object, locale: string) => JSON.stringify(hintsToSchema(value, { locale }))
    expect(label({ fields }, 'zh-CN')).toContain('"label":"提交"')
    expect(label({ sections: [{ fields }] }, 'en')).toContain('"label":"Submit"')
    expect(
      label({ fields, actions: [{ label: 'Send', action: { type: 'payload', payload: {} } }] }, 'en'),
    ).not.toContain('Submit')
    expect(
      label({ fields, actions: [{ label: 'Run', submit: true, action: { type: 'tool', toolId: 't' } }] }, 'en'),
    ).not.toContain('"Submit"')
    expect(label({ title: 'no form' }, 'en')).not.toContain('Submit')
  })

  it('UH-20 progress as a number or an object', () => {
    expect(children({ progress: 40 })).toEqual([{ type: 'progress', value: 40 }])
    expect(children({ progress: { value: 3, max: 8, label: 'Steps' } })).toEqual([
      { type: 'progress', value: 3, max: 8, label: 'Steps' },
    ])
  })

  it('UH-21 C02 an image as a URL or an object, by the media policy', () => {
    expect(children({ image: 'https://x.example/a.png' })).toEqual([{ type: 'image', url: 'https://x.example/a.png' }])
    expect(children({ image: { src: 'https://x.example/a.png', alt: 'A' } })).toEqual([
      { type: 'image', url: 'https://x.example/a.png', alt: 'A' },
    ])
    expect(children({ image: 'javascript:x' })).toEqual([])
    expect(errors({ image: 'javascript:x' })).toEqual(['url_scheme /image'])
  })

  it('UH-22 a chart with named series or bare numbers', () => {
    const series = [{ name: 'A', data: [1, 2] }]
    expect(children({ chart: { kind: 'line', labels: ['x', 'y'], series, title: 'T', unit: '%' } })).toEqual([
      { type: 'chart', kind: 'line', labels: ['x', 'y'], series, title: 'T', unit: '%' },
    ])
    expect(children({ chart: { kind: 'pie', series: [3, 4] } })).toEqual([
      { type: 'chart', kind: 'pie', series: [{ data: [3, 4] }] },
    ])
  })

  it('UH-23 confirm as a text, an object or yes', () => {
    const confirm = (given: unknown) => {
      const [row] = hintsToSchema(
        { actions: [{ label: 'x', action: { type: 'tool', toolId: 't' }, confirm: given }] },
        { locale: 'zh-CN' },
      ).root.children
      return (row as unknown as { children: { confirm?: unknown }[] }).children[0]?.confirm
    }
    expect(confirm('Delete?')).toEqual({ message: 'Delete?' })
    expect(confirm({ message: 'M', title: 'T' })).toEqual({ message: 'M', title: 'T' })
    expect(confirm(true)).toEqual({ message: '确定要继续吗？' })
    expect(confirm(false)).toBeUndefined()
  })
})

describe('other forms', () => {
  it('UH-17 what models write is understood and reported', () => {
    const same: [object, object, string][] = [
      [{ content: 'x' }, { body: 'x' }, '/content'],
      [{ subtitle: 'x' }, { description: 'x' }, '/subtitle'],
      [{ items: { Owner: 'Dana' } }, { items: [{ key: 'Owner', value: 'Dana' }] }, '/items'],
      [{ items: [{ label: 'L', value: 1 }] }, { items: [{ key: 'L', label: 'L', value: 1 }] }, '/items/0'],
      [{ listItems: ['a', 'b'] }, { listItems: [{ title: 'a' }, { title: 'b' }] }, '/listItems/0'],
      [{ title: 't', icon: 'check' }, { title: 't', icon: { source: 'icon', value: 'check' } }, '/icon'],
      [
        { actions: [{ label: 'x', type: 'copy', content: 'c' }] },
        { actions: [{ label: 'x', action: { type: 'copy', content: 'c' } }] },
        '/actions/0',
      ],
      [
        { actions: [{ label: 'x', action: '/a/1' }] },
        { actions: [{ label: 'x', action: { type: 'navigation', path: '/a/1' } }] },
        '/actions/0/action',
      ],
      [
        { actions: [{ label: 'x', action: { type: 'navigate', path: '/a' } }] },
        { actions: [{ label: 'x', action: { type: 'navigation', path: '/a' } }] },
        '/actions/0/action',
      ],
      [{ sections: { body: 'x' } }, { sections: [{ content: 'x' }] }, '/sections'],
      [{ title: 5, status: 'SUCCESS' }, { title: '5', status: 'success' }, '/title'],
    ]
    for (const [given, meant, path] of same) {
      expect(hintsToSchema(given)).toEqual(hintsToSchema(meant))
      expect(repairs(given)).toContain(path)
      expect(errors(given)).toEqual([])
    }
  })

  it('UH-12 UH-17 text alone is a message, an array alone is a list', () => {
    expect(hintsToSchema('hello').root).toEqual({
      type: 'stack',
      appearance: 'plain',
      children: [{ type: 'text', content: 'hello', role: 'body' }],
    })
    expect(types(['a', { title: 'b' }])).toEqual(['stack'])
  })

  it('UH-14 what is not known, or cannot be read, moves to meta under its pointer', () => {
    const { schema, diagnostics } = compileHints({
      title: { not: 'text' },
      intent: 'dance',
      surprise: [1],
      items: [{ key: 'k', extra: true }, 7],
      meta: { unknown: 'own', traceId: 5 },
      actions: [{ label: 'x', action: { type: 'explode', power: 9 } }],
    })
    expect(schema.meta).toEqual({
      unknown: 'own',
      unknown_: {
        '/title': { not: 'text' },
        '/intent': 'dance',
        '/surprise': [1],
        '/items/0/extra': true,
        '/items/1': 7,
        '/meta/traceId': 5,
        '/actions/0/action': { type: 'explode', power: 9 },
      },
    })
    expect(validateSchema(schema)).toEqual([])
    expect(diagnostics.find(d => d.path === '/surprise')).toMatchObject({ level: 'repair', code: 'unknown_field' })
  })

  it('UH-200 text and lists over a limit are kept in meta, and the card says that not all of it is shown', () => {
    const limits = { stringLength: 100, values: 4_000 }
    const body = Array.from({ length: 60 }, (_, word) => `word${word}`).join(' ')
    const { schema } = compileHints({ body }, { limits })
    expect(validateSchema(schema, limits)).toEqual([])
    const shown = (schema.root.children[0] as { content: string }).content
    expect(shown.endsWith('…')).toBe(true)
    const rest = (schema.meta as { unknown: Record<string, string[]> }).unknown['/body']!
    expect(shown.slice(0, -1) + rest.join('')).toBe(body)

    const items = Array.from({ length: 250 }, (_, key) => ({ key: `key${key}`, value: `value${key}` }))
    const long = compileHints({ items }, { limits })
    expect(validateSchema(long.schema, limits)).toEqual([])
    const text = JSON.stringify(long.schema)
    expect(items.filter(({ value }) => !text.includes(`"${value}"`))).toEqual([])
    expect(long.schema.root.children.at(-1)).toMatchObject({
      role: 'caption',
      content: expect.stringMatching(/too large/),
    })
  })

  it('UH-33 an agent is told what to correct and where', () => {
    const { diagnostics } = compileHints({ listItems: [{ subtitle: 'no title' }], status: 'great' })
    expect(hintsCorrection(diagnostics)).toBe(
      'show_ui: correct these and call it again.\n/status: expected info | success | warning | error | pending, got "great"\n/listItems/0/title: title is missing',
    )
  })
})

describe('properties', () => {
  it('UH-11 UH-12 UH-13 lossless, always legal, deterministic', () => {
    fc.assert(
      fc.property(hints, fc.boolean(), fc.constantFrom('en', 'zh-CN', 'not a locale'), (value, ids, locale) => {
        const before = JSON.stringify(value)
        const schema = hintsToSchema(value, { ids, locale })
        expect(validateSchema(schema)).toEqual([])
        const written = new Set(texts(schema))
        expect(texts(value).filter(text => !written.has(text))).toEqual([])
        expect(JSON.stringify(hintsToSchema(value, { ids, locale }))).toBe(JSON.stringify(schema))
        expect(JSON.stringify(value)).toBe(before)
      }),
      { numRuns: 400 },
    )
  }, 30_000)

  it('UH-12 US-58 anything at all gives a legal schema', () => {
    const keys = fc.constantFrom(
      'title',
      'items',
      'listItems',
      'sections',
      'actions',
      'action',
      'table',
      'rows',
      'columns',
      'chart',
      'series',
      'fields',
      'options',
      'image',
      'icon',
      'meta',
      'key',
      'label',
      'id',
      'type',
      '__proto__',
    )
    const anything = fc.letrec(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.anything(),
        fc.constantFrom('navigation', 'url', 'select', '/a'),
        tie('object'),
        fc.array(tie('value')),
      ),
      object: fc.dictionary(keys, tie('value')),
    })).value
    fc.assert(
      fc.property(anything, value => {
        expect(validateSchema(hintsToSchema(value))).toEqual([])
        validateHints(value)
      }),
      { numRuns: 500 },
    )
  }, 30_000)

  it('UH-12 US-43 huge, deep and cyclic hints stay within the limits and say so', () => {
    const many = { listItems: Array.from({ length: 4000 }, (_, index) => ({ title: `t${index}` })) }
    const cut = compileHints(many, { locale: 'en' })
    expect(validateSchema(cut.schema)).toEqual([])
    expect(cut.diagnostics.some(d => d.code === 'too_many_components')).toBe(true)
    expect(JSON.stringify(cut.schema)).toMatch(/"\d+ more"/)

    let deep: Record<string, unknown> = { title: 'end' }
    for (let i = 0; i < 500; i++) deep = { title: `level ${i}`, sections: [deep] }
    expect(validateSchema(hintsToSchema(deep))).toEqual([])

    const loop: Record<string, unknown> = { title: 'loop' }
    loop.sections = [loop, loop]
    loop.items = [{ key: 'self', value: loop }]
    expect(validateSchema(hintsToSchema(loop))).toEqual([])

    expect(
      validateSchema(hintsToSchema({ body: 'x'.repeat(100_000), items: [{ key: 'k', value: 'y'.repeat(100_000) }] })),
    ).toEqual([])
  })
})

describe('hints of which something is cut', () => {
  const many = <T>(length: number, of: (index: number) => T): T[] => Array.from({ length }, (_, index) => of(index))
  const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
    many(levels, () => 0).reduce<unknown>(inner => wrap(inner), {})
  const cases: [string, object][] = [
    ['entries of a list', { listItems: many(1300, n => ({ title: `t${n}`, subtitle: 's' })) }],
    ['items', { items: many(15_000, n => ({ key: `k${n}`, value: n })) }],
    ['rows of a table', { table: { columns: many(8, String), rows: many(5000, () => many(8, String)) } }],
    ['points of a chart', { chart: { series: [{ data: many(40_000, n => n) }] } }],
    ['options of a field', { fields: [{ key: 'f', options: many(12_000, n => ({ value: n, label: `o${n}` })) }] }],
    ['nested sections', { title: 'x', sections: [nested(64, inner => ({ title: 's', sections: [inner] }))] }],
    ['levels of a value', { items: [{ key: 'k', value: nested(30, inner => ({ inner })) }] }],
  ]

  it.each(cases)('US-225 the judgement names what the compiler has cut: %s', (_, hints) => {
    const errors = inspectHints(hints).filter(({ level }) => level === 'error')
    expect(errors.map(({ code }) => code)).toContainEqual(expect.stringMatching(/^too_/))
  })

  it('US-225 hints that fit are judged as before', () => {
    const hints = { items: many(100, n => ({ key: `k${n}`, value: n })), sections: [{ title: 'x' }] }
    expect(inspectHints(hints)).toEqual([])
  })

  it.each([{}, { meta: { requestId: 'r' } }, { fields: [] }, { intent: 'message' }])(
    'US-226 the author of %j is told that there is nothing to show',
    hints => {
      expect(inspectHints(hints)).toMatchObject([{ level: 'repair', code: 'nothing_shown' }])
    },
  )

  it('US-226 a document of which nothing is drawn is told in the same way', () => {
    const hidden = { type: 'text', content: 'x', visible: false }
    for (const children of [[], [hidden], [{ type: 'stack', children: [hidden] }]])
      expect(inspectSchema({ root: { type: 'stack', children } })).toMatchObject([
        { level: 'repair', code: 'nothing_shown', path: '/root' },
      ])
  })
})

describe('fields of hints', () => {
  it.each(['select', 'multiselect', 'radio'] as const)(
    'US-228 a %s without options is judged as the schema is, and becomes a text',
    type => {
      const hints = { fields: [{ key: 'f', type }] }
      expect(validateHints(hints)).toMatchObject([{ code: 'options_missing', path: '/fields/0/options' }])
      const { schema } = compileHints(hints)
      expect(JSON.stringify(schema.root)).not.toContain('"input"')
      expect(schema.meta).toMatchObject({ unknown: { '/fields/0/type': type } })
    },
  )

  it.each(['', '/root', '/a'])(
    'UH-242 the id %j of a list item could be that of another node and moves to meta',
    id => {
      const { schema } = compileHints({
        listItems: [
          { id, title: 'x' },
          { id: 'own', title: 'y' },
        ],
      })
      expect(validateSchema(schema)).toEqual([])
      expect(schema.meta).toEqual({ unknown: { '/listItems/0/id': id } })
      expect(JSON.stringify(schema.root)).toContain('"id":"own"')
    },
  )
})

describe('values that cannot be made a number or a text of', () => {
  const hostile = {
    [Symbol.toPrimitive]() {
      throw new Error('no number')
    },
  }

  it('UH-260 a document whose values have a member toString is read and written as text', () => {
    const value = { toString: 1, valueOf: 2 }
    const action = { type: 'navigation', path: '/a', params: { q: value } }
    const { schema } = compileHints({ items: [{ key: 'k', value }], actions: [{ label: 'Go', action }] })
    const read = readSchema({
      ...schema,
      root: { type: 'stack', children: [schema.root, { type: 'button', label: 'Go', action }] },
    })
    for (const written of [schemaToText(read.schema!), schemaToMarkdown(read.schema!)]) expect(written).toContain('Go')
  })

  it.each([Symbol('s'), hostile, () => 1, 10n])('UH-260 nothing throws, wherever they stand: %#', value => {
    const hints = { progress: value, items: [{ key: 'k', value }], icon: { source: 'icon', value } }
    const nested = { progress: { value, max: value }, fields: [{ key: 'f', type: 'number', value, min: value }] }
    const listed = { table: { columns: [value], rows: [[value]] }, actions: [{ label: value, action: value }] }
    for (const given of [hints, nested, listed])
      expect(compileHints(given).diagnostics.length, Object.keys(given).join()).toBeGreaterThan(0)
  })
})
