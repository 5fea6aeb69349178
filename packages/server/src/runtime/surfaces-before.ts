import {
  applySurfaceOps,
  type EventOf,
  emptySurface,
  type Json,
  jsonEqual,
  type Message,
  type SessionEvent,
  type SurfaceContent,
  type SurfaceOp,
  splitOp,
  surfaceOps,
} from '@vitrine/protocol'

/**
 * The surfaces that have changed since a message began, each as it was before. What a run draws before its first words
 * belongs to those words; what was drawn before a person spoke was there when they spoke.
 */
export async function surfacesBefore(
  events: AsyncIterable<SessionEvent>,
  { messageId, role }: Message,
): Promise<Map<string, SurfaceContent>> {
  const before = new Map<string, SurfaceContent>()
  const changed = new Set<string>()
  let waiting: EventOf<'surface.changed'>[] = []
  let begun = false
  const settle = (): void => {
    for (const { surfaceId, ops } of waiting) {
      const surface = before.get(surfaceId) ?? emptySurface()
      before.set(surfaceId, surface)
      applySurfaceOps(surface, ops)
    }
    waiting = []
  }
  for await (const event of events) {
    if (!begun && 'messageId' in event && event.messageId === messageId) {
      begun = true
      if (role === 'user') settle()
      for (const { surfaceId } of waiting) changed.add(surfaceId)
    }
    if (event.type === 'surface.changed') {
      if (begun) changed.add(event.surfaceId)
      else waiting.push(event)
    } else if (!begun && (event.type === 'run.started' || event.type === 'steer.consumed')) settle()
  }
  return new Map([...before].filter(([surfaceId]) => changed.has(surfaceId)))
}

/** The operations that make a surface again what it was. There are none when it is that. */
export function opsBack(now: SurfaceContent, then: SurfaceContent): SurfaceOp[] {
  const ops = jsonEqual(frameOf(now), frameOf(then)) ? differences(now, then) : surfaceOps(then)
  return ops.flatMap(op => splitOp(op))
}

const frameOf = ({ state, root, catalogId, theme, sendDataModel }: SurfaceContent): Json => [
  state,
  root,
  catalogId,
  theme,
  sendDataModel,
]

function differences(now: SurfaceContent, then: SurfaceContent): SurfaceOp[] {
  const ops: SurfaceOp[] = []
  for (const id of now.components.keys()) if (!then.components.has(id)) ops.push({ op: 'delete', id })
  for (const [id, component] of then.components) {
    if (!jsonEqual(now.components.get(id), component)) ops.push({ op: 'upsert', id, component })
  }
  if (!jsonEqual(now.data.root, then.data.root)) ops.push({ op: 'set', path: '', value: then.data.root })
  return ops
}
