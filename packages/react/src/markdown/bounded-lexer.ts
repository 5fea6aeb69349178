import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'

/**
 * Limits far beyond what people and models write. The lexer needs time that grows with the square of such text, or
 * recurses until the stack is full, so what is beyond a limit never reaches it and is shown as plain text.
 */
const MOST_NESTED = 32
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
export type DrawnToken = MarkedToken | PlainToken

const plain = (raw: string): PlainToken => ({ type: 'plain', raw })

/** Reads untrusted Markdown in time that grows with its length. */
export class BoundedLexer extends Lexer {
  /** Tasks in the list that is being read. */
  tasks = 0
  #nested = 0

  constructor() {
    super({ gfm: true, tokenizer: new BoundedTokenizer() })
  }

  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped?: boolean): never {
    const inItem = !this.state.top
    const refused = inItem && /^\[[ xX]\]/.test(src) && ++this.tasks > MOST_TASKS
    this.#within(src, tokens, refused, () => super.blockTokens(src, tokens, lastParagraphClipped))
    // What the lexer itself does at the end of a block: `false` is meant for the one item that begins with it.
    this.state.top = true
    return tokens as never
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    return this.#within(src, tokens, isHeavy(src), () => super.inlineTokens(src, tokens))
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
}

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
    return super.blockquote(src)
  }

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
    return near(src, LONGEST_SETEXT, text => super.lheading(text))
  }

  override url(src: string): Tokens.Link | undefined {
    return near(src, LONGEST_ADDRESS, text => super.url(text))
  }
}

/** What is found near the beginning; nothing when it goes on beyond. */
function near<T extends { raw: string }>(src: string, length: number, find: (text: string) => T | undefined) {
  if (src.length <= length) return find(src)
  const found = find(src.slice(0, length))
  return found && found.raw.length < length ? found : undefined
}

const MARKS = new Set('*_~`[]<!\\&@')
const RUN = new RegExp(`([*_~\`!\\\\[\\]<>])\\1{${LONGEST_RUN},}`)

function isHeavy(text: string): boolean {
  if (RUN.test(text)) return true
  // Too short to be heavy, whatever is in it.
  if (text.length ** 2 <= MOST_WORK) return false
  const most = MOST_WORK / text.length
  let marks = 0
  for (let at = 0; at < text.length; at++) if (MARKS.has(text[at]!) && ++marks > most) return true
  return false
}
