export interface Limits {
  /** Nesting of components and of data. */
  depth: number
  /** Nesting of function calls in one value. */
  callDepth: number
  components: number
  /** Bytes (UTF-8) of one string. */
  string: number
  /** Bytes of components and data of one surface. */
  state: number
  surfaces: number
  /** Components drawn, templates expanded. */
  nodes: number
  /** Steps all expressions may take for one change. */
  steps: number
}

export const DEFAULT_LIMITS: Limits = {
  depth: 64,
  callDepth: 32,
  components: 5000,
  string: 32 * 1024,
  state: 1024 * 1024,
  surfaces: 64,
  nodes: 20_000,
  steps: 400_000,
}
