import { createHash, type Hash } from 'node:crypto'

interface Streamed {
  hash: Hash
  length: number
  /** The first half of a surrogate pair whose second half is still to come. */
  carry: string
}

/** Counts the length and the digest of each streamed text, and keeps deltas well-formed so that they survive UTF-8. */
export class TextFinals {
  readonly #parts = new Map<string, Streamed>()

  /** What to append for this delta. It is empty when the delta has to wait for the second half of a pair. */
  push(partId: string, delta: string): string {
    let part = this.#parts.get(partId)
    if (!part) {
      part = { hash: createHash('sha256'), length: 0, carry: '' }
      this.#parts.set(partId, part)
    }
    let text = part.carry + delta
    const last = text.charCodeAt(text.length - 1)
    part.carry = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
    text = (part.carry ? text.slice(0, -1) : text).toWellFormed()
    return this.#add(part, text)
  }

  /** What is left to append before the part ends. */
  rest(partId: string): string {
    const part = this.#parts.get(partId)
    if (!part?.carry) return ''
    part.carry = ''
    return this.#add(part, '\ufffd')
  }

  final(partId: string): { length: number; digest: string } {
    const part = this.#parts.get(partId)
    return part ? { length: part.length, digest: part.hash.copy().digest('hex') } : digestOf('')
  }

  #add(part: Streamed, text: string): string {
    part.hash.update(text)
    part.length += text.length
    return text
  }
}

export const digestOf = (text: string): { length: number; digest: string } => ({
  length: text.length,
  digest: createHash('sha256').update(text).digest('hex'),
})
