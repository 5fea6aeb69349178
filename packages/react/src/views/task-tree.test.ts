import type { SessionSummary } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { fakeSession, started } from '../fixtures/session.ts'
import { otherSessions, shownNodes, type TaskNode, taskTree, tonesIn } from './task-tree.ts'

const drawn = (
  nodes: readonly TaskNode[],
  folded = new Set<string>(),
  only = null as Parameters<typeof shownNodes>[2],
) => shownNodes(nodes, folded, only).map(({ node, level }) => `${'  '.repeat(level - 1)}${node.tone} ${node.id}`)

const call = (toolCallId: string) =>
  ({ type: 'tool.started', runId: 'r1', messageId: 'm1', partId: toolCallId, toolCallId, name: 'look' }) as const

const busy = () =>
  fakeSession().add(
    started(),
    { type: 'agent.spawned', runId: 'r1', subagentId: 'scout', name: 'Scout' },
    { type: 'agent.spawned', runId: 'r1', subagentId: 'deep', name: 'Ledger', parentSubagentId: 'scout' },
    { type: 'action.required', runId: 'r1', actionId: 'a', request: { kind: 'question', title: 'Which rate?' } },
    call('c1'),
    call('c2'),
    { type: 'tool.failed', runId: 'r1', toolCallId: 'c2', error: { code: 'x', message: 'No' } },
    call('c3'),
    { type: 'tool.result', runId: 'r1', toolCallId: 'c3', preview: 'ok' },
    { type: 'task.changed', taskId: '1', title: 'one', status: 'streaming' },
    { type: 'task.changed', taskId: '2', title: 'two', status: 'failed', parentTaskId: '1' },
  )

describe('the tree of tasks', () => {
  it('P-8717 P-9350 has the run with its calls that work or failed and what it started, and tasks with theirs', () => {
    const tree = taskTree(busy().state)
    expect(drawn(tree)).toEqual([
      'attention run:r1',
      '  busy tool:c1',
      '  danger tool:c2',
      '  busy subagent:scout',
      '    busy subagent:deep',
      'busy task:1',
      '  danger task:2',
    ])
    expect(tree[0]?.asks?.request.title).toBe('Which rate?')
  })

  it('P-9350 a call that waits for a person does not count as one that works', () => {
    const waiting = fakeSession().add(started(), call('c1'), {
      type: 'action.required',
      runId: 'r1',
      actionId: 'a',
      toolCallId: 'c1',
      request: { kind: 'approval', title: 'Delete?' },
    })
    expect(drawn(taskTree(waiting.state))).toEqual(['attention run:r1'])
  })

  it('P-8717 can be folded, and narrowed to what needs somebody', () => {
    const tree = taskTree(busy().state)
    expect(drawn(tree, new Set(['run:r1', 'task:1']))).toEqual(['attention run:r1', 'busy task:1'])
    expect(drawn(tree, new Set(['run:r1']), 'danger')).toEqual(['danger tool:c2', 'danger task:2'])
    expect(tonesIn(tree)).toEqual(
      new Map([
        ['attention', 1],
        ['busy', 4],
        ['danger', 2],
      ]),
    )
  })

  it('P-8717 has a run that failed last until somebody tries it again, and nothing when nothing goes on', () => {
    const failed = fakeSession().add(started(), {
      type: 'run.failed',
      runId: 'r1',
      error: { code: 'x', message: 'No' },
    })
    expect(drawn(taskTree(failed.state))).toEqual(['danger run:r1'])
    const done = fakeSession().add(started(), { type: 'run.finished', runId: 'r1', outcome: 'completed' })
    expect(taskTree(done.state)).toEqual([])
  })

  it('P-9350 a request of a subagent stands in the row of the subagent, and a second one in a row of its own', () => {
    const asks = (actionId: string) =>
      ({
        type: 'action.required',
        runId: 'r1',
        messageId: 'sub',
        subagentId: 'scout',
        actionId,
        request: { kind: 'question', title: actionId },
      }) as const
    const { state } = fakeSession().add(
      started(),
      { type: 'agent.spawned', runId: 'r1', subagentId: 'scout', name: 'Scout' },
      { type: 'text.delta', runId: 'r1', messageId: 'sub', subagentId: 'scout', partId: 'p', delta: 'Hm.' },
      asks('a'),
      asks('b'),
      { type: 'run.status', runId: 'r1', status: 'waiting' },
    )
    expect(drawn(taskTree(state))).toEqual(['busy run:r1', '  attention subagent:scout', '    attention action:b'])
  })

  it('P-8717 lists other sessions that need somebody first, and none that rests', () => {
    const session = (sessionId: string, status: SessionSummary['status'], more = {}) =>
      ({ sessionId, status, title: sessionId, agentId: 'a', updatedAt: 1, archived: false, ...more }) as SessionSummary
    const others = otherSessions(fakeSession().state, [
      session('busy', 'running'),
      session('idle', 'idle'),
      session('asks', 'needs-input'),
      session('gone', 'needs-input', { deleted: true }),
      session('s1', 'needs-input'),
    ])
    expect(drawn(others)).toEqual(['attention session:asks', 'busy session:busy'])
  })
})
