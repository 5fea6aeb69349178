import { formatPointer } from '@vitrine/protocol'
import { problem, type UiDiagnostic } from './diagnostic.ts'
import { JsonStream } from './json-stream.ts'

/** Line and column in a text, both from 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** The value of a JSON text, or why and where the text is not JSON. */
export type JsonText =
  | { readonly ok: true; readonly value: unknown; readonly repeated: readonly RepeatedKey[] }
  | { readonly ok: false; readonly message: string; readonly position: TextPosition }

/** A key that an object has twice. Only the last value counts, and nobody is told of the others. */
export interface RepeatedKey {
  /** What is wrong, with the pointer to the value. */
  readonly diagnostic: UiDiagnostic
  /** Where the key stands again. */
  readonly position: TextPosition
}

/** Parses a JSON text. Engines do not all say where they stopped; here it is the first character that cannot go on. */
export function readJsonText(text: string): JsonText {
  try {
    const value = JSON.parse(text) as unknown
    return { ok: true, value, repeated: repeatedKeys(text) }
  } catch {
    const stream = new JsonStream()
    const stopped = stream.push(text)
    stream.end()
    return { ok: false, message: stream.error ?? 'it is empty', position: positionAt(text, stopped) }
  }
}

/** More than anyone reads. */
const MOST_REPEATED = 100

/** Goes once through a text that is valid JSON. */
function repeatedKeys(text: string): RepeatedKey[] {
  const found: RepeatedKey[] = []
  /** The objects and lists around this place, and where in each of them it is. */
  const open: { keys: Set<string> | undefined; step: string; items: number }[] = []
  let isKey = false
  for (let at = 0; at < text.length && found.length < MOST_REPEATED; at++) {
    const mark = text[at]
    const inner = open.at(-1)
    if (mark === '{' || mark === '[') {
      open.push({ keys: mark === '{' ? new Set() : undefined, step: '0', items: 0 })
      isKey = mark === '{'
    } else if (mark === '}' || mark === ']') open.pop()
    else if (mark === ',' && inner) {
      isKey = inner.keys !== undefined
      if (!isKey) inner.step = String(++inner.items)
    } else if (mark === '"') {
      const end = endOfString(text, at)
      if (isKey && inner?.keys) {
        const key = JSON.parse(text.slice(at, end)) as string
        inner.step = key
        if (inner.keys.has(key)) {
          const message = `${JSON.stringify(key)} stands twice in this object, and only the last value counts`
          const pointer = formatPointer(open.map(({ step }) => step))
          found.push({ diagnostic: problem('duplicate_key', message, pointer), position: positionAt(text, at) })
        }
        inner.keys.add(key)
        isKey = false
      }
      at = end - 1
    }
  }
  return found
}

/** The place behind the text that begins here with its quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"' && at < text.length) at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/**
 * Where a JSON pointer leads to in a JSON text. A pointer to something absent gives its nearest parent; in an object
 * the position is that of the key. The text must be valid JSON.
 */
export function locatePointer(text: string, pointer: string): TextPosition {
  const steps = pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return positionAt(text, new Finder(text).find(steps))
}

function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

class Finder {
  #at = 0
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }

  find(steps: readonly string[]): number {
    this.#space()
    let found = this.#at
    for (const step of steps) {
      const next =
        this.#text[this.#at] === '{' ? this.#key(step) : this.#text[this.#at] === '[' ? this.#index(step) : -1
      if (next < 0) break
      found = next
    }
    return found
  }

  /** Moves to the value of a key and returns where the key stands. The last of equal keys counts, as in JSON.parse. */
  #key(name: string): number {
    let found = -1
    let value = -1
    this.#at++
    for (this.#space(); this.#text[this.#at] !== '}'; this.#space()) {
      const start = this.#at
      const key: unknown = JSON.parse(this.#string())
      this.#space()
      this.#at++
      this.#space()
      if (key === name) {
        found = start
        value = this.#at
      }
      this.#skip()
      this.#space()
      if (this.#text[this.#at] === ',') this.#at++
    }
    if (found >= 0) this.#at = value
    return found
  }

  #index(step: string): number {
    this.#at++
    this.#space()
    for (let index = 0; this.#text[this.#at] !== ']'; index++) {
      if (String(index) === step) return this.#at
      this.#skip()
      this.#space()
      if (this.#text[this.#at] === ',') this.#at++
      this.#space()
    }
    return -1
  }

  #skip(): void {
    let depth = 0
    do {
      this.#space()
      const char = this.#text[this.#at]
      if (char === '"') this.#string()
      else if (char === undefined) return
      else {
        if (char === '{' || char === '[') depth++
        else if (char === '}' || char === ']') depth--
        else if (char !== ',' && char !== ':') {
          while (/[^\s,:\]}]/.test(this.#text[this.#at] ?? ',')) this.#at++
          continue
        }
        this.#at++
      }
    } while (depth > 0)
  }

  #string(): string {
    const start = this.#at
    this.#at = endOfString(this.#text, start)
    return this.#text.slice(start, this.#at)
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? 'x')) this.#at++
  }
}
