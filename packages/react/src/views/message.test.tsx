import { artifactFacts, usageOf, verdictOf } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { AgentsProvider } from '../agents.tsx'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { conversationRows, type MessageRow } from './conversation-rows.ts'
import { Message, MessageRowView } from './message.tsx'

const inPart = (partId: string) => ({ runId: 'r1', messageId: 'm1', partId })
const answer = (html: string) => [...html.matchAll(/class="v-answer"[^>]*>(.*?)<\/div><\/div>/gs)].map(hit => hit[1])

describe('a message', () => {
  it('AU-31 parts are drawn in the order they happened', () => {
    const { handle } = fakeSession().add(
      started(),
      { type: 'text.delta', ...inPart('p1'), delta: 'before' },
      { type: 'tool.started', ...inPart('p2'), toolCallId: 'c1', name: 'search', summary: 'three sources' },
      { type: 'text.delta', ...inPart('p3'), delta: 'after' },
    )
    const html = draw(<Message handle={handle} messageId="m1" />)
    const order = ['before', 'three sources', 'after'].map(text => html.indexOf(text))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order.every(at => at > 0)).toBe(true)
  })

  it('P-9357 what a person wrote has the direction of its own words', () => {
    const { handle } = fakeSession().add({ ...started(), input: { text: 'مرحبا' } } as ReturnType<typeof started>)
    const [mine] = [...handle.state.messages.byId.values()].filter(({ role }) => role === 'user')
    expect(draw(<Message handle={handle} messageId={mine!.messageId} />)).toMatch(
      /<p class="v-prewrap" dir="auto">مرحبا/,
    )
  })

  it('P-8682 files, sources and activities of an agent are shown where they happened, and a bad address is no link', () => {
    const digest = 'a'.repeat(64)
    const file = { ref: `sha256:${digest}`, digest, size: 12, mediaType: 'text/csv', name: 'sales.csv' }
    const { handle } = fakeSession().add(
      started(),
      { type: 'file.added', ...inPart('p1'), file },
      { type: 'source.added', ...inPart('p2'), source: { title: 'The runbook', url: 'https://example.com/runbook' } },
      { type: 'source.added', ...inPart('p3'), source: { title: 'A trap', url: 'javascript:alert(1)' } },
      { type: 'activity.changed', ...inPart('p4'), activity: { type: 'Checked the tides', content: { high: 4 } } },
    )
    const html = draw(<Message handle={handle} messageId="m1" />)
    const order = ['sales.csv', 'The runbook', 'A trap', 'Checked the tides'].map(text => html.indexOf(text))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order.every(at => at > 0)).toBe(true)
    expect(html).toContain('href="https://example.com/runbook"')
    expect(html).not.toContain('href="javascript')
  })

  it('P-8804 a plate on which a call waits for a person has the amber lamp, and the cobalt one when it works', () => {
    const session = fakeSession().add(
      started(),
      { type: 'tool.started', ...inPart('p1'), toolCallId: 'c1', name: 'search' },
      {
        type: 'action.required',
        runId: 'r1',
        actionId: 'a1',
        toolCallId: 'c1',
        request: { kind: 'question', title: 'Go on?' },
      },
    )
    const lamp = () => {
      const row = conversationRows(session.handle.state).find(({ kind }) => kind === 'tool') as MessageRow
      return /<div class="v-tool-line v-lamp"[^>]*>/.exec(
        draw(<MessageRowView handle={session.handle} row={row} />),
      )?.[0]
    }
    expect(lamp()).toBeDefined()
    expect(lamp()).not.toContain('data-lamp')
    session.add({
      type: 'action.resolved',
      actionId: 'a1',
      outcome: 'approved',
      by: { kind: 'local', id: 'local', name: '' },
    })
    expect(lamp()).toContain('data-lamp="live"')
  })

  it('L5 AU-82 reasoning, tool output and status never stand in the answer', () => {
    const { handle } = fakeSession().add(
      started(),
      { type: 'reasoning.delta', ...inPart('p1'), delta: 'hidden thought' },
      { type: 'tool.started', ...inPart('p2'), toolCallId: 'c1', name: 'search' },
      { type: 'tool.output.delta', runId: 'r1', toolCallId: 'c1', delta: 'raw output' },
      { type: 'run.status', runId: 'r1', status: 'streaming', reason: { code: 'agent_said', message: 'a status' } },
      { type: 'text.delta', ...inPart('p3'), delta: 'the answer' },
    )
    expect(answer(draw(<Message handle={handle} messageId="m1" />))).toEqual([
      '<div class="v-markdown"><p dir="auto">the answer</p>',
    ])
  })

  it('P-011 P-286 a time from an older log that no date can hold is unknown, and the message is shown', () => {
    const message = { messageId: 'm9', ordinal: 9, role: 'assistant' as const, at: Number.MAX_SAFE_INTEGER }
    const { handle } = fakeSession().add({
      type: 'messages.snapshot',
      snapshotId: 'repair',
      page: 0,
      last: true,
      scope: 'owner',
      fromOrdinal: 1,
      messages: [{ ...message, parts: [{ partId: 'p9', kind: 'text', text: 'still here' }] }],
    })
    const html = draw(<Message handle={handle} messageId="m9" />)
    expect(html).toContain('still here')
    expect(html).toContain('<time>Unknown</time>')
  })

  it('P-240 reasoning is open while it streams and folded when done', () => {
    const session = fakeSession().add(started(), { type: 'reasoning.delta', ...inPart('p1'), delta: 'a thought' })
    expect(draw(<Message handle={session.handle} messageId="m1" />)).toContain('a thought')
    session.add({ type: 'reasoning.summary', ...inPart('p1') })
    const html = draw(<Message handle={session.handle} messageId="m1" />)
    expect(html).not.toContain('v-disclosure-body')
    expect(html).toMatch(/Thought for a moment.*a thought/s)
  })

  it('P-276 reasoning that the agent does not close is over when something follows it', () => {
    const session = fakeSession().add(
      started(),
      { type: 'reasoning.delta', ...inPart('p1'), delta: 'a thought' },
      { type: 'text.delta', ...inPart('p2'), delta: 'First' },
      { type: 'tool.started', ...inPart('p3'), toolCallId: 'c1', name: 'search' },
    )
    const html = draw(<Message handle={session.handle} messageId="m1" />)
    expect(html).toContain('Thought for a moment')
    expect(html).not.toMatch(/Thinking|v-disclosure-body/)
    session.add({ type: 'run.finished', runId: 'r1', outcome: 'interrupted' })
    const ended = draw(<Message handle={session.handle} messageId="m1" />)
    expect(ended).toContain('Thought for a moment')
    expect(ended).not.toContain('Stopped thinking')
  })

  it('P-276 only the last text of a run that was stopped is cut off', () => {
    const ends = (outcome: 'interrupted' | 'completed') => {
      const { handle } = fakeSession().add(
        started(),
        { type: 'text.delta', ...inPart('p1'), delta: 'before' },
        { type: 'tool.started', ...inPart('p2'), toolCallId: 'c1', name: 'search' },
        { type: 'text.delta', ...inPart('p3'), delta: 'after' },
        { type: 'run.finished', runId: 'r1', outcome },
      )
      return draw(<Message handle={handle} messageId="m1" />)
    }
    expect(ends('interrupted').match(/Stopped here/g)).toHaveLength(1)
    expect(ends('interrupted')).toMatch(/after.*Stopped here/s)
    expect(ends('completed')).not.toContain('Stopped here')
  })

  it('P-277 a call that waits for a person says so, and one that a person refused did not fail', () => {
    const call = { type: 'tool.started', ...inPart('p1'), toolCallId: 'c1', name: 'delete' } as const
    const request = { kind: 'approval', title: 'Delete it?' } as const
    const session = fakeSession().add(started(), call, {
      type: 'action.required',
      runId: 'r1',
      actionId: 'a1',
      toolCallId: 'c1',
      request,
    })
    const waiting = draw(<Message handle={session.handle} messageId="m1" />)
    expect(waiting).toMatch(/data-state="waiting".*Waiting for you.*delete/s)
    expect(waiting).not.toContain('Running')
    session.add(
      { type: 'action.resolved', actionId: 'a1', outcome: 'denied', by: { kind: 'local', id: 'local', name: '' } },
      { type: 'tool.failed', runId: 'r1', toolCallId: 'c1', error: { code: 'denied', message: 'You said no.' } },
    )
    const denied = draw(<Message handle={session.handle} messageId="m1" />)
    expect(denied).toMatch(/data-state="denied".*Not allowed.*You said no/s)
    expect(denied).not.toContain('Failed')
  })

  it('UH-38 an interface that was not taken is one quiet row without the words for the agent', () => {
    const error = { code: 'ui_hints', message: 'show_ui: correct these.' }
    const session = fakeSession().add(
      started(),
      { type: 'tool.started', ...inPart('p1'), toolCallId: 'c1', name: 'show_ui' },
      { type: 'tool.failed', runId: 'r1', toolCallId: 'c1', error },
    )
    const html = () => draw(<Message handle={session.handle} messageId="m1" />)
    expect(html()).toContain('The agent is correcting what it draws')
    expect(html()).not.toMatch(/correct these|Failed|could not be shown/)
    session.add({ type: 'run.finished', runId: 'r1', outcome: 'completed' })
    expect(html()).toContain('This result cannot be shown')
  })

  it('P-695 a message whose beginning is not loaded says how many steps there are before, and offers them', () => {
    const session = fakeSession().add(started(), { type: 'text.delta', ...inPart('p9'), delta: 'the end' })
    Object.assign(session.handle.state.messages.byId.get('m1')!, { partsFrom: 1_200, loose: 0 })
    const html = draw(<Message handle={session.handle} messageId="m1" />)
    expect(html).toMatch(/1,?200 earlier steps.*<button[^>]*>Show<.*the end/s)
    Object.assign(session.handle.state.messages.byId.get('m1')!, { partsFrom: 0 })
    expect(draw(<Message handle={session.handle} messageId="m1" />)).not.toContain('earlier')
  })

  it('P-241 a withdrawn part is folded, struck and says why', () => {
    const { handle } = fakeSession().add(
      started(),
      { type: 'text.delta', ...inPart('p1'), delta: 'too early' },
      { type: 'part.retracted', ...inPart('p1'), reason: { code: 'agent_said', message: 'the tool failed' } },
    )
    const html = draw(<Message handle={handle} messageId="m1" />)
    expect(html).toContain('Withdrawn: the tool failed')
    expect(html).not.toContain('too early')
  })

  it('AU-33 a tool is one row with name, safe summary and state; its payload is not in the page until opened', () => {
    const { handle } = fakeSession().add(
      started(),
      {
        type: 'tool.started',
        ...inPart('p1'),
        toolCallId: 'c1',
        name: 'mail.send',
        title: 'Send mail',
        summary: 'to Ada',
      },
      { type: 'tool.args', runId: 'r1', toolCallId: 'c1', delta: '{"token":"s3cret"}', done: true },
      { type: 'tool.failed', runId: 'r1', toolCallId: 'c1', error: { code: 'x', message: 'No route' } },
    )
    const html = draw(<Message handle={handle} messageId="m1" />)
    expect(html).toMatch(/Failed.*Send mail.*No route/s)
    expect(html).not.toContain('s3cret')
  })

  it('P-243 a call that ended with its run is stopped, a call that failed by itself is not', () => {
    const call = { type: 'tool.started', ...inPart('p1'), toolCallId: 'c1', name: 'build' } as const
    const cut = { code: 'interrupted', message: 'The run ended before this call did.' }
    const { handle } = fakeSession().add(started(), call, {
      type: 'tool.failed',
      runId: 'r1',
      toolCallId: 'c1',
      error: cut,
    })
    const html = draw(<Message handle={handle} messageId="m1" />)
    expect(html).toContain('data-state="interrupted"')
    expect(html).toMatch(/Stopped.*build.*stopped with its run/s)
    expect(html).not.toContain('Failed')
  })

  it('P-9359 what a call brought stands in its row when a few words say it', () => {
    const brought = (preview: string) =>
      draw(
        <Message
          handle={
            fakeSession().add(
              started(),
              { type: 'tool.started', ...inPart('p1'), toolCallId: 'c1', name: 'search' },
              { type: 'tool.result', runId: 'r1', toolCallId: 'c1', preview },
            ).handle
          }
          messageId="m1"
        />,
      )
    expect(brought('14 files')).toMatch(/v-tool-brought[^>]*>14 files</)
    expect(brought('{"files":14}')).not.toContain('v-tool-brought')
    expect(brought('more words than fit at the end of a row')).not.toContain('v-tool-brought')
  })

  it('P-9355 the answer of a run that was interrupted leaves trying again to the row of the run', () => {
    const { handle } = fakeSession().add(
      started(),
      { type: 'text.delta', ...inPart('p1'), delta: 'Half' },
      { type: 'run.finished', runId: 'r1', outcome: 'interrupted' },
    )
    expect(draw(<Message handle={handle} messageId="m1" />)).not.toContain('data-key="R"')
    const whole = fakeSession().add(
      started(),
      { type: 'text.delta', ...inPart('p1'), delta: 'All' },
      { type: 'run.finished', runId: 'r1', outcome: 'completed' },
    )
    expect(draw(<Message handle={whole.handle} messageId="m1" />)).toContain('data-key="R"')
  })

  it('P-243 P-8715 a repeated call has the attempts before it as lines of its own row', () => {
    const { handle } = fakeSession().add(
      started(),
      { type: 'tool.started', ...inPart('p1'), toolCallId: 'c1', name: 'build' },
      { type: 'tool.failed', runId: 'r1', toolCallId: 'c1', error: { code: 'x', message: 'No disk' } },
      { type: 'tool.started', ...inPart('p2'), toolCallId: 'c2', name: 'build', retryOf: 'c1' },
      { type: 'tool.failed', runId: 'r1', toolCallId: 'c2', error: { code: 'x', message: 'No net' } },
      { type: 'tool.started', ...inPart('p3'), toolCallId: 'c3', name: 'build', retryOf: 'c2' },
    )
    const html = draw(<Message handle={handle} messageId="m1" />)
    expect(html.match(/class="v-tool"/g)).toHaveLength(1)
    expect(html).toMatch(/Retried 2 times.*First try failed: No disk.*Try 2 failed: No net/s)
  })

  it('P-8715 a call keeps what it was asked to do while it works and when it failed', () => {
    const session = fakeSession().add(
      started(),
      { type: 'tool.started', ...inPart('p1'), toolCallId: 'c1', name: 'load', summary: 'checkout, 18,000 orders' },
      { type: 'tool.progress', runId: 'r1', toolCallId: 'c1', message: '11,160 done', current: 62, total: 100 },
    )
    const html = () => draw(<Message handle={session.handle} messageId="m1" />)
    expect(html()).toMatch(/checkout, 18,000 orders.*11,160 done.*62%/s)
    const error = { code: 'x', message: 'Not signed in', next: 'Sign in to chat first.' }
    session.add({ type: 'tool.failed', runId: 'r1', toolCallId: 'c1', error })
    expect(html()).toMatch(/checkout, 18,000 orders.*Not signed in.*Sign in to chat first\./s)
    // The end of the run offers the way on, below it. The call has none of its own.
    session.add({ type: 'run.failed', runId: 'r1', error: { code: 'x', message: 'No' } })
    expect(html()).not.toContain('Try again')
  })

  it('P-8701 an answer says who speaks and when, and what it took when it is done', () => {
    const session = fakeSession().add(started(), { type: 'text.delta', ...inPart('p1'), delta: 'It rains.' })
    const html = () =>
      draw(
        <AgentsProvider
          agents={[
            { agentId: 'guide', name: 'Guide', description: '', scripted: true, madeBy: 'program', editable: false },
          ]}
        >
          <Message handle={session.handle} messageId="m1" />
        </AgentsProvider>,
      )
    expect(html()).toMatch(/v-speaker.*v-face.*Guide.*<time/s)
    session.add(
      {
        type: 'text.final',
        ...inPart('p1'),
        length: 9,
        digest: 'd',
        citations: [
          { start: 0, end: 2, url: 'https://example.org/a' },
          { start: 3, end: 8, url: 'https://example.org/a' },
        ],
      },
      { type: 'source.added', ...inPart('p2'), source: { url: 'https://example.org/b' } },
      { type: 'metric.changed', scope: 'run', runId: 'r1', values: { usage: { totalTokens: 6_200 }, cost: 0.041 } },
      { type: 'run.finished', runId: 'r1', outcome: 'completed' },
    )
    expect(html()).toMatch(/2 sources.*\u00a0s<.*6\.2K tokens.*\$0\.041/s)
  })

  it('P-8714 a text whose final form differs from what was streamed says so', () => {
    const text = 'It rains.'
    const { handle } = fakeSession().add(
      started(),
      { type: 'text.delta', ...inPart('p1'), delta: 'It snows.' },
      { type: 'text.final', ...inPart('p1'), length: text.length, digest: 'd', text },
    )
    const html = draw(<Message handle={handle} messageId="m1" />)
    expect(html).toMatch(/It rains\..*The agent replaced what it had written\./s)
  })

  it('C01 C08 names and titles of tools are text, with hidden characters shown', () => {
    const { handle } = fakeSession().add(started(), {
      type: 'tool.started',
      ...inPart('p1'),
      toolCallId: 'c1',
      name: '<img src=x onerror=1>\u202Etxt',
    })
    const html = draw(<Message handle={handle} messageId="m1" />)
    expect(html).toContain('&lt;img src=x')
    expect(html).toContain('<span class="v-mark">U+202E</span>')
  })

  it('AU-40 AU-45 AU-83 L8 what is not known of an artifact says so instead of guessing', () => {
    const { handle } = fakeSession().add(started(), {
      type: 'artifact.created',
      ...inPart('p1'),
      artifactId: 'a1',
      artifact: { kind: 'document' },
    })
    const html = draw(<Message handle={handle} messageId="m1" />)
    expect(html).toContain('Document')
    expect(html).toContain('Not available')
    expect(html).toContain('Unknown')
    expect(html).not.toContain('Saved')
  })

  it('AU-78 what an answer claims of approvals, files, checks and success changes no fact', () => {
    const { state } = fakeSession().add(
      started(),
      { type: 'action.required', runId: 'r1', actionId: 'a1', request: { kind: 'approval', title: 'Delete it?' } },
      { type: 'artifact.changed', artifactId: 'x', artifact: { title: 'report.pdf' } },
      { type: 'evidence.changed', evidenceId: 'e', evidence: { kind: 'claim' } },
      {
        type: 'text.delta',
        ...inPart('p1'),
        delta: 'You approved it for good. report.pdf is saved as a PDF, version 2. Verification passed. Completed.',
      },
    )
    expect(state.actions.byId.get('a1')).toMatchObject({ state: 'pending', outcome: null })
    expect(state.permissions.byId.size).toBe(0)
    expect(artifactFacts(state.artifacts.byId.get('x')!)).toMatchObject({
      kind: { known: false },
      status: { known: false },
    })
    expect(verdictOf(state.evidence.byId.get('e')!)).toMatchObject({ known: false })
    expect(state.runs.byId.get('r1')).toMatchObject({ outcome: null })
  })

  it('P-242 usage is read as producers write it', () => {
    expect(
      usageOf({ usage: { inputTokens: 3, outputTokens: 4 }, cost: { amount: 0.5, currency: 'EUR' } }),
    ).toMatchObject({
      tokens: 7,
      cost: { amount: 0.5, currency: 'EUR' },
    })
    expect(usageOf({ totalTokens: 9, cost: 0.1, model: 'm' })).toMatchObject({ tokens: 9, model: 'm' })
    expect(usageOf({ cost: { amount: 1, currency: 'nonsense' } }).cost).toEqual({ amount: 1, currency: 'USD' })
    expect(usageOf({ cost: 0 }).cost).toBeNull()
    expect(usageOf({ cost: { amount: 0, currency: 'EUR' } }).cost).toBeNull()
    expect(usageOf({})).toMatchObject({ tokens: null, cost: null, model: null })
  })
})
