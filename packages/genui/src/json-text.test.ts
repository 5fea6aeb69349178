import { formatPointer } from '@vitrine/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locatePointer, readJsonText } from './json-text.ts'

const text = `{
  "root": {
    "type": "stack",
    "a/b": [1, {"x": "\\"}"}, true]
  }
}`

describe('positions', () => {
  it('US-56 a pointer gives line and column', () => {
    expect(locatePointer(text, '')).toEqual({ line: 1, column: 1 })
    expect(locatePointer(text, '/root')).toEqual({ line: 2, column: 3 })
    expect(locatePointer(text, '/root/type')).toEqual({ line: 3, column: 5 })
    expect(locatePointer(text, '/root/a~1b/0')).toEqual({ line: 4, column: 13 })
    expect(locatePointer(text, '/root/a~1b/1/x')).toEqual({ line: 4, column: 17 })
    expect(locatePointer(text, '/root/a~1b/2')).toEqual({ line: 4, column: 30 })
  })

  it('US-56 what is absent is placed at its nearest parent', () => {
    expect(locatePointer(text, '/root/children')).toEqual({ line: 2, column: 3 })
    expect(locatePointer(text, '/root/type/deeper')).toEqual({ line: 3, column: 5 })
    expect(locatePointer(text, '/root/a~1b/9')).toEqual({ line: 4, column: 5 })
  })

  it('US-56 finds every value of any JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent)
        const lines = json.split('\n')
        const visit = (part: unknown, path: (string | number)[]): void => {
          const { line, column } = locatePointer(json, formatPointer(path.map(String)))
          const rest = [lines[line - 1]!.slice(column - 1), ...lines.slice(line)].join('\n')
          const last = path.at(-1)
          const start = typeof last === 'string' ? JSON.stringify(last) : JSON.stringify(part, null, indent).slice(0, 1)
          expect(rest.startsWith(start)).toBe(true)
          if (Array.isArray(part)) for (const [index, item] of part.entries()) visit(item, [...path, index])
          else if (typeof part === 'object' && part !== null)
            for (const [key, item] of Object.entries(part)) visit(item, [...path, key])
        }
        visit(JSON.parse(json), [])
      }),
    )
  })

  it('US-56 a text that is not JSON breaks at the first character that cannot go on', () => {
    expect(readJsonText('{"a": 1}')).toEqual({ ok: true, value: { a: 1 }, repeated: [] })
    expect(readJsonText('{"a": 1,\n  "b": tru}')).toEqual({
      ok: false,
      message: '"tru" is not expected here',
      position: { line: 2, column: 11 },
    })
    expect(readJsonText('{"a": [1')).toMatchObject({ ok: false, position: { line: 1, column: 9 } })
    expect(readJsonText('')).toMatchObject({ ok: false, position: { line: 1, column: 1 } })
  })

  it.each([
    ['{"a": 1,\n "a": 2}', ['/a 2:2']],
    ['{"a": {"b": 1}, "c": [{"x": 1}, {"x": 1, "y": ["x"], "\\u0078": 2}]}', ['/c/1/x 1:54']],
    ['{"a/b": 1, "a/b": 1, "a/b": 1}', ['/a~1b 1:12', '/a~1b 1:22']],
    ['[{"a": "a"}, {"a": "{\\"a\\":1,\\"a\\""}, ",", "a"]', []],
    ['{"__proto__": 1, "constructor": [], "constructor": {}}', ['/constructor 1:37']],
  ])('US-255 the keys that stand twice in %s', (text, expected) => {
    const read = readJsonText(text)
    const told = read.ok ? read.repeated : []
    expect(told.map(({ diagnostic, position }) => `${diagnostic.path} ${position.line}:${position.column}`)).toEqual(
      expected,
    )
  })

  it('US-255 a text that is nested very deep and one with very many keys twice are looked through', () => {
    const deep = readJsonText(`${'['.repeat(5000)}${']'.repeat(5000)}`)
    expect(deep).toMatchObject({ ok: true, repeated: [] })
    const many = readJsonText(`{${Array.from({ length: 100_000 }, () => '"a":1').join(',')}}`)
    expect(many.ok && many.repeated.length).toBe(100)
  })
})
