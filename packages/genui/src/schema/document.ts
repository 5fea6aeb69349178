import { isObject } from '@vitrine/protocol'
import type { UiDiagnostic } from '../diagnostic.ts'
import type { UiLimits } from '../limits.ts'
import { checkShape } from '../shape/check.ts'
import { inspectShape } from '../shape/inspect.ts'
import { readShape } from '../shape/read.ts'
import type { Shape } from '../shape/shape.ts'
import { drawsSomething } from './fields.ts'
import {
  localeProblem,
  node,
  nothingShown,
  type ResolvedUiNode,
  type ResolvedUiSchema,
  type UiSchemaRenderer,
  uiSchemaShape,
} from './nodes.ts'

/**
 * Checks a document strictly: its shape, the rules of navigation, the policy for addresses and the limits. The list is
 * empty when it is legal.
 */
export const validateSchema = (value: unknown, limits?: Partial<UiLimits>): UiDiagnostic[] =>
  checkShape(uiSchemaShape, value, limits)

/** What the author of a document should know: every error of the strict check, and what else was noticed. */
export function inspectSchema(value: unknown, limits?: Partial<UiLimits>): UiDiagnostic[] {
  const { value: schema, diagnostics } = readShape(uiSchemaShape, value, limits ? { limits } : {})
  const found = inspectShape(uiSchemaShape, value, diagnostics, limits)
  return schema && !drawsSomething(schema.root) ? [...found, nothingShown('/root')] : found
}

/** How a document is read. */
export interface ReadSchemaOptions {
  /** The viewer's locale, used when the document names none that is a language tag. */
  readonly locale?: string
  readonly limits?: Partial<UiLimits>
}

/**
 * Reads a document tolerantly: defaults and ids are filled in, other forms are understood, and each of them is
 * reported. It never throws.
 */
export function readSchema(
  value: unknown,
  options: ReadSchemaOptions = {},
): { schema: ResolvedUiSchema | undefined; diagnostics: UiDiagnostic[] } {
  const read = readShape(anyRoot, value, options.limits ? { limits: options.limits } : {})
  const { value: schema, diagnostics } = read
  if (!schema) return { schema: undefined, diagnostics }
  const given = isObject(value) ? value.locale : undefined
  const names = typeof given === 'string' && !localeProblem(given)
  const locale = names ? undefined : options.locale
  const root = asLayout(schema.root as ResolvedUiNode, read.marks as ResolvedUiNode[], diagnostics)
  return {
    schema: {
      ...schema,
      locale: locale !== undefined && !localeProblem(locale) ? locale : schema.locale,
      root: diagnostics.some(({ code }) => code === 'too_large') ? saysCut(root) : root,
    },
    diagnostics,
  }
}

/** Items, rows and options that are over the limit have no place of their own for a mark: the end of the document has it. */
function saysCut(root: ResolvedUiSchema['root']): ResolvedUiSchema['root'] {
  const path = '/root'
  const mark: ResolvedUiNode = {
    type: 'unknown',
    id: `${path}/-`,
    given: '…',
    path,
    reason: 'the document is too large',
  }
  return { ...root, children: [...root.children, mark] }
}

/** A root that is a single primitive is understood as the only child of a plain stack. */
const anyRoot = ((): typeof uiSchemaShape => {
  if (uiSchemaShape.is.kind !== 'object') throw new TypeError('the root is an object')
  const fields: Record<string, Shape> = { ...uiSchemaShape.is.fields, root: node }
  return { ...uiSchemaShape, is: { ...uiSchemaShape.is, fields: Object.assign(Object.create(null), fields) } }
})()

function asLayout(
  root: ResolvedUiNode,
  marks: readonly ResolvedUiNode[],
  diagnostics: UiDiagnostic[],
): ResolvedUiSchema['root'] {
  if (root.type === 'stack' || root.type === 'grid') return root
  if (root.type !== 'unknown')
    diagnostics.push({ level: 'repair', code: 'root_wrapped', path: '/root', message: 'the root was put into a stack' })
  return { type: 'stack', id: '', direction: 'vertical', appearance: 'plain', children: [root, ...marks] }
}

/** Writes a legal document as minified JSON. It throws a `UiSchemaError` that lists what is not legal. */
export function writeSchema(schema: UiSchemaRenderer, limits?: Partial<UiLimits>): string {
  const diagnostics = validateSchema(schema, limits)
  if (diagnostics.length > 0) throw new UiSchemaError(diagnostics)
  return JSON.stringify(schema)
}

/** A document that was to be written is not legal. */
export class UiSchemaError extends Error {
  readonly code = 'ui_schema_invalid'
  readonly diagnostics: readonly UiDiagnostic[]

  constructor(diagnostics: readonly UiDiagnostic[]) {
    const first = diagnostics[0]
    super(first ? `${first.path || '/'}: ${first.message}` : 'not a valid UI Schema')
    this.diagnostics = diagnostics
  }
}
