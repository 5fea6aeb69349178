import { ToolFailed } from '../failure.ts'
import { CONSTANTS, FUNCTIONS, factorial } from './functions.ts'
import { about, add, divide, modulo, multiply, negate, power, type Value, whole } from './number.ts'

const MOST_CHARACTERS = 2_000
const MOST_DEPTH = 100
const MOST_EXPONENT = 9_000
const TOKEN = /\s*(?:(\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d{1,5})?|\.\d+)|([A-Za-zπ][A-Za-z0-9π]*)|(\*\*|[-+*/^%!(),]))/y

type Token = { readonly kind: 'number' | 'name' | 'sign' | 'end'; readonly text: string; readonly at: number }

/** Computes an expression. Nothing of it is ever run as a program. */
export function evaluate(expression: string): Value {
  if (expression.length > MOST_CHARACTERS)
    throw new ToolFailed(`The expression is longer than ${MOST_CHARACTERS} characters.`)
  const plain = expression.replaceAll('×', '*').replaceAll('·', '*').replaceAll('÷', '/').replaceAll('−', '-')
  return new Reader(tokensOf(plain)).all()
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (!found) {
      const rest = text.slice(start).trimStart()
      if (rest === '') break
      throw new ToolFailed(
        `The character ${JSON.stringify([...rest][0])} is not understood, at character ${text.length - rest.length + 1}.`,
      )
    }
    const [, number, name, sign] = found
    const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign'
    tokens.push({ kind, text: number ?? name ?? sign!, at: TOKEN.lastIndex })
  }
  if (tokens.length === 0) throw new ToolFailed('The expression is empty.')
  return [...tokens, { kind: 'end', text: '', at: text.length }]
}

/** Reads sums of products of powers, from left to right; powers from right to left. */
class Reader {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  all(): Value {
    const value = this.#sum()
    if (this.#peek.kind !== 'end') throw this.#unexpected()
    return value
  }

  get #peek(): Token {
    return this.#tokens[this.#next]!
  }

  #takes(...signs: string[]): string | undefined {
    const { kind, text } = this.#peek
    if (kind !== 'sign' || !signs.includes(text)) return undefined
    this.#next++
    return text
  }

  #sum(): Value {
    if (++this.#depth > MOST_DEPTH) throw new ToolFailed(`The expression is nested deeper than ${MOST_DEPTH}.`)
    let value = this.#product()
    for (let sign = this.#takes('+', '-'); sign; sign = this.#takes('+', '-')) {
      const right = this.#product()
      value = add(value, sign === '+' ? right : negate(right))
    }
    this.#depth--
    return value
  }

  #product(): Value {
    let value = this.#signed()
    for (let sign = this.#takes('*', '/', '%'); sign; sign = this.#takes('*', '/', '%')) {
      const right = this.#signed()
      value = sign === '*' ? multiply(value, right) : sign === '/' ? divide(value, right) : modulo(value, right)
    }
    return value
  }

  #signed(): Value {
    let minus = false
    for (let sign = this.#takes('+', '-'); sign; sign = this.#takes('+', '-')) minus = minus !== (sign === '-')
    const value = this.#power()
    return minus ? negate(value) : value
  }

  #power(): Value {
    const base = this.#after()
    if (!this.#takes('^', '**')) return base
    if (++this.#depth > MOST_DEPTH) throw new ToolFailed(`The expression is nested deeper than ${MOST_DEPTH}.`)
    const exponent = this.#signed()
    this.#depth--
    return power(base, exponent)
  }

  /** A value with `!` or `%` behind it. `%` means percent unless another value follows. */
  #after(): Value {
    let value = this.#one()
    for (;;) {
      if (this.#takes('!')) value = factorial(value)
      else if (this.#peek.text === '%' && !this.#beginsValue(this.#tokens[this.#next + 1]!)) {
        this.#next++
        value = divide(value, whole(100))
      } else return value
    }
  }

  #beginsValue({ kind, text }: Token): boolean {
    return kind === 'number' || kind === 'name' || (kind === 'sign' && text === '(')
  }

  #one(): Value {
    const token = this.#peek
    if (token.kind === 'number') {
      this.#next++
      return literal(token.text)
    }
    if (token.kind === 'name') {
      this.#next++
      return this.#named(token.text)
    }
    if (!this.#takes('(')) throw this.#unexpected()
    const value = this.#sum()
    this.#close()
    return value
  }

  #named(name: string): Value {
    const lower = name.toLowerCase()
    const known = FUNCTIONS.get(lower)
    if (!known) {
      if (Object.hasOwn(CONSTANTS, lower)) return about(CONSTANTS[lower]!)
      throw new ToolFailed(
        `${name} is not known. Functions: ${[...FUNCTIONS.keys()].join(', ')}. Constants: pi, e, tau.`,
      )
    }
    if (!this.#takes('(')) throw new ToolFailed(`${name} is a function: write ${name}(…).`)
    const values = [this.#sum()]
    while (this.#takes(',')) values.push(this.#sum())
    this.#close()
    const { least, most } = known
    if (values.length < least || values.length > most) {
      const wanted = least === most ? String(least) : `${least} to ${most}`
      throw new ToolFailed(`${name} takes ${wanted} numbers, and got ${values.length}.`)
    }
    return known.of(...values)
  }

  #close(): void {
    if (this.#takes(')')) return
    throw this.#peek.kind === 'end' ? new ToolFailed('A bracket is not closed.') : this.#unexpected()
  }

  #unexpected(): ToolFailed {
    const { kind, text } = this.#peek
    if (kind === 'end') return new ToolFailed('The expression ends too early.')
    const hint = text === ',' ? ' Write numbers without commas, such as 1000000.' : ''
    return new ToolFailed(
      `${JSON.stringify(text)} does not belong there: an operator such as + or * is missing before it, or a number.${hint}`,
    )
  }
}

/** The digits of a number as they are: 0.1 is one tenth. */
function literal(text: string): Value {
  const [digits = '', exponent = '0'] = text.replaceAll('_', '').toLowerCase().split('e')
  const [before = '', after = ''] = digits.split('.')
  const places = Number(exponent) - after.length
  if (Math.abs(places) > MOST_EXPONENT) throw new ToolFailed('A number of it is too large to be computed.')
  return multiply(whole(BigInt(`${before}${after}` || '0')), power(whole(10), whole(places)))
}
