import { describe, expect, it } from 'vitest'
import { folderWith } from './lib/folder.ts'
import { compare, type ListedTest, type Row, readRows, summary } from './requirements.ts'

const row = (id: string, status: Row['status'] = 'done', source = 'a.md'): Row => ({
  id,
  line: 'a line',
  status,
  source,
})
const test = (name: string, runs = true): ListedTest => ({ name, file: 'a.test.ts', runs })
const problemsOf = (rows: Row[], tests: ListedTest[]) => compare(rows, tests).problems

describe('R-09 rows and tests', () => {
  it('accepts a done row with a test and an open row without one', () => {
    expect(problemsOf([row('Z1'), row('Z2', 'open')], [test('log > Z1 durable before visible')])).toEqual([])
  })

  it('refuses a done row without a test', () => {
    expect(problemsOf([row('Z1')], [])).toEqual([expect.stringContaining('Z1 (a.md) is called done')])
  })

  it('does not take a skipped test as a proof', () => {
    expect(problemsOf([row('Z1')], [test('Z1 later', false)])).toEqual([expect.stringContaining('Z1 (a.md)')])
  })

  it('refuses a test that names no row', () => {
    expect(problemsOf([], [test('adds two numbers')])).toEqual(['a.test.ts: "adds two numbers" names no row'])
  })

  it('takes the id from any title of the describe chain', () => {
    expect(problemsOf([row('A2-07')], [test('engine > A2-07 limits > depth')])).toEqual([])
  })

  it.each(['Z1: a', '(Z1) a', 'a, Z1', 'Z1/Z2 a', 'Z1–Z2 a', 'see Z1.'])('finds the id in "%s"', name => {
    expect(problemsOf([row('Z1'), row('Z2', 'open')], [test(name)])).toEqual([])
  })

  it.each(['Z12 a', 'XZ1 a', 'Z1-extra a', 'Z1_a', 'a.Z1', 'Z1.5 a'])('does not find it in "%s"', name => {
    expect(problemsOf([row('Z1', 'open')], [test(name)])).toHaveLength(1)
  })

  it('takes codes with hyphens and dots as one id', () => {
    const rows = [row('V-seq'), row('V-seq-gap'), row('V-run.after')]
    expect(problemsOf(rows, [test('V-seq-gap a'), test('V-run.after b')])).toEqual([
      expect.stringContaining('V-seq (a.md)'),
    ])
  })

  it('refuses an id that looks like ours and is none, even beside a right one', () => {
    expect(problemsOf([row('A2-07')], [test('A2-07 and A2-99')])).toEqual([
      'a.test.ts: "A2-07 and A2-99" names A2-99, which is no row',
    ])
  })

  it('sums up by source', () => {
    const rows = [row('Z1'), row('Z2', 'open'), row('B1', 'done', 'bb.md')]
    const { tested } = compare(rows, [test('Z1 a'), test('Z1 b'), test('B1 c')])
    expect(summary(rows, tested)).toBe('a.md  1 done, 1 open, named by 2 tests\nbb.md 1 done, 0 open, named by 1 tests')
  })
})

describe('R-10 the rows themselves', () => {
  const good = { id: 'Z1', line: 'a line', status: 'done' }
  const read = (...rows: unknown[]) => readRows(folderWith({ 'a.json': { source: 'a.md', rows } }))

  it('reads them with their source', () => {
    expect(read(good)).toEqual({ rows: [{ ...good, source: 'a.md' }], coverages: [], problems: [] })
  })

  it('reads which lines of a specification they cover', () => {
    const coverage = { source: 'a.md', document: { lines: 2, sha256: 'x' }, covers: { '1-2': 'Z1' } }
    expect(readRows(folderWith({ 'a.json': { ...coverage, rows: [good] } })).coverages).toEqual([coverage])
  })

  it.each([
    ['a missing line', { id: 'Z1', status: 'done' }, 'exactly id, line and status'],
    ['an unknown field', { ...good, note: 'x' }, 'exactly id, line and status'],
    ['a row that is no object', 'Z1', 'exactly id, line and status'],
    ['an empty line', { ...good, line: ' ' }, 'has no line'],
    ['an unknown status', { ...good, status: 'almost' }, 'must be done or open'],
    ['an id with a space', { ...good, id: 'L 1' }, 'is not an id'],
    ['an id that is a number', { ...good, id: 1 }, 'is not an id'],
  ])('refuses %s', (_, bad, problem) => {
    expect(read(bad).problems).toEqual([expect.stringContaining(problem)])
  })

  it('refuses an id twice, also in two files', () => {
    expect(read(good, good).problems).toEqual(['a.json row 2: Z1 is already a.json row 1'])
    const folder = folderWith({
      'a.json': { source: 'a.md', rows: [good] },
      'b.json': { source: 'b.md', rows: [good] },
    })
    expect(readRows(folder).problems).toEqual(['b.json row 1: Z1 is already a.json row 1'])
  })

  it.each([
    ['JSON that does not parse', '{', 'a.json: '],
    ['a file without source', { rows: [] }, 'must be {'],
    ['rows that are no list', { source: 'a.md', rows: {} }, 'rows must be a list'],
    ['lines without their document', { source: 'a.md', covers: {}, rows: [] }, 'with document and covers'],
    [
      'lines that name no ids',
      { source: 'a.md', document: { lines: 1, sha256: 'x' }, covers: { '1': 7 }, rows: [] },
      'with document and covers',
    ],
  ])('refuses %s', (_, content, problem) => {
    expect(readRows(folderWith({ 'a.json': content })).problems).toEqual([expect.stringContaining(problem)])
  })
})
