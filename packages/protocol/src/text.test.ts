import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Text } from './text.ts'

it('L9 text kept in chunks reads as what was appended, from any offset', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 700 }), fc.nat(), (deltas, offset) => {
      const text = new Text()
      for (const delta of deltas) text.append(delta)
      const whole = deltas.join('')
      const from = whole.length ? offset % (whole.length + 1) : 0
      expect(text.from(from)).toBe(whole.slice(from))
      expect(text.toString()).toBe(whole)
      expect(text.from(from)).toBe(whole.slice(from))
      expect(text.length).toBe(whole.length)
    }),
  )
})
