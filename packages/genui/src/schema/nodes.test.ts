import { describe, expect, it } from 'vitest'
import { type UiNode, type UiSchemaRenderer, validateSchema } from './index.ts'

const of = (...children: unknown[]): unknown => ({ version: '2.0', root: { type: 'stack', children } })
const problems = (...children: unknown[]): string[] => validateSchema(of(...children)).map(d => `${d.code} ${d.path}`)
const copy = { type: 'copy', content: 'x' }

/** Each value is legal where the document puts it, and a value of no enum is refused there. */
const enums: [string, (value: string) => unknown, string[]][] = [
  [
    'US-02 UiStatus',
    status => ({ type: 'badge', label: 'x', status }),
    ['info', 'success', 'warning', 'error', 'pending'],
  ],
  [
    'US-03 IconSource',
    source => ({ type: 'icon', source, value: 'https://x.example/a.png' }),
    ['icon', 'emoji', 'url'],
  ],
  ['US-04 TextFormat', format => ({ type: 'text', content: 'x', format }), ['plain', 'markdown']],
  ['US-05 TextRole', role => ({ type: 'text', content: 'x', role }), ['title', 'subtitle', 'body', 'caption', 'code']],
  [
    'US-06 ButtonStyle',
    style => ({ type: 'button', label: 'x', action: copy, style }),
    ['primary', 'secondary', 'ghost', 'danger'],
  ],
  ['US-07 LayoutDirection', direction => ({ type: 'stack', children: [], direction }), ['vertical', 'horizontal']],
  [
    'US-08 LayoutAppearance',
    appearance => ({ type: 'grid', columns: 2, children: [], appearance }),
    ['plain', 'card', 'section'],
  ],
  ['US-09 LayoutAlign', align => ({ type: 'stack', children: [], align }), ['start', 'center', 'end', 'stretch']],
  [
    'US-10 LayoutJustify',
    justify => ({ type: 'stack', children: [], justify }),
    ['start', 'center', 'end', 'space-between'],
  ],
]

