import type { UiSchemaRenderer } from '@vitrine/genui/schema'
import type { Command, JsonObject } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { problemOf } from '../../http/problem.ts'
import type { Refusal } from '../../refusal.ts'
import { card, type Harness, harness, OWNER, scripted } from '../harness.fixture.ts'

let h: Harness
afterEach(() => h.close())

const restart = { type: 'tool' as const, toolId: 'build.restart', params: { build: 7, deep: { b: 1, a: 2 } } }
const order = { type: 'payload' as const, payload: { form: 'order' }, submitTo: '/orders/new' }
const fields: JsonObject[] = [
  { type: 'field', name: 'mail', label: 'Mail', input: 'email', required: true },
  { type: 'field', name: 'seats', label: 'Seats', input: 'integer', min: 1, max: 4 },
  { type: 'field', name: 'code', label: 'Code', pattern: '[A-Z]{3}' },
  {
    type: 'field',
    name: 'size',
    label: 'Size',
    input: 'select',
    options: [{ value: 's', label: 'S' }],
  },
  { type: 'field', name: 'price', label: 'Price', input: 'number', value: 12, disabled: true },
  { type: 'field', name: 'unseen', label: 'Unseen', required: true, visible: false },
]
const buttons: JsonObject[] = [
  { type: 'button', label: 'Restart', action: restart },
  { type: 'button', label: 'Order', action: order },
  { type: 'button', label: 'Off', disabled: true, action: { type: 'tool', toolId: 'off' } },
  { type: 'button', label: 'Hidden', visible: false, action: { type: 'tool', toolId: 'hidden' } },
  { type: 'button', label: 'Outside', action: { type: 'payload', payload: {}, submitTo: '//evil.example' } },
]
const root = { type: 'stack', children: [...fields, { type: 'grid', columns: 2, children: buttons }] }
const document: JsonObject = { version: '2.0', root }

/** A session whose agent has shown this document in the call `card`. */
async function shown(ui: JsonObject): Promise<string> {
  const agent = scripted(async function* ({ interaction }) {
    if (interaction) return
    yield { type: 'tool.started', partId: 'p', toolCallId: 'card', name: 'show' }
    yield { type: 'tool.result', toolCallId: 'card', ui: ui as unknown as UiSchemaRenderer }
  })
  h = await harness({ agents: [agent] })
  const id = await h.session()
  await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
  await h.until(id, ({ session }) => session.activeRunId === null)
  return id
}

type Press = Omit<Command<'sendUiAction'>, 'key' | 'toolCallId'> & { key?: string; toolCallId?: string }
const press = async (id: string, { key = 'k', ...rest }: Press) => {
  // The runtime makes the ids of calls its own.
  const [shownIn = ''] = (await h.state(id)).tools.byId.keys()
  return h.runtime.sendUiAction(OWNER, id, { toolCallId: shownIn, key, ...rest })
}

const problem = (id: string, what: Press) =>
  press(id, what).then(
    () => expect.unreachable('it was taken'),
    (error: Refusal) => problemOf(error),
  )

