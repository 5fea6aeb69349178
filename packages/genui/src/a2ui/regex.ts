/**
 * Which patterns of an agent may run on the page. A backtracking engine is linear when at every character at most one way
 * leads on: this checks that on the positions of the pattern (Glushkov), counting ways and not just targets.
 */

/** Runs a pattern elsewhere, with a limit. Resolves to 'timeout' when it was stopped. */
export interface RegexWorker {
  test(pattern: string, value: string): Promise<boolean | 'timeout'>
}

export const REGEX_LIMIT_MS = 50

const MAX_POSITIONS = 512
/** Longest finite pattern that may be tried at every start of the text. */
const MAX_UNANCHORED = 64

type Ranges = readonly (readonly [number, number])[]
type Part = { first: number[]; last: number[]; nullable: boolean }

class NotLinear extends Error {}

const verdicts = new Map<string, boolean>()

export function isLinear(pattern: string): boolean {
  let verdict = verdicts.get(pattern)
  if (verdict === undefined) {
    verdict = analyse(pattern)
    if (verdicts.size >= 256) verdicts.clear()
    verdicts.set(pattern, verdict)
  }
  return verdict
}

function analyse(pattern: string): boolean {
  if (pattern.length > 1000) return false
  try {
    return new Analysis(pattern).linear()
  } catch (error) {
    if (error instanceof NotLinear) return false
    throw error
  }
}

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
const NEWLINE: Ranges = [
  [10, 10],
  [13, 13],
  [8232, 8233],
]

function invert(ranges: Ranges): Ranges {
  const result: [number, number][] = []
  let next = 0
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (low > next) result.push([next, low - 1])
    next = Math.max(next, high + 1)
  }
  if (next <= 0xffff) result.push([next, 0xffff])
  return result
}

const overlap = (a: Ranges, b: Ranges): boolean =>
  a.some(([low, high]) => b.some(([low2, high2]) => low <= high2 && low2 <= high))

class Analysis {
  #text: string
  #at = 0
  #sets: Ranges[] = []
  #follow: number[][] = []
  #unbounded = false

  constructor(text: string) {
    this.#text = text
  }

  linear(): boolean {
    const anchored = this.#text.startsWith('^')
    if (anchored) this.#at = 1
    // In `^a|b` the anchor belongs to one branch only.
    const whole = this.#alternatives()
    if (this.#at < this.#text.length) return false
    if (!anchored && (this.#unbounded || this.#sets.length > MAX_UNANCHORED)) return false
    if (anchored && this.#topLevelBranch) return false
    return [whole.first, ...this.#follow].every(ways => this.#distinct(ways))
  }

  #topLevelBranch = false
  #level = 0

  #distinct(ways: readonly number[]): boolean {
    for (let i = 0; i < ways.length; i++)
      for (let j = i + 1; j < ways.length; j++) if (overlap(this.#sets[ways[i]!]!, this.#sets[ways[j]!]!)) return false
    return true
  }

  #alternatives(): Part {
    let part = this.#sequence()
    while (this.#text[this.#at] === '|') {
      this.#at++
      if (this.#level === 0) this.#topLevelBranch = true
      const other = this.#sequence()
      // Two empty branches are two ways to do nothing.
      if (part.nullable && other.nullable) throw new NotLinear()
      part = {
        first: [...part.first, ...other.first],
        last: [...part.last, ...other.last],
        nullable: part.nullable || other.nullable,
      }
    }
    return part
  }

  #sequence(): Part {
    let part: Part = { first: [], last: [], nullable: true }
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at]!)) {
      // The end anchor takes no character; anything after it could never match and is not worth a proof.
      if (this.#text[this.#at] === '$') {
        this.#at++
        if (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at]!)) throw new NotLinear()
        break
      }
      part = this.#join(part, this.#quantified())
    }
    return part
  }

