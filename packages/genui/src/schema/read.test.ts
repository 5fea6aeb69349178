import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UiDiagnostic } from '../diagnostic.ts'
import { DEFAULT_UI_LIMITS } from '../limits.ts'
import {
  inspectSchema,
  readSchema,
  schemaToText,
  UiSchemaError,
  type UiSchemaRenderer,
  validateSchema,
  writeSchema,
} from './index.ts'

const read = (...children: unknown[]) => readSchema({ root: { type: 'stack', children } })
const only = (...children: unknown[]) => read(...children).schema?.root.children[0]
const codes = (found: readonly UiDiagnostic[], level: string) =>
  found.filter(d => d.level === level).map(d => `${d.code} ${d.path}`)

describe('reader', () => {
  it('US-41 fills in the defaults of the document and reports each', () => {
    const { schema, diagnostics } = read(
      { type: 'text', content: 'x' },
      { type: 'button', label: 'b', action: { type: 'copy', content: 'c' } },
    )
    expect(schema).toMatchObject({
      version: '2.0',
      status: 'info',
      theme: 'default',
      locale: 'en',
      root: { direction: 'vertical', appearance: 'plain' },
    })
    expect(schema?.root.children).toMatchObject([{ format: 'plain', role: 'body' }, { style: 'secondary' }])
    expect(codes(diagnostics, 'default')).toContain('default_taken /root/children/0/format')
    expect(codes(diagnostics, 'default')).toContain('default_taken /root/children/1/style')
    expect(codes(diagnostics, 'repair')).toEqual([])
  })

  it("US-41 a document without a locale takes the viewer's", () => {
    expect(readSchema({ root: { type: 'stack', children: [] } }, { locale: 'zh-CN' }).schema?.locale).toBe('zh-CN')
    expect(
      readSchema({ locale: 'fr', root: { type: 'stack', children: [] } }, { locale: 'zh-CN' }).schema?.locale,
    ).toBe('fr')
  })

  it('US-23 derives ids from the path and keeps them unique', () => {
    const { schema, diagnostics } = read(
      { type: 'text', content: 'a' },
      { type: 'text', id: 'x', content: 'b' },
      { type: 'text', id: 'x', content: 'c' },
    )
    expect(schema?.root.id).toBe('/root')
    expect(schema?.root.children.map(child => child.id)).toEqual(['/root/children/0', 'x', '/root/children/2'])
    expect(codes(diagnostics, 'repair')).toEqual(['duplicate_id /root/children/2/id'])
  })

  it('US-42 understands other forms and reports each', () => {
    const cases: [unknown, object][] = [
      [{ type: 'text', content: 128 }, { content: '128' }],
      [{ type: 'text', content: 'x', role: 'Title' }, { role: 'title' }],
      [{ type: 'text', content: 'x', maxLines: '3' }, { maxLines: 3 }],
      [{ type: 'text', content: 'x', maxLines: 0 }, { maxLines: 1 }],
      [{ type: 'text', content: 'x', visible: 'false' }, { visible: false }],
      [{ type: 'Text', content: 'x' }, { type: 'text' }],
      [{ type: 'kv', items: { key: 'k', value: 1 } }, { items: [{ key: 'k', value: 1 }] }],
      [
        { type: 'button', label: 'b', icon: 'check', action: { type: 'copy', content: 'c' } },
        { icon: { source: 'icon', value: 'check' } },
      ],
      [
        { type: 'button', label: 'b', icon: '🎉', action: { type: 'copy', content: 'c' } },
        { icon: { source: 'emoji', value: '🎉' } },
      ],
      [{ type: 'table', columns: ['A'], rows: [[1]] }, { columns: [{ label: 'A' }] }],
    ]
    for (const [given, expected] of cases) {
      const { schema, diagnostics } = read(given)
      expect(schema?.root.children[0]).toMatchObject(expected)
      expect(codes(diagnostics, 'repair').length, JSON.stringify(given)).toBeGreaterThan(0)
      expect(codes(diagnostics, 'error')).toEqual([])
    }
  })

  it('US-42 drops what has no meaning, says so, and treats null as absent', () => {
    const { schema, diagnostics } = read({
      type: 'text',
      content: 'x',
      role: 'huge',
      status: null,
      onclick: 'alert(1)',
    })
    expect(schema?.root.children[0]).toEqual({
      type: 'text',
      id: '/root/children/0',
      content: 'x',
      format: 'plain',
      role: 'body',
    })
    expect(codes(diagnostics, 'error')).toEqual(['wrong_choice /root/children/0/role'])
    expect(codes(diagnostics, 'repair')).toEqual([
      'null_ignored /root/children/0/status',
      'unknown_field /root/children/0/onclick',
    ])
  })

  it('US-24 US-42 a single primitive as root is put into a stack', () => {
    const { schema, diagnostics } = readSchema({ root: { type: 'text', content: 'x' } })
    expect(schema?.root).toMatchObject({ type: 'stack', children: [{ type: 'text', id: '/root' }] })
    expect(codes(diagnostics, 'repair')).toEqual(['root_wrapped /root'])
  })

  it('US-45 an unknown or broken node leaves a mark with its path and the rest is read', () => {
    const { schema } = read({ type: 'iframe', src: 'x' }, { type: 'text' }, 7, { type: 'text', content: 'ok' })
    expect(schema?.root.children).toMatchObject([
      { type: 'unknown', given: 'iframe', path: '/root/children/0' },
      { type: 'unknown', given: 'text', path: '/root/children/1', reason: 'content is missing' },
      { type: 'unknown', given: '7' },
      { type: 'text', content: 'ok' },
    ])
  })

  it('US-49 C02 a picture with a forbidden URL is not read as one', () => {
    expect(only({ type: 'image', url: 'javascript:alert(1)' })).toMatchObject({ type: 'unknown' })
    expect(only({ type: 'icon', source: 'url', value: 'javascript:alert(1)' })).toMatchObject({
      source: 'icon',
      value: 'image-off',
    })
  })

  it('US-46 a wide row gets columns of its own', () => {
    expect(only({ type: 'table', columns: [{ label: 'A' }], rows: [[1, 2]] })).toMatchObject({
      columns: [{ label: 'A' }, { label: '' }],
    })
  })
})

