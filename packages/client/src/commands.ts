import type { Answer, Command } from '@vitrine/protocol'
import type { Send } from './http.ts'
import type { Outcome, SessionHandle } from './types.ts'

type Commands = Pick<
  SessionHandle,
  | 'submitTurn'
  | 'queueTurn'
  | 'editQueuedTurn'
  | 'removeQueuedTurn'
  | 'updateQueue'
  | 'steerRun'
  | 'startTask'
  | 'interruptRun'
  | 'interruptSession'
  | 'retryRun'
  | 'respondToAction'
  | 'revokePermission'
  | 'sendSurfaceInteraction'
  | 'sendUiAction'
  | 'updateSession'
  | 'editMessage'
  | 'regenerateMessage'
  | 'giveFeedback'
  | 'forkSession'
  | 'listMessageParts'
  | 'listVersionMessages'
  | 'getBlob'
>

export const sessionPath = (sessionId: string): string => `/sessions/${encodeURIComponent(sessionId)}`

/** An id that makes a write safe to repeat. `randomUUID` is missing where the page came over plain http. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/** The controlled writes of one session. What they changed comes back with the stream. */
export function sessionCommands(send: Send, sessionId: string): Commands {
  const path = sessionPath(sessionId)
  const id = encodeURIComponent
  const post = <T>(to: string, body?: unknown): Promise<Outcome<T>> => send('POST', path + to, { body })
  return {
    submitTurn: (input, turnId = newId()) => post('/turns', { ...input, turnId } satisfies Command<'submitTurn'>),
    queueTurn: (input, turnId = newId()) => post('/queue', { ...input, turnId } satisfies Command<'queueTurn'>),
    editQueuedTurn: (turnId, change) => send('PATCH', `${path}/queue/${id(turnId)}`, { body: change }),
    removeQueuedTurn: turnId => send('DELETE', `${path}/queue/${id(turnId)}`),
    updateQueue: change => send('PATCH', `${path}/queue`, { body: change }),
    steerRun: (runId, input, steerId = newId()) =>
      post(`/runs/${id(runId)}/steer`, { ...input, steerId } satisfies Command<'steerRun'>),
    startTask: (text, taskId = newId(), files) => {
      const parent = { sessionId, input: { text, files }, turnId: taskId }
      const body: Command<'createSession'> = { sessionId: taskId, parent }
      return send('POST', '/sessions', { body })
    },
    interruptRun: runId => post(`/runs/${id(runId)}/interrupt`),
    // Sent again without a key, it could stop a run that began meanwhile.
    interruptSession: (target = {}) => send('POST', `${path}/interrupt`, { body: target, key: newId() }),
    retryRun: runId => post(`/runs/${id(runId)}/retry`, { newRunId: newId() } satisfies Command<'retryRun'>),
    respondToAction: (actionId, response) => post(`/actions/${id(actionId)}/response`, response),
    revokePermission: permissionId => send('DELETE', `${path}/permissions/${id(permissionId)}`),
    sendSurfaceInteraction: (surfaceId, action, key = newId()) =>
      post(`/surfaces/${id(surfaceId)}/actions`, { ...action, key } satisfies Command<'sendSurfaceInteraction'>),
    sendUiAction: async (action, key = newId()) => {
      const body = { ...action, key } satisfies Command<'sendUiAction'>
      const outcome = await post<Answer<'InteractionAccepted'>>('/ui-actions', body)
      return outcome.ok ? { ok: true, value: { ...outcome.value, turnId: key } } : outcome
    },
    editMessage: (ordinal, input, turnId = newId()) =>
      post(`/messages/${ordinal}/edit`, { ...input, turnId } satisfies Command<'editMessage'>),
    regenerateMessage: (ordinal, newRunId = newId()) =>
      post(`/messages/${ordinal}/regenerate`, { newRunId } satisfies Command<'regenerateMessage'>),
    giveFeedback: (ordinal, feedback) => send('PUT', `${path}/messages/${ordinal}/feedback`, { body: feedback }),
    forkSession: (input, sessionId = newId()) =>
      post('/forks', { ...input, sessionId } satisfies Command<'forkSession'>),
    listMessageParts: (ordinal, before) => send('GET', `${path}/messages/${ordinal}/parts?before=${before}`),
    listVersionMessages: (rewindId, after) => send('GET', `${path}/versions/${rewindId}/messages?after=${after}`),
    updateSession: change => send('PATCH', path, { body: change }),
    getBlob: digest => send('GET', `${path}/blobs/${id(digest)}`, { as: 'text' }),
  }
}
