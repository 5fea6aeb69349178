import { setTimeout as sleep } from 'node:timers/promises'
import { hydrate, type Json, type JsonObject, type SessionState } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentContext } from '../agents/agent.ts'
import { ended, type Harness, harness as make, OWNER, scripted } from './harness.fixture.ts'

const open: Harness[] = []
const harness = async (...args: Parameters<typeof make>): Promise<Harness> => {
  const made = await make(...args)
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
})

const create = (dataModel: Json) => ({
  version: 'v0.9',
  createSurface: {
    surfaceId: 'form',
    catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json',
    root: {
      id: 'root',
      type: 'Column',
      children: [
        { id: 'name', type: 'TextField', props: { label: 'Name', value: { path: '/name' } } },
        { id: 'send', type: 'Button', props: { text: 'Send' } },
      ],
    },
    dataModel,
  },
})
const draws = (...envelopes: Json[]) =>
  scripted(async function* (input, { surfaces, steers }) {
    if (input.text.startsWith('[a2ui.action]')) {
      yield { type: 'text.delta', partId: 'p', delta: input.text }
      return
    }
    const { applied, failed } = await surfaces.apply(envelopes)
    yield { type: 'text.delta', partId: 'p', delta: `${applied} applied, ${failed} failed` }
    if (input.text !== 'wait') return
    await steers.wait()
    for (const { text } of await steers.take()) yield { type: 'text.delta', partId: 'p2', delta: text }
  })
const surfaceOf = (state: SessionState) => state.surfaces.byId.get('form')!
const said = (state: SessionState): string =>
  [...state.parts.byId.values()].map(part => part.text.toString()).join('\n')

