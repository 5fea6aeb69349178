import type { Catalog } from './catalog.ts'
import { type Given, Refusal, type Warning, whereOf } from './normalise.ts'
import type { Json } from './ops.ts'
import { toPath } from './path.ts'
import { validate } from './schema.ts'

/** Refuses what the schema of the component's type does not allow. The nested form is read leniently, the public strictly. */
export function checkComponent(given: Given, catalog: Catalog, warnings: Warning[]): void {
  checkProps(given, catalog, warnings)
  for (const key of Object.keys(given.props)) {
    const value = given.props[key]!
    if (typeof value === 'object') checkPointers(value, () => whereOf(given, key))
  }
}

function checkProps(given: Given, catalog: Catalog, warnings: Warning[]): void {
  const { type, dialect, id, props, path, raw } = given
  const spec = catalog.components.get(type)
  if (!spec) {
    warnings.push({
      code: 'unknown_component_type',
      path,
      message: `'${type}' is not in the catalog and shows as a diagnostic; known are ${[...catalog.components.keys()].join(', ')}.`,
    })
    return
  }
  const context = { root: catalog.definitions, functions: catalog.functions, lenient: dialect === 'nested' }
  const found = validate(spec.schema, props === raw ? raw : { id, component: type, ...props }, context)
  if (!found) return
  const [, key = '', ...rest] = found.path.split('/')
  const at = [key === '' ? path : whereOf(given, key), ...rest].join('/')
  throw new Refusal('VALIDATION_FAILED', at, `${type} '${id}': ${found.message}.`)
}

/** Bindings that no reader could follow, wherever they are in a property. */
function checkPointers(value: Json, at: () => string): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const item = (value as { [key: string]: Json })[key]!
    if (typeof item === 'object') checkPointers(item, () => `${at()}/${key}`)
    else if ((key === 'path' || key === '$ref') && typeof item === 'string' && !toPath(item))
      throw new Refusal(
        'invalid_path',
        `${at()}/${key}`,
        `Invalid path syntax: ${JSON.stringify(item)} is not a JSON pointer.`,
      )
  }
}