describe('reader and check', () => {
  it('US-42 US-44 the reader reports something exactly where the check refuses something', () => {
    const value = fc.oneof(
      fc.constantFrom<unknown>('x', '', 5, true, null, 'text', 'stack', 'INFO', -1, '7', [], {}),
      fc.string(),
    )
    const node = fc.record(
      {
        type: fc.constantFrom('text', 'badge', 'kv', 'progress', 'button', 'image', 'Text', 'card', 'other'),
        content: value,
        label: value,
        status: value,
        role: fc.constantFrom('title', 'Title', 'x'),
        items: fc.array(fc.record({ key: value, value, label: value }, { requiredKeys: [] }), { maxLength: 2 }),
        value,
        url: fc.constantFrom('https://x.example', 'javascript:x'),
        action: fc.constantFrom({ type: 'copy', content: 'c' }, { type: 'navigation', path: 'x' }, { type: 'x' }),
        id: fc.constantFrom('a', 'b'),
        extra: value,
      },
      { requiredKeys: ['type'] },
    )
    fc.assert(
      fc.property(fc.array(node, { maxLength: 1 }), children => {
        const document = { root: { type: 'stack', children } }
        const reported = readSchema(document).diagnostics.some(({ level }) => level !== 'default')
        expect(reported).toBe(validateSchema(document).length > 0)
      }),
      { numRuns: 2000 },
    )
  }, 30_000)
})

describe('writer', () => {
  it('US-44 writes what is legal and lists what is not', () => {
    const schema: UiSchemaRenderer = { version: '2.0', root: { type: 'stack', children: [] } }
    expect(writeSchema(schema)).toBe('{"version":"2.0","root":{"type":"stack","children":[]}}')
    const bad = { root: { type: 'panel', children: [] } } as unknown as UiSchemaRenderer
    expect(() => writeSchema(bad)).toThrow(UiSchemaError)
    try {
      writeSchema(bad)
    } catch (error) {
      expect((error as UiSchemaError).diagnostics[0]).toMatchObject({ path: '/root/type' })
    }
  })

  it('US-44 what the reader hands over is legal again, except for marks', () => {
    const { schema } = read(
      { type: 'text', content: 1 },
      { type: 'progress', value: '5' },
      { type: 'button', label: 'x', action: { type: 'url', url: 'javascript:x' } },
    )
    expect(validateSchema(schema)).toEqual([])
  })
})

