import { describe, expect, it } from 'vitest'
import { SHAPE, type StoredEvent, upcast } from './upcast.ts'

const event = (change: object = {}): StoredEvent => ({ type: 'text.delta', seq: 1, sessionId: 's', ...change })

describe('upcast', () => {
  const steps = [
    (old: StoredEvent): StoredEvent => ({ ...old, reason: { code: 'unknown', message: old.reason } }),
    (old: StoredEvent): StoredEvent => ({ ...old, by: 'person' }),
  ]

  it('P-334 an event goes through the steps that came after its shape, in order', () => {
    const old = event({ reason: 'because' })
    const reason = { code: 'unknown', message: 'because' }
    expect(upcast([old], 1, steps)).toEqual([event({ reason, by: 'person' })])
    expect(upcast([event({ reason })], 2, steps)).toEqual([event({ reason, by: 'person' })])
    expect(upcast([event()], 3, steps)).toEqual([event()])
  })

  it('P-334 events of today stay the objects that they are', () => {
    const today = [event()]
    expect(upcast(today, SHAPE)[0]).toBe(today[0])
  })
})
