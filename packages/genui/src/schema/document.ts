import { check } from './check.ts'
import { type Diagnostic, UiSchemaError } from './diagnostic.ts'
import { defaultLimits, type Limits } from './limits.ts'
import {
  localeProblem,
  node,
  type ResolvedUiNode,
  type ResolvedUiSchema,
  renderer,
  type UiSchemaRenderer,
} from './nodes.ts'
import { read } from './read.ts'
import { isObject, type Shape } from './shape.ts'

/** Strict: every rule of the document, the navigation contract, the URL policy and the limits. Empty when legal. */
export const validateSchema = (value: unknown, limits?: Limits): Diagnostic[] => check(renderer, value, limits)

export interface ReadSchemaOptions {
  /** The viewer's locale, used when the document names none. */
  readonly locale?: string
  readonly limits?: Limits
}

/** Tolerant: defaults and ids filled in, other forms understood, each of them reported. Never throws. */
export function readSchema(
  value: unknown,
  options: ReadSchemaOptions = {},
): { schema: ResolvedUiSchema | undefined; diagnostics: Diagnostic[] } {
  const limits = options.limits ?? defaultLimits
  const { value: schema, diagnostics } = read(anyRoot, value, { limits })
  if (!schema) return { schema: undefined, diagnostics }
  const locale = isObject(value) && value.locale === undefined ? options.locale : undefined
  return {
    schema: {
      ...schema,
      locale: locale !== undefined && !localeProblem(locale) ? locale : schema.locale,
      root: asLayout(schema.root as ResolvedUiNode, diagnostics),
    },
    diagnostics,
  }
}

/** A root that is a single primitive is understood as the only child of a plain stack. */
const anyRoot = ((): typeof renderer => {
  if (renderer.is.kind !== 'object') throw new TypeError('the root is an object')
  const fields: Record<string, Shape> = { ...renderer.is.fields, root: node }
  return { ...renderer, is: { ...renderer.is, fields: Object.assign(Object.create(null), fields) } }
})()

function asLayout(root: ResolvedUiNode, diagnostics: Diagnostic[]): ResolvedUiSchema['root'] {
  if (root.type === 'stack' || root.type === 'grid') return root
  if (root.type !== 'unknown')
    diagnostics.push({ level: 'repair', code: 'root', path: '/root', message: 'the root was put into a stack' })
  return { type: 'stack', id: '', direction: 'vertical', appearance: 'plain', children: [root] }
}

/** Strict: the document as minified JSON, or an error that lists what is not legal. */
export function writeSchema(schema: UiSchemaRenderer, limits?: Limits): string {
  const diagnostics = validateSchema(schema, limits)
  if (diagnostics.length > 0) throw new UiSchemaError(diagnostics)
  return JSON.stringify(schema)
}
