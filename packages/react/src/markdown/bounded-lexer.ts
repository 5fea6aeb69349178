import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'
import { detailsAt, NOTE_REF, noteAt } from './blocks-source.ts'
import { type FoundMaths, findMaths, mathsBlockAt, mathsBlockMayArrive } from './maths-source.ts'

const NOTE_REF_FIRST = new RegExp(`^${NOTE_REF.source}`)

/**
 * Limits far beyond what people and models write. The lexer needs time that grows with the square of such text, or
 * recurses until the stack is full, so what is beyond a limit never reaches it and is shown as plain text.
 */
const MOST_NESTED = 32
/** Length of what is inside of other blocks times their number: each of them reads it again. */
const MOST_INSIDE = 300_000
/** Tasks in one list: for each of them the lexer looks through all items that it has read. */
const MOST_TASKS = 200
const MOST_CELLS = 20_000
/** How often lines without `>` may take turns with lines that have it in one quote. */
const MOST_LAZY = 32
const LONGEST_SETEXT = 500
const LONGEST_ADDRESS = 2_000
const LONGEST_RUN = 64
/** Length of a piece of running text times the marks in it: what looking for the end of each mark costs at most. */
const MOST_WORK = 8_000_000

/** Text that is shown as it was written, because it is beyond a limit. */
export interface PlainToken {
  type: 'plain'
  raw: string
}
/** What is not shown yet, because it is not known what it becomes. */
export interface HeldToken {
  type: 'held'
  raw: string
}
export interface MathsToken {
  type: 'maths'
  raw: string
  tex: string
  display: boolean
}
export const CALLOUTS = ['note', 'tip', 'important', 'warning', 'caution'] as const
export interface CalloutToken {
  type: 'callout'
  raw: string
  kind: (typeof CALLOUTS)[number]
  tokens: Token[]
}
export interface DetailsToken {
  type: 'details'
  raw: string
  open: boolean
  closed: boolean
  summary: string
  summaryTokens: Token[]
  tokens: Token[]
}
/** The text of a footnote. */
export interface NoteToken {
  type: 'note'
  raw: string
  label: string
  tokens: Token[]
}
/** The place in the text that a footnote belongs to. Its number is known when the text before it is. */
export interface NoteRefToken {
  type: 'note-ref'
  raw: string
  label: string
  number?: number
}
/** All footnotes of a text, which stand at its end. */
export interface NotesToken {
  type: 'notes'
  raw: string
  notes: { number: number; mentioned: boolean; label: string; tokens: Token[] }[]
}
export type DrawnToken =
  | MarkedToken
  | PlainToken
  | HeldToken
  | MathsToken
  | CalloutToken
  | DetailsToken
  | NoteToken
  | NoteRefToken
  | NotesToken

const plain = (raw: string): PlainToken => ({ type: 'plain', raw })

interface Options {
  /** Whether the text goes on: what has no end yet may get one. */
  arriving?: boolean
  /** Whether the texts of footnotes may still come. */
  notesMayCome?: boolean
  /** Labels of footnotes that were read before. */
  notes?: Iterable<string>
}

/** A piece of running text, with the maths that was found in it. */
interface Run {
  length: number
  maths: FoundMaths[]
}

/** Reads untrusted Markdown in time that grows with its length. */
export class BoundedLexer extends Lexer {
  /** Tasks in the list that is being read. */
  tasks = 0
  /** Labels of the footnotes that have a text. */
  readonly notes: Set<string>
  readonly #arriving: boolean
  readonly #notesMayCome: boolean
  #nested = 0
  #runs: Run[] = []

