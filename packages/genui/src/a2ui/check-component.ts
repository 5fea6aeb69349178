import { formatPointer, isObject, type Json, type JsonObject, parsePointer } from '@vitrine/protocol'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { showJson } from '../json.ts'
import type { Catalog } from './catalog.ts'
import { checkSchema } from './check-schema.ts'
import type { Given } from './normalise.ts'
import { toPath } from './pointer.ts'
import { EnvelopeRefusal } from './refusal.ts'

/** Where in the envelope a property came from. */
export function whereOf({ raw, path, traits }: Given, name: string): string {
  const called = (object: JsonObject) => Object.keys(object).find(key => key === name || traits.aliases?.[key] === name)
  const inside = isObject(raw.props) ? called(raw.props) : undefined
  return path + formatPointer(inside === undefined ? [called(raw) ?? name] : ['props', inside])
}

/** Refuses what the schema of the component's type does not allow. The nested form is read leniently, the public strictly. */
export function checkComponent(given: Given, catalog: Catalog, diagnostics: UiDiagnostic[]): void {
  checkProps(given, catalog, diagnostics)
  for (const key of Object.keys(given.props)) {
    const value = given.props[key]!
    if (typeof value === 'object') checkPointers(value, () => whereOf(given, key))
  }
}

function checkProps(given: Given, catalog: Catalog, diagnostics: UiDiagnostic[]): void {
  const { type, form, id, props, path, raw } = given
  const spec = catalog.components.get(type)
  if (!spec) {
    diagnostics.push(
      problem(
        'unknown_type',
        `'${type}' is not in the catalog and shows as a diagnostic; known are ${[...catalog.components.keys()].join(', ')}.`,
        path,
      ),
    )
    return
  }
  const context = { root: catalog.definitions, functions: catalog.functions, lenient: form === 'nested' }
  const found = checkSchema(spec.schema, props === raw ? raw : { id, component: type, ...props }, context)
  if (!found) return
  const [key, ...rest] = parsePointer(found.path) ?? []
  const at = key === undefined ? path : whereOf(given, key) + formatPointer(rest)
  throw new EnvelopeRefusal('validation_failed', at, `${type} '${id}': ${found.message}.`)
}

/** Bindings that no reader could follow, wherever they are in a property. */
function checkPointers(value: Json, at: () => string): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const item = (value as { [key: string]: Json })[key]!
    if (typeof item === 'object') checkPointers(item, () => at() + formatPointer([key]))
    else if ((key === 'path' || key === '$ref') && typeof item === 'string' && !toPath(item))
      throw new EnvelopeRefusal(
        'invalid_path',
        `${at()}/${key}`,
        `Invalid path syntax: ${showJson(item)} is not a JSON pointer.`,
      )
  }
}
