import type { Json } from '@vitrine/protocol'

/** The value that a text holds; undefined when it is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
