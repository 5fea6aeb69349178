import type { Answer, Command } from '@vitrine/protocol'
import type { Send } from './http.ts'
import type { Outcome, SessionHandle } from './types.ts'

type Commands = Pick<
  SessionHandle,
  | 'submit'
  | 'queue'
  | 'editQueued'
  | 'removeQueued'
  | 'holdQueue'
  | 'steer'
  | 'newTask'
  | 'interrupt'
  | 'retry'
  | 'respond'
  | 'revoke'
  | 'surfaceAction'
  | 'uiAction'
  | 'update'
  | 'readBlob'
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
    submit: (input, turnId = newId()) => post('/turns', { ...input, turnId } satisfies Command<'submitTurn'>),
    queue: (input, turnId = newId()) => post('/queue', { ...input, turnId } satisfies Command<'queueTurn'>),
    editQueued: (turnId, change) => send('PATCH', `${path}/queue/${id(turnId)}`, { body: change }),
    removeQueued: turnId => send('DELETE', `${path}/queue/${id(turnId)}`),
    holdQueue: held => send('PATCH', `${path}/queue`, { body: { held } satisfies Command<'updateQueue'> }),
    steer: (runId, text, steerId = newId()) =>
      post(`/runs/${id(runId)}/steer`, { steerId, text } satisfies Command<'steerRun'>),
    newTask: (text, taskId = newId()) => {
      const parent = { sessionId, input: { text }, turnId: taskId }
      const body: Command<'createSession'> = { sessionId: taskId, parent }
      return send('POST', '/sessions', { body })
    },
    interrupt: ({ runId, ...target } = {}) => {
      if (runId !== undefined) return post(`/runs/${id(runId)}/interrupt`)
      // Sent again without a key, it could stop a run that began meanwhile.
      const body: Command<'interruptSession'> = target
      return send('POST', `${path}/interrupt`, { body, key: newId() })
    },
    retry: runId => post(`/runs/${id(runId)}/retry`, { newRunId: newId() } satisfies Command<'retryRun'>),
    respond: (actionId, response) => post(`/actions/${id(actionId)}/response`, response),
    revoke: permissionId => send('DELETE', `${path}/permissions/${id(permissionId)}`),
    surfaceAction: (surfaceId, action, key = newId()) =>
      post(`/surfaces/${id(surfaceId)}/actions`, { ...action, key } satisfies Command<'sendSurfaceInteraction'>),
    uiAction: async (action, key = newId()) => {
      const body = { ...action, key } satisfies Command<'sendUiAction'>
      const outcome = await post<Answer<'InteractionAccepted'>>('/ui-actions', body)
      return outcome.ok ? { ok: true, value: { ...outcome.value, turnId: key } } : outcome
    },
    update: change => send('PATCH', path, { body: change }),
    readBlob: digest => send('GET', `${path}/blobs/${id(digest)}`, { as: 'text' }),
  }
}
