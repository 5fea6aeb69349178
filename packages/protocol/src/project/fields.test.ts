import { describe, expect, it } from 'vitest'
import { createState, type SessionState } from '../entities.ts'
import type { EventDraft, SessionEvent } from '../events.ts'
import { sessionEvent } from '../schema.ts'
import { answerText } from '../selectors.ts'
import { hydrate, snapshot } from '../snapshot.ts'
import { verify } from '../verify.ts'
import { apply } from './apply.ts'

const run = { runId: 'r', turnId: 't' }
const at = (partId: string) => ({ ...run, messageId: 'm', partId })
const file = { ref: 'blob', size: 3, digest: 'd', mediaType: 'image/png', name: 'map.png' }
const started: EventDraft = {
  type: 'run.started',
  ...run,
  agentId: 'a',
  messageId: 'u',
  input: { text: 'hi' },
  attempt: 1,
}
const call: EventDraft = { type: 'tool.started', ...at('pt'), toolCallId: 'c', name: 'search' }

/** What a reader has after these events: the state went over the wire as a snapshot. */
function read(...drafts: EventDraft[]): SessionState {
  const state = createState('s')
  for (const draft of drafts) {
    const event = { ...draft, seq: state.seq + 1, sessionId: 's', at: 1_000 + state.seq } as SessionEvent
    expect([draft.type, sessionEvent.safeParse(event).error?.issues]).toEqual([draft.type, undefined])
    expect(verify(state, event), draft.type).toBeUndefined()
    apply(state, event)
  }
  return hydrate(JSON.parse(JSON.stringify(snapshot(state, 1))))
}

const refused = (draft: object): boolean => !sessionEvent.safeParse({ seq: 1, sessionId: 's', at: 1, ...draft }).success

