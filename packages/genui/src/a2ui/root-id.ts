import { isObject, type Json } from '@vitrine/protocol'

/** The id of the component that `createSurface` begins with: `root` is a component, the id of one, or not there. */
export function rootIdOf(root: Json | undefined): string {
  const id = isObject(root) ? root.id : root
  return typeof id === 'string' && id !== '' ? id : 'root'
}
