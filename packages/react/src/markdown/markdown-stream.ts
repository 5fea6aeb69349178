import type { Token } from 'marked'
import { BoundedLexer, type DrawnToken } from './bounded-lexer.ts'
import { Notes, type TextNotes } from './notes.ts'
import { finishLast, knownLength } from './unfinished.ts'

type Links = Map<string, { href: string; title: string }>

/** How often definitions may reach back while text arrives: each time everything before is parsed again. */
const MOST_REACHES = 64

/** The page has the first level of headings, the conversation the second. */
const OUTLINE = 3

/** What has no place of its own: the notes stand together at the end, and what is held is not drawn yet. */
const UNSEEN = new Set(['space', 'def', 'note', 'held'])

/** A top-level block of a text. While a text grows, blocks before the last one stay the same objects. */
export interface MarkdownBlock {
  /** The place of the block in its text. The text only grows at its end, so the place is the identity. */
  readonly key: string
  readonly token: DrawnToken
  /** The level in the outline of the page when it is a heading, however deep the text calls it. */
  readonly level: number
}

/** Anything that can be read from a position on; the streamed `Text` of the projection is one. */
export interface Source {
  readonly length: number
  from(start: number): string
  /** The footnotes of the text that this is a piece of. */
  readonly notes?: TextNotes | undefined
}

interface Heading {
  depth: number
  level: number
}

/**
 * Markdown that grows. Blocks before the last one are parsed once and keep their identity; each update parses from the
 * start of the last block only.
 */
export class MarkdownStream {
  /** Characters handed to the parser so far, for those who measure. */
  parsed = 0
  #settled: MarkdownBlock[] = []
  #settledLength = 0
  #headings: Heading[] = []
  #read = 0
  #unread = 0
  #whole: string | null = null
  #links: Links = new Map()
  #notes = new Notes()
  #allNotes: TextNotes | undefined
  #noNoteComes = false
  #reaches = 0
  #arriving: string | null = null
  #all: readonly MarkdownBlock[] = []

  /** How many characters of the text are left for the next update. */
  get unread(): number {
    return this.#unread
  }

