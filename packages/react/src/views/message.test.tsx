import { artifactFacts, verdictOf } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { Message, usageOf } from './message.tsx'

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
      '<div class="v-markdown"><p>the answer</p>',
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
    expect(html).not.toContain('a thought')
    expect(html).toContain('Thought briefly')
  })

  it('P-276 reasoning that the agent does not close is over when something follows it', () => {
    const session = fakeSession().add(
      started(),
      { type: 'reasoning.delta', ...inPart('p1'), delta: 'a thought' },
      { type: 'text.delta', ...inPart('p2'), delta: 'First' },
      { type: 'tool.started', ...inPart('p3'), toolCallId: 'c1', name: 'search' },
    )
    const html = draw(<Message handle={session.handle} messageId="m1" />)
    expect(html).toContain('Thought briefly')
    expect(html).not.toMatch(/Thinking|a thought/)
    session.add({ type: 'run.finished', runId: 'r1', outcome: 'interrupted' })
    const ended = draw(<Message handle={session.handle} messageId="m1" />)
    expect(ended).toContain('Thought briefly')
    expect(ended).not.toContain('Thinking was cut off')
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
    expect(ends('interrupted').match(/Cut off here/g)).toHaveLength(1)
    expect(ends('interrupted')).toMatch(/after.*Cut off here/s)
    expect(ends('completed')).not.toContain('Cut off here')
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
    expect(denied).toMatch(/data-state="denied".*Denied.*You said no/s)
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
    expect(html()).toContain('The agent is correcting what it wanted to show')
    expect(html()).not.toMatch(/correct these|Failed|could not be shown/)
    session.add({ type: 'run.finished', runId: 'r1', outcome: 'completed' })
    expect(html()).toContain('This result could not be shown.')
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
    expect(html).toMatch(/Stopped.*build.*The run ended before this call did/s)
    expect(html).not.toContain('Failed')
  })

  it('P-243 a repeated call says which attempt it is', () => {
    const { handle } = fakeSession().add(
      started(),
      { type: 'tool.started', ...inPart('p1'), toolCallId: 'c1', name: 'build' },
      { type: 'tool.failed', runId: 'r1', toolCallId: 'c1', error: { code: 'x', message: 'No' } },
      { type: 'tool.started', ...inPart('p2'), toolCallId: 'c2', name: 'build', retryOf: 'c1' },
      { type: 'tool.failed', runId: 'r1', toolCallId: 'c2', error: { code: 'x', message: 'No' } },
      { type: 'tool.started', ...inPart('p3'), toolCallId: 'c3', name: 'build', retryOf: 'c2' },
    )
    const html = draw(<Message handle={handle} messageId="m1" />)
    expect(html.match(/Attempt \d/g)).toEqual(['Attempt 2', 'Attempt 3'])
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
    expect(html).toContain('document')
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
