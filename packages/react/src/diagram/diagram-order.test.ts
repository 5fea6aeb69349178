import { describe, expect, it } from 'vitest'
import { readReport } from './diagram-order.ts'

describe('P-9023 what a sandbox says of a diagram', () => {
  it('P-9023 is read field by field, and nothing of it is longer than it may be', () => {
    const labels = Array.from({ length: 500 }, () => 'x'.repeat(5_000))
    const read = readReport({ type: 'drawn', order: 1, kind: 7, title: 'y'.repeat(9_000), labels, more: {} }, 1)
    expect(read).toMatchObject({ type: 'drawn', kind: '', description: '' })
    expect(read?.type === 'drawn' && [read.title.length, read.labels.length, read.labels[0]!.length]).toEqual([
      2_000, 60, 2_000,
    ])
    expect(Object.keys(read!)).toEqual(['type', 'order', 'kind', 'title', 'description', 'labels'])
  })

  it('P-9023 a failure is told in one line', () => {
    const message = 'Parse error on line 2:\n...A --> \n---------^\nExpecting AMP'
    expect(readReport({ type: 'failed', order: 1, message }, 1)).toMatchObject({ message: 'Parse error on line 2' })
    expect(readReport({ type: 'failed', order: 1, message: 'x'.repeat(999) }, 1)).toMatchObject({
      message: 'x'.repeat(200),
    })
  })

  it.each([null, 1, 'drawn', [], {}, { type: 'other', order: 1 }, { type: 'drawn', order: 2 }, { type: 'failed' }])(
    'P-9023 %j is no answer to this order',
    message => expect(readReport(message, 1)).toBeNull(),
  )
})
