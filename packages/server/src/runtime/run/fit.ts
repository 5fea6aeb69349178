import { diagnosticLines } from '@vitrine/genui'
import { type EventDraft, isObject, type JsonObject, UI_SCHEMA_MEDIA_TYPE } from '@vitrine/protocol'
import type { LargeText } from '../../agents/agent.ts'
import { type JudgedUi, judgeUi } from '../compile-ui.ts'
import type { Excerpt } from '../content.ts'

export const PREVIEW = 8 * 1024
/** Bytes of an interface that fit into an event beside the rest of the event. A larger interface is loaded on demand. */
const MAX_INLINE_UI = 32 * 1024
/** Characters of one problem: a finding quotes what it found. */
const MAX_PROBLEM = 300

export interface FitHost {
  store(large: LargeText): Promise<Excerpt>
  compileUi(uiHints: JsonObject): JudgedUi
}

type Result = Extract<EventDraft, { type: 'tool.result' }>

/** Makes a result fit into an event: what is too large becomes a blob, and hints become the interface they describe. */
export async function fitResult(
  event: Result,
  host: FitHost,
  tell: (what: string) => Promise<void>,
): Promise<EventDraft> {
  const fitted = { ...event }
  delete fitted.uiProblems
  const hints = isObject(fitted.ui) ? undefined : fitted.uiHints
  const judged = isObject(hints) ? host.compileUi(hints) : isObject(fitted.ui) ? judgeUi(fitted.ui) : undefined
  if (judged) {
    fitted.ui = judged.ui
    const { length } = judged.problems
    if (length > 0) {
      const lines = diagnosticLines(judged.problems)
      fitted.uiProblems = lines.map(line => line.slice(0, MAX_PROBLEM).toWellFormed())
      const what = hints ? 'The hints of a result are not legal' : 'The interface of a result is not legal'
      await tell([`${what}; what could be read of it is shown (${length} problems).`, ...lines].join('\n'))
    }
  }
  const drawn = fitted.ui && JSON.stringify(fitted.ui)
  if (drawn && Buffer.byteLength(drawn + JSON.stringify(fitted.uiHints ?? null)) > MAX_INLINE_UI) {
    delete fitted.uiHints
    if (Buffer.byteLength(drawn) > MAX_INLINE_UI) {
      delete fitted.ui
      const { ref } = await host.store({ text: drawn, mediaType: UI_SCHEMA_MEDIA_TYPE })
      return { ...fitted, ...(ref && { ref }) }
    }
  }
  const value = fitted.value === undefined ? '' : JSON.stringify(fitted.value)
  if (value.length > PREVIEW) {
    const stored = await host.store({ text: value, mediaType: 'application/json' })
    delete fitted.value
    // The agent's own words about the value stand alone: the end of the value would not be theirs.
    if (fitted.preview !== undefined) return { ...fitted, ...(stored.ref && { ref: stored.ref }) }
    return { ...fitted, ...stored }
  }
  return withPreview(fitted, host)
}

export const fitFailure = (event: Extract<EventDraft, { type: 'tool.failed' }>, host: FitHost): Promise<EventDraft> =>
  withPreview(event, host)

async function withPreview<T extends EventDraft & { preview?: string | undefined }>(event: T, host: FitHost) {
  if (typeof event.preview !== 'string' || event.preview.length <= PREVIEW) return event
  return { ...event, ...(await host.store({ text: event.preview })) }
}
