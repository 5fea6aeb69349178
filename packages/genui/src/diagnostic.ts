import type { UiCode } from './codes.ts'

/**
 * `error`: this is not legal; it is refused, or the part concerned is not shown as it was meant. `repair`: another form was
 * understood. `default`: a field was left out and took its default.
 */
export type UiDiagnosticLevel = 'error' | 'repair' | 'default'

/** One thing that was found in an interface that an agent sent. */
export interface UiDiagnostic {
  readonly level: UiDiagnosticLevel
  /** Stable; messages may change. */
  readonly code: UiCode
  /** JSON pointer (RFC 6901) into what was looked at: the document, the envelope, or the component of `componentId`. */
  readonly path: string
  readonly message: string
  /** The component of a surface that it is about. */
  readonly componentId?: string
}

/** An error at a place below the value that was looked at. */
export function problem(code: UiCode, message: string, path = '', componentId?: string): UiDiagnostic {
  const found: UiDiagnostic = { level: 'error', code, path, message }
  return componentId === undefined ? found : { ...found, componentId }
}

/** The same finding, seen from further out: `path` leads from there to the value that was looked at. */
export const below = (path: string, found: UiDiagnostic | undefined): UiDiagnostic | undefined =>
  found && { ...found, path: path + found.path }

/** The first findings as lines, each with its place: for answers to agents and for people who look for the cause. */
export const diagnosticLines = (found: readonly UiDiagnostic[]): string[] =>
  found.slice(0, 10).map(({ path, message }) => `${path || '/'}: ${message}`)
