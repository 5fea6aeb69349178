import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRows } from './requirements.ts'
import { type Coverage, coverageProblems, documentProblems } from './spec-coverage.ts'

const root = resolve(import.meta.dirname, '..')
const specs = join(root, '../shared/specs')
const SPECIFICATIONS = ['a2ui.md', 'agent-ui.md', 'agent-widgets.md', 'ui-elements.md', 'ui-schema.md']
const { rows, coverages } = readRows(join(root, 'docs/requirements'))

const sample = `Kettles
A kettle has a lid.
- It MUST whistle.

| Field | Type |
|---|---|
| water | litres |
`
const covering = (covers: Record<string, string>, text = sample): Coverage => ({
  source: 'kettles.md',
  document: { lines: 7, sha256: createHash('sha256').update(text).digest('hex') },
  covers,
})
const whole = { '1': '', '2-3': 'Z1', '4-6': '', '7': 'Z2 Z1' }
const ids = new Set(['Z1', 'Z2'])

describe('R-40 every line of a specification', () => {
  it('is accepted when each line has rows or promises nothing', () => {
    expect(coverageProblems(covering(whole), ids)).toEqual([])
    expect(documentProblems(covering(whole), sample)).toEqual([])
  })

  it.each<[string, Record<string, string>, string]>([
    ['a line that is left out', { '1': '', '2': 'Z1', '4-7': '' }, 'line 3 comes next, and "4-7" is there'],
    ['a line that is there twice', { '1-3': 'Z1', '3-7': 'Z1' }, 'line 4 comes next, and "3-7" is there'],
    ['an end that is missing', { '1-5': 'Z1' }, 'the lines end at 5 of 7'],
    ['a range that goes backwards', { '1-7': 'Z1', '9-8': '' }, '"9-8" is not a line or a range of lines'],
    ['a name that is no line', { first: 'Z1', '1-7': '' }, '"first" is not a line or a range of lines'],
    ['an id that is no row', { '1-7': 'Z1 Z3' }, 'lines 1-7 name Z3, which is no row'],
  ])('is refused with %s', (_, covers, problem) => {
    expect(coverageProblems(covering(covers), ids)).toContainEqual(expect.stringContaining(problem))
  })

  it.each<[string, Record<string, string>, number]>([
    ['a duty', { ...whole, '2-3': '' }, 3],
    ['a row of a table', { ...whole, '7': '' }, 7],
  ])('is refused when %s is said to promise nothing', (_, covers, line) => {
    expect(documentProblems(covering(covers), sample)).toEqual([
      expect.stringContaining(`line ${line} promises something and has no row`),
    ])
  })

  it('is refused when the specification is another one than the one that was read', () => {
    const changed = sample.replace('whistle', 'sing')
    expect(documentProblems(covering(whole), changed)).toEqual([expect.stringContaining('kettles.md has changed')])
  })

  it('has its rows in all five specifications', () => {
    expect(coverages.map(({ source }) => source).sort()).toEqual(SPECIFICATIONS)
    const known = new Set(rows.map(({ id }) => id))
    expect(coverages.flatMap(coverage => coverageProblems(coverage, known))).toEqual([])
    for (const { source, covers } of coverages) {
      const own = new Set(rows.flatMap(row => (row.source === source ? [row.id] : [])))
      const foreign = Object.values(covers).flatMap(named => named.split(' ').filter(id => id !== '' && !own.has(id)))
      expect([source, foreign]).toEqual([source, []])
    }
  })

  it.runIf(existsSync(specs))('is the line that the specification has', () => {
    const found = coverages.flatMap(coverage =>
      documentProblems(coverage, readFileSync(join(specs, coverage.source), 'utf8')),
    )
    expect(found).toEqual([])
  })
})
