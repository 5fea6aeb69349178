import type { Json, JsonObject } from '@vitrine/protocol'

export type { Json, JsonObject, SurfaceOp } from '@vitrine/protocol'

/** Normalised flat component: both dialects end here. References to other components are ids. */
export type Component = { type: string } & JsonObject

export type Diagnostic = { code: string; message: string; componentId?: string; path?: string }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists of ids are long: this is a loop and no callback. */
export function isTexts(list: readonly Json[]): list is string[] {
  for (let i = 0; i < list.length; i++) if (typeof list[i] !== 'string') return false
  return true
}

/** `tick` is called for each pair, so that a caller can limit what a comparison costs. */
export function deepEqual(a: unknown, b: unknown, tick?: () => void): boolean {
  tick?.()
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i], tick)) return false
    return true
  }
  if (Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys)
    if (!Object.hasOwn(b, key) || !deepEqual((a as JsonObject)[key], (b as JsonObject)[key], tick)) return false
  return true
}
