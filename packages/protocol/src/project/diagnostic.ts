import type { Diagnostic, SessionState } from '../entities.ts'
import type { EventOf } from '../events.ts'
import { add, type Handlers } from './changes.ts'

/** What the projection keeps of diagnostics; an agent can make one under any id. */
const DIAGNOSTICS_KEPT = 200

function addDiagnostic(
  state: SessionState,
  told: Pick<EventOf<'diagnostic.changed'>, 'diagnosticId' | 'state' | 'level' | 'code' | 'message'>,
): void {
  const { byId } = state.diagnostics
  const fields = { level: 'info' as const, code: 'unknown', message: '', count: 0, ...byId.get(told.diagnosticId) }
  if (told.state === 'open') fields.count++
  add(state, state.diagnostics, { ...fields, diagnosticId: told.diagnosticId, state: told.state }, told)
  for (const id of byId.keys()) {
    if (byId.size <= DIAGNOSTICS_KEPT) break
    byId.delete(id)
  }
}

/** What is odd, as agents and the runtime say it, and as the fold itself finds it. */
export const diagnosticHandlers = {
  'diagnostic.changed': addDiagnostic,
} satisfies Partial<Handlers>

/** What the fold itself finds odd in the log. The interface has words for the code. */
export function diagnose(
  state: SessionState,
  code: string,
  message: string,
  level: Diagnostic['level'] = 'warning',
  diagnosticId = code,
): void {
  addDiagnostic(state, { diagnosticId, state: 'open', level, code, message })
}

export function unknownEvent(state: SessionState, { type }: { type: string }): void {
  state.counts.unknownEvents++
  diagnose(state, 'event_unknown', type, 'info', `event_unknown:${type}`)
}
