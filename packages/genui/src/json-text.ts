import { JsonStream } from './json-stream.ts'

/** Line and column in a text, both from 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** The value of a JSON text, or why and where the text is not JSON. */
export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly position: TextPosition }

/** Parses a JSON text. Engines do not all say where they stopped; here it is the first character that cannot go on. */
export function readJsonText(text: string): JsonText {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    const stream = new JsonStream()
    const stopped = stream.push(text)
    stream.end()
    return { ok: false, message: stream.error ?? 'it is empty', position: positionAt(text, stopped) }
  }
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
    const start = this.#at++
    while (this.#text[this.#at] !== '"' && this.#at < this.#text.length)
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1
    return this.#text.slice(start, ++this.#at)
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? 'x')) this.#at++
  }
}
