import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choices } from './histories.fixture.ts'
import type { Json } from './json.ts'
import { createMeter } from './meter.ts'
import { applyPatch } from './patch.ts'
import { formatPointer, parsePointer, readPath } from './pointer.ts'

function randomPatch(seed: number) {
  const c = choices(seed)
  const document: { [key: string]: Json } = { list: [1, 2, { x: 1 }], o: { a: 1 } }
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
  return { document, patch }
}

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
        const { document, patch } = randomPatch(seed)
        const before = structuredClone(document)
        createMeter().check(document, patch)
        expect(document).toEqual(before)
      }),
    )
  })
})

describe('P-007 pointers', () => {
  it('P-007 lead to the value that was written there, also with escapes and empty keys', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), path => {
        fc.pre(!path.includes('__proto__'))
        expect(parsePointer(formatPointer(path))).toEqual(path)
      }),
    )
    expect(parsePointer('/')).toEqual([''])
    expect(parsePointer('a/b')).toBeUndefined()
    expect(parsePointer('/~2')).toBeUndefined()
  })

  it('P-007 never lead into a prototype; similar names are plain keys', () => {
    for (const path of ['/__proto__/x', '/a/__proto__']) expect(parsePointer(path)).toBeUndefined()
    for (const path of ['/toString', '/constructor', '/constructor/prototype'])
      expect(readPath({}, parsePointer(path)!)).toBeUndefined()
    expect(applyPatch({}, [{ op: 'add', path: '/constructor', value: 1 }])).toEqual({
      ok: true,
      value: { constructor: 1 },
    })
  })
})

describe('H12 a patch cannot make more than shared state may hold', () => {
  const doubling = Array.from({ length: 30 }, (_, i) => ({ op: 'copy' as const, from: '', path: `/x${i}` }))

  it('H12 copies that double the document are refused before they are made', () => {
    const document: Json = { a: 'x'.repeat(1_000) }
    const before = structuredClone(document)
    const result = createMeter().apply(document, doubling)
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('more than 1048576') })
    expect(document).toEqual(before)
  })

  it('H12 one patch after another is refused at the same size as all of them at once', () => {
    let document: Json = { a: 'x'.repeat(1_000) }
    let applied = 0
    const meter = createMeter()
    for (const operation of doubling) {
      const result = meter.apply(document, [operation])
      if (!result.ok) break
      document = result.value
      applied++
    }
    expect(applied).toBeLessThan(11)
    expect(JSON.stringify(document).length).toBeLessThanOrEqual(1024 * 1024)
    // What was weighed step by step is what a reader that starts from a copy finds.
    expect(meter.apply(structuredClone(document), [doubling[applied]!]).ok).toBe(false)
    expect(meter.apply(document, [{ op: 'remove', path: `/x${applied - 1}` }, doubling[applied]!]).ok).toBe(true)
  })

  it('H12 copying and removing by turns is refused although the document stays small', () => {
    const document: Json = { a: 'x'.repeat(500_000) }
    const patch = Array.from({ length: 200 }, () => [
      { op: 'copy' as const, from: '/a', path: '/b' },
      { op: 'remove' as const, path: '/b' },
    ]).flat()
    const result = createMeter().apply(document, patch)
    expect(result).toMatchObject({ ok: false, reason: 'the change touches too much at once' })
    expect(Object.keys(document as object)).toEqual(['a'])
  })

  it('H12 moves and additions cannot nest deeper than the limit', () => {
    let document: Json = { a: {} }
    let depth = 1
    const meter = createMeter()
    for (;;) {
      const patch = [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'replace', path: '/a', value: {} },
        { op: 'move', from: '/b', path: '/a/n' },
      ] as const
      const result = meter.apply(document, patch)
      if (!result.ok) break
      document = result.value
      depth++
    }
    expect(depth).toBe(199)
  })

  it('H12 a document that was patched often is refused the same as a copy of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), seed => {
        const { document, patch } = randomPatch(seed)
        // So near the limit that some of the operations still fit and others do not.
        let kept: Json = { ...document, filler: 'x'.repeat(1024 * 1024 - 60 - (seed % 30)) }
        const meter = createMeter()
        for (const operation of patch) {
          const fresh = createMeter().apply(structuredClone(kept), [operation])
          const result = meter.apply(kept, [operation])
          expect(result).toEqual(fresh)
          if (result.ok) kept = result.value
        }
      }),
      { numRuns: 200 },
    )
  })
})
