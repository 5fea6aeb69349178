import { isObject, own } from '@vitrine/protocol'
import { JsonStream } from '../json-stream.ts'
import type { UiSchemaRenderer } from '../schema/nodes.ts'
import { type CompileHintsOptions, hintsToSchema } from './compile.ts'

/** Text that may be read while it is written. A status, a path or an id means nothing before it is whole. */
const prose = new Set(['title', 'subtitle', 'description', 'body', 'content', 'label', 'value', 'caption'])

/** Shown when they are whole: half a button, field or picture would change under the reader's hand. */
const whole = new Set(['actions', 'action', 'fields', 'chart', 'image', 'icon', 'progress', 'meta'])

/** What an item needs before it can be shown. */
const needs: Readonly<Record<string, string>> = { items: 'key', listItems: 'title' }

/** A card that is drawn while its hints are still being written. */
export interface HintsStream {
  push(chunk: string): void
  /** The card as far as it is known; undefined while nothing is. Node ids stay the same while it grows. */
  schema(): UiSchemaRenderer | undefined
  readonly complete: boolean
  /** The text is not JSON. */
  readonly failed: boolean
}

/** UiHints that arrive in pieces, as a tool's arguments do. */
export function hintsStream(options: CompileHintsOptions = {}): HintsStream {
  const json = new JsonStream()
  let current: UiSchemaRenderer | undefined
  let stale = true
  return {
    push(chunk) {
      json.push(chunk)
      stale = true
    },
    schema() {
      if (stale) {
        stale = false
        const hints = readable(json)
        current = isObject(hints) ? hintsToSchema(hints, { ...options, ids: true, partial: !json.complete }) : undefined
      }
      return current
    },
    get complete() {
      return json.complete
    },
    get failed() {
      return json.error !== undefined
    },
  }
}

/** The value without what is not ready to be shown. Only the containers that are still open are copied. */
function readable(json: JsonStream): unknown {
  const { open, openText } = json
  if (open.length === 0) return json.root
  let inner: unknown = openText
  for (let index = open.length - 1; index >= 0; index--) {
    const { container, key } = open[index]!
    const last = index === open.length - 1
    const name = Array.isArray(container) ? (open[index - 1]?.key ?? '') : key
    const shown = last ? openText !== undefined && isObject(container) && prose.has(key) : ready(name, inner)
    inner = withLast(container, key, shown ? inner : undefined, last)
  }
  return inner
}

function ready(name: string, value: unknown): boolean {
  // A list shows those of its entries that are ready.
  if (Array.isArray(value)) return true
  if (whole.has(name)) return false
  const need = own(needs, name)
  return need === undefined || (isObject(value) && value[need] !== undefined)
}

/** A copy of an open container whose last entry is replaced, or left out when there is nothing to show yet. */
function withLast(container: unknown[] | Record<string, unknown>, key: string, value: unknown, end: boolean): unknown {
  if (Array.isArray(container)) {
    // In the innermost container the open string is not in the array yet; further out the open entry is its last.
    const done = end ? container : container.slice(0, -1)
    return value === undefined ? [...done] : [...done, value]
  }
  const copy = { ...container }
  if (value === undefined) {
    if (!end) delete copy[key]
  } else copy[key] = value
  return copy
}
