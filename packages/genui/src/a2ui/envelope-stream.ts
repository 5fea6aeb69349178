import { JsonStream } from './json-stream.ts'
import { isObject, type Json } from './ops.ts'

export interface EnvelopeStreamOptions {
  /**
   * json: one document, as in the arguments of the tool. lines: JSON Lines, where a broken line spoils only itself.
   * tagged: prose with `<a2ui-json>` blocks in it.
   */
  mode?: 'json' | 'lines' | 'tagged'
}

export type StreamOutput = { text: string; envelopes: Json[] }

const OPEN = '<a2ui-json>'
const CLOSE = '</a2ui-json>'

/** Envelopes out of text that arrives in pieces of any size. */
export class EnvelopeStream {
  readonly errors: string[] = []
  readonly #mode: 'json' | 'lines' | 'tagged'
  /** Top-level values whose envelopes are still to be looked at. */
  roots: Json[] = []
  json!: JsonStream
  #inside: boolean
  #skipping = false
  #lineStart = false
  #held = ''
  #ready: Json[] = []

  constructor(options: EnvelopeStreamOptions = {}) {
    this.#mode = options.mode ?? 'json'
    this.#inside = this.#mode !== 'tagged'
    this.#restart()
  }

  push(chunk: string): StreamOutput {
    let text = ''
    let rest = this.#held + chunk
    this.#held = ''
    while (rest !== '') {
      if (!this.#inside) {
        const at = rest.indexOf(OPEN)
        if (at >= 0) {
          text += rest.slice(0, at)
          rest = rest.slice(at + OPEN.length)
          this.#inside = true
          this.#restart()
          continue
        }
        const keep = partialTag(rest, OPEN)
        text += rest.slice(0, rest.length - keep)
        this.#held = rest.slice(rest.length - keep)
        break
      }
      let later = ''
      if (this.#mode === 'lines') {
        // An object that begins a line begins an envelope: what was open before it was cut off.
        if (this.#lineStart && rest.startsWith('{')) this.#endLine()
        const at = rest.indexOf('\n{')
        if (at >= 0) later = rest.slice(at + 1)
        rest = rest.slice(0, rest.length - later.length)
        this.#lineStart = rest.endsWith('\n')
      }
      rest = (this.#skipping ? this.#skip(rest) : this.#read(rest)) + later
    }
    const envelopes = this.#ready
    this.#ready = []
    return { text, envelopes }
  }

  end(): StreamOutput {
    const text = this.#inside ? '' : this.#held
    if (this.#inside && !this.#skipping) {
      this.json.end()
      if (this.json.error) this.errors.push(this.json.error)
    }
    const envelopes = this.#ready
    this.#ready = []
    return { text, envelopes }
  }

  #restart(): void {
    this.roots = []
    this.#skipping = false
    this.json = new JsonStream((value, depth) => this.#closed(value, depth), this.#mode === 'lines')
  }

  #read(rest: string): string {
    const stopped = this.json.push(rest)
    const root = this.json.open[0]?.container
    if (root && this.roots.at(-1) !== root) this.roots.push(root)
    if (stopped >= rest.length) return ''
    const after = rest.slice(stopped)
    if (this.#mode === 'tagged' && this.json.between) {
      if (after.startsWith(CLOSE)) {
        this.#inside = false
        return after.slice(CLOSE.length)
      }
      if (CLOSE.startsWith(after)) {
        this.#held = after
        this.json.error = undefined
        return ''
      }
    }
    this.errors.push(this.json.error ?? 'the JSON is broken')
    this.#skipping = true
    return this.#skip(after)
  }

  #endLine(): void {
    this.#lineStart = false
    if (!this.#skipping && this.json.open.length > 0) this.errors.push('the line is cut off')
    if (this.#skipping || this.json.open.length > 0) this.#restart()
  }

  /** After an error: to where the next readable thing can begin. */
  #skip(rest: string): string {
    const end = this.#mode === 'lines' ? '\n' : this.#mode === 'tagged' ? CLOSE : undefined
    const at = end === undefined ? -1 : rest.indexOf(end)
    if (at < 0) {
      if (end) this.#held = rest.slice(rest.length - partialTag(rest, end))
      return ''
    }
    if (this.#mode === 'lines') this.#restart()
    else this.#inside = false
    return rest.slice(at + end!.length)
  }

  #closed(value: Json, depth: number): void {
    const outer = this.json.open
    const inList =
      (depth === 1 && Array.isArray(outer[0]!.container)) ||
      (depth === 2 && outer[0]!.key === 'envelopes' && Array.isArray(outer[1]!.container))
    const alone = depth === 0 && isObject(value) && !Array.isArray(value.envelopes)
    if (inList || alone) this.#ready.push(value)
  }
}

/** How many characters at the end could be the beginning of the tag. */
function partialTag(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return length
  return 0
}

/** All envelopes of a text in JSON Lines, a list, or the arguments of the tool. Broken lines are reported apart. */
export function parseEnvelopes(text: string): { envelopes: Json[]; errors: string[] } {
  const stream = new EnvelopeStream({ mode: 'lines' })
  const { envelopes } = stream.push(text)
  envelopes.push(...stream.end().envelopes)
  return { envelopes, errors: stream.errors }
}
