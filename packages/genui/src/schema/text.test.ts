import { describe, expect, it } from 'vitest'
import { visibleControls } from '../visible.ts'
import { readSchema, schemaToMarkdown, schemaToText } from './index.ts'

const resolve = (...children: unknown[]) => readSchema({ locale: 'en', root: { type: 'stack', children } }).schema!
const text = (...children: unknown[]) => schemaToText(resolve(...children))
const markdown = (...children: unknown[]) => schemaToMarkdown(resolve(...children))

const everything = [
  {
    type: 'stack',
    direction: 'horizontal',
    children: [
      { type: 'text', content: 'Report', role: 'title' },
      { type: 'badge', label: 'ui.status.warning', status: 'warning' },
    ],
  },
  { type: 'text', content: 'Two *literal* stars', role: 'body' },
  { type: 'text', content: '**bold** and [link](https://x.example)', format: 'markdown' },
  {
    type: 'kv',
    items: [
      { key: 'owner', label: 'Owner', value: 'Dana' },
      { key: 'ok', value: true },
      { key: 'data', value: { a: 1 } },
      { key: 'none', value: null },
    ],
  },
  { type: 'text', content: 'a ``` b', role: 'code' },
  { type: 'divider' },
  {
    type: 'table',
    caption: 'Sales',
    columns: [{ label: '城市' }, { label: 'Units' }],
    rows: [
      ['上海', 1200],
      ['Oslo', 7],
    ],
  },
  {
    type: 'chart',
    kind: 'line',
    title: 'Trend',
    unit: '%',
    labels: ['Jan', 'Feb'],
    series: [{ name: 'A', data: [1, 2] }, { data: [3, null] }],
  },
  { type: 'progress', value: 3, max: 8, label: 'Steps' },
  { type: 'image', url: 'https://x.example/a.png', alt: 'A map', caption: 'Map' },
  {
    type: 'field',
    name: 'c',
    label: 'Colour',
    input: 'select',
    value: 'r',
    options: [
      { value: 'r', label: 'Red' },
      { value: 'g', label: 'Green' },
    ],
    required: true,
    help: 'Pick one',
  },
  {
    type: 'stack',
    direction: 'horizontal',
    children: [
      { type: 'button', label: 'Open', action: { type: 'navigation', path: '/a', params: { q: 'x y' } } },
      { type: 'button', label: 'Mail', action: { type: 'url', url: 'mailto:a@b.example' } },
      { type: 'button', label: 'Bad', action: { type: 'url', url: 'javascript:alert(1)' } },
      { type: 'button', label: 'Copy', action: { type: 'copy', content: 'code 42' } },
      { type: 'button', label: 'Run', action: { type: 'tool', toolId: 't' } },
    ],
  },
  { type: 'mystery' },
  { type: 'text', content: 'hidden', visible: false },
]

