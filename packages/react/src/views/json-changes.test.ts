import { describe, expect, it } from 'vitest'
import { changesBetween } from './json-changes.ts'

describe('what was changed before it was approved', () => {
  it('P-282 is told place by place, with what was asked for and what ran', () => {
    expect(
      changesBetween({ files: ['a', 'b'], deep: { x: 1, y: [2] } }, { files: ['a'], deep: { x: 3, y: [2] }, n: null }),
    ).toEqual([
      { path: 'files.1', before: 'b' },
      { path: 'deep.x', before: 1, after: 3 },
      { path: 'n', after: null },
    ])
  })

  it('P-282 is nothing for equal values, and the whole for values of another kind', () => {
    expect(changesBetween({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([])
    expect(changesBetween([1], { 0: 1 })).toEqual([{ path: '', before: [1], after: { 0: 1 } }])
    expect(changesBetween(undefined, 1)).toEqual([{ path: '', after: 1 }])
  })
})
