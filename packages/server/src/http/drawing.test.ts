import { hintsToSchema, type UiHintsPayload } from '@vitrine/genui/hints'
import type { UiNode, UiSchemaRenderer } from '@vitrine/genui/schema'
import { type JsonObject, UI_SCHEMA_MEDIA_TYPE } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentOutput } from '../agents/agent.ts'
import { agentThat, type Door, ofType, openDoor, saidIn } from '../door.test.kit.ts'
import type { ToolOutput } from '../tools/tool.ts'

const CATALOG = 'https://a2ui.org/specification/v0_9/basic_catalog.json'

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Calls the tool that a turn names with the arguments that it brings, and says what the call returned. */
const agent = agentThat(async function* (
  { text, interaction },
  { tools, steers, signal },
): AsyncGenerator<AgentOutput> {
  const say = (delta: string): AgentOutput => ({ type: 'text.delta', partId: 'p', delta })
  if (interaction) return yield say(`told: ${text}`)
  if (text === 'wait') {
    await steers.wait()
    for (const steer of await steers.take()) yield say(`steered: ${steer.text}`)
    return await aborted(signal)
  }
  if (text === 'tools') return yield say(JSON.stringify(tools.map(({ name, inputSchema }) => [name, inputSchema.type])))
  const { tool, args } = JSON.parse(text) as { tool: string; args: JsonObject }
  if (tool === 'result') {
    yield { type: 'tool.started', partId: 'c', toolCallId: 'c', name: 'look' }
    return yield { type: 'tool.result', toolCallId: 'c', uiHints: args }
  }
  if (tool === 'output') {
    yield { type: 'tool.started', partId: 'c', toolCallId: 'c', name: 'look' }
    return yield { type: 'tool.result', toolCallId: 'c', ...args }
  }
  const found = tools.find(({ name }) => name === tool)
  yield say(JSON.stringify(found ? await found.call(args) : null))
})

let door: Door
beforeAll(async () => {
  door = await openDoor([agent], { limits: { interruptMs: 300 } })
})
afterAll(() => door.close())

