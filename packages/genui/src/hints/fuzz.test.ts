import { describe, expect, it } from 'vitest'
import { fuzz } from './fuzz.test.kit.ts'

/** `npm run test:long` sets it; a seed that failed is repeated with the other. */
const count = Number(process.env.VITRINE_FUZZ_UI ?? 4_000)
const seed = Number(process.env.VITRINE_FUZZ_SEED ?? 1)

describe('mutated hints and documents', () => {
  it('UH-202 US-212 nothing throws, and every law holds: total, deterministic, lossless, stable ids, one normal form', {
    timeout: 60_000 + count * 60,
  }, () => {
    expect(fuzz(count, seed)).toEqual([])
  })
})
