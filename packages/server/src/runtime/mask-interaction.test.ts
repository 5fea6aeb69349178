// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of A2UI
// biome-ignore-all lint/suspicious/noThenProperty: the syntax of A2UI
import { basicCatalog, SurfacePast } from '@vitrine/genui/a2ui'
import { type Interaction, type JsonObject, MASK } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { maskCardInteraction, maskSurfaceInteraction } from './mask-interaction.ts'

describe('L10 interactions', () => {
  const click = (more: object): Extract<Interaction, { kind: 'a2ui' }> => ({
    kind: 'a2ui',
    surfaceId: 's',
    componentId: 'go',
    eventType: 'click',
    ...more,
  })

  const hides = (path?: string) => ({
    type: 'TextField',
    variant: 'obscured',
    ...(path !== undefined && { value: { path } }),
  })
  const button = (context: JsonObject) => ({ type: 'Button', action: { event: { name: 'go', context } } })
  const list = (path: string) => ({ type: 'List', children: { componentId: 'row', path } })
  const past = (components: Record<string, JsonObject>): SurfacePast => {
    const made = new SurfacePast()
    for (const [id, component] of Object.entries(components))
      made.note(id, component, basicCatalog.traits(String(component.type)))
    return made
  }

  it('A2-150 the value of an obscured field is masked in payload, context and edits, wherever it stands', () => {
    const secret = 'correct horse'
    const payload = {
      values: { pw: secret, each: [secret, 'b'], name: `not ${secret}` },
      changes: [{ componentId: 'pw', value: secret }],
      dataModel: { deep: { pw: secret }, list: [{ key: 'x', is: `a ${secret}` }] },
      note: `pw=${secret}`,
    }
    const name = { type: 'TextField', value: { path: '/name' } }
    const places = past({ pw: hides('/deep/pw'), each: hides('key'), rows: list('/list'), name })
    const edits = { '/deep/pw': secret, '/list/0/key': 'x', '#pw': 1, '/name': 'Ada' }
    const hidden = maskSurfaceInteraction(click({ payload, context: { pw: secret } }), edits, places)
    expect(hidden).toEqual({
      interaction: click({
        payload: {
          values: { pw: MASK, each: [MASK, MASK], name: `not ${MASK}` },
          changes: [{ componentId: 'pw', value: MASK }],
          dataModel: { deep: { pw: MASK }, list: [{ key: MASK, is: `a ${MASK}` }] },
          note: MASK,
        },
        context: { pw: MASK },
        hidden: ['pw', 'each'],
      }),
      edits: { '/deep/pw': MASK, '/list/0/key': MASK, '#pw': MASK, '/name': 'Ada' },
    })
  })

  it('A2-150 without a hidden field, or with an empty one, everything stays as it is', () => {
    const used = click({ payload: { values: { pw: '' } }, context: { pw: 'none', other: 1 } })
    expect(maskSurfaceInteraction(used, { '/pw': '' }, past({ pw: hides('/pw') }))).toEqual({
      interaction: used,
      edits: { '/pw': '' },
    })
    expect(maskSurfaceInteraction(used, { '/a': 'x' }, past({}))).toEqual({
      interaction: used,
      edits: { '/a': 'x' },
    })
  })

  it('A2-331 a secret of three characters is masked where a person or an author copied it, and in the items of a list', () => {
    const go = button({ who: 'literal', item: { path: '/list/0/key' } })
    const places = past({ pw: hides('/pw'), row: hides('key'), rows: list('/list'), go })
    const payload = { dataModel: { pw: 'abc', list: [{ key: 'k-e-y' }] } }
    expect(
      maskSurfaceInteraction(click({ payload, context: { who: 'x:abc', item: 'k-e-y' } }), {}, places).interaction,
    ).toEqual(
      click({
        payload: { dataModel: { pw: MASK, list: [{ key: MASK }] } },
        context: { who: `x:${MASK}`, item: MASK },
        hidden: ['pw', 'row'],
      }),
    )
  })

  it('A2-359 A2-380 L10 what may be computed from a hidden place is masked as a whole, whatever the secret became there', () => {
    const computed: JsonObject = {
      text: { formatString: '${/creds/pin}-x' },
      json: { concat: [{ path: '/creds' }] },
      model: { formatString: '${/}' },
      joined: { join: { items: { map: { from: '/list', as: 'i', template: { path: '/creds' } } }, separator: ';' } },
      figure: { call: 'formatNumber', args: { value: { path: '/creds/pin' } } },
      money: { call: 'formatCurrency', args: { value: { path: '/creds/pin' }, currency: 'USD' } },
      day: { call: 'formatDate', args: { value: { path: '/creds/pin' }, format: 'yyyy' } },
      chosen: { if: { cond: { eq: [{ path: '/creds/pin' }, '7'] }, then: 'seven', else: 'no' } },
      size: { length: { path: '/creds/pin' } },
      custom: { call: 'ofTheHost', args: { of: [{ path: '/creds/pin/0' }] } },
      template: { formatString: { path: '/words' } },
      own: { formatString: '${name} ${pin}' },
    }
    const declared: JsonObject = {
      ...computed,
      all: { path: '/' },
      creds: { path: '/creds' },
      deep: { in: [{ path: '/creds/pin' }, { concat: [{ path: '/creds/pin' }, '!'] }, { path: '/name' }, 7] },
      note: '7 lives',
      other: { path: '/name' },
      greeting: { formatString: 'Hi ${/name}' },
    }
    const lists = { rows: list('/creds'), sum: { type: 'TextField', value: { formatString: '${/creds/pin}' } } }
    const places = past({ pin: hides('/creds/pin'), go: button(declared), ...lists })
    const context = {
      ...Object.fromEntries(Object.keys(computed).map(name => [name, name === 'size' ? 1 : `of ${name}`])),
      all: { creds: { pin: '7', user: 'u7' }, name: 'Ann7' },
      creds: { pin: '7', user: 'u7' },
      deep: { in: ['7', '7!', 'Ann7', 7], more: 'x' },
      note: '7 lives',
      other: 'Ann7',
      greeting: 'Hi Ann7',
      undeclared: '7 b',
    }
    const payload = { values: { pin: '7', sum: '7.00', gone: 'of nobody' }, value: 'a click has none' }
    const { interaction } = maskSurfaceInteraction(click({ payload, context }), {}, places)
    expect(interaction).toEqual(
      click({
        payload: { values: { pin: MASK, sum: MASK, gone: MASK }, value: MASK },
        context: {
          ...Object.fromEntries(Object.keys(computed).map(name => [name, MASK])),
          all: { creds: { pin: MASK, user: 'u7' }, name: 'Ann7' },
          creds: { pin: MASK, user: 'u7' },
          deep: { in: [MASK, MASK, 'Ann7', 7], more: MASK },
          note: '7 lives',
          other: 'Ann7',
          greeting: 'Hi Ann7',
          undeclared: MASK,
        },
        hidden: ['pin'],
      }),
    )
    // A change of another field does not say what was typed hidden: it counts as typed.
    const change = { ...click({ payload: {}, context: { text: '7-x', other: 'A' } }), eventType: 'change' as const }
    expect(maskSurfaceInteraction(change, {}, places).interaction.context).toEqual({ text: MASK, other: 'A' })
  })

  it('A2-380 L10 in the items of a list, what an item binds is masked where the item hides it', () => {
    const go = button({
      mine: { path: 'pw' },
      name: { path: 'name' },
      item: { path: '.' },
      said: { concat: [{ path: 'pw' }] },
    })
    const places = past({ row: hides('pw'), rows: list('/items'), go })
    const context = { mine: 'ab', name: 'Ann', item: { pw: 'ab', name: 'Ann' }, said: 'ab' }
    const shown = (payload: JsonObject) =>
      maskSurfaceInteraction(click({ payload, context }), {}, places).interaction.context
    const item = '/items/0'
    expect(shown({ values: { row: ['ab'] }, item })).toEqual({
      mine: MASK,
      name: 'Ann',
      item: { pw: MASK, name: 'Ann' },
      said: MASK,
    })
    // The values of other lists do not stand at the item that was pressed.
    const shows = { type: 'TextField', value: { path: 'x' } }
    const two = past({ pw: hides('/b/0/x'), seen: shows, a: list('/a'), b: list('/b'), go: button({}) })
    const pressed = click({ payload: { values: { pw: 'ab', seen: ['ab'] }, item: '/a/0' } })
    expect(maskSurfaceInteraction(pressed, {}, two).interaction.payload).toMatchObject({ values: { seen: MASK } })
    // Without the place of the item, what may be a hidden one is masked.
    expect(shown({ values: { row: ['ab'] } })).toEqual({ mine: MASK, name: 'Ann', item: MASK, said: MASK })
    // A list of texts: each item is hidden, and nothing beside the list.
    const texts = past({ row: hides('.'), rows: list('/texts'), go: button({}) })
    const dataModel = { texts: ['ab', 'cd'], title: 'T' }
    expect(maskSurfaceInteraction(click({ payload: { dataModel } }), { '/texts/1': 'cd' }, texts)).toMatchObject({
      interaction: { payload: { dataModel: { texts: [MASK, MASK], title: 'T' } } },
      edits: { '/texts/1': MASK },
    })
  })

  it('A2-380 L10 what an earlier form of a component computed is masked too: the press may be older than the change', () => {
    const places = past({ pw: hides('/pw'), go: button({ a: { concat: ['x', { path: '/pw' }] }, b: { path: '/pw' } }) })
    places.note('go', button({ a: 'fixed', b: { path: '/name' }, c: { d: 1 } }), basicCatalog.traits('Button'))
    const context = { a: 'x%41', b: 'q', c: { d: 1 } }
    const { interaction } = maskSurfaceInteraction(click({ payload: { values: { pw: 'q' } }, context }), {}, places)
    expect(interaction.context).toEqual({ a: MASK, b: MASK, c: { d: 1 } })
  })

  it('A2-382 L10 edits around a hidden place, payloads without structure, objects and keys are masked', () => {
    const places = past({ pw: hides('/creds/pw'), free: hides(), go: button({ x: 'y' }) })
    const shown = (more: object, edits: JsonObject = {}) => maskSurfaceInteraction(click(more), edits, places)
    expect(
      shown(
        {},
        {
          '/creds': { pw: 'a"b', user: 'u' },
          '': { creds: { pw: { a: 'q' } }, n: 1 },
          '/creds/pw/deep': 'x',
          '#free': { k: ['q'] },
          'creds/pw': 'z',
        },
      ).edits,
    ).toEqual({
      '/creds': { pw: MASK, user: 'u' },
      '': { creds: { pw: MASK }, n: 1 },
      '/creds/pw/deep': MASK,
      '#free': MASK,
      'creds/pw': MASK,
    })
    expect(shown({ componentId: 'pw', eventType: 'change', payload: 'bare' }).interaction.payload).toBe(MASK)
    expect(shown({ payload: ['q'] }).interaction.payload).toBe(MASK)
    const keys = shown({ payload: { 'it is secret7': 1 }, context: { secret7: 1, x: 'y' } }, { '/creds/pw': 'secret7' })
    expect(keys).toMatchObject({
      interaction: { payload: { [`it is ${MASK}`]: MASK }, context: { [MASK]: MASK, x: 'y' } },
      edits: { '/creds/pw': MASK },
    })
  })

  it('US-80 the values of password fields of a card are masked by their names', () => {
    const action = { type: 'payload' as const, payload: {} }
    const used = { kind: 'ui_schema' as const, action, values: { pw: 'x', name: 'x', empty: '' } }
    expect(maskCardInteraction(used, ['pw', 'empty', 'absent']).interaction).toEqual({
      ...used,
      values: { pw: MASK, name: 'x', empty: '' },
      hidden: ['pw'],
    })
  })
})