  constructor({ arriving = false, notesMayCome = false, notes = [] }: Options = {}) {
    super({
      gfm: true,
      tokenizer: new BoundedTokenizer(),
      extensions: {
        renderers: {},
        childTokens: {},
        block: [src => this.#mathsBlock(src), src => this.#details(src), src => this.#note(src)],
        inline: [src => this.#maths(src), src => this.#noteRef(src)],
      },
      hooks: { emStrongMask: (masked: string) => this.#withoutMaths(masked) } as never,
    })
    this.#arriving = arriving
    this.#notesMayCome = notesMayCome
    this.notes = new Set(notes)
  }

  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped?: boolean): never {
    const inItem = !this.state.top
    const tooMany = inItem && /^\[[ xX]\]/.test(src) && ++this.tasks > MOST_TASKS
    const tooDeep = (this.#nested - 1) * src.length > MOST_INSIDE
    this.#within(src, tokens, tooMany || tooDeep, () => super.blockTokens(src, tokens, lastParagraphClipped))
    // What the lexer itself does at the end of a block: `false` is meant for the one item that begins with it.
    this.state.top = true
    return tokens as never
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    return this.#within(src, tokens, isHeavy(src), () => {
      this.#runs.push({ length: src.length, maths: findMaths(src) })
      try {
        super.inlineTokens(src, tokens)
      } finally {
        this.#runs.pop()
      }
    })
  }

  /** Where the next maths begins in what is left of the running text. */
  nextMaths(left: string): number {
    const run = this.#runs.at(-1)
    if (!run || run.maths.length === 0) return -1
    const at = run.length - left.length
    return (run.maths.find(({ start }) => start > at)?.start ?? -1) - at
  }

  #within(src: string, tokens: Token[], refused: boolean, read: () => void): Token[] {
    if (refused || this.#nested >= MOST_NESTED) {
      tokens.push(plain(src))
      return tokens
    }
    this.#nested++
    try {
      read()
      return tokens
    } finally {
      this.#nested--
    }
  }

  #mathsBlock(src: string): MathsToken | HeldToken | undefined {
    const found = mathsBlockAt(src)
    if (found) return { type: 'maths', display: true, ...found }
    // Inside of something else it may be followed by more: there it is known only when the text is drawn.
    const held = this.#arriving && this.#nested === 1 && mathsBlockMayArrive(src)
    return held ? { type: 'held', raw: src } : undefined
  }

  #details(src: string): DetailsToken | undefined {
    const found = detailsAt(src)
    if (!found) return undefined
    const { body, ...rest } = found
    return {
      type: 'details',
      ...rest,
      summaryTokens: this.inline(found.summary),
      tokens: this.#blocks(body),
    }
  }

  #note(src: string): NoteToken | undefined {
    // Inside a list or a quote there is no place at the end of the text.
    const found = this.#nested === 1 ? noteAt(src) : undefined
    if (!found) return undefined
    this.notes.add(found.label)
    return { type: 'note', raw: found.raw, label: found.label, tokens: this.#blocks(found.body) }
  }

  #blocks(src: string): Token[] {
    const { top } = this.state
    this.state.top = true
    const tokens: Token[] = []
    this.blockTokens(src, tokens)
    this.state.top = top
    return tokens
  }

  #maths(src: string): MathsToken | undefined {
    const run = this.#runs.at(-1)
    const at = (run?.length ?? 0) - src.length
    const found = run?.maths.find(({ start }) => start >= at)
    if (found?.start !== at) return undefined
    return { type: 'maths', raw: src.slice(0, found.end - at), tex: found.tex, display: found.display }
  }

  #noteRef(src: string): NoteRefToken | undefined {
    const found = NOTE_REF_FIRST.exec(src)
    if (!found || !(this.#notesMayCome || this.notes.has(found[1]!))) return undefined
    return { type: 'note-ref', raw: found[0], label: found[1]! }
  }

  /** The stars and lines of maths are no emphasis. */
  #withoutMaths(masked: string): string {
    let text = masked
    for (const { start, end } of this.#runs.at(-1)?.maths ?? []) {
      text = `${text.slice(0, start)}${'a'.repeat(end - start)}${text.slice(end)}`
    }
    return text
  }
}

