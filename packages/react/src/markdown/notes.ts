import type { Token } from 'marked'
import { NOTE, NOTE_REF } from './blocks-source.ts'
import type { DrawnToken, NoteRefToken, NotesToken } from './bounded-lexer.ts'
import { endsFence, fenceIn } from './fence.ts'

const MENTIONS = new RegExp(NOTE_REF, 'g')

/** The footnotes of a text: their numbers follow the places that mention them, their texts may come later. */
export class Notes {
  #numbers: Map<string, number>
  #texts: Map<string, Token[]>

  constructor(numbers = new Map<string, number>(), texts = new Map<string, Token[]>()) {
    this.#numbers = numbers
    this.#texts = texts
  }

  copy(): Notes {
    return new Notes(new Map(this.#numbers), new Map(this.#texts))
  }

  labels(): Iterable<string> {
    return this.#texts.keys()
  }

  /** Takes in the block that follows, and numbers the places in it. */
  read(block: Token, all: TextNotes | undefined): void {
    const token = block as DrawnToken
    // The first text of a label counts, as it does for links.
    if (token.type === 'note' && !this.#texts.has(token.label)) this.#texts.set(token.label, token.tokens)
    if (token.raw.includes('[^')) eachNoteRef([block], ref => this.#number(ref, all))
  }

  /** Whether places that were read before have no text, now that the last blocks are there. */
  lacks(last: readonly Token[], all: TextNotes | undefined): boolean {
    const found = new Set(last.flatMap(token => (token.type === 'note' ? [(token as { label?: string }).label] : [])))
    return [...this.#numbers.keys()].some(
      label => !this.#texts.has(label) && !found.has(label) && !all?.texts.has(label),
    )
  }

  /** All texts in the order of their numbers; those that no place mentions come last. */
  token(all: TextNotes | undefined): NotesToken | undefined {
    if (this.#texts.size === 0) return undefined
    let last = all?.numbers.size ?? this.#numbers.size
    const notes = [...this.#texts].map(([label, tokens]) => {
      const number = all?.numbers.get(label) ?? this.#numbers.get(label)
      return { number: number ?? ++last, mentioned: number !== undefined, label, tokens }
    })
    return { type: 'notes', raw: '', notes: notes.sort((a, b) => a.number - b.number) }
  }

  #number(ref: NoteRefToken, all: TextNotes | undefined): void {
    const known = all?.numbers.get(ref.label) ?? this.#numbers.get(ref.label) ?? this.#numbers.size + 1
    this.#numbers.set(ref.label, known)
    ref.number = known
  }
}

/** The footnotes of a long text that is read in pieces: a place and the text for it may be in different ones. */
export class TextNotes {
  /** By the order in which the text mentions them. */
  readonly numbers = new Map<string, number>()
  readonly texts = new Set<string>()
  /** Whether no more text comes. */
  ended = false
  #read = 0
  #fence = ''

  /** Reads on in a text that has grown, line by line. */
  update(text: string, ended: boolean): void {
    this.ended = ended
    for (let end = lineEnd(text, this.#read, ended); end > this.#read; end = lineEnd(text, this.#read, ended)) {
      this.#line(text.slice(this.#read, end))
      this.#read = end
    }
  }

  #line(line: string): void {
    if (this.#fence !== '') {
      if (endsFence(line, this.#fence)) this.#fence = ''
      return
    }
    this.#fence = fenceIn(line) ?? ''
    if (this.#fence !== '' || !line.includes('[^')) return
    const label = NOTE.exec(line)
    if (label) this.texts.add(label[1]!)
    const mentions = line.slice(label?.[0].length ?? 0).replace(/`[^`]*`/g, '')
    for (const { 1: mentioned } of mentions.matchAll(MENTIONS)) {
      if (!this.numbers.has(mentioned!)) this.numbers.set(mentioned!, this.numbers.size + 1)
    }
  }
}

/** Where the line at `at` ends; `at` when its end has not arrived. */
function lineEnd(text: string, at: number, ended: boolean): number {
  const end = text.indexOf('\n', at)
  return end >= 0 ? end + 1 : ended ? text.length : at
}

/** Every place in these blocks that mentions a footnote, in the order of the text. */
function eachNoteRef(tokens: readonly Token[], found: (ref: NoteRefToken) => void): void {
  for (const each of tokens) {
    const token = each as DrawnToken
    if (token.type === 'note-ref') found(token)
    else if (token.type === 'list') for (const item of token.items) eachNoteRef(item.tokens, found)
    else if (token.type === 'table') {
      for (const row of [token.header, ...token.rows]) for (const cell of row) eachNoteRef(cell.tokens, found)
    } else {
      if (token.type === 'details') eachNoteRef(token.summaryTokens, found)
      if ('tokens' in token && token.tokens) eachNoteRef(token.tokens, found)
    }
  }
}
