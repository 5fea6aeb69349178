import { describe, expect, it } from 'vitest'
import { countChanges, moved, placeAt, placed } from './plan-body.tsx'

describe('the changes of a plan', () => {
  const plan = [
    { id: 'a', title: 'Collect' },
    { id: 'b', title: 'Group' },
    { id: 'c', title: 'Publish' },
  ]
  const steps = plan.map(step => ({ ...step, on: true }))

  it('P-8608 counts steps that were switched off, edited or added, and another order once', () => {
    expect(countChanges(plan, steps)).toBe(0)
    expect(countChanges(plan, steps.with(1, { ...steps[1]!, on: false }))).toBe(1)
    expect(countChanges(plan, steps.with(1, { ...steps[1]!, title: 'Sort' }))).toBe(1)
    expect(countChanges(plan, [...steps, { id: 'added-4', title: 'Tell Jonas', on: true }])).toBe(1)
    expect(countChanges(plan, [...steps, { id: 'added-4', title: 'Tell Jonas', on: false }])).toBe(0)
    expect(countChanges(plan, moved(steps, 'a', 1))).toBe(1)
  })

  it('P-8608 a step moves by one place, and stays where there is none', () => {
    expect(moved(steps, 'a', 1).map(({ id }) => id)).toEqual(['b', 'a', 'c'])
    expect(moved(steps, 'a', -1)).toBe(steps)
    expect(moved(steps, 'c', 1)).toBe(steps)
  })

  it('P-8655 a step that is carried goes after those whose middle it has passed', () => {
    const boxes = [0, 40, 100].map((top, at) => ({ top, height: [40, 60, 40][at]! }))
    expect([-50, 20, 69, 71, 119, 121, 900].map(middle => placeAt(boxes, 0, middle))).toEqual([0, 0, 0, 1, 1, 2, 2])
    expect([0, 19, 21, 69, 71].map(middle => placeAt(boxes, 2, middle))).toEqual([0, 0, 1, 1, 2])
    expect(placed(steps, 0, 2).map(({ id }) => id)).toEqual(['b', 'c', 'a'])
    expect(placed(steps, 2, 0).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  })
})
