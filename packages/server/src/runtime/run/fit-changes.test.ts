import { type FileChange, jsonBytes } from '@vitrine/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitChanges } from './fit-changes.ts'

const lines = (count: number, word = 'line') => Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('')

describe('P-8650 changes of files that are too large for an event', () => {
  it('P-8650 are left as they are when there is room', () => {
    const changes = [{ path: 'a', before: 'one\n', after: 'two\n' }, { path: 'b' }]
    expect(fitChanges(changes, 10_000)).toEqual({ changes, left: 0, cut: false })
  })

  it('P-8650 keep what is around the change, with its line number, and lose nothing that differs', () => {
    const [before, after] = [`${lines(2_000)}old\n${lines(2_000)}`, `${lines(2_000)}new\n${lines(2_000)}`]
    const { changes, left, cut } = fitChanges([{ path: 'a', before, after }], 2_000)
    expect({ left, cut }).toEqual({ left: 0, cut: false })
    const [change] = changes as [FileChange]
    expect(change.before).toMatch(/^line 1990\n(?:line \d+\n)*line 1999\nold\nline 0\n(?:line \d+\n)*line 9\n$/)
    expect(change.after).toBe(change.before!.replace('old', 'new'))
    expect(change.line).toBe(1_991)
  })

  it('P-8650 lose the end of the largest texts, and say how many lines; small files stay whole', () => {
    const small = { path: 'small', before: 'a\n', after: 'b\n' }
    const large = { path: 'large', after: lines(5_000) }
    const { changes, cut } = fitChanges([large, small], 4_000)
    expect(cut).toBe(true)
    expect(changes[1]).toEqual(small)
    const [first] = changes as [FileChange]
    const kept = first.after!.split('\n').length - 1
    expect(first.after).toBe(lines(kept))
    expect(kept).toBeGreaterThan(200)
    expect(first.cut).toEqual({ before: 0, after: 5_000 - kept })
  })

  it('P-8650 of one endless line the beginning stays, and a path without an end is shortened at its beginning', () => {
    const { changes } = fitChanges([{ path: `${'d/'.repeat(5_000)}end.ts`, after: 'x'.repeat(100_000) }], 4_000)
    expect(changes[0]!.path).toMatch(/^….*end\.ts$/)
    expect(changes[0]!.after).toMatch(/^x{400,}$/)
    expect(changes[0]!.cut).toEqual({ before: 0, after: 1 })
  })

  it('P-8650 files for which there is no room are counted', () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ path: `file-${at}`, after: `${at}\n` }))
    expect(fitChanges(many, 60_000)).toMatchObject({ left: 200, cut: false })
    expect(fitChanges(many, -5)).toEqual({ changes: [], left: 300, cut: false })
  })

  it('P-8650 always fit, whatever they are, and every file is shown or counted', () => {
    const text = fc.option(
      fc.array(fc.string({ maxLength: 40 }), { maxLength: 60 }).map(all => all.join('\n')),
      { nil: undefined },
    )
    const change = fc.record({ path: fc.string({ minLength: 1, maxLength: 80 }), before: text, after: text })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.integer({ min: 0, max: 6_000 }), (given, room) => {
        const { changes, left } = fitChanges(given as FileChange[], room)
        expect(jsonBytes(changes)).toBeLessThanOrEqual(Math.max(room, 2))
        expect(changes.length + left).toBe(given.length)
      }),
    )
  })
})
