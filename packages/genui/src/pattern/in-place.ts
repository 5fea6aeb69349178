import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { type Bound, boundOf, Unbounded } from './bound.ts'
import { judgePattern, MAX_PATTERN } from './judge.ts'
import { parsePattern, UnreadPattern } from './syntax.ts'

/**
 * Forms check their fields at once and cannot wait for a worker. Beside linear patterns they take those for which the
 * number of ways to try has a bound, on texts that are short enough for it.
 */

/** More ways could be noticed on the page. */
const BUDGET = 10_000_000

/** What is wrong with the pattern of a field. */
export function patternProblem(source: string): UiDiagnostic | undefined {
  const verdict = judgePattern(source, 'whole')
  if (verdict.kind === 'linear') return undefined
  const bound = verdict.kind === 'invalid' ? verdict.reason : boundOrReason(source)
  if (typeof bound !== 'string') return undefined
  return problem('invalid_pattern', `the pattern cannot be checked safely: ${bound}`)
}

/** Whether the pattern of a field is the whole text. A text that is too long to be checked within the budget does not match. */
export function matchesPattern(source: string, text: string): boolean {
  const verdict = judgePattern(source, 'whole')
  if (verdict.kind === 'invalid') return false
  if (verdict.kind === 'linear') return verdict.regex.test(text)
  const bound = boundOrReason(source)
  if (typeof bound === 'string') return false
  const ways = bound.choices * Math.max(1, text.length) ** Math.max(1, bound.loops)
  return ways <= BUDGET && verdict.regex.test(text)
}

function boundOrReason(source: string): Bound | string {
  if (source.length > MAX_PATTERN) return `it is longer than ${MAX_PATTERN} characters`
  try {
    return boundOf(parsePattern(source, true))
  } catch (error) {
    if (error instanceof Unbounded) return error.message
    if (error instanceof UnreadPattern) return 'it is too complicated'
    throw error
  }
}
