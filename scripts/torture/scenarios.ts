import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { preparations } from './commands.ts'
import { attacks } from './hostile.agent.ts'
import type { Command, Fault } from './judge.ts'
import { startProxy } from './proxy.ts'
import { readBrowser, readSession } from './reader.ts'
import { eventually } from './server.ts'
import type { World } from './world.ts'

/**
 * One round of trouble. The caller judges the promises; the scenario itself reports everything else that went wrong.
 */
export type Scenario = (world: World, find: (fault: Fault, what: string) => void) => Promise<void>

/** How long any work of the honest agent may take while others misbehave. */
const PATIENCE_MS = 8_000

/** Prepares one command of every kind, each in a session where it is possible, and sends none of them. */
async function everyKind(world: World): Promise<Command[]> {
  const commands: Command[] = []
  for (const prepare of world.random.shuffle(Object.values(preparations))) commands.push(await prepare(world))
  return commands
}

/** Sends one command of every kind at nearly the same time, and kills the server in the middle of it. */
const kill: Scenario = async world => {
  const commands = await everyKind(world)
  // Creating a session is the most delicate moment, because nothing of it is stored yet. So there are more of these.
  for (let i = 0; i < 8; i++) commands.push(await preparations.create(world))
  const streaming = await world.session()
  await world.sendSurely(world.submitTurn(streaming, 'slow'))
  const reading = [streaming, ...commands.map(({ sessionId }) => sessionId).filter(id => id !== '')].map(sessionId =>
    readSession(world, sessionId),
  )
  await eventually(async () => world.seen.has(streaming), PATIENCE_MS)
  // The kill comes after an answer and not after a time, so that
  // it hits the other commands midway on slow and fast machines.
  const spread = world.random.pick([0, 5, 20])
  let left = world.random.between(0, commands.length - 1)
  const { promise: hit, resolve: strike } = Promise.withResolvers<void>()
  if (left === 0) strike()
  const sending = commands.map(async command => {
    await sleep(world.random.next() * spread)
    await world.send(command)
    if (--left <= 0) strike()
  })
  await hit
  await sleep(world.random.next() * 4)
  await world.server.kill()
  await Promise.all([...sending, ...reading])
  await world.restart()
  // First we judge what was promised before the kill. Then
  // everything is sent again, as a client does that got no answer.
  await world.judge()
  for (const command of world.random.shuffle(commands)) await world.send(command)
}

/** Sends one command of every kind through connections that break at any byte, again and again until it is answered. */
const cut: Scenario = async (world, find) => {
  const commands = await everyKind(world)
  const sessionId = await world.session()
  await world.sendSurely(world.submitTurn(sessionId, 'many 600'))
  // Sometimes every connection breaks after the same number of bytes. A reader must make progress even then.
  const fixed = world.random.pick([undefined, 12_000])
  const budget = () => fixed ?? Math.floor(10 ** (1 + world.random.next() * 3.5))
  const proxy = await startProxy(world.server.url, budget)
  try {
    await world.until(sessionId, ({ type }) => type === 'run.finished')
    const upTo = (await world.server.log(sessionId))!.length
    const readAll = async (name: string, read: typeof readSession) => {
      let after = 0
      const isRead = async () => {
        after = await read(world, sessionId, { after, upTo, through: proxy.url })
        return after >= upTo
      }
      if (!(await eventually(isRead, PATIENCE_MS)))
        find('stopped', `the reader of the ${name} stream came to ${after} only`)
    }
    const reading = [readAll('session', readSession), readAll('browser', readBrowser)]
    for (const command of commands) {
      for (let tries = 0; tries < 60 && !command.answers.at(-1); tries++) await world.send(command, proxy.url)
    }
    await Promise.all(reading)
  } finally {
    await proxy.close()
  }
}