/** A line that begins something of ours. What stands above it is no heading together with it. */
const INTERRUPTS = /\n {0,3}(?:<details|\$\$|\\\[|\[\^)/i

class BoundedTokenizer extends Tokenizer {
  override list(src: string): Tokens.List | undefined {
    const lexer = this.lexer as BoundedLexer
    const { tasks } = lexer
    lexer.tasks = 0
    try {
      return super.list(src)
    } finally {
      lexer.tasks = tasks
    }
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    const quote = this.rules.block.blockquote.exec(src)?.[0]
    if (quote && (quote.match(/^ {0,3}>.*\n(?! {0,3}>)/gm)?.length ?? 0) > MOST_LAZY) return plain(quote) as never
    const read = super.blockquote(src)
    return read && ((this.#callout(read) ?? read) as never)
  }

  /** A quote that says in its first line what it is. */
  #callout(quote: Tokens.Blockquote): CalloutToken | undefined {
    const first = quote.tokens[0]
    if (first?.type !== 'paragraph') return undefined
    const mark = /^\[!([a-z]+)\][ \t]*(?:\n|$)/i.exec(first.text as string)
    const kind = mark && CALLOUTS.find(name => name === mark[1]!.toLowerCase())
    if (!kind) return undefined
    const text = (first.text as string).slice(mark[0].length)
    const waiting = this.lexer.inlineQueue.findLast(({ tokens }) => tokens === first.tokens)
    if (waiting) waiting.src = text
    const tokens = text === '' ? quote.tokens.slice(1) : [{ ...first, text }, ...quote.tokens.slice(1)]
    return { type: 'callout', raw: quote.raw, kind, tokens }
  }

  override def(src: string): Tokens.Def | undefined {
    // The text of a footnote is no address, and would be left out where it is no footnote.
    return /^ {0,3}\[\^/.test(src) ? undefined : super.def(src)
  }

  override paragraph(src: string): Tokens.Paragraph | undefined {
    const found = this.rules.block.paragraph.exec(src)?.[0]
    if (!found) return undefined
    const lastClose = Math.max(found.lastIndexOf('\\]'), found.lastIndexOf('$$'))
    for (const { index } of found.matchAll(/\n(?= {0,3}(?:\$\$|\\\[|\[\^))/g)) {
      const rest = src.slice(index + 1)
      if ((index < lastClose && mathsBlockAt(rest)) || this.#noteBegins(rest))
        return super.paragraph(src.slice(0, index + 1))
    }
    return super.paragraph(src)
  }

  #noteBegins = (src: string): boolean => this.lexer.state.top && noteAt(src) !== undefined

  override table(src: string): Tokens.Table | undefined {
    const found = this.rules.block.table.exec(src)
    if (!found) return undefined
    const columns = found[1]!.split('|').length
    const cells = columns * (1 + (found[3]?.split('\n').length ?? 0))
    // Rows that are too short are filled up: a few characters a row can stand for any number of cells.
    if (cells > MOST_CELLS || cells > 2 * found[0].length) return plain(found[0]) as never
    return super.table(src)
  }

  override lheading(src: string): Tokens.Heading | undefined {
    const words = this.rules.block.lheading.exec(src.slice(0, LONGEST_SETEXT))?.[1]
    return words !== undefined && INTERRUPTS.test(words)
      ? undefined
      : near(src, LONGEST_SETEXT, text => super.lheading(text))
  }

  override url(src: string): Tokens.Link | undefined {
    return near(src, LONGEST_ADDRESS, text => super.url(text))
  }

  /** One `~` means "about" far more often than it strikes something out. */
  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    return /^~~(?!~)/.test(src) ? super.del(src, masked, before) : undefined
  }

  override inlineText(src: string): Tokens.Text | undefined {
    const maths = (this.lexer as BoundedLexer).nextMaths(src)
    return super.inlineText(maths > 0 ? src.slice(0, maths) : src)
  }
}

/** What is found near the beginning; nothing when it goes on beyond. */
function near<T extends { raw: string }>(src: string, length: number, find: (text: string) => T | undefined) {
  if (src.length <= length) return find(src)
  const found = find(src.slice(0, length))
  return found && found.raw.length < length ? found : undefined
}

const MARKS = new Set('*_~`[]<!\\&@$')
const RUN = new RegExp(`([*_~\`!\\\\[\\]<>$])\\1{${LONGEST_RUN},}`)

/** Whether reading it takes more time than its length allows. */
export function isHeavy(text: string): boolean {
  if (RUN.test(text)) return true
  // Too short to be heavy, whatever is in it.
  if (text.length ** 2 <= MOST_WORK) return false
  const most = MOST_WORK / text.length
  let marks = 0
  for (let at = 0; at < text.length; at++) if (MARKS.has(text[at]!) && ++marks > most) return true
  return false
}
