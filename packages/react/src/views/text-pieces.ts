import type { Part } from '@vitrine/protocol'
import { endsFence, fenceIn } from '../markdown/fence.ts'
import type { Source } from '../markdown/markdown-stream.ts'
import { TextNotes } from '../markdown/notes.ts'

/** A piece of a long text that is read and drawn by itself, so that only what is in view costs time. */
export interface TextPiece {
  /** Where it begins and ends in the text. */
  readonly start: number
  readonly end: number
  /** About how many lines it takes on the page. */
  readonly lines: number
  /** Its text, with what its reader has to see first. It keeps its identity while the piece grows. */
  readonly source: Source
}

/** A piece weighs at least so much, and more than the most only where a text has no place to be cut. */
const LEAST = 3_000
const MOST = 6_000
/** What a line, a mark and a code block weigh beyond their characters: drawing them takes as long as so many of these do. */
const LINE = 40
const MARK = 30
const CODE = 600
/** What begins a link, a formula, a picture, code or emphasis in a line, and what is drawn as a mark. */
const MARKS = /[[$`*]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g
/** A line of more characters is cut, after so many. */
const ENDLESS = 18_000
const LINE_PIECE = 3_000

/** A line that begins a block of its own when the line before it is empty, whatever came before. */
const BEGINS = /^(?:#{1,6} |```|~~~|\*\*|[_`"'(]|\p{L})/u
/** What stands below each other without an empty line, and can be divided: items of a list and footnotes. */
const ITEM = /^(?:(?:[-*+]|\d{1,9}[.)]) |\[\^)/
const TABLE_RULE = /^\|?[ :|-]*-{2,}[ :|-]*$/
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[^\n]{1,2000}$/gm
/** Definitions that every piece of the text gets to see; more than that nobody writes. */
const MOST_DEFINITIONS = 8_000

/** A block that is open at a place in the text. Only a table is divided: each piece of it begins with its head. */
interface Open {
  kind: 'code' | 'table' | 'whole'
  head: string
  /** What ends it. */
  mark: string
}

/**
 * The pieces of a text that may still grow. Where it is cut depends only on what stands before the cut and on the line
 * behind it, so that the pieces stay when more text comes.
 */
export class TextPieces {
  #text = ''
  #whole = false
  #pieces: { start: number; end: number; lines: number; source: Source }[] = []
  /** The table inside which the last piece begins. */
  #inside: Open | null = null
  #definitions = ''
  #notes = new TextNotes()

  /** The pieces of the text as it is now. `whole` says that it may have been replaced, not only continued. */
  update(source: Source, whole: boolean): readonly TextPiece[] {
    const length = this.#text.length
    if (whole || source.length < length) this.#take(source.from(0))
    else this.#text += source.from(length)
    this.#whole = whole
    this.#notes.update(this.#text, whole)
    this.#cut()
    return [...this.#pieces]
  }

  #take(text: string): void {
    // What only grew keeps its pieces.
    if (!text.startsWith(this.#text)) {
      this.#pieces = []
      this.#inside = null
      this.#definitions = ''
      this.#notes = new TextNotes()
    }
    this.#text = text
  }

  #cut(): void {
    let last = this.#pieces.at(-1) ?? this.#add(0, '')
    for (;;) {
      const found = this.#next(last.start)
      last.end = found?.at ?? this.#text.length
      if (!found) break
      this.#define(last)
      this.#inside = found.open
      last = this.#add(last.end, found.open?.head ?? '')
    }
    if (this.#whole && this.#pieces.length > 1) this.#define(last)
  }

  #add(start: number, before: string) {
    const read = (): string => this.#defined(piece) + before + this.#text.slice(piece.start, piece.end)
    const notes = () => this.#notes
    const source = {
      get length() {
        return read().length
      },
      from: (at: number) => read().slice(at),
      get notes() {
        return notes()
      },
    }
    let counted = { end: start, lines: 0 }
    const lines = () => {
      const { end } = piece
      if (counted.end !== end) counted = { end, lines: linesTaken(this.#text.slice(start, end)) }
      return counted.lines
    }
    const piece = {
      start,
      end: start,
      get lines() {
        return lines()
      },
      source,
    }
    this.#pieces.push(piece)
    return piece
  }

  /** The definitions for a piece. One that grows has only its own, because what was read of it must not change. */
  #defined(piece: TextPiece): string {
    const grows = !this.#whole && piece === this.#pieces.at(-1)
    return grows || this.#definitions === '' ? '' : `${this.#definitions}\n\n`
  }

  #define({ start, end }: TextPiece): void {
    for (const [line] of this.#text.slice(start, end).matchAll(DEFINITION)) {
      if (this.#definitions.length + line.length > MOST_DEFINITIONS || this.#definitions.includes(line)) continue
      this.#definitions += `${this.#definitions && '\n'}${line}`
    }
  }

  /** Where the piece that begins at `start` ends, and the table that is open there; null when it has no end yet. */
  #next(start: number): { at: number; open: Open | null } | null {
    const text = this.#text
    if (!this.#isMuch(start)) return null
    let open = this.#inside
    let blank = false
    let lineBefore = ''
    let weight = 0
    for (let at = start; at < text.length; ) {
      const feed = text.indexOf('\n', at)
      const end = feed < 0 ? text.length : feed
      const endless = end - at > ENDLESS
      if (feed < 0 && !this.#whole && !endless) return null
      const line = text.slice(at, Math.min(end, at + 2_000))
      const table = open?.kind === 'table' ? open : null
      if (!open || table) {
        if (!table && blank && weight >= LEAST && BEGINS.test(line)) return { at, open: null }
        const divided = table !== null || ITEM.test(line)
        // A line that is indented belongs to what stands before it.
        const begins = /^\S/.test(line) && weight >= 2 * MOST
        if (weight >= MOST && (divided || begins)) return { at, open: table }
        if (endless) return { at: wordEnd(text, at + LINE_PIECE), open: null }
      }
      weight += weightOf(line, end - at)
      if (open ? isOver(open, line) : false) open = null
      else if (!open) open = opened(line, lineBefore)
      blank = line.trim() === ''
      lineBefore = line
      at = feed < 0 ? text.length : feed + 1
    }
    return null
  }

  /** Whether what stands behind a place weighs more than a piece may. */
  #isMuch(start: number): boolean {
    const text = this.#text
    let weight = 0
    for (let at = start; at < text.length && weight <= MOST; ) {
      const feed = text.indexOf('\n', at)
      const end = feed < 0 ? text.length : feed
      weight += weightOf(text.slice(at, Math.min(end, at + 2_000)), end - at)
      at = end + 1
    }
    return weight > MOST
  }
}

/** Characters in a line of the page. */
const WIDTH = 60
/** What the edge of a code block, an empty line and a picture take, in lines. */
const EDGE = 1.5
const GAP = 0.5
const PICTURE = 3

/** About how many lines a text takes on the page. */
function linesTaken(text: string): number {
  let lines = 0
  let code: string | undefined
  for (const line of text.split('\n')) {
    const fence = code ? undefined : fenceIn(line)
    if (fence || (code && endsFence(line, code))) {
      code = fence
      lines += EDGE
    } else if (code) lines += 1
    else if (line === '') lines += GAP
    else lines += Math.ceil(line.length / WIDTH) + (line.includes('![') ? PICTURE - 1 : 0)
  }
  return lines
}

/** What a line weighs. */
function weightOf(line: string, length: number): number {
  // Each code block has two of these lines.
  const code = fenceIn(line) ? CODE / 2 : 0
  return length + LINE + code + MARK * (line.match(MARKS)?.length ?? 0)
}

function opened(line: string, lineBefore: string): Open | null {
  const fence = fenceIn(line)
  if (fence) return { kind: 'code', head: '', mark: fence }
  if (lineBefore.includes('|') && TABLE_RULE.test(line.trim())) {
    return { kind: 'table', head: `${lineBefore}\n${line}\n`, mark: '' }
  }
  // These are drawn as one thing, and hardly ever long.
  if (/^ {0,3}<details\b/i.test(line)) return { kind: 'whole', head: '', mark: '</details>' }
  return /^\$\$[^$]*$/.test(line) ? { kind: 'whole', head: '', mark: '$$' } : null
}

function isOver({ kind, mark }: Open, line: string): boolean {
  if (kind === 'table') return !line.includes('|')
  if (kind === 'whole') return line.toLowerCase().includes(mark)
  return endsFence(line, mark)
}

/** The end of a word near a place in a line that never ends. */
function wordEnd(text: string, near: number): number {
  const space = text.indexOf(' ', near)
  if (space >= 0 && space - near < 200) return space + 1
  const code = text.charCodeAt(near)
  // A character that consists of two halves stays whole.
  return code >= 0xdc00 && code <= 0xdfff ? near + 1 : near
}

interface Known {
  v: number
  text: TextPieces
  pieces: readonly TextPiece[]
}

const known = new WeakMap<Part, Known>()

/** The pieces of a text part, which are kept as long as the part is. */
export function piecesOf(part: Part): readonly TextPiece[] {
  const before = known.get(part)
  if (before?.v === part.v) return before.pieces
  const text = before?.text ?? new TextPieces()
  const pieces = text.update(part.text, part.state !== 'streaming')
  known.set(part, { v: part.v, text, pieces })
  return pieces
}
