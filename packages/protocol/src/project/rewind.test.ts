import { describe, expect, it } from 'vitest'
import { createState, type SessionState } from '../entities.ts'
import type { EventDraft, SessionEvent } from '../events.ts'
import { messagesInOrder, onPath, pathStart, versionsOf } from '../selectors.ts'
import { messagesPage, snapshot, windowStart } from '../snapshot.ts'
import { verify } from '../verify.ts'
import { apply } from './apply.ts'
import { applyToWindow } from './window.ts'

const by = { kind: 'local', id: 'local', name: 'Ann' } as const

/** A session with turns of two messages each: what a person said and the answer. */
class Talk {
  readonly state: SessionState = createState('s')
  readonly events: SessionEvent[] = []

  say(...drafts: EventDraft[]): this {
    for (const draft of drafts) {
      const event = { ...draft, seq: this.state.seq + 1, sessionId: 's', at: 1 } as SessionEvent
      expect(verify(this.state, event), draft.type).toBeUndefined()
      apply(this.state, event)
      this.events.push(event)
    }
    return this
  }

  turn(id: string, ...more: EventDraft[]): this {
    const run = { runId: `r-${id}`, turnId: `t-${id}` }
    const part = { ...run, messageId: `a-${id}`, partId: `p-${id}` }
    return this.say(
      { type: 'run.started', ...run, agentId: 'a', messageId: `u-${id}`, input: { text: id }, attempt: 1 },
      { type: 'text.delta', ...part, delta: `answer ${id}` },
      ...more,
      { type: 'run.finished', ...run, outcome: 'completed' },
    )
  }

  rewind(fromMessageId: string, fromOrdinal: number, reason: 'edited' | 'regenerated' = 'edited'): this {
    return this.say({ type: 'history.rewound', fromMessageId, fromOrdinal, reason, by })
  }

  get path(): string[] {
    return [...messagesInOrder(this.state)].map(({ messageId }) => messageId)
  }
}

