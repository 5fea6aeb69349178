import type { OpenAPIHono } from '@hono/zod-openapi'
import type { RefusalCode } from '@vitrine/protocol'
import type { Api, ApiEnv } from '../env.ts'
import { writesLog } from '../refusals.ts'
import { inSession, pathId, serve } from '../route.ts'

const tag = 'runtime' as const
const ofRun = inSession.extend({ runId: pathId('runId', 'run_1', 'The id of the run') })
const ofMessage = inSession.extend({ ordinal: pathId('ordinal', '2', 'The ordinal of the message') })
const ofTurn = inSession.extend({ turnId: pathId('turnId', 'turn_2', 'The id of the turn') })
const ofAction = inSession.extend({ actionId: pathId('actionId', 'act_1', 'The id of the request') })
const ofPermission = inSession.extend({ permissionId: pathId('permissionId', 'perm_1', 'The id of the permission') })
const ofSurface = inSession.extend({ surfaceId: pathId('surfaceId', 'form', 'The id of the surface') })

/** What a write that can start a run can be refused with. */
const starts: RefusalCode[] = [...writesLog, 'agent_unavailable']
/** What a write about a message can be refused with, and one that takes a message off the active path. */
const aboutMessage: RefusalCode[] = ['message_not_found', 'message_superseded', 'message_fixed']
const rewinds: RefusalCode[] = [...starts, ...aboutMessage, 'run_active', 'queue_not_empty']

