/** A tool cannot do what it was asked for. The message says why and what to do, for a model and for people. */
export class ToolFailed extends Error {
  override name = 'ToolFailed'
}

/** The code of an error of the system, such as `ENOENT`. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