  /**
   * The blocks of the text as it is now. `whole` says that it is complete and may have been replaced, not only
   * continued. At most `most` characters are read beyond those that were read before.
   */
  update(source: Source, whole = false, most = Number.POSITIVE_INFINITY): readonly MarkdownBlock[] {
    const all = source.notes
    const noNoteComes = whole && (all?.ended ?? true)
    if (whole) {
      const text = source.from(0)
      if (this.#whole === text && this.#noNoteComes === noNoteComes) return this.#all
      if (this.#reaches > MOST_REACHES || this.#differs(text)) this.#reset()
    } else if (source.length < this.#read) this.#reset()
    else if (source.length === this.#read) return this.#all
    this.#read = Math.min(source.length, this.#read + most)
    this.#unread = source.length - this.#read
    const atEnd = whole && this.#unread === 0
    this.#whole = atEnd ? source.from(0) : null
    this.#noNoteComes = atEnd && noNoteComes
    this.#allNotes = all
    const text = this.#from(source, this.#settledLength)
    const tail = this.#lex(text, atEnd)
    const reaches = this.#takeDefinitions(tail, atEnd) && this.#settled.length > 0 && ++this.#reaches <= MOST_REACHES
    // At the end a footnote that never came is the text that it was written as.
    const lacks = this.#noNoteComes && this.#notes.lacks(tail, all)
    if (!reaches && !lacks) return this.#split(tail, text)
    // A definition reaches back: earlier blocks may use the link.
    this.#unsettle()
    const again = this.#from(source, 0)
    return this.#split(this.#lex(again, atEnd), again)
  }

  #from(source: Source, start: number): string {
    const text = source.from(start)
    return this.#unread > 0 ? text.slice(0, this.#read - start) : text
  }

  #lex(text: string, atEnd: boolean): Token[] {
    const lexer = this.#lexer(atEnd)
    this.parsed += text.length
    const tokens = lexer.lex(text)
    if (atEnd) return tokens
    const known = knownLength(text, tokens)
    if (known === text.length) {
      finishLast(tokens, lexer)
      return tokens
    }
    const second = this.#lexer(false)
    const drawn = second.lex(text.slice(0, known))
    finishLast(drawn, second)
    return drawn
  }

  #lexer(atEnd: boolean): BoundedLexer {
    const notes = [...this.#notes.labels(), ...(this.#allNotes?.texts ?? [])]
    const lexer = new BoundedLexer({ arriving: !atEnd, notesMayCome: !this.#noNoteComes, notes })
    for (const [tag, link] of this.#links) lexer.tokens.links[tag] = link
    return lexer
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
  #split(tokens: Token[], text: string): readonly MarkdownBlock[] {
    const start = this.#settledLength
    const last = openFrom(tokens)
    const arriving: MarkdownBlock[] = []
    let notes = this.#notes
    tokens.forEach((token, at) => {
      if (at === last) notes = notes.copy()
      notes.read(token, this.#allNotes)
      const visible = !UNSEEN.has(token.type)
      if (at < last) {
        this.#settledLength = start + after(text, this.#settledLength - start, token.raw.length)
        if (visible) this.#settled.push(toBlock(token, this.#settled.length, this.#headings))
      } else if (visible) arriving.push(toBlock(token, this.#settled.length + arriving.length, [...this.#headings]))
    })
    const noted = notes.token(this.#allNotes)
    this.#all = [...this.#settled, ...arriving, ...(noted ? [{ key: 'notes', token: noted, level: 0 }] : [])]
    return this.#all
  }

  #differs(text: string): boolean {
    if (text.length < this.#settledLength) return true
    let at = 0
    for (const { token } of this.#settled) {
      at = text.indexOf(token.raw, at)
      if (at < 0) return true
      at += token.raw.length
    }
    return at > this.#settledLength
  }

  #unsettle(): void {
    this.#settled = []
    this.#settledLength = 0
    this.#headings = []
    this.#notes = new Notes()
  }

  #reset(): void {
    this.#unsettle()
    this.#read = 0
    this.#links = new Map()
    this.#reaches = 0
    this.#arriving = null
  }
}

/**
 * The first block that what follows may change. It is the last one with content, or the paragraph right before it: with more
 * text, a formula below a paragraph can become a part of it, and lines of both can become a heading.
 */
function openFrom(tokens: Token[]): number {
  const last = tokens.findLastIndex(token => token.type !== 'space')
  return tokens[last - 1]?.type === 'paragraph' ? last - 1 : last
}

/** Adds a heading to `headings`: its level begins below the conversation's own and never skips one. */
function toBlock(token: Token, place: number, headings: Heading[]): MarkdownBlock {
  const drawn = token as DrawnToken
  const key = String(place)
  if (drawn.type !== 'heading') return { key, token: drawn, level: 0 }
  const { depth } = drawn
  const first = headings[0]?.depth ?? depth
  const before = headings.at(-1)?.level ?? OUTLINE - 1
  const level = Math.min(6, before + 1, Math.max(OUTLINE, OUTLINE + depth - first))
  headings.push({ depth, level })
  return { key, token: drawn, level }
}

/** The lexer reads `\r\n` as one character: where `count` of its characters from `at` on end in the text. */
function after(text: string, at: number, count: number): number {
  if (!text.includes('\r')) return at + count
  let end = at
  for (let left = count; left > 0; left--) end += text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1
  return end
}

const streams = new WeakMap<Source, MarkdownStream>()

/**
 * The blocks of a text, with keys that stay while it grows. What was read of a source is remembered with it, so that
 * rows which are drawn again read nothing twice. `unread` is not 0 when `most` characters were not enough: call again
 * in another task.
 */
export function markdownBlocks(
  source: Source,
  whole: boolean,
  most?: number,
): { blocks: readonly MarkdownBlock[]; unread: number } {
  const stream = streams.get(source) ?? new MarkdownStream()
  streams.set(source, stream)
  return { blocks: stream.update(source, whole, most), unread: stream.unread }
}
