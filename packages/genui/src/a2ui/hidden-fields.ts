import { isObject, type JsonObject } from '@vitrine/protocol'
import type { ComponentTraits } from './traits.ts'

/** Whether a component hides what a person types. A property that the data decide may hide it at any time. */
export function hidesInput(component: JsonObject, { input, hides }: ComponentTraits): boolean {
  if (!input || !hides) return false
  if (hides === true) return true
  const decides = component[hides.property]
  return isObject(decides) || hides.values.includes(decides ?? null)
}
