import { type PatternNode, type Ranges, UnreadPattern } from './syntax.ts'

const MAX_POSITIONS = 512
/** The longest finite pattern that may be tried at every start of the text. */
const MAX_UNANCHORED = 64

type Part = { readonly first: readonly number[]; readonly last: readonly number[]; readonly nullable: boolean }

const NOTHING: Part = { first: [], last: [], nullable: true }

/**
 * Whether a pattern is proved to take time in proportion to the text. A backtracking engine does when at every character at
 * most one way leads on: this checks that on the positions of the pattern (Glushkov), counting ways and not just targets.
 * `whole` says that the pattern has to match from the first character on. Throws when the pattern is not worth a proof.
 */
export function isLinear(pattern: PatternNode, whole: boolean): boolean {
  const parts = pattern.kind === 'sequence' ? pattern.parts : [pattern]
  const anchored = parts[0]?.kind === 'start'
  const rest: PatternNode = { kind: 'sequence', parts: parts.slice(anchored ? 1 : 0) }
  return new Positions().areLinear(rest, anchored || whole)
}

const overlap = (a: Ranges, b: Ranges): boolean =>
  a.some(([low, high]) => b.some(([low2, high2]) => low <= high2 && low2 <= high))

class Positions {
  readonly #sets: Ranges[] = []
  readonly #follow: number[][] = []
  #unbounded = false

  areLinear(pattern: PatternNode, anchored: boolean): boolean {
    const whole = this.#part(pattern)
    if (!anchored && (this.#unbounded || this.#sets.length > MAX_UNANCHORED)) return false
    return [whole.first, ...this.#follow].every(ways => this.#distinct(ways))
  }

  #distinct(ways: readonly number[]): boolean {
    for (let i = 0; i < ways.length; i++)
      for (let j = i + 1; j < ways.length; j++) if (overlap(this.#sets[ways[i]!]!, this.#sets[ways[j]!]!)) return false
    return true
  }

  /** The positions of a node; a node that is read twice has them twice. */
  #part(node: PatternNode): Part {
    switch (node.kind) {
      case 'character':
        return this.#position(node.ranges)
      case 'sequence':
        return node.parts.reduce((part, next) => this.#join(part, this.#part(next)), NOTHING)
      case 'choice':
        return node.branches.map(branch => this.#part(branch)).reduce(either)
      case 'repeat':
        return this.#repeat(node.of, node.min, node.max)
      case 'end':
        // It takes no character and opens no way.
        return NOTHING
    }
    // Back references, boundaries, look-around, an anchor in the middle: not worth a proof.
    throw new UnreadPattern()
  }

  #position(ranges: Ranges | undefined): Part {
    if (!ranges || this.#sets.length >= MAX_POSITIONS) throw new UnreadPattern()
    const index = this.#sets.push(ranges) - 1
    this.#follow.push([])
    return { first: [index], last: [index], nullable: false }
  }

  #join(a: Part, b: Part): Part {
    for (const from of a.last) this.#follow[from]!.push(...b.first)
    return {
      first: a.nullable ? [...a.first, ...b.first] : a.first,
      last: b.nullable ? [...a.last, ...b.last] : b.last,
      nullable: a.nullable && b.nullable,
    }
  }

  #repeat(of: PatternNode, min: number, max: number): Part {
    if (max === 0) return NOTHING
    const endless = max === Number.POSITIVE_INFINITY
    // x{3,} is x, x, x+ and x{2,4} is x x (x (x)?)? : each copy has positions of its own.
    const count = endless ? Math.max(1, min) : max
    if (count > MAX_POSITIONS) throw new UnreadPattern()
    const copies = Array.from({ length: count }, () => this.#part(of))
    if (copies[0]!.nullable) throw new UnreadPattern()
    if (endless) {
      this.#unbounded = true
      const loop = copies[count - 1]!
      for (const from of loop.last) this.#follow[from]!.push(...loop.first)
    }
    // From the inside out, so that skipping has one way only.
    let tail = NOTHING
    for (let i = count - 1; i >= 0; i--) {
      tail = this.#join(copies[i]!, tail)
      if (i >= min) tail = { ...tail, nullable: true }
    }
    return tail
  }
}

function either(a: Part, b: Part): Part {
  // Two empty branches are two ways to do nothing.
  if (a.nullable && b.nullable) throw new UnreadPattern()
  return { first: [...a.first, ...b.first], last: [...a.last, ...b.last], nullable: a.nullable || b.nullable }
}
