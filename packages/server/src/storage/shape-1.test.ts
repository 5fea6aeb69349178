import { eventSchemas } from '@vitrine/protocol/schema'
import { describe, expect, it } from 'vitest'
import { type StoredEvent, upcast } from './upcast.ts'

const head = { seq: 1, sessionId: 's', at: 1 }
const read = (event: Record<string, unknown> & { type: string }) => {
  const [today] = upcast([{ ...head, ...event } as StoredEvent], 1)
  expect(
    (eventSchemas[today!.type] as (typeof eventSchemas)['run.started']).strict().safeParse(today).error?.issues,
  ).toBeUndefined()
  return today
}

describe('events of shape 1', () => {
  it('P-346 say who acted', () => {
    const resolved = { type: 'action.resolved', actionId: 'a', outcome: 'approved' }
    expect(read({ ...resolved, by: 'person' })).toMatchObject({ by: { kind: 'local', id: 'local' } })
    expect(read({ ...resolved, by: 'policy' })).toMatchObject({ by: { kind: 'policy' } })
    expect(read({ ...resolved, by: 'system' })).toMatchObject({ by: { kind: 'system' } })
  })

  it('P-346 give a reason with a code; what an agent said stays its words', () => {
    const finished = { type: 'run.finished', runId: 'r', outcome: 'interrupted' }
    expect(read({ ...finished, detail: 'Interrupted by a person.' })).toMatchObject({
      reason: { code: 'interrupted_by_person' },
    })
    const inPart = { type: 'part.retracted', runId: 'r', messageId: 'm', partId: 'p' }
    expect(read({ ...inPart, reason: 'The forecast did not arrive.' })).toMatchObject({
      reason: { code: 'agent_said', message: 'The forecast did not arrive.' },
    })
    expect(read({ type: 'queue.changed', change: 'held', reason: 'The run before was failed.' })).toMatchObject({
      reason: { code: 'held_after_failed' },
    })
    expect(read({ type: 'task.changed', taskId: 't', status: 'streaming', detail: 'half' })).toMatchObject({
      detail: 'half',
    })
  })

  it('P-346 hold interactions as data, wherever a turn or a steer was one', () => {
    const click = '[a2ui.action]\n{"surfaceId":"form","componentId":"send","eventType":"click","payload":{"values":{}}}'
    const interaction = { kind: 'a2ui', surfaceId: 'form', componentId: 'send', eventType: 'click' }
    const run = { type: 'run.started', runId: 'r', turnId: 't', agentId: 'g', messageId: 'm', attempt: 1 }
    expect(read({ ...run, input: { text: click, source: 'a2ui' } })).toMatchObject({ input: { text: '', interaction } })
    expect(read({ type: 'steer.accepted', runId: 'r', steerId: 's', text: click, source: 'a2ui' })).toMatchObject({
      text: '',
      interaction,
    })
    const pressed = '[ui.action]\n{"type":"tool","toolId":"x","params":{"a":1},"toolCallId":"c","values":{"n":"Ada"}}'
    const turn = { turnId: 't', input: { text: pressed, source: 'ui-schema' }, preview: 'p', createdAt: 1 }
    expect(read({ type: 'queue.changed', change: 'added', turnId: 't', turn })).toMatchObject({
      turn: {
        input: {
          interaction: {
            kind: 'ui_schema',
            action: { type: 'tool', toolId: 'x', params: { a: 1 } },
            toolCallId: 'c',
            values: { n: 'Ada' },
          },
        },
      },
    })
    expect(read({ ...run, input: { text: click } })).toMatchObject({ input: { text: click } })
  })
})
