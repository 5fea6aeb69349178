import type { Code, Reason } from '@vitrine/protocol'

/** The reasons that the runtime itself gives. The interface translates the code, so each code has words in every language. */
const reason = (code: Code, message: string, params?: Reason['params']): Reason => ({
  code,
  message,
  ...(params && { params }),
})

export const agentSaid = (message: string): Reason => reason('agent_said', message)
export const waitingForSlot = (ahead: number): Reason =>
  reason('waiting_for_slot', ahead === 0 ? 'Next to start.' : `${ahead} ahead.`, { ahead })
export const waitingForResponse = (title: string): Reason => reason('waiting_for_response', title, { title })
export const interruptedByPerson = (name: string): Reason =>
  reason('interrupted_by_person', `Interrupted by ${name || 'a person'}.`, { name })
export const serverStopped = reason('server_stopped', 'The server was stopped.')
export const serverCrashed = reason('server_crashed', 'The server stopped while this run was working.')
export const resumedAfterStop = reason(
  'resumed_after_stop',
  'The server stopped while this run was working. It goes on from its last complete step.',
)
export const agentDidNotStop = reason(
  'agent_did_not_stop',
  'The agent did not stop in time; what it still sends is refused.',
)
export const logUnwritable = reason('log_unwritable', 'The log of this session could not be written.')
export const sessionDeleted = reason('session_deleted', 'The session was deleted.')
export const branched = reason('branched', 'This session was branched off here.')
export const heldByPerson = (name: string): Reason =>
  reason('held_by_person', `Held by ${name || 'a person'}.`, { name })
export const heldAfter = {
  failed: reason('held_after_failed', 'The run before failed.'),
  interrupted: reason('held_after_interrupted', 'The run before was interrupted.'),
  cancelled: reason('held_after_cancelled', 'The run before was cancelled.'),
  crash: reason('held_after_crash', 'The server stopped while a run was working.'),
} as const
export const runOver = reason('run_over', 'The run is over.')
export const runEndedFirst = reason('run_ended_first', 'The run ended before this was taken up.')
export const steersFull = reason('steers_full', 'The agent has not taken up the steers before this one.')
export const steerTooLong = reason('steer_too_long', 'The text is too long to steer with.')
