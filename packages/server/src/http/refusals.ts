import type { RefusalCode } from '@vitrine/protocol'

/** The statuses that refusals have. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 416 | 422 | 429 | 500 | 502 | 503

/** For each code: its HTTP status, and what it means for somebody who reads the OpenAPI document. */
export const refusals: Readonly<Record<RefusalCode, readonly [status: RefusalStatus, meaning: string]>> = {
  action_expired: [409, 'The request expired before the response came, and was denied.'],
  action_not_found: [404, 'The session has no such request.'],
  action_stale: [409, 'The run that asked is over.'],
  agent_not_found: [422, 'The server has no such agent.'],
  agent_unavailable: [409, 'The agent of the session is not connected.'],
  blob_not_found: [404, 'The session refers to no such content.'],
  body_incomplete: [408, 'The body did not arrive, or not in time.'],
  cross_site: [403, 'The request comes from another site.'],
  cursor_foreign: [409, 'The cursor is not a place in the log that the session has now. Load the session again.'],
  cursor_invalid: [400, 'The cursor is not one that this server gave out. Start from the first page.'],
  data_damaged: [503, 'The stored data of the session is missing or damaged. It has to be restored from a backup.'],
  edit_refused: [422, 'The surface does not take what the person typed; `errors` says where.'],
  event_not_found: [404, 'The session has no such event.'],
  file_not_found: [422, 'A file of the turn was never uploaded by this person, or waited too long. Upload it again.'],
  folder_limit: [422, 'The person has as many folders as there may be.'],
  folder_not_found: [404, 'The person has no such folder.'],
  foreign_host: [403, 'The server does not answer under this host name.'],
  internal: [500, 'Something unexpected happened. The log of the server has the details under the id in `detail`.'],
  invalid_request: [400, 'The request has the wrong shape; `path` says where.'],
  invalid_text: [400, 'A text is not well-formed Unicode or has a NUL; `path` says where.'],
  key_reused: [409, 'The id or the Idempotency-Key was used before with other content. Use a new one.'],
  media_busy: [429, 'The person fetches too many media at once.'],
  media_refused: [422, 'The address may not be fetched: it is not one of the internet, or it leads to another host.'],
  media_unavailable: [502, 'The host of the medium could not be reached, or did not give it.'],
  media_unsupported: [415, 'What the host sent is not an image, video or audio that can be shown.'],
  message_fixed: [422, 'This cannot be done with a message of this kind.'],
  message_not_found: [404, 'The session has no such message.'],
  message_superseded: [409, 'A newer version has taken the place of the message. Load the session again.'],
  method_not_allowed: [405, 'The path has other methods; the `Allow` header lists them.'],
  not_allowed: [422, 'What was sent breaks a rule of the protocol.'],
  not_found: [404, 'There is no such thing.'],
  not_owner: [403, 'Only the owner of the installation may do this.'],
  permission_not_found: [404, 'The session has no such permission.'],
  queue_full: [409, 'No more turns may wait.'],
  queue_not_empty: [409, 'Turns wait in the queue. Let them run or remove them first.'],
  range_not_satisfiable: [416, 'The content has no such bytes.'],
  response_invalid: [422, 'The request of the agent does not allow this response.'],
  run_active: [409, 'A run is active in the session. Queue the turn, steer the run, or start a new task.'],
  run_completed: [409, 'The run has completed. Send a new turn instead.'],
  run_not_found: [404, 'The session has no such run.'],
  run_retried: [409, 'The run was retried before. Retry its newest attempt.'],
  session_exists: [409, 'The id is that of another session.'],
  session_not_found: [404, 'There is no such session, or it belongs to somebody else.'],
  state_too_large: [422, 'With what the person typed, the data of the surface would be too large.'],
  steer_rejected: [409, 'The run did not take the steer. Queue it, or start a new task.'],
  stopping: [503, 'The server is stopping. Try again in a moment.'],
  storage_failed: [503, 'It could not be stored, so nothing of it was accepted. `params.why` names the cause.'],
  string_too_long: [422, 'A text that the person typed is too long for the surface; `errors` says which.'],
  submit_to_invalid: [422, 'The card names a place that is not a path of the application.'],
  surface_not_found: [404, 'The surface is no longer there.'],
  task_not_found: [404, 'The session has no such task.'],
  too_large: [413, 'What was sent is too large.'],
  too_many_streams: [429, 'The person has too many open streams.'],
  turn_not_found: [404, 'The session has no such turn, or the turn does not wait.'],
  turn_removed: [409, 'The turn was taken out of the queue before it ran. Send it under a new id.'],
  turn_started: [409, 'The turn has started. Steer or interrupt its run instead.'],
  ui_action_not_offered: [422, 'The card or the surface does not offer this action any more.'],
  unauthenticated: [401, 'The request has no cookie and no token that this server knows.'],
  unsupported_media_type: [415, 'The body is not JSON.'],
  uploads_busy: [429, 'The person sends too many files at once.'],
  uploads_full: [429, 'Too much of what the person has uploaded waits for a turn that refers to it.'],
  values_invalid: [422, 'The form does not take these values; `errors` says which.'],
  version_not_found: [404, 'The session has no such earlier version.'],
}

export const statusOf = (code: RefusalCode): RefusalStatus => refusals[code][0]

/** What any read of a session can be refused with, any write about one, and any write to its log. */
export const reads: RefusalCode[] = ['session_not_found', 'storage_failed', 'data_damaged']
export const writes: RefusalCode[] = [...reads, 'stopping']
export const writesLog: RefusalCode[] = [...writes, 'not_allowed']
