import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import { valueText } from './expression.ts'

// Which values a person can give to the basic inputs. What the data decide (a bound bound, bound options) is not judged.

export const isWritten = (_: JsonObject, value: Json): boolean => typeof value === 'string' || typeof value === 'number'

export const isTicked = (_: JsonObject, value: Json): boolean => typeof value === 'boolean'

/** A slider has the bounds that it is drawn with, also where the author gives none or the upper one is too low. */
export function isWithin({ min = 0, max = 100 }: JsonObject, value: Json): boolean {
  if (typeof value !== 'number') return false
  if (typeof min !== 'number') return true
  return value >= min && (typeof max !== 'number' || value <= Math.max(min, max))
}

/** One of the options, or several in a list. */
export function isAmong({ options }: JsonObject, value: Json): boolean {
  const chosen = Array.isArray(value) ? value : [value]
  if (!Array.isArray(options)) return chosen.every(one => typeof one !== 'object')
  const known = options.map(option => (isObject(option) ? option.value : option))
  if (known.some(isObject)) return true
  const texts = new Set(known.map(valueText))
  return chosen.every(one => texts.has(valueText(one)))
}
