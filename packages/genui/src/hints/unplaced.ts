/**
 * Keeps what has no place in the document under its pointer. The reader counts the entries of a list as they were written and
 * the compiler those that could be read, so that two things may come with one pointer: neither replaces the other.
 */
export function keepUnplaced(unplaced: Record<string, unknown>, pointer: string, value: unknown): void {
  let key = pointer
  while (Object.hasOwn(unplaced, key)) key += '_'
  unplaced[key] = value
}
