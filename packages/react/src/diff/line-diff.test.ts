import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiffRow, linesOf, piecesOf, rowsOf, wholeDiff, withoutDoubtful } from './diff-rows.ts'
import { lineDiff } from './line-diff.ts'

const rowsFor = (before: string, after: string) => rowsOf(linesOf(before), linesOf(after), lineDiff(before, after))
const shown = (rows: readonly DiffRow[]) =>
  rows.map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`)

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '  a', 'the same words', 'other words'), { maxLength: 30 })
  .chain(lines => fc.constantFrom('\n', '\r\n').map(end => lines.join(end)))

describe('P-8651 what differs between two texts', () => {
  it('P-8651 the shown lines give back the text before and the text after', () => {
    const plain = (value: string) => linesOf(value).map(line => line.replace(/\r?\n$/, ''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        for (const diff of [lineDiff(before, after), wholeDiff(linesOf(before), linesOf(after))]) {
          const rows = rowsOf(linesOf(before), linesOf(after), diff)
          const side = (kind: DiffRow['kind']) =>
            rows.filter(row => row.kind !== kind).map(row => row.text.replace(/\r$/, ''))
          expect(side('removed')).toEqual(plain(after))
          expect(side('added')).toEqual(plain(before))
          const places = (kind: DiffRow['kind']) => rows.filter(row => row.kind === kind).map(({ at }) => at)
          for (const kind of ['removed', 'added'] as const)
            expect(places(kind)).toEqual(places(kind).toSorted((a, b) => a - b))
        }
      }),
    )
  })

  it('P-8651 marks inside lines stay inside them, and cover only what differs', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { removed, added } = lineDiff(before, after)
        for (const [lines, marks] of [
          [linesOf(before), removed],
          [linesOf(after), added],
        ] as const) {
          for (const [at, ranges] of Object.entries(marks)) {
            const line = lines[Number(at)]!
            expect(
              ranges.every(
                (place, n) => place >= 0 && place <= line.trimEnd().length && (n === 0 || place >= ranges[n - 1]!),
              ),
            ).toBe(true)
          }
        }
      }),
    )
    const { removed, added } = lineDiff('const limit = 1000\n', 'const limit = 250\n')
    expect([removed, added]).toEqual([{ 0: [14, 18] }, { 0: [14, 17] }])
    // Lines that have nothing in common have no marks inside.
    expect(lineDiff('apples and pears\n', 'x = y\n')).toMatchObject({ removed: {}, added: {} })
  })

  it('P-8651 what is removed stands before what took its place, and a missing line break at the end is told', () => {
    const rows = rowsFor('one\ntwo\nthree', 'one\n2\nthree\n')
    expect(shown(rows)).toEqual([' one', '-two', '-three', '+2', '+three'])
    expect(rows.map(({ noBreak }) => noBreak)).toEqual([false, false, true, false, false])
  })

  it('P-8651 carriage returns are shown where they differ, and nowhere else', () => {
    expect(shown(rowsFor('a\r\nb\r\n', 'a\r\nc\r\n'))).toEqual([' a', '-b', '+c'])
    expect(shown(rowsFor('a\r\nb\n', 'a\nb\n'))).toEqual(['-a\r', '+a', ' b'])
  })

  it('P-8651 what is the same folds to three lines around what differs', () => {
    const long = Array.from({ length: 40 }, (_, at) => `line ${at}\n`)
    const rows = rowsFor(long.join(''), long.with(20, 'other\n').join(''))
    const pieces = piecesOf(rows)
    expect(pieces).toEqual([
      { kind: 'fold', from: 0, to: 17 },
      { kind: 'rows', from: 17, to: 25 },
      { kind: 'fold', from: 25, to: 41 },
    ])
    fc.assert(
      fc.property(text, text, (before, after) => {
        const all = rowsFor(before, after)
        const places = piecesOf(all).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, n) => from + n))
        expect(places).toEqual(all.map((_, at) => at))
        for (const { kind, from, to } of piecesOf(all)) {
          if (kind === 'fold') expect(all.slice(from, to).every(row => row.kind === 'same')).toBe(true)
        }
      }),
    )
  })

  it('P-8651 a line that may stand in the missing part of the other text is not called removed or added', () => {
    const rows = rowsFor('a\nb\nc\n', 'new\na\n')
    expect(shown(withoutDoubtful(rows, { before: 0, after: 9 }))).toEqual(['+new', ' a'])
    expect(withoutDoubtful(rows, { before: 9, after: 0 })).toBe(rows)
    expect(withoutDoubtful(rowsFor('', 'a\n'), { before: 0, after: 9 })).toHaveLength(1)
  })

  it('P-8651 texts that are made to be hard take bounded time, and stand whole then', () => {
    const random = (seed: number) =>
      Array.from({ length: 20_000 }, (_, at) => `${Math.imul(at + seed, 2_654_435_761) >>> 20}\n`).join('')
    const before = process.threadCpuUsage()
    const diff = lineDiff(random(1), random(77_777))
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_500_000)
    expect(diff.whole).toBe(true)
    const words = lineDiff(`${'a b '.repeat(900)}\n`, `${'b c a '.repeat(600)}\n`)
    expect(words.runs).toEqual([0, 1, 1])
    expect(process.threadCpuUsage(before).user).toBeLessThan(4_000_000)
  })
})