export function runtimeRoutes(app: OpenAPIHono<ApiEnv>, { runtime, limits }: Api): void {
  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/turns',
      operationId: 'submitTurn',
      tag,
      summary: 'Starts a turn now',
      description:
        'The turn is accepted once, however often it is sent under its `turnId`. It is refused while a run is active: queue it, steer the run or start a new task instead. What the agent does comes with the events of the session.',
      params: inSession,
      answers: { status: 202, bodies: ['TurnStarted'], description: 'The turn has started.' },
      refusals: [...starts, 'run_active', 'turn_removed', 'file_not_found'],
    },
    ({ who, params, command }) => runtime.submitTurn(who, params.sessionId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/messages/{ordinal}/edit',
      operationId: 'editMessage',
      tag,
      summary: 'Says something else in the place of a message',
      description:
        'The message and what came after it leave the active path, and the new turn starts, in one write. What left the path is an earlier version of the message. The turn is accepted once, however often it is sent under its `turnId`.',
      params: ofMessage,
      answers: { status: 202, bodies: ['TurnStarted'], description: 'The new turn has started.' },
      refusals: [...rewinds, 'turn_removed', 'file_not_found'],
    },
    ({ who, params, command }) => runtime.editMessage(who, params.sessionId, Number(params.ordinal), command),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/messages/{ordinal}/regenerate',
      operationId: 'regenerateMessage',
      tag,
      summary: 'Asks for another answer to the same turn',
      description:
        'The answer and what came after it leave the active path, and the same turn runs again, in one write. What left the path is an earlier version of the answer.',
      params: ofMessage,
      answers: { status: 202, bodies: ['RunRetried'], description: 'The new run has started.' },
      refusals: rewinds,
    },
    ({ who, params, command }) => runtime.regenerateMessage(who, params.sessionId, Number(params.ordinal), command),
  )

  serve(
    app,
    limits,
    {
      method: 'put',
      path: '/sessions/{sessionId}/messages/{ordinal}/feedback',
      operationId: 'giveFeedback',
      tag,
      summary: 'Says what the person thinks of an answer',
      description:
        'Each person says one thing about an answer: a later one takes the place of it, and `none` takes it back.',
      params: ofMessage,
      answers: { status: 204, bodies: [], description: 'It is noted.' },
      refusals: [...writesLog, ...aboutMessage],
    },
    ({ who, params, command }) => runtime.giveFeedback(who, params.sessionId, Number(params.ordinal), command),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sessions/{sessionId}/queue',
      operationId: 'getQueue',
      tag,
      summary: 'Gives the turns that wait',
      description:
        'The turns come in the order in which they start, with the policy of the queue and whether it is held.',
      params: inSession,
      answers: { status: 200, bodies: ['Queue'], description: 'The queue as it is now.' },
      refusals: ['session_not_found', 'storage_failed', 'data_damaged'],
    },
    ({ who, params }) => runtime.getQueue(who, params.sessionId),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/queue',
      operationId: 'queueTurn',
      tag,
      summary: 'Adds a turn to the queue',
      description:
        'The turn starts when those before it have ended. It starts at once when nothing runs, nothing waits and the queue is not held. It is accepted once, however often it is sent under its `turnId`.',
      params: inSession,
      answers: { status: 202, bodies: ['TurnQueued'], description: 'The turn waits or has started.' },
      refusals: [...starts, 'queue_full', 'turn_removed', 'file_not_found'],
    },
    ({ who, params, command }) => runtime.queueTurn(who, params.sessionId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'patch',
      path: '/sessions/{sessionId}/queue',
      operationId: 'updateQueue',
      tag,
      summary: 'Holds or releases the queue',
      description:
        'While the queue is held, no turn starts by itself. Releasing it starts the next turn when nothing runs.',
      params: inSession,
      answers: { status: 200, bodies: ['QueueHeld'], description: 'The queue is held or released.' },
      refusals: starts,
    },
    ({ who, params, command }) => runtime.updateQueue(who, params.sessionId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'patch',
      path: '/sessions/{sessionId}/queue/{turnId}',
      operationId: 'editQueuedTurn',
      tag,
      summary: 'Edits, moves or promotes a turn that waits',
      description: 'A turn can be changed until it starts. `promote` starts it next, also when the queue is held.',
      params: ofTurn,
      answers: { status: 200, bodies: ['QueuedTurnPlace'], description: 'Where the turn is now.' },
      refusals: [...starts, 'turn_not_found', 'turn_started'],
    },
    ({ who, params, command }) => runtime.editQueuedTurn(who, params.sessionId, params.turnId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'delete',
      path: '/sessions/{sessionId}/queue/{turnId}',
      operationId: 'removeQueuedTurn',
      tag,
      summary: 'Takes a turn out of the queue',
      description: 'A turn can be removed until it starts. Its id cannot be used again.',
      params: ofTurn,
      answers: { status: 204, bodies: [], description: 'The turn does not wait any more.' },
      refusals: [...writesLog, 'turn_not_found', 'turn_started'],
    },
    ({ who, params }) => runtime.removeQueuedTurn(who, params.sessionId, params.turnId),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/runs/{runId}/steer',
      operationId: 'steerRun',
      tag,
      summary: 'Says something to a run while it works',
      description:
        'The agent takes the steer up when it can; the event `steer.consumed` tells where in the run that was. A run that is over or does not listen refuses it.',
      params: ofRun,
      answers: { status: 202, bodies: ['SteerAccepted'], description: 'The steer was accepted.' },
      refusals: [...writesLog, 'run_not_found', 'steer_rejected', 'file_not_found', 'turn_not_found', 'turn_started'],
    },
    ({ who, params, command }) => runtime.steerRun(who, params.sessionId, params.runId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/runs/{runId}/interrupt',
      operationId: 'interruptRun',
      tag,
      summary: 'Stops one run',
      description:
        'The run is asked to stop; its last event tells when it has. A run that is over is left as it is. The request has no body.',
      params: ofRun,
      answers: { status: 202, bodies: ['RunsInterrupted'], description: 'The run is being stopped, or was over.' },
      refusals: [...writesLog, 'run_not_found'],
    },
    ({ who, params: { sessionId, runId } }) => runtime.interruptRun(who, sessionId, runId),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/interrupt',
      operationId: 'interruptSession',
      tag,
      summary: 'Stops the runs of a turn, of a task or of the whole session',
      description:
        'With `turnId` it stops the run of that turn, or takes the turn out of the queue. With `taskId` it stops that task. With neither it stops everything that works in the session and in its tasks.',
      params: inSession,
      answers: { status: 202, bodies: ['RunsInterrupted'], description: 'The runs are being stopped.' },
      refusals: [...writesLog, 'turn_not_found', 'task_not_found'],
    },
    ({ who, params, command }) => runtime.interruptSession(who, params.sessionId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/runs/{runId}/retry',
      operationId: 'retryRun',
      tag,
      summary: 'Tries a failed or cut-off run again',
      description:
        'A new run works on the same turn as a new attempt. The old run stays in the history. A run that completed cannot be retried, and only the newest attempt can.',
      params: ofRun,
      answers: { status: 202, bodies: ['RunRetried'], description: 'The new run has started.' },
      refusals: [...starts, 'run_not_found', 'run_active', 'run_completed', 'run_retried'],
    },
    ({ who, params, command }) => runtime.retryRun(who, params.sessionId, params.runId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/actions/{actionId}/response',
      operationId: 'respondToAction',
      tag,
      summary: 'Responds to a request of the agent',
      description: 'The first response decides. A later one gets the outcome of the first and changes nothing (L6).',
      params: ofAction,
      answers: { status: 200, bodies: ['ActionResolved'], description: 'The outcome that counts.' },
      refusals: [...writesLog, 'action_not_found', 'action_expired', 'action_stale', 'response_invalid'],
    },
    ({ who, params, command }) => runtime.respondToAction(who, params.sessionId, params.actionId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'delete',
      path: '/sessions/{sessionId}/permissions/{permissionId}',
      operationId: 'revokePermission',
      tag,
      summary: 'Takes a remembered permission back',
      description: 'Later requests of its scope ask a person again.',
      params: ofPermission,
      answers: { status: 204, bodies: [], description: 'The permission does not count any more.' },
      refusals: [...writesLog, 'permission_not_found'],
    },
    ({ who, params }) => runtime.revokePermission(who, params.sessionId, params.permissionId),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/surfaces/{surfaceId}/actions',
      operationId: 'sendSurfaceInteraction',
      tag,
      summary: 'Tells the agent what a person did on a surface',
      description:
        'The interaction steers the run that is active, or becomes a turn of its own. What the person typed becomes part of the surface in the same write.',
      params: ofSurface,
      answers: { status: 202, bodies: ['InteractionAccepted'], description: 'How it reaches the agent.' },
      refusals: [
        ...starts,
        'surface_not_found',
        'ui_action_not_offered',
        'edit_refused',
        'string_too_long',
        'state_too_large',
        'queue_full',
        'turn_removed',
      ],
    },
    ({ who, params, command }) => runtime.sendSurfaceInteraction(who, params.sessionId, params.surfaceId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/sessions/{sessionId}/ui-actions',
      operationId: 'sendUiAction',
      tag,
      summary: 'Takes the button of a card that a person pressed',
      description:
        'Only an action that the UI Schema document of the call offers is taken, with values that its form takes. `tool` runs a tool that is offered in the session, with the parameters of the button and the values of the form, as a call beside the active run; it asks the agent to run any other tool. `payload` hands data to the agent. An `event` is for the application around the card and is not sent here.',
      params: inSession,
      answers: {
        status: 202,
        bodies: ['InteractionAccepted'],
        description: 'How it reaches the agent, or the call that it became.',
      },
      refusals: [
        ...starts,
        'calls_full',
        'tool_not_offered',
        'ui_action_not_offered',
        'values_invalid',
        'submit_to_invalid',
        'queue_full',
        'turn_removed',
      ],
    },
    ({ who, params, command }) => runtime.sendUiAction(who, params.sessionId, command),
  )
}
