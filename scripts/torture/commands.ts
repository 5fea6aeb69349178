import type { Command, Kind } from './judge.ts'
import type { World } from './world.ts'

/** Brings a new session into a state in which the command is possible, and gives the command without sending it. */
type Preparation = (world: World) => Promise<Command>

const inQueue = async (world: World, turns: number) => {
  const sessionId = await world.session()
  await world.server.must('PATCH', `/sessions/${sessionId}/queue`, { held: true })
  const ids = Array.from({ length: turns }, () => world.id('turn'))
  for (const turnId of ids) await world.server.must('POST', `/sessions/${sessionId}/queue`, { turnId, text: 'quick' })
  return { sessionId, ids, path: `/sessions/${sessionId}/queue` }
}

const running = async (world: World, text: string) => {
  const sessionId = await world.session()
  const { runId } = (await world.sendSurely(world.submitTurn(sessionId, text))) as { runId: string }
  return { sessionId, runId, path: `/sessions/${sessionId}` }
}

const finished = async (world: World, text: string) => {
  const run = await running(world, text)
  await world.until(run.sessionId, ({ type }) => type === 'run.finished' || type === 'run.failed')
  return run
}

const post = (world: World, kind: Kind, sessionId: string, id: string, path: string, body: object) =>
  world.command({ kind, sessionId, id, method: 'POST', path, body })

