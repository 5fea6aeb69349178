import { isObject, type Json, type JsonObject } from '@vitrine/protocol'

/**
 * The fields of a surface that hide what a person types into them, each with the path that it is bound to, or null. A
 * variant that the data decide counts as hidden, because it may be so at any time.
 */
export function hiddenFields(components: ReadonlyMap<string, JsonObject>): Map<string, string | null> {
  const fields = new Map<string, string | null>()
  for (const [id, { type, variant, value }] of components) {
    if (type !== 'TextField' || !(variant === 'obscured' || isObject(variant))) continue
    fields.set(id, isObject(value) ? textOf(value.path ?? value.$ref) : null)
  }
  return fields
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