describe('the a2ui tool, seen by HTTP', () => {
  let id: string
  let runs = 0
  const call = async (tool: string, args: object) => {
    const { runId } = (await door.submitTurn(id, JSON.stringify({ tool, args }))).json
    runs++
    return JSON.parse(saidIn(await door.ended(id, runs), runId))
  }
  const draw = (...envelopes: unknown[]) => call('a2ui', { envelopes })
  const envelope = (kind: string, body: object) => ({ version: 'v0.9', [kind]: { surfaceId: 's', ...body } })
  const text = (of: string, words: unknown) => ({ id: of, type: 'Text', props: { text: words } })
  const create = (children: object[], dataModel: object = {}) =>
    envelope('createSurface', { catalogId: CATALOG, root: { id: 'root', type: 'Column', children }, dataModel })
  const surface = async (surfaceId = 's') =>
    (await door.call('GET', `/sessions/${id}`)).json.entities.surfaces.find(
      (one: { surfaceId: string }) => one.surfaceId === surfaceId,
    )
  const drawn = async () => JSON.stringify(await surface())
  beforeAll(async () => {
    id = await door.session()
  })

  it('A2-01 A2-14 is there unless the session says otherwise', async () => {
    const named = async (session: string) => saidIn(await door.ended(session))
    const other = await door.session({ metadata: { enableA2ui: false } })
    const plain = await door.session()
    await door.submitTurn(other, 'tools')
    await door.submitTurn(plain, 'tools')
    expect(JSON.parse(await named(plain))).toEqual([
      ['a2ui', 'object'],
      ['show_ui', 'object'],
      ['ask', 'object'],
    ])
    expect(JSON.parse(await named(other))).toEqual([
      ['show_ui', 'object'],
      ['ask', 'object'],
    ])
  })

  it('A2-06 A2-07 A2-66 A2-67 refuses another version, several kinds and none, each with its error, and applies the rest', async () => {
    const answer = await draw(
      { ...create([text('a', 'Hello')]), version: 'v0.8' },
      { version: 'v0.9' },
      { ...create([]), ...envelope('deleteSurface', {}) },
      envelope('updateDataModel', { path: '/n', value: 1 }),
      create([text('a', 'Hello')], { n: 1 }),
    )
    expect(answer).toMatchObject({
      applied: 1,
      failed: 4,
      results: [
        { ok: false, path: '/version', error: expect.stringContaining('v0.9') },
        { ok: false, error: expect.any(String) },
        { ok: false, error: expect.any(String) },
        { ok: false, error: expect.stringContaining('createSurface') },
        { ok: true, surfaceId: 's' },
      ],
    })
  })

  it('A2-08 A2-61 createSurface is there with its tree and its data, also for a late reader and after a restart', async () => {
    await draw(create([text('a', 'Hello'), text('b', { path: '/n' })], { n: 41 }))
    const before = await surface()
    expect(JSON.stringify(before)).toMatch(/Hello/)
    expect(before.data).toEqual({ n: 41 })
    await door.restart()
    // Whether it was folded or loaded is no difference to anybody who looks.
    expect({ ...(await surface()), asOf: before.asOf }).toEqual(before)
  })

  it('A2-09 A2-10 A2-11 A2-63 updateComponents changes by id, replaces a subtree and deletes', async () => {
    await draw(
      create([
        text('a', 'first'),
        { id: 'card', type: 'Card', children: [text('inner', 'inside')] },
        text('z', 'last'),
      ]),
    )
    await draw(envelope('updateComponents', { components: [text('a', 'changed')] }))
    expect(await drawn()).toMatch(/changed/)
    expect(await drawn()).not.toMatch(/"first"/)
    const component = { type: 'Card', children: [text('other', 'exchanged')] }
    await draw(envelope('updateComponents', { replace: { id: 'card', component } }))
    expect(await drawn()).toMatch(/exchanged/)
    expect(await drawn()).not.toMatch(/"inside"/)
    await draw(envelope('updateComponents', { delete: ['z'] }))
    expect(await drawn()).not.toMatch(/"last"/)
    expect(await drawn()).toMatch(/changed/)
  })

  it('A2-12 A2-62 updateDataModel changes one path and nothing else; without a value the path is gone', async () => {
    await draw(create([], { a: { b: 1, c: 2 }, d: [1] }))
    await draw(envelope('updateDataModel', { path: '/a/b', value: 'new' }))
    expect((await surface()).data).toEqual({ a: { b: 'new', c: 2 }, d: [1] })
    await draw(envelope('updateDataModel', { path: '/a/c' }))
    expect((await surface()).data).toEqual({ a: { b: 'new' }, d: [1] })
  })

  it('A2-65 the same surfaceId is the same surface, drawn again in its place', async () => {
    await draw(create([text('a', 'one'), text('old', 'only before')]))
    await draw(create([text('a', 'two')]))
    const { surfaces } = (await door.call('GET', `/sessions/${id}`)).json.entities
    expect(surfaces.filter(({ surfaceId }: { surfaceId: string }) => surfaceId === 's')).toHaveLength(1)
    expect(await drawn()).toMatch(/two/)
    expect(await drawn()).not.toMatch(/"one"|only before/)
  })

  it('A2-52 a tree that is too deep and a text that is too long are refused, and what was drawn stays', async () => {
    await draw(create([text('a', 'stays')]))
    let deep: object = text('leaf', 'x')
    for (let level = 0; level < 80; level++) deep = { id: `n${level}`, type: 'Column', children: [deep] }
    const answer = await draw(
      create([deep]),
      envelope('updateComponents', { components: [text('a', 'x'.repeat(40_000))] }),
    )
    expect(answer).toMatchObject({ applied: 0, failed: 2 })
    expect(await drawn()).toMatch(/stays/)
  })

  it('A2-72 an agent that corrects what the error names is understood', async () => {
    await draw(create([text('a', 'x')]))
    const heading = (level: number) => [
      { id: 'h', type: 'Heading', props: { text: 'Corrected', level } },
      text('a', 'x'),
    ]
    const refused = await draw(create(heading(9)))
    expect(refused.results[0]).toMatchObject({ ok: false, path: '/createSurface/root/children/0/props/level' })
    expect(await drawn()).not.toMatch(/Corrected/)
    expect(await draw(create(heading(2)))).toMatchObject({ applied: 1, failed: 0 })
    expect(await drawn()).toMatch(/Corrected/)
  })

  it('A2-57 A2-59 what a person does when nothing runs is a turn of its own, told as [a2ui.action] and one line of JSON', async () => {
    await draw(create([{ id: 'go', type: 'Button', props: { text: 'Go' } }], { seats: 2 }))
    const click = { key: 'c1', componentId: 'go', eventType: 'click', payload: { values: { seats: 2 } } }
    expect((await door.call('POST', `/sessions/${id}/surfaces/s/actions`, click)).json).toMatchObject({
      state: 'started',
    })
    runs++
    const events = await door.ended(id, runs)
    const said = saidIn(events, ofType(events, 'run.started').at(-1)!.runId)
    const [marker, data, ...more] = said.slice('told: '.length).split('\n')
    expect([marker, more]).toEqual(['[a2ui.action]', []])
    expect(JSON.parse(data!)).toMatchObject({
      surfaceId: 's',
      componentId: 'go',
      eventType: 'click',
      payload: { values: { seats: 2 } },
    })
  })

  it('A2-58 what a person does while a run works is told to that run', async () => {
    const { runId } = (await door.submitTurn(id, 'wait')).json
    const click = { key: 'c2', componentId: 'go', eventType: 'click' }
    expect((await door.call('POST', `/sessions/${id}/surfaces/s/actions`, click)).json).toEqual({
      state: 'steered',
      runId,
    })
    await door.find(id, events => saidIn(events, runId).startsWith('steered: [a2ui.action]\n'))
    await door.call('POST', `/sessions/${id}/interrupt`, {})
    runs++
    const events = await door.ended(id, runs)
    expect(ofType(events, 'steer.consumed').map(({ runId: of }) => of)).toEqual([runId])
  })

  it('A2-13 A2-64 deleteSurface takes it away, and nothing can be done in it any more', async () => {
    await draw(create([text('a', 'x')]))
    await draw(envelope('deleteSurface', {}))
    expect((await surface())?.state).not.toBe('live')
    const click = { key: 'c3', componentId: 'a', eventType: 'click' }
    expect((await door.call('POST', `/sessions/${id}/surfaces/s/actions`, click)).status).toBe(404)
    expect(await draw(envelope('updateDataModel', { path: '/n', value: 1 }))).toMatchObject({ applied: 0, failed: 1 })
  })
})

