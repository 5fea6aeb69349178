import { expect, it } from 'vitest'
import { compare, figuresIn } from './lib/bench-against.mjs'

const table = `
                     ours    peer  unit      ratio  target

server
  a flood          45,800  97,300  events/s  0.47 ×  ≥ 0.5 ×         MISSED
  how long it took   2.55          ms                ≤ 25 ms         ok

1 of 2 targets met
  MISSED  a flood: ≥ 0.5 ×
`

it('R-16 reads the figures of a table, with and without a peer', () => {
  expect(figuresIn(table)).toEqual([
    { name: 'a flood', ours: 45_800, unit: 'events/s' },
    { name: 'how long it took', ours: 2.55, unit: 'ms' },
  ])
})

it('R-16 a time is worse when it grows, a rate is worse when it falls, and medians are compared', () => {
  const runs = (flood: number, ms: number[]) =>
    ms.map(one => figuresIn(table.replace('45,800', `${flood}`).replace('2.55', `${one}`)))
  const figures = compare(runs(100, [9, 1, 1]), runs(80, [1.1, 0.5, 30]))
  expect(figures.map(({ name, before, now, ok }) => [name, before, now, ok])).toEqual([
    ['a flood', 100, 80, false],
    ['how long it took', 1, 1.1, true],
  ])
})