describe('limits', () => {
  const nested = (depth: number): unknown => {
    let node: unknown = { type: 'text', content: 'x' }
    for (let i = 0; i < depth; i++) node = { type: 'stack', children: [node] }
    return { root: node }
  }

  it('US-43 depth', () => {
    expect(validateSchema(nested(63))).toEqual([])
    expect(validateSchema(nested(64)).map(d => d.code)).toEqual(['too_deep'])
    expect(readSchema(nested(64)).diagnostics.some(d => d.code === 'too_deep')).toBe(true)
    expect(readSchema(nested(100_000)).schema).toBeDefined()
    expect(validateSchema(nested(100_000)).length).toBeGreaterThan(0)
  })

  it('US-43 nodes', () => {
    const wide = (count: number) => ({
      root: { type: 'stack', children: Array.from({ length: count }, () => ({ type: 'divider' })) },
    })
    expect(validateSchema(wide(4999))).toEqual([])
    expect(validateSchema(wide(5000)).map(d => d.code)).toEqual(['too_many_components'])
    const { schema, diagnostics } = readSchema(wide(9000))
    expect(schema?.root.children).toHaveLength(5000)
    expect(diagnostics.filter(d => d.code === 'too_many_components')).toHaveLength(1)
  })

  it('US-203 what is over a limit is named where it would stand, on the screen and in the text', () => {
    const many = {
      root: { type: 'stack', children: Array.from({ length: 30 }, () => ({ type: 'text', content: 'x' })) },
    }
    const { schema } = readSchema(many, { limits: { components: 11 } })
    expect(schema!.root.children.at(-1)).toMatchObject({ type: 'unknown', given: '+20' })
    expect(schemaToText(schema!)).toContain('+20')
    // The items of a list have no place for a mark of their own: the end of the document says it.
    const items = Array.from({ length: 90 }, (_, key) => ({ key: `k${key}`, value: key }))
    const long = { root: { type: 'stack', children: [{ type: 'kv', items }] } }
    const cut = readSchema(long, { limits: { values: 100 } })
    expect(cut.diagnostics.map(({ code }) => code)).toContain('too_large')
    expect(cut.schema!.root.children.at(-1)).toMatchObject({ type: 'unknown', reason: 'the document is too large' })
  })

  it('US-43 strings', () => {
    const long = 'x'.repeat(DEFAULT_UI_LIMITS.stringLength + 1)
    expect(validateSchema({ root: { type: 'stack', children: [{ type: 'text', content: long }] } })[0]?.code).toBe(
      'string_too_long',
    )
    const text = only({ type: 'text', content: long })
    expect(text).toMatchObject({ type: 'text' })
    expect((text as { content: string }).content).toHaveLength(DEFAULT_UI_LIMITS.stringLength)
    expect((text as { content: string }).content.endsWith('…')).toBe(true)
  })

  it('US-43 free values: depth, number, surrogates, __proto__', () => {
    let deep: unknown = 1
    for (let i = 0; i < 40; i++) deep = [deep]
    const kv = (value: unknown) => ({
      root: { type: 'stack', children: [{ type: 'kv', items: [{ key: 'k', value }] }] },
    })
    expect(validateSchema(kv(deep))[0]?.code).toBe('too_deep')
    expect(validateSchema(kv(Array.from({ length: 300_000 }, () => 0))).map(d => d.code)).not.toEqual([])
    expect(validateSchema(kv('\ud800'))[0]?.code).toBe('not_well_formed')
    expect(validateSchema(kv(JSON.parse('{"__proto__":{"polluted":1}}')))[0]?.code).toBe('forbidden_key')
    expect(validateSchema(readSchema(kv(JSON.parse('{"__proto__":{"polluted":1},"a":"\\ud800"}'))).schema)).toEqual([])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('bad input', () => {
  it('US-58 C04 nothing throws, whatever comes in', () => {
    const keys = fc.constantFrom(
      'type',
      'root',
      'children',
      'content',
      'items',
      'action',
      'path',
      'rows',
      'columns',
      'series',
      'id',
      'icon',
      '__proto__',
      'constructor',
    )
    const types = fc.constantFrom(
      'text',
      'stack',
      'grid',
      'button',
      'kv',
      'table',
      'chart',
      'field',
      'image',
      'navigation',
      'url',
      'card',
    )
    const anything = fc.letrec(tie => ({
      value: fc.oneof({ depthSize: 'small' }, fc.anything(), types, tie('object'), fc.array(tie('value'))),
      object: fc.dictionary(keys, tie('value')),
    })).object
    fc.assert(
      fc.property(anything, value => {
        const { schema } = readSchema(value)
        validateSchema(value)
        if (schema) JSON.stringify(schema)
      }),
      { numRuns: 500 },
    )
  }, 30_000)

  it('US-58 a document that contains itself ends at the limits', () => {
    const root: { type: string; children: unknown[]; self?: unknown } = { type: 'stack', children: [] }
    root.children.push(root, root)
    expect(readSchema({ root }).diagnostics.some(d => d.code.startsWith('too_'))).toBe(true)
    expect(validateSchema({ root }).length).toBeGreaterThan(0)
    const loop: Record<string, unknown> = {}
    loop.a = loop
    loop.b = loop
    const kv = { root: { type: 'stack', children: [{ type: 'kv', items: [{ key: 'k', value: loop }] }] } }
    expect(validateSchema(readSchema(kv).schema)).toBeDefined()
    expect(validateSchema(kv).length).toBeGreaterThan(0)
  })

  it('US-58 what is no document gives no schema and a reason', () => {
    for (const value of [undefined, null, 1, 'x', [], {}, { root: null }, { root: 5 }]) {
      const { schema, diagnostics } = readSchema(value)
      expect(diagnostics.some(d => d.level === 'error')).toBe(true)
      if (schema) expect(schema.root.children[0]).toMatchObject({ type: 'unknown' })
    }
  })
})

describe('ids', () => {
  it('US-223 an id of the author never meets an id that the reader gives', () => {
    const [first, second, third] = ['/root/children/1', undefined, ''].map(id => ({ type: 'text', content: 'x', id }))
    const { schema, diagnostics } = read(first, second, third, { type: 'hologram' })
    const ids = schema!.root.children.map(({ id }) => id)
    expect(ids).toEqual(['/root/children/0', '/root/children/1', '/root/children/2', '/root/children/3'])
    expect(codes(diagnostics, 'repair')).toEqual([
      'duplicate_id /root/children/0/id',
      'duplicate_id /root/children/2/id',
    ])
  })

  it('US-261 the strict check and the reader say the same of an id that is written like one of the reader', () => {
    const document = {
      root: { type: 'stack', children: ['', '/a', '/root/children/2'].map(id => ({ type: 'text', content: 'x', id })) },
    }
    const places = ['duplicate_id /root/children/0/id', 'duplicate_id /root/children/1/id']
    expect(codes(validateSchema(document), 'error')).toEqual(places)
    expect(codes(readSchema(document).diagnostics, 'repair')).toEqual(places)
    expect(codes(inspectSchema(document), 'error')).toEqual(places)
  })

  it('US-223 a document that was read keeps its ids when it is read again', () => {
    const { schema } = read({ type: 'text', content: 'x' }, { type: 'text', content: 'y', id: 'own' })
    const again = readSchema(schema)
    expect(again.schema!.root.children.map(({ id }) => id)).toEqual(['/root/children/0', 'own'])
    expect(codes(again.diagnostics, 'repair')).toEqual([])
  })
})

describe('locale', () => {
  it.each([null, 5, true, '', 'not a tag', 'zh_CN'])(
    'US-224 %j is no language: the one of the viewer is taken, and it is told',
    locale => {
      const { schema, diagnostics } = readSchema({ locale, root: { type: 'stack', children: [] } }, { locale: 'zh-CN' })
      expect(schema?.locale).toBe('zh-CN')
      expect(diagnostics.filter(({ path, level }) => path === '/locale' && level !== 'default')).not.toEqual([])
    },
  )

  it('US-224 a language that the document names is kept', () => {
    const { schema } = readSchema({ locale: 'de', root: { type: 'stack', children: [] } }, { locale: 'zh-CN' })
    expect(schema?.locale).toBe('de')
  })
})

describe('entries that cannot be read', () => {
  it('US-227 an item with a label and no key is understood, and told as repaired', () => {
    const { schema, diagnostics } = read({ type: 'kv', items: [{ label: 'Owner', value: 'Dana' }] })
    expect(schema?.root.children).toMatchObject([{ items: [{ key: 'Owner', label: 'Owner', value: 'Dana' }] }])
    expect(codes(diagnostics, 'repair')).toEqual(['alias /root/children/0/items/0'])
  })

  it.each([
    ['an item', { type: 'kv', items: [{ key: 'a', value: 1 }, 5] }, '/items/1'],
    ['a row', { type: 'table', columns: ['a'], rows: [[1], 'two'] }, '/rows/1'],
    ['a series', { type: 'chart', series: [{ data: [1] }, 'x'] }, '/series/1'],
    ['an option', { type: 'field', name: 'f', label: 'F', input: 'select', options: [5] }, '/options/0'],
  ])('US-227 %s that cannot be read leaves a mark behind its node', (_, node, place) => {
    const { schema } = read({ type: 'stack', children: [node, { type: 'text', content: 'next' }] })
    const [inner] = schema!.root.children as { children: object[] }[]
    expect(schema!.root.children).toHaveLength(1)
    const path = `/root/children/0/children/0${place}`
    expect(inner!.children).toMatchObject([{ type: node.type }, { type: 'unknown', path, id: path }, { type: 'text' }])
  })
})
