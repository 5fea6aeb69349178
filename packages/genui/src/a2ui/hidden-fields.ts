import { formatPointer, isObject, type Json, type JsonObject } from '@vitrine/protocol'
import { pathRef } from './expression.ts'
import type { ComponentTraits } from './traits.ts'

/**
 * The fields of a surface that hide what a person types into them, each with the path that it is bound to, or null. The
 * path is written as the edits of the field are; one of an item of a list begins with no slash. A property that the data
 * decide counts as hidden, because it may be so at any time.
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
    fields.set(id, isObject(value) ? pointerOf(value.path ?? value.$ref) : null)
  }
  return fields
}

function pointerOf(binding: Json | undefined): string | null {
  const ref = typeof binding === 'string' ? pathRef(binding) : undefined
  if (!ref) return null
  const pointer = formatPointer(ref.path)
  return ref.relative ? pointer.slice(1) : pointer
}
