import { EventEmitter } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel, parentPort } from 'node:worker_threads'
import type { JsonObject } from '@vitrine/protocol'
import type { Agent, AgentContext, AgentOutput } from './agent.ts'

// An agent that misbehaves in the way that the text of its turn names. Tests use it as an object and load it as a file.

const say = (delta: string): AgentOutput => ({ type: 'text.delta', partId: 'p', delta })
const hang = new Promise<never>(() => {})

/** A proxy that throws on every access, also on `instanceof`. */
const unreadable = new Proxy({}, new Proxy({}, { get: () => fail('unreadable') }))
/** Nested deeper than the limit for values of agents. */
const deep = Array.from({ length: 1_000 }).reduce<JsonObject>(inner => ({ inner }), {})
const drawn = (surfaceId: string) => ({
  version: 'v0.9',
  createSurface: { surfaceId, root: { id: 'root', type: 'Text', props: { text: surfaceId } } },
})

function fail(message: string): never {
  throw new Error(message)
}

/** Made when the module is loaded, so that it belongs to no run. */
const outside = new EventEmitter()
const timer = setInterval(() => outside.emit('tick'), 10)
timer.unref()

/** Differs between threads, so that a test can see that a new thread was started. */
const life = crypto.randomUUID()

const crimes: Record<string, (context: AgentContext) => unknown> = {
  rejection: () => void Promise.reject(new Error('stray rejection')),
  timer: () =>
    void setTimeout(() => {
      throw new Error('thrown in a timer')
    }, 5),
  emitter: () => void setImmediate(() => new EventEmitter().emit('error', new Error('nobody listens'))),
  socket: () => void connect(1, '127.0.0.1'),
  exit: () => void setTimeout(() => process.exit(3), 5),
  'exit at once': () => process.exit(3),
  'abort listener': ({ signal }) =>
    signal.addEventListener('abort', () => {
      throw new Error('thrown in a listener')
    }),
  'not an error': () => void Promise.reject(null),
  'stray unreadable': () => void Promise.reject(unreadable),
  'unreadable timer': () =>
    void setTimeout(() => {
      throw unreadable
    }, 5),
  'throw unreadable': () => {
    throw unreadable
  },
  'unreadable fields': () => {
    const error = new Error('x')
    for (const name of ['message', 'stack', 'code', 'name', 'next', 'retryable']) {
      Object.defineProperty(error, name, { get: () => fail('unreadable') })
    }
    throw error
  },
  deaf: () => {},
  loop: () => {
    for (;;);
  },
  memory: () => {
    const held: unknown[] = []
    for (;;) held.push(new Array(100_000).fill(held.length))
  },
  'post nothing': () => parentPort?.postMessage(null),
  'post half': () => parentPort?.postMessage({ type: 'late' }),
  outside: () =>
    outside.once('tick', () => {
      throw new Error('thrown outside of every run')
    }),
}

export default {
  agentId: 'hostile',
  name: 'Hostile',
  description: 'Does what an agent must not do',
  scripted: true,
  async *run({ text }, context) {
    const crime = crimes[text]
    if (crime) {
      yield say('before')
      crime(context)
      await hang
    }
    if (text === 'late') {
      setTimeout(() => void Promise.reject(new Error('after the end')), 50)
      return yield say('done')
    }
    if (text === 'slow') {
      for (let i = 0; i < 60; i++) {
        yield say(`${i} `)
        await sleep(10)
      }
      return
    }
    if (text === 'wait') {
      yield say('waiting')
      await new Promise(resolve => context.signal.addEventListener('abort', resolve))
      return yield say(` ${(context.signal.reason as Error).name}`)
    }
    if (text === 'flood') {
      const channel = new BroadcastChannel('vitrine-flood')
      for (let i = 1; i <= 100_000; i++) {
        if (i % 50 === 0) channel.postMessage(i)
        yield say(`${'x'.repeat(1_000)}\n`)
      }
      return channel.close()
    }
    if (text === 'odd') {
      yield { type: 'nonsense', at: new Date(0), f() {} } as never
      const cyclic: Record<string, unknown> = { type: 'state.snapshot' }
      cyclic.state = cyclic
      yield cyclic as never
      return yield say('fine')
    }
    if (text === 'life') return yield say(life)
    if (text === 'deep') {
      const apply = context.tools.find(({ name }) => name === 'a2ui')!
      const direct = await context.surfaces.apply([drawn('a'), deep, drawn('b')])
      const byTool = await apply.call({ envelopes: [drawn('c'), deep, drawn('d')] })
      return yield say(
        JSON.stringify(
          [direct, byTool].map(({ applied, failed, results }) => [
            applied,
            failed,
            (results as { ok: boolean }[]).map(({ ok }) => ok),
          ]),
        ),
      )
    }
    if (text === 'fail') {
      throw Object.assign(new Error('The key is wrong.'), { code: 'key_invalid', next: 'Set it.', retryable: false })
    }
    if (text !== 'context') return yield say(`You said: ${text}`)
    const { ask, store, spawn, surfaces, tools, history, state, steers, signal, sessionId, runId } = context
    await steers.wait()
    const [steering] = await steers.take()
    const answer = await ask({ kind: 'question', title: 'Who?' })
    const child = await spawn('hostile', 'hello', 'Child')
    const stored = await store({ text: 'y'.repeat(20_000) })
    const applied = await surfaces.apply([{ surfaceUpdate: {} }])
    const shown = await tools.find(({ name }) => name === 'show_ui')!.call({ intent: 'message', title: 'Hi' })
    yield { type: 'state.snapshot', state: { a: 1 } }
    const refused = await spawn('nobody', 'x').catch(error => error.code)
    yield say(
      JSON.stringify([
        steering?.text,
        answer.value,
        child.text,
        stored.ref?.size,
        applied.failed,
        'shown' in shown,
        (await history()).length,
        await state(),
        refused,
        signal.aborted,
        Boolean(sessionId && runId),
      ]),
    )
  },
} satisfies Agent
