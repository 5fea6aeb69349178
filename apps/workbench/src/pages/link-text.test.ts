import { describe, expect, it } from 'vitest'
import { packText, unpackText } from './link-text.ts'

describe('A2-262 a text in a link', () => {
  it('comes back as it was, whatever letters it has, and is shorter than the text', async () => {
    for (const text of ['', '{}', 'größer ✓ 界面 🙂', JSON.stringify({ list: Array(200).fill('the same again') })]) {
      const packed = await packText(text)
      expect(packed).toMatch(/^[\w-]*$/)
      expect(await unpackText(packed)).toBe(text)
    }
    expect((await packText('the same again '.repeat(200))).length).toBeLessThan(200)
  })

  it('is nothing when it is no text, is cut off, or would fill the memory', async () => {
    const packed = await packText('a text that is long enough to be cut off somewhere')
    for (const broken of ['%%%', 'AAAA', packed.slice(0, -8)]) expect(await unpackText(broken)).toBeNull()
    expect(await unpackText(await packText('x'.repeat(8 * 1024 * 1024)))).toBeNull()
  })
})
