import { describe, expect, it } from 'vitest'
import { type FocusSigns, isPersons } from './sandbox-focus.ts'

const never = Number.NEGATIVE_INFINITY
const signs = (changes: Partial<FocusSigns>): FocusSigns => ({
  now: 100_000,
  acted: never,
  tabbed: never,
  moved: never,
  distance: Number.POSITIVE_INFINITY,
  active: false,
  ...changes,
})

describe('P-9620 the focus of a sandbox', () => {
  it('P-9620 is the person’s after Tab and after a press in the frame', () => {
    expect(isPersons(signs({ acted: 99_990, tabbed: 99_990 }))).toBe(true)
    expect(isPersons(signs({ active: true, moved: 99_500, distance: 20, acted: 99_000 }))).toBe(true)
    // By touch there is no pointer over it; the page itself has seen nothing for long.
    expect(isPersons(signs({ active: true, acted: 90_000 }))).toBe(true)
  })

  it('P-9620 is not, while nobody acts, and while somebody types in the page, also with the pointer over the frame', () => {
    expect(isPersons(signs({}))).toBe(false)
    expect(isPersons(signs({ moved: 99_000, distance: 0 }))).toBe(false)
    expect(isPersons(signs({ active: true, acted: 99_900 }))).toBe(false)
    expect(isPersons(signs({ active: true, acted: 99_000, moved: 99_900, distance: 500 }))).toBe(false)
    expect(isPersons(signs({ active: true, acted: 99_900, moved: 98_000, distance: 0 }))).toBe(false)
  })
})
