import { describe, expect, it } from 'vitest'
import { areaPath, bars, linePath, MOST, sampled, scaleOf, slices, yOf } from './chart-shape.ts'

const chart = (change: object) =>
  ({ type: 'chart', id: 'c', kind: 'pie', series: [], ...change }) as Parameters<typeof slices>[0]

describe('shapes of charts', () => {
  it.each([
    [
      [1, 4, 2],
      [0, 1, 2, 3, 4],
    ],
    [
      [88, 131],
      [0, 50, 100, 150],
    ],
    [
      [-10, 60],
      [-20, 0, 20, 40, 60],
    ],
    [
      [0.1, 0.3],
      [0, 0.1, 0.2, 0.3],
    ],
    [
      [0, 0],
      [0, 0.25, 0.5, 0.75, 1],
    ],
    [[null], [0, 0.25, 0.5, 0.75, 1]],
  ])('US-68 %j stands on round numbers and on zero', (values, ticks) => {
    expect(scaleOf(values).ticks).toEqual(ticks)
  })

  it('US-68 any numbers give finite shapes', () => {
    for (const values of [[Number.MAX_VALUE, -Number.MAX_VALUE], [Number.MIN_VALUE], [1e-300, 1e300], [-5, -7]]) {
      const scale = scaleOf(values)
      expect(linePath(values, scale)).not.toMatch(/NaN|Infinity/)
      for (const bar of bars([values], scale)) expect(Object.values(bar).every(Number.isFinite)).toBe(true)
    }
  })

  it('US-68 a gap interrupts the line and the area', () => {
    const scale = scaleOf([1, 2])
    expect(linePath([1, null, 2], scale).match(/M/g)).toHaveLength(2)
    expect(areaPath([1, 1, null, 2], scale).match(/Z/g)).toHaveLength(2)
  })

  it('US-68 bars of one label stand side by side and grow from zero', () => {
    const scale = scaleOf([-10, 10])
    const [up, down] = bars([[10], [-10]], scale)
    expect(up!.y + up!.height).toBeCloseTo(yOf(scale, 0))
    expect(down!.y).toBeCloseTo(yOf(scale, 0))
    expect(down!.x).toBeGreaterThanOrEqual(up!.x + up!.width)
  })

  it('US-68 the parts of a pie are shares of what is positive', () => {
    const parts = slices(chart({ labels: ['a', 'b', 'c'], series: [{ data: [3, 1, -2] }] }), index => `${index}`)
    expect(parts.map(({ name, share }) => [name, share])).toEqual([
      ['a', 0.75],
      ['b', 0.25],
    ])
    const bySeries = slices(chart({ series: [{ name: 'x', data: [1] }, { data: [1] }] }), index => `no ${index}`)
    expect(bySeries.map(({ name }) => name)).toEqual(['x', 'no 1'])
  })

  it('US-68 of very many values the peaks are kept', () => {
    const data = Array.from({ length: 10_000 }, (_, index) => (index === 7_777 ? 99 : 1))
    const drawn = sampled(data, data.length)
    expect(drawn.length).toBeLessThanOrEqual(MOST)
    expect(Math.max(...drawn.map(value => value ?? 0))).toBe(99)
  })
})
