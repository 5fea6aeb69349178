import type { SessionState } from './entities.ts'
import type { SessionEvent } from './events.ts'
import { apply } from './project/apply.ts'
import { type Rule, rules } from './rules.ts'
import { trialOf } from './trial.ts'

/** Why an event may not follow the events before it. */
export interface Violation {
  /** The rule that was broken; stable. */
  code: string
  detail: string
}

const byType = new Map<string, readonly Rule[]>()

function rulesFor(event: SessionEvent): readonly Rule[] {
  const inRun = event.runId !== undefined && event.type !== 'run.started'
  const cacheKey = inRun ? event.type : `${event.type} alone`
  let found = byType.get(cacheKey)
  if (!found) {
    found = rules.filter(({ on }) => on === 'all' || (on === 'in-run' ? inRun : on.includes(event.type)))
    byType.set(cacheKey, found)
  }
  return found
}

/**
 * Nearly every event is one more delta of a part that is being written. When this holds, no rule can object:
 * two lookups say what ten rules would.
 */
function goesOn(state: SessionState, event: SessionEvent): boolean {
  if (event.type !== 'text.delta' && event.type !== 'reasoning.delta') return false
  const part = state.parts.byId.get(event.partId)
  return (
    part?.state === 'streaming' &&
    part.kind === (event.type === 'text.delta' ? 'text' : 'reasoning') &&
    part.messageId === event.messageId &&
    part.runId === event.runId &&
    (state.session.activeRunId === event.runId || state.runs.byId.get(event.runId)?.outcome === null) &&
    event.seq === state.seq + 1 &&
    event.sessionId === state.sessionId
  )
}

/** Is this event legal after what `state` has seen? Looks only; `apply` says what the event means. */
export function verify(state: SessionState, event: SessionEvent): Violation | undefined {
  if (goesOn(state, event)) return undefined
  for (const { code, check } of rulesFor(event)) {
    const detail = check(state, event as never)
    if (detail) return { code, detail }
  }
  return undefined
}

/**
 * The first of these events that may not follow `state` and the events before it. All are tried on a copy: nothing of
 * them is in the state.
 */
export function verifyAll(
  state: SessionState,
  events: readonly SessionEvent[],
): (Violation & { index: number }) | undefined {
  const trial = events.length > 1 ? trialOf(state) : state
  for (const [index, event] of events.entries()) {
    const violation = verify(trial, event)
    if (violation) return { ...violation, index }
    if (index < events.length - 1) apply(trial, event)
  }
  return undefined
}
