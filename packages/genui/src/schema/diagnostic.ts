/**
 * `error`: not legal, the part concerned is not shown as meant. `repair`: another form was understood.
 * `default`: a field was left out and took its default.
 */
export type DiagnosticLevel = 'error' | 'repair' | 'default'

export interface Diagnostic {
  readonly level: DiagnosticLevel
  /** Stable; messages may change. */
  readonly code: string
  /** JSON pointer (RFC 6901) into the document that was read. */
  readonly path: string
  readonly message: string
}

export type Path = (string | number)[]

export function pointer(path: readonly (string | number)[]): string {
  let out = ''
  for (const step of path) {
    out += '/'
    out += typeof step === 'number' || !/[~/]/.test(step) ? step : step.replaceAll('~', '~0').replaceAll('/', '~1')
  }
  return out
}

export class UiSchemaError extends Error {
  readonly code = 'ui_schema_invalid'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    const first = diagnostics[0]
    super(first ? `${first.path || '/'}: ${first.message}` : 'not a valid UI Schema')
    this.diagnostics = diagnostics
  }
}
