// biome-ignore-all lint/suspicious/noThenProperty: the name that the document gives it
import type { JsonObject } from '@vitrine/protocol'
import { types } from './check-schema.ts'

const { string, value, list } = types

const several = (items: JsonObject): JsonObject => ({ type: 'array', minItems: 1, items })
const pair: JsonObject = { type: 'array', minItems: 2, maxItems: 2, items: value }

const record = (properties: JsonObject, required: string[], more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
})

/** What the helpers of the nested form take: the schema of the one member of `{if: …}`, `{map: …}` and the others. */
export const helperSchemas: Readonly<Record<string, JsonObject>> = {
  if: record({ cond: value, then: value, else: value }, ['cond'], {
    anyOf: [{ required: ['then'] }, { required: ['else'] }],
  }),
  not: value,
  eq: pair,
  neq: pair,
  and: several(value),
  or: several(value),
  concat: several(string),
  length: { type: ['string', 'array', 'object'] },
  join: { anyOf: [record({ items: list, separator: string }, ['items']), { type: 'array' }] },
  map: record({ from: { anyOf: [list, { type: 'string' }] }, as: { type: 'string', minLength: 1 }, template: value }, [
    'from',
    'template',
  ]),
  coalesce: several(value),
  formatString: string,
}
