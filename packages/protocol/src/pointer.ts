import type { Json } from './json.ts'

/** The keys and positions that lead to a place in a JSON value, from the outermost on. */
export type Path = readonly string[]

const ROOT: Path = []
const cache = new Map<string, Path>()
/** Agents choose the pointers: neither long ones nor many of them may fill the memory. */
const CACHED = 4096
const CACHED_LENGTH = 200

/** The tokens of a JSON pointer (RFC 6901); undefined when it is not one or leads to a prototype. */
export function parsePointer(pointer: string): Path | undefined {
  if (pointer === '') return ROOT
  const cached = cache.get(pointer)
  if (cached) return cached
  const path = split(pointer)
  if (!path || pointer.length > CACHED_LENGTH) return path
  if (cache.size >= CACHED) cache.clear()
  cache.set(pointer, path)
  return path
}

function split(pointer: string): Path | undefined {
  if (pointer[0] !== '/' || /~(?![01])/.test(pointer)) return undefined
  const tokens = pointer.slice(1).split('/')
  const path = tokens.map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  // The one key whose assignment changes what an object inherits; all others are plain keys of the object itself.
  return path.includes('__proto__') ? undefined : path
}

/** The path of a reference within its own document, such as `#/$defs/name`; undefined when it is no pointer behind a `#`. */
export function referencePath(reference: string): Path | undefined {
  if (reference[0] !== '#') return undefined
  const fragment = reference.slice(1)
  try {
    return parsePointer(decodeURIComponent(fragment))
  } catch {
    // A percent sign that begins no escape stands for itself.
    return parsePointer(fragment)
  }
}

/** The JSON pointer (RFC 6901) of a path: the reverse of `parsePointer`. */
export function formatPointer(path: Path): string {
  let pointer = ''
  for (const token of path) {
    const plain = !token.includes('~') && !token.includes('/')
    pointer += `/${plain ? token : token.replaceAll('~', '~0').replaceAll('/', '~1')}`
  }
  return pointer
}

export const isContainer = (value: unknown): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null

/** Position in a list, or -1: `01`, `1e3` and `-1` are keys, not positions. */
export function arrayIndex(token: string): number {
  const { length } = token
  if (length === 0 || length > 10 || (length > 1 && token[0] === '0')) return -1
  let index = 0
  for (let i = 0; i < length; i++) {
    const digit = token.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return -1
    index = index * 10 + digit
  }
  return index
}

/** What a table holds under a name that a stranger chose: `constructor` finds nothing that the language put there. */
export const own = <T>(table: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** What an object or a list holds under one key or position; undefined when there is nothing. */
export function memberAt(value: Json | undefined, token: string): Json | undefined {
  if (!isContainer(value)) return undefined
  if (Array.isArray(value)) {
    const index = arrayIndex(token)
    return index < 0 ? undefined : value[index]
  }
  return own(value, token)
}

/** The value at the end of a path; undefined when the path leads nowhere. */
export function readPath(value: Json | undefined, path: Path): Json | undefined {
  for (let i = 0; i < path.length && value !== undefined; i++) value = memberAt(value, path[i]!)
  return value
}
