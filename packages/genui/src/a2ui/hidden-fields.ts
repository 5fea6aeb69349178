import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import type { ComponentTraits } from './traits.ts'

/**
 * The fields of a surface that hide what a person types into them, each with the path that it is bound to, or null. A
 * property that the data decide counts as hidden, because it may be so at any time.
 */
export function hiddenFields(
  components: ReadonlyMap<string, JsonObject>,
  catalog: { traits(type: string): ComponentTraits },
): Map<string, string | null> {
  const fields = new Map<string, string | null>()
  for (const [id, component] of components) {
    const { input, hides } = catalog.traits(String(component.type))
    if (!input || !hides) continue
    const decides = component[hides.property]
    if (!isObject(decides) && !hides.values.includes(decides ?? null)) continue
    const value = component[input]
    fields.set(id, isObject(value) ? textOf(value.path ?? value.$ref) : null)
  }
  return fields
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
