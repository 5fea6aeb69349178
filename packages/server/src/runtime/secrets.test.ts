import type { Interaction, Json, JsonObject } from '@vitrine/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ended, harness, OWNER, scripted } from './harness.fixture.ts'
import { MASK, withoutSecrets, withoutTyped, withoutValues } from './secrets.ts'

const password = { type: 'string', format: 'password' }

/** A schema that has a password somewhere, and a value that fits it with the secret in that place. */
const hiding = fc.letrec<{ place: { schema: JsonObject; value: Json } }>(tie => ({
  place: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constant({ schema: password, value: 'the secret' }),
    fc.constant({ schema: { type: 'string', writeOnly: true }, value: 'the secret' }),
    fc.constant({ schema: { $ref: '#/$defs/hidden' }, value: 'the secret' }),
    fc.tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), tie('place')).map(([name, { schema, value }]) => ({
      schema: { [name]: [{ type: 'null' }, schema] },
      value,
    })),
    fc.tuple(fc.constantFrom('if', 'then', 'else'), tie('place')).map(([name, { schema, value }]) => ({
      schema: { [name]: schema },
      value,
    })),
    tie('place').map(({ schema, value }) => ({ schema: { properties: { a: schema } }, value: { a: value, b: 1 } })),
    tie('place').map(({ schema, value }) => ({ schema: { additionalProperties: schema }, value: { x: value } })),
    tie('place').map(({ schema, value }) => ({ schema: { patternProperties: { '^x': schema } }, value: { x: value } })),
    tie('place').map(({ schema, value }) => ({ schema: { items: schema }, value: [value] })),
    tie('place').map(({ schema, value }) => ({ schema: { prefixItems: [{}, schema] }, value: [1, value] })),
  ),
})).place

describe('L10 responses', () => {
  it('L10 a password is masked wherever the schema says so', () => {
    fc.assert(
      fc.property(hiding, ({ schema, value }) => {
        const shown = JSON.stringify(withoutSecrets({ ...schema, $defs: { hidden: password } }, value))
        expect(shown).not.toContain('the secret')
        expect(shown).toContain(MASK)
      }),
    )
  })

  it('L10 other values stay, and a reference that leads nowhere hides its value', () => {
    const schema = { properties: { name: { $ref: '#/$defs/name' }, list: { items: { anyOf: [{ type: 'number' }] } } } }
    const value = { name: 'Ada', list: [1, 2], more: null }
    expect(withoutSecrets({ ...schema, $defs: { name: { type: 'string' } } }, value)).toEqual(value)
    expect(withoutSecrets(schema, value)).toEqual({ ...value, name: MASK })
    expect(withoutSecrets(undefined, value)).toEqual(value)
    // A schema that refers to itself comes to an end.
    expect(withoutSecrets({ allOf: [{ $ref: '#' }] }, value)).toEqual(value)
  })
})

