import { type JsonObject, type SurfaceAction, SurfaceModel, type SurfaceOp } from '@vitrine/genui/a2ui'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Interactions, MERGE_MS, type SendResult } from './interactions.ts'
import { NodeFeed } from './node-feed.ts'

const ops: SurfaceOp[] = [
  { op: 'create', root: 'root' },
  { op: 'upsert', id: 'root', component: { type: 'Column', children: ['name', 'ok', 'secret', 'send'] } },
  { op: 'upsert', id: 'name', component: { type: 'TextField', label: 'Name', value: { path: '/name' }, emits: true } },
  { op: 'upsert', id: 'ok', component: { type: 'Checkbox', label: 'Ok', value: { path: '/ok' }, emits: true } },
  {
    op: 'upsert',
    id: 'secret',
    component: { type: 'TextField', label: 'Pin', variant: 'obscured', value: { path: '/pin' } },
  },
  {
    op: 'upsert',
    id: 'send',
    component: {
      type: 'Button',
      text: 'Send',
      checks: [{ condition: { path: '/ok' }, message: 'Tick it first' }],
    },
  },
  { op: 'set', path: '', value: { name: '', ok: false } },
]

function setUp(answer: () => Promise<SendResult> = async () => ({ ok: true })) {
  const sent: { action: SurfaceAction; edits: JsonObject }[] = []
  const model = new SurfaceModel({ surfaceId: 's' }, structuredClone(ops))
  const interactions = new Interactions(model, new NodeFeed(model), (action, edits) => {
    sent.push({ action, edits })
    return answer()
  })
  return { model, interactions, sent }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('A2-135 interaction', () => {
  it('changes close together are one message, and carry what was typed', async () => {
    const { interactions, sent } = setUp()
    interactions.input('name', 'Ada')
    interactions.act('name', 'change', 'Ada')
    await vi.advanceTimersByTimeAsync(MERGE_MS - 50)
    interactions.input('ok', true)
    interactions.act('ok', 'change', true)
    expect(sent).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(MERGE_MS)
    expect(sent).toHaveLength(1)
    expect(sent[0]!.action).toMatchObject({ componentId: 'ok', eventType: 'change' })
    expect(sent[0]!.action.payload.changes).toEqual([
      { componentId: 'name', value: 'Ada' },
      { componentId: 'ok', value: true },
    ])
    expect(sent[0]!.edits).toEqual({ '/name': 'Ada', '/ok': true })
  })

  it('leaving a field by pressing the button is one message: the click, with the change in it', async () => {
    const { interactions, sent } = setUp()
    interactions.input('ok', true)
    interactions.input('name', 'Ada')
    interactions.act('name', 'change', 'Ada')
    interactions.act('send', 'click')
    await vi.advanceTimersByTimeAsync(2 * MERGE_MS)
    expect(sent).toHaveLength(1)
    expect(sent[0]!.action.payload).toMatchObject({
      values: { name: 'Ada', ok: true },
      changes: [{ componentId: 'name' }],
    })
  })

  it('is pending until it is accepted; then the overlay is gone, later typing stays', async () => {
    const answer = Promise.withResolvers<SendResult>()
    const { interactions, model } = setUp(() => answer.promise)
    interactions.input('ok', true)
    interactions.input('name', 'Ada')
    interactions.act('send', 'click')
    expect(interactions.get('send').state).toBe('sending')
    interactions.input('name', 'Ada L.')
    answer.resolve({ ok: true })
    await vi.advanceTimersByTimeAsync(0)
    expect(interactions.get('send').state).toBe('idle')
    expect(model.exportLocal()).toEqual({ '/name': 'Ada L.' })
  })

  it('a second press while the first is on its way sends nothing', async () => {
    const { interactions, sent } = setUp(() => new Promise(() => {}))
    interactions.input('ok', true)
    interactions.act('send', 'click')
    interactions.act('send', 'click')
    expect(sent).toHaveLength(1)
  })

  it('a failure keeps the values, says why and offers another try', async () => {
    let works = false
    const problem = { title: 'The server is out of reach' }
    const { interactions, model, sent } = setUp(async () => (works ? { ok: true } : { ok: false, problem }))
    interactions.input('ok', true)
    interactions.act('send', 'click')
    await vi.advanceTimersByTimeAsync(0)
    const failed = interactions.get('send')
    expect(failed).toMatchObject({ state: 'failed', problem })
    expect(model.exportLocal()).toEqual({ '/ok': true })
    works = true
    failed.retry!()
    await vi.advanceTimersByTimeAsync(0)
    expect(sent).toHaveLength(2)
    expect(interactions.get('send').state).toBe('idle')
    expect(model.exportLocal()).toEqual({})
  })

  it('a click that is accepted settles the changes that were not: it carries them', async () => {
    let works = false
    const { interactions, sent } = setUp(async () => (works ? { ok: true } : { ok: false, problem: { title: 'no' } }))
    interactions.input('ok', true)
    interactions.act('ok', 'change', true)
    await vi.advanceTimersByTimeAsync(MERGE_MS)
    expect(interactions.get('ok').state).toBe('failed')
    works = true
    interactions.act('send', 'click')
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.at(-1)!.edits).toEqual({ '/ok': true })
    expect(interactions.get('ok').state).toBe('idle')
  })

  it('A2-119 a press on a blocked button sends nothing and shows what is missing', () => {
    const { interactions, sent } = setUp()
    interactions.act('send', 'click')
    expect(sent).toHaveLength(0)
    expect(interactions.get('send')).toMatchObject({ state: 'refused', problem: { title: 'Tick it first' } })
    expect(interactions.get('name').touched).toBe(true)
  })

  it('A2-134 knows which edits were typed hidden', () => {
    const { interactions } = setUp()
    interactions.input('name', 'Ada')
    interactions.input('secret', '1234', true)
    expect([...interactions.secrets]).toEqual(['/pin'])
  })
})