/** Writes until the disk is full and notes the answers. The next start has space again. */
const disk: Scenario = async world => {
  const commands = await everyKind(world)
  const cutOff = await world.session()
  await world.sendSurely(world.submitTurn(cutOff, 'slow'))
  const data = join(world.folder, 'data')
  await world.server.kill()
  const largest = Math.max(...readdirSync(data).map(name => statSync(join(data, name)).size))
  await world.restart({ maxFileBytes: largest + world.random.between(20, 300) * 1024 })
  const sessionId = await world.session().catch(() => undefined)
  // Fills the disk. Every answer that says yes has to be true afterwards.
  for (let i = 0; sessionId !== undefined && i < 60; i++) {
    const path = `/sessions/${sessionId}/queue`
    const id = world.id('turn')
    const body = { turnId: id, text: `many 50 ${'x'.repeat(20_000)}` }
    const fill = world.command({ kind: 'queue', sessionId, id, method: 'POST', path, body })
    const answer = await world.send(fill)
    if (answer && answer.status >= 500) break
  }
  for (const command of commands) await world.send(command)
  await world.restart()
}

/** Opens sockets that ask for a stream and never read it, while an agent works. */
const readers: Scenario = async (world, find) => {
  const sessionId = await world.session()
  const { server } = world
  const before = server.memory()
  const sockets: Socket[] = []
  try {
    for (let i = 0; i < 100; i++) {
      const socket = connect(Number(server.url.port), server.url.hostname).on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      socket.pause()
      const path = i % 2 === 0 ? `/api/stream?s=${sessionId}:0` : `/api/sessions/${sessionId}/events`
      const head = Object.entries({ ...server.headers, host: server.url.host }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      socket.write(`GET ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
    }
    await world.sendSurely(world.submitTurn(sessionId, 'many 10000'))
    const other = await world.session()
    const reading = readSession(world, sessionId)
    const since = Date.now()
    await world.sendSurely(world.submitTurn(other, 'quick'))
    const isDone = async (id: string) => (await server.log(id))?.some(({ type }) => type === 'run.finished') === true
    if (!(await eventually(() => isDone(other), PATIENCE_MS))) find('stopped', 'a short run beside 100 stuck readers')
    const waited = Date.now() - since
    if (waited > PATIENCE_MS) find('stopped', `a short run beside 100 stuck readers took ${waited} ms`)
    if (!(await eventually(() => isDone(sessionId), 20_000))) find('stopped', 'the run that 100 stuck readers follow')
    const grown = Math.round((server.memory() - before) / 1024 / 1024)
    if (grown > 300) find('stopped', `100 stuck readers took ${grown} MB`)
    await world.restart()
    await reading
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Runs one hostile agent. Honest sessions have to go on meanwhile, and the hostile run has to end. */
const attack =
  (name: string): Scenario =>
  async (world, find) => {
    const { server } = world
    const { bootId } = (await server.must('GET', '/health')) as { bootId: string }
    const honest = await world.session()
    const victim = await world.session(`hostile-${name}`)
    const isDone = async (id: string) =>
      (await server.log(id).catch(() => null))?.some(({ type }) => type === 'run.finished' || type === 'run.failed') ===
      true
    await world.sendSurely(world.submitTurn(honest, 'many 300'))
    await world.send(world.submitTurn(victim, name))
    await sleep(150)
    const second = await world.session().catch(() => undefined)
    const turn = second && world.submitTurn(second, 'quick')
    if (turn) await world.send(turn)
    const wentOn =
      second !== undefined &&
      (await eventually(async () => !server.alive || ((await isDone(honest)) && (await isDone(second))), PATIENCE_MS))
    const health = await server.call('GET', '/health')
    if (!server.alive) find('stopped', `${name}: the server ended`)
    else if (!wentOn || health?.body?.bootId !== bootId) find('stopped', `${name}: honest sessions did not go on`)
    else {
      await server.call('POST', `/sessions/${victim}/interrupt`, {})
      if (!(await eventually(() => isDone(victim), 15_000))) find('stopped', `${name}: its own run does not end`)
    }
    if (!server.alive || health?.body?.bootId !== bootId) await world.restart()
  }

/** The scenarios by name. Each has one or more forms, which take turns. */
export const scenarios: Record<string, readonly Scenario[]> = {
  'kill -9': [kill],
  'cut connections': [cut],
  'hostile agents': Object.keys(attacks).map(attack),
  'full disk': [disk],
  'stuck readers': [readers],
}
