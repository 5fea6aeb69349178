import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toJson } from './to-json.ts'

const asText = (value: unknown): unknown => {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

describe('A2-145 what an agent hands over', () => {
  it('A2-145 is read as JSON would write it, whatever it holds', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, undefined, -0, Number.NaN, Number.NEGATIVE_INFINITY, () => 1),
      fc.date({ noInvalidDate: true }),
    )
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toString', '1')), tie('value'), {
          maxKeys: 4,
        }),
      ),
    }))
    fc.assert(
      fc.property(value, given => {
        expect(toJson(given, 10_000)).toStrictEqual(asText(given))
      }),
    )
  })

  it('A2-145 is a copy, and has only the members that JSON has', () => {
    const inner = { path: '/a' }
    class Text {
      id = 't'
      text = inner
      draw() {}
      get size() {
        return 1
      }
    }
    const copy = toJson({ list: [new Text()] }, 100)
    inner.path = '/b'
    expect(copy).toStrictEqual({ list: [{ id: 't', text: { path: '/a' } }] })
  })
})
