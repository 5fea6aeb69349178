/** A piece of what an agent wrote as answer text: really answer text, or reasoning that stood in a block before it. */
export interface SaidPiece {
  kind: 'text' | 'reasoning'
  text: string
  /** Which block the reasoning stood in: the first one is 1. */
  block: number
}

/** So much white space before a block is waited for. More of it is an answer. */
const MOST_SPACE = 256
const OPENING = new RegExp(`^\\s{0,${MOST_SPACE}}<(think(?:ing)?)>`, 'i')
const OPENINGS = ['<think>', '<thinking>']

/**
 * Divides the text of one part: a `<think>` block at its very beginning is reasoning, and so are further blocks right
 * behind it; all the rest is answer text. It gives the same pieces however the text was cut into deltas.
 */
export class ThinkBlocks {
  #state: 'before' | 'inside' | 'answer' = 'before'
  /** What cannot be told yet: it may become a tag. */
  #held = ''
  #closing = /<\/think>/i
  #closingTag = ''
  #block = 0
  /** Whether the block has said anything but white space. */
  #spoke = false
  #taken = 0
  #answered = 0

  /** Characters that stood before the answer: places in the text of the agent are so much greater than in the answer. */
  get removed(): number {
    return this.#taken - this.#held.length - this.#answered
  }

  /** Whether something waits for the text that follows. */
  get holds(): boolean {
    return this.#held !== ''
  }

  /** Whether a block has begun. */
  get thought(): boolean {
    return this.#block > 0
  }

  /** Whether all that comes is answer text. */
  get answers(): boolean {
    return this.#state === 'answer'
  }

  /** What can be told after this much more of the text. */
  push(delta: string): SaidPiece[] {
    this.#taken += delta.length
    if (this.#state === 'answer') return this.#answer(delta)
    this.#held += delta
    const pieces: SaidPiece[] = []
    while (this.#step(pieces));
    return pieces
  }

  /** What is left when no more text comes: a block that nobody closed is reasoning to its end. */
  end(): SaidPiece[] {
    const rest = this.#held
    this.#held = ''
    if (this.#state === 'inside') return this.#reasoning(rest)
    this.#state = 'answer'
    return this.#answer(rest)
  }

  /** Goes on with what is held. Returns whether there may be more to tell. */
  #step(pieces: SaidPiece[]): boolean {
    return this.#state === 'before' ? this.#before(pieces) : this.#state === 'inside' && this.#inside(pieces)
  }

  #before(pieces: SaidPiece[]): boolean {
    // White space between a block and what follows it belongs to neither.
    if (this.#block > 0) this.#held = this.#held.trimStart()
    const opening = OPENING.exec(this.#held)
    if (opening) {
      this.#state = 'inside'
      this.#block++
      this.#spoke = false
      this.#closingTag = `</${opening[1]!.toLowerCase()}>`
      this.#closing = new RegExp(this.#closingTag, 'i')
      this.#held = this.#held.slice(opening[0].length)
      return true
    }
    const begun = this.#held.trimStart()
    const space = this.#held.length - begun.length
    if (space <= MOST_SPACE && OPENINGS.some(tag => tag.startsWith(begun.toLowerCase()))) return false
    pieces.push(...this.end())
    return false
  }

  #inside(pieces: SaidPiece[]): boolean {
    const closing = this.#closing.exec(this.#held)
    const end = closing ? closing.index : this.#held.length - this.#partOfTag()
    pieces.push(...this.#reasoning(this.#held.slice(0, end)))
    this.#held = this.#held.slice(closing ? end + closing[0].length : end)
    if (closing) this.#state = 'before'
    return closing !== null
  }

  /** How many of the last characters may be the beginning of the closing tag. */
  #partOfTag(): number {
    const last = this.#held.slice(1 - this.#closingTag.length).toLowerCase()
    for (let length = last.length; length > 0; length--)
      if (this.#closingTag.startsWith(last.slice(-length))) return length
    return 0
  }

  #reasoning(text: string): SaidPiece[] {
    const said = this.#spoke ? text : text.trimStart()
    if (said) this.#spoke = true
    return said ? [{ kind: 'reasoning', text: said, block: this.#block }] : []
  }

  #answer(text: string): SaidPiece[] {
    this.#answered += text.length
    return text ? [{ kind: 'text', text, block: this.#block }] : []
  }
}
