import type { Evidence } from '../entities.ts'
import { add, find, type Handlers } from './changes.ts'

/** What supports a result. What follows from the facts together is said by `verdictOf`. */
export const evidenceHandlers = {
  'evidence.changed': (state, event) => {
    const { evidenceId } = event
    const facts = { ...find(state.evidence, evidenceId)?.facts, ...event.evidence } as Evidence['facts']
    add(state, state.evidence, { evidenceId, facts, updatedAt: state.at })
  },
} satisfies Partial<Handlers>
