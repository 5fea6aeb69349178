import { known, missing } from '../entities.ts'
import { applyPatch } from '../patch.ts'
import { changed, type Handlers } from './changes.ts'
import { diagnose } from './diagnostic.ts'

/** The state that agents and applications share with the session. */
export const sharedStateHandlers = {
  'state.snapshot': (state, event) => {
    const problem = state.meter?.problem(event.state)
    if (problem) diagnose(state, 'state_size', problem)
    // Deltas write in place: the logged event must not change with them.
    state.shared.value = problem ? missing('unavailable') : known(structuredClone(event.state))
    changed(state, state.shared)
  },

  'state.delta': (state, event) => {
    const { shared } = state
    const patch = state.meter?.apply ?? applyPatch
    const result = shared.value.known ? patch(shared.value.value, event.patch) : undefined
    if (result?.ok) shared.value = known(result.value)
    else diagnose(state, 'state_patch', result?.reason ?? 'no state')
    changed(state, shared)
  },
} satisfies Partial<Handlers>
