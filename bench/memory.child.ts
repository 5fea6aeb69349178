import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHub, createRuntime, openFileBlobs, openSqlite } from '@vitrine/server'
import { oneSession } from './client.ts'
import { outputs, RUNS, session } from './memory.ts'

/** What is still there when everything that can be collected has been. */
async function heap(): Promise<number> {
  for (let turn = 0; turn < 4; turn++) {
    globalThis.gc!()
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return process.memoryUsage().heapUsed
}

const OWNER = { id: 'owner', name: '', kind: 'local', roles: [], claims: {} } as const

const measured = { server, client }

/** The runtime with a session open in it: its projection and whatever else it keeps of it. */
async function server(): Promise<{ bytes: number; events: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
  const [storage, blobs] = [await openSqlite({ folder }), await openFileBlobs({ folder })]
  const hub = createHub()
  const agent = {
    agentId: 'bench',
    name: 'Bench',
    description: 'Streams deltas',
    scripted: true,
    async *run() {
      // As from a model: every piece of text is a string of its own, and none is shared with the next run.
      for (const output of outputs()) yield structuredClone(output)
    },
  }
  const runtime = createRuntime({ storage, blobs, hub, agents: [agent], limits: { batchMs: 5 } })
  await runtime.recover()
  const turn = async (sessionId: string, turnId: string) => {
    const ended = Promise.withResolvers<void>()
    const stop = hub.onEvents(sessionId, ({ events }) => {
      if (events.some(({ type }) => type === 'run.finished')) ended.resolve()
    })
    await runtime.submitTurn(OWNER, sessionId, { turnId, text: 'go' })
    await ended.promise
    stop()
  }
  // Another session first, so that code, statements and buffers are there before the first look.
  const warm = (await runtime.createSession(OWNER, {})).session.sessionId
  await turn(warm, 'warm')
  const before = await heap()
  const id = (await runtime.createSession(OWNER, {})).session.sessionId
  for (let run = 0; run < RUNS; run++) await turn(id, `turn-${run}`)
  const bytes = (await heap()) - before
  const events = (await storage.session(id))!.seq
  await runtime.close()
  await storage.close()
  await rm(folder, { recursive: true, force: true })
  return { bytes, events }
}

/** The client with the session open: its store, after every event has come by the stream. */
async function client(): Promise<{ bytes: number; events: number }> {
  const warm = oneSession(() => ({ events: session(1), end: 'open' }))
  await warm.until(state => state.seq === session(1).length)
  warm.client.close()
  const before = await heap()
  const count = session(RUNS).length
  const open = oneSession(() => ({ events: session(RUNS), end: 'open' }))
  await open.until(state => state.seq === count)
  const bytes = (await heap()) - before
  const events = open.handle.state.seq
  open.client.close()
  return { bytes, events }
}

const which = process.argv[2] as keyof typeof measured
process.send!(await measured[which]())
process.disconnect()
