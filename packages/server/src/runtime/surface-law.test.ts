import { basicCatalog, SurfaceModel, Surfaces } from '@vitrine/genui/a2ui'
import {
  apply,
  applySurfaceOps,
  createState,
  emptySurface,
  hydrate,
  type Json,
  type JsonObject,
  jsonEqual,
  type SessionEvent,
  type SessionState,
  type SurfaceContent,
  snapshot,
  surfaceOps,
} from '@vitrine/protocol'
import { MAX_EVENT_BYTES } from '@vitrine/protocol/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LoadedSession } from '../log/loaded-session.ts'
import { SessionLog } from '../log/session-log.ts'
import { StoredHistory } from '../log/stored-history.ts'
import type { SessionRow } from '../storage/session-store.ts'
import type { Storage } from '../storage/storage.ts'
import { createHub } from '../stream/hub.ts'
import { SessionSurfaces } from './surfaces.ts'

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

/** The real log without a disk: what it would store is kept as the text that it would be. */
async function openLog() {
  const stored: string[] = []
  const kept: SessionEvent[] = []
  const storage = {
    append: async ({ events }: { events: SessionEvent[] }) => {
      for (const event of events) {
        stored.push(JSON.stringify(event))
        kept.push(event)
      }
    },
  } as unknown as Storage
  const state = createState('session')
  const history = new StoredHistory(storage, state)
  const loaded: LoadedSession = { state, history, changedMessages: new Set(), savedSeq: 0, savedMessages: 0, bytes: 0 }
  const log = new SessionLog({
    storage,
    hub: createHub(),
    row: { owner: 'ann' } as SessionRow,
    loaded,
    epoch: 1,
    holder: 'test',
    batchMs: 0,
    now: () => 1,
  })
  const run = { runId: 'r', turnId: 't', agentId: 'agent', messageId: 'm', attempt: 1 }
  await log.write([{ type: 'run.started', ...run, input: { text: 'draw' } }])
  return { log, history, stored, kept }
}

const plain = ({ state, root, catalogId, theme, sendDataModel, components, data }: SurfaceContent): Json =>
  state === 'removed'
    ? null
    : { root, catalogId, theme, sendDataModel, components: Object.fromEntries(components), data: data.root }

const ofState = (state: SessionState): JsonObject =>
  Object.fromEntries(
    [...state.surfaces.byId].filter(([, surface]) => surface.state === 'live').map(([key, one]) => [key, plain(one)]),
  )

function ofEngine(engine: Surfaces): JsonObject {
  const result: JsonObject = {}
  for (const key of engine.ids) {
    const surface = emptySurface()
    applySurfaceOps(surface, engine.snapshot(key)!)
    result[key] = plain(surface)
  }
  return result
}

/** What a person sees of it, without the names that templates give to their items. */
function drawn(model: SurfaceModel, node = model.getSurface().root): Json {
  const seen = node === undefined ? undefined : model.getNode(node)
  if (!seen) return null
  const { componentId, type, props, children: inner, missing } = seen
  const own = Object.fromEntries(Object.entries(props).filter(([key]) => !['children', 'child', 'tabs'].includes(key)))
  return { componentId, type, own, missing, inner: inner.map(child => drawn(model, child)) }
}

const same = (a: Json, b: Json, what: string) => {
  if (!jsonEqual(a, b)) expect(a, what).toEqual(b)
}

describe('P-680 a surface means the same everywhere', () => {
  it('P-680 tool result, engine, log, snapshot, page and late reader agree over 10,000 random histories', async () => {
    const seen = { ok: 0, refused: 0, split: 0 }
    await fc.assert(
      fc.asyncProperty(calls, envelope, async (history, last) => {
        const { log, history: storedHistory, stored, kept } = await openLog()
        const surfaces = new SessionSurfaces(log, storedHistory, [basicCatalog])
        const engine = new Surfaces()
        const models = new Map<string, SurfaceModel>()
        let parts = 0
        const ids = { runId: 'r', turnId: 't', messageId: 'm', partId: () => `p${++parts}`, toolCallId: undefined }
        const ops: Json[] = []
        let read = 1
        let applied = 0
        for (const envelopes of [[first], ...history]) {
          const answer = await surfaces.apply(envelopes, ids)
          const { results } = engine.apply(envelopes)
          same(
            (answer.results as JsonObject[]).map(({ ok, code = null }) => [ok!, code]),
            results.map(result => [result.ok, result.ok ? null : result.code]),
            'the answer of the tool is that of the engine',
          )
          for (const result of results) {
            seen[result.ok ? 'ok' : 'refused']++
            if (!result.ok) continue
            applied++
            for (const op of result.ops) ops.push(op as Json)
          }
          for (; read < kept.length; read++) {
            const event = kept[read] as SessionEvent & { type: 'surface.changed' }
            const model = models.get(event.surfaceId) ?? new SurfaceModel({ surfaceId: event.surfaceId })
            models.set(event.surfaceId, model)
            model.apply(event.ops)
          }
        }
        const events = stored.map(text => JSON.parse(text) as SessionEvent)
        if (events.length - 1 > applied) seen.split++
        for (const text of stored) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_EVENT_BYTES)
        same(kept as unknown as Json, events as unknown as Json, 'no event has changed since it was stored')
        same(
          events.flatMap(event => (event.type === 'surface.changed' ? (event.ops as Json[]) : [])),
          ops,
          'the log has what was answered with ok, and nothing else',
        )

        const facts = ofEngine(engine)
        const folded = createState('session')
        for (const event of events) apply(folded, event)
        same(ofState(log.state), facts, 'the fold that the server holds')
        same(ofState(folded), facts, 'the fold of the stored log')
        const hydrated = hydrate(JSON.parse(JSON.stringify(snapshot(folded, 1))))
        same(ofState(hydrated), facts, 'the snapshot')

        for (const [key, surface] of hydrated.surfaces.byId) {
          const live = models.get(key)!
          const late = new SurfaceModel({ surfaceId: key }, surfaceOps(surface))
          if (surface.state === 'live') same(live.dataModel(), surface.data.root, 'the data that are drawn')
          same(drawn(live), drawn(late), 'what a person sees')
        }

        const reader = new Surfaces()
        for (const [key, surface] of hydrated.surfaces.byId) reader.fold(key, surfaceOps(surface))
        same(ofEngine(reader), facts, 'a late reader')
        const again = [reader.apply([last]).results[0]!, engine.apply([last]).results[0]!]
        expect(again[0]!.ok).toBe(again[1]!.ok)
        same(ofEngine(reader), ofEngine(engine), 'a late reader goes on in the same way')
      }),
      { numRuns: 10_000 },
    )
    // The histories reach both sides of the limits. About 125 of them are split, and chance must not decide.
    expect(seen.ok).toBeGreaterThan(10_000)
    expect(seen.refused).toBeGreaterThan(10_000)
    expect(seen.split).toBeGreaterThan(60)
  }, 120_000)
})
