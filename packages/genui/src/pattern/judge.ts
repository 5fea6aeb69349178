import { isLinear } from './linear.ts'
import { parsePattern, UnreadPattern } from './syntax.ts'

/**
 * How a pattern is used. `search` finds it anywhere in the text, as A2UI and JSON Schema do; `whole` wants it to be the whole
 * text and reads characters as code points, as the attribute `pattern` of HTML does.
 */
export type PatternUse = 'search' | 'whole'

/**
 * What may be done with a regular expression that somebody else wrote. Everybody who runs one asks for this first.
 * - `linear`: it is proved to take time in proportion to the text, and may run in place.
 * - `worker`: it may run only where it can be stopped, in a worker with a limit.
 * - `invalid`: it is not a regular expression, and matches nothing.
 */
export type PatternVerdict =
  | { readonly kind: 'linear'; readonly regex: RegExp }
  | { readonly kind: 'worker'; readonly regex: RegExp }
  | { readonly kind: 'invalid'; readonly reason: string }

/** Longer patterns are not looked into. */
export const MAX_PATTERN = 512
const REMEMBERED = 256

const verdicts = new Map<string, PatternVerdict>()

/** Judges a pattern; the last few hundred verdicts are remembered. */
export function judgePattern(source: string, use: PatternUse = 'search'): PatternVerdict {
  const key = use + source
  let verdict = verdicts.get(key)
  if (!verdict) {
    verdict = judge(source, use === 'whole')
    if (verdicts.size >= REMEMBERED) verdicts.clear()
    verdicts.set(key, verdict)
  }
  return verdict
}

function judge(source: string, whole: boolean): PatternVerdict {
  try {
    const regex = whole ? new RegExp(`^(?:${source})$`, 'u') : new RegExp(source)
    return { kind: isProved(source, whole) ? 'linear' : 'worker', regex }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { kind: 'invalid', reason: error.message }
  }
}

function isProved(source: string, whole: boolean): boolean {
  if (source.length > MAX_PATTERN) return false
  try {
    return isLinear(parsePattern(source, whole), whole)
  } catch (error) {
    if (error instanceof UnreadPattern) return false
    throw error
  }
}
