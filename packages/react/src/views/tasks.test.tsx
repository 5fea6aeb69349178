import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { TaskCapsule, Tasks, taskCounts } from './tasks.tsx'

describe('the task capsule', () => {
  const busy = () =>
    fakeSession().add(
      started(),
      { type: 'task.changed', taskId: '1', title: 'one', status: 'streaming' },
      { type: 'task.changed', taskId: '2', status: 'blocked' },
      { type: 'task.changed', taskId: '3', status: 'failed' },
      { type: 'task.changed', taskId: '4', status: 'waiting', attention: 'needs-input' },
      { type: 'task.changed', taskId: '5', status: 'completed' },
      { type: 'task.changed', taskId: '6', status: 'queued' },
      { type: 'agent.spawned', runId: 'r1', subagentId: 'scout', name: 'Scout' },
      {
        type: 'queue.changed',
        change: 'added',
        turn: { turnId: 'q', input: { text: 'x' }, preview: 'x', createdAt: 1 },
      },
      { type: 'action.required', runId: 'r1', actionId: 'a', request: { kind: 'question', title: '?' } },
    )

  it('AU-35 counts what runs, is queued, blocked, failed or needs attention, and subagents', () => {
    expect(taskCounts(busy().state)).toEqual({
      running: 1,
      queued: 2,
      blocked: 1,
      failed: 1,
      attention: 2,
      subagents: 1,
    })
  })

  it('AU-35 says it in words, and is not there when there is nothing to say', () => {
    expect(draw(<TaskCapsule handle={busy().handle} onOpen={() => {}} />)).toMatch(/2 running.*2 need you.*1 failed/s)
    expect(draw(<TaskCapsule handle={fakeSession().handle} onOpen={() => {}} />)).not.toContain('v-capsule')
  })

  it('P-9363 a subagent that handed its work over says to whom, why and when', () => {
    const { handle } = fakeSession().add(
      started(),
      { type: 'agent.spawned', runId: 'r1', subagentId: 'scout', name: 'Scout' },
      {
        type: 'agent.handoff',
        runId: 'r1',
        subagentId: 'scout',
        to: 'ledger',
        reason: { code: 'agent_said', message: 'because the gain is too large' },
      },
    )
    const html = draw(<Tasks handle={handle} />)
    const line = /v-task-handoff.*?<\/p>/s.exec(html)?.[0] ?? ''
    expect(line).toMatch(/Scout.*handed over to.*ledger.*because the gain is too large.*\d\d:\d\d/s)
  })

  it('P-273 a task says how its session stands, and an interrupted one is not called failed', () => {
    const { handle } = fakeSession().add(
      { type: 'task.changed', taskId: '1', title: 'writes', status: 'streaming' },
      { type: 'task.changed', taskId: '2', title: 'builds', status: 'tool' },
      { type: 'task.changed', taskId: '3', title: 'cut', status: 'interrupted', attention: 'failed' },
      { type: 'task.changed', taskId: '4', title: 'asks', status: 'waiting', attention: 'needs-input' },
    )
    const html = draw(<Tasks handle={handle} />)
    const dots = [...html.matchAll(/v-dot-(\w+)" role="img" aria-label="([^"]+)"/g)].map(hit => `${hit[1]}: ${hit[2]}`)
    expect(dots.sort()).toEqual(['attention: Needs you', 'busy: Working…', 'busy: Working…', 'stopped: Stopped'])
  })
})
