import type { RunStatus } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { RunRow } from './run-row.tsx'

describe('where a run stands', () => {
  it.each<[RunStatus, string]>([
    ['submitted', 'Starting…'],
    ['routing', 'Choosing an agent…'],
    ['preparing', 'Preparing…'],
    ['streaming', 'Writing…'],
    ['tool', 'Using tools…'],
    ['waiting', 'Waiting for you'],
    ['retrying', 'Trying again…'],
    ['cancelling', 'Stopping…'],
  ])('AU-11 AU-32 %s is said in words while it works', (status, words) => {
    const { handle } = fakeSession().add(started(), { type: 'run.status', runId: 'r1', status })
    expect(draw(<RunRow handle={handle} runId="r1" />)).toContain(`aria-label="${words}"`)
  })

  it('P-123 P-278 in a session that is not live the row shows the last known status, and no clock runs', () => {
    const { handle } = fakeSession().add(started(), { type: 'run.status', runId: 'r1', status: 'streaming' })
    const behind = { ...handle, state: handle.state, live: { get: () => false, subscribe: () => () => {} } }
    const html = draw(<RunRow handle={behind} runId="r1" />)
    expect(html).toContain('Last known: Writing…')
    expect(html).not.toContain('v-run-time')
    expect(draw(<RunRow handle={handle} runId="r1" />)).toContain('v-run-time')
  })

  it('AU-11 AU-21 cancelled, interrupted and failed say so with what was kept; completed leaves the answer alone', () => {
    const ends = (event: Parameters<ReturnType<typeof fakeSession>['add']>[0]) =>
      draw(<RunRow handle={fakeSession().add(started(), event).handle} runId="r1" />)
    expect(ends({ type: 'run.finished', runId: 'r1', outcome: 'cancelled' })).toContain('This run was cancelled')
    expect(ends({ type: 'run.finished', runId: 'r1', outcome: 'interrupted' })).toContain('This run was interrupted')
    expect(ends({ type: 'run.failed', runId: 'r1', error: { code: 'x', message: 'No disk' } })).toMatch(
      /No disk.*This run failed\..*Your message is kept/s,
    )
    expect(ends({ type: 'run.finished', runId: 'r1', outcome: 'completed' })).not.toContain('v-run')
  })

  it('P-9354 a failed run says what happened first, after which time, and what is kept of it', () => {
    const inRun = { runId: 'r1', messageId: 'm1' }
    const session = fakeSession().add(
      started(),
      { type: 'tool.started', ...inRun, partId: 'c1', toolCallId: 'c1', name: 'look' },
      { type: 'tool.result', runId: 'r1', toolCallId: 'c1', preview: 'ok' },
      { type: 'text.delta', ...inRun, partId: 'p1', delta: 'Half of it' },
      {
        type: 'queue.changed',
        change: 'added',
        turn: { turnId: 'q', input: { text: 'x' }, preview: 'x', createdAt: 1 },
      },
    )
    session.state.runs.byId.get('r1')!.startedAt -= 40_500
    session.add({ type: 'run.failed', runId: 'r1', error: { code: 'x', message: 'The model stopped answering.' } })
    const html = draw(<RunRow handle={session.handle} runId="r1" />)
    expect(html).toMatch(/v-problem-title[^>]*><span dir="auto">The model stopped answering</)
    expect(html).toMatch(/This run failed after 41\ss\. The text so far, 1 tool result,? and your queue are kept\./)
    expect(html.match(/Try again/g)).toHaveLength(1)
  })

  it('P-8712 a run that a person stopped says who did it, once', () => {
    const stopped = (params: Record<string, string>) =>
      draw(
        <RunRow
          handle={
            fakeSession().add(started(), {
              type: 'run.finished',
              runId: 'r1',
              outcome: 'interrupted',
              reason: { code: 'interrupted_by_person', params, message: 'Interrupted by a person.' },
            }).handle
          }
          runId="r1"
        />,
      )
    expect(stopped({ name: '' })).toContain('You stopped this run')
    expect(stopped({ name: 'Mara' })).toContain('Mara stopped this run')
    expect(stopped({ name: '' })).not.toContain('Interrupted by')
  })
})