describe('the show_ui tool, seen by HTTP', () => {
  const ran = async (tool: string, args: object, metadata: object = {}) => {
    const id = await door.session({ metadata })
    await door.submitTurn(id, JSON.stringify({ tool, args }))
    return door.ended(id)
  }
  const shown = async (tool: string, args: object, metadata?: object) =>
    ofType(await ran(tool, args, metadata), 'tool.result')[0]!.ui as { locale: string; root: object; meta?: object }

  it.each(['info', 'success', 'warning', 'error', 'pending'])(
    'US-79 a badge for %s is a token, whatever the language of the session',
    async status => {
      const hints = { intent: 'status', status, title: 'x' }
      for (const locale of ['en', 'zh-CN']) {
        const ui = await shown('show_ui', hints, { locale })
        expect(ui.locale).toBe(locale)
        expect(JSON.stringify(ui.root)).toContain(`"label":"ui.status.${status}"`)
      }
    },
  )

  it('UH-42 how it should look changes nothing in a result, and the tool asks the agent to leave it out', async () => {
    const hints = { intent: 'message', title: 'Plain', body: 'Words', items: [{ key: 'a', value: 1 }] }
    const looks = { appearance: 'card', gap: 40, theme: 'dark', color: 'red' }
    const [plain, styled] = [await shown('result', hints), await shown('result', { ...hints, ...looks })]
    expect(styled.root).toEqual(plain.root)
    // Nothing is lost: it is kept as data.
    expect(JSON.stringify(styled.meta)).toContain('40')
    expect((await shown('result', { ...hints, intent: 'data' })).root).not.toEqual(plain.root)
    const refused = JSON.parse(saidIn(await ran('show_ui', { ...hints, ...looks })))
    expect(refused).toMatchObject({ shown: false, error: expect.stringContaining('gap') })
  })
})

