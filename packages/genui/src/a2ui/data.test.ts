import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DataTree, PathError } from './data-tree.ts'
import { matchItems } from './keyed-list.ts'
import { deepEqual, type Json, type JsonObject } from './ops.ts'
import { LayeredData } from './overlay.ts'
import { PathIndex } from './path-index.ts'
import { formatPointer, parsePointer } from './pointer.ts'

const path = (pointer: string) => parsePointer(pointer)!
const keys = fc.constantFrom('a', 'b', '0', '1', '2', 'x~y', 'p/q')
const paths = fc.array(keys, { minLength: 1, maxLength: 4 })
const values = fc.jsonValue({ maxDepth: 2 }).map(value => value as Json)

describe('A2-12 pointers', () => {
  it('A2-12 read what they write, escapes included', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), segments => {
        fc.pre(!segments.includes('__proto__') && !(segments.length === 1 && segments[0] === ''))
        expect(parsePointer(formatPointer(segments))).toEqual(segments)
      }),
    )
  })

  it('A2-123 refuse bad escapes and the way to a prototype', () => {
    expect(parsePointer('/a/~2')).toBeUndefined()
    expect(parsePointer('/a/__proto__/b')).toBeUndefined()
    const tree = new DataTree({ a: {} })
    expect(tree.get(['constructor', 'name'])).toBeUndefined()
    expect(tree.get(['a', 'toString'])).toBeUndefined()
  })
})

describe('A2-12 data tree', () => {
  it('A2-12 reads what was written, and changes nothing that others hold', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(paths, values)), values, (writes, start) => {
        const tree = new DataTree({ start })
        for (const [at, value] of writes) {
          const held = tree.root
          const copy = structuredClone(held)
          tree.share()
          try {
            tree.set(at, value)
            expect(deepEqual(tree.get(at), value)).toBe(true)
          } catch (error) {
            expect(error).toBeInstanceOf(PathError)
          }
          expect(held).toEqual(copy)
        }
      }),
    )
  })

  it('A2-12 writes a leaf in place once the containers are its own', () => {
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

  it('A2-12 appends, fills and removes positions of a list', () => {
    const tree = new DataTree({ list: [1, 2, 3] })
    tree.set(path('/list/-'), 4)
    tree.set(path('/list/1'), undefined)
    tree.set(path('/list/4'), 9)
    expect(tree.root).toEqual({ list: [1, 3, 4, null, 9] })
    expect(() => tree.set(path('/list/x'), 1)).toThrow(PathError)
    expect(() => tree.set(path('/list/4000000000'), 1)).toThrow(PathError)
    expect(() => tree.set(path('/list/0/deeper'), 1)).toThrow(PathError)
  })
})

describe('A2-115 path index', () => {
  it('A2-115 a write reaches its path, its ancestors and its descendants, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(paths, { maxLength: 30 }), paths, (listeners, write) => {
        const index = new PathIndex<{ i: number }>()
        for (const [i, at] of listeners.entries()) index.add(at, { i })
        const reached = new Set<number>()
        index.touch(write, ({ i: entry }, depth) => {
          expect(listeners[entry]!.length).toBe(depth)
          reached.add(entry)
        })
        listeners.forEach((at, i) => {
          const shorter = Math.min(at.length, write.length)
          const related = at.slice(0, shorter).every((segment, j) => segment === write[j])
          expect(reached.has(i)).toBe(related)
        })
      }),
    )
  })

  it('A2-117 keeps nothing after the last listener has gone', () => {
    const index = new PathIndex<object>()
    const stop = [
      index.add(['a', 'b'], {}),
      index.add(['a', 'b'], {}),
      index.add(['a', 'b', 'c'], {}),
      index.add([], {}),
    ]
    for (const end of stop) end()
    for (const end of stop) end()
    expect(index.size).toBe(0)
    index.touch([], () => expect.fail('a listener stayed'))
  })
})

