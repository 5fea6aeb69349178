import type { SessionEvent } from '@vitrine/protocol'
import { withActorsAndReasons } from './shape-1.ts'
import { withSubagents } from './shape-2.ts'
import { withMergedCodes } from './shape-3.ts'

/** An event as it was stored: it has the shape of its time. */
export type StoredEvent = Record<string, unknown> & { type: string; seq: number; sessionId: string }

/**
 * To change the shape of stored events, add a step at the end. Step n turns an event of shape n + 1 into one of shape
 * n + 2, in place or as a new object, and leaves alone what did not change. A step that was released is never edited:
 * there are logs that were written before it.
 */
const steps: readonly ((event: StoredEvent) => StoredEvent)[] = [withActorsAndReasons, withSubagents, withMergedCodes]

/** Raise it when the fold makes another state from the same events: checkpoints of the older fold are then dropped. */
const FOLD_CHANGES = 11

/** The shape in which events are written today. Each stored append says its own. */
export const SHAPE = steps.length + 1

/** The fold that today's checkpoints come from. A new shape of events is a new fold as well. */
export const FOLD = SHAPE + FOLD_CHANGES

/** Turns stored events into today's. The file that names the steps is this one; the list is a parameter for its test. */
export function upcast(events: StoredEvent[], shape: number, by = steps): SessionEvent[] {
  for (const step of by.slice(shape - 1)) {
    for (const [index, event] of events.entries()) events[index] = step(event)
  }
  return events as unknown as SessionEvent[]
}
