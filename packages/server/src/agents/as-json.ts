import type { Json, JsonObject } from '@vitrine/protocol'

/** What one value of an agent may be. Larger outputs would be held in memory several times on their way. */
const MAX_CHARS = 16 * 1024 * 1024
const MAX_NODES = 500_000
const MAX_DEPTH = 200

/** The value cannot be written down; the message says why. */
export class NotJson extends Error {
  override name = 'NotJson'
}

/**
 * The value as JSON.stringify would write it: no undefined, functions or symbols, dates as text, NaN and Infinity as
 * null, `toJSON` asked. A bigint becomes text, and characters that no UTF-8 file can hold are replaced.
 * `size` counts characters, roughly. Throws NotJson for what is cyclic, too deep, too large or cannot be read.
 */
export function asJson(value: unknown): { value: Json | undefined; size: number } {
  const inside = new Set<object>()
  let size = 0
  let nodes = 0

  const text = (given: string, key?: string): string => {
    size += given.length
    if (size > MAX_CHARS) throw new NotJson(`it is larger than ${MAX_CHARS} characters`)
    const clean = given.includes('\0') ? given.replaceAll('\0', '\ufffd') : given
    // A delta may end in half of a pair whose other half comes with the next one.
    return key === 'delta' && inside.size === 1 ? clean : clean.toWellFormed()
  }
  const read = (key: string, given: unknown): Json | undefined => {
    if (++nodes > MAX_NODES) throw new NotJson(`it has more than ${MAX_NODES} values`)
    size += 4
    const plain = plainOf(key, given)
    if (typeof plain === 'string') return text(plain, key)
    if (typeof plain === 'number') return Number.isFinite(plain) ? plain : null
    if (typeof plain === 'boolean' || plain === null) return plain
    if (typeof plain !== 'object') return undefined
    if (inside.has(plain)) throw new NotJson('it contains itself')
    if (inside.size >= MAX_DEPTH) throw new NotJson(`it is nested deeper than ${MAX_DEPTH}`)
    inside.add(plain)
    const container = Array.isArray(plain) ? items(plain) : properties(plain)
    inside.delete(plain)
    return container
  }
  const items = (list: unknown[]): Json[] => {
    if (list.length > MAX_NODES) throw new NotJson(`it has more than ${MAX_NODES} values`)
    // By index: a hole is null, and nobody's own iterator is asked.
    return Array.from({ length: list.length }, (_, index) => read(String(index), list[index]) ?? null)
  }
  const properties = (object: object): Json => {
    const result: { [key: string]: Json } = {}
    for (const key of Object.keys(object)) {
      const property = read(key, (object as Record<string, unknown>)[key])
      // A property called __proto__ would set the prototype.
      if (property !== undefined && key !== '__proto__') result[text(key)] = property
    }
    return result
  }

  try {
    return { value: read('', value), size }
  } catch (error) {
    throw error instanceof NotJson ? error : new NotJson('reading it throws an error')
  }
}

/** The value behind `toJSON`, boxes and bigints. */
function plainOf(key: string, given: unknown): unknown {
  let plain = given
  if ((typeof plain === 'object' && plain !== null) || typeof plain === 'bigint') {
    const { toJSON } = plain as { toJSON?: unknown }
    if (typeof toJSON === 'function') plain = toJSON.call(plain, key)
  }
  if (typeof plain === 'bigint') return String(plain)
  if (plain instanceof String || plain instanceof Number || plain instanceof Boolean) return plain.valueOf()
  return plain
}

/**
 * An argument of a call as JSON. Of a list, also of one named `envelopes`, an item that cannot be read becomes null: it
 * gets its own refusal where it is applied and takes none of the others along.
 */
export function argumentAsJson(arg: unknown): Json | undefined {
  try {
    return asJson(arg).value
  } catch (error) {
    if (Array.isArray(arg)) return arg.map(readOrNull)
    const { envelopes, ...rest } = (arg ?? {}) as { envelopes?: unknown }
    if (!Array.isArray(envelopes)) throw error
    return { ...(asJson(rest).value as JsonObject), envelopes: envelopes.map(readOrNull) }
  }
}

function readOrNull(item: unknown): Json {
  try {
    return asJson(item).value ?? null
  } catch {
    return null
  }
}
