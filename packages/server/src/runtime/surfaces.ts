import { Surfaces, toolResult } from '@vitrine/genui/a2ui'
import type { EventDraft, Json, JsonObject, SessionState, SurfaceOp } from '@vitrine/protocol'
import type { SessionLog } from '../log/session-log.ts'
import { splitOps } from './split-ops.ts'
import type { StoredHistory } from './stored-history.ts'

/** Room in an event for its ids beside the operations. */
const MAX_OPS_BYTES = 48 * 1024

/** The surfaces of one session: envelopes are checked here, and what they change becomes events. */
export class SessionSurfaces {
  readonly #log: SessionLog
  readonly #history: StoredHistory
  #engine: Surfaces | undefined

  constructor(log: SessionLog, history: StoredHistory) {
    this.#log = log
    this.#history = history
  }

  /** Frees the memory of the engine; it is made anew when it is needed. */
  rest(): void {
    this.#engine = undefined
  }

  /** Applies an agent's envelopes; each fails or applies on its own. Resolves when what applied is durable. */
  async apply(
    envelopes: Json[],
    ids: { runId: string; turnId: string; messageId: string; partId: () => string; toolCallId: string | undefined },
  ): Promise<JsonObject> {
    const { state } = this.#log
    if (state.session.metadata.enableA2ui === false) {
      const error = 'A2UI is disabled in this session: answer in plain text.'
      return {
        applied: 0,
        failed: envelopes.length,
        results: envelopes.map(() => ({ ok: false, code: 'disabled', error })),
      }
    }
    if (!this.#engine) await this.#history.loadSurfaces()
    const engine = this.#current()
    const result = engine.apply(envelopes)
    const drafts: EventDraft[] = []
    const { runId, turnId, toolCallId } = ids
    for (const entry of result.results) {
      if (!entry.ok) continue
      const { surfaceId } = entry
      const isNew = !state.surfaces.byId.has(surfaceId) && !drafts.some(draft => draft.surfaceId === surfaceId)
      const shown = isNew ? { messageId: ids.messageId, partId: ids.partId() } : {}
      for (const ops of splitOps(entry.ops as SurfaceOp[], MAX_OPS_BYTES)) {
        drafts.push({
          type: 'surface.changed',
          runId,
          turnId,
          surfaceId,
          ...shown,
          ...(toolCallId && { toolCallId }),
          ops,
        })
      }
    }
    await this.#write(drafts)
    return toolResult(engine, result)
  }

  /** What a person typed becomes part of the surface. */
  async accept(surfaceId: string, edits: JsonObject): Promise<void> {
    if (!this.#engine) await this.#history.loadSurfaces()
    const result = this.#current().accept(surfaceId, edits)
    if (!result.ok || result.ops.length === 0) return
    const parts = splitOps(result.ops as SurfaceOp[], MAX_OPS_BYTES)
    await this.#write(parts.map(ops => ({ type: 'surface.changed', surfaceId, ops })))
  }

  async #write(drafts: EventDraft[]): Promise<void> {
    try {
      await this.#log.write(drafts)
    } catch (error) {
      // The engine is ahead of the log: it is made anew from the facts.
      this.#engine = undefined
      throw error
    }
  }

  #current(): Surfaces {
    this.#engine ??= fromState(this.#log.state)
    return this.#engine
  }
}

function fromState(state: SessionState): Surfaces {
  const engine = new Surfaces()
  for (const {
    surfaceId,
    root,
    catalogId,
    theme,
    sendDataModel,
    components,
    data,
    state: is,
  } of state.surfaces.byId.values()) {
    if (is !== 'live') continue
    engine.fold(surfaceId, [
      { op: 'create', root, theme, ...(catalogId !== null && { catalogId }), ...(sendDataModel && { sendDataModel }) },
      ...[...components].map(([id, component]) => ({
        op: 'upsert' as const,
        id,
        component: component as { type: string },
      })),
      { op: 'set', path: '', value: structuredClone(data) },
    ])
  }
  return engine
}
