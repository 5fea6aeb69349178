import type { RunStatus } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { RunRow } from './run-row.tsx'

describe('where a run stands', () => {
  it.each<[RunStatus, string]>([
    ['submitted', 'Accepted'],
    ['routing', 'Choosing who answers…'],
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
    expect(html).not.toContain('v-tool-time')
    expect(draw(<RunRow handle={handle} runId="r1" />)).toContain('v-tool-time')
  })

  it('AU-11 AU-21 cancelled, interrupted and failed say so with what was kept; completed leaves the answer alone', () => {
    const ends = (event: Parameters<ReturnType<typeof fakeSession>['add']>[0]) =>
      draw(<RunRow handle={fakeSession().add(started(), event).handle} runId="r1" />)
    expect(ends({ type: 'run.finished', runId: 'r1', outcome: 'cancelled' })).toContain('The run was cancelled.')
    expect(ends({ type: 'run.finished', runId: 'r1', outcome: 'interrupted' })).toContain('The run was interrupted.')
    expect(ends({ type: 'run.failed', runId: 'r1', error: { code: 'x', message: 'No disk' } })).toMatch(
      /The run failed\..*No disk.*your message is kept/s,
    )
    expect(ends({ type: 'run.finished', runId: 'r1', outcome: 'completed' })).not.toContain('v-run')
  })
})
