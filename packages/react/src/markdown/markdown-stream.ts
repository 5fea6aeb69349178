import type { Token } from 'marked'
import { BoundedLexer } from './bounded-lexer.ts'

type Links = Map<string, { href: string; title: string }>

/** How often definitions may reach back while text arrives: each time everything before is parsed again. */
const MOST_REACHES = 64

/** A top-level block with what was drawn for it. */
interface Block<T> {
  raw: string
  drawn: T
}

/** Anything that can be read from a position on; the streamed `Text` of the projection is one. */
export interface Source {
  readonly length: number
  from(start: number): string
}

/**
 * Markdown that grows. Blocks before the last one are parsed and drawn once and keep their identity;
 * each update parses from the start of the last block only.
 */
export class MarkdownStream<T> {
  /** Characters handed to the parser so far, for those who measure. */
  parsed = 0
  #draw: (token: Token, index: number) => T
  #settled: Block<T>[] = []
  #settledLength = 0
  #length = 0
  #links: Links = new Map()
  #reaches = 0
  #arriving: string | null = null
  #all: readonly T[] = []

  constructor(draw: (token: Token, index: number) => T) {
    this.#draw = draw
  }

  /** What to show for the text as it is now. `whole` says that it may have been replaced, not only continued. */
  update(source: Source, whole = false): readonly T[] {
    const owed = this.#reaches > MOST_REACHES
    if (whole ? owed || this.#differs(source) : source.length < this.#length) this.#reset()
    else if (!whole && source.length === this.#length) return this.#all
    this.#length = source.length
    const text = source.from(this.#settledLength)
    const tail = this.#lex(text)
    if (this.#takeDefinitions(tail, whole) && this.#settled.length && ++this.#reaches <= MOST_REACHES) {
      // A definition reaches back: earlier blocks may use the link.
      this.#settled = []
      this.#settledLength = 0
      const all = source.from(0)
      return this.#split(this.#lex(all), all)
    }
    return this.#split(tail, text)
  }

  #lex(text: string): Token[] {
    this.parsed += text.length
    const lexer = new BoundedLexer()
    for (const [tag, link] of this.#links) lexer.tokens.links[tag] = link
    return lexer.lex(text)
  }

  /** Whether a link got another meaning. The first definition counts, but one at the end may still be arriving. */
  #takeDefinitions(tokens: Token[], whole: boolean): boolean {
    const last = tokens.findLastIndex(token => token.type !== 'space')
    let changed = false
    tokens.forEach((token, at) => {
      if (token.type !== 'def' || (at === last && !whole)) return
      const { tag, href, title } = token
      const known = this.#links.get(tag)
      const arriving = this.#arriving === tag
      if (arriving && at < last) this.#arriving = null
      if (known && (!arriving || (known.href === href && known.title === title))) return
      this.#links.set(tag, { href, title })
      this.#arriving = at === last ? tag : null
      changed = true
    })
    return changed
  }

  /** Everything before the last block with content is settled: what follows can only continue that one. */
  #split(tokens: Token[], text: string): readonly T[] {
    const start = this.#settledLength
    const last = tokens.findLastIndex(token => token.type !== 'space')
    const drawn: T[] = []
    tokens.forEach((token, at) => {
      const visible = token.type !== 'space' && token.type !== 'def'
      if (at < last) {
        this.#settledLength = start + after(text, this.#settledLength - start, token.raw.length)
        if (visible) this.#settled.push({ raw: token.raw, drawn: this.#draw(token, this.#settled.length) })
      } else if (visible) drawn.push(this.#draw(token, this.#settled.length + drawn.length))
    })
    this.#all = [...this.#settled.map(block => block.drawn), ...drawn]
    return this.#all
  }

  #differs(source: Source): boolean {
    if (source.length < this.#settledLength) return true
    const text = source.from(0)
    let at = 0
    for (const { raw } of this.#settled) {
      at = text.indexOf(raw, at)
      if (at < 0) return true
      at += raw.length
    }
    return at > this.#settledLength
  }

  #reset(): void {
    this.#settled = []
    this.#settledLength = 0
    this.#links = new Map()
    this.#reaches = 0
    this.#arriving = null
  }
}

/** The lexer reads `\r\n` as one character: where `count` of its characters from `at` on end in the text. */
function after(text: string, at: number, count: number): number {
  if (!text.includes('\r')) return at + count
  let end = at
  for (let left = count; left > 0; left--) end += text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1
  return end
}
