import { describe, expect, it } from 'vitest'
import { fakeSession, started } from '../fixtures/session.ts'
import { conversationRows } from './conversation-rows.ts'

const keys = (session: ReturnType<typeof fakeSession>) => conversationRows(session.state).map(row => row.key)
const text = (runId: string, messageId: string) =>
  ({ type: 'text.delta', runId, messageId, partId: `${messageId}/p`, delta: 'x' }) as const

describe('the conversation', () => {
  it('AU-32 the first status is there before any text', () => {
    const session = fakeSession().add(started())
    expect(keys(session)).toEqual(['message:m-t1', 'run:r1'])
  })

  it('P-260 a completed run leaves no row; a failed one stands after what it said, its retry after that', () => {
    const session = fakeSession().add(started(), text('r1', 'm1'))
    expect(keys(session)).toEqual(['message:m-t1', 'message:m1', 'run:r1'])
    session.add({ type: 'run.failed', runId: 'r1', error: { code: 'x', message: 'no' } })
    session.add({ ...started('r2'), retryOf: 'r1', attempt: 2 } as ReturnType<typeof started>)
    expect(keys(session)).toEqual(['message:m-t1', 'message:m1', 'run:r1', 'run:r2'])
    session.add(text('r2', 'm2'), { type: 'run.finished', runId: 'r2', outcome: 'completed' })
    expect(keys(session)).toEqual(['message:m-t1', 'message:m1', 'run:r1', 'message:m2'])
  })

  it('P-261 a pending request that belongs to no message stands at the end until it is resolved', () => {
    const session = fakeSession().add(started(), {
      type: 'action.required',
      runId: 'r1',
      actionId: 'a1',
      request: { kind: 'question', title: 'Name?' },
    })
    expect(keys(session).at(-1)).toBe('action:a1')
    session.add({
      type: 'action.resolved',
      actionId: 'a1',
      outcome: 'answered',
      by: { kind: 'local', id: 'local', name: '' },
    })
    expect(keys(session)).not.toContain('action:a1')
  })

  it('P-262 what a subagent says is shown where it was started, not as a message of its own', () => {
    const session = fakeSession().add(
      started(),
      { type: 'agent.spawned', runId: 'r1', subagentId: 'scout', name: 'Scout', messageId: 'm1', partId: 'p1' },
      { ...text('r1', 'm2'), subagentId: 'scout' },
    )
    expect(session.state.messages.byId.get('m2')?.subagentId).toBe('scout')
    expect(keys(session)).toEqual(['message:m-t1', 'message:m1', 'run:r1'])
  })
})
