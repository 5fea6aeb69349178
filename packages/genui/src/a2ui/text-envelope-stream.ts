import type { Json } from '@vitrine/protocol'
import type { JsonStream } from '../json-stream.ts'
import { type EnvelopeSource, EnvelopeStream, type EnvelopeStreamOutput } from './envelope-stream.ts'

/** How the envelopes stand in the text. */
export interface TextEnvelopeStreamOptions {
  /** `lines`: JSON Lines, where a broken line spoils only itself. `tagged`: prose with `<a2ui-json>` blocks in it. */
  mode: 'lines' | 'tagged'
}

const OPEN = '<a2ui-json>'
const CLOSE = '</a2ui-json>'

/** Envelopes out of text that is not one JSON value. An error ends the line or the block, and what follows is read again. */
export class TextEnvelopeStream implements EnvelopeSource {
  readonly errors: string[] = []
  readonly #mode: 'lines' | 'tagged'
  #stream!: EnvelopeStream
  #inside: boolean
  #skipping = false
  #lineStart = false
  #held = ''
  #envelopes: Json[] = []

  constructor({ mode }: TextEnvelopeStreamOptions) {
    this.#mode = mode
    this.#inside = mode === 'lines'
    this.#restart()
  }

  get roots(): Json[] {
    return this.#stream.roots
  }

  get json(): JsonStream {
    return this.#stream.json
  }

  push(chunk: string): EnvelopeStreamOutput {
    let text = ''
    let rest = this.#held + chunk
    this.#held = ''
    while (rest !== '') {
      if (this.#inside) {
        rest = this.#mode === 'lines' ? this.#line(rest) : this.#block(rest)
        continue
      }
      const at = rest.indexOf(OPEN)
      const end = at < 0 ? rest.length - partialTag(rest, OPEN) : at
      text += rest.slice(0, end)
      if (at < 0) {
        this.#held = rest.slice(end)
        break
      }
      rest = rest.slice(at + OPEN.length)
      this.#inside = true
      this.#restart()
    }
    return { text, envelopes: this.#take() }
  }

  end(): EnvelopeStreamOutput {
    const text = this.#inside ? '' : this.#held
    if (this.#inside && !this.#skipping) {
      this.#stream.end()
      this.errors.push(...this.#stream.errors)
    }
    return { text, envelopes: this.#take() }
  }

  #take(): Json[] {
    const envelopes = [...this.#envelopes, ...this.#stream.push('').envelopes]
    this.#envelopes = []
    return envelopes
  }

  #restart(): void {
    if (this.#stream) this.#envelopes.push(...this.#stream.push('').envelopes)
    this.#stream = new EnvelopeStream(this.#mode === 'lines' ? 'lines' : 'values')
    this.#skipping = false
  }

  /** Reads up to where the next line begins with an object; returns the rest. */
  #line(text: string): string {
    // An object that begins a line begins an envelope: what was open before it was cut off.
    if (this.#lineStart && text.startsWith('{')) this.#endLine()
    const at = text.indexOf('\n{')
    const line = at < 0 ? text : text.slice(0, at + 1)
    this.#lineStart = line.endsWith('\n')
    return (this.#skipping ? this.#skip(line, '\n') : this.#read(line, '\n')) + text.slice(line.length)
  }

  #endLine(): void {
    this.#lineStart = false
    const cutOff = this.json.open.length > 0
    if (!this.#skipping && cutOff) this.errors.push('the line is cut off')
    if (this.#skipping || cutOff) this.#restart()
  }

  #block(text: string): string {
    if (this.#skipping) return this.#skip(text, CLOSE)
    // What could be the beginning of the closing tag waits for the rest of it.
    const keep = partialTag(text, CLOSE)
    this.#held = text.slice(text.length - keep)
    return this.#read(text.slice(0, text.length - keep), CLOSE)
  }

  #read(text: string, end: string): string {
    const stopped = this.#stream.read(text)
    const [error] = this.#stream.errors
    if (error === undefined) return ''
    const rest = text.slice(stopped) + this.#held
    this.#held = ''
    if (end === CLOSE && this.json.between && rest.startsWith(CLOSE)) {
      this.#inside = false
      return rest.slice(CLOSE.length)
    }
    this.errors.push(error)
    this.#skipping = true
    return this.#skip(rest, end)
  }

  /** After an error: to where the next readable thing can begin. */
  #skip(text: string, end: string): string {
    const at = text.indexOf(end)
    if (at < 0) {
      this.#held = text.slice(text.length - partialTag(text, end))
      return ''
    }
    if (this.#mode === 'lines') this.#restart()
    else this.#inside = false
    return text.slice(at + end.length)
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
  const stream = new TextEnvelopeStream({ mode: 'lines' })
  const { envelopes } = stream.push(text)
  envelopes.push(...stream.end().envelopes)
  return { envelopes, errors: stream.errors }
}
