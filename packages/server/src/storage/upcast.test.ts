import { createState, snapshot } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { FOLD, SHAPE, type StoredEvent, upcast } from './upcast.ts'

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

describe('checkpoints', () => {
  const fieldsOf = (value: object) => Object.keys(value).join(' ')

  // A checkpoint of an older fold does not have a new field, and a session cannot be opened from it.
  it('P-334 who changes the fields of the state raises FOLD_CHANGES, and writes both down here', () => {
    const { entities, counts } = snapshot(createState('s'), 1)
    const { session, shared, queue, plan, metrics } = entities
    expect({ FOLD, entities: fieldsOf(entities), counts: fieldsOf(counts) }).toEqual({
      FOLD: 15,
      entities:
        'session shared queue plan metrics runs turns messages parts tools actions steers subagents surfaces tasks artifacts evidence permissions compactions diagnostics rewinds',
      counts: 'messages ordinals runs tools unknownEvents',
    })
    expect([session, shared, queue, plan, metrics].map(fieldsOf)).toEqual([
      'key v sessionId title agentId queuePolicy pinned archived metadata folderId titledBy forkOf parent createdAt updatedAt activeRunId latestRunId needsInput',
      'key v value',
      'key v turns held reason',
      'key v runId title steps final',
      'key v values',
    ])
  })
})
