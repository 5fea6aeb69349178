import type { SessionEvent } from '@vitrine/protocol'
import type { AcceptedId } from '../storage/log-store.ts'

/** The ids that this event accepts once and for ever. Clients choose them, and send them again when an answer was lost. */
export function acceptedIds(event: SessionEvent): AcceptedId[] {
  switch (event.type) {
    case 'run.started': {
      const { runId, turnId, input, merged = [] } = event
      const turns = [{ turnId, digest: input.digest }, ...merged]
      return [{ kind: 'run', id: runId }, ...turns.map(turn => idOf('turn', turn.turnId, turn.digest))]
    }
    case 'queue.changed':
      return event.change === 'added' && event.turn ? [idOf('turn', event.turn.turnId, event.turn.input.digest)] : []
    case 'steer.accepted':
      return [idOf('steer', event.steerId, event.digest)]
    case 'steer.rejected':
      return [{ kind: 'steer', id: event.steerId }]
    case 'action.required':
      return [{ kind: 'action', id: event.actionId }]
    default:
      return []
  }
}

const idOf = (kind: 'turn' | 'steer', id: string, digest: string | undefined): AcceptedId => ({
  kind,
  id,
  ...(digest !== undefined && { digest }),
})