describe('P-012 fields that other dialects need', () => {
  it('P-012 a turn keeps its files, the tools of its client, its foreign id and its metadata', () => {
    const input = {
      text: 'What is this?',
      files: [file],
      tools: [{ name: 'locate', description: 'Where the person is', inputSchema: { type: 'object' } }],
      foreignId: 'msg-1',
      metadata: { thread: { id: 7 } },
    }
    expect(read({ ...started, input }).turns.byId.get('t')!.input).toEqual(input)
  })

  it('P-012 metadata and offered tools that are too large are refused', () => {
    const input = (more: object) => ({ ...started, input: { text: 'hi', ...more } })
    expect(refused(input({ metadata: { note: 'x'.repeat(4_000) } }))).toBe(false)
    expect(refused(input({ metadata: { note: 'x'.repeat(5_000) } }))).toBe(true)
    const tool = { name: 'locate', inputSchema: { note: 'x'.repeat(2_000) } }
    expect(refused(input({ tools: Array.from({ length: 10 }, () => tool) }))).toBe(false)
    expect(refused(input({ tools: Array.from({ length: 20 }, () => tool) }))).toBe(true)
    expect(refused(input({ tools: Array.from({ length: 129 }, () => ({ name: 'x' })) }))).toBe(true)
  })

  it('P-012 a call says who runs it, and its result has pieces, structured data, an app and a note', () => {
    const result = {
      content: [
        { kind: 'text' as const, text: 'Two places' },
        { kind: 'image' as const, ref: file },
        { kind: 'resource' as const, uri: 'places://1', text: 'Library' },
      ],
      structured: { places: 2 },
      app: { server: 'maps', resourceUri: 'ui://map' },
      meta: { took: 12 },
    }
    const state = read(
      started,
      { ...call, executor: 'client', metadata: { dialect: 'ag-ui' } },
      { type: 'tool.result', ...run, toolCallId: 'c', preview: 'Two places', ...result },
    )
    const tool = state.tools.byId.get('c')!
    expect(tool).toMatchObject({ executor: 'client', metadata: { dialect: 'ag-ui' }, state: 'done' })
    expect(tool.result).toMatchObject({ known: true, value: { preview: 'Two places', preliminary: false } })
    expect(tool.result).toMatchObject({ value: JSON.parse(JSON.stringify(result)) })
  })

  it('P-012 a preliminary result is shown and does not end the call; the last one does', () => {
    const partial: EventDraft = { type: 'tool.result', ...run, toolCallId: 'c', value: 1, preliminary: true }
    const early = read(started, call, partial)
    expect(early.tools.byId.get('c')).toMatchObject({
      endedAt: null,
      result: { value: { value: 1, preliminary: true } },
    })
    expect([...early.runs.byId.get('r')!.openTools]).toEqual(['c'])
    const late = read(started, call, partial, { type: 'tool.result', ...run, toolCallId: 'c', value: 2 })
    expect(late.tools.byId.get('c')).toMatchObject({
      state: 'done',
      result: { value: { value: 2, preliminary: false } },
    })
  })

  it('P-012 a failed call keeps the data that came with its failure', () => {
    const error = { code: 'x', message: 'm' }
    const state = read(started, call, { type: 'tool.failed', ...run, toolCallId: 'c', error, value: { status: 500 } })
    expect(state.tools.byId.get('c')).toMatchObject({
      state: 'failed',
      error,
      result: { value: { value: { status: 500 } } },
    })
  })

  it('P-012 an action can be a tool of the client, with a reason and a foreign id', () => {
    const request = {
      kind: 'client-tool' as const,
      title: 'locate',
      reason: { code: 'client_tool', message: 'The client has this tool.' },
      foreignId: 'call-9',
    }
    const state = read(started, call, { type: 'action.required', ...run, actionId: 'x', toolCallId: 'c', request })
    expect(state.actions.byId.get('x')).toMatchObject({ state: 'pending', toolCallId: 'c', request })
  })

  it('P-012 a run says what it returned, why its model stopped and what it used', () => {
    const usage = { inputTokens: 10, outputTokens: 2, cachedInputTokens: 8, cost: { amount: 0.01, currency: 'EUR' } }
    const state = read(
      started,
      { type: 'metric.changed', scope: 'run', ...run, values: { model: 'large' } },
      { type: 'metric.changed', scope: 'session', usage: { totalTokens: 12 } },
      { type: 'run.finished', ...run, outcome: 'completed', result: { city: 'Basel' }, finishReason: 'stop', usage },
    )
    expect(state.runs.byId.get('r')).toMatchObject({
      result: { city: 'Basel' },
      finishReason: 'stop',
      metrics: { model: 'large', usage },
    })
    expect(state.metrics.values).toEqual({ usage: { totalTokens: 12 } })
    const failed = read(started, { type: 'run.failed', ...run, error: { code: 'x', message: 'm' }, usage })
    expect(failed.runs.byId.get('r')!.metrics).toEqual({ usage })
  })

  it('P-012 L5 files, sources and activities are parts of the message and no answer text', () => {
    const source = { sourceId: 's1', url: 'https://example.org', title: 'Example' }
    const activity = (n: number) => ({ type: 'search', content: { found: n } })
    const state = read(
      started,
      { type: 'file.added', ...at('p1'), file },
      { type: 'source.added', ...at('p2'), source },
      { type: 'activity.changed', ...at('p3'), activity: activity(1) },
      { type: 'text.delta', ...at('p4'), delta: 'See there.' },
      { type: 'activity.changed', ...at('p3'), activity: activity(2) },
      { type: 'text.final', ...at('p4'), length: 10, digest: 'd', citations: [{ start: 0, end: 3, sourceId: 's1' }] },
      { type: 'run.finished', ...run, outcome: 'completed' },
    )
    const part = (id: string) => state.parts.byId.get(id)
    expect(part('p1')).toMatchObject({ kind: 'file', state: 'final', file })
    expect(part('p2')).toMatchObject({ kind: 'source', state: 'final', source })
    expect(part('p3')).toMatchObject({ kind: 'activity', state: 'final', activity: activity(2) })
    expect(part('p4')).toMatchObject({ kind: 'text', citations: [{ start: 0, end: 3, sourceId: 's1' }] })
    expect(answerText(state, state.messages.byId.get('m')!)).toBe('See there.')
  })

  it('P-012 the signature of a reasoning is kept for the next turn, beside what was streamed', () => {
    const state = read(
      started,
      { type: 'reasoning.delta', ...at('p'), delta: 'hm' },
      { type: 'reasoning.summary', ...at('p'), signature: 'opaque' },
    )
    expect(state.parts.byId.get('p')).toMatchObject({ state: 'final', signature: 'opaque' })
    expect(state.parts.byId.get('p')!.text.toString()).toBe('hm')
  })

  it('P-012 L12 a run knows its open steps, and how often it was resumed without completing one', () => {
    const step = (type: 'step.started' | 'step.finished', stepId: string): EventDraft => ({ type, ...run, stepId })
    const resumed: EventDraft = { type: 'run.resumed', ...run, reason: { code: 'server_crashed', message: 'm' } }
    const said: EventDraft = { type: 'text.delta', ...at('p'), delta: 'half' }
    const cut = read(started, step('step.started', '1'), said, resumed)
    const runOf = (state: SessionState) => state.runs.byId.get('r')!
    expect(runOf(cut)).toMatchObject({
      status: 'submitted',
      resumes: 1,
      outcome: null,
      reason: { code: 'server_crashed' },
    })
    expect([...runOf(cut).openSteps]).toEqual([])
    // It takes nothing back by itself: the runtime retracts what the open step had streamed.
    expect(cut.parts.byId.get('p')).toMatchObject({ state: 'streaming' })
    const going = read(started, step('step.started', '1'), resumed, step('step.started', '2'))
    expect([...runOf(going).openSteps]).toEqual(['2'])
    const done = read(
      started,
      step('step.started', '1'),
      resumed,
      step('step.started', '2'),
      step('step.finished', '2'),
    )
    expect(runOf(done)).toMatchObject({ resumes: 0 })
  })

  it('P-012 P-005 a repair brings calls that have ended and files', () => {
    const repaired: EventDraft = {
      type: 'messages.snapshot',
      snapshotId: 'x',
      page: 0,
      last: true,
      scope: 'owner',
      fromOrdinal: 2,
      messages: [
        {
          messageId: 'n',
          ordinal: 2,
          role: 'assistant',
          at: 1,
          parts: [
            {
              partId: 'n/1',
              kind: 'tool',
              toolCallId: 'k',
              name: 'search',
              args: '{"q":1}',
              preview: 'found',
              value: 1,
            },
            { partId: 'n/2', kind: 'tool', toolCallId: 'l', name: 'search', error: { code: 'x', message: 'm' } },
            { partId: 'n/3', kind: 'file', file },
            { partId: 'n/4', kind: 'text', text: 'There.' },
          ],
        },
      ],
    }
    const state = read(started, repaired)
    const message = state.messages.byId.get('n')!
    expect(message.parts).toEqual(['n/1', 'n/2', 'n/3', 'n/4'])
    expect(state.tools.byId.get('k')).toMatchObject({
      partId: 'n/1',
      messageId: 'n',
      state: 'done',
      argsDone: true,
      result: { value: { preview: 'found', value: 1 } },
    })
    expect(state.tools.byId.get('k')!.args.toString()).toBe('{"q":1}')
    expect(state.tools.byId.get('l')).toMatchObject({ state: 'failed', error: { code: 'x' } })
    expect(state.parts.byId.get('n/3')).toMatchObject({ kind: 'file', state: 'final', file })
    expect(answerText(state, message)).toBe('There.')
    expect(state.counts.tools).toBe(2)
    // The same repair again counts no call twice.
    expect(read(started, repaired, { ...repaired, snapshotId: 'y' }).counts.tools).toBe(2)
  })
})
