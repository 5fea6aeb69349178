import { type Catalog, catalogOrFirst, SurfacePast } from '@vitrine/genui/a2ui'
import {
  applySurfaceOps,
  emptySurface,
  type JsonObject,
  type SessionEvent,
  type SurfaceContent,
} from '@vitrine/protocol'

interface Followed {
  content: SurfaceContent<{ set(): boolean }>
  past: SurfacePast
  /** Components are replaced and never changed: one that was looked at under its id says nothing new. */
  noted: WeakMap<JsonObject, string>
}

/**
 * What each surface of a session has ever declared, also before it was created anew under the same id: what a person does
 * may be on its way meanwhile. It is read from the log, as far as it was not read.
 */
export class SurfacePasts {
  readonly #events: (seq: number) => AsyncIterable<SessionEvent>
  readonly #catalogs: readonly Catalog[]
  readonly #surfaces = new Map<string, Followed>()
  #next = 1
  #reading: Promise<void> = Promise.resolve()

  constructor(events: (seq: number) => AsyncIterable<SessionEvent>, catalogs: readonly Catalog[]) {
    this.#events = events
    this.#catalogs = catalogs
  }

  /**
   * What a surface has declared in the stored events, and what it declares `now`: an event is folded before it is stored, so
   * the surface may have a field that no stored event has yet.
   */
  async of(surfaceId: string, now?: Pick<SurfaceContent, 'components' | 'catalogId'>): Promise<SurfacePast> {
    const reading = this.#reading.then(() => this.#read())
    // A failed read is told to whoever asked. The next one goes on where it stopped.
    this.#reading = reading.catch(() => {})
    await reading
    const surface = this.#followed(surfaceId)
    if (now) this.#note(surface, now.catalogId, now.components)
    return surface.past
  }

  async #read(): Promise<void> {
    for await (const event of this.#events(this.#next)) {
      this.#next = event.seq + 1
      if (event.type === 'surface.changed') this.#follow(event)
    }
  }

  #follow({ surfaceId, ops }: Extract<SessionEvent, { type: 'surface.changed' }>): void {
    // Most changes are of data alone, which say nothing about fields.
    if (ops.every(op => op.op === 'set' && op.id === undefined)) return
    const surface = this.#followed(surfaceId)
    const { content } = surface
    // When history is rewound, a surface that was removed may be there again, and go on as it was.
    applySurfaceOps(
      content,
      ops.filter(({ op }) => op !== 'remove'),
    )
    // A surface has thousands of components, and its log many changes of one: only what changed is looked at.
    const touched = new Map<string, JsonObject>()
    for (const op of ops) {
      const id = 'id' in op ? op.id : undefined
      const component = id === undefined ? undefined : content.components.get(id)
      if (component) touched.set(id!, component)
    }
    this.#note(surface, content.catalogId, touched)
  }

  #followed(surfaceId: string): Followed {
    const content = { ...emptySurface(), data: { set: () => true } }
    const surface = this.#surfaces.get(surfaceId) ?? { content, past: new SurfacePast(), noted: new WeakMap() }
    this.#surfaces.set(surfaceId, surface)
    return surface
  }

  #note({ past, noted }: Followed, catalogId: string | null, components: ReadonlyMap<string, JsonObject>): void {
    const catalog = catalogOrFirst(this.#catalogs, catalogId)
    for (const [id, component] of components) {
      if (noted.get(component) === id) continue
      noted.set(component, id)
      past.note(id, component, catalog.traits(String(component.type)))
    }
  }
}
