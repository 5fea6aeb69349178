import type { SessionState } from '../entities.ts'
import type { EventOf } from '../events.ts'
import { add, changed, type Handlers, update } from './changes.ts'
import { showIn } from './message.ts'

/** What people say while a run is active: for later (the queue) and for the run itself (steers). */
export const queueHandlers = {
  'queue.changed': (state, event) => {
    const { queue } = state
    const { turns } = queue
    const { change, turn, position = turns.length } = event
    const at = turns.findIndex(({ turnId }) => turnId === event.turnId)
    const found = at >= 0
    if (change === 'added' && turn && !found) turns.splice(position, 0, turn)
    if (change === 'edited' && turn && found) turns[at] = turn
    if (change === 'moved' && found) turns.splice(position, 0, ...turns.splice(at, 1))
    if ((change === 'removed' || change === 'started') && found) turns.splice(at, 1)
    if (change === 'held' || change === 'released') queue.held = change === 'held'
    queue.reason = queue.held ? (event.reason ?? queue.reason) : null
    changed(state, queue)
  },

  'steer.accepted': (state, event) => addSteer(state, event, 'accepted'),

  'steer.rejected': (state, event) => {
    if (!update(state, state.steers, event.steerId, { state: 'rejected', reason: event.reason }))
      addSteer(state, event, 'rejected')
  },

  'steer.consumed': (state, event) => {
    update(state, state.steers, event.steerId, { state: 'consumed' })
    showIn(state, event, event.steerId)
  },
} satisfies Partial<Handlers>

function addSteer(
  state: SessionState,
  event: EventOf<'steer.accepted' | 'steer.rejected'>,
  is: 'accepted' | 'rejected',
): void {
  add(
    state,
    state.steers,
    {
      steerId: event.steerId,
      runId: null,
      text: '',
      interaction: null,
      files: null,
      by: null,
      at: state.at,
      state: is,
      reason: null,
    },
    event,
  )
}
