import { describe, expect, it } from 'vitest'
import { fakeSession, started } from '../fixtures/session.ts'
import { conversationRows, createRowSource } from './conversation-rows.ts'

/** The messages and what stands between them; the rows of a message count as one. */
const keys = (session: ReturnType<typeof fakeSession>) => [
  ...new Set(
    conversationRows(session.state).map(({ messageId, key }) => (messageId === null ? key : `message:${messageId}`)),
  ),
]
const rowsOf = (session: ReturnType<typeof fakeSession>, messageId: string) =>
  conversationRows(session.state).filter(row => row.messageId === messageId)
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

  const call = (at: number) =>
    ({
      type: 'tool.started',
      runId: 'r1',
      messageId: 'm1',
      partId: `t${at}`,
      toolCallId: `c${at}`,
      name: 'search',
    }) as const

  it('P-8804 each part is a row, and calls that follow each other share a plate that is lit while one works', () => {
    const session = fakeSession().add(started(), call(1), call(2), text('r1', 'm1'), call(3))
    expect(
      rowsOf(session, 'm1').map(row => [row.kind, row.kind === 'tool' ? [row.place, row.last] : row.gap].flat()),
    ).toEqual([
      ['head', 'turn'],
      ['tool', 0, false],
      ['tool', 1, true],
      ['text', 'part'],
      ['tool', 0, true],
      ['footer', 'part'],
    ])
    const lit = () => rowsOf(session, 'm1').flatMap(row => (row.kind === 'tool' ? [row.lit] : []))
    expect(lit()).toEqual([true, true, true])
    session.add({ type: 'tool.result', runId: 'r1', toolCallId: 'c1' })
    expect(lit()).toEqual([true, true, true])
    session.add({ type: 'tool.result', runId: 'r1', toolCallId: 'c2' })
    expect(lit()).toEqual([false, false, true])
  })

  it('P-8804 an agent that goes on speaking in the same run is not named again', () => {
    const session = fakeSession().add(started(), text('r1', 'm1'), text('r1', 'm2'))
    expect(rowsOf(session, 'm1').map(({ kind }) => kind)).toContain('head')
    expect(rowsOf(session, 'm2').map(({ kind }) => kind)).not.toContain('head')
  })

  it('P-8804 the list and its rows keep their identity until there is another row', async () => {
    const session = fakeSession().add(started(), text('r1', 'm1'))
    const source = createRowSource(session.handle)
    let told = 0
    const stop = source.subscribe(() => told++)
    await Promise.resolve()
    session.flush()
    await Promise.resolve()
    const before = source.get()
    session.add(text('r1', 'm1')).flush()
    await Promise.resolve()
    expect(source.get()).toBe(before)
    const heard = told
    session.add(call(1)).flush()
    await Promise.resolve()
    expect(told).toBe(heard + 1)
    const now = source.get()
    expect(now).toHaveLength(before.length + 1)
    expect(now[1]).toBe(before[1])
    stop()
  })
})
