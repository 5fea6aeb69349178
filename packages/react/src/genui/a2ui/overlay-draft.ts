import type { JsonObject, SurfaceModel } from '@vitrine/genui/a2ui'
import { readStored, writeStored } from '../../stored.ts'

const WRITE_AFTER = 250

/** What a person typed into a surface and did not send: kept in this browser, so that a reload does not lose it. */
export class OverlayDraft {
  readonly #key: string
  readonly #model: SurfaceModel
  readonly #secrets: ReadonlySet<string>
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `secrets` are the edits that were typed hidden: these are not written anywhere. */
  constructor(sessionId: string, model: SurfaceModel, secrets: ReadonlySet<string>) {
    this.#key = `vitrine.surface.${sessionId}.${model.surfaceId}`
    this.#model = model
    this.#secrets = secrets
  }

  restore(): void {
    const kept = readStored<JsonObject>(this.#key, {})
    if (typeof kept === 'object' && kept !== null && Object.keys(kept).length > 0) this.#model.restoreLocal(kept)
  }

  changed(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.write, WRITE_AFTER)
    // Only while something waits: a listener of the window would keep a closed session alive.
    globalThis.addEventListener?.('pagehide', this.write)
  }

  readonly write = (): void => {
    this.#stopWaiting()
    const edits = Object.entries(this.#model.exportLocal()).filter(([key]) => !this.#secrets.has(key))
    writeStored(this.#key, edits.length > 0 ? Object.fromEntries(edits) : undefined)
  }

  forget(): void {
    this.#stopWaiting()
    writeStored(this.#key, undefined)
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    globalThis.removeEventListener?.('pagehide', this.write)
  }
}
