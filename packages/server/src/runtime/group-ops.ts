import { jsonBytes, type SurfaceOp } from '@vitrine/protocol'

/** Operations in groups that fit into an event, in their order. Each operation fits by itself: the engine sees to that. */
export function groupOps(ops: readonly SurfaceOp[], maxBytes: number): SurfaceOp[][] {
  const groups: SurfaceOp[][] = []
  let group: SurfaceOp[] = []
  let size = 0
  for (const op of ops) {
    const bytes = jsonBytes(op) + 1
    if (group.length > 0 && size + bytes > maxBytes) {
      groups.push(group)
      group = []
      size = 0
    }
    group.push(op)
    size += bytes
  }
  if (group.length > 0) groups.push(group)
  return groups
}
