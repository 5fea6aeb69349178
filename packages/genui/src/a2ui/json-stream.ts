import type { Json, JsonObject } from './ops.ts'

export type Frame = { container: Json[] | JsonObject; key: string; state: 'key' | 'colon' | 'value' | 'next' }

const SPACE = new Set([' ', '\n', '\r', '\t'])
const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
/** Those who read the tree walk it by recursion. */
const MAX_DEPTH = 400
const LITERAL = /[-+.\w]/

/**
 * JSON that arrives in pieces. Every container is in the tree from its first bracket on, so a reader sees what is there
 * and which of it is still open. Each character is read once; nothing is parsed again.
 */
export class JsonStream {
  /** The open containers, outermost first. */
  readonly open: Frame[] = []
  error: string | undefined
  #onClose: (value: Json, depth: number) => void
  #string: string | undefined
  #isKey = false
  #escape = ''
  #literal = ''
  #lines: boolean

  /**
   * `onClose` is told every container and top-level value that is complete, with the number of containers
   * around it. With `lines` a text ends at the end of its line at the latest.
   */
  constructor(onClose: (value: Json, depth: number) => void, lines = false) {
    this.#onClose = onClose
    this.#lines = lines
  }

  /** The text of a value that has begun and not ended, with the frame it is in. */
  get cut(): { frame: Frame; text: string } | undefined {
    const frame = this.open.at(-1)
    return this.#string !== undefined && !this.#isKey && frame ? { frame, text: this.#string } : undefined
  }

  /** Between values and outside of strings: here something else than JSON may begin. */
  get between(): boolean {
    return this.#string === undefined && this.#literal === ''
  }

  /** Reads from `start`; returns where it stopped: the end, or a character that is not JSON. */
  push(text: string, start = 0): number {
    let i = start
    while (i < text.length) {
      if (this.#string !== undefined) {
        i = this.#readString(text, i)
        if (this.error) return i
        continue
      }
      const char = text[i]!
      if (LITERAL.test(char) && (this.#literal || this.#expectsValue())) {
        this.#literal += char
        i++
        continue
      }
      if (this.#literal && !this.#endLiteral()) return i
      if (!SPACE.has(char) && !this.#token(char)) return i
      i++
    }
    return i
  }

  /** A number at the very end is complete only now. */
  end(): void {
    if (this.#literal) this.#endLiteral()
    if (this.open.length > 0 || this.#string !== undefined) this.error ??= 'the JSON ends in the middle'
  }

  #expectsValue(): boolean {
    const frame = this.open.at(-1)
    // A forgotten comma between items of a list does no harm.
    return !frame || frame.state === 'value' || (frame.state === 'next' && Array.isArray(frame.container))
  }

  #token(char: string): boolean {
    const frame = this.open.at(-1)
    switch (char) {
      case '"':
        if (frame?.state !== 'key' && !this.#expectsValue()) return this.#fail(char)
        this.#isKey = frame?.state === 'key'
        this.#string = ''
        return true
      case '{':
      case '[': {
        if (!this.#expectsValue()) return this.#fail(char)
        if (this.open.length >= MAX_DEPTH) {
          this.error ??= `it is nested deeper than ${MAX_DEPTH}`
          return false
        }
        const container = char === '{' ? {} : []
        if (frame) this.#put(frame, container)
        this.open.push({ container, key: '', state: char === '{' ? 'key' : 'value' })
        return true
      }
      case '}':
      case ']': {
        if (!frame || Array.isArray(frame.container) !== (char === ']')) return this.#fail(char)
        if (frame.state === 'colon' || (frame.state === 'value' && char === '}')) return this.#fail(char)
        this.open.pop()
        const outer = this.open.at(-1)
        if (outer) outer.state = 'next'
        this.#onClose(frame.container, this.open.length)
        return true
      }
      case ':':
        if (frame?.state !== 'colon') return this.#fail(char)
        frame.state = 'value'
        return true
      case ',':
        if (!frame) return true
        if (frame.state !== 'next') return this.#fail(char)
        frame.state = Array.isArray(frame.container) ? 'value' : 'key'
        return true
      default:
        return this.#fail(char)
    }
  }

  #fail(char: string): false {
    this.error ??= `'${char}' is not expected here`
    return false
  }

  #put(frame: Frame, value: Json): void {
    if (Array.isArray(frame.container)) frame.container.push(value)
    // defineProperty, because assigning `__proto__` would change the object instead of filling it.
    else if (frame.key === '__proto__')
      Object.defineProperty(frame.container, frame.key, { value, enumerable: true, configurable: true, writable: true })
    else frame.container[frame.key] = value
  }

  #value(value: Json): void {
    const frame = this.open.at(-1)
    if (frame) {
      this.#put(frame, value)
      frame.state = 'next'
    } else this.#onClose(value, 0)
  }

  #readString(text: string, start: number): number {
    let i = start
    while (i < text.length) {
      if (this.#escape) {
        const sequence = this.#escape + text[i++]
        const kind = sequence[1]!
        this.#escape = kind === 'u' && sequence.length < 6 ? sequence : ''
        if (this.#escape === '')
          this.#string +=
            kind === 'u' ? String.fromCharCode(Number.parseInt(sequence.slice(2), 16) || 0) : (ESCAPES[kind] ?? kind)
        continue
      }
      let stop = i
      while (stop < text.length && text[stop] !== '"' && text[stop] !== '\\' && !(this.#lines && text[stop] === '\n'))
        stop++
      if (stop > i) this.#string += text.slice(i, stop)
      if (this.#lines && text[stop] === '\n') {
        this.error = 'the line ends inside a text'
        return stop
      }
      i = stop + 1
      if (text[stop] === '\\') this.#escape = '\\'
      else if (text[stop] === '"') {
        this.#endString()
        return i
      }
    }
    return text.length
  }

  #endString(): void {
    const value = this.#string!
    this.#string = undefined
    const frame = this.open.at(-1)
    if (this.#isKey && frame) {
      frame.key = value
      frame.state = 'colon'
    } else this.#value(value)
  }

  #endLiteral(): boolean {
    const literal = this.#literal
    this.#literal = ''
    try {
      this.#value(JSON.parse(literal))
      return true
    } catch {
      this.error ??= `'${literal}' is not a value`
      return false
    }
  }
}
