/** A container that is still being written, and the place in it where the text goes on. */
interface Frame {
  readonly container: unknown[] | Record<string, unknown>
  key: string
}

type State = 'value' | 'first' | 'key' | 'colon' | 'after' | 'string' | 'name' | 'bare' | 'done' | 'failed'

/**
 * JSON that arrives in pieces. Each character is looked at once, whatever came before, and the value grows in place.
 * Numbers and literals appear when they are whole; a string that is still open is offered apart from the rest.
 */
export class JsonStream {
  private state: State = 'value'
  private readonly frames: Frame[] = []
  private value: unknown
  private chunks: string[] = []
  private bare = ''
  private escape: string | undefined

  get complete(): boolean {
    return this.state === 'done'
  }

  /** Not JSON. What was read before is kept. */
  get failed(): boolean {
    return this.state === 'failed'
  }

  get root(): unknown {
    return this.value
  }

  /** The containers that are still open, outermost first. */
  get open(): readonly Frame[] {
    return this.frames
  }

  /** The text of a string value that has no closing quote yet. Half of a surrogate pair waits for the other half. */
  get openString(): string | undefined {
    if (this.state !== 'string') return undefined
    const text = this.joined()
    return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
  }

  push(chunk: string): void {
    let at = 0
    while (at < chunk.length && this.state !== 'failed') {
      if (this.state === 'string' || this.state === 'name') at = this.inString(chunk, at)
      else if (this.state === 'bare') at = this.inBare(chunk, at)
      else this.between(chunk[at++]!)
    }
  }

  private joined(): string {
    if (this.chunks.length > 1) this.chunks = [this.chunks.join('')]
    return this.chunks[0] ?? ''
  }

  private between(char: string): void {
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') return
    const { state } = this
    if (state === 'after') this.afterValue(char)
    else if (state === 'colon') this.state = char === ':' ? 'value' : 'failed'
    else if (state === 'key' || (state === 'first' && this.inObject())) {
      if (char === '"') this.begin('name')
      else if (char === '}' && state === 'first') this.close()
      else this.state = 'failed'
    } else if (state === 'first' && char === ']') this.close()
    else if (state === 'value' || state === 'first') this.startValue(char)
    else this.state = 'failed'
  }

  private inObject(): boolean {
    return !Array.isArray(this.frames.at(-1)?.container)
  }

  private startValue(char: string): void {
    if (char === '"') this.begin('string')
    else if (char === '{' || char === '[') {
      const container = char === '{' ? {} : []
      this.put(container)
      this.frames.push({ container, key: '' })
      this.state = 'first'
    } else if (/[-\dtfn]/.test(char)) {
      this.bare = char
      this.state = 'bare'
    } else this.state = 'failed'
  }

  private afterValue(char: string): void {
    const object = this.inObject()
    if (char === ',') this.state = object ? 'key' : 'value'
    else if (char === (object ? '}' : ']')) this.close()
    else this.state = 'failed'
  }

  private close(): void {
    this.frames.pop()
    this.state = this.frames.length > 0 ? 'after' : 'done'
  }

  private begin(state: 'string' | 'name'): void {
    this.state = state
    this.chunks = []
    this.escape = undefined
  }

  private put(value: unknown): void {
    const frame = this.frames.at(-1)
    if (!frame) this.value = value
    else if (Array.isArray(frame.container)) frame.container.push(value)
    else
      Object.defineProperty(frame.container, frame.key, { value, writable: true, enumerable: true, configurable: true })
  }

  private inString(chunk: string, from: number): number {
    let at = from
    while (at < chunk.length) {
      const char = chunk[at]!
      if (this.escape !== undefined) {
        at++
        if (!this.unescape(char)) return at
      } else if (char === '\\') {
        this.escape = ''
        at++
      } else if (char === '"') {
        this.endString()
        return at + 1
      } else {
        let end = at
        while (end < chunk.length && chunk[end] !== '"' && chunk[end] !== '\\' && chunk[end]! >= ' ') end++
        if (end === at) {
          // A raw control character: JSON wants it escaped.
          this.state = 'failed'
          return at
        }
        this.chunks.push(chunk.slice(at, end))
        at = end
      }
    }
    return at
  }

  private unescape(char: string): boolean {
    this.escape += char
    const code = this.escape!
    if (code.startsWith('u') && code.length < 5) return true
    const unicode = /^u([0-9a-f]{4})$/i.exec(code)
    const text = unicode ? String.fromCharCode(Number.parseInt(unicode[1]!, 16)) : simple[code]
    if (text === undefined) {
      this.state = 'failed'
      return false
    }
    this.chunks.push(text)
    this.escape = undefined
    return true
  }

  private endString(): void {
    const text = this.joined()
    if (this.state === 'name') {
      this.frames.at(-1)!.key = text
      this.state = 'colon'
      return
    }
    this.put(text)
    this.state = this.frames.length > 0 ? 'after' : 'done'
  }

  private inBare(chunk: string, from: number): number {
    let at = from
    while (at < chunk.length && /[-+.\w]/.test(chunk[at]!)) this.bare += chunk[at++]
    if (!bareStart.test(this.bare)) this.state = 'failed'
    else if (at < chunk.length) {
      try {
        this.put(JSON.parse(this.bare))
        this.state = this.frames.length > 0 ? 'after' : 'done'
      } catch {
        this.state = 'failed'
      }
    }
    return at
  }
}

/** How a literal or a number can begin. */
const bareStart = /^(t(r(ue?)?)?|f(a(l(se?)?)?)?|n(u(ll?)?)?|-?[\d.eE+-]*)$/

const simple: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
})
