import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choices } from './histories.fixture.ts'
import type { Json } from './json.ts'
import { applyPatch, checkPatch } from './patch.ts'
import { getPointer, parsePointer, setPointer } from './pointer.ts'

describe('P-006 state changes are RFC 6902', () => {
  it.each<[string, Json, Parameters<typeof applyPatch>[1], Json]>([
    ['add to an object', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['add into an array', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
    ['append', [1], [{ op: 'add', path: '/-', value: 2 }], [1, 2]],
    ['remove', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['replace the root', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
    ['move', { a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    ['copy', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    ['escaped names', { 'a/b': 1, 'm~n': 2 }, [{ op: 'replace', path: '/a~1b', value: 3 }], { 'a/b': 3, 'm~n': 2 }],
    ['test passes', { a: { b: [1] } }, [{ op: 'test', path: '/a', value: { b: [1] } }], { a: { b: [1] } }],
  ])('P-006 %s', (_name, document, patch, expected) => {
    expect(applyPatch(structuredClone(document), patch)).toEqual({ ok: true, value: expected })
  })

  it.each<[string, Json, Parameters<typeof applyPatch>[1]]>([
    ['a missing path', {}, [{ op: 'remove', path: '/a' }]],
    ['an index out of range', [1], [{ op: 'add', path: '/3', value: 1 }]],
    ['a failing test', { a: 1 }, [{ op: 'test', path: '/a', value: 2 }]],
    ['a move into itself', { a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }]],
    ['a path into a prototype', {}, [{ op: 'add', path: '/__proto__/polluted', value: 1 }]],
    ['a leading zero', [1, 2], [{ op: 'remove', path: '/01' }]],
  ])('P-006 %s fails and takes back what came before it', (_name, document, patch) => {
    const copy = structuredClone(document)
    const first = Array.isArray(copy) ? { op: 'add', path: '/0', value: 0 } : { op: 'add', path: '/first', value: 0 }
    expect(applyPatch(copy, [first as never, ...patch]).ok).toBe(false)
    expect(copy).toEqual(document)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('P-006 trying a patch leaves the document as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), seed => {
        const c = choices(seed)
        const document: Json = { list: [1, 2, { x: 1 }], o: { a: 1 } }
        const paths = ['/list/0', '/list/2/x', '/o/a', '/o', '/list/-', '/nowhere/x', '/list/9']
        const patch = Array.from({ length: 6 }, () => {
          const path = c.pick(paths)
          return c.pick([
            { op: 'add', path, value: seed },
            { op: 'remove', path },
            { op: 'replace', path, value: {} },
            { op: 'move', from: c.pick(paths), path },
          ] as const)
        })
        const before = structuredClone(document)
        checkPatch(document, patch)
        expect(document).toEqual(before)
      }),
    )
  })
})

describe('P-007 pointers', () => {
  it('P-007 never reach into a prototype', () => {
    for (const path of ['/__proto__/x', '/constructor/prototype/x', '/a/__proto__']) {
      expect(parsePointer(path)).toBeUndefined()
      expect(getPointer({}, path)).toBeUndefined()
      expect(setPointer({ a: {} }, path, 1)).toEqual({ a: {} })
    }
    expect(getPointer({}, '/toString')).toBeUndefined()
  })

  it('P-007 create what is missing, delete without a value, and leave no holes', () => {
    expect(setPointer({}, '/rows/0/name', 'x')).toEqual({ rows: [{ name: 'x' }] })
    expect(setPointer({ rows: [1, 2, 3] }, '/rows/1', undefined)).toEqual({ rows: [1, 3] })
    expect(setPointer({ rows: [1] }, '/rows/5', 9)).toEqual({ rows: [1] })
    expect(setPointer({ a: 1 }, '/b/c', undefined)).toEqual({ a: 1 })
  })
})
