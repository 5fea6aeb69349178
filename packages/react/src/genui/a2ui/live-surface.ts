import type { SessionHandle } from '@vitrine/client'
import { type SurfaceAction, SurfaceModel } from '@vitrine/genui/a2ui'
import { type JsonObject, type Surface, surfaceOps } from '@vitrine/protocol'
import type { DrawnCatalog } from '../drawn-catalogs.ts'
import { type SendOutcome, SurfaceInteractions } from './interactions.ts'
import { NodeFeed } from './node-feed.ts'
import { OpQueue } from './op-queue.ts'
import { pagePatternWorker } from './pattern-worker.ts'
import { SurfaceDraft } from './surface-draft.ts'

/** How long an accepted action waits for its facts to come through the stream before the overlay goes anyway. */
const FACTS_WITHIN = 2_000

/** One surface of an open session: a model that follows the session's events, and what the person does with it. */
export class LiveSurface {
  readonly surfaceId: string
  readonly model: SurfaceModel
  readonly catalog: DrawnCatalog['catalog']
  /** Ends it when the surface is drawn with another catalog, by another model. */
  readonly stop: () => void
  readonly feed: NodeFeed
  readonly interactions: SurfaceInteractions
  readonly kept = new Map<string, unknown>()
  readonly #handle: SessionHandle
  readonly #queue: OpQueue
  readonly #draft: SurfaceDraft
  #source: Surface | undefined
  #asOf = -1
  #received = 0
  #waiting = new Set<() => void>()

  constructor(handle: SessionHandle, surfaceId: string, locale: string, catalog?: DrawnCatalog['catalog']) {
    this.surfaceId = surfaceId
    this.catalog = catalog
    this.#handle = handle
    this.model = new SurfaceModel({ surfaceId, locale, catalog, patternWorker: pagePatternWorker() })
    this.feed = new NodeFeed(this.model)
    this.interactions = new SurfaceInteractions(
      this.model,
      this.feed,
      (action, edits, key) => this.#send(action, edits, key),
      () => this.#draft.keep(),
    )
    this.#draft = new SurfaceDraft(handle.sessionId, this.model, this.interactions.secrets)
    this.#queue = new OpQueue(this.model, () => this.#settle())
    this.stop = this.#follow()
  }

  #follow(): () => void {
    this.#rebuild()
    this.#draft.restore()
    const unlisten = this.#handle.onEvent(event => {
      if (event.type === 'steer.accepted') this.interactions.delivered(event.steerId)
      if (event.type === 'run.started' || event.type === 'queue.changed')
        this.interactions.delivered(event.turnId ?? '')
      if (event.type !== 'surface.changed' || event.surfaceId !== this.surfaceId) return
      // The fold may have begun anew with this very event.
      if (this.#source !== this.#handle.state.surfaces.byId.get(this.surfaceId)) return
      this.#received++
      this.#queue.push(event.ops)
      if (event.ops.some(op => op.op === 'remove')) this.#draft.forget()
    })
    // A new snapshot or a page of history brings another object for the same surface.
    const unsubscribe = this.#handle.subscribe(`surface:${this.surfaceId}`, () => this.#rebuild())
    return () => {
      unlisten()
      unsubscribe()
    }
  }

  #rebuild(): void {
    const source = this.#handle.state.surfaces.byId.get(this.surfaceId)
    if (!source || (source === this.#source && source.asOf === this.#asOf)) return
    this.#source = source
    this.#asOf = source.asOf
    this.#queue.clear()
    // As one batch: components that the model already has keep their nodes.
    this.model.apply(surfaceOps(source))
    this.#received++
    this.#settle()
  }

  async #send(action: SurfaceAction, edits: JsonObject, key: string): Promise<SendOutcome> {
    const { surfaceId, ...what } = action
    const before = this.#received
    const sent = Object.keys(edits).length > 0
    const outcome = await this.#handle.sendSurfaceInteraction(surfaceId, { ...what, ...(sent && { edits }) }, key)
    // The answer was lost, but the session shows that the action arrived.
    if (!outcome.ok && !this.#arrived(key)) return outcome
    // The answer can overtake the stream: until the facts are here the overlay still shows them.
    if (sent && this.#received === before) await this.#facts()
    return { ok: true }
  }

  #arrived(key: string): boolean {
    const { steers, turns, queue } = this.#handle.state
    return steers.byId.has(key) || turns.byId.has(key) || queue.turns.some(({ turnId }) => turnId === key)
  }

  #facts(): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, FACTS_WITHIN)
      this.#waiting.add(done)
    })
  }

  /** The model has changed, in the frame that is being prepared. */
  #settle(): void {
    this.interactions.forgetGone()
    this.interactions.forgetSent()
    this.feed.flush()
    for (const done of [...this.#waiting]) done()
  }
}

const open = new WeakMap<SessionHandle, Map<string, LiveSurface>>()

/** The one live model of a surface; it lives as long as the handle does, or until the surface names another catalog. */
export function liveSurface(
  handle: SessionHandle,
  surfaceId: string,
  locale: string,
  catalog: DrawnCatalog['catalog'],
): LiveSurface {
  const surfaces = open.get(handle) ?? new Map<string, LiveSurface>()
  open.set(handle, surfaces)
  let surface = surfaces.get(surfaceId)
  if (!surface || surface.catalog !== catalog) {
    surface?.stop()
    surface = new LiveSurface(handle, surfaceId, locale, catalog)
    surfaces.set(surfaceId, surface)
  }
  return surface
}
