import type { PatternNode } from './syntax.ts'

/**
 * How many ways a backtracking engine can try, bounded from the syntax: `choices` by alternatives and bounded repetitions,
 * `loops` by unbounded ones (each tries up to n positions of a text of n characters).
 */
export interface Bound {
  readonly choices: number
  readonly loops: number
}

const MAX_CHOICES = 10_000
const MAX_LOOPS = 6
const ONE: Bound = { choices: 1, loops: 0 }

/** Why no useful bound can be given. */
export class Unbounded extends Error {}

export function boundOf(pattern: PatternNode): Bound {
  const bound = of(pattern)
  if (!(bound.choices <= MAX_CHOICES)) throw new Unbounded('too many alternatives')
  if (bound.loops > MAX_LOOPS) throw new Unbounded('too many repetitions')
  return bound
}

function of(node: PatternNode): Bound {
  switch (node.kind) {
    case 'sequence':
      return node.parts.map(of).reduce((a, b) => ({ choices: a.choices * b.choices, loops: a.loops + b.loops }), ONE)
    case 'choice':
      return node.branches
        .map(of)
        .reduce((a, b) => ({ choices: a.choices + b.choices, loops: Math.max(a.loops, b.loops) }))
    case 'repeat':
      return repeated(of(node.of), node.min, node.max)
    case 'look-around':
    case 'back reference':
      throw new Unbounded(`it has a ${node.kind}`)
    default:
      return ONE
  }
}

function repeated({ choices, loops }: Bound, min: number, max: number): Bound {
  if (max === Number.POSITIVE_INFINITY) {
    if (choices > 1 || loops > 0) throw new Unbounded('it has a repetition inside a repetition')
    return { choices: 1, loops: 1 }
  }
  if (min === 0 && max === 1) return { choices: choices + 1, loops }
  return { choices: choices ** max * (max - min + 1), loops: loops * max }
}
