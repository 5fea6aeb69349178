/** Why the server refuses a command or a read. `http/` gives each of them its status. */
export const REFUSAL_CODES = [
  // The state of the session does not allow it.
  'action_expired',
  'action_not_found',
  'action_stale',
  'agent_not_found',
  'agent_unavailable',
  'blob_not_found',
  'cursor_foreign',
  'cursor_invalid',
  'edit_refused',
  'event_not_found',
  'key_reused',
  'message_fixed',
  'message_not_found',
  'message_superseded',
  'not_allowed',
  'permission_not_found',
  'queue_full',
  'queue_not_empty',
  'response_invalid',
  'run_active',
  'run_completed',
  'run_not_found',
  'run_retried',
  'session_exists',
  'session_not_found',
  'state_too_large',
  'steer_rejected',
  'string_too_long',
  'submit_to_invalid',
  'surface_not_found',
  'task_not_found',
  'too_large',
  'too_many_streams',
  'turn_not_found',
  'turn_removed',
  'turn_started',
  'ui_action_not_offered',
  'values_invalid',
  'version_not_found',
  // The server itself cannot do it.
  'data_damaged',
  'internal',
  'stopping',
  'storage_failed',
  // The request is wrong in itself, or comes from the wrong place.
  'body_incomplete',
  'cross_site',
  'foreign_host',
  'invalid_request',
  'invalid_text',
  'method_not_allowed',
  'not_found',
  'not_owner',
  'unauthenticated',
  'unsupported_media_type',
] as const

/** The code of a refusal, such as `session_not_found`. */
export type RefusalCode = (typeof REFUSAL_CODES)[number]

/**
 * Every code that the runtime, the HTTP interface, the client or the fold gives to a person, once. A test checks that each
 * language of the interface has words for each of them, so that nobody has to read or match English sentences (L8).
 * Codes of agents and of their tools are their own; the interface shows their messages.
 */
export const CODES = [
  ...REFUSAL_CODES,
  // Why a run, a queue or a steer is as it is.
  'agent_said',
  'waiting_for_slot',
  'waiting_for_response',
  'interrupted_by_person',
  'server_stopped',
  'server_crashed',
  'agent_did_not_stop',
  'log_unwritable',
  'session_deleted',
  'branched',
  'held_by_person',
  'held_after_failed',
  'held_after_interrupted',
  'held_after_cancelled',
  'held_after_crash',
  'run_over',
  'run_ended_first',
  'steers_full',
  'steer_too_long',
  // Why a run or a call failed, where the runtime says so.
  'agent_error',
  'agent_broke_rule',
  'agent_crashed',
  'agent_exited',
  'agent_stuck',
  'no_result',
  'interrupted',
  'ask_limit',
  'spawn_limit',
  'ui_hints',
  'a2ui_refused',
  'invalid_arguments',
  // What is odd about what an agent sent; the run goes on.
  'output_clipped',
  'output_invalid',
  'secret_lost',
  'output_not_for_agents',
  'output_unknown',
  'output_unreadable',
  'person_forged',
  'session_full',
  // What the client itself finds.
  'bad_answer',
  'closed',
  'connection_lost',
  'offline',
  'page_outdated',
  // What the fold finds in a log.
  'event_unknown',
  'final_mismatch',
  'messages_repaired',
  'state_patch',
  'state_size',
] as const

/** The code of a refusal, a reason or a diagnostic. Codes of agents and their tools are not among them. */
export type Code = (typeof CODES)[number]