describe('text alternative', () => {
  it('US-53 every node has a plain form', () => {
    expect(text(...everything)).toMatchSnapshot()
    expect(text(...everything)).not.toContain('hidden')
  })

  it('US-54 every node has a markdown form', () => {
    expect(markdown(...everything)).toMatchSnapshot()
  })

  it('US-53 US-15 is written in the locale that is asked for', () => {
    expect(schemaToText(resolve(...everything), { locale: 'zh-CN' })).toContain('[警告]')
    expect(schemaToText(resolve({ type: 'kv', items: [{ key: 'k', value: false }] }), { locale: 'zh-CN' })).toBe(
      'k: 否',
    )
  })

  it('US-53 C08 escapes and bidi controls are visible marks, joiners stay', () => {
    expect(visibleControls('a\u001b[31mred\u0007')).toBe('a␛[31mred␇')
    expect(visibleControls('\u009b31m \u007f \u202egnp.exe\u202c \u2066x\u2069 \u200b\ufeff')).toBe(
      '<U+009B>31m ␡ <U+202E>gnp.exe<U+202C> <U+2066>x<U+2069> <U+200B><U+FEFF>',
    )
    expect(visibleControls('a\u3164b\u034fc\uffa0d\u17b4e')).toBe('a<U+3164>b<U+034F>c<U+FFA0>d<U+17B4>e')
    expect(visibleControls('line\r\nnext\ttab 👩‍💻 نمی‌خواهم')).toBe('line\nnext\ttab 👩‍💻 نمی‌خواهم')
    const hostile = '\u001b]0;owned\u0007\u202e'
    const nodes = [
      { type: 'text', content: hostile },
      { type: 'text', content: hostile, format: 'markdown' },
      { type: 'badge', label: hostile, status: 'info' },
      { type: 'kv', items: [{ key: hostile, value: hostile }] },
      { type: 'button', label: hostile, action: { type: 'copy', content: hostile } },
      { type: 'table', caption: hostile, columns: [{ label: hostile }], rows: [[hostile]] },
      { type: 'chart', title: hostile, unit: hostile, labels: [hostile], series: [{ name: hostile, data: [1] }] },
      { type: 'field', name: 'f', label: hostile, help: hostile, value: hostile },
      { type: 'progress', label: hostile },
      { type: 'image', url: 'https://x.example/a', alt: hostile, caption: hostile },
      { type: hostile },
    ]
    for (const written of [text(...nodes), markdown(...nodes)])
      expect(written).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  })

  it('US-204 what a screen shows stands in the text as well: states, emoji, questions, placeholders, choices, targets', () => {
    const nodes = [
      { type: 'text', content: 'Late', status: 'warning' },
      { type: 'stack', status: 'error', appearance: 'card', children: [{ type: 'text', content: 'Inside' }] },
      {
        type: 'button',
        label: 'Party',
        icon: { source: 'emoji', value: '🎉' },
        confirm: { message: 'Really?' },
        action: { type: 'tool', toolId: 't' },
      },
      { type: 'button', label: 'Off', disabled: true, action: { type: 'url', url: 'https://x.example/off' } },
      { type: 'field', name: 'a', label: 'Name', placeholder: 'Ada' },
      {
        type: 'field',
        name: 'b',
        label: 'Days',
        input: 'multiselect',
        value: ['m', 't'],
        options: [
          { value: 'm', label: 'Mon' },
          { value: 't', label: 'Tue' },
        ],
      },
      { type: 'badge', label: 'a`b\\c', status: 'info' },
    ]
    for (const written of [text(...nodes), markdown(...nodes)])
      for (const words of [
        'Warning: Late',
        'Error',
        'Inside',
        '🎉 Party',
        'Really?',
        'x.example/off',
        'Ada',
        'Mon, Tue',
        'a`b\\c',
      ])
        expect(written).toContain(words)
    // A badge that names the status says it already.
    const badged = {
      type: 'stack',
      status: 'error',
      children: [{ type: 'badge', label: 'ui.status.error', status: 'error' }],
    }
    expect(text(badged)).toBe('[Error]')
    // What the screen hides is hidden here.
    expect(text({ type: 'field', name: 'p', label: 'Key', input: 'password', value: 'secret' })).not.toContain('secret')
  })

  it('US-204 the plain text of markdown has all its words, and its code as it was', () => {
    const source =
      '# Head\n\n**bold** `**code**` [words](https://x.example/a_(b)) [odd]( <https://y.example> )\n\n```js\n**a** [b](c)\n```\nend'
    const written = text({ type: 'text', content: source, format: 'markdown' })
    for (const words of [
      'Head',
      'bold',
      '`**code**`',
      'words',
      'https://x.example/a_(b)',
      'https://y.example',
      '**a** [b](c)',
      'end',
    ])
      expect(written).toContain(words)
  })

  it('US-243 underscores in words of markdown stay in the plain text', () => {
    const source = 'snake__case__x, a__b__c, __strong__ and **bo**ld'
    expect(text({ type: 'text', content: source, format: 'markdown' })).toBe('snake__case__x, a__b__c, strong and bold')
  })

  it('US-244 values read as on the page: lists of scalars as words, and objects that were chosen as JSON', () => {
    const options = [{ value: 'm', label: 'Mon' }]
    expect(text({ type: 'kv', items: [{ key: 'k', value: ['a', null, true] }] })).toBe('k: a, –, Yes')
    expect(text({ type: 'table', columns: ['c'], rows: [[[1, false]]] })).toContain('1, No')
    const field = { type: 'field', name: 'f', label: 'F', input: 'multiselect', options }
    expect(text({ ...field, value: ['m', { a: 1 }, true] })).toBe('F: Mon, {"a":1}, Yes (Mon)')
    expect(text({ ...field, value: null })).toBe('F: ____ (Mon)')
  })

  it('US-245 a button says all of its question, and a disabled one what it would copy and ask', () => {
    const confirm = { title: 'Copy the key', message: 'Really?', label: 'Copy it' }
    const button = { type: 'button', label: 'Copy', action: { type: 'copy', content: 'code 42' }, confirm }
    expect(text(button)).toBe('[Copy] code 42 (Copy the key Really? [Copy it])')
    expect(text({ ...button, disabled: true, disabledReason: 'Later' })).toBe(
      '[Copy] code 42 (Later) (Copy the key Really? [Copy it])',
    )
    expect(markdown({ ...button, disabled: true })).toBe('\\[Copy\\] code 42 (Copy the key Really? \\[Copy it\\])')
  })

  it('US-246 the status of a document is said, once', () => {
    const document = (status: string, root: object) =>
      schemaToText(readSchema({ locale: 'en', status, root: { type: 'stack', ...root } }).schema!)
    const children = [{ type: 'text', content: 'x' }]
    const badge = { type: 'badge', label: 'Failed', status: 'error' }
    expect(document('error', { children })).toBe('[Error]\n\nx')
    expect(document('info', { children })).toBe('x')
    expect(document('error', { status: 'error', children })).toBe('[Error]\n\nx')
    expect(document('error', { children: [badge] })).toBe('[Failed]')
    expect(document('error', { children: [] })).toBe('')
  })

  it.each([
    ['kv', { type: 'kv', items: [{ key: 'a', value: 1 }, 5] }, '/root/items/1'],
    ['kv with one object', { type: 'kv', items: { value: 1 } }, '/root/items'],
    ['table', { type: 'table', columns: ['a'], rows: [[1], 'two'] }, '/root/rows/1'],
  ])('US-258 what cannot be read in a %s that is the root itself leaves a mark', (_, root, path) => {
    const { schema } = readSchema({ locale: 'en', root })
    expect(schema!.root.children).toMatchObject([{ type: root.type }, { type: 'unknown', path }])
    for (const write of [schemaToText, schemaToMarkdown]) expect(write(schema!)).toContain('Could not be shown')
    const legal = { type: 'table', columns: ['a'], rows: [[1]] }
    expect(readSchema({ root: legal }).schema!.root.children).toHaveLength(1)
  })

  const code = [
    '```html\n<b>x</b> [a](javascript:alert(1))\n\n```` four\n```',
    '~~~\n```\n<b>\n~~~',
    '- item\n\n  ```\n  <b>in a list</b>\n  ```',
    '    <b>indented</b>\n\n    <i>still</i>',
    'use `<div>` and ``a ` <b>``',
  ]
  it.each(code)('US-205 code in the markdown of an author is not altered: %j', source => {
    const written = markdown({ type: 'text', content: source, format: 'markdown' })
    const tags = source.match(/<[^>]+>[^<`\n]*/g)!
    for (const tag of tags) expect(written).toContain(tag)
    expect(written).not.toContain('\\<')
  })

  it('US-205 a link that may be opened stays a link, and what is disarmed stays readable', () => {
    const source = '[a](https://x.example/?a=1&b=2_(c)) [b](javascript:alert(1)) [c](/todo/1 "t")'
    const written = markdown({ type: 'text', content: source, format: 'markdown' })
    expect(written).toBe('[a](https://x.example/?a=1&b=2_(c)) [b\\](javascript:alert(1)) [c](/todo/1 "t")')
  })

  it('US-54 C01 content of a plain text does not become markup', () => {
    const hostile =
      '<img src=x onerror=alert(1)> [x](javascript:alert(1)) `code` # no\n# heading\n- item\n1. one | pipe'
    const written = markdown({ type: 'text', content: hostile })
    expect(written).toContain('&lt;img')
    expect(written).toContain('\\[x\\]')
    expect(written).toContain('\n\\# heading\n\\- item\n1\\. one \\| pipe')
  })

  it("US-54 C01 an author's markdown has no HTML and no forbidden link", () => {
    const source =
      '**ok** <script>alert(1)</script> [a](javascript:alert(1)) [b](https://x.example) [c]( java&#115;cript:x) <javascript:x>\n\n[d]: javascript:alert(1)'
    const written = markdown({ type: 'text', content: source, format: 'markdown' })
    expect(written).not.toMatch(/(?<!\\)<[a-z/]/i)
    expect(written).not.toMatch(/(?<!\\)\]\(\s*java/)
    expect(written).not.toMatch(/(?<!\\)\]:\s*java/)
    expect(written).toContain('**ok**')
    expect(written).toContain('[b](https://x.example)')
  })
})
