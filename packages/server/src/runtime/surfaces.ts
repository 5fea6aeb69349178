import {
  a2uiToolResult,
  type Catalog,
  catalogOrFirst,
  declaredName,
  type EnvelopeResult,
  offers,
  type SurfacePast,
  Surfaces,
  toEnvelopes,
} from '@vitrine/genui/a2ui'
import {
  type Actor,
  type EventDraft,
  formatPointer,
  type Interaction,
  type JsonObject,
  type Message,
  type RefusalCode,
  type Surface,
  type SurfaceOp,
  surfaceOps,
} from '@vitrine/protocol'
import { IllegalEvent } from '../log/event-from.ts'
import type { SessionLog } from '../log/session-log.ts'
import type { StoredHistory } from '../log/stored-history.ts'
import { Refusal } from '../refusal.ts'
import { groupOps } from './group-ops.ts'
import { SurfacePasts } from './surface-pasts.ts'
import { opsBack, surfacesBefore } from './surfaces-before.ts'

/** What a person did, and where. */
type Press = Pick<
  Extract<Interaction, { kind: 'a2ui' }>,
  'surfaceId' | 'componentId' | 'eventType' | 'name' | 'payload'
>

/** Bytes of operations in one event. The rest of the event is for its ids. */
const MAX_OPS_BYTES = 48 * 1024

/** Events of surfaces may have the largest size there is: reading more of them at once would keep others waiting. */
const EVENTS_AT_ONCE = 100

/** Codes of the engine that a person can do something about. Its other codes are for agents. */
const EDIT_CODES: readonly RefusalCode[] = ['string_too_long', 'state_too_large']

/** The surfaces of one session: envelopes are checked here, and what they change becomes events. */
export class SessionSurfaces {
  /** What agents draw with; the first one is taken when a surface names one that is not here. */
  readonly catalogs: readonly Catalog[]
  readonly #log: SessionLog
  readonly #history: StoredHistory
  readonly #pasts: SurfacePasts
  #engine: Surfaces | undefined

  constructor(log: SessionLog, history: StoredHistory, catalogs: readonly Catalog[]) {
    this.catalogs = catalogs
    this.#log = log
    this.#history = history
    this.#pasts = new SurfacePasts(seq => history.events(seq, EVENTS_AT_ONCE), catalogs)
  }

  /** Drops the engine. When it is needed again, it is made anew from the facts. */
  forgetEngine(): void {
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

  /** What a surface has ever declared about what people type and what pages send. */
  async past(surfaceId: string): Promise<SurfacePast> {
    await this.#history.loadSurfaces(surfaceId)
    return this.#pasts.of(surfaceId, this.#log.state.surfaces.byId.get(surfaceId))
  }

  /**
   * Puts what a person typed into the surface: all of it, or nothing, with the reason. The engine has it at once. The caller
   * writes the events, or calls `forgetEngine` when the events are not written.
   */
  async accept(press: Press, edits: JsonObject, by: Actor): Promise<EventDraft[]> {
    const { surfaceId } = press
    if (this.#log.state.surfaces.byId.get(surfaceId)?.state !== 'live') {
      const next = 'Ask the agent to show it again.'
      throw new Refusal('surface_not_found', 'This surface is no longer there.', { next })
    }
    const engine = await this.#current()
    const past = await this.past(surfaceId)
    this.#checkPress(engine, press)
    for (const key of Object.keys(edits)) {
      const why = 'No field is bound there.'
      if (!past.takesEdit(key)) throw notOffered(why, { path: `/edits${formatPointer([key])}`, detail: why })
    }
    const result = engine.accept(surfaceId, edits)
    if (result.ok) return changes(surfaceId, result.ops, { by })
    const { code, error, path } = result
    const told = EDIT_CODES.find(one => one === code) ?? 'edit_refused'
    const next = 'Change what you entered there and send it again.'
    throw new Refusal(told, error, { next, errors: [{ path, detail: error }] })
  }

  /** What makes surfaces that stay again what they were before a message, because what changed them leaves the active path. */
  async restored(from: Message, by: Actor): Promise<EventDraft[]> {
    const { byId } = this.#log.state.surfaces
    const stays = (surface: Surface | undefined) =>
      surface && surface.ordinal !== null && surface.ordinal < from.ordinal
    if (![...byId.values()].some(stays)) return []
    const drafts: EventDraft[] = []
    for (const [surfaceId, then] of await surfacesBefore(this.#history.events(1, EVENTS_AT_ONCE), from)) {
      await this.#history.loadSurfaces(surfaceId)
      const now = byId.get(surfaceId)
      if (now && stays(now) && then.state === 'live') drafts.push(...changes(surfaceId, opsBack(now, then), { by }))
    }
    return drafts
  }

  /** Refuses what no page could send that shows the surface as it is. One with an older surface says so to the person. */
  #checkPress(engine: Surfaces, { surfaceId, ...press }: Press): void {
    const surface = this.#log.state.surfaces.byId.get(surfaceId)
    const component = surface?.components.get(press.componentId)
    if (!component || !engine.isDrawn(surfaceId, press.componentId))
      throw notOffered('This part of the surface is no longer there.')
    const catalog = catalogOrFirst(this.catalogs, surface?.catalogId)
    if (offers(component, catalog, press)) return
    const name = declaredName(component)
    const isName = offers(component, catalog, { ...press, name })
    throw notOffered('It does not offer this action.', isName ? { path: '/name', detail: nameRule(name) } : undefined)
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
      // The engine is ahead of the log.
      this.forgetEngine()
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

/** What no page could send, and which field of the command is to blame. */
const notOffered = (why: string, error?: { path: string; detail: string }): Refusal =>
  new Refusal('ui_action_not_offered', why, {
    next: 'Load the session again and use the surface as it is now.',
    ...(error && { errors: [error] }),
  })

const nameRule = (name: string | undefined): string =>
  name === undefined
    ? 'The component declares no event, and a page sends no name.'
    : `The component declares the event '${name}', and a page sends this name.`

const changes = (surfaceId: string, ops: readonly SurfaceOp[], ids: Omit<EventDraft, 'type'>): EventDraft[] =>
  groupOps(ops, MAX_OPS_BYTES).map((group): EventDraft => ({ type: 'surface.changed', ...ids, surfaceId, ops: group }))
