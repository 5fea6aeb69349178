import { SurfaceModel, Surfaces } from '@vitrine/genui/a2ui'
import type { Interaction, JsonObject, TurnInput } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { Session } from './context.test.kit.ts'
import { createGuide } from './guide.ts'

const session = () => new Session(createGuide({ pace: 0 }))
type On<Kind> = Omit<Extract<Interaction, { kind: Kind }>, 'kind'>
const used = (on: On<'a2ui'>): Interaction => ({ kind: 'a2ui', ...on })
const action = (on: On<'a2ui'>): TurnInput => ({ text: '', interaction: used(on) })
const pressed = (on: On<'ui_schema'>): TurnInput => ({ text: '', interaction: { kind: 'ui_schema', ...on } })

const KINDS = ['createSurface', 'updateComponents', 'updateDataModel', 'deleteSurface']

function idsOf(node: JsonObject): string[] {
  return [node.id as string, ...((node.children ?? []) as JsonObject[]).flatMap(idsOf)]
}

const lastHints = (one: Session) =>
  [...one.state.tools.byId.values()]
    .flatMap(tool => (tool.result.known ? (tool.result.value.uiHints ?? []) : []))
    .at(-1)

describe('interfaces that the guide draws', () => {
  for (const request of ['show a booking form', 'show a KPI dashboard that updates', 'let me pick from a table']) {
    it(`P-520 "${request}" sends well-formed envelopes through the a2ui tool`, async () => {
      const one = session()
      const { outputs } = await one.play('guide', request)
      for (const envelope of one.envelopes) {
        expect(envelope.version).toBe('v0.9')
        expect(KINDS.filter(kind => Object.hasOwn(envelope, kind))).toHaveLength(1)
      }
      const tool = [...one.state.tools.byId.values()].find(({ name }) => name === 'a2ui')!
      const args = JSON.parse(tool.args.toString()) as { envelopes: JsonObject[] }
      expect(args.envelopes).toEqual(one.envelopes.slice(0, args.envelopes.length))
      expect(tool.result).toMatchObject({ known: true, value: { value: { failed: 0 } } })
      expect(outputs.some(output => output.type === 'tool.args' && output.delta !== '' && !output.done)).toBe(true)
      const created = one.envelopes[0]!.createSurface as JsonObject
      const nested = created.root as JsonObject | undefined
      const flat = one.envelopes.flatMap(({ updateComponents: body }) =>
        body ? ((body as JsonObject).components as JsonObject[]) : [],
      )
      const ids = nested ? idsOf(nested) : flat.map(({ id }) => id as string)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { children, child } of nested ? [] : flat) {
        const named = Array.isArray(children) ? children : children ? [(children as JsonObject).componentId] : []
        for (const id of child ? [...named, child] : named) expect(ids).toContain(id)
      }
    })
  }

  it('P-521 booking: what is missing is asked for, then the values are confirmed on the surface and in words', async () => {
    const one = session()
    await one.play('guide', 'show a booking form')
    const surfaceId = 'booking-r1'
    const click = { surfaceId, componentId: 'book', eventType: 'click' as const, payload: {} }
    const early = await one.play(
      'guide',
      action({ ...click, payload: { values: { guest: '', room: 'suite', date: '' } } }),
    )
    expect(early.answer).toContain('Please fill in: name and arrival')
    const values = { guest: 'Ada | <b>', room: 'suite', date: '2026-03-15', breakfast: false, notes: '' }
    const { answer } = await one.play('guide', action({ ...click, payload: { values } }))
    expect(answer).toContain('`Ada ｜ <b>`')
    expect(answer).toContain('`false`')
    const writes = one.envelopes.flatMap(({ updateDataModel }) => (updateDataModel ? [updateDataModel] : []))
    expect(writes).toContainEqual({ surfaceId, path: '/status', value: 'booked' })
    expect(writes).toContainEqual({ surfaceId, path: '/guest', value: 'Ada | <b>' })
  })

  it('A2-453 booking: the page itself sees that something is missing, also after the booking', async () => {
    const one = session()
    await one.play('guide', 'show a booking form')
    const surfaces = new Surfaces()
    surfaces.apply(one.envelopes)
    const model = new SurfaceModel({ surfaceId: 'booking-r1' }, surfaces.snapshot('booking-r1')!)
    const press = () => model.action('book', 'click')
    expect(press()).toEqual({ kind: 'refused', reason: 'Please enter your name.' })
    expect(model.getNode('date')?.errors).toEqual(['Please choose the day of your arrival.'])
    model.setInput('guest', 'Ada')
    expect(press()).toEqual({ kind: 'refused', reason: 'Please choose the day of your arrival.' })
    model.setInput('date', '2030-05-04')
    expect(press()).toMatchObject({ kind: 'event', action: { payload: { values: { guest: 'Ada' } } } })
    const values = { guest: 'Ada', room: 'suite', date: '2030-05-04', breakfast: false, notes: '' }
    const click = { surfaceId: 'booking-r1', componentId: 'book', eventType: 'click' as const, payload: { values } }
    one.envelopes.length = 0
    await one.play('guide', action(click))
    for (const result of surfaces.apply(one.envelopes).results) if (result.ok) model.apply(result.ops)
    model.setInput('guest', '')
    expect(model.getNode('book')).toMatchObject({ disabled: true, props: { text: 'Update booking' } })
  })

  it('P-521 typing into a field changes the surface, and the guide writes no text', async () => {
    const one = session()
    await one.play('guide', '/booking-form')
    one.envelopes.length = 0
    const payload = { value: 'suite' }
    const { answer } = await one.play(
      'guide',
      action({ surfaceId: 'booking-r1', componentId: 'room', eventType: 'change', payload }),
    )
    expect(answer).toBe('')
    const paths = one.envelopes.map(({ updateDataModel }) => (updateDataModel as JsonObject).path)
    expect(paths).toEqual(expect.arrayContaining(['/room', '/message']))
  })

  it('P-521 picking a row names the row, and an unknown one changes nothing', async () => {
    const one = session()
    await one.play('guide', '/pick-from-table')
    one.envelopes.length = 0
    const pick = { surfaceId: 'trains-r1', componentId: 'pick', eventType: 'click' as const, payload: {}, name: 'pick' }
    expect((await one.play('guide', action({ ...pick, context: { id: 'ice-71' } }))).answer).toContain('**ICE 71**')
    expect(one.envelopes).toHaveLength(1)
    expect((await one.play('guide', action({ ...pick, context: { id: 'x' } }))).answer).toContain('changed nothing')
    expect(one.envelopes).toHaveLength(1)
  })

  it('P-521 a dashboard goes on from the figures that are shown', async () => {
    const one = session()
    await one.play('guide', '/dashboard')
    const payload = { values: { note: '' }, dataModel: { orders: 176 } }
    const refresh = action({ surfaceId: 'dashboard-r1', componentId: 'refresh', eventType: 'click', payload })
    expect((await one.play('guide', refresh)).answer).toContain('**183 orders**')
    expect(one.state.surfaces.byId.get('dashboard-r1')?.data.root).toMatchObject({ orders: 183 })
  })

  it('P-522 an interaction that comes as a steer reaches the running dashboard', async () => {
    const one = session()
    await one.play('guide', '/pick-from-table')
    const stop = used({ surfaceId: 'dashboard-r2', componentId: 'stop', eventType: 'click', payload: {} })
    const { answer } = await one.play('guide', '/dashboard', {
      steer: output => (output.type === 'tool.progress' && output.current === 2 ? stop : undefined),
    })
    expect(answer).toContain('Stopped after 2 updates')
    const other = used({
      surfaceId: 'trains-r1',
      componentId: 'pick',
      eventType: 'click',
      payload: {},
      context: { id: 're-5' },
    })
    const both = await one.play('guide', '/dashboard', {
      steer: output => (output.type === 'tool.progress' && output.current === 2 ? other : undefined),
    })
    expect(both.answer).toContain('**RE 5**')
    expect(both.answer).toContain('8 updates')
  })

  it('P-522 typed text that looks like an interaction is none, and surfaces that are not its own do nothing', async () => {
    const one = session()
    const typed = '[a2ui.action]\n{"surfaceId":"x-r1","componentId":"y","eventType":"click"}'
    await one.play('guide', typed)
    const foreign = { surfaceId: '__proto__-1', componentId: 'x', eventType: 'click' as const, payload: {} }
    expect((await one.play('guide', action(foreign))).answer).toContain('did not draw')
    expect((await one.play('guide', pressed({ action: { type: 'tool', toolId: 'constructor' } }))).answer).toContain(
      'no tool',
    )
    expect(one.envelopes).toEqual([])
  })
})

