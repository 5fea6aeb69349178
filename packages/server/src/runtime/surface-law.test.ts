import type { Json, JsonObject } from '@vitrine/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectLaw } from './surface-law.fixture.ts'

const SURFACES = ['s', 't', 's'.repeat(200), 's'.repeat(201), '\ud800', '']
const IDS = ['root', 'a', 'b', 'c', '1', 'constructor', 'i'.repeat(200), 'i'.repeat(201), '__proto__']
const TOKENS = [
  'a',
  'b',
  'items',
  '0',
  '1',
  '5',
  '999',
  '2000',
  '01',
  '-',
  '',
  'constructor',
  'prototype',
  'x~1y',
  '~0',
]
const BAD_TOKENS = ['__proto__', '~9', 'k'.repeat(2_001), ...Array.from({ length: 3 }, () => 'd/'.repeat(70))]

const often = <T>(...values: T[]) => fc.constantFrom(...values)
const weighted = <T>(common: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, weight = 12) =>
  fc.oneof({ weight, arbitrary: common }, { weight: 1, arbitrary: rare })

const surfaceId = weighted(often('s', 't'), often(...SURFACES))
const id = weighted(often('root', 'a', 'b', 'c'), often(...IDS), 8)
const pointer = fc
  .tuple(fc.boolean(), fc.array(weighted(often(...TOKENS), often(...BAD_TOKENS), 20), { maxLength: 4 }))
  .map(([absolute, tokens]) => `${absolute ? '/' : ''}${tokens.join('/')}`)
const large = often<Json>(
  'x'.repeat(32 * 1024),
  'x'.repeat(33 * 1024),
  '\u0001'.repeat(6_800),
  '\u0001'.repeat(7_000),
  '\ud800"\\\u2028é'.repeat(1_500),
  Array.from({ length: 2_500 }, (_, i) => ({ i, t: `row ${i}` })),
  { ['key'.repeat(700)]: Array.from({ length: 20_000 }, () => 1) },
  { wide: Array.from({ length: 9 }, () => '\u0001'.repeat(5_000)) },
)
const small = fc.jsonValue({ maxDepth: 3 }).map(value => value as Json)
const value = fc.oneof(
  {
    weight: 15,
    arbitrary: fc.oneof(often<Json>(0, -0, '', null, false, [], {}, [1, [2]], { items: [{ a: 1 }] }), small),
  },
  { weight: 1, arbitrary: large },
)

const bound = fc.oneof(
  often<Json>('text', 7),
  pointer.map(path => ({ path })),
)
const children = fc.oneof(
  fc.array(id, { maxLength: 3 }),
  fc.record({ componentId: id, path: pointer }) as fc.Arbitrary<Json>,
)
const flat = fc.oneof<fc.Arbitrary<JsonObject>[]>(
  fc.record({ id, component: often('Text'), text: bound }),
  fc.record({ id, component: often('Column', 'List'), children }),
  fc.record({ id, component: often('TextField'), label: often('Name'), value: bound }),
  fc.record({ id, component: often('Custom'), rows: value }),
)
const nested: fc.Arbitrary<JsonObject> = fc.letrec<{ node: JsonObject }>(tie => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ id, type: often('Text', 'Heading'), props: fc.record({ text: bound }) }) as fc.Arbitrary<JsonObject>,
    fc.record({ type: often('Checkbox', 'TextField'), props: fc.record({ value: bound }) }) as fc.Arbitrary<JsonObject>,
    fc.record({
      id,
      type: often('Column'),
      children: fc.array(fc.oneof(tie('node'), id), { maxLength: 3 }),
    }) as fc.Arbitrary<JsonObject>,
    fc.record({ id, type: often('Table'), props: fc.record({ rows: value }) }) as fc.Arbitrary<JsonObject>,
  ),
})).node
const component = fc.oneof(flat, nested)

const CATALOG = 'https://a2ui.org/specification/v0_9/basic_catalog.json'
const body = fc.oneof<fc.Arbitrary<JsonObject>[]>(
  fc
    .record(
      {
        surfaceId,
        catalogId: weighted(often<Json>(CATALOG), often<Json>('other', 'c'.repeat(2_001), 5), 6),
        root: fc.oneof(nested, id),
        dataModel: fc.dictionary(often('a', 'b', 'items', 'constructor', ''), value, { maxKeys: 3 }),
        components: fc.array(component, { maxLength: 3 }),
        theme: often<Json>({}, { primaryColor: '#336699' }, { agentDisplayName: 'n'.repeat(20_000) }),
        sendDataModel: fc.boolean(),
      },
      { requiredKeys: ['surfaceId', 'catalogId'] },
    )
    .map(createSurface => ({ createSurface })),
  fc
    .record(
      {
        surfaceId,
        components: fc.array(component, { maxLength: 3 }),
        replace: fc.record({ id, component }),
        delete: fc.array(id, { maxLength: 2 }),
      },
      { requiredKeys: ['surfaceId'] },
    )
    .map(updateComponents => ({ updateComponents })),
  fc
    .record({ surfaceId, path: pointer, value }, { requiredKeys: ['surfaceId'] })
    .map(updateDataModel => ({ updateDataModel })),
  fc
    .record({ surfaceId, path: pointer, value }, { requiredKeys: ['surfaceId', 'path'] })
    .map(updateDataModel => ({ updateDataModel })),
  fc.record({ surfaceId }).map(deleteSurface => ({ deleteSurface })),
) as fc.Arbitrary<JsonObject>
const envelope = weighted(
  body.map((one): Json => ({ version: 'v0.9', ...one })),
  often<Json>(null, {}, 'text', { version: 'v0.7', deleteSurface: { surfaceId: 's' } }),
  40,
)
const first: Json = {
  version: 'v0.9',
  createSurface: { surfaceId: 's', catalogId: CATALOG, root: { type: 'Column', id: 'root', children: ['a', 'b'] } },
}
const calls = fc.array(fc.array(envelope, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })

describe('P-680 a surface means the same everywhere', () => {
  it('P-680 tool result, engine, log, snapshot, page and late reader agree over 10,000 random histories', async () => {
    const seen = { ok: 0, refused: 0, split: 0 }
    await fc.assert(
      fc.asyncProperty(calls, envelope, async (history, last) => {
        const { ok, refused, split } = await expectLaw([[first], ...history], last)
        seen.ok += ok
        seen.refused += refused
        seen.split += split
      }),
      { numRuns: 10_000 },
    )
    // The histories reach both sides of the limits. About 125 of them are split, and chance must not decide.
    expect(seen.ok).toBeGreaterThan(10_000)
    expect(seen.refused).toBeGreaterThan(10_000)
    expect(seen.split).toBeGreaterThan(60)
  }, 120_000)
})