describe('surfaces in the runtime', () => {
  it('P-618 envelopes apply or fail one by one, and every reader folds the same surface', async () => {
    const h = await harness({
      agents: [draws(create({ name: 'Ann' }), { version: 'v0.7', deleteSurface: { surfaceId: 'form' } })],
    })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    const state = await h.until(id, ended)
    expect(said(state)).toContain('1 applied, 1 failed')
    expect(surfaceOf(state)).toMatchObject({ state: 'live', data: { root: { name: 'Ann' } } })
    expect([...surfaceOf(state).components.keys()].sort()).toEqual(['name', 'root', 'send'])
    const again = hydrate(JSON.parse(JSON.stringify(await h.runtime.getSession(OWNER, id, 50))))
    expect(surfaceOf(again)).toEqual(surfaceOf(state))
  })

  it('P-618 a surface whose message was edited is closed, and one that is made again stands in the new message', async () => {
    const answers: JsonObject[] = []
    const agent = scripted(async function* ({ text }, { surfaces }) {
      const envelopes = text.startsWith('update')
        ? [{ version: 'v0.9', updateDataModel: { surfaceId: 'form', path: '/name', value: 'Bob' } }]
        : [create({ name: text })]
      answers.push(...((await surfaces.apply(envelopes)).results as JsonObject[]))
      yield { type: 'text.delta', partId: 'p', delta: 'done' }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'Ann' })
    const before = surfaceOf(await h.until(id, ended))
    await h.runtime.editMessage(OWNER, id, 1, { turnId: 't2', text: 'update it' })
    expect(surfaceOf(await h.until(id, ended))).toMatchObject({ state: 'removed' })
    expect(answers[1]).toMatchObject({ ok: false, code: 'unknown_surface' })

    await h.runtime.editMessage(OWNER, id, 3, { turnId: 't3', text: 'Eve' })
    const state = await h.until(id, ended)
    const again = surfaceOf(state)
    expect(answers[2]).toMatchObject({ ok: true })
    expect(again).toMatchObject({ state: 'live', data: { root: { name: 'Eve' } } })
    expect(again.messageId).not.toBe(before.messageId)
    expect(state.messages.byId.get(again.messageId!)).toMatchObject({ rewindId: null })
    expect(state.parts.byId.get(again.partId!)).toMatchObject({ refId: 'form', messageId: again.messageId })
    const late = hydrate(JSON.parse(JSON.stringify(await h.runtime.getSession(OWNER, id, 50))))
    expect(surfaceOf(late)).toEqual(again)
  })

  it('A2-360 when a message is edited or answered again, earlier surfaces are what they were at that point', async () => {
    const at = { surfaceId: 'form' }
    const set = (value: string) => ({ version: 'v0.9', updateDataModel: { ...at, path: '/name', value } })
    const said: Record<string, Json[]> = {
      draw: [create({ name: 'first' })],
      second: [set('second')],
      third: [
        {
          version: 'v0.9',
          updateComponents: { ...at, delete: ['send'], components: [{ id: 'x', component: 'Text', text: 'x' }] },
        },
        set('third'),
      ],
      gone: [{ version: 'v0.9', deleteSurface: at }],
      nothing: [],
    }
    const seen: Json[] = []
    const agent = scripted(async function* (input, { surfaces }) {
      // Drawn before the first word of the answer.
      for (const envelope of said[input.text]!) seen.push((await surfaces.apply([envelope])).applied!)
      yield { type: 'text.delta', partId: 'p', delta: 'done' }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    let runs = 0
    const turn = async (text: string) => {
      await h.runtime.submitTurn(OWNER, id, { turnId: `t-${++runs}`, text })
      return h.until(id, state => state.counts.runs === runs && ended(state))
    }
    const edit = async (ordinal: number, text: string) => {
      await h.runtime.editMessage(OWNER, id, ordinal, { turnId: `e-${++runs}`, text })
      return h.until(id, state => state.counts.runs === runs && ended(state))
    }
    const shown = (state: SessionState) => {
      const { state: is, data, components } = surfaceOf(state)
      return [is, data.root, [...components.keys()].toSorted()]
    }
    await turn('draw')
    const second = shown(await turn('second'))
    expect(second).toEqual(['live', { name: 'second' }, ['name', 'root', 'send']])
    expect(shown(await turn('third'))).toEqual(['live', { name: 'third' }, ['name', 'root', 'x']])
    // What was drawn by the answers before the edited message stays.
    expect(shown(await edit(5, 'nothing'))).toEqual(second)
    expect(shown(await edit(7, 'gone'))[0]).toBe('removed')
    const back = await edit(9, 'second')
    expect(shown(back)).toEqual(second)
    expect(seen.at(-1)).toBe(1)
    // Another answer to the second turn begins with the surface of the first one.
    await h.runtime.regenerateMessage(OWNER, id, 4, { newRunId: 'again' })
    runs++
    const again = await h.until(id, state => state.counts.runs === runs && ended(state))
    expect(shown(again)).toEqual(second)
    const values = (await h.events(id)).flatMap(event =>
      event.type === 'surface.changed' && event.by ? event.ops.flatMap(op => (op.op === 'set' ? [op.value] : [])) : [],
    )
    expect(values.at(-1)).toEqual({ name: 'first' })
    const stored = hydrate(JSON.parse(JSON.stringify(await h.runtime.getSession(OWNER, id, 50))))
    expect(shown(stored)).toEqual(second)
  })

  it('P-618 a surface that was deleted and is made again in a later turn stands there', async () => {
    const deleted = { version: 'v0.9', deleteSurface: { surfaceId: 'form' } }
    const agent = scripted(async function* ({ text }, { surfaces }) {
      await surfaces.apply(text === 'again' ? [deleted, create({ name: text })] : [create({ name: text })])
      yield { type: 'text.delta', partId: 'p', delta: 'done' }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'first' })
    const before = surfaceOf(await h.until(id, ended))
    const { messageId, partId } = before
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'again' })
    const state = await h.until(
      id,
      ({ runs }) => runs.byId.size === 2 && [...runs.byId.values()].every(run => run.endedAt),
    )
    const { messageId: now, partId: part } = surfaceOf(state)
    expect([now, part]).not.toContain(messageId)
    expect(part).not.toBe(partId)
    expect(state.parts.byId.get(part!)).toMatchObject({ messageId: now, refId: 'form' })
  })

  it('P-618 a data model larger than an event arrives whole', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => ({ id: i, text: `row ${i} ${'x'.repeat(50)}` }))
    const h = await harness({ agents: [draws(create({ name: '', rows }))] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    const state = await h.until(id, ended)
    expect((surfaceOf(state).data.root as { rows: unknown }).rows).toEqual(rows)
    for (const event of await h.events(id)) expect(JSON.stringify(event).length).toBeLessThan(65_536)
  })

  it('A2-14 P-618 any agent can hand the a2ui tool to its model; a call is shown and answers with what to correct', async () => {
    const answers: unknown[] = []
    const modelled = scripted(async function* (_input, { tools }) {
      const a2ui = tools.find(({ name }) => name === 'a2ui')!
      expect(a2ui).toMatchObject({
        inputSchema: { required: ['envelopes'] },
        prompt: expect.stringContaining('createSurface'),
      })
      answers.push(await a2ui.call({ envelopes: [create({ name: 'Ann' })] }))
      answers.push(
        await a2ui.call({ envelopes: [{ version: 'v0.9', updateDataModel: { surfaceId: 'nope', path: '/x' } }] }),
      )
      answers.push(await a2ui.call({}))
      yield { type: 'text.delta', partId: 'p', delta: 'drawn' }
    })
    const h = await harness({ agents: [modelled] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    const state = await h.until(id, ended)
    expect(answers).toMatchObject([
      { applied: 1, failed: 0 },
      { applied: 0, failed: 1, results: [{ ok: false, error: expect.stringContaining('nope') }] },
      { failed: 1, error: expect.stringContaining('envelopes') },
    ])
    expect([...state.tools.byId.values()].map(tool => `${tool.name} ${tool.state}`)).toEqual([
      'a2ui done',
      'a2ui failed',
      'a2ui failed',
    ])
    expect(surfaceOf(state)).toMatchObject({ state: 'live' })
  })

  it('A2-339 the a2ui tool reads one envelope with and without its list, and says that an empty list draws nothing', async () => {
    const answers: unknown[] = []
    const modelled = scripted(async function* (_input, { tools }) {
      const a2ui = tools.find(({ name }) => name === 'a2ui')!
      const envelope = create({ name: 'Ann' })
      for (const args of [{ envelopes: [] }, { envelopes: envelope }, envelope])
        answers.push(await a2ui.call(args as JsonObject))
      yield { type: 'text.delta', partId: 'p', delta: 'drawn' }
    })
    const h = await harness({ agents: [modelled] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, ended)
    expect(answers).toMatchObject([
      { applied: 0, failed: 1, error: expect.stringContaining('one envelope or more') },
      { applied: 1, failed: 0 },
      { applied: 1, failed: 0 },
    ])
  })

  it('A2-01 P-618 a session can disable surfaces', async () => {
    const h = await harness({ agents: [draws(create({}))] })
    const id = await h.session({ metadata: { enableA2ui: false } })
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    const state = await h.until(id, ended)
    expect(said(state)).toContain('0 applied, 1 failed')
    expect(state.surfaces.byId.size).toBe(0)
  })

  it('P-619 an interaction starts a turn when idle, steers when a run is active, and keeps what was typed', async () => {
    const h = await harness({ agents: [draws(create({ name: '' }))] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, ended)
    const action = { componentId: 'send', eventType: 'click' as const, payload: { values: { name: 'Bo' } } }
    const click = { key: 'click-1', ...action, edits: { '/name': 'Bo' } }
    expect(await h.runtime.sendSurfaceInteraction(OWNER, id, 'form', click)).toMatchObject({ state: 'started' })
    const idle = await h.until(id, state => state.counts.runs === 2 && ended(state))
    expect(surfaceOf(idle).data.root).toEqual({ name: 'Bo' })
    expect(said(idle)).toContain('[a2ui.action]\n{"surfaceId":"form","componentId":"send","eventType":"click"')

    await h.runtime.submitTurn(OWNER, id, { turnId: 't3', text: 'wait' })
    await h.until(id, state => state.counts.runs === 3 && said(state).split('applied').length > 2)
    expect(await h.runtime.sendSurfaceInteraction(OWNER, id, 'form', { key: 'click-2', ...action })).toMatchObject({
      state: 'steered',
    })
    const steered = await h.until(id, state => state.counts.runs === 3 && ended(state))
    expect(steered.steers.byId.get('click-2')).toMatchObject({ state: 'consumed' })
    await expect(h.runtime.sendSurfaceInteraction(OWNER, id, 'gone', { key: 'x', ...action })).rejects.toMatchObject({
      code: 'surface_not_found',
    })
  })

  it('A2-358 a press that no page could make is refused with the reason, and nothing of it is kept', async () => {
    const buttons = [
      { id: 'named', component: 'Button', child: 'x', action: { event: { name: 'save' } } },
      {
        id: 'link',
        component: 'Button',
        child: 'x',
        action: { functionCall: { call: 'openUrl', args: { url: 'https://a.example' } } },
      },
      { id: 'quiet', component: 'TextField', label: 'L' },
      { id: 'asks', component: 'TextField', label: 'L', action: { event: { name: 'find' } } },
      { id: 'unknown', type: 'Host', props: {} },
    ]
    const root = { id: 'root', component: 'Column', children: ['name', 'send', ...buttons.map(({ id }) => id)] }
    const more = { version: 'v0.9', updateComponents: { surfaceId: 'form', components: [root, ...buttons] } }
    const h = await harness({ agents: [draws(create({ name: '' }), more)] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, ended)
    const press = (componentId: string, eventType: 'click' | 'submit' | 'change', name?: string) =>
      h.runtime.sendSurfaceInteraction(OWNER, id, 'form', {
        key: `${componentId}-${eventType}-${name}`,
        componentId,
        eventType,
        edits: { '/name': 'kept?' },
        ...(name !== undefined && { name }),
      })
    for (const [component, event, name] of [
      ['nobody', 'click'],
      ['root', 'click'],
      ['name', 'click'],
      ['send', 'submit'],
      ['send', 'click', 'save'],
      ['named', 'click', 'delete'],
      // A page sends the name that the component declares.
      ['named', 'click'],
      ['asks', 'submit'],
      ['link', 'click'],
      ['quiet', 'change'],
      ['quiet', 'submit'],
      ['asks', 'change'],
      // The catalog of the surface has no such type.
      ['unknown', 'change'],
    ] as const) {
      await expect(press(component, event, name), `${component} ${event} ${name}`).rejects.toMatchObject({
        code: 'ui_action_not_offered',
      })
    }
    for (const [component, name, rule] of [
      ['named', undefined, "declares the event 'save'"],
      ['send', 'save', 'declares no event'],
    ] as const)
      await expect(press(component, 'click', name)).rejects.toMatchObject({
        errors: [{ path: '/name', detail: expect.stringContaining(rule) }],
      })
    const state = await h.until(id, ended)
    expect([state.counts.runs, surfaceOf(state).data.root]).toEqual([1, { name: '' }])
    await h.runtime.updateQueue(OWNER, id, { held: true })
    for (const [component, event, name] of [
      ['name', 'change'],
      ['name', 'submit'],
      ['send', 'click'],
      ['named', 'click', 'save'],
      ['asks', 'submit', 'find'],
    ] as const)
      expect(await press(component, event, name), `${component} ${event}`).toMatchObject({ state: 'queued' })
  })

  /** A surface with these parts, and what becomes of presses on it. */
  const pressable = async (components: JsonObject[], ...later: JsonObject[]) => {
    const at = { surfaceId: 'form' }
    const root = { id: 'root', component: 'Column', children: ['send', ...components.map(({ id }) => id as string)] }
    const drawn = { version: 'v0.9', updateComponents: { ...at, components: [root, ...components] } }
    const h = await harness({ agents: [draws(create({ name: '', price: 100 }), drawn, ...later)] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    expect(said(await h.until(id, ended))).toContain(' 0 failed')
    await h.runtime.updateQueue(OWNER, id, { held: true })
    let keys = 0
    const press = (what: {
      componentId?: string
      eventType?: 'submit' | 'change'
      payload?: Json
      edits?: JsonObject
    }) =>
      h.runtime.sendSurfaceInteraction(OWNER, id, 'form', {
        key: `k${++keys}`,
        componentId: 'send',
        eventType: 'click',
        ...what,
      })
    return { press, data: async () => surfaceOf(await h.until(id, ended)).data.root }
  }

  it('A2-383 an edit is taken where a field is or was bound, and refused anywhere else with its pointer', async () => {
    const { press, data } = await pressable(
      [
        { id: 'name', component: 'TextField', label: 'L', value: { path: '/name' } },
        { id: 'free', component: 'TextField', label: 'L' },
        { id: 'said', component: 'TextField', label: 'L', value: { call: 'formatString', args: { value: 'x' } } },
        { id: 'old', component: 'TextField', label: 'L', value: { path: '/old' } },
        { id: 'list', component: 'List', children: { componentId: 'row', path: '/items' } },
        { id: 'inner', component: 'List', children: { componentId: 'tag', path: 'tags' } },
        { id: 'row', component: 'Column', children: ['field', 'inner'] },
        { id: 'field', component: 'TextField', label: 'L', value: { path: 'title' } },
        { id: 'price', component: 'Text', text: { path: '/price' } },
      ],
      {
        version: 'v0.9',
        updateComponents: {
          surfaceId: 'form',
          components: [{ id: 'tag', component: 'TextField', label: 'L', value: { path: '.' } }],
        },
      },
      {
        version: 'v0.9',
        updateDataModel: { surfaceId: 'form', path: '/items', value: [{ title: 'a', tags: ['x', 'y'] }] },
      },
      { version: 'v0.9', updateComponents: { surfaceId: 'form', delete: ['old'] } },
    )
    for (const key of ['/price', '', '/name/deep', '#name', '#send', '#nobody', 'name', '/other/0/title']) {
      await expect(press({ edits: { '/name': 'kept?', [key]: 1 } }), key).rejects.toMatchObject({
        code: 'ui_action_not_offered',
        errors: [{ path: `/edits/${key.replaceAll('/', '~1')}` }],
      })
    }
    expect(await data()).toMatchObject({ name: '', price: 100 })
    const edits = {
      '/name': 'Ann',
      '#free': 'f',
      '#said': 's',
      '/old': 'o',
      '/items/0/title': 't',
      '/items/0/tags/1': 'z',
    }
    expect(await press({ edits })).toMatchObject({ state: 'queued' })
    expect(await data()).toMatchObject({ name: 'Ann', old: 'o', items: [{ title: 't', tags: ['x', 'z'] }] })
  })

  it('A2-384 values that an input cannot have, a submit of one that has none, and what is not drawn are refused', async () => {
    const options = ['a', { value: 2, label: 'Two' }]
    const inputs: JsonObject[] = [
      { id: 'tick', type: 'Checkbox', props: { label: 'L', value: false } },
      { id: 'pick', type: 'Select', props: { label: 'L', options } },
      { id: 'many', type: 'ChoicePicker', props: { label: 'L', value: [], options } },
      { id: 'open', type: 'Select', props: { label: 'L', options: { path: '/options' } } },
      { id: 'some', type: 'Select', props: { label: 'L', options: [{ value: { path: '/name' }, label: 'N' }] } },
      { id: 'slide', type: 'Slider', props: { label: 'L', value: 1, min: 1, max: 10 } },
      { id: 'plain', type: 'Slider', props: { label: 'L', value: 1 } },
      { id: 'far', type: 'Slider', props: { label: 'L', value: 1, min: { path: '/least' }, max: 10 } },
      { id: 'line', type: 'TextField', props: { label: 'L' } },
      { id: 'lines', type: 'TextArea', props: { label: 'L' } },
      { id: 'day', type: 'DateTimeInput', props: { value: '2026-01-01' } },
    ]
    const lost = { id: 'lost', type: 'Button', props: { text: 'Lost' } }
    const { press } = await pressable(inputs, {
      version: 'v0.9',
      updateComponents: { surfaceId: 'form', components: [lost] },
    })
    await expect(press({ componentId: 'lost' })).rejects.toMatchObject({ code: 'ui_action_not_offered' })
    const good: Record<string, Json[]> = {
      tick: [true],
      pick: ['a', 2, '2', ['a']],
      many: [[], ['a', '2']],
      open: ['anything'],
      some: ['anything'],
      slide: [1, 5.5, 10],
      plain: [0, 100],
      far: [-5],
      line: ['', 'x', 7],
      lines: ['x'],
      day: ['2026-02-01'],
    }
    const bad: Record<string, Json[]> = {
      tick: ['true', 1, null],
      pick: ['b', ['a', 'b'], {}],
      many: [['a', 'b'], 'b'],
      open: [{ deep: 1 }],
      slide: [0, 11, '5', null],
      plain: [-1, 101],
      line: [{ a: 1 }, ['x'], true],
      day: [{}],
    }
    for (const [componentId, values] of Object.entries(good))
      for (const value of values)
        expect(await press({ componentId, eventType: 'change', payload: { value } }), componentId).toMatchObject({
          state: 'queued',
        })
    for (const [componentId, values] of Object.entries(bad))
      for (const value of values)
        await expect(
          press({ componentId, eventType: 'change', payload: { value } }),
          `${componentId} ${JSON.stringify(value)}`,
        ).rejects.toMatchObject({ code: 'ui_action_not_offered' })
    for (const { id } of inputs) {
      const sent = press({ componentId: id as string, eventType: 'submit' })
      if (id === 'line') expect(await sent).toMatchObject({ state: 'queued' })
      else await expect(sent, String(id)).rejects.toMatchObject({ code: 'ui_action_not_offered' })
    }
  })

  it('P-619 the same interaction sent again acts once, also while the run that it started works', async () => {
    const slow = scripted(async function* (input, { surfaces, steers }) {
      if (!input.text.startsWith('[')) return void (await surfaces.apply([create({})]))
      yield { type: 'text.delta', partId: 'p', delta: 'acting' }
      await sleep(80)
      for (const { text } of await steers.take()) yield { type: 'text.delta', partId: 'p', delta: text }
    })
    const h = await harness({ agents: [slow] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, ended)
    const click = { key: 'k', componentId: 'send', eventType: 'click' as const }
    const press = () => h.runtime.sendSurfaceInteraction(OWNER, id, 'form', click)
    expect([await press(), await press()]).toMatchObject([{ state: 'started' }, { state: 'started' }])
    const state = await h.until(id, now => now.counts.runs === 2 && ended(now))
    expect(await press()).toMatchObject({ state: 'started' })
    expect(state.steers.byId.size).toBe(0)
    expect((await h.state(id)).counts.runs).toBe(2)
  })

  it('P-619 an interaction that the run did not take up becomes a turn of its own', async () => {
    const busy = scripted(async function* (input, { surfaces }) {
      yield { type: 'text.delta', partId: 'p', delta: input.text }
      if (input.text.startsWith('[')) return
      await surfaces.apply([create({})])
      await sleep(120)
    })
    const h = await harness({ agents: [busy] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, state => state.surfaces.byId.size === 1)
    await h.runtime.sendSurfaceInteraction(OWNER, id, 'form', { key: 'k', componentId: 'send', eventType: 'click' })
    const state = await h.until(id, now => now.counts.runs === 2 && ended(now))
    expect(said(state)).toContain('[a2ui.action]')
  })
})

describe('results described by hints', () => {
  it('P-620 carry the interface, and wrong hints tell the agent what to correct', async () => {
    const answers: unknown[] = []
    const agent = scripted(async function* (_input, { tools }) {
      const showUi = tools.find(({ name }) => name === 'show_ui')!.call
      yield { type: 'tool.started', partId: 'pt', toolCallId: 'c', name: 'create' }
      yield { type: 'tool.result', toolCallId: 'c', uiHints: { intent: 'status', status: 'success', title: 'Created' } }
      answers.push(await showUi({ intent: 'data', status: 'info', title: 'Shown' }))
      answers.push(await showUi({ intent: 'data', status: 'splendid', title: 7 }))
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    const state = await h.until(id, ended)
    const [created, shown, refused] = [...state.tools.byId.values()]
    expect(created!.result).toMatchObject({
      known: true,
      value: { ui: { version: '2.0', status: 'success' }, uiHints: { title: 'Created' } },
    })
    expect(shown).toMatchObject({ name: 'show_ui', state: 'done' })
    expect(refused).toMatchObject({ state: 'failed', error: { code: 'ui_hints' } })
    expect(answers).toMatchObject([{ shown: true }, { shown: false, error: expect.stringContaining('/status') }])
  })
})

const CATALOG = 'https://a2ui.org/specification/v0_9/basic_catalog.json'
const surface = (surfaceId: string, root: Json, more: JsonObject = {}): JsonObject => ({
  version: 'v0.9',
  createSurface: { surfaceId, catalogId: CATALOG, root, ...more },
})
const range = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const deep = (depth: number): Json => {
  let value: Json = 'end'
  for (let i = 0; i < depth; i++) value = { a: value }
  return value
}

/** Lets an agent apply these in one call; gives the codes of the answer, and the state and events after it. */
async function applied(envelopes: unknown[]) {
  const answers: JsonObject[] = []
  const agent = scripted(async function* (_input, { surfaces }) {
    answers.push(await surfaces.apply(envelopes as Json[]))
    yield { type: 'text.delta', partId: 'p', delta: 'done' }
  })
  const h = await harness({ agents: [agent] })
  const id = await h.session()
  await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
  const state = await h.until(id, ended)
  const events = await h.events(id)
  for (const event of events) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(65_536)
  expect([...state.runs.byId.values()].map(run => run.outcome)).toEqual(['completed'])
  const codes = (answers[0]!.results as JsonObject[]).map(({ ok, code }) => (ok ? 'ok' : code))
  return { state, codes, results: answers[0]!.results as JsonObject[] }
}
const before = surface('before', { type: 'Text', props: { text: 'before' } })
const after = surface('after', { type: 'Text', props: { text: 'after' } })

describe('P-681 limits of engine and event are the same', () => {
  it('P-681 an envelope that is larger than an event is stored in several events', async () => {
    const rows = range(2_000, i => ({ id: i, name: `Row number ${i}`, city: 'Łódź' }))
    const options = range(2_500, i => ({ label: `Option number ${i}`, value: `option-${i}` }))
    const ids = range(4_500, i => `child-number-${i}`)
    const texts = range(20, i => `${i}${'\u0001"\\é'.repeat(3_000)}`)
    const { state, codes } = await applied([
      before,
      surface('table', { id: 'root', type: 'Table', props: { columns: [{ key: 'name' }], rows } }),
      surface('select', { id: 'root', type: 'Select', props: { label: 'One', options, value: { path: '/one' } } }),
      surface('column', {
        id: 'root',
        type: 'Column',
        children: ids.map(id => ({ id, type: 'Text', props: { text: id } })),
      }),
      surface('texts', 'root', { dataModel: { texts } }),
      after,
    ])
    expect(codes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
    const root = (id: string) => state.surfaces.byId.get(id)!.components.get('root')
    expect(root('table')).toMatchObject({ type: 'Table', rows })
    expect(root('select')).toMatchObject({ type: 'Select', options })
    expect(root('column')).toMatchObject({ type: 'Column', children: ids })
    expect(state.surfaces.byId.get('column')!.components.size).toBe(4_501)
    expect(state.surfaces.byId.get('texts')!.data.root).toEqual({ texts })
    expect(state.surfaces.byId.get('after')!.state).toBe('live')
  })

  it('P-681 what no event could carry is refused by itself, with code and path, and nothing is thrown', async () => {
    const chain = range(4_999, i => ({ id: i === 0 ? 'root' : `c${i}`, component: 'Card', child: `c${i + 1}` }))
    const cyclic: JsonObject = { version: 'v0.9' }
    cyclic.createSurface = { surfaceId: 'x', cyclic }
    const hostile = Object.defineProperty({ version: 'v0.9' }, 'createSurface', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    const data = (path: string, value: Json) => ({
      version: 'v0.9',
      updateDataModel: { surfaceId: 'before', path, value },
    })
    const cases: [unknown, string, string?][] = [
      [surface('s'.repeat(300), { type: 'Text' }), 'id_too_long', '/createSurface/surfaceId'],
      [surface('..', { type: 'Text' }), 'validation_failed', '/createSurface/surfaceId'],
      [surface('\ud800', { type: 'Text' }), 'validation_failed', '/createSurface/surfaceId'],
      [surface('x', { id: 'c'.repeat(300), type: 'Text' }), 'id_too_long', '/createSurface/root/id'],
      [
        surface('x', { id: 'c'.repeat(199), type: 'Column', children: [{ type: 'Text' }] }),
        'id_too_long',
        '/createSurface/root/children/0/id',
      ],
      [surface('x', 'r'.repeat(300)), 'id_too_long', '/createSurface/root'],
      [surface('x', 'root', { catalogId: 'c'.repeat(3_000) }), 'id_too_long', '/createSurface/catalogId'],
      [surface('x', 'root', { components: chain }), 'too_deep', '/createSurface/components/64'],
      [surface('x', { id: 'root', type: 'Text', props: { text: deep(10_000) } }), 'too_deep', '/createSurface'],
      [
        surface('x', { id: 'root', type: 'Custom', props: { any: deep(100) } }),
        'too_deep',
        `/createSurface/root/props/any${'/a'.repeat(63)}`,
      ],
      [surface('x', 'root', { dataModel: { a: deep(10_000) } }), 'too_deep', '/createSurface'],
      [data(`/${'k'.repeat(2_001)}`, 1), 'path_too_long', '/updateDataModel/path'],
      [data('/a'.repeat(65), 1), 'too_deep', '/updateDataModel/path'],
      [data('/a', '\u0001'.repeat(32 * 1024)), 'string_too_long', '/updateDataModel/value'],
      [data('/a', { ['k'.repeat(2_500)]: range(30_000, i => i) }), 'path_too_long', '/updateDataModel/value'],
      [data('/list/900', 1), 'ok'],
      [data('/list/9000', 1), 'invalid_path', '/updateDataModel/path'],
      [cyclic, 'too_deep', '/createSurface'],
      [hostile, 'not_applied'],
      [{ version: 'v0.9', updateDataModel: { surfaceId: 'before', value: 1n } }, 'not_json', '/updateDataModel/value'],
      [data('/when', new Date(0) as never), 'ok'],
    ]
    const { state, results } = await applied([before, ...cases.map(([envelope]) => envelope), after])
    expect(results.map(({ ok, code, path }) => [ok ? 'ok' : code, path])).toMatchObject([
      ['ok', undefined],
      ...cases.map(([, code, path]) => [code, path ?? (code === 'ok' ? undefined : '')]),
      ['ok', undefined],
    ])
    expect([...state.surfaces.byId.keys()]).toEqual(['before', 'after'])
    expect(state.surfaces.byId.get('before')!.data.root).toMatchObject({ when: '1970-01-01T00:00:00.000Z' })
  })

  it('P-681 when the log does not take an envelope the engine goes back to the facts', async () => {
    const answers: JsonObject[] = []
    let context: AgentContext | undefined
    const agent = scripted(async function* (_input, given) {
      if (context) answers.push(await context.surfaces.apply([before]))
      context = given
      answers.push(await given.surfaces.apply([before]))
      yield { type: 'text.delta', partId: 'p', delta: 'done' }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't1', text: 'draw' })
    await h.until(id, ended)
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'draw' })
    const state = await h.until(id, now => now.counts.runs === 2 && ended(now))
    expect(answers).toMatchObject([
      { applied: 1 },
      { applied: 0, failed: 1, results: [{ ok: false, code: 'not_stored' }] },
      { applied: 1 },
    ])
    expect(state.surfaces.byId.get('before')!.state).toBe('live')
  })
})

describe('P-682 what a person typed', () => {
  const form = surface('form', {
    id: 'root',
    type: 'Column',
    children: [
      { id: 'notes', type: 'TextArea', props: { label: 'Notes', value: { path: '/notes' } } },
      { id: 'name', type: 'TextField', props: { label: 'Name', value: { path: '/name' } } },
      { id: 'free', type: 'TextField', props: { label: 'Free' } },
      { id: 'send', type: 'Button', props: { text: 'Send' } },
    ],
  })
  const click = (key: string, edits: JsonObject) => ({ key, componentId: 'send', eventType: 'click' as const, edits })

  it('P-682 L7 an edit that is too long is refused with its field; nothing is delivered and nothing else is taken', async () => {
    const h = await harness({ agents: [draws(form)] })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    const drawn = await h.until(id, ended)
    const send = (edits: JsonObject) => h.runtime.sendSurfaceInteraction(OWNER, id, 'form', click('k', edits))
    const long = 'x'.repeat(34_000)
    await expect(send({ '/name': 'Ann', '/notes': long })).rejects.toMatchObject({
      code: 'string_too_long',
      errors: [{ path: '/edits/~1notes' }],
      next: expect.stringContaining('Change'),
    })
    await expect(send({ '#free': long })).rejects.toMatchObject({
      code: 'string_too_long',
      errors: [{ path: '/edits/#free' }],
    })
    await expect(send({ '/name': 'Ann' })).resolves.toBeDefined()
    const state = await h.until(id, now => now.counts.runs === 2 && ended(now))
    expect(state.seq).toBeGreaterThan(drawn.seq)
    expect(surfaceOf(state).data.root).toEqual({ name: 'Ann' })
  })

  it('P-682 the same key again does not write over what the agent wrote since, also when the surface is gone', async () => {
    const agent = scripted(async function* (input, { surfaces }) {
      const acting = input.text.startsWith('[a2ui.action]')
      await surfaces.apply(
        acting
          ? [{ version: 'v0.9', updateDataModel: { surfaceId: 'form', path: '/name', value: 'agent' } }]
          : input.text === 'remove'
            ? [{ version: 'v0.9', deleteSurface: { surfaceId: 'form' } }]
            : [form],
      )
      yield { type: 'text.delta', partId: 'p', delta: 'done' }
    })
    const h = await harness({ agents: [agent] })
    const id = await h.session()
    const send = () => h.runtime.sendSurfaceInteraction(OWNER, id, 'form', click('k', { '/name': 'person' }))
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, ended)
    expect(await Promise.all([send(), send()])).toMatchObject([{ state: 'started' }, { state: 'started' }])
    await h.until(id, now => now.counts.runs === 2 && ended(now))
    expect(await send()).toMatchObject({ state: 'started' })
    expect(surfaceOf(await h.state(id)).data.root).toEqual({ name: 'agent' })
    await h.runtime.submitTurn(OWNER, id, { turnId: 't2', text: 'remove' })
    await h.until(id, now => now.counts.runs === 3 && ended(now))
    expect(await send()).toMatchObject({ state: 'started' })
    await expect(h.runtime.sendSurfaceInteraction(OWNER, id, 'form', click('new', {}))).rejects.toMatchObject({
      code: 'surface_not_found',
    })
  })
})
