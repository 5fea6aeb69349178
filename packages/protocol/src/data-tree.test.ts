import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DataTree } from './data-tree.ts'
import type { Json, JsonObject } from './json.ts'
import { jsonEqual } from './patch.ts'
import { parsePointer } from './pointer.ts'

const path = (pointer: string) => parsePointer(pointer)!
const keys = fc.constantFrom('a', 'b', '0', '1', '2', '-', '', 'constructor', 'x~y', 'p/q')
const paths = fc.array(keys, { minLength: 1, maxLength: 4 })
const values = fc.jsonValue({ maxDepth: 2 }).map(value => value as Json)

describe('P-007 the data of a surface', () => {
  it('P-007 are read as they were written, never change what others hold, and stay as they were when a write is refused', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(paths, values)), values, (writes, start) => {
        const tree = new DataTree({ start })
        for (const [at, value] of writes) {
          const held = tree.root
          const copy = structuredClone(held)
          tree.share()
          const located = tree.locate(at)
          expect(tree.set(at, value)).toBe(located !== undefined)
          if (located) expect(jsonEqual(tree.get(located.path), value)).toBe(true)
          else expect(tree.root).toBe(held)
          expect(held).toEqual(copy)
        }
      }),
    )
  })

  it('P-007 are copied on the first write below a container, and written in place afterwards', () => {
    const tree = new DataTree()
    tree.set(path('/rows'), [{ v: 1 }, { v: 2 }])
    tree.set(path('/rows/0/v'), 5)
    const rows = tree.get(path('/rows'))
    tree.set(path('/rows/0/v'), 6)
    expect(tree.get(path('/rows'))).toBe(rows)
    tree.share()
    tree.set(path('/rows/0/v'), 7)
    expect(tree.get(path('/rows'))).not.toBe(rows)
    expect((rows as JsonObject[])[0]!.v).toBe(6)
  })

  it('P-007 have lists that can be appended to, filled up to a position and shortened', () => {
    const tree = new DataTree({ list: [1, 2, 3] })
    expect(tree.locate(path('/list/-'))).toEqual({ path: ['list', '3'], filled: 0 })
    tree.set(path('/list/-'), 4)
    tree.set(path('/list/1'), undefined)
    expect(tree.locate(path('/list/4'))).toEqual({ path: ['list', '4'], filled: 1 })
    tree.set(path('/list/4'), 9)
    tree.set(path('/new/-/-'), 'first')
    expect(tree.root).toEqual({ list: [1, 3, 4, null, 9], new: [['first']] })
    for (const wrong of ['/list/x', '/list/4000000000', '/list/0/deeper']) expect(tree.set(path(wrong), 1)).toBe(false)
  })

  it('P-007 do not have a name that every object inherits until it is written', () => {
    const tree = new DataTree({ a: {} })
    expect(tree.get(['constructor', 'name'])).toBeUndefined()
    expect(tree.get(['a', 'toString'])).toBeUndefined()
    tree.set(['a', 'constructor'], 1)
    expect(tree.root).toEqual({ a: { constructor: 1 } })
  })
})
