import { ignore, type SessionState, type Touch } from '../entities.ts'
import type { SessionEvent } from '../events.ts'
import { actionHandlers } from './action.ts'
import { artifactHandlers } from './artifact.ts'
import type { Handlers } from './changes.ts'
import { compactionHandlers } from './compaction.ts'
import { diagnosticHandlers, unknownEvent } from './diagnostic.ts'
import { evidenceHandlers } from './evidence.ts'
import { messageHandlers } from './message.ts'
import { metricHandlers } from './metric.ts'
import { permissionHandlers } from './permission.ts'
import { queueHandlers } from './queue.ts'
import { runHandlers } from './run.ts'
import { sessionHandlers } from './session.ts'
import { sharedStateHandlers } from './shared-state.ts'
import { surfaceHandlers } from './surface.ts'
import { taskHandlers } from './task.ts'
import { toolHandlers } from './tool.ts'

/** What the fold did with an event: it applied it, knew it already, or misses events before it. */
export type Applied = 'applied' | 'duplicate' | 'gap'

/** What each class of event means. Whether it is allowed is said elsewhere, by the rules. */
export const handlers = {
  ...messageHandlers,
  ...toolHandlers,
  ...runHandlers,
  ...sessionHandlers,
  ...actionHandlers,
  ...queueHandlers,
  ...taskHandlers,
  ...artifactHandlers,
  ...evidenceHandlers,
  ...sharedStateHandlers,
  ...surfaceHandlers,
  ...compactionHandlers,
  ...permissionHandlers,
  ...metricHandlers,
  ...diagnosticHandlers,
}

/** The rule of the fold: an event that was seen before changes nothing, and one that leaves a gap is not applied (L3). */
export function fold(table: Partial<Handlers>, state: SessionState, event: SessionEvent, touch: Touch): Applied {
  if (event.seq <= state.seq) return 'duplicate'
  if (event.seq !== state.seq + 1) return 'gap'
  state.seq = event.seq
  state.at = event.at
  state.touch = touch
  const handle = (table[event.type] ?? unknownEvent) as (state: SessionState, event: SessionEvent) => void
  handle(state, event)
  return 'applied'
}

/**
 * The fold of a reader who holds a window, such as a browser. It does not follow a rewind or a repair, which are rare and
 * change what lies before the window as well: it answers `gap`, and the reader loads a new snapshot.
 */
export function applyToWindow(state: SessionState, event: SessionEvent, touch: Touch = ignore): Applied {
  const rewrites = event.type === 'history.rewound' || event.type === 'messages.snapshot'
  if (rewrites && event.seq > state.seq) return 'gap'
  return fold(handlers, state, event, touch)
}
