const BLOCK = 256

/** Streamed text: appending costs the same at any length, joining happens when somebody reads. */
export class Text {
  length = 0
  #blocks: string[] = []
  #tail: string[] = []

  constructor(initial = '') {
    if (initial) this.append(initial)
  }

  append(delta: string): void {
    this.length += delta.length
    if (this.#tail.push(delta) < BLOCK) return
    this.#blocks.push(this.#tail.join(''))
    this.#tail.length = 0
  }

  /** The text from `start` on, reading back from the end: a reader that keeps up pays for what is new. */
  from(start: number): string {
    const pieces: string[] = []
    let at = this.length
    for (const list of [this.#tail, this.#blocks]) {
      for (let i = list.length - 1; i >= 0 && at > start; i--) {
        const piece = list[i]!
        at -= piece.length
        pieces.push(at < start ? piece.slice(start - at) : piece)
      }
    }
    return pieces.reverse().join('')
  }

  replace(text: string): void {
    this.length = text.length
    this.#blocks = text ? [text] : []
    this.#tail = []
  }

  toString(): string {
    if (this.#blocks.length > 1 || this.#tail.length) {
      this.#blocks = [this.#blocks.join('') + this.#tail.join('')]
      this.#tail = []
    }
    return this.#blocks[0] ?? ''
  }

  toJSON(): string {
    return this.toString()
  }
}
