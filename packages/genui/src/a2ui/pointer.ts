import type { Json } from './ops.ts'

export type Path = readonly string[]

const ROOT: Path = []
const cache = new Map<string, Path | undefined>()

/** Segments of a JSON pointer; undefined when an escape is invalid or a segment could reach a prototype. */
export function parsePointer(pointer: string): Path | undefined {
  if (pointer === '' || pointer === '/') return ROOT
  const known = cache.get(pointer)
  if (known) return known
  const path = split(pointer)
  // Agents choose the pointers: the cache starts over before it can grow without bound.
  if (cache.size >= 4096) cache.clear()
  if (path) cache.set(pointer, path)
  return path
}

function split(pointer: string): Path | undefined {
  if (/~(?![01])/.test(pointer)) return undefined
  const path = (pointer.startsWith('/') ? pointer.slice(1) : pointer).split('/')
  for (let i = 0; i < path.length; i++) {
    const segment = path[i]!
    if (segment.includes('~')) path[i] = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    if (path[i] === '__proto__') return undefined
  }
  return path
}

export function formatPointer(path: Path): string {
  let pointer = ''
  for (const segment of path)
    pointer += `/${/[~/]/.test(segment) ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment}`
  return pointer
}

/** Position in an array, or -1: `01`, `1e3` and `-1` are keys, not positions. */
export function arrayIndex(segment: string): number {
  const { length } = segment
  if (length === 0 || length > 10 || (length > 1 && segment[0] === '0')) return -1
  let index = 0
  for (let i = 0; i < length; i++) {
    const digit = segment.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return -1
    index = index * 10 + digit
  }
  return index
}

/** Own properties only, so that no pointer reads what the runtime put there. */
export function step(value: Json | undefined, segment: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    const index = arrayIndex(segment)
    return index < 0 ? undefined : value[index]
  }
  return Object.hasOwn(value, segment) ? value[segment] : undefined
}

export function readPath(value: Json | undefined, path: Path): Json | undefined {
  for (let i = 0; i < path.length && value !== undefined; i++) value = step(value, path[i]!)
  return value
}
