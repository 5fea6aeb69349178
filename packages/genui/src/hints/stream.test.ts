import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileInput } from '../schema/examples.test.data.ts'
import { readSchema, type UiNode, type UiSchemaRenderer, validateSchema } from '../schema/index.ts'
import { hints } from './arbitrary.test.data.ts'
import { hintsStream, hintsToSchema } from './index.ts'

const ids = (schema: UiSchemaRenderer | undefined): Map<string, string> => {
  const found = new Map<string, string>()
  const visit = (node: UiNode): void => {
    found.set(node.id!, node.type)
    if ('children' in node) for (const child of node.children) visit(child)
  }
  if (schema) visit(schema.root)
  return found
}

describe('streaming', () => {
  it('UH-26 a card grows: ids stay, types stay, and the end is the whole compile', () => {
    const text = JSON.stringify(compileInput)
    const stream = hintsStream({ locale: 'zh-CN' })
    const sizes = new Set<number>()
    let before = new Map<string, string>()
    for (const char of text) {
      stream.push(char)
      const schema = stream.schema()
      if (!schema) continue
      expect(validateSchema(schema)).toEqual([])
      const now = ids(schema)
      for (const [id, type] of before) expect(now.get(id), `${id} is gone or changed`).toBe(type)
      sizes.add(now.size)
      before = now
    }
    expect(stream.complete).toBe(true)
    expect(stream.schema()).toEqual(hintsToSchema(compileInput, { locale: 'zh-CN', ids: true }))
    expect(sizes.size).toBeGreaterThan(5)
  })

  it('UH-26 any document, cut anywhere, keeps the ids it has shown', () => {
    fc.assert(
      fc.property(hints, fc.array(fc.nat(300), { minLength: 1, maxLength: 12 }), (value, steps) => {
        const text = JSON.stringify(value, (key, part: unknown) => (key === 'surprise' ? undefined : part))
        const stream = hintsStream()
        let before = new Map<string, string>()
        let at = 0
        for (let step = 0; at < text.length; step++) {
          const size = 1 + (steps[step % steps.length] ?? 0)
          stream.push(text.slice(at, at + size))
          at += size
          const schema = stream.schema()
          expect(schema === undefined || validateSchema(schema).length === 0).toBe(true)
          const now = ids(schema)
          // One expectation a step: one an id would cost more than all the rest.
          expect([...before.keys()].filter(id => !now.has(id))).toEqual([])
          before = now
        }
        expect(stream.schema()).toEqual(hintsToSchema(JSON.parse(text), { ids: true }))
      }),
      { numRuns: 60 },
    )
  }, 30_000)

  it('UH-201 an entry keeps the id of its node when its own id is written after its title', () => {
    const text = '{"listItems":[{"title":"First","id":"a"},{"id":"b","title":"Second"}]}'
    const stream = hintsStream()
    let before = new Map<string, string>()
    for (const char of text) {
      stream.push(char)
      const now = ids(stream.schema())
      expect([...before.keys()].filter(id => !now.has(id))).toEqual([])
      before = now
    }
    expect(stream.schema()?.meta).toEqual({ unknown: { '/listItems/0/id': 'a', '/listItems/1/id': 'b' } })
  })

  it('UH-27 half a status, path, button, field or number is not shown; half a sentence is', () => {
    const stream = hintsStream()
    const shown = (chunk: string): string => {
      stream.push(chunk)
      return JSON.stringify(stream.schema()?.root ?? null)
    }
    expect(shown('{"status":"err')).not.toContain('err')
    expect(shown('or","title":"Dele')).toContain('"content":"Dele"')
    expect(shown('tion failed","items":[{"ke')).not.toContain('kv')
    expect(shown('y":"Owner","value":12')).not.toContain('12')
    expect(shown('3},{"key":"B","value":"Da')).toContain('"value":"Da"')
    expect(shown('na"}],"actions":[{"label":"Re')).not.toContain('Re')
    expect(shown('try","action":{"type":"tool","toolId":"x"}')).not.toContain('Retry')
    expect(shown('},{"label":"Hel')).toContain('"label":"Retry"')
    expect(
      shown('p","action":{"type":"url","url":"https://x.example"}}],"table":{"columns":["A","B"],"rows":[["on'),
    ).toContain('table')
    expect(shown('e",2],["tw')).toContain('[["one",2],[]]')
    expect(shown('o",3]]}}')).toContain('[["one",2],["two",3]]')
    expect(stream.complete).toBe(true)
  })

  it('UH-27 a surrogate pair that is cut in two does not flash', () => {
    const stream = hintsStream()
    stream.push('{"title":"ok \\ud83c')
    expect(readSchema(stream.schema()).schema?.root.children[0]).toMatchObject({ content: 'ok ' })
    stream.push('\\udf89"}')
    expect(readSchema(stream.schema()).schema?.root.children[0]).toMatchObject({ content: 'ok 🎉' })
  })

  it('UH-27 what is not JSON stops and keeps what was shown', () => {
    const stream = hintsStream()
    stream.push('{"title":"kept","body":oops}')
    expect(stream.failed).toBe(true)
    expect(JSON.stringify(stream.schema())).toContain('kept')
  })
})
