import { applySurfaceOps, emptySurface } from '../surface.ts'
import { add, changed, fill, find, type Handlers, outside } from './changes.ts'
import { inPart, showIn } from './message.ts'

/** What agents draw. */
export const surfaceHandlers = {
  'surface.changed': (state, event) => {
    const { surfaceId, ops } = event
    let surface = find(state.surfaces, surfaceId)
    if (surface && event.seq <= surface.asOf) return
    // One that is made again after it was removed stands where it is made now.
    const placed = inPart(event) && surface?.state !== 'live'
    surface ??= add(state, state.surfaces, {
      surfaceId,
      messageId: null,
      partId: null,
      ordinal: null,
      ...emptySurface(),
      loaded: true,
      asOf: 0,
    })
    if (placed) {
      fill(surface, event)
      surface.loaded = Boolean(showIn(state, event, surfaceId))
      surface.ordinal = find(state.messages, event.messageId)?.ordinal ?? null
    }
    const before = surface.state
    if (!surface.loaded) outside(state)
    applySurfaceOps(surface, surface.loaded ? ops : ops.filter(({ op }) => op === 'create' || op === 'remove'))
    changed(state, surface)
    if (surface.state !== before) changed(state, state.surfaces)
  },
} satisfies Partial<Handlers>
