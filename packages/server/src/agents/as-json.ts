import type { Json, JsonObject } from '@vitrine/protocol'

/**
 * The limits of one value that an agent gives. A larger value
 * would be copied in memory several times on its way to the log.
 */
const MAX_CHARS = 16 * 1024 * 1024
const MAX_NODES = 500_000
const MAX_DEPTH = 200

/** The value cannot be written as JSON. The message says why. */
export class NotJson extends Error {
  override name = 'NotJson'
}

/**
 * Gives the value as JSON.stringify would write it: undefined, functions and symbols are dropped,
 * dates become text, NaN and Infinity become null, and `toJSON` is called. A bigint becomes text,
 * and characters that UTF-8 cannot hold are replaced. `size` is about the number of characters.
 * Throws NotJson when the value is cyclic, too deep or too large, or when reading it throws.
 */
export function asJson(value: unknown): { value: Json | undefined; size: number } {
  const inside = new Set<object>()
  let size = 0
  let nodes = 0

  const text = (given: string, key?: string): string => {
    size += given.length
    if (size > MAX_CHARS) throw new NotJson(`it is larger than ${MAX_CHARS} characters`)
    const clean = given.includes('\0') ? given.replaceAll('\0', '\ufffd') : given
    // A delta may end in the first half of a surrogate pair. The second half comes with the next delta.
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
    // Reading by index makes a hole null, and it does not call an iterator that the agent may have replaced.
    return Array.from({ length: list.length }, (_, index) => read(String(index), list[index]) ?? null)
  }
  const properties = (object: object): Json => {
    const result: { [key: string]: Json } = {}
    for (const key of Object.keys(object)) {
      const property = read(key, (object as Record<string, unknown>)[key])
      // Assigning to a property called __proto__ would set the prototype.
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

/** Unwraps values with `toJSON`, boxed primitives and bigints. */
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
 * Gives an argument of a call as JSON. In a list, also in one that is called `envelopes`, an item that cannot be read
 * becomes null. That item is then refused where it is applied, and the other items are not affected.
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
