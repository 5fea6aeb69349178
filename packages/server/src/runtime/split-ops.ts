import type { Json, SurfaceOp } from '@vitrine/protocol'

/** Operations in groups that fit into an event. A value that alone is too large is written child by child. */
export function splitOps(ops: readonly SurfaceOp[], maxBytes: number): SurfaceOp[][] {
  const groups: SurfaceOp[][] = []
  let group: SurfaceOp[] = []
  let size = 0
  for (const op of ops.flatMap(one => smaller(one, maxBytes))) {
    const bytes = sizeOf(op)
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

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

function smaller(op: SurfaceOp, maxBytes: number): SurfaceOp[] {
  if (op.op !== 'set' || op.value === undefined || sizeOf(op) <= maxBytes) return [op]
  const { path, value } = op
  if (typeof value !== 'object' || value === null) return [op]
  const entries: [string, Json][] = Array.isArray(value)
    ? value.map((item, i) => [String(i), item])
    : Object.entries(value)
  const empty: SurfaceOp = { op: 'set', path, value: Array.isArray(value) ? [] : {} }
  return [
    empty,
    ...entries.flatMap(([key, item]) =>
      smaller({ op: 'set', path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: item }, maxBytes),
    ),
  ]
}