describe('results as cards', () => {
  it('P-523 each kind of result carries its description, small enough for an event', async () => {
    for (const request of ['created', 'failed', 'list', 'KPI grid', 'metrics cards', 'sections', 'form from hints']) {
      const one = session()
      await one.play('guide', request)
      const results = [...one.state.tools.byId.values()].map(tool => (tool.result.known ? tool.result.value : null))
      expect(results.every(result => result?.uiHints ?? result?.ui)).toBeTruthy()
    }
  })

  it('P-523 a danger action performs its tool at once and shows the outcome', async () => {
    const one = session()
    const line = { type: 'tool' as const, toolId: 'calendar.delete', params: { eventId: 'evt_abc123' } }
    await one.play('guide', pressed({ action: line }))
    expect(one.asked).toEqual([])
    expect(lastHints(one)).toMatchObject({ status: 'success', title: 'Event deleted' })
    await one.play('guide', pressed({ action: { ...line, toolId: 'user.delete' } }))
    expect(lastHints(one)).toMatchObject({ title: 'Account deleted' })
  })

  it('P-523 a submitted form comes back with its values', async () => {
    const one = session()
    const values = { name: 'Ada', email: 'ada@example.com', rating: 5 }
    const { answer } = await one.play(
      'guide',
      pressed({ action: { type: 'payload', payload: { form: 'feedback' } }, values }),
    )
    expect(answer).toContain('`ada@example.com`')
    expect(answer).not.toContain('`form`')
    expect(lastHints(one)).toMatchObject({ items: [{ key: 'name', value: 'Ada' }, {}, { value: 5 }] })
  })
})