describe('show_ui, told what people do not see', () => {
  const answer = async (args: object) => {
    const id = await door.session({})
    await door.submitTurn(id, JSON.stringify({ tool: 'show_ui', args }))
    return JSON.parse(saidIn(await door.ended(id)))
  }

  it('US-225 hints of which something would be cut are not called shown', async () => {
    const listItems = Array.from({ length: 1300 }, (_, n) => ({ title: `t${n}`, subtitle: 's' }))
    expect(await answer({ listItems })).toMatchObject({ shown: false, error: expect.stringMatching(/more than 5000/) })
  })

  it.each([{}, { meta: {} }, { fields: [] }, { intent: 'message' }])(
    'US-226 %j shows nothing, and the agent is told',
    async hints => {
      expect(await answer(hints)).toMatchObject({ shown: false, error: expect.stringContaining('nothing to show') })
    },
  )
})

describe('results that are not legal, seen by HTTP', () => {
  const result = async (output: Pick<Extract<AgentOutput, { type: 'tool.result' }>, 'ui' | 'uiHints' | 'value'>) => {
    const id = await door.session({})
    await door.submitTurn(id, JSON.stringify({ tool: 'output', args: output }))
    const events = await door.ended(id)
    return { result: ofType(events, 'tool.result')[0]!, diagnostics: ofType(events, 'diagnostic.changed') }
  }

  it('US-207 illegal hints of a result are told to their author, each with its place, and marked in the event', async () => {
    const { result: told, diagnostics } = await result({
      uiHints: { intent: 'statsu', title: 'Kept', items: 5 } as never,
    })
    expect(told.uiProblems).toEqual([expect.stringMatching(/^\/intent: /), expect.stringMatching(/^\/items: /)])
    expect(diagnostics).toMatchObject([{ code: 'ui_hints', level: 'warning' }])
    expect(diagnostics[0]!.message).toMatch(/hints.*not legal[\s\S]*\/intent: [\s\S]*\/items: /)
    expect(diagnostics[0]!.message).not.toContain('show_ui')
    expect(JSON.stringify(told.ui)).toContain('Kept')
  })

  it('UH-254 hints of a result that show nothing are told to their author and marked in the event', async () => {
    const { result: told, diagnostics } = await result({ uiHints: {} })
    expect(told.uiProblems).toEqual([expect.stringMatching(/^\/: there is nothing to show/)])
    expect(diagnostics).toMatchObject([{ code: 'ui_hints', message: expect.stringContaining('show nothing') }])
    const empty = await result({ ui: { root: { type: 'stack', children: [] } } })
    expect(empty.result).not.toHaveProperty('uiProblems')
  })

  it('US-207 an illegal document of a result is told and marked in the same way', async () => {
    const { result: told, diagnostics } = await result({
      ui: { root: { type: 'stack', children: [{ type: 'hologram' as never, content: '' }] } },
    })
    expect(told.uiProblems).toEqual([expect.stringMatching(/^\/root\/children\/0\/type: /)])
    expect(diagnostics).toMatchObject([{ code: 'ui_hints', message: expect.stringContaining('/root/children/0/type') }])
  })

  it('US-219 hints and documents of the library are taken as they are typed', async () => {
    const hints: UiHintsPayload = {
      intent: 'data',
      status: 'info',
      sections: [{ title: 'Typed', items: [{ key: 'a', value: 1 }] }],
    }
    const hinted: AgentOutput = { type: 'tool.result', toolCallId: 'c', uiHints: hints }
    expect(JSON.stringify((await result(hinted)).result.ui)).toContain('Typed')
    const document: UiSchemaRenderer = hintsToSchema(hints)
    const documented: AgentOutput = { type: 'tool.result', toolCallId: 'c', ui: document }
    expect((await result(documented)).result).toMatchObject({ ui: document })
  })

  it('US-285 a mistake in the hints of a result does not compile', () => {
    // @ts-expect-error: there is no such intent.
    const wrongIntent: AgentOutput = { type: 'tool.result', toolCallId: 'c', uiHints: { intent: 'statsu' } }
    // @ts-expect-error: there is no such field.
    const wrongField: AgentOutput = { type: 'tool.result', toolCallId: 'c', uiHints: { headline: 'x' } }
    expect([wrongIntent, wrongField]).toHaveLength(2)
  })

  it('US-285 US-300 a mistake in the document of a result does not compile, neither of an agent nor of a tool', () => {
    const stack = (children: UiNode[]): UiSchemaRenderer => ({ root: { type: 'stack', children } })
    const right: AgentOutput = { type: 'tool.result', toolCallId: 'c', ui: stack([{ type: 'text', content: 'x' }]) }
    const wrongNode: AgentOutput = {
      type: 'tool.result',
      toolCallId: 'c',
      // @ts-expect-error: there is no such node.
      ui: { root: { type: 'stack', children: [{ type: 'hologram' }] } },
    }
    // @ts-expect-error: a document has a root.
    const noRoot: AgentOutput = { type: 'tool.result', toolCallId: 'c', ui: { rot: { type: 'stack', children: [] } } }
    // @ts-expect-error: there is no such status.
    const wrongStatus: ToolOutput = { ui: { status: 'fine', root: { type: 'stack', children: [] } } }
    // @ts-expect-error: there is no such intent.
    const wrongHints: ToolOutput = { uiHints: { intent: 'statsu' } }
    expect([right, wrongNode, noRoot, wrongStatus, wrongHints]).toHaveLength(5)
  })

  const large = { root: { type: 'stack', children: Array(600).fill({ type: 'text', content: 'x'.repeat(80) }) } }

  it.each([
    ['a value', { value: 'v'.repeat(70_000) }, 'value'],
    ['a preview', { preview: 'p'.repeat(20_000) }, 'preview'],
    [
      'a reference of the agent',
      { ref: { ref: 'sha256:a', digest: 'a'.repeat(64), size: 9, mediaType: 'a/b' } },
      'ref',
    ],
    ['data for the output schema', { structured: 's'.repeat(70_000) }, 'structured'],
  ])(
    'P-9470 a large interface beside %s keeps the reference, and a diagnostic names what is not kept',
    async (_, part, name) => {
      const { result: told, diagnostics } = await result({ ui: large, ...part } as never)
      expect(told.ref).toMatchObject({ mediaType: UI_SCHEMA_MEDIA_TYPE })
      expect(diagnostics).toMatchObject([{ code: 'output_clipped', message: expect.stringContaining(name) }])
    },
  )

  it('P-9470 characters that take many bytes do not make a result fail', async () => {
    const wide = '\u0001'.repeat(8_000)
    const ui = { root: { type: 'stack', children: Array(300).fill({ type: 'text', content: 'x'.repeat(60) }) } }
    const { result: told } = await result({ ui, value: wide, preview: wide } as never)
    expect(told.ui).toMatchObject({ root: { type: 'stack' } })
    expect(told.preview).not.toBe('')
  })

  it('P-9471 null counts as absent where a field may be absent, and as a value where it may be null', async () => {
    const nulls = { value: { ok: 1 }, ui: null, uiHints: null, preview: null, meta: null }
    const { result: told, diagnostics } = await result(nulls as never)
    expect(told).toMatchObject({ value: { ok: 1 } })
    expect(diagnostics).toEqual([])
    expect((await result({ value: null })).result.value).toBe(null)
  })

  it('US-225 a result of which something is cut says so beside what is shown', async () => {
    const listItems = Array.from({ length: 1300 }, (_, n) => ({ title: `t${n}`, subtitle: 's' }))
    const { result: told } = await result({ uiHints: { listItems } })
    expect(told.uiProblems).toEqual([expect.stringMatching(/more than 5000/)])
  })

  it('US-228 hints beside a document are judged as well', async () => {
    const ui: UiSchemaRenderer = { root: { type: 'stack', children: [{ type: 'text', content: 'x' }] } }
    const { result: told } = await result({ ui, uiHints: { title: 'x', items: 5 } as never })
    expect(told.uiProblems).toEqual([expect.stringMatching(/^\/items: /)])
    expect(told.ui).toEqual(ui)
  })

  it('US-207 an agent cannot say itself that its result is legal or not', async () => {
    const legal = { uiHints: { title: 'Fine' }, uiProblems: ['/x: made up'] }
    const { result: told, diagnostics } = await result(legal as never)
    expect(told.uiProblems).toBeUndefined()
    expect(diagnostics).toEqual([])
  })

  it('US-202 show_ui tells the agent that an address opens in a new tab whatever it asks for', async () => {
    const action = { type: 'url', url: 'https://x.example', target: '_self' }
    const id = await door.session({})
    const hints = { intent: 'data', status: 'info', title: 'x', actions: [{ label: 'Go', action }] }
    await door.submitTurn(id, JSON.stringify({ tool: 'show_ui', args: hints }))
    const answer = JSON.parse(saidIn(await door.ended(id)))
    expect(answer).toMatchObject({
      shown: true,
      note: expect.stringMatching(/^\/actions\/0\/action\/target: .*new tab/),
    })
  })
})