  #join(a: Part, b: Part): Part {
    for (const from of a.last) this.#follow[from]!.push(...b.first)
    return {
      first: a.nullable ? [...a.first, ...b.first] : a.first,
      last: b.nullable ? [...a.last, ...b.last] : b.last,
      nullable: a.nullable && b.nullable,
    }
  }

  #quantified(): Part {
    const start = this.#at
    const part = this.#atom()
    const end = this.#at
    const [min, max] = this.#quantifier()
    if (min === 1 && max === 1) return part
    if (max === Number.POSITIVE_INFINITY) {
      if (part.nullable) throw new NotLinear()
      this.#unbounded = true
      // x{3,} is x, x, x+ : each copy has its own positions.
      const singles = min >= 2 ? [part, ...this.#copies(start, end, min - 2)] : []
      const loop = singles.length ? this.#copy(start, end) : part
      for (const from of loop.last) this.#follow[from]!.push(...loop.first)
      const tail: Part = min === 0 ? { ...loop, nullable: true } : loop
      return [...singles, tail].reduce((a, b) => this.#join(a, b))
    }
    if (max === 0) return { first: [], last: [], nullable: true }
    if (part.nullable) throw new NotLinear()
    const copies = [part, ...this.#copies(start, end, max - 1)]
    // x{2,4} is x x (x (x)?)? : from the inside out, so that skipping has one way only.
    let tail: Part = { first: [], last: [], nullable: true }
    for (let i = max - 1; i >= 0; i--) {
      tail = this.#join(copies[i]!, tail)
      if (i >= min) tail = { ...tail, nullable: true }
    }
    return tail
  }

  #copies(start: number, end: number, count: number): Part[] {
    if (count > MAX_POSITIONS) throw new NotLinear()
    return Array.from({ length: count }, () => this.#copy(start, end))
  }

  /** The same atom read again: fresh positions. */
  #copy(start: number, end: number): Part {
    const resume = this.#at
    this.#at = start
    const part = this.#atom()
    if (this.#at !== end) throw new NotLinear()
    this.#at = resume
    return part
  }

  #quantifier(): [number, number] {
    const match = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})/.exec(this.#text.slice(this.#at, this.#at + 16))
    if (!match) return [1, 1]
    this.#at += match[0].length
    // A lazy quantifier tries the same ways in another order.
    if (this.#text[this.#at] === '?') this.#at++
    if (match[1]) return match[1] === '?' ? [0, 1] : [match[1] === '*' ? 0 : 1, Number.POSITIVE_INFINITY]
    const min = Number(match[2])
    const max = !match[3] ? min : match[4] ? Number(match[4]) : Number.POSITIVE_INFINITY
    return [min, max]
  }

  #position(ranges: Ranges): Part {
    if (this.#sets.length >= MAX_POSITIONS) throw new NotLinear()
    const index = this.#sets.push(ranges) - 1
    this.#follow.push([])
    return { first: [index], last: [index], nullable: false }
  }

  #atom(): Part {
    const char = this.#text[this.#at++]!
    switch (char) {
      case '(': {
        if (this.#text[this.#at] === '?') {
          // Lookaround and named groups are not worth a proof; the worker takes them.
          if (!this.#text.startsWith('?:', this.#at)) throw new NotLinear()
          this.#at += 2
        }
        if (++this.#level > 32) throw new NotLinear()
        const part = this.#alternatives()
        this.#level--
        if (this.#text[this.#at++] !== ')') throw new NotLinear()
        return part
      }
      case '[':
        return this.#position(this.#class())
      case '.':
        return this.#position(invert(NEWLINE))
      case '\\':
        return this.#position(this.#escape())
      case '^':
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']':
        throw new NotLinear()
      default:
        return this.#position([[char.charCodeAt(0), char.charCodeAt(0)]])
    }
  }

  #escape(): Ranges {
    const char = this.#text[this.#at++]
    const known: Record<string, Ranges> = { d: DIGIT, w: WORD, s: SPACE, n: [[10, 10]], r: [[13, 13]], t: [[9, 9]] }
    if (char === undefined) throw new NotLinear()
    if (known[char]) return known[char]
    if ('DWS'.includes(char)) return invert(known[char.toLowerCase()]!)
    // Back references, boundaries, code points: to the worker.
    if (/[A-Za-z0-9]/.test(char)) throw new NotLinear()
    return [[char.charCodeAt(0), char.charCodeAt(0)]]
  }

  #class(): Ranges {
    const negated = this.#text[this.#at] === '^'
    if (negated) this.#at++
    const ranges: (readonly [number, number])[] = []
    while (this.#text[this.#at] !== ']') {
      const low = this.#member()
      if (low.length === 1 && low[0]![0] === low[0]![1] && this.#text[this.#at] === '-') {
        if (this.#text[this.#at + 1] !== ']') {
          this.#at++
          const high = this.#member()
          if (high.length !== 1 || high[0]![0] !== high[0]![1]) throw new NotLinear()
          ranges.push([low[0]![0], high[0]![0]])
          continue
        }
      }
      ranges.push(...low)
    }
    this.#at++
    return negated ? invert(ranges) : ranges
  }

  #member(): Ranges {
    const char = this.#text[this.#at++]
    if (char === undefined) throw new NotLinear()
    return char === '\\' ? this.#escape() : [[char.charCodeAt(0), char.charCodeAt(0)]]
  }
}