describe('enums', () => {
  for (const [name, node, values] of enums)
    it(`${name} takes exactly its values`, () => {
      for (const value of values) expect(problems(node(value))).toEqual([])
      const [first] = problems(node('other'))
      expect(first).toMatch(/^wrong_choice \/root\/children\/0\//)
    })

  it('US-11 RendererTheme takes exactly its values', () => {
    const themed = (theme: string) => ({ ...(of() as object), theme })
    for (const theme of ['default', 'light', 'dark']) expect(validateSchema(themed(theme))).toEqual([])
    expect(validateSchema(themed('sepia'))[0]).toMatchObject({ code: 'wrong_choice', path: '/theme' })
  })
})

/** A node with every field of its interface. */
const full: [string, UiNode, string[]][] = [
  [
    'US-12 UiTextNode',
    {
      type: 'text',
      id: 'a',
      content: 'x',
      format: 'markdown',
      role: 'body',
      status: 'info',
      maxLines: 2,
      visible: true,
    },
    ['content'],
  ],
  [
    'US-13 UiIconNode',
    { type: 'icon', id: 'a', source: 'icon', value: 'check', color: '#0a0', size: 16, visible: true },
    ['source', 'value'],
  ],
  [
    'US-14 UiBadgeNode',
    { type: 'badge', id: 'a', label: 'ui.status.info', status: 'info', visible: true },
    ['label', 'status'],
  ],
  [
    'US-18 UiButtonNode',
    {
      type: 'button',
      id: 'a',
      label: 'x',
      style: 'primary',
      disabled: false,
      icon: { source: 'emoji', value: '✅', color: 'red', size: 12 },
      action: { type: 'copy', content: 'x' },
      visible: true,
    },
    ['label', 'action'],
  ],
  [
    'US-19 UiKvNode',
    {
      type: 'kv',
      id: 'a',
      items: [{ key: 'k', label: 'K', value: { any: [1, null] }, copyable: true }],
      columns: 2,
      visible: true,
    },
    ['items'],
  ],
  ['US-20 UiDividerNode', { type: 'divider', id: 'a', inset: 8, visible: true }, []],
  [
    'US-21 UiStackNode',
    {
      type: 'stack',
      id: 'a',
      direction: 'horizontal',
      gap: 8,
      appearance: 'card',
      status: 'error',
      align: 'center',
      justify: 'end',
      wrap: true,
      children: [],
      visible: true,
    },
    ['children'],
  ],
  [
    'US-22 UiGridNode',
    { type: 'grid', id: 'a', columns: 3, gap: 8, appearance: 'plain', status: 'info', children: [], visible: true },
    ['columns', 'children'],
  ],
  [
    'US-46 UiTableNode',
    { type: 'table', columns: [{ label: 'A', align: 'end' }], rows: [[1], [null], []], caption: 'c' },
    ['columns', 'rows'],
  ],
  [
    'US-47 UiFieldNode',
    {
      type: 'field',
      name: 'n',
      label: 'N',
      input: 'select',
      value: 'a',
      placeholder: 'p',
      help: 'h',
      options: [{ value: 'a', label: 'A' }],
      required: true,
      disabled: false,
    },
    ['name', 'label'],
  ],
  [
    'US-47 UiFieldNode for numbers',
    { type: 'field', name: 'n', label: 'N', input: 'number', min: 1, max: '9', step: 1 },
    ['name', 'label'],
  ],
  [
    'US-47 UiFieldNode for text',
    { type: 'field', name: 'n', label: 'N', minLength: 1, maxLength: 9, pattern: '[a-z]+', rows: 3 },
    ['name', 'label'],
  ],
  ['US-48 UiProgressNode', { type: 'progress', value: 3, max: 8, label: 'Step', status: 'pending' }, []],
  [
    'US-49 UiImageNode',
    { type: 'image', url: 'https://x.example/a.png', alt: 'a', caption: 'c', width: 10, height: 10 },
    ['url'],
  ],
  [
    'US-50 UiChartNode',
    { type: 'chart', kind: 'pie', labels: ['a'], series: [{ name: 's', data: [1, null] }], title: 't', unit: '%' },
    ['series'],
  ],
  [
    'US-51 confirm of UiButtonNode',
    {
      type: 'button',
      label: 'x',
      action: { type: 'tool', toolId: 't' },
      confirm: { message: 'Sure?', title: 'T', label: 'Yes' },
    },
    ['label', 'action'],
  ],
]

describe('nodes', () => {
  for (const [name, node, required] of full)
    it(`${name} takes all its fields, needs ${required.join(', ') || 'none'}, refuses others`, () => {
      expect(problems(node)).toEqual([])
      for (const key of Object.keys(node)) {
        const { [key]: _, ...without } = node as unknown as Record<string, unknown>
        const expected =
          key === 'type'
            ? ['unknown_type /root/children/0/type']
            : required.includes(key)
              ? [`missing /root/children/0/${key}`]
              : []
        if (key !== 'options' && key !== 'input') expect(problems(without)).toEqual(expected)
      }
      expect(problems({ ...node, extra: 1 })).toEqual(['unknown_field /root/children/0/extra'])
    })

  it('US-13 an icon from a URL follows the media policy and a colour cannot carry CSS', () => {
    expect(problems({ type: 'icon', source: 'url', value: 'javascript:alert(1)' })).toEqual([
      'url_scheme /root/children/0/value',
    ])
    expect(problems({ type: 'icon', source: 'icon', value: 'x', color: 'red;background:url(//evil)' })).toEqual([
      'invalid_color /root/children/0/color',
    ])
    for (const color of ['red', '#fff', 'rgb(1, 2, 3)', 'hsl(120 50% 50%)'])
      expect(problems({ type: 'icon', source: 'icon', value: 'x', color })).toEqual([])
  })

  it('US-23 an id is unique in a document', () => {
    const text = { type: 'text', id: 'same', content: 'x' }
    expect(problems(text, { type: 'stack', children: [text] })).toEqual(['duplicate_id /root/children/1/children/0/id'])
  })

  it('US-24 the root is a stack or a grid, and a node is one of the union', () => {
    expect(validateSchema({ root: { type: 'text', content: 'x' } })[0]).toMatchObject({
      code: 'unknown_type',
      path: '/root/type',
    })
    expect(problems({ type: 'iframe' })).toEqual(['unknown_type /root/children/0/type'])
    expect(problems({ type: 'constructor' }, { type: '__proto__' })).toHaveLength(2)
  })

  it('US-01 the root structure has its fields, and only version 2.0', () => {
    const schema: UiSchemaRenderer = {
      version: '2.0',
      locale: 'zh-CN',
      status: 'success',
      theme: 'dark',
      meta: { requestId: 'r', toolId: 't', traceId: 'x', userId: 'u', anything: [1] },
      root: { type: 'stack', children: [] },
    }
    expect(validateSchema(schema)).toEqual([])
    expect(validateSchema({ ...schema, version: '1.0' })[0]).toMatchObject({
      code: 'version_mismatch',
      path: '/version',
    })
    expect(validateSchema({ ...schema, locale: '../x' })[0]).toMatchObject({ code: 'invalid_locale' })
    expect(validateSchema({ ...schema, meta: { requestId: 5 } })[0]).toMatchObject({
      code: 'wrong_type',
      path: '/meta/requestId',
    })
    expect(validateSchema({ version: '2.0' })[0]).toMatchObject({ code: 'missing', path: '/root' })
  })

  it('US-46 a row is not wider than the table', () => {
    expect(problems({ type: 'table', columns: [{ label: 'A' }], rows: [[1], [1, 2]] })).toEqual([
      'row_too_wide /root/children/0/rows/1',
    ])
  })

  it('US-47 a choice needs options', () => {
    expect(problems({ type: 'field', name: 'n', label: 'N', input: 'radio' })).toEqual([
      'options_missing /root/children/0/options',
    ])
  })
})
