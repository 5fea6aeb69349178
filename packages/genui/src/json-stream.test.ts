import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonStream, type JsonStreamOptions } from './json-stream.ts'

function read(text: string, mode: JsonStreamOptions['mode'] = 'document') {
  const values: unknown[] = []
  const stream = new JsonStream({ mode, onClose: (value, depth) => void (depth === 0 && values.push(value)) })
  const stopped = stream.push(text)
  return { stream, stopped, values }
}

const pieces = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))

describe('one JSON text in pieces', () => {
  it('UH-27 any JSON in any pieces is read as JSON.parse reads it', () => {
    const keys = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '1'))
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 2 }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(
        value,
        fc.constantFrom(0, 2),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('document' as const, 'values' as const, 'lines' as const),
        (given, indent, size, mode) => {
          const text = JSON.stringify(given, null, mode === 'lines' ? 0 : indent)
          const stream = new JsonStream({ mode })
          for (const piece of pieces(text, size)) stream.push(piece)
          stream.end()
          expect(stream.error).toBeUndefined()
          expect(stream.complete).toBe(true)
          // As text, because equality does not see a member that is called __proto__.
          expect(JSON.stringify(stream.root)).toBe(JSON.stringify(JSON.parse(text)))
        },
      ),
    )
  })

  it('UH-27 what JSON.parse refuses is refused, wherever it is cut, and at the same character', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(',', '}', ']', ':', '"', '\\', '\n', 'x', '1', '\\u12g4', '--'))
      .map(([text, at, wrong]) => text.slice(0, at % (text.length + 1)) + wrong + text.slice(at % (text.length + 1)))
    const parses = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(broken, fc.integer({ min: 1, max: 5 }), (text, size) => {
        const { stream: whole, stopped } = read(text)
        whole.end()
        expect(whole.error === undefined).toBe(parses(text))
        const cut = new JsonStream()
        let at = 0
        for (const piece of pieces(text, size)) if (cut.error === undefined) at += cut.push(piece)
        cut.end()
        expect([at, cut.error]).toEqual([stopped, whole.error])
      }),
      { numRuns: 500 },
    )
  })

  it('UH-27 what is not JSON stops at the first wrong character, and what was read stays', () => {
    for (const [text, at] of [
      ['{"title":"a",]', 13],
      ['{"a":tru}', 8],
      ['nope ', 4],
      ['{"a" 1}', 5],
      ['{"a":"\\x"}', 7],
      ['{,}', 1],
      ['[1,,2]', 3],
      ['[1,]', 3],
      ['[1 2]', 3],
      ['{"a":"line\nbreak"}', 10],
      ['{} x', 3],
      ['{"a":1}}', 7],
    ] as const) {
      const { stream, stopped } = read(text)
      expect(stream.error, text).toBeDefined()
      expect(stopped, text).toBe(at)
    }
    const { stream } = read('{"title":"kept","body":oops}')
    expect(stream.root).toEqual({ title: 'kept' })
  })

  it('UH-27 containers are there from their first bracket, numbers and words when they are whole', () => {
    const { stream } = read('{"a":[1,{"b":tr')
    expect(stream.root).toEqual({ a: [1, {}] })
    expect(stream.open.map(({ key }) => key)).toEqual(['a', '', 'b'])
    stream.push('ue,"c":12')
    expect(stream.root).toEqual({ a: [1, { b: true }] })
    stream.push('}')
    expect(stream.root).toEqual({ a: [1, { b: true, c: 12 }] })
    expect(stream.complete).toBe(false)
  })

  it('UH-27 a text that is still open is offered apart, without half of a surrogate pair', () => {
    const { stream } = read('{"title":"ok \\ud83c')
    expect(stream.openText).toBe('ok ')
    stream.push('\\udf89')
    expect(stream.openText).toBe('ok 🎉')
    stream.push('","na')
    expect(stream.openText).toBeUndefined()
    expect(stream.root).toEqual({ title: 'ok 🎉' })
  })

  it('UH-27 A2-123 the last of two equal names counts, and no name reaches a prototype', () => {
    const text = '{"a":1,"a":2,"__proto__":{"polluted":true},"constructor":{"x":1}}'
    const { stream } = read(text)
    expect(JSON.stringify(stream.root)).toBe(JSON.stringify(JSON.parse(text)))
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('A2-123 C05 nesting has a limit', () => {
    const { stream, stopped } = read('['.repeat(100_000))
    expect(stream.error).toContain('deeper than 400')
    expect(stopped).toBe(400)
  })

  it('UH-27 the cost of a character does not grow with the text', () => {
    // The best of many short pieces: whatever else the machine does, it leaves some of them alone.
    const stream = new JsonStream()
    stream.push('{"body":"')
    const times = Array.from({ length: 200 }, () => {
      const start = performance.now()
      for (let i = 0; i < 1_000; i++) stream.push('word ')
      return performance.now() - start
    })
    const small = Math.min(...times.slice(10, 40))
    const large = Math.min(...times.slice(-30))
    expect(large).toBeLessThan(small * 4)
  })
})

describe('many values, as models write them', () => {
  it('A2-111 values follow each other, with or without a comma', () => {
    const { values, stream } = read('{"a":1} [2], "x" 3 null ', 'values')
    expect(values).toEqual([{ a: 1 }, [2], 'x', 3, null])
    expect(stream.error).toBeUndefined()
  })

  it('A2-111 a comma too many or too few, a line break and an unknown escape are forgiven', () => {
    const { values, stream } = read('{"list":[1 2,{"a":"b" ,}, ],"text":"one\ntwo \\x \\u12g4"}', 'values')
    expect(values).toEqual([{ list: [1, 2, { a: 'b' }], text: 'one\ntwo x \ufffd' }])
    expect(stream.error).toBeUndefined()
  })

  it('A2-111 what cannot be meant is an error in every mode', () => {
    for (const text of ['{"a" "b"}', '{"a":}', '[}', '{1:2}', '[1,,2]', 'tru ', '{"a":1 "b":2}'])
      expect(read(text, 'values').stream.error, text).toBeDefined()
  })

  it('A2-111 in lines a text ends with its line', () => {
    const { stream, stopped } = read('{"a":"cut\n{"b":1}', 'lines')
    expect(stream.error).toBe('"\\n" is not expected here')
    expect(stopped).toBe(9)
  })

  it('A2-111 says when the text ends in the middle', () => {
    for (const text of ['{"a"', '["x', '{"a":1']) {
      const { stream } = read(text, 'values')
      stream.end()
      expect(stream.error, text).toBe('the JSON ends in the middle')
    }
  })
})
