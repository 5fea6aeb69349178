/** The syntax of a regular expression, as far as it decides how long a backtracking engine may take. */
export type PatternNode =
  /** One character of a set. The set is undefined where it is not worked out (`\p{L}`, `\u{1F600}`). */
  | { readonly kind: 'character'; readonly ranges: Ranges | undefined }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly of: PatternNode; readonly min: number; readonly max: number }
  /** Takes no character: `^`, `$`, `\b`. */
  | { readonly kind: 'start' | 'end' | 'boundary' }
  | { readonly kind: 'look-around' | 'back reference' }

/** Characters from and to, both included. */
export type Ranges = readonly (readonly [number, number])[]

/** Groups deeper than this are not looked into: the parser must not be the thing that overflows. */
const MAX_GROUPS = 16

const LAST_CHARACTER = 0x10ffff
const DIGIT: Ranges = [[48, 57]]
const WORD: Ranges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
const SPACE: Ranges = [
  [9, 13],
  [32, 32],
  [160, 160],
  [5760, 5760],
  [8192, 8202],
  [8232, 8233],
  [8239, 8239],
  [8287, 8287],
  [12288, 12288],
  [65279, 65279],
]
const LINE_END: Ranges = [
  [10, 10],
  [13, 13],
  [8232, 8233],
]

const SETS: Readonly<Record<string, Ranges>> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  n: [[10, 10]],
  r: [[13, 13]],
  t: [[9, 9]],
}

function invert(ranges: Ranges): Ranges {
  const result: [number, number][] = []
  let next = 0
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (low > next) result.push([next, low - 1])
    next = Math.max(next, high + 1)
  }
  if (next <= LAST_CHARACTER) result.push([next, LAST_CHARACTER])
  return result
}

/** A pattern that is not looked into any further, although `RegExp` accepts it. */
export class UnreadPattern extends Error {}

/** Reads a pattern that `RegExp` accepts. With `unicode` a character is a code point, as with the flag `u`. */
export const parsePattern = (source: string, unicode: boolean): PatternNode =>
  new PatternParser(source, unicode).choice()

class PatternParser {
  readonly #source: string
  readonly #unicode: boolean
  #at = 0
  #groups = 0

  constructor(source: string, unicode: boolean) {
    this.#source = source
    this.#unicode = unicode
  }

  choice(): PatternNode {
    const branches = [this.#sequence()]
    while (this.#skip(/^\|/)) branches.push(this.#sequence())
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches }
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = []
    while (/^[^|)]/.test(this.#source.slice(this.#at, this.#at + 1))) parts.push(this.#repeated(this.#atom()))
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  #repeated(of: PatternNode): PatternNode {
    // A lazy repetition tries the same ways in another order.
    const found = this.#skip(/^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/)
    if (!found) return of
    const [, sign, low, comma, high] = found
    if (sign) return { kind: 'repeat', of, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
    const min = Number(low)
    return { kind: 'repeat', of, min, max: !comma ? min : high ? Number(high) : Number.POSITIVE_INFINITY }
  }

  #atom(): PatternNode {
    const char = this.#character()
    switch (char) {
      case '(':
        return this.#group()
      case '[':
        return { kind: 'character', ranges: this.#class() }
      case '.':
        return { kind: 'character', ranges: invert(LINE_END) }
      case '^':
        return { kind: 'start' }
      case '$':
        return { kind: 'end' }
      case '{':
        // Without the flag `u` it may stand for itself: nobody writes that on purpose.
        throw new UnreadPattern()
      case '\\':
        if (this.#skip(/^[bB]/)) return { kind: 'boundary' }
        if (this.#skip(/^[1-9k]/)) return { kind: 'back reference' }
        return { kind: 'character', ranges: this.#escape() }
      default:
        return { kind: 'character', ranges: only(char) }
    }
  }

  #group(): PatternNode {
    if (++this.#groups > MAX_GROUPS) throw new UnreadPattern()
    const plain = this.#skip(/^(?!\?)|^\?(?::|<[A-Za-z_]\w*>)/)
    const inner = this.choice()
    this.#skip(/^\)/)
    this.#groups--
    return plain ? inner : { kind: 'look-around' }
  }

  /** The characters that an escape stands for; undefined where that is not worked out. */
  #escape(): Ranges | undefined {
    const char = this.#character()
    if (SETS[char]) return SETS[char]
    if (/[DWS]/.test(char)) return invert(SETS[char.toLowerCase()]!)
    if (!/\w/.test(char)) return only(char)
    if (this.#unicode) this.#skip(/^\{[^}]*\}/)
    return undefined
  }

  #class(): Ranges | undefined {
    const negated = this.#skip(/^\^/)
    const ranges: (readonly [number, number])[] = []
    let known = true
    while (!this.#skip(/^\]/)) {
      const low = this.#member()
      const isRange = this.#skip(/^-(?!\])/)
      const high = isRange ? this.#member() : low
      // Without the flag `u` a range may begin or end with a set: what that means is not worked out.
      if (!low || !high || (isRange && !(isSingle(low) && isSingle(high)))) known = false
      else if (isRange) ranges.push([low[0]![0], high[0]![0]])
      else ranges.push(...low)
    }
    if (!known) return undefined
    return negated ? invert(ranges) : ranges
  }

  #member(): Ranges | undefined {
    const char = this.#character()
    return char === '\\' ? this.#escape() : only(char)
  }

  /** The next character as the engine takes it: a code unit, or with the flag `u` a code point. */
  #character(): string {
    const char = this.#unicode
      ? String.fromCodePoint(this.#source.codePointAt(this.#at)!)
      : this.#source.charAt(this.#at)
    this.#at += char.length
    return char
  }

  #skip(what: RegExp): RegExpExecArray | null {
    const found = what.exec(this.#source.slice(this.#at))
    this.#at += found?.[0].length ?? 0
    return found
  }
}

const only = (char: string): Ranges => [[char.codePointAt(0)!, char.codePointAt(0)!]]

const isSingle = ([first]: Ranges): boolean => first![0] === first![1]
