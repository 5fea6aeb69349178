import type { Json, JsonObject } from '@vitrine/protocol'

/** A container whose closing bracket has not come yet. */
export interface OpenContainer {
  readonly container: Json[] | JsonObject
  /** In an object: the name of the member that is being written, or that was written last. */
  key: string
  /** What may come next: something in an empty container, a name, a colon, a value, or what follows a value. */
  state: 'first' | 'key' | 'colon' | 'value' | 'after'
}

/** What a stream reads, and who is told. */
export interface JsonStreamOptions {
  /**
   * `document` (the default) is exactly one JSON text. `values` is any number of them, and mistakes that models make are
   * forgiven: a comma too many or too few in a list, a line break or an unknown escape in a text. `lines` is the same, but
   * a text ends with its line, so that one that is cut off does not swallow what follows.
   */
  mode?: 'document' | 'values' | 'lines'
  /** Is told every container, and every value outside of containers, when it is complete; `depth` containers are around it. */
  onClose?: (value: Json, depth: number) => void
}

/** Those who read the tree walk it by recursion. */
const MAX_DEPTH = 400

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * JSON that arrives in pieces. Every container is in the tree from its first bracket on, so that a reader sees what is there
 * and which of it is still open; numbers and words appear when they are whole, and a text that is still open is offered apart.
 * Each character is read once, whatever came before it.
 */
export class JsonStream {
  /** The containers that are still open, outermost first. */
  readonly open: OpenContainer[] = []
  /** Why this is not JSON. What was read before stays. */
  error: string | undefined
  readonly #mode: 'document' | 'values' | 'lines'
  readonly #onClose: ((value: Json, depth: number) => void) | undefined
  /** Around all containers: a list that holds the last value only. */
  readonly #top = { container: [] as Json[], key: '', state: 'first' as OpenContainer['state'] }
  #string: string | undefined
  #isKey = false
  #escape = ''
  /** A number or a word, as far as it has come. */
  #bare = ''

  constructor({ mode = 'document', onClose }: JsonStreamOptions = {}) {
    this.#mode = mode
    this.#onClose = onClose
  }

  /** The value outside of all containers that began last. */
  get root(): Json | undefined {
    return this.#top.container[0]
  }

  /** A value outside of containers is complete, and no other has begun. */
  get complete(): boolean {
    return this.#top.state === 'after' && this.between && this.open.length === 0 && this.error === undefined
  }

  /** Between values and outside of texts: here something else than JSON may begin. */
  get between(): boolean {
    return this.#string === undefined && this.#bare === ''
  }

  /** A text without its closing quote, in the innermost open container. Half of a surrogate pair waits for the other half. */
  get openText(): string | undefined {
    const text = this.#isKey ? undefined : this.#string
    return text && /[\ud800-\udbff]/.test(text.at(-1)!) ? text.slice(0, -1) : text
  }

