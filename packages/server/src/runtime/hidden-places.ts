import { type Catalog, findCatalog, hiddenFields } from '@vitrine/genui/a2ui'
import { applySurfaceOps, emptySurface, type SessionEvent, type SurfaceContent } from '@vitrine/protocol'

/** Where a surface has hidden what people type: the ids of fields, and the paths that they were bound to. */
export interface HiddenPlaces {
  readonly fields: ReadonlySet<string>
  readonly paths: ReadonlySet<string>
}

interface Followed {
  content: SurfaceContent<{ set(): boolean }>
  fields: Set<string>
  paths: Set<string>
}

/**
 * What has been hidden on each surface since it was created. What a person typed outlives its field, on the page and in
 * what is on its way, so the fields of this moment do not say enough. It is read from the log, as far as it was not read.
 */
export class EverHidden {
  readonly #events: (seq: number) => AsyncIterable<SessionEvent>
  readonly #catalogs: readonly Catalog[]
  readonly #surfaces = new Map<string, Followed>()
  #next = 1
  #reading: Promise<void> = Promise.resolve()

  constructor(events: (seq: number) => AsyncIterable<SessionEvent>, catalogs: readonly Catalog[]) {
    this.#events = events
    this.#catalogs = catalogs
  }

  async of(surfaceId: string): Promise<HiddenPlaces> {
    const reading = this.#reading.then(() => this.#read())
    // A failed read is told to whoever asked. The next one goes on where it stopped.
    this.#reading = reading.catch(() => {})
    await reading
    return this.#surfaces.get(surfaceId) ?? NOTHING
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
    const known = ops.some(({ op }) => op === 'create') ? undefined : this.#surfaces.get(surfaceId)
    const content = known?.content ?? { ...emptySurface(), data: { set: () => true } }
    const surface = known ?? { content, fields: new Set(), paths: new Set() }
    this.#surfaces.set(surfaceId, surface)
    // When history is rewound, a surface that was removed may be there again, and go on as it was.
    applySurfaceOps(
      content,
      ops.filter(({ op }) => op !== 'remove'),
    )
    for (const [id, path] of hiddenFields(content.components, findCatalog(this.#catalogs, content.catalogId))) {
      surface.fields.add(id)
      if (path !== null) surface.paths.add(path)
    }
  }
}

const NOTHING: HiddenPlaces = { fields: new Set(), paths: new Set() }
