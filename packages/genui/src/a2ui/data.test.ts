import { parsePointer } from '@vitrine/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchItems } from './keyed-list.ts'
import { LayeredData } from './layered-data.ts'
import { PathIndex } from './path-index.ts'
import { toPath } from './pointer.ts'

const path = (pointer: string) => parsePointer(pointer)!
const keys = fc.constantFrom('a', 'b', '0', '1', '2', 'x~y', 'p/q')
const paths = fc.array(keys, { minLength: 1, maxLength: 4 })

describe('A2-12 pointers of A2UI', () => {
  it('A2-12 the whole model has three spellings, and the first slash may be left out', () => {
    for (const whole of ['', '/']) expect(toPath(whole)).toEqual([])
    expect(toPath('user/name')).toEqual(['user', 'name'])
    expect(toPath('/user/name')).toEqual(['user', 'name'])
    expect(toPath('/a/~2')).toBeUndefined()
    expect(toPath('a/__proto__/b')).toBeUndefined()
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
    const listening = [['a', 'b'], ['a', 'b'], ['a', 'b', 'c'], []].map(path => {
      const entry = {}
      return { entry, at: index.add(path, entry) }
    })
    for (const { at, entry } of listening) index.remove(at, entry)
    for (const { at, entry } of listening) index.remove(at, entry)
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
            data.set(path(pointer), value)
          } else if (kind === 'person') {
            edits.set(pointer, value)
            if (server.get(pointer) === value) edits.delete(pointer)
            data.edit(path(pointer), value)
          } else {
            edits.clear()
            data.clear()
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
    data.set([], { name: 'server', other: 1 })
    data.edit(path('/name'), 'typed')
    const again = new LayeredData()
    again.set([], { name: 'server', other: 1 })
    for (const [pointer, value] of Object.entries(data.export())) again.edit(path(pointer), value)
    expect(again.view.root).toEqual({ name: 'typed', other: 1 })
    expect(again.server.root).toEqual({ name: 'server', other: 1 })
  })

  it('A2-112 what was typed after sending stays when the server accepts', () => {
    const data = new LayeredData()
    data.edit(path('/a'), 1)
    data.edit(path('/b'), 2)
    const sent = data.export()
    data.edit(path('/b'), 3)
    data.clear(sent)
    expect(data.export()).toEqual({ '/b': 3 })
  })

  it('A2-112 an edit that has no place is refused and changes nothing; one whose place goes is kept', () => {
    const data = new LayeredData()
    data.set([], { a: 1 })
    expect(data.edit(path('/a/b'), 2)).toBe(false)
    data.set(path('/a'), 3)
    expect(data.view.root).toEqual({ a: 3 })
    data.set(path('/a'), {})
    data.edit(path('/a/b'), 2)
    data.set(path('/a'), 'text')
    expect(data.view.root).toEqual({ a: 'text' })
    data.clear({ '/other': 1 })
    data.set(path('/a'), {})
    expect(data.view.root).toEqual({ a: { b: 2 } })
  })

  it('A2-112 an edit goes where its item goes', () => {
    const data = new LayeredData()
    data.set([], {
      rows: [
        { id: 'x', n: 1 },
        { id: 'y', n: 2 },
      ],
    })
    data.edit(path('/rows/1/n'), 20)
    data.set(path('/rows'), [
      { id: 'new', n: 0 },
      { id: 'y', n: 2 },
      { id: 'x', n: 1 },
    ])
    expect(data.view.get(path('/rows'))).toEqual([
      { id: 'new', n: 0 },
      { id: 'y', n: 20 },
      { id: 'x', n: 1 },
    ])
    data.set(path('/rows/0'), undefined)
    expect(data.export()).toEqual({ '/rows/0/n': 20 })
    data.set(path('/rows'), [])
    expect(data.export()).toEqual({})
  })
})
