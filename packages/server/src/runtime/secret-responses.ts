import { isObject, type Json, type JsonObject, own } from '@vitrine/protocol'

const MASK = '••••••'

const isSecret = ({ format, writeOnly }: JsonObject): boolean => format === 'password' || writeOnly === true

/**
 * A response as facts carry it: what its JSON Schema marks as secret (`format: password`, `writeOnly`) is masked. The agent
 * that asked gets the response itself; the log, and everybody who reads it, does not (L10).
 */
export function withoutSecrets(schema: Json | undefined, value: Json): Json {
  if (!isObject(schema) || value === null) return value
  if (isSecret(schema)) return MASK
  if (Array.isArray(value)) return value.map(item => withoutSecrets(schema.items, item))
  const { properties } = schema
  if (!isObject(value) || !isObject(properties)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withoutSecrets(own(properties, name), item)]),
  )
}
