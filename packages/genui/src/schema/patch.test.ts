import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffSchema, patchSchema, type UiNode, type UiSchemaRenderer } from './index.ts'

const schema = (...children: UiNode[]): UiSchemaRenderer => ({ version: '2.0', root: { type: 'stack', children } })
const before = schema({ type: 'progress', value: 1 }, { type: 'stack', children: [{ type: 'text', content: 'a' }] })

describe('patches', () => {
  it('US-52 a patch gives a new schema that shares what it did not touch', () => {
    const result = patchSchema(before, [
      { op: 'replace', path: '/root/children/0/value', value: 2 },
      { op: 'add', path: '/root/children/-', value: { type: 'divider' } },
    ])
    expect(result).toMatchObject({
      ok: true,
      schema: { root: { children: [{ value: 2 }, { type: 'stack' }, { type: 'divider' }] } },
    })
    expect(before.root.children).toHaveLength(2)
    expect(before.root.children[0]).toEqual({ type: 'progress', value: 1 })
    if (result.ok) expect(result.schema.root.children[1]).toBe(before.root.children[1])
  })

  it('US-52 a patch that fails or leaves something illegal changes nothing', () => {
    const copy = structuredClone(before)
    const missing = patchSchema(before, [
      { op: 'remove', path: '/root/children/0' },
      { op: 'replace', path: '/root/nothing', value: 1 },
    ])
    expect(missing).toMatchObject({ ok: false, diagnostics: [{ code: 'patch_failed', path: '/root/nothing' }] })
    const illegal = patchSchema(before, [{ op: 'replace', path: '/root/children/0/value', value: 'half' }])
    expect(illegal).toMatchObject({ ok: false, diagnostics: [{ code: 'wrong_type', path: '/root/children/0/value' }] })
    const hostile = patchSchema(before, [{ op: 'add', path: '/__proto__/polluted', value: 1 }])
    expect(hostile.ok).toBe(false)
    expect(before).toEqual(copy)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('US-52 test, copy and move work', () => {
    const result = patchSchema(before, [
      { op: 'test', path: '/root/children/0/value', value: 1 },
      { op: 'copy', from: '/root/children/1/children/0', path: '/root/children/-' },
      { op: 'move', from: '/root/children/0', path: '/root/children/2' },
    ])
    expect(result).toMatchObject({
      ok: true,
      schema: { root: { children: [{ type: 'stack' }, { type: 'text' }, { type: 'progress' }] } },
    })
    expect(before.root.children[0]).toEqual({ type: 'progress', value: 1 })
  })

  it('US-52 the difference of two schemas is a patch from one to the other', () => {
    const leaf = fc.oneof(
      fc.record({ type: fc.constant('text' as const), content: fc.string() }),
      fc.record({ type: fc.constant('progress' as const), value: fc.nat(100) }),
      fc.record({
        type: fc.constant('kv' as const),
        items: fc.array(fc.record({ key: fc.string(), value: fc.jsonValue({ maxDepth: 2 }) }), { maxLength: 3 }),
      }),
    )
    const tree = fc.array(
      fc.oneof(leaf, fc.record({ type: fc.constant('stack' as const), children: fc.array(leaf, { maxLength: 3 }) })),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const from = schema(...(JSON.parse(JSON.stringify(a)) as UiNode[]))
        const to = schema(...(JSON.parse(JSON.stringify(b)) as UiNode[]))
        // The keys __proto__, constructor and prototype cannot be addressed by a patch.
        fc.pre(!/"(__proto__|constructor|prototype)"/.test(JSON.stringify([from, to])))
        expect(patchSchema(from, diffSchema(from, to))).toEqual({ ok: true, schema: to })
      }),
    )
  })

  it('US-52 a growing list costs one operation an entry', () => {
    const more = schema(...before.root.children, { type: 'divider' })
    expect(diffSchema(before, more)).toEqual([{ op: 'add', path: '/root/children/-', value: { type: 'divider' } }])
    expect(diffSchema(before, before)).toEqual([])
  })
})