describe('L10 interactions', () => {
  const click = (more: object): Extract<Interaction, { kind: 'a2ui' }> => ({
    kind: 'a2ui',
    surfaceId: 's',
    componentId: 'go',
    eventType: 'click',
    ...more,
  })

  it('A2-150 the value of an obscured field is masked in payload, context and edits, wherever it stands', () => {
    const secret = 'correct horse'
    const payload = {
      values: { pw: secret, each: [secret, 'b'] },
      changes: [{ componentId: 'pw', value: secret }],
      dataModel: { deep: { pw: secret } },
      note: `pw=${secret}`,
    }
    const places = { fields: new Set(['pw', 'each']), paths: new Set(['/deep/pw', 'key']) }
    const edits = { '/deep/pw': secret, '/list/0/key': 'x', '#pw': 1, '/name': 'Ada' }
    const hidden = withoutTyped(click({ payload, context: { pw: secret } }), edits, places)
    expect(hidden).toEqual({
      interaction: click({
        payload: {
          values: { pw: MASK, each: [MASK, MASK] },
          changes: [{ componentId: 'pw', value: MASK }],
          dataModel: { deep: { pw: MASK } },
          note: `pw=${MASK}`,
        },
        context: { pw: MASK },
        hidden: ['pw', 'each'],
      }),
      edits: { '/deep/pw': MASK, '/list/0/key': MASK, '#pw': MASK, '/name': 'Ada' },
    })
  })

  it('A2-150 without a hidden field, or with an empty one, everything stays as it is', () => {
    const used = click({ payload: { values: { pw: '' } } })
    expect(withoutTyped(used, {}, { fields: new Set(['pw']), paths: new Set(['/pw']) })).toEqual({
      interaction: used,
      edits: {},
    })
    expect(withoutTyped(used, { '/a': 'x' }, { fields: new Set(), paths: new Set() })).toEqual({
      interaction: used,
      edits: { '/a': 'x' },
    })
  })

  it('A2-331 a secret of three characters is masked inside of a computed context, and in the items of a list', () => {
    const places = { fields: new Set(['pw']), paths: new Set(['/pw', 'key']) }
    const payload = { dataModel: { pw: 'abc', list: [{ key: 'k-e-y' }] } }
    expect(withoutTyped(click({ payload, context: { who: 'x:abc', item: 'k-e-y' } }), {}, places).interaction).toEqual(
      click({
        payload: { dataModel: { pw: MASK, list: [{ key: MASK }] } },
        context: { who: `x:${MASK}`, item: MASK },
        hidden: ['pw'],
      }),
    )
  })

  it('A2-330 L10 what was typed hidden is masked after its field is gone, also after a restart, and the agent gets it', async () => {
    const seen: unknown[] = []
    const field = { id: 'pw', type: 'TextField', props: { label: 'Pw', variant: 'obscured', value: { path: '/pw' } } }
    const root = { id: 'root', type: 'Column', children: [field, { id: 'go', type: 'Button', props: { text: 'Go' } }] }
    const agents = [
      scripted(async function* ({ interaction }, context) {
        const at = { surfaceId: 's' }
        const create = { ...at, catalogId: 'basic', sendDataModel: true, dataModel: { pw: '' }, root }
        const confirm = { id: 'root', component: { id: 'root', type: 'Button', props: { text: 'Confirm' } } }
        if (interaction) seen.push((interaction as { payload?: Json }).payload)
        else {
          await context.surfaces.apply([
            { version: 'v0.9', createSurface: create },
            { version: 'v0.9', updateComponents: { ...at, replace: confirm } },
          ])
        }
        yield { type: 'text.delta', partId: 'p', delta: 'done' }
      }),
    ]
    const first = await harness({ agents })
    const id = await first.session()
    await first.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await first.until(id, ended)
    const payload = { values: { pw: 'hunter2secret' }, dataModel: { pw: 'hunter2secret' } }
    const press = { componentId: 'root', eventType: 'click' as const, payload, context: { who: 'hunter2secret' } }
    await first.runtime.sendSurfaceInteraction(OWNER, id, 's', { key: 'one', ...press })
    await first.until(id, state => ended(state) && seen.length === 1)
    const second = await first.restart({ agents })
    await second.runtime.sendSurfaceInteraction(OWNER, id, 's', { key: 'two', ...press })
    await second.until(id, state => ended(state) && seen.length === 2)
    expect(seen).toEqual([payload, payload])
    expect(JSON.stringify(await second.events(id))).not.toContain('hunter2secret')
    await second.close()
  })

  it('US-80 the values of password fields of a card are masked by their names', () => {
    const action = { type: 'payload' as const, payload: {} }
    const used = { kind: 'ui_schema' as const, action, values: { pw: 'x', name: 'x', empty: '' } }
    expect(withoutValues(used, ['pw', 'empty', 'absent']).interaction).toEqual({
      ...used,
      values: { pw: MASK, name: 'x', empty: '' },
      hidden: ['pw'],
    })
  })

  it('A2-150 L8 a secret that was typed before a restart is gone, and the run says so', async () => {
    const seen: unknown[] = []
    const components = [{ id: 'root', component: 'TextField', label: 'Password', variant: 'obscured' }]
    const agents = [
      scripted(async function* ({ interaction }, context) {
        if (interaction) seen.push((interaction as { payload?: Json }).payload)
        else {
          await context.surfaces.apply([
            { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'basic' } },
            { version: 'v0.9', updateComponents: { surfaceId: 's', components } },
          ])
        }
        yield { type: 'text.delta', partId: 'p', delta: 'done' }
      }),
    ]
    const first = await harness({ agents })
    const id = await first.session()
    await first.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await first.until(id, ended)
    const typed = { componentId: 'root', eventType: 'submit' as const, payload: { values: { root: 'the secret' } } }
    await first.runtime.sendSurfaceInteraction(OWNER, id, 's', { key: 'kept', ...typed })
    await first.until(id, state => ended(state) && seen.length === 1)
    await first.runtime.updateQueue(OWNER, id, { held: true })
    await first.runtime.sendSurfaceInteraction(OWNER, id, 's', { key: 'lost', ...typed })
    const second = await first.restart({ agents })
    await second.runtime.updateQueue(OWNER, id, { held: false })
    const state = await second.until(id, now => ended(now) && seen.length === 2)
    expect(seen).toEqual([{ values: { root: 'the secret' } }, { values: { root: MASK } }])
    expect([...state.diagnostics.byId.values()].map(({ code }) => code)).toEqual(['secret_lost'])
    expect(JSON.stringify(await second.events(id))).not.toContain('the secret')
    await second.close()
  })
})
