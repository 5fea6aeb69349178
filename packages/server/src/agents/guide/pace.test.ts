import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPace } from './pace.ts'

const never = new AbortController().signal

describe('pace', () => {
  it('P-502 the pieces of any text, joined, are the text again', () => {
    const { chunks } = createPace(0)
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => chunks(text).join('') === text))
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(' ', '\n', 'a', '中', '文', '😀', '`', '|') }), text => {
        const pieces = chunks(text)
        return pieces.join('') === text && pieces.every(piece => piece.length > 0 && piece.isWellFormed())
      }),
    )
  })

  it('P-502 the natural pace is between 60 and 120 pieces a second', async () => {
    const pace = createPace(1, 7)
    const start = performance.now()
    for (let n = 0; n < 50; n++) await pace.beat(never)
    const rate = 50 / ((performance.now() - start) / 1000)
    // The first pause may begin up to 100 ms late, and a busy
    // machine is slower. The pieces must never come all at once.
    expect(rate).toBeLessThan(160)
    expect(rate).toBeGreaterThan(20)
  })

  it('P-502 at pace 0 a long text does not block the event loop', async () => {
    const pace = createPace(0)
    let others = 0
    const timer = setInterval(() => others++, 0)
    const start = performance.now()
    while (performance.now() - start < 30) await pace.beat(never)
    clearInterval(timer)
    expect(others).toBeGreaterThan(1)
  })

  it('P-503 every wait ends at once when the run is stopped', async () => {
    const stop = new AbortController()
    const waits = [createPace(1).wait(60_000, stop.signal), createPace(1000).beat(stop.signal)]
    stop.abort()
    const ends = await Promise.allSettled(waits)
    expect(ends.map(end => end.status)).toEqual(['rejected', 'rejected'])
    await expect(createPace(0).beat(stop.signal)).rejects.toThrow()
  })
})
