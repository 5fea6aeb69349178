import { arrayIndex, type DataTree, type Path, PathError, readPath } from '@vitrine/protocol'

/** Where a value would be written. Throws a PathError that tells the writer why when there is no such place. */
export function placeOf(data: DataTree, path: Path): { path: Path; filled: number } {
  const located = data.locate(path)
  if (located) return located
  for (const [i, token] of path.entries()) {
    const at = readPath(data.root, path.slice(0, i)) ?? null
    if (at !== null && typeof at !== 'object')
      throw new PathError(`'${token}' cannot be written below the ${typeof at} that is there`)
    if (Array.isArray(at) && token !== '-' && arrayIndex(token) < 0)
      throw new PathError(`'${token}' is not a position in a list`)
  }
  throw new PathError(`a position in ${path.join('/')} is far beyond the end of its list`)
}
