import { isObject, type Json } from '@vitrine/protocol'
import { JsonStream, type JsonStreamOptions } from '../json-stream.ts'
import { wrapped, wraps } from './envelope-lists.ts'

/** What came out of a piece: prose that stood around envelopes, and the envelopes that are complete now. */
export type EnvelopeStreamOutput = { text: string; envelopes: Json[] }

/** Envelopes out of something that arrives in pieces of any size. */
export interface EnvelopeSource {
  /** What could not be read, in words. */
  readonly errors: readonly string[]
  /** The values outside of containers whose envelopes are still to be looked at; the last may be open. */
  readonly roots: Json[]
  readonly json: JsonStream
  push(chunk: string): EnvelopeStreamOutput
  end(): EnvelopeStreamOutput
}

/** Envelopes out of JSON: a list of them, the arguments of the tool, or one after another. After an error nothing comes. */
export class EnvelopeStream implements EnvelopeSource {
  readonly roots: Json[] = []
  readonly json: JsonStream
  #ready: Json[] = []

  constructor(mode: NonNullable<JsonStreamOptions['mode']> = 'values') {
    this.json = new JsonStream({ mode, onClose: (value, depth) => this.#closed(value, depth) })
  }

  get errors(): string[] {
    return this.json.error === undefined ? [] : [this.json.error]
  }

  push(chunk: string): EnvelopeStreamOutput {
    this.read(chunk)
    return this.#output()
  }

  end(): EnvelopeStreamOutput {
    this.json.end()
    return this.#output()
  }

  /** Reads a piece and keeps the envelopes. Returns where it stopped: at the end, or at what is not JSON. */
  read(chunk: string): number {
    const stopped = this.json.push(chunk)
    const root = this.json.open[0]?.container
    if (root && this.roots.at(-1) !== root) this.roots.push(root)
    return stopped
  }

  #output(): EnvelopeStreamOutput {
    const envelopes = this.#ready
    this.#ready = []
    return { text: '', envelopes }
  }

  #closed(value: Json, depth: number): void {
    const outer = this.json.open
    const inList =
      (depth === 1 && Array.isArray(outer[0]!.container)) ||
      (depth === 2 && wraps(outer[0]!.key) && Array.isArray(outer[1]!.container))
    const alone = depth === 0 && isObject(value) && !Array.isArray(wrapped(value))
    if (inList || alone) this.#ready.push(value)
  }
}