describe('a UI action', () => {
  it('P-655 goes to the agent when the document offers it, whatever the order of its keys', async () => {
    const id = await shown(document)
    const action = { ...restart, params: { deep: { a: 2, b: 1 }, build: 7 } }
    expect(await press(id, { action })).toEqual({ state: 'started' })
    const values = { mail: 'a@b.example', seats: 2, code: 'ABC', size: 's', price: 12 }
    await h.until(id, ({ session }) => session.activeRunId === null)
    await press(id, { key: 'l', action: order, values })
    const reached = { kind: 'ui_schema', action: order, values }
    // While the end of the run before is being written it steers that run first, and then becomes a turn.
    await expect
      .poll(async () => [...(await h.state(id)).turns.byId.values()].map(({ input }) => input.interaction))
      .toContainEqual(expect.objectContaining(reached))
  })

  it('P-655 is found in a document that was too large for an event', async () => {
    const filler = { type: 'text', content: 'x'.repeat(80_000) }
    const id = await shown({ version: '2.0', root: { ...root, children: [filler, filler, ...root.children] } })
    expect([...(await h.state(id)).tools.byId.values()]).toMatchObject([{ result: { value: { ui: null } } }])
    expect(await press(id, { action: restart })).toEqual({ state: 'started' })
    expect(await problem(id, { key: 'l', action: { ...restart, toolId: 'rm.rf' } })).toMatchObject({ status: 422 })
  })

  it.each<[string, Press]>([
    ['another tool', { action: { type: 'tool', toolId: 'rm.rf' } }],
    ['other parameters', { action: { ...restart, params: { build: 8 } } }],
    [
      'another payload',
      { action: { ...order, payload: { form: 'order', price: 0 } }, values: { mail: 'a@b.example' } },
    ],
    ['another place', { action: { ...order, submitTo: '/other' }, values: { mail: 'a@b.example' } }],
    ['a button that is disabled', { action: { type: 'tool', toolId: 'off' } }],
    ['a button that is not visible', { action: { type: 'tool', toolId: 'hidden' } }],
    ['an unknown call', { toolCallId: 'none', action: restart }],
  ])('P-655 %s is refused, and nothing reaches the agent', async (_, what) => {
    const id = await shown(document)
    const { seq } = await h.runtime.position(OWNER, id)
    expect(await problem(id, what)).toMatchObject({
      status: 422,
      code: 'ui_action_not_offered',
      next: expect.any(String),
    })
    expect((await h.runtime.position(OWNER, id)).seq).toBe(seq)
  })

  it('P-655 of a document that was withdrawn is refused; one that was accepted before gets its first answer', async () => {
    const withdraw = Promise.withResolvers<void>()
    const agent = scripted(async function* () {
      yield* card(restart)
      await withdraw.promise
      yield { type: 'part.retracted', partId: 'card', reason: 'tried again' }
      await new Promise(() => {})
    })
    h = await harness({ agents: [agent], limits: { interruptMs: 10 } })
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'x' })
    await h.until(id, ({ tools }) => [...tools.byId.values()].some(({ result }) => result.known))
    expect(await press(id, { key: 'first', action: restart })).toMatchObject({ state: 'steered' })
    withdraw.resolve()
    await h.until(id, ({ parts }) => [...parts.byId.values()].some(({ state }) => state === 'retracted'))
    expect(await problem(id, { action: restart })).toMatchObject({ status: 422, code: 'ui_action_not_offered' })
    expect(await press(id, { key: 'first', action: restart })).toMatchObject({ state: 'steered' })
  })

  it.each(['https://evil.example/', '//evil.example', '/a/../b', '/a?b=c', '/a#b', 'a', '/a\\b', '/%2e%2e/b'])(
    'P-656 a payload for %s is refused',
    async submitTo => {
      const id = await shown(document)
      const action = { type: 'payload' as const, payload: {}, submitTo }
      expect(await problem(id, { action })).toMatchObject({
        status: 422,
        code: 'submit_to_invalid',
        path: '/action/submitTo',
      })
    },
  )

  it.each<[string, JsonObject, string[]]>([
    ['nothing', {}, ['/values/mail']],
    ['a mail address that is none', { mail: 'x' }, ['/values/mail']],
    [
      'too many, the wrong form and no option',
      { mail: 'a@b.example', seats: 5, code: 'abc', size: 'xl' },
      ['/values/seats', '/values/code', '/values/size'],
    ],
    ['another type', { mail: ['a@b.example'], seats: {} }, ['/values/mail', '/values/seats']],
    ['a field that the form does not have', { mail: 'a@b.example', admin: true }, ['/values/admin']],
    ['a field that is not visible', { mail: 'a@b.example', unseen: 'x' }, ['/values/unseen']],
    ['a field that cannot be changed', { mail: 'a@b.example', price: 0 }, ['/values/price']],
  ])('P-657 %s is refused field by field', async (_, values, paths) => {
    const id = await shown(document)
    const told = await problem(id, { action: order, values })
    expect(told).toMatchObject({ status: 422, code: 'values_invalid', path: paths[0] })
    expect(told.errors?.map(({ path }) => path)).toEqual(paths)
    for (const { detail } of told.errors ?? []) expect(detail).not.toBe('')
  })

  it('P-657 a button that sends no form takes no values', async () => {
    const id = await shown(document)
    expect(await problem(id, { action: restart, values: { mail: 'a@b.example' } })).toMatchObject({
      code: 'values_invalid',
    })
  })
})

describe('a form', () => {
  const action = { type: 'tool' as const, toolId: 'order' }
  const form = (...children: JsonObject[]): JsonObject => ({ version: '2.0', root: { type: 'stack', children } })
  const mail = { type: 'field', name: 'mail', label: 'Mail', required: true }

  it.each([true, false])(
    'US-222 two buttons with one action are told apart by whether they send the form (the first one: %s)',
    async first => {
      const button = (submit: boolean) => ({ type: 'button', label: 'Go', action, submit })
      const id = await shown(form(mail, button(first), button(!first)))
      expect(await press(id, { action })).toEqual({ state: 'started' })
      expect(await press(id, { key: 'l', action, values: { mail: 'm' } })).toMatchObject({ state: expect.any(String) })
      expect(await problem(id, { key: 'm', action, values: { other: 1 } })).toMatchObject({ code: 'values_invalid' })
    },
  )

  it('US-221 a field that nobody can change is sent as it is shown', async () => {
    const seats = { type: 'field', name: 'seats', label: 'Seats', input: 'number', value: '5', disabled: true }
    const zip = { type: 'field', name: 'zip', label: 'Zip', value: 90210 }
    const id = await shown(form(seats, zip, { type: 'button', label: 'Go', action, submit: true }))
    expect(await press(id, { action, values: { seats: 5, zip: '90210' } })).toEqual({ state: 'started' })
  })

  it('US-220 a tool whose arguments could not be read is not run', async () => {
    const id = await shown(form({ type: 'button', label: 'Go', action: { ...action, params: 'evt_1' } }))
    expect(await problem(id, { action })).toMatchObject({ code: 'ui_action_not_offered' })
  })
})