/** Every kind of write that the API has. */
export const preparations: Record<Kind, Preparation> = {
  create: async world => {
    const title = world.id('title')
    const headers = { 'idempotency-key': world.id('key') }
    const body = { title, agentId: 'worker' }
    return world.command({ kind: 'create', sessionId: '', id: title, method: 'POST', path: '/sessions', body, headers })
  },
  submit: async world => world.submitTurn(await world.session(), 'quick'),
  resume: async world => {
    const sessionId = await world.session('steps')
    const id = world.id('turn')
    return post(world, 'resume', sessionId, id, `/sessions/${sessionId}/turns`, { turnId: id, text: 'work' })
  },
  upload: async world => {
    const sessionId = await world.session()
    const id = world.id('upload')
    const headers = { 'idempotency-key': id }
    // The bytes are those of the JSON: one more kind of file.
    const body = { file: id, more: 'x'.repeat(50_000) }
    return world.command({ kind: 'upload', sessionId, id, method: 'POST', path: '/blobs', body, headers })
  },
  attach: async world => {
    const sessionId = await world.session()
    const { digest } = await world.server.must('POST', '/blobs', { file: world.id('file') })
    const id = world.id('turn')
    const body = { turnId: id, text: 'read', files: [{ digest, name: 'file.json' }] }
    return post(world, 'attach', sessionId, id, `/sessions/${sessionId}/turns`, body)
  },
  queue: async world => {
    const { sessionId, path } = await inQueue(world, 1)
    const id = world.id('turn')
    return post(world, 'queue', sessionId, id, path, { turnId: id, text: 'quick' })
  },
  edit: async world => {
    const { sessionId, ids, path } = await inQueue(world, 2)
    const body = { text: world.id('text') }
    return world.command({ kind: 'edit', sessionId, id: ids[1]!, method: 'PATCH', path: `${path}/${ids[1]}`, body })
  },
  move: async world => {
    const { sessionId, ids, path } = await inQueue(world, 3)
    const id = ids[2]!
    return world.command({ kind: 'move', sessionId, id, method: 'PATCH', path: `${path}/${id}`, body: { position: 0 } })
  },
  remove: async world => {
    const { sessionId, ids, path } = await inQueue(world, 2)
    const id = ids[0]!
    return world.command({ kind: 'remove', sessionId, id, method: 'DELETE', path: `${path}/${id}` })
  },
  steer: async world => {
    const { sessionId, runId, path } = await running(world, 'slow')
    const id = world.id('steer')
    return post(world, 'steer', sessionId, id, `${path}/runs/${runId}/steer`, { steerId: id, text: 'to the left' })
  },
  'steer queued': async world => {
    const { sessionId, runId, path } = await running(world, 'slow')
    const turnId = world.id('turn')
    await world.server.must('POST', `${path}/queue`, { turnId, text: 'to the left' })
    const id = world.id('steer')
    const body = { steerId: id, text: 'to the left', turnId }
    return post(world, 'steer queued', sessionId, id, `${path}/runs/${runId}/steer`, body)
  },
  interrupt: async world => {
    const { sessionId, runId, path } = await running(world, 'slow')
    return post(world, 'interrupt', sessionId, runId, `${path}/runs/${runId}/interrupt`, {})
  },
  retry: async world => {
    const { sessionId, runId, path } = await finished(world, 'fail')
    const id = world.id('run')
    return post(world, 'retry', sessionId, id, `${path}/runs/${runId}/retry`, { newRunId: id })
  },
  'edit message': async world => {
    const { sessionId, path } = await finished(world, 'quick')
    const id = world.id('turn')
    return post(world, 'edit message', sessionId, id, `${path}/messages/1/edit`, { turnId: id, text: 'quick' })
  },
  regenerate: async world => {
    const { sessionId, path } = await finished(world, 'quick')
    const id = world.id('run')
    return post(world, 'regenerate', sessionId, id, `${path}/messages/2/regenerate`, { newRunId: id })
  },
  feedback: async world => {
    const { sessionId, path } = await finished(world, 'quick')
    const body = { rating: 'up', reason: world.id('reason') }
    const at = `${path}/messages/2/feedback`
    return world.command({ kind: 'feedback', sessionId, id: sessionId, method: 'PUT', path: at, body })
  },
  fork: async world => {
    const { path } = await finished(world, 'quick')
    const id = world.id('branch')
    return post(world, 'fork', id, id, `${path}/forks`, { sessionId: id, title: id })
  },
  respond: async world => {
    const { sessionId, path } = await running(world, 'ask')
    const { actionId } = (await world.until(sessionId, ({ type }) => type === 'action.required')) as {
      actionId: string
    }
    const body = { decision: 'approve' }
    return post(world, 'respond', sessionId, actionId, `${path}/actions/${actionId}/response`, body)
  },
  'surface action': async world => {
    const { sessionId, path } = await finished(world, 'draw')
    const id = world.id('click')
    const body = { key: id, componentId: 'send', eventType: 'click' }
    return post(world, 'surface action', sessionId, id, `${path}/surfaces/form/actions`, body)
  },
  'ui action': async world => {
    const { sessionId, path } = await finished(world, 'card')
    const { toolCallId } = (await world.until(sessionId, ({ type }) => type === 'tool.result')) as {
      toolCallId: string
    }
    const id = world.id('act')
    const body = { key: id, toolCallId, action: { type: 'payload', payload: { chosen: 7 } } }
    return post(world, 'ui action', sessionId, id, `${path}/ui-actions`, body)
  },
  rename: async world => {
    const sessionId = await world.session()
    // The judge expects the last title only, so the commands that gave the session its first title are dropped.
    world.commands = world.commands.filter(command => command.sessionId !== sessionId)
    const title = world.id('renamed')
    const path = `/sessions/${sessionId}`
    return world.command({ kind: 'rename', sessionId, id: title, method: 'PATCH', path, body: { title } })
  },
  tools: async world => {
    const sessionId = await world.session()
    const toolId = world.id('tool')
    const body = { mode: 'reads', policies: { [toolId]: 'allow' } }
    return world.command({
      kind: 'tools',
      sessionId,
      id: toolId,
      method: 'PATCH',
      path: `/sessions/${sessionId}/tools`,
      body,
    })
  },
  'mark read': async world => {
    const { sessionId, path } = await finished(world, 'quick')
    const body = { seq: 3 }
    return world.command({ kind: 'mark read', sessionId, id: '3', method: 'PUT', path: `${path}/read`, body })
  },
  folder: async world => {
    const id = world.id('folder')
    const body = { name: world.id('name') }
    return world.command({ kind: 'folder', sessionId: '', id, method: 'PUT', path: `/folders/${id}`, body })
  },
  provider: async world => {
    const id = world.id('provider')
    const body = { kind: 'ollama', name: id, key: 'a-key-that-is-sealed' }
    return world.command({ kind: 'provider', sessionId: '', id, method: 'PUT', path: `/providers/${id}`, body })
  },
  delete: async world => {
    const { sessionId, path } = await finished(world, 'quick')
    return world.command({ kind: 'delete', sessionId, id: sessionId, method: 'DELETE', path })
  },
}
