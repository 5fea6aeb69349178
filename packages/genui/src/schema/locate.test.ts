import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locate, pointer } from './index.ts'

const text = `{
  "root": {
    "type": "stack",
    "a/b": [1, {"x": "\\"}"}, true]
  }
}`

describe('positions', () => {
  it('US-56 a pointer gives line and column', () => {
    expect(locate(text, '')).toEqual({ line: 1, column: 1 })
    expect(locate(text, '/root')).toEqual({ line: 2, column: 3 })
    expect(locate(text, '/root/type')).toEqual({ line: 3, column: 5 })
    expect(locate(text, '/root/a~1b/0')).toEqual({ line: 4, column: 13 })
    expect(locate(text, '/root/a~1b/1/x')).toEqual({ line: 4, column: 17 })
    expect(locate(text, '/root/a~1b/2')).toEqual({ line: 4, column: 30 })
  })

  it('US-56 what is absent is placed at its nearest parent', () => {
    expect(locate(text, '/root/children')).toEqual({ line: 2, column: 3 })
    expect(locate(text, '/root/type/deeper')).toEqual({ line: 3, column: 5 })
    expect(locate(text, '/root/a~1b/9')).toEqual({ line: 4, column: 5 })
  })

  it('US-56 finds every value of any JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent)
        const lines = json.split('\n')
        const visit = (part: unknown, path: (string | number)[]): void => {
          const { line, column } = locate(json, pointer(path))
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
})
