import type { Problem } from './shape.ts'

/**
 * An agent's regular expression must not block the page. The number of ways a backtracking matcher can try is
 * bounded from the syntax: `choices` for bounded repetition and alternatives, `loops` for unbounded repetitions
 * (each tries up to n positions of a text of length n). What cannot be bounded this way is refused.
 */
interface Cost {
  readonly choices: number
  readonly loops: number
}
const budget = 10_000_000
const one: Cost = { choices: 1, loops: 0 }

class Refused extends Error {}

/** Groups deeper than this are refused: the parser must not be the thing that overflows. */
const maxDepth = 16

class PatternParser {
  private at = 0
  private depth = 0
  private readonly source: string
  constructor(source: string) {
    this.source = source
  }

  parse(): Cost {
    const cost = this.alternatives()
    if (this.at < this.source.length) throw new Refused('unbalanced )')
    return cost
  }

  private alternatives(): Cost {
    let sum = this.sequence()
    while (this.source[this.at] === '|') {
      this.at++
      const next = this.sequence()
      sum = { choices: sum.choices + next.choices, loops: Math.max(sum.loops, next.loops) }
    }
    return sum
  }

  private sequence(): Cost {
    let all = one
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      const atom = this.repeated(this.atom())
      all = { choices: all.choices * atom.choices, loops: all.loops + atom.loops }
    }
    return all
  }

  private atom(): Cost {
    const char = this.source[this.at++]
    if (char === '(') return this.group()
    if (char === '[') {
      while (this.source[this.at] !== ']') {
        if (this.at >= this.source.length) throw new Refused('unbalanced [')
        this.at += this.source[this.at] === '\\' ? 2 : 1
      }
      this.at++
    } else if (char === '\\') {
      if (/[1-9k]/.test(this.source[this.at] ?? '')) throw new Refused('back references are not allowed')
      const unicode = /^[uxpPc](\{[^}]*\}|[0-9a-fA-F]{2,4})?/.exec(this.source.slice(this.at))
      this.at += unicode ? unicode[0].length : 1
    }
    return one
  }

  private group(): Cost {
    if (++this.depth > maxDepth) throw new Refused('too many nested groups')
    if (this.source[this.at] === '?') {
      const open = /^\?(:|<[A-Za-z_]\w*>)/.exec(this.source.slice(this.at))
      if (!open) throw new Refused('look-around is not allowed')
      this.at += open[0].length
    }
    const inner = this.alternatives()
    if (this.source[this.at] !== ')') throw new Refused('unbalanced (')
    this.at++
    this.depth--
    return inner
  }

  private repeated(atom: Cost): Cost {
    const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.source.slice(this.at))
    if (!quantifier) return atom
    this.at += quantifier[0].length
    const [text, low, comma, high] = quantifier
    if (text.startsWith('?')) return { choices: atom.choices + 1, loops: atom.loops }
    const min = low === undefined ? 0 : Number(low)
    const max = low === undefined ? Infinity : high ? Number(high) : comma ? Infinity : min
    if (max === Infinity) {
      if (atom.choices > 1 || atom.loops > 0) throw new Refused('a repetition inside a repetition')
      return { choices: 1, loops: 1 }
    }
    return { choices: atom.choices ** max * (max - min + 1), loops: atom.loops * max }
  }
}

function cost(source: string): Cost {
  if (source.length > 512) throw new Refused('longer than 512 characters')
  const found = new PatternParser(source).parse()
  if (!(found.choices <= 10_000)) throw new Refused('too many alternatives')
  if (found.loops > 6) throw new Refused('too many repetitions')
  new RegExp(`^(?:${source})$`, 'u')
  return found
}

export function patternProblem(source: string): Problem | undefined {
  try {
    cost(source)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { code: 'pattern', message: `the pattern cannot be checked safely: ${reason}` }
  }
}

/** Whole-text match, as the HTML `pattern` attribute. A text too long to check within the budget does not match. */
export function matchesPattern(source: string, text: string): boolean {
  try {
    const { choices, loops } = cost(source)
    if (choices * Math.max(1, text.length) ** Math.max(1, loops) > budget) return false
    return new RegExp(`^(?:${source})$`, 'u').test(text)
  } catch {
    return false
  }
}
