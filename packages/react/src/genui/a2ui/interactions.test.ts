import { type SurfaceAction, SurfaceModel } from '@vitrine/genui/a2ui'
import type { Json, JsonObject, SurfaceOp } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MERGE_MS, type SendOutcome, SurfaceInteractions } from './interactions.ts'
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
      text: 'SendInteraction',
      checks: [{ condition: { path: '/ok' }, message: 'Tick it first' }],
    },
  },
  { op: 'set', path: '', value: { name: '', ok: false } },
]

function setUp(answer: () => Promise<SendOutcome> = async () => ({ ok: true })) {
  const sent: { action: SurfaceAction; edits: JsonObject; key: string }[] = []
  const model = new SurfaceModel({ surfaceId: 's' }, structuredClone(ops))
  const interactions = new SurfaceInteractions(model, new NodeFeed(model), (action, edits, key) => {
    sent.push({ action, edits, key })
    return answer()
  })
  return { model, interactions, sent }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('A2-135 interaction', () => {
  it('A2-142 changes of one field close together are one message, those of different fields never', async () => {
    const { interactions, sent } = setUp(() => new Promise(() => {}))
    for (const name of ['A', 'Ad', 'Ada']) {
      interactions.input('name', name)
      interactions.act('name', 'change', name)
      await vi.advanceTimersByTimeAsync(50)
    }
    interactions.input('ok', true)
    interactions.act('ok', 'change', true)
    expect(sent).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(2 * MERGE_MS)
    expect(sent.map(({ action }) => [action.componentId, action.payload])).toEqual([
      ['name', { value: 'Ada' }],
      ['ok', { value: true }],
    ])
    expect(sent[0]!.key).not.toBe(sent[1]!.key)
    // What the first one carries is on its way: the agent may answer it before the second arrives.
    expect(sent.map(({ edits }) => edits)).toEqual([{ '/name': 'Ada', '/ok': true }, {}])
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
    const answer = Promise.withResolvers<SendOutcome>()
    const { interactions, model } = setUp(() => answer.promise)
    interactions.input('ok', true)
    interactions.input('name', 'Ada')
    interactions.act('send', 'click')
    expect(interactions.get('send').state).toBe('sending')
    interactions.input('name', 'Ada L.')
    answer.resolve({ ok: true })
    await vi.advanceTimersByTimeAsync(0)
    expect(interactions.get('send').state).toBe('sent')
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
    expect(interactions.get('send').state).toBe('sent')
    expect(model.exportLocal()).toEqual({})
  })

  it('A2-143 another try is the same action with the same key; what was typed since is not part of it and stays', async () => {
    let works = false
    const problem = { title: 'The server is out of reach' }
    const { interactions, model, sent } = setUp(async () => (works ? { ok: true } : { ok: false, problem }))
    interactions.input('ok', true)
    interactions.act('send', 'click')
    await vi.advanceTimersByTimeAsync(0)
    interactions.input('name', 'later')
    works = true
    interactions.get('send').retry!()
    await vi.advanceTimersByTimeAsync(0)
    expect(sent[1]).toEqual(sent[0])
    expect(model.exportLocal()).toEqual({ '/name': 'later' })
    interactions.input('ok', true)
    interactions.act('send', 'click')
    expect(sent[2]!.key).not.toBe(sent[0]!.key)
  })

  it('A2-143 what failed is settled when the session shows that it arrived', async () => {
    const { interactions, model, sent } = setUp(async () => ({ ok: false, problem: { title: 'no answer' } }))
    interactions.input('ok', true)
    interactions.act('send', 'click')
    await vi.advanceTimersByTimeAsync(0)
    interactions.delivered('another')
    expect(interactions.get('send').state).toBe('failed')
    interactions.delivered(sent[0]!.key)
    expect(interactions.get('send').state).toBe('sent')
    expect(model.exportLocal()).toEqual({})
  })

  it('A2-144 L7 an edit that is refused is kept and told at its field and at the button, until the field changes', async () => {
    const problem = { title: 'Too long', path: '/edits/~1name' }
    const { interactions, model } = setUp(async () => ({ ok: false, problem }))
    interactions.input('ok', true)
    interactions.input('name', 'x'.repeat(34_000))
    interactions.act('send', 'click')
    await vi.advanceTimersByTimeAsync(0)
    for (const node of ['name', 'send']) {
      expect(interactions.get(node)).toMatchObject({ state: 'failed', problem })
      expect(interactions.get(node).retry).toBeUndefined()
    }
    expect(interactions.get('ok').state).toBe('idle')
    expect(Object.keys(model.exportLocal()).sort()).toEqual(['/name', '/ok'])
    interactions.input('name', 'short')
    expect([interactions.get('name').state, interactions.get('send').state]).toEqual(['idle', 'idle'])
  })

  it('A2-144 the value of a field that has no place on the server travels with the action and stays in the field', async () => {
    const { interactions, model, sent } = setUp()
    model.apply([
      { op: 'upsert', id: 'root', component: { type: 'Column', children: { componentId: 'free', path: '/rows' } } },
      { op: 'upsert', id: 'free', component: { type: 'TextField', label: 'Free', emits: true } },
      { op: 'set', path: '/rows', value: [{ id: 'x' }] },
    ])
    const [free] = model.getNode('root')!.children
    interactions.input(free!, 'typed')
    interactions.act(free!, 'submit', 'typed')
    await vi.advanceTimersByTimeAsync(0)
    expect(sent[0]).toMatchObject({ edits: {}, action: { payload: { value: 'typed' } } })
    expect(model.getNode(free!)!.props.value).toBe('typed')
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
    // The words of the check are those of the component, and go with the mistake.
    expect(interactions.get('send')).toEqual({ state: 'idle', touched: true })
    expect(interactions.get('name').touched).toBe(true)
  })

  it('A2-332 what was typed hidden leaves the page when a press with it was accepted, and stays after a change', async () => {
    const { model, interactions } = setUp()
    interactions.input('ok', true)
    interactions.input('secret', '1234')
    interactions.act('ok', 'change', true)
    await vi.advanceTimersByTimeAsync(2 * MERGE_MS)
    expect(model.exportLocal()).toEqual({ '/pin': '1234' })
    model.apply([{ op: 'set', path: '/ok', value: true }])
    interactions.act('send', 'click')
    await vi.advanceTimersByTimeAsync(0)
    expect(model.exportLocal()).toEqual({})
  })

  it('A2-332 what was typed hidden leaves the page when its field goes', () => {
    const { model, interactions } = setUp()
    interactions.input('name', 'Ada')
    interactions.input('secret', '1234')
    interactions.forgetGone()
    expect(model.exportLocal()).toEqual({ '/name': 'Ada', '/pin': '1234' })
    model.apply([{ op: 'upsert', id: 'root', component: { type: 'Column', children: ['name', 'send'] } }])
    interactions.forgetGone()
    expect(model.exportLocal()).toEqual({ '/name': 'Ada' })
  })

  it('A2-342 a press that was accepted says so until the person goes on or the agent changes the surface', async () => {
    const { interactions } = setUp()
    const press = async () => {
      interactions.input('ok', true)
      interactions.act('send', 'click')
      await vi.advanceTimersByTimeAsync(0)
      expect(interactions.get('send').state).toBe('sent')
    }
    await press()
    interactions.input('name', 'Ada')
    expect(interactions.get('send').state).toBe('idle')
    await press()
    interactions.forgetSent()
    expect(interactions.get('send').state).toBe('idle')
  })

  it('A2-134 knows which edits were typed hidden', () => {
    const { interactions } = setUp()
    interactions.input('name', 'Ada')
    interactions.input('secret', '1234')
    expect([...interactions.secrets]).toEqual(['/pin'])
  })

  it('A2-340 a component of a host hides what is typed as its trait says, whoever draws it', () => {
    const component = (looks: Json) => ({ type: 'PinPad', looks, value: { path: '/pad' } })
    const typed = (looks: Json) => {
      const traits = (type: string) =>
        type === 'PinPad' ? { input: 'value', hides: { property: 'looks', values: ['dots'] } } : {}
      const model = new SurfaceModel({ surfaceId: 's', catalog: { functions: new Map(), has: () => true, traits } })
      model.apply([
        { op: 'create', root: 'pad' },
        { op: 'upsert', id: 'pad', component: component(looks) },
      ])
      const interactions = new SurfaceInteractions(model, new NodeFeed(model))
      interactions.input('pad', '1234')
      return [...interactions.secrets]
    }
    expect(typed('dots')).toEqual(['/pad'])
    expect(typed('plain')).toEqual([])
    // What the data decide may hide it at any time.
    expect(typed({ path: '/looks' })).toEqual(['/pad'])
  })
})
