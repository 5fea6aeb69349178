import {
  a2uiToolResult,
  type Catalog,
  type EnvelopeResult,
  findCatalog,
  hiddenFields,
  Surfaces,
  toEnvelopes,
} from '@vitrine/genui/a2ui'
import {
  type Actor,
  type EventDraft,
  type JsonObject,
  type RefusalCode,
  type SurfaceOp,
  surfaceOps,
} from '@vitrine/protocol'
import { IllegalEvent } from '../log/event-from.ts'
import type { SessionLog } from '../log/session-log.ts'
import type { StoredHistory } from '../log/stored-history.ts'
import { Refusal } from '../refusal.ts'
import { groupOps } from './group-ops.ts'
import { EverHidden, type HiddenPlaces } from './hidden-places.ts'

/** Bytes of operations in one event. The rest of the event is for its ids. */
const MAX_OPS_BYTES = 48 * 1024

/** Codes of the engine that a person can do something about. Its other codes are for agents. */
const EDIT_CODES: readonly RefusalCode[] = ['string_too_long', 'state_too_large']

/** The surfaces of one session: envelopes are checked here, and what they change becomes events. */
export class SessionSurfaces {
  /** What agents draw with; the first one is taken when a surface names one that is not here. */
  readonly catalogs: readonly Catalog[]
  readonly #log: SessionLog
  readonly #history: StoredHistory
  readonly #hidden: EverHidden
  #engine: Surfaces | undefined

  constructor(log: SessionLog, history: StoredHistory, catalogs: readonly Catalog[]) {
    this.catalogs = catalogs
    this.#log = log
    this.#history = history
    this.#hidden = new EverHidden(seq => history.events(seq), catalogs)
  }

  /** Drops the engine. When it is needed again, it is made anew from the facts. */
  rest(): void {
    this.#engine = undefined
  }

  /** Applies an agent's envelopes. Each one is applied or refused on its own. Resolves when what was applied is durable. */
  async apply(
    input: unknown,
    ids: { runId: string; turnId: string; messageId: string; partId: () => string; toolCallId: string | undefined },
  ): Promise<JsonObject> {
    const { state } = this.#log
    const envelopes = toEnvelopes(input)
    if (state.session.metadata.enableA2ui === false) {
      const error = 'A2UI is disabled in this session: answer in plain text.'
      return {
        applied: 0,
        failed: envelopes.length,
        results: envelopes.map(() => ({ ok: false, code: 'disabled', error })),
      }
    }
    const { runId, turnId, toolCallId } = ids
    const writes: Promise<EnvelopeResult>[] = []
    for (const envelope of envelopes) {
      const engine = await this.#current()
      const live = new Set(engine.ids)
      const result = engine.apply([envelope]).results[0]!
      const isNew = result.ok && !live.has(result.surfaceId)
      const shown = isNew ? { messageId: ids.messageId, partId: ids.partId() } : {}
      const told = { runId, turnId, ...shown, ...(toolCallId && { toolCallId }) }
      writes.push(result.ok ? this.#write(result, result.ops, told) : Promise.resolve(result))
    }
    const results = await Promise.all(writes)
    const applied = results.filter(({ ok }) => ok).length
    return a2uiToolResult(await this.#current(), { applied, failed: results.length - applied, results })
  }

  /** Where a surface has ever hidden what people type into it, and where it does so now. */
  async hiddenPlaces(surfaceId: string): Promise<HiddenPlaces> {
    const { fields, paths } = await this.#hidden.of(surfaceId)
    await this.#history.loadSurfaces(surfaceId)
    const surface = this.#log.state.surfaces.byId.get(surfaceId)
    const now = hiddenFields(surface?.components ?? new Map(), findCatalog(this.catalogs, surface?.catalogId))
    const bound = [...now.values()].filter(path => path !== null)
    return { fields: new Set([...fields, ...now.keys()]), paths: new Set([...paths, ...bound]) }
  }

  /**
   * Puts what a person typed into the surface: all of it, or nothing, with the reason. The engine has it at once. The caller
   * writes the events, or calls `rest` when the events are not written.
   */
  async accept(surfaceId: string, edits: JsonObject, by: Actor): Promise<EventDraft[]> {
    if (this.#log.state.surfaces.byId.get(surfaceId)?.state !== 'live') {
      const next = 'Ask the agent to show it again.'
      throw new Refusal('surface_not_found', 'This surface is no longer there.', { next })
    }
    const result = (await this.#current()).accept(surfaceId, edits)
    if (result.ok) return changes(surfaceId, result.ops, { by })
    const { code, error, path } = result
    const told = EDIT_CODES.find(one => one === code) ?? 'edit_refused'
    const next = 'Change what you entered there and send it again.'
    throw new Refusal(told, error, { next, errors: [{ path, detail: error }] })
  }

  /** Writes one envelope by itself: when the log refuses it, the other envelopes are not refused. */
  async #write(
    result: EnvelopeResult & { ok: true },
    ops: readonly SurfaceOp[],
    ids: Omit<EventDraft, 'type'>,
  ): Promise<EnvelopeResult> {
    const { surfaceId } = result
    const drafts = changes(surfaceId, ops, ids)
    try {
      if (drafts.length > 0) await this.#log.write(drafts)
      return result
    } catch (error) {
      // The engine is ahead of the log: it is made anew from the facts.
      this.#engine = undefined
      if (!(error instanceof IllegalEvent)) throw error
      return {
        ok: false,
        surfaceId,
        code: 'not_stored',
        path: '',
        error: `This could not be stored: ${error.message}.`,
      }
    }
  }

  /** The engine with every live surface in it, also those outside the window. */
  async #current(): Promise<Surfaces> {
    if (this.#engine) return this.#engine
    await this.#history.loadSurfaces()
    if (this.#engine) return this.#engine
    this.#engine = new Surfaces({ catalogs: this.catalogs })
    for (const surface of this.#log.state.surfaces.byId.values()) {
      if (surface.state === 'live') this.#engine.fold(surface.surfaceId, surfaceOps(surface))
    }
    return this.#engine
  }
}

const changes = (surfaceId: string, ops: readonly SurfaceOp[], ids: Omit<EventDraft, 'type'>): EventDraft[] =>
  groupOps(ops, MAX_OPS_BYTES).map((group): EventDraft => ({ type: 'surface.changed', ...ids, surfaceId, ops: group }))
