import type { JsonObject } from '@vitrine/protocol'
import { z } from 'zod'

/** The validator of a request's answer; undefined when its JSON Schema is not one that can be used. */
export function answerSchema(schema: JsonObject): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  } catch {
    return undefined
  }
}
