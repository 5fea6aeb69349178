import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SurfaceOp } from './events.ts'
import { type Json, type JsonObject, jsonBytes } from './json.ts'
import { applySurfaceOps, emptySurface, splitOp, surfaceOps } from './surface.ts'

const json = fc.jsonValue({ maxDepth: 4 }).map(value => value as Json)
const object = fc
  .dictionary(fc.string(), json)
  .map(value => value as JsonObject)
  .filter(value => !JSON.stringify(value).includes('"__proto__"'))
const create: SurfaceOp = { op: 'create', root: 'root' }

const fold = (ops: readonly SurfaceOp[]) => {
  const surface = emptySurface()
  applySurfaceOps(surface, ops)
  return surface
}

describe('P-009 surface operations', () => {
  it('P-009 the size of a value is that of its JSON, escapes and halves of characters included', () => {
    const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)) })
    fc.assert(
      fc.property(fc.oneof(text, json, fc.dictionary(text, fc.array(text)), fc.double()), value => {
        expect(jsonBytes(value)).toBe(Buffer.byteLength(JSON.stringify(value)))
      }),
    )
  })

  it('P-009 mean the same when they are split, keep the order of keys, and no part is larger than asked', () => {
    fc.assert(
      fc.property(object, fc.integer({ min: 40, max: 300 }), (value, max) => {
        const ops: SurfaceOp[] = [
          { op: 'upsert', id: 'a', component: { type: 'Custom', ...value } },
          { op: 'set', path: '/in/side', value },
        ]
        const parts = ops.flatMap(op => splitOp(op, max))
        const whole = fold([create, ...ops])
        const together = fold([create, ...parts])
        const oneByOne = fold([create])
        for (const part of parts) applySurfaceOps(oneByOne, [part])
        for (const split of [together, oneByOne])
          expect(JSON.stringify([...split.components, split.data.root])).toBe(
            JSON.stringify([...whole.components, whole.data.root]),
          )
        for (const part of parts) {
          const carried = part.op === 'upsert' ? part.component : part.op === 'set' ? part.value : null
          if (typeof carried === 'object' && carried !== null) expect(jsonBytes(carried)).toBeLessThanOrEqual(max)
        }
      }),
    )
  })

  it('P-009 of a logged event never change: later operations write into copies', () => {
    const ops: SurfaceOp[] = [
      create,
      { op: 'upsert', id: 'a', component: { type: 'Table', rows: [1] } },
      { op: 'set', path: '', value: { list: [{ n: 1 }] } },
      { op: 'set', path: '/list/0/n', value: 2 },
      { op: 'set', path: '/list/-', value: { n: 3 } },
      { op: 'set', path: '/list/1/n', value: 4 },
      { op: 'set', id: 'a', path: '/rows/1', value: 2 },
    ]
    const before = structuredClone(ops)
    const surface = fold(ops)
    const held = surface.components.get('a')
    applySurfaceOps(surface, [{ op: 'set', id: 'a', path: '/rows/2', value: 3 }])
    expect(ops).toEqual(before)
    expect(held).toEqual({ type: 'Table', rows: [1, 2] })
    expect(surface.components.get('a')).toEqual({ type: 'Table', rows: [1, 2, 3] })
    expect(surface.data.root).toEqual({ list: [{ n: 2 }, { n: 4 }] })
  })

  it('P-009 that cannot be applied change nothing and are reported; a removed surface has to be created again first', () => {
    const surface = fold([create, { op: 'set', path: '/a', value: 1 }])
    const told: string[] = []
    const wrong: SurfaceOp[] = [
      { op: 'set', path: '/a/b', value: 1 },
      { op: 'set', path: 'a', value: 1 },
      { op: 'set', id: 'nobody', path: '/a', value: 1 },
      { op: 'remove' },
      { op: 'upsert', id: 'late', component: { type: 'Text' } },
    ]
    applySurfaceOps(surface, wrong, ({ op }) => told.push(op))
    expect(told).toEqual(['set', 'set', 'set', 'upsert'])
    expect(surfaceOps(surface)).toEqual([{ op: 'remove' }])
    expect(surface.components.size).toBe(0)
  })
})