  /** Reads a piece. Returns where it stopped: at the end, or at the character that is an error. */
  push(text: string): number {
    let at = 0
    while (at < text.length && this.error === undefined) {
      if (this.#string !== undefined) at = this.#inString(text, at)
      else if (this.#bare !== '') at = this.#inBare(text, at)
      else if (this.#token(text[at]!)) at++
      else this.#refuse(text[at]!)
    }
    return at
  }

  /** Nothing more comes: only now a number that stands alone is complete, and what is open is an error. */
  end(): void {
    if (this.#bare !== '') this.#endBare()
    if (this.open.length > 0 || this.#string !== undefined) this.error ??= 'the JSON ends in the middle'
  }

  #refuse(what: string): void {
    this.error ??= `${JSON.stringify(what)} is not expected here`
  }

  get #frame(): OpenContainer {
    return this.open.at(-1) ?? this.#top
  }

  #token(char: string): boolean {
    const frame = this.#frame
    const isList = Array.isArray(frame.container)
    switch (char) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        return true
      case '"':
        this.#isKey = !isList && (frame.state === 'first' || frame.state === 'key')
        if (!this.#isKey && !this.#expectsValue()) return false
        this.#string = ''
        return true
      case '{':
      case '[':
        return this.#expectsValue() && this.#openContainer(char === '{' ? {} : [])
      case '}':
      case ']':
        if (isList !== (char === ']') || !this.#mayClose(isList)) return false
        this.open.pop()
        this.#frame.state = 'after'
        this.#onClose?.(frame.container, this.open.length)
        return true
      case ':':
        if (frame.state !== 'colon') return false
        frame.state = 'value'
        return true
      case ',':
        // Outside of containers nothing follows the only value of a document.
        if (frame.state !== 'after' || (this.#mode === 'document' && frame === this.#top)) return false
        frame.state = isList ? 'value' : 'key'
        return true
      default:
        // The beginning of a number, of true, false or null.
        if (!/[-\dtfn]/.test(char) || !this.#expectsValue()) return false
        this.#bare = char
        return true
    }
  }

  #expectsValue(): boolean {
    const { container, state } = this.#frame
    if (state === 'value' || !Array.isArray(container)) return state === 'value'
    return state === 'first' || this.#mode !== 'document'
  }

  #mayClose(isList: boolean): boolean {
    const frame = this.#frame
    if (frame === this.#top) return false
    if (frame.state === 'first' || frame.state === 'after') return true
    return this.#mode !== 'document' && frame.state === (isList ? 'value' : 'key')
  }

  #openContainer(container: Json[] | JsonObject): boolean {
    if (this.open.length < MAX_DEPTH) {
      this.#put(container)
      this.open.push({ container, key: '', state: 'first' })
      return true
    }
    this.error = `it is nested deeper than ${MAX_DEPTH}`
    return false
  }

  /** Puts a value where it belongs. A container may still grow there. */
  #put(value: Json): void {
    const { container, key } = this.#frame
    if (container === this.#top.container) this.#top.container[0] = value
    else if (Array.isArray(container)) container.push(value)
    // defineProperty, because assigning `__proto__` would change the object instead of filling it.
    else if (key === '__proto__')
      Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
    else container[key] = value
  }

  #scalar(value: Json): void {
    this.#put(value)
    this.#frame.state = 'after'
    if (this.open.length === 0) this.#onClose?.(value, 0)
  }

  #inString(text: string, from: number): number {
    let at = from
    while (at < text.length) {
      if (this.#escape !== '') {
        if (!this.#unescape(text[at]!)) return at
        at++
        continue
      }
      let end = at
      let code = text.charCodeAt(end)
      while (end < text.length && code !== QUOTE && code !== BACKSLASH && (code >= 0x20 || this.#allows(code)))
        code = text.charCodeAt(++end)
      if (end > at) this.#string += text.slice(at, end)
      if (end === text.length) return end
      if (code === QUOTE) {
        this.#endString(this.#string!)
        return end + 1
      }
      if (code !== BACKSLASH) {
        this.#refuse(text[end]!)
        return end
      }
      this.#escape = '\\'
      at = end + 1
    }
    return at
  }

  /** Control characters in a text: JSON wants them escaped, models often forget it. */
  #allows(code: number): boolean {
    return this.#mode === 'values' || (this.#mode === 'lines' && code !== 0x0a)
  }

  #unescape(char: string): boolean {
    const sequence = this.#escape + char
    if (sequence[1] === 'u' && sequence.length < 6) {
      this.#escape = sequence
      return true
    }
    let text = sequence.length > 2 ? '\ufffd' : char
    try {
      text = JSON.parse(`"${sequence}"`)
    } catch {
      if (this.#mode === 'document') {
        this.#refuse(sequence)
        return false
      }
    }
    this.#string += text
    this.#escape = ''
    return true
  }

  #endString(value: string): void {
    this.#string = undefined
    if (!this.#isKey) {
      this.#scalar(value)
      return
    }
    const frame = this.#frame
    this.#isKey = false
    frame.key = value
    frame.state = 'colon'
  }

  #inBare(text: string, from: number): number {
    let at = from
    while (at < text.length && /[-+.\w]/.test(text[at]!)) at++
    this.#bare += text.slice(from, at)
    if (at < text.length) this.#endBare()
    return at
  }

  #endBare(): void {
    const bare = this.#bare
    this.#bare = ''
    let value: Json
    try {
      value = JSON.parse(bare)
    } catch {
      this.#refuse(bare.slice(0, 40))
      return
    }
    this.#scalar(value)
  }
}
