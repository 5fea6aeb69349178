import { expect, it } from 'vitest'
import { keepWith, keptOf } from './use-kept.ts'

it('P-8911 what was opened and closed again is closed when its block comes back into sight', () => {
  const block = {}
  keepWith(block, 'open', false, false)
  expect(keptOf(block, 'open', false)).toBe(false)
  keepWith(block, 'open', true, false)
  expect(keptOf(block, 'open', false)).toBe(true)
  keepWith(block, 'open', false, false)
  expect(keptOf(block, 'open', false)).toBe(false)
  expect(keptOf({}, 'open', 7)).toBe(7)
})
