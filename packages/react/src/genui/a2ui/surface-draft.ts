import type { SurfaceModel } from '@vitrine/genui/a2ui'
import type { JsonObject } from '@vitrine/protocol'
import { forgetDraft, placeOf, readDraft, writeDraft } from '../../drafts.ts'

/** What a person typed into a surface and did not send. */
export class SurfaceDraft {
  readonly #place: string
  readonly #model: SurfaceModel
  readonly #secrets: ReadonlySet<string>

  /** `secrets` are the edits that were typed hidden: these are not written anywhere. */
  constructor(sessionId: string, model: SurfaceModel, secrets: ReadonlySet<string>) {
    this.#place = placeOf('surface', sessionId, model.surfaceId)
    this.#model = model
    this.#secrets = secrets
  }

  restore(): void {
    const fields = readDraft(this.#place)
    if (Object.keys(fields).length > 0) this.#model.restoreLocal(fields as JsonObject)
  }

  keep(): void {
    const edits = Object.entries(this.#model.exportLocal()).filter(([key]) => !this.#secrets.has(key))
    writeDraft(this.#place, Object.fromEntries(edits))
  }

  forget(): void {
    forgetDraft(this.#place)
  }
}
