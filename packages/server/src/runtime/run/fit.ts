import { diagnosticLines } from '@vitrine/genui'
import {
  type BlobRef,
  type EventDraft,
  isObject,
  type JsonObject,
  jsonBytes,
  UI_SCHEMA_MEDIA_TYPE,
} from '@vitrine/protocol'
import { MAX_EVENT_BYTES } from '@vitrine/protocol/schema'
import type { LargeText } from '../../agents/agent.ts'
import { type JudgedUi, judgeUi } from '../compile-ui.ts'
import type { Excerpt } from '../content.ts'

export const PREVIEW = 8 * 1024
/** Bytes of an interface that fit into an event beside the rest of the event. A larger interface is loaded on demand. */
const MAX_INLINE_UI = 32 * 1024
/** Characters that stay of a preview when its characters take so many bytes that an event has no room for more. */
const SHORT_PREVIEW = 2 * 1024
/** Bytes that an event needs beside what the agent says: its ids, its place in the log and its time. */
export const EVENT_HEAD = 2 * 1024
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
  tell: (code: 'ui_hints' | 'output_clipped', what: string) => Promise<void>,
): Promise<EventDraft> {
  const fitted: Result = { ...event }
  delete fitted.uiProblems
  const compiled = isObject(fitted.uiHints) ? host.compileUi(fitted.uiHints) : undefined
  // Hints beside a document are judged as well: somebody may compile them again.
  const given = isObject(fitted.ui) ? judgeUi(fitted.ui) : undefined
  const judged =
    given && compiled ? { ...given, problems: [...given.problems, ...compiled.problems] } : (given ?? compiled)
  if (judged) {
    fitted.ui = judged.ui
    const { length } = judged.problems
    if (length > 0) {
      const lines = diagnosticLines(judged.problems)
      fitted.uiProblems = lines.map(line => line.slice(0, MAX_PROBLEM).toWellFormed())
      const what = given?.problems.length
        ? 'The interface of a result is not legal'
        : 'The hints of a result are not legal or show nothing'
      await tell('ui_hints', [`${what}; what could be read of it is shown (${length} problems).`, ...lines].join('\n'))
    }
  }
  // A result has one reference. The interface comes first, because nothing of it is seen without it.
  const lost: string[] = []
  const refer = (ref: BlobRef | undefined, what: string): void => {
    if (ref && fitted.ref) lost.push(what)
    else if (ref) fitted.ref = ref
  }
  const own = fitted.ref
  delete fitted.ref
  const drawn = fitted.ui && JSON.stringify(fitted.ui)
  if (drawn && Buffer.byteLength(drawn + JSON.stringify(fitted.uiHints ?? null)) > MAX_INLINE_UI) {
    delete fitted.uiHints
    if (Buffer.byteLength(drawn) > MAX_INLINE_UI) {
      delete fitted.ui
      refer((await host.store({ text: drawn, mediaType: UI_SCHEMA_MEDIA_TYPE })).ref, 'ui')
    }
  }
  refer(own, 'ref')
  const value = fitted.value === undefined ? '' : JSON.stringify(fitted.value)
  if (value.length > PREVIEW) {
    const { ref, ...stored } = await host.store({ text: value, mediaType: 'application/json' })
    delete fitted.value
    refer(ref, 'value')
    // The agent's own words about the value stand alone: the end of the value would not be theirs.
    if (fitted.preview === undefined) Object.assign(fitted, stored)
  }
  if (isLong(fitted.preview)) {
    const { ref, ...stored } = await host.store({ text: fitted.preview })
    Object.assign(fitted, stored)
    refer(ref, 'preview')
  }
  lost.push(...leaveOut(fitted))
  if (lost.length > 0) {
    const parts = [...new Set(lost)].join(', ')
    await tell('output_clipped', `A result is too large for one event; not all of it is kept: tool.result ${parts}`)
  }
  return fitted
}

/** Parts of a result that may be missing without making it another result. */
const SPARE = ['uiHints', 'meta', 'structured', 'content', 'value', 'tail'] as const

/** Leaves out the largest parts of a result until an event takes it. Returns their names. */
function leaveOut(result: Result): string[] {
  const left: string[] = []
  const bytes = new Map(SPARE.map(name => [name, jsonBytes(result[name] ?? null)]))
  const isOver = (): boolean => jsonBytes(result) > MAX_EVENT_BYTES - EVENT_HEAD
  for (const name of SPARE.toSorted((a, b) => bytes.get(b)! - bytes.get(a)!)) {
    if (!isOver()) return left
    if (result[name] !== undefined) left.push(name)
    delete result[name]
  }
  if (isOver() && result.preview !== undefined) {
    result.preview = result.preview.slice(0, SHORT_PREVIEW).toWellFormed()
    left.push('preview')
  }
  return left
}

export const fitFailure = (event: Extract<EventDraft, { type: 'tool.failed' }>, host: FitHost): Promise<EventDraft> =>
  withPreview(event, host)

async function withPreview<T extends EventDraft & { preview?: string | undefined }>(event: T, host: FitHost) {
  return isLong(event.preview) ? { ...event, ...(await host.store({ text: event.preview })) } : event
}

/** Agents bring it, so that it need not be a text. */
const isLong = (preview: unknown): preview is string => typeof preview === 'string' && preview.length > PREVIEW
