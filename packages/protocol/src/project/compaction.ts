import { add, type Handlers, update } from './changes.ts'
import { showIn } from './message.ts'

/** What an agent summarised to make room in its context. */
export const compactionHandlers = {
  'context.compaction.started': (state, event) => {
    add(
      state,
      state.compactions,
      {
        compactionId: event.compactionId,
        state: 'running',
        ordinal: state.counts.ordinals,
        reason: null,
        tokensBefore: null,
        tokensAfter: null,
        summary: null,
        keptFrom: null,
      },
      event,
    )
    showIn(state, event, event.compactionId, 'compaction')
  },

  'context.compaction.completed': (state, event) => {
    update(state, state.compactions, event.compactionId, { state: 'done' }, event)
  },
} satisfies Partial<Handlers>
