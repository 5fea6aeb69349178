import assert from 'node:assert/strict'
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
import type { LoadedSession } from '../log/loaded-session.ts'
import { SessionLog } from '../log/session-log.ts'
import { StoredHistory } from '../log/stored-history.ts'
import type { SessionRow } from '../storage/session-store.ts'
import type { Storage } from '../storage/storage.ts'
import { createHub } from '../stream/hub.ts'
import { SessionSurfaces } from './surfaces.ts'

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
  if (!jsonEqual(a, b)) assert.deepEqual(a, b, what)
}

/** What happened to the envelopes of a history, and the surfaces as a page has them that saw all of it. */
export interface LawfulHistory {
  ok: number
  refused: number
  split: number
  models: ReadonlyMap<string, SurfaceModel>
}

/**
 * The law of P-680: for these calls of the tool its answer, the engine, the log, its fold, the snapshot, the page and a late
 * reader agree, and so do the engines of a late reader and of the server about one more envelope.
 */
export async function expectLaw(history: readonly (readonly Json[])[], last: Json): Promise<LawfulHistory> {
  const { log, history: storedHistory, stored, kept } = await openLog()
  const seen = { ok: 0, refused: 0, split: 0 }
  const surfaces = new SessionSurfaces(log, storedHistory, [basicCatalog])
  const engine = new Surfaces()
  const models = new Map<string, SurfaceModel>()
  let parts = 0
  const ids = { runId: 'r', turnId: 't', messageId: 'm', partId: () => `p${++parts}`, toolCallId: undefined }
  const ops: Json[] = []
  let read = 1
  let applied = 0
  for (const envelopes of history) {
    const answer = await surfaces.apply(envelopes, ids)
    const { results } = engine.apply(envelopes)
    same(
      (answer.results as JsonObject[]).map(({ ok, code = null }) => [ok!, code]),
      results.map(result => [result.ok, result.ok ? null : result.code]),
      'the answer of the tool is that of the engine',
    )
    for (const result of results) {
      seen[result.ok ? 'ok' : 'refused']++
      if (!result.ok) {
        assert.notEqual(result.code, 'not_applied', result.error)
        continue
      }
      applied++
      for (const op of result.ops) ops.push(op as Json)
    }
    for (; read < kept.length; read++) {
      const event = kept[read] as SessionEvent & { type: 'surface.changed' }
      const model = models.get(event.surfaceId) ?? new SurfaceModel({ surfaceId: event.surfaceId, onDiagnostic })
      models.set(event.surfaceId, model)
      model.apply(event.ops)
    }
  }
  const events = stored.map(text => JSON.parse(text) as SessionEvent)
  if (events.length - 1 > applied) seen.split++
  for (const text of stored) assert.ok(Buffer.byteLength(text) <= MAX_EVENT_BYTES)
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
    const late = new SurfaceModel({ surfaceId: key, onDiagnostic }, surfaceOps(surface))
    if (surface.state === 'live') same(live.dataModel(), surface.data.root, 'the data that are drawn')
    same(drawn(live), drawn(late), 'what a person sees')
  }

  const reader = new Surfaces()
  for (const [key, surface] of hydrated.surfaces.byId) reader.fold(key, surfaceOps(surface))
  same(ofEngine(reader), facts, 'a late reader')
  const again = [reader.apply([last]).results[0]!, engine.apply([last]).results[0]!]
  assert.equal(again[0]!.ok, again[1]!.ok)
  same(ofEngine(reader), ofEngine(engine), 'a late reader goes on in the same way')
  return { ...seen, models }
}

/** A function of the catalog takes whatever the data hold. */
function onDiagnostic({ code, message }: { code: string; message: string }): void {
  assert.notEqual(code, 'function_failed', message)
}
