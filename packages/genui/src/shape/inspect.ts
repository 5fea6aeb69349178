import type { UiDiagnostic } from '../diagnostic.ts'
import type { UiLimits } from '../limits.ts'
import { checkShape } from './check.ts'
import type { Shape } from './shape.ts'

/**
 * What an author should know about a value. An `error` says what is not legal; a `repair` says what was understood in its
 * place, or what a legal value does not do. Every door that judges hints or documents asks this function, so that none of
 * them is stricter than another. `read` is what was found on the way to what is drawn: it may have cut what is legal.
 */
export function inspectShape(
  shape: Shape,
  value: unknown,
  read: readonly UiDiagnostic[],
  limits?: Partial<UiLimits>,
): UiDiagnostic[] {
  const errors = checkShape(shape, value, limits)
  const places = new Set(errors.map(({ path }) => path))
  const isTold = ({ level, path }: UiDiagnostic): boolean =>
    places.has(path) || (level === 'error' && path !== '' && errors.some(error => error.path.startsWith(`${path}/`)))
  return [...errors, ...read.filter(found => found.level !== 'default' && !isTold(found))]
}
