import type { Usage } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { changed, find, type Handlers, outside } from './changes.ts'

/** What a message, a run or the session has used. */
export const metricHandlers = {
  'metric.changed': (state, event) => {
    if (event.scope === 'session') {
      measure(state.metrics.values, event)
      changed(state, state.metrics)
    } else if (event.scope === 'run') {
      const run = find(state.runs, event.runId)
      if (!run) return
      measure(run.metrics, event)
      changed(state, run)
    } else {
      const message = find(state.messages, event.messageId)
      if (!message) return outside(state)
      if (event.seq <= message.asOf) return
      measure(message.metadata, event)
      changed(state, message)
    }
  },
} satisfies Partial<Handlers>

/** Puts what was measured beside what is there. */
export function measure(
  into: JsonObject,
  { values, usage }: { values?: JsonObject | undefined; usage?: Usage | undefined },
): void {
  Object.assign(into, values, usage && { usage })
}
