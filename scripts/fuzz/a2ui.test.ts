import { describe, expect, it } from 'vitest'
import { fuzzA2ui } from './a2ui.ts'

/** `npm run test:long` asks for a million. */
const ENVELOPES = Number(process.env.VITRINE_FUZZ_ENVELOPES ?? 3_000)
const SEED = Number(process.env.VITRINE_FUZZ_SEED ?? 1)

describe('A2-217 envelopes that chance has changed', () => {
  it(`A2-217 nothing throws and the law of P-680 holds for ${ENVELOPES} envelopes made from valid ones`, async () => {
    const { ok, refused } = await fuzzA2ui(ENVELOPES, SEED)
    expect(ok).toBeGreaterThan(ENVELOPES / 10)
    expect(refused).toBeGreaterThan(ENVELOPES / 10)
  }, 36_000_000)
})
