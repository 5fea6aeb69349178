import { type Path, parsePointer } from '@vitrine/protocol'

const ROOT: Path = []

/** A pointer as A2UI writes it: the first slash may be left out, and slashes at the end mean nothing. */
export function toPath(pointer: string): Path | undefined {
  let end = pointer.length
  // What comes often is written as it should be.
  if (pointer[0] === '/' && pointer[end - 1] !== '/') return parsePointer(pointer)
  while (end > 0 && pointer[end - 1] === '/') end--
  if (end === 0) return ROOT
  const plain = end === pointer.length ? pointer : pointer.slice(0, end)
  return parsePointer(plain.startsWith('/') ? plain : `/${plain}`)
}