describe('the ask tool, seen by HTTP', () => {
  const ask = async (args: object) => {
    const id = await door.session()
    const { runId } = (await door.submitTurn(id, JSON.stringify({ tool: 'ask', args }))).json
    return { id, runId }
  }
  const asked = (id: string) => door.find(id, events => ofType(events, 'action.required')[0])
  const answer = (id: string, actionId: string, body: object) =>
    door.call('POST', `/sessions/${id}/actions/${actionId}/response`, body)

  it('A2-60 holds the run until a person has answered, and gives the agent what they said', async () => {
    const { id, runId } = await ask({ question: 'Which port?', detail: 'One above 1023.' })
    const { actionId, request, toolCallId } = await asked(id)
    expect(request).toMatchObject({ kind: 'question', title: 'Which port?', detail: 'One above 1023.' })
    const waiting = await door.still(id)
    expect(ofType(waiting, 'run.status').at(-1)).toMatchObject({ runId, status: 'waiting' })
    expect(waiting.some(({ type }) => type === 'run.finished')).toBe(false)
    await answer(id, actionId, { decision: 'answer', value: '4700' })
    const events = await door.ended(id)
    expect(JSON.parse(saidIn(events))).toEqual({ outcome: 'answered', value: '4700' })
    expect(ofType(events, 'tool.result')).toMatchObject([{ toolCallId, value: { outcome: 'answered', value: '4700' } }])
  })

  it('A2-60 offers options or fields when they are given, and checks the answer against them', async () => {
    const options = [{ value: 'a', label: 'Paris' }]
    const choice = await ask({ question: 'Where?', options })
    expect((await asked(choice.id)).request).toMatchObject({ kind: 'choice', options })
    const schema = { type: 'object', properties: { seats: { type: 'integer', minimum: 1 } }, required: ['seats'] }
    const form = await ask({ question: 'How many?', schema })
    const { actionId, request } = await asked(form.id)
    expect(request).toMatchObject({ kind: 'form', schema })
    expect((await answer(form.id, actionId, { decision: 'answer', value: { seats: 0 } })).status).toBe(422)
    await answer(form.id, actionId, { decision: 'answer', value: { seats: 2 } })
    expect(JSON.parse(saidIn(await door.ended(form.id)))).toEqual({ outcome: 'answered', value: { seats: 2 } })
    await answer(choice.id, (await asked(choice.id)).actionId, { decision: 'deny' })
    expect(JSON.parse(saidIn(await door.ended(choice.id)))).toEqual({ outcome: 'denied', value: null })
  })

  it('P-8609 gives the agent an answer in words instead of an option', async () => {
    const { id } = await ask({ question: 'Where?', options: [{ value: 'a', label: 'Paris' }] })
    const { actionId } = await asked(id)
    await answer(id, actionId, { decision: 'answer', text: 'By the sea' })
    const events = await door.ended(id)
    expect(JSON.parse(saidIn(events))).toEqual({ outcome: 'answered', value: null, text: 'By the sea' })
    expect(ofType(events, 'action.resolved')).toMatchObject([{ outcome: 'answered', text: 'By the sea' }])
  })

  it.each([
    ['no question', {}],
    ['a schema that is none', { question: 'What?', schema: { type: 'nonsense', $ref: '#/nowhere' } }],
    ['options that are none', { question: 'What?', options: 'Paris' }],
  ])('A2-60 with %s says what is wrong, asks nobody, and the run goes on', async (_, args) => {
    const { id } = await ask(args)
    const events = await door.ended(id)
    expect(JSON.parse(saidIn(events))).toMatchObject({ outcome: 'failed', error: expect.stringMatching(/.{10}/) })
    expect(ofType(events, 'action.required')).toEqual([])
    expect(ofType(events, 'tool.failed')).toHaveLength(1)
    expect(ofType(events, 'run.finished')).toMatchObject([{ outcome: 'completed' }])
  })
})