describe('A2-116 keyed identity', () => {
  const item = fc.record({ id: fc.integer({ min: 0, max: 8 }), text: fc.string() })
  const unique = fc.uniqueArray(item, { selector: ({ id }) => id })

  it('A2-116 items with an id are found wherever they went', () => {
    fc.assert(
      fc.property(unique, unique, (before, after) => {
        const matches = matchItems(before, after)
        after.forEach((next, i) => {
          const old = before.findIndex(({ id }) => id === next.id)
          expect(matches[i]).toBe(old)
        })
      }),
    )
  })

  it('A2-116 without ids an insert in the middle moves what follows, and no item is taken twice', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat(), fc.string(), (before, at, text) => {
        const position = before.length ? at % (before.length + 1) : 0
        const after = before.toSpliced(position, 0, text)
        const matches = matchItems(before, after)
        const used = matches.filter(match => match >= 0)
        expect(new Set(used).size).toBe(used.length)
        // Equal neighbours cannot be told apart; in number exactly one item is new.
        expect(used.length).toBe(before.length)
      }),
    )
  })
})

describe('A2-112 overlay', () => {
  const ignore = () => {}
  const flat = fc.constantFrom('/a', '/b', '/c/d', '/c/e')

  it('A2-112 the view is the server below what the person typed, in any order of both', () => {
    const move = fc.oneof(
      fc.tuple(fc.constant('server' as const), flat, fc.integer()),
      fc.tuple(fc.constant('person' as const), flat, fc.integer()),
      fc.tuple(fc.constant('clear' as const), flat, fc.integer()),
    )
    fc.assert(
      fc.property(fc.array(move), moves => {
        const data = new LayeredData()
        const server = new Map<string, number>()
        const edits = new Map<string, number>()
        for (const [kind, pointer, value] of moves) {
          if (kind === 'server') {
            server.set(pointer, value)
            data.set(path(pointer), value, ignore)
          } else if (kind === 'person') {
            edits.set(pointer, value)
            if (server.get(pointer) === value) edits.delete(pointer)
            data.edit(path(pointer), value, ignore)
          } else {
            edits.clear()
            data.clear(undefined, ignore)
          }
          for (const [at, fact] of server) expect(data.server.get(path(at))).toBe(fact)
          for (const at of ['/a', '/b', '/c/d', '/c/e'])
            expect(data.view.get(path(at))).toBe(edits.has(at) ? edits.get(at) : server.get(at))
          expect(data.export()).toEqual(Object.fromEntries(edits))
        }
      }),
    )
  })

  it('A2-112 is exported and restored', () => {
    const data = new LayeredData()
    data.set([], { name: 'server', other: 1 }, ignore)
    data.edit(path('/name'), 'typed', ignore)
    const again = new LayeredData()
    again.set([], { name: 'server', other: 1 }, ignore)
    again.restore(JSON.parse(JSON.stringify(data.export())), ignore)
    expect(again.view.root).toEqual({ name: 'typed', other: 1 })
    expect(again.server.root).toEqual({ name: 'server', other: 1 })
  })

  it('A2-112 what was typed after sending stays when the server accepts', () => {
    const data = new LayeredData()
    data.edit(path('/a'), 1, ignore)
    data.edit(path('/b'), 2, ignore)
    const sent = data.export()
    data.edit(path('/b'), 3, ignore)
    data.clear(sent, ignore)
    expect(data.export()).toEqual({ '/b': 3 })
  })

  it('A2-112 an edit goes where its item goes', () => {
    const data = new LayeredData()
    data.set(
      [],
      {
        rows: [
          { id: 'x', n: 1 },
          { id: 'y', n: 2 },
        ],
      },
      ignore,
    )
    data.edit(path('/rows/1/n'), 20, ignore)
    data.set(
      path('/rows'),
      [
        { id: 'new', n: 0 },
        { id: 'y', n: 2 },
        { id: 'x', n: 1 },
      ],
      ignore,
    )
    expect(data.view.get(path('/rows'))).toEqual([
      { id: 'new', n: 0 },
      { id: 'y', n: 20 },
      { id: 'x', n: 1 },
    ])
    data.set(path('/rows/0'), undefined, ignore)
    expect(data.export()).toEqual({ '/rows/0/n': 20 })
    data.set(path('/rows'), [], ignore)
    expect(data.export()).toEqual({})
  })
})
