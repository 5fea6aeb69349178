import { applySurfaceOps, emptySurface } from '../surface.ts'
import { add, changed, find, type Handlers, outside } from './changes.ts'
import { inPart, showIn } from './message.ts'

/** What agents draw. */
export const surfaceHandlers = {
  'surface.changed': (state, event) => {
    let surface = find(state.surfaces, event.surfaceId)
    if (surface && event.seq <= surface.asOf) return
    if (!surface) {
      surface = add(
        state,
        state.surfaces,
        {
          surfaceId: event.surfaceId,
          messageId: null,
          partId: null,
          ordinal: null,
          ...emptySurface(),
          loaded: true,
          asOf: 0,
        },
        event,
      )
      if (inPart(event)) {
        surface.loaded = showIn(state, event, event.surfaceId) !== undefined
        surface.ordinal = find(state.messages, event.messageId)?.ordinal ?? null
      }
    }
    const before = surface.state
    if (!surface.loaded) outside(state)
    const { loaded } = surface
    applySurfaceOps(surface, loaded ? event.ops : event.ops.filter(({ op }) => op === 'create' || op === 'remove'))
    changed(state, surface)
    if (surface.state !== before) changed(state, state.surfaces)
  },
} satisfies Partial<Handlers>
