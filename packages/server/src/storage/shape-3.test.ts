import { CODES } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { type StoredEvent, upcast } from './upcast.ts'

const read = (event: { type: string; [field: string]: unknown }) =>
  upcast([{ seq: 1, sessionId: 's', at: 1, ...event } satisfies StoredEvent], 2)[0]

describe('codes that said the same as another one', () => {
  it.each([
    ['agent_unknown', 'agent_not_found'],
    ['request_invalid', 'invalid_arguments'],
    ['schema_invalid', 'invalid_arguments'],
  ])('P-279 P-334 a run that failed with %s is read with %s, which has words', (old, today) => {
    const failed = { type: 'run.failed', runId: 'r', error: { code: old, message: 'm', retryable: false } }
    expect(read(failed)).toMatchObject({ error: { code: today, message: 'm', retryable: false } })
    expect(CODES).toContain(today)
    expect(CODES).not.toContain(old)
  })

  it('P-279 P-334 a queue that was held with a code of its time is read with that of today', () => {
    const held = { type: 'queue.changed', change: 'held', reason: { code: 'content_lost', message: 'm' } }
    expect(read(held)).toMatchObject({ reason: { code: 'data_damaged', message: 'm' } })
  })

  it('P-279 P-334 a run that waited is read with the words of the glossary', () => {
    const status = (code: string) => read({ type: 'run.status', runId: 'r', reason: { code, message: 'm' } })
    expect(status('waiting_for_place')).toMatchObject({ reason: { code: 'waiting_for_slot' } })
    expect(status('waiting_for_answer')).toMatchObject({ reason: { code: 'waiting_for_response' } })
  })

  it('P-334 other codes stay, also those of agents', () => {
    for (const code of ['agent_error', 'own_code', 'constructor']) {
      expect(read({ type: 'run.failed', runId: 'r', error: { code, message: 'm' } })).toMatchObject({ error: { code } })
    }
  })
})
