import { describe, expect, it } from 'vitest'
import { SandboxSize } from './sandbox-size.ts'

describe('P-9012 the height that a sandbox asks for', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, -Infinity, '100', null, undefined, {}, [300]])(
    'P-9012 %s is no height',
    value => expect(new SandboxSize(100, 700).accept(value, 0)).toBeUndefined(),
  )

  it('P-9012 is kept within its limits', () => {
    const size = new SandboxSize(100, 700)
    expect(size.accept(1e9, 0)).toBe(700)
    expect(size.accept(-5, 10)).toBe(32)
    expect(size.accept(120.2, 20)).toBe(121)
  })

  it('P-9012 a change that nobody sees is none', () => {
    const size = new SandboxSize(100, 700)
    expect([size.accept(100, 0), size.accept(101, 1), size.accept(99, 2)]).toEqual([undefined, undefined, undefined])
  })

  it('P-9012 a content that goes up and down all the time is held at its largest height, and let go when it rests', () => {
    const size = new SandboxSize(100, 700)
    const given: number[] = []
    for (let at = 0; at < 1_000; at += 5) {
      const height = size.accept(at % 10 === 0 ? 150 : 400, at)
      if (height !== undefined) given.push(height)
    }
    expect(given.length).toBeLessThan(16)
    expect(given.at(-1)).toBe(400)
    expect(size.accept(150, 10_000)).toBe(150)
  })
})
