import { type Path, parsePointer } from '@vitrine/protocol'

const ROOT: Path = []

/** A pointer as A2UI writes it: `/` is the whole model too, and the first slash may be left out. */
export function toPath(pointer: string): Path | undefined {
  if (pointer === '' || pointer === '/') return ROOT
  return parsePointer(pointer.startsWith('/') ? pointer : `/${pointer}`)
}
