import { ignore, type SessionState, type Touch } from '../entities.ts'
import type { SessionEvent } from '../events.ts'
import type { Handlers } from './changes.ts'
import { repairHandlers } from './repair.ts'
import { rewindHandlers } from './rewind.ts'
import { type Applied, fold, handlers } from './window.ts'

const all: Handlers = { ...handlers, ...repairHandlers, ...rewindHandlers }

/** The fold. Updates in place the state that the caller alone owns and reports each entity that it touched. */
export function apply(state: SessionState, event: SessionEvent, touch: Touch = ignore): Applied {
  return fold(all, state, event, touch)
}