describe('P-013 a rewind takes what came after off the active path', () => {
  it('P-013 messages keep their ordinals, and only those on the active path are counted', () => {
    const talk = new Talk().turn('1').turn('2').turn('3').rewind('u-2', 3).turn('2b')
    expect(talk.path).toEqual(['u-1', 'a-1', 'u-2b', 'a-2b'])
    expect(talk.state.messages.byId.get('u-2b')!.ordinal).toBe(7)
    expect(talk.state.counts).toMatchObject({ messages: 4, ordinals: 8 })
    expect(talk.state.messages.byId.get('u-2')).toMatchObject({ ordinal: 3, rewindId: '10' })
    expect([2, 3, 6, 7].map(ordinal => onPath(talk.state, ordinal))).toEqual([true, false, false, true])
  })

  it('P-013 what left the path is an earlier version of the message that took its place', () => {
    const talk = new Talk().turn('1').rewind('u-1', 1).turn('1b').rewind('a-1b', 4, 'regenerated')
    talk.say(
      {
        type: 'run.started',
        runId: 'r-1c',
        turnId: 't-1b',
        agentId: 'a',
        messageId: 'u-1b',
        input: { text: '1b' },
        attempt: 2,
        retryOf: 'r-1b',
      },
      { type: 'text.delta', runId: 'r-1c', messageId: 'a-1c', partId: 'p-1c', delta: 'better' },
      { type: 'run.finished', runId: 'r-1c', outcome: 'completed' },
    )
    expect(talk.path).toEqual(['u-1b', 'a-1c'])
    const versions = (id: string) =>
      versionsOf(talk.state, talk.state.messages.byId.get(id)!).map(({ fromMessageId, reason }) => [
        fromMessageId,
        reason,
      ])
    expect(versions('u-1b')).toEqual([['u-1', 'edited']])
    expect(versions('a-1c')).toEqual([['a-1b', 'regenerated']])
    // Its messages are still there for whoever asks for them.
    const page = messagesPage(talk.state, 1, 3, Number.POSITIVE_INFINITY, true)
    expect(page.entities.messages.map(({ messageId }) => messageId)).toEqual(['u-1', 'a-1'])
    expect(page.entities.parts).toHaveLength(2)
    expect(messagesPage(talk.state, 1, 3).entities.messages).toEqual([])
  })

  it('P-013 a rewind that goes further back contains the earlier rewinds', () => {
    const talk = new Talk().turn('1').turn('2').turn('3').rewind('u-3', 5).turn('3b').rewind('u-2', 3).turn('2b')
    expect(talk.path).toEqual(['u-1', 'a-1', 'u-2b', 'a-2b'])
    expect(talk.state.counts).toMatchObject({ messages: 4, ordinals: 10 })
    expect([...talk.state.rewinds.byId.values()].map(({ inner }) => inner)).toEqual([true, false])
    expect(versionsOf(talk.state, talk.state.messages.byId.get('u-2b')!)).toHaveLength(1)
  })

  it('P-013 windows and pages count only messages on the active path', () => {
    const talk = new Talk().turn('1').turn('2').turn('3').turn('4').rewind('u-3', 5).turn('3b').rewind('a-3b', 10)
    expect(talk.path).toEqual(['u-1', 'a-1', 'u-2', 'a-2', 'u-3b'])
    expect([1, 2, 5, 9].map(count => pathStart(talk.state, 11, count))).toEqual([9, 4, 1, 1])
    const from = windowStart(talk.state, { messages: 3, bytes: Number.POSITIVE_INFINITY })
    const window = snapshot(talk.state, from)
    expect(window.entities.messages.map(({ messageId }) => messageId)).toEqual(['u-2', 'a-2', 'u-3b'])
    expect(window.entities.runs.map(({ runId }) => runId)).toEqual(['r-2', 'r-3b'])
  })

  it('P-013 removes the surfaces and compactions of those messages, and keeps artifacts, shared state and permissions', () => {
    const inTurn = (id: string) => ({ runId: `r-${id}`, messageId: `a-${id}` })
    const drawn = (id: string): EventDraft[] => [
      {
        type: 'surface.changed',
        ...inTurn(id),
        partId: `s-${id}`,
        surfaceId: `s-${id}`,
        ops: [{ op: 'create', root: 'root' }],
      },
      { type: 'context.compaction.started', ...inTurn(id), compactionId: `c-${id}` },
      { type: 'context.compaction.completed', ...inTurn(id), compactionId: `c-${id}`, summary: 'short' },
      { type: 'artifact.created', artifactId: `x-${id}`, artifact: { kind: 'doc' } },
    ]
    const talk = new Talk().turn('1', ...drawn('1')).turn('2', ...drawn('2'))
    talk.say(
      { type: 'state.snapshot', state: { city: 'Basel' } },
      { type: 'permission.changed', permissionId: 'p', state: 'granted' },
    )
    talk.rewind('u-2', 3)
    const { surfaces, compactions, artifacts, shared, permissions } = talk.state
    expect([...surfaces.byId.values()].map(({ state }) => state)).toEqual(['live', 'removed'])
    expect([...compactions.byId.values()].map(({ state }) => state)).toEqual(['done', 'removed'])
    expect([...artifacts.byId.values()].map(({ deleted }) => deleted)).toEqual([false, false])
    expect([shared.value, permissions.byId.get('p')?.state]).toEqual([
      { known: true, value: { city: 'Basel' } },
      'granted',
    ])
  })

  it('P-013 a turn cannot be answered again when its message has left the path', () => {
    const talk = new Talk().turn('1').rewind('u-1', 1)
    const again = { runId: 'r2', turnId: 't-1', agentId: 'a', messageId: 'u-1', input: { text: '1' } }
    const event = { type: 'run.started', ...again, attempt: 2, retryOf: 'r-1', seq: 5, sessionId: 's', at: 1 } as const
    expect(verify(talk.state, event)).toMatchObject({ code: 'message_not_found' })
  })

  it('P-014 a reader who holds a window loads a new one for a repair as well', () => {
    const repair = {
      type: 'messages.snapshot',
      snapshotId: 'x',
      page: 0,
      last: true,
      scope: 'agent',
      fromOrdinal: 2,
    } as const
    const { events } = new Talk().turn('1').say({ ...repair, messages: [] })
    const reader = createState('s')
    expect(events.map(event => applyToWindow(reader, event))).toEqual(['applied', 'applied', 'applied', 'gap'])
  })

  it('P-014 a reader who holds a window does not fold a rewind, and folds every other event', () => {
    const { events } = new Talk().turn('1').rewind('u-1', 1).turn('1b')
    const reader = createState('s')
    expect(events.slice(0, 4).map(event => applyToWindow(reader, event))).toEqual([
      'applied',
      'applied',
      'applied',
      'gap',
    ])
    expect(reader.seq).toBe(3)
    const whole = createState('s')
    for (const event of events) apply(whole, event)
    expect(applyToWindow(whole, events[3]!)).toBe('duplicate')
  })
})
