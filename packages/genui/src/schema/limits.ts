export interface Limits {
  /** Nesting of layout nodes. */
  readonly depth: number
  /** Nodes of one document. */
  readonly nodes: number
  /** UTF-16 units of one string. */
  readonly string: number
  /** Nesting of a free JSON value (params, payload, a key-value item's value, meta). */
  readonly json: number
  /** All values of one document together: items, rows, cells, options, keys of free JSON. */
  readonly values: number
}

export const defaultLimits: Limits = { depth: 64, nodes: 5000, string: 32_768, json: 32, values: 200_000 }
