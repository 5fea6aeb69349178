import { describe, expect, it } from 'vitest'
import { withoutSecret } from './without-secret.ts'

const key = 'canary-Key/4821+abcdef"x'

describe('a text without a secret', () => {
  it.each([
    ['the key', key],
    ['a part of it', key.slice(3, 15)],
    ['its end with stars', `****${key.slice(-9)}`],
    ['the key in an address', encodeURIComponent(key)],
    ['the key in JSON', JSON.stringify(key)],
    ['the key in Base64', Buffer.from(key).toString('base64')],
    ['the key twice', `${key}${key}`],
  ])('SE-5 masks %s and leaves the rest', (_, said) => {
    const masked = withoutSecret(`It was ${said}, sorry.`, key)
    expect(masked).toMatch(/^It was .*•••.*, sorry\.$/)
    for (let at = 0; at + 8 <= key.length; at++) expect(masked).not.toContain(key.slice(at, at + 8))
  })

  it('SE-5 leaves a text without it as it is, and masks a short one whole', () => {
    expect(withoutSecret('Nothing here.', key)).toBe('Nothing here.')
    expect(withoutSecret('Nothing here.', undefined)).toBe('Nothing here.')
    expect(withoutSecret('pw is pw!', 'pw')).toBe('••• is •••!')
  })
})
