import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { commandSchemas } from '@vitrine/protocol/schema'
import { readCommand } from '../body.ts'
import { command, idempotencyKey, inSession, pathId, reads, sessionId, writes } from '../describe.ts'
import type { Api, ApiEnv } from '../env.ts'
import { retryCommand } from '../schemas.ts'

const tags = ['runtime']
const ofRun = z.object({ sessionId, runId: pathId('runId', 'run_1') })
const ofTurn = z.object({ sessionId, turnId: pathId('turnId', 'turn_2') })
const ofAction = z.object({ sessionId, actionId: pathId('actionId', 'act_1') })
const ofPermission = z.object({ sessionId, permissionId: pathId('permissionId', 'perm_1') })
const ofSurface = z.object({ sessionId, surfaceId: pathId('surfaceId', 'form') })

export function runtimeRoutes(app: OpenAPIHono<ApiEnv>, { runtime, limits }: Api): void {
  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/turns',
      tags,
      summary: 'Starts a turn now; refused while a run is active',
      ...idempotencyKey,
      request: { params: inSession, body: command('submitTurn') },
      responses: writes({ 202: ['Started; what happens comes on the stream', 'Started'] }, 404, 409),
    }),
    async c => {
      const turn = await readCommand(c, commandSchemas.submitTurn, limits)
      return c.json(await runtime.submit(c.get('who'), c.req.valid('param').sessionId, turn), 202)
    },
  )

  app.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{sessionId}/queue',
      tags,
      summary: 'The turns that wait, and the policy of the queue',
      request: { params: inSession },
      responses: reads({ 200: ['The queue', 'Queue'] }, 404),
    }),
    async c => c.json(await runtime.queue(c.get('who'), c.req.valid('param').sessionId), 200),
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/queue',
      tags,
      summary: 'Adds a turn to the queue; it starts at once when nothing runs',
      ...idempotencyKey,
      request: { params: inSession, body: command('queueTurn') },
      responses: writes({ 202: ['Queued or started', 'Queued'] }, 404, 409),
    }),
    async c => {
      const turn = await readCommand(c, commandSchemas.queueTurn, limits)
      return c.json(await runtime.enqueue(c.get('who'), c.req.valid('param').sessionId, turn), 202)
    },
  )

  app.openapi(
    createRoute({
      method: 'patch',
      path: '/sessions/{sessionId}/queue',
      tags,
      summary: 'Holds the queue or lets it go on',
      ...idempotencyKey,
      request: { params: inSession, body: command('releaseQueue') },
      responses: writes({ 200: ['Held or released', 'QueueHeld'] }, 404, 409),
    }),
    async c => {
      const { held } = await readCommand(c, commandSchemas.releaseQueue, limits)
      return c.json(await runtime.holdQueue(c.get('who'), c.req.valid('param').sessionId, held), 200)
    },
  )

  app.openapi(
    createRoute({
      method: 'patch',
      path: '/sessions/{sessionId}/queue/{turnId}',
      tags,
      summary: 'Edits, moves or promotes a queued turn',
      ...idempotencyKey,
      request: { params: ofTurn, body: command('editQueued') },
      responses: writes({ 200: ['Where it is now', 'QueuedPlace'] }, 404, 409),
    }),
    async c => {
      const { sessionId, turnId } = c.req.valid('param')
      const change = await readCommand(c, commandSchemas.editQueued, limits)
      return c.json(await runtime.editQueued(c.get('who'), sessionId, turnId, change), 200)
    },
  )

  app.openapi(
    createRoute({
      method: 'delete',
      path: '/sessions/{sessionId}/queue/{turnId}',
      tags,
      summary: 'Removes a queued turn',
      ...idempotencyKey,
      request: { params: ofTurn },
      responses: writes({ 204: ['Removed'] }, 404, 409),
    }),
    async c => {
      const { sessionId, turnId } = c.req.valid('param')
      await runtime.removeQueued(c.get('who'), sessionId, turnId)
      return c.body(null, 204)
    },
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/runs/{runId}/steer',
      tags,
      summary: 'Says something to a run while it works',
      ...idempotencyKey,
      request: { params: ofRun, body: command('steer') },
      responses: writes({ 202: ['Accepted; `steer.consumed` tells where it took effect', 'Steered'] }, 404, 409),
    }),
    async c => {
      const { sessionId, runId } = c.req.valid('param')
      const steer = await readCommand(c, commandSchemas.steer, limits)
      return c.json(await runtime.steer(c.get('who'), sessionId, runId, steer), 202)
    },
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/runs/{runId}/interrupt',
      tags,
      summary: 'Stops one run',
      ...idempotencyKey,
      request: { params: ofRun, body: command('interrupt') },
      responses: writes({ 202: ['Being stopped; the terminal event tells when it has', 'Interrupted'] }, 404, 409),
    }),
    async c => {
      const { sessionId, runId } = c.req.valid('param')
      await readCommand(c, commandSchemas.interrupt, limits)
      return c.json(await runtime.interrupt(c.get('who'), sessionId, { runId }), 202)
    },
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/interrupt',
      tags,
      summary: 'Stops the runs of a turn or a task, or all of the session',
      ...idempotencyKey,
      request: { params: inSession, body: command('interrupt') },
      responses: writes({ 202: ['Being stopped', 'Interrupted'] }, 404, 409),
    }),
    async c => {
      const { turnId, taskId } = await readCommand(c, commandSchemas.interrupt, limits)
      const target = { ...(turnId === undefined ? {} : { turnId }), ...(taskId === undefined ? {} : { taskId }) }
      return c.json(await runtime.interrupt(c.get('who'), c.req.valid('param').sessionId, target), 202)
    },
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/runs/{runId}/retry',
      tags,
      summary: 'Tries a failed or cut-off run again as a new attempt; the old one stays',
      ...idempotencyKey,
      request: { params: ofRun, body: command('retry') },
      responses: writes({ 202: ['Started', 'Retried'] }, 404, 409),
    }),
    async c => {
      const { sessionId, runId } = c.req.valid('param')
      const { newRunId } = await readCommand(c, retryCommand, limits)
      return c.json(await runtime.retry(c.get('who'), sessionId, runId, newRunId), 202)
    },
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/actions/{actionId}/response',
      tags,
      summary: 'Answers a request of the agent; again, it gets the first outcome (L6)',
      ...idempotencyKey,
      request: { params: ofAction, body: command('respond') },
      responses: writes({ 200: ['The outcome that counts', 'Responded'] }, 404, 409),
    }),
    async c => {
      const { sessionId, actionId } = c.req.valid('param')
      const response = await readCommand(c, commandSchemas.respond, limits)
      return c.json(await runtime.respond(c.get('who'), sessionId, actionId, response), 200)
    },
  )

  app.openapi(
    createRoute({
      method: 'delete',
      path: '/sessions/{sessionId}/permissions/{permissionId}',
      tags,
      summary: 'Takes a remembered grant back',
      ...idempotencyKey,
      request: { params: ofPermission },
      responses: writes({ 204: ['Revoked'] }, 404, 409),
    }),
    async c => {
      const { sessionId, permissionId } = c.req.valid('param')
      await runtime.revoke(c.get('who'), sessionId, permissionId)
      return c.body(null, 204)
    },
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/surfaces/{surfaceId}/actions',
      tags,
      summary: 'What a person did on a surface that the agent drew',
      ...idempotencyKey,
      request: { params: ofSurface, body: command('surfaceAction') },
      responses: writes({ 202: ['How it reached the agent', 'SurfaceActed'] }, 404, 409),
    }),
    async c => {
      const { sessionId, surfaceId } = c.req.valid('param')
      const action = await readCommand(c, commandSchemas.surfaceAction, limits)
      return c.json(await runtime.surfaceAction(c.get('who'), sessionId, surfaceId, action), 202)
    },
  )

  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{sessionId}/ui-actions',
      tags,
      summary: 'A button of a card: what it has goes to the agent, and the agent decides',
      description:
        'Only an action that the UI Schema document of this call offers, with values that its form takes; otherwise 422 `action_not_offered`, `values_invalid` (with `errors` by field) or `submit_to_invalid`. `tool` asks the agent to run a tool, `payload` hands it data. An `event` is for the application around the card and is not sent here.',
      ...idempotencyKey,
      request: { params: inSession, body: command('uiAction') },
      responses: writes({ 202: ['What came of it', 'UiActed'] }, 404, 409),
    }),
    async c => {
      const action = await readCommand(c, commandSchemas.uiAction, limits)
      return c.json(await runtime.uiAction(c.get('who'), c.req.valid('param').sessionId, action), 202)
    },
  )
}
