import { describe, expect, it } from 'vitest'
import { type Notice, withNotice } from './context.tsx'

const notice = (id: string, changes: Partial<Notice> = {}): Notice => ({
  id,
  text: 'New task started',
  tone: 'plain',
  ...changes,
})
const after = (...notices: Notice[]) => notices.reduce(withNotice, []).map(({ id }) => id)

describe('notices', () => {
  it('P-272 the newest of those that say the same is shown', () => {
    expect(after(notice('a'), notice('b', { text: 'Other' }), notice('c'))).toEqual(['b', 'c'])
  })

  it('P-272 two that lead somewhere and say the same are one', () => {
    const started = { text: 'A task was started', action: { label: 'Open', run() {} } }
    expect(after(notice('a', started), notice('b', started))).toEqual(['b'])
  })

  it('P-272 two that can each be undone stay two, though they say the same', () => {
    const undo = { text: 'Deleted “Untitled”', action: { label: 'Undo', run() {}, undoes: true } }
    expect(after(notice('a', undo), notice('b', undo))).toEqual(['a', 'b'])
  })
})
