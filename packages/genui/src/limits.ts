/** What an agent may send and what is drawn of it. Surfaces and documents share the first group. */
export interface UiLimits {
  /** How deep components (nodes) are nested in each other; on a surface also how deep its data are. */
  readonly depth: number
  /** Components that one surface holds, nodes that one document holds. */
  readonly components: number

  /** Surfaces of one session that are live at the same time. */
  readonly surfaces: number
  /** Bytes (UTF-8) of one text on a surface. */
  readonly stringBytes: number
  /** Bytes of the components and the data of one surface. */
  readonly stateBytes: number
  /** How deep function calls are nested in one value. */
  readonly callDepth: number
  /** Components that are drawn when the templates of a surface are expanded. */
  readonly drawn: number
  /** Steps that all expressions of a surface may take for one change. */
  readonly steps: number

  /** Characters (UTF-16) of one text in a document. */
  readonly stringLength: number
  /** How deep a free JSON value of a document is nested (params, payload, the value of an item, meta). */
  readonly jsonDepth: number
  /** All values of one document together: items, rows, cells, options, keys of free JSON. */
  readonly values: number
}

/** The limits that hold unless a host sets others. */
export const DEFAULT_UI_LIMITS: UiLimits = {
  depth: 64,
  components: 5_000,
  surfaces: 64,
  stringBytes: 32 * 1024,
  stateBytes: 1024 * 1024,
  callDepth: 32,
  drawn: 20_000,
  steps: 400_000,
  stringLength: 32 * 1024,
  jsonDepth: 32,
  values: 200_000,
}

/** The limits with those that a host sets in place of the defaults. */
export const uiLimits = (own: Partial<UiLimits> | undefined): UiLimits =>
  own ? { ...DEFAULT_UI_LIMITS, ...own } : DEFAULT_UI_LIMITS
