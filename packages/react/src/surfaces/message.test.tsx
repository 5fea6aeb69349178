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
      { type: 'run.status', runId: 'r1', status: 'streaming', detail: 'a status' },
      { type: 'text.delta', ...inPart('p3'), delta: 'the answer' },
    )
    expect(answer(draw(<Message handle={handle} messageId="m1" />))).toEqual([
      '<div class="v-markdown"><p>the answer</p>',
    ])
  })

  it('P-240 reasoning is open while it streams and folded when done', () => {
    const session = fakeSession().add(started(), { type: 'reasoning.delta', ...inPart('p1'), delta: 'a thought' })
    expect(draw(<Message handle={session.handle} messageId="m1" />)).toContain('a thought')
    session.add({ type: 'reasoning.summary', ...inPart('p1') })
    const html = draw(<Message handle={session.handle} messageId="m1" />)
    expect(html).not.toContain('a thought')
    expect(html).toContain('Thought briefly')
  })

  it('P-241 a withdrawn part is folded, struck and says why', () => {
    const { handle } = fakeSession().add(
      started(),
      { type: 'text.delta', ...inPart('p1'), delta: 'too early' },
      { type: 'part.retracted', ...inPart('p1'), reason: 'the tool failed' },
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

  it('P-242 usage is read as producers write it', () => {
    expect(
      usageOf({ usage: { inputTokens: 3, outputTokens: 4 }, cost: { amount: 0.5, currency: 'EUR' } }),
    ).toMatchObject({
      tokens: 7,
      cost: { amount: 0.5, currency: 'EUR' },
    })
    expect(usageOf({ totalTokens: 9, cost: 0.1, model: 'm' })).toMatchObject({ tokens: 9, model: 'm' })
    expect(usageOf({ cost: { amount: 1, currency: 'nonsense' } }).cost).toEqual({ amount: 1, currency: 'USD' })
    expect(usageOf({})).toMatchObject({ tokens: null, cost: null, model: null })
  })
})
