import type { UiDiagnostic } from '../diagnostic.ts'
import type { UiLimits } from '../limits.ts'
import { checkShape } from './check.ts'
import { readShape } from './read.ts'
import type { Shape } from './shape.ts'

/**
 * What an author should know about a value. An `error` says what is not legal; a `repair` says what was understood in its
 * place, or what a legal value does not do. Every door that judges hints or documents asks this function, so that none of
 * them is stricter than another.
 */
export function inspectShape(shape: Shape, value: unknown, limits?: Partial<UiLimits>): UiDiagnostic[] {
  const errors = checkShape(shape, value, limits)
  const places = new Set(errors.map(({ path }) => path))
  const { diagnostics } = readShape(shape, value, limits ? { limits } : {})
  return [...errors, ...diagnostics.filter(({ level, path }) => level === 'repair' && !places.has(path))]
}
