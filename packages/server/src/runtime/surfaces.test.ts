import { setTimeout as sleep } from 'node:timers/promises'
import { hydrate, type Json, type SessionState } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { ended, type Harness, harness as make, OWNER, scripted } from './harness.fixture.ts'
import { splitOps } from './split-ops.ts'

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
    await h.runtime.submit(OWNER, id, { turnId: 't', text: 'draw' })
    const state = await h.until(id, ended)
    expect(said(state)).toContain('1 applied, 1 failed')
    expect(surfaceOf(state)).toMatchObject({ state: 'live', data: { name: 'Ann' } })
    expect([...surfaceOf(state).components.keys()].sort()).toEqual(['name', 'root', 'send'])
    const again = hydrate(JSON.parse(JSON.stringify(await h.runtime.snapshot(OWNER, id, 50))))
    expect(surfaceOf(again)).toEqual(surfaceOf(state))
  })

  it('P-618 a data model larger than an event arrives whole', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => ({ id: i, text: `row ${i} ${'x'.repeat(50)}` }))
    const h = await harness({ agents: [draws(create({ name: '', rows }))] })
    const id = await h.session()
    await h.runtime.submit(OWNER, id, { turnId: 't', text: 'draw' })
    const state = await h.until(id, ended)
    expect((surfaceOf(state).data as { rows: unknown }).rows).toEqual(rows)
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
    await h.runtime.submit(OWNER, id, { turnId: 't', text: 'draw' })
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

  it('A2-01 P-618 a session can disable them', async () => {
    const h = await harness({ agents: [draws(create({}))] })
    const id = await h.session({ metadata: { enableA2ui: false } })
    await h.runtime.submit(OWNER, id, { turnId: 't', text: 'draw' })
    const state = await h.until(id, ended)
    expect(said(state)).toContain('0 applied, 1 failed')
    expect(state.surfaces.byId.size).toBe(0)
  })

  it('P-619 an interaction starts a turn when idle, steers when a run is active, and keeps what was typed', async () => {
    const h = await harness({ agents: [draws(create({ name: '' }))] })
    const id = await h.session()
    await h.runtime.submit(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, ended)
    const action = { componentId: 'send', eventType: 'click' as const, payload: { values: { name: 'Bo' } } }
    const click = { key: 'click-1', ...action, edits: { '/name': 'Bo' } }
    expect(await h.runtime.surfaceAction(OWNER, id, 'form', click)).toMatchObject({ state: 'started' })
    const idle = await h.until(id, state => state.counts.runs === 2 && ended(state))
    expect(surfaceOf(idle).data).toEqual({ name: 'Bo' })
    expect(said(idle)).toContain('[a2ui.action]\n{"surfaceId":"form","componentId":"send","eventType":"click"')

    await h.runtime.submit(OWNER, id, { turnId: 't3', text: 'wait' })
    await h.until(id, state => state.counts.runs === 3 && said(state).split('applied').length > 2)
    expect(await h.runtime.surfaceAction(OWNER, id, 'form', { key: 'click-2', ...action })).toMatchObject({
      state: 'steered',
    })
    const steered = await h.until(id, state => state.counts.runs === 3 && ended(state))
    expect(steered.steers.byId.get('click-2')).toMatchObject({ state: 'consumed' })
    await expect(h.runtime.surfaceAction(OWNER, id, 'gone', { key: 'x', ...action })).rejects.toMatchObject({
      code: 'surface_not_found',
    })
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
    await h.runtime.submit(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, ended)
    const click = { key: 'k', componentId: 'send', eventType: 'click' as const }
    const press = () => h.runtime.surfaceAction(OWNER, id, 'form', click)
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
    await h.runtime.submit(OWNER, id, { turnId: 't', text: 'draw' })
    await h.until(id, state => state.surfaces.byId.size === 1)
    await h.runtime.surfaceAction(OWNER, id, 'form', { key: 'k', componentId: 'send', eventType: 'click' })
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
    await h.runtime.submit(OWNER, id, { turnId: 't', text: 'go' })
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

describe('operations in events', () => {
  it('P-618 are split so that each fits, and mean the same', () => {
    const value = { 'a/b': { '~': ['x'.repeat(300), 'y'.repeat(300)] }, small: 1 }
    const groups = splitOps(
      [
        { op: 'create', root: 'root' },
        { op: 'set', path: '', value },
      ],
      400,
    )
    expect(groups.length).toBeGreaterThan(2)
    const sets = groups.flat().filter(op => op.op === 'set')
    expect(sets.map(op => op.path)).toEqual(['', '/a~1b', '/a~1b/~0', '/a~1b/~0/0', '/a~1b/~0/1', '/small'])
  })
})
