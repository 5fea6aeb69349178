import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, AgentContext, AgentOutput } from '@vitrine/server'

type Attack = (context: AgentContext) => AsyncIterable<unknown>

const say = (delta: string): AgentOutput => ({ type: 'text.delta', partId: 'p', delta })
const nested = (): unknown => {
  let deep: unknown = 1
  for (let i = 0; i < 20_000; i++) deep = [deep]
  return deep
}

/** Each attack does one thing that must not affect other agents. None of them ever completes its run. */
export const attacks: Record<string, Attack> = {
  async *garbage() {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    yield say('first')
    yield { type: 'text.delta', partId: 'p', delta: 1n }
    yield { type: 'run.finished', outcome: 'completed' }
    yield cyclic
    yield { type: 'state.snapshot', state: nested() }
    yield null
    throw cyclic
  },
  async *rejection() {
    void Promise.reject(new Error('stray rejection'))
    yield say('left a rejection behind')
    await sleep(200)
    throw new Error('end')
  },
  async *timer() {
    setTimeout(() => {
      throw new Error('thrown in a timer')
    }, 20)
    yield say('left a timer behind')
    await sleep(200)
    throw new Error('end')
  },
  async *emitter() {
    setImmediate(() => new EventEmitter().emit('error', new Error('error event')))
    yield say('left an emitter behind')
    await sleep(200)
    throw new Error('end')
  },
  async *exit() {
    yield say('leaving')
    await sleep(20)
    process.exit(0)
  },
  async *loop() {
    yield say('about to loop')
    await sleep(20)
    for (;;);
  },
  async *flood({ signal }) {
    for (let i = 0; i < 300_000 && !signal.aborted; i++) yield say(`${i} ${'x'.repeat(100)}`)
    throw new Error('end')
  },
  async *deaf() {
    yield say('does not listen')
    await new Promise(() => {})
  },
  async *memory({ signal }) {
    // Each step doubles the shared state, by a patch of a few bytes.
    yield { type: 'state.snapshot', state: { a: 'x'.repeat(1000) } }
    for (let i = 0; i < 22 && !signal.aborted; i++) {
      yield { type: 'state.delta', patch: [{ op: 'copy', from: '', path: `/c${i}` }] }
    }
    throw new Error('end')
  },
}

export default Object.entries(attacks).map(
  ([name, attack]): Agent => ({
    agentId: `hostile-${name}`,
    name,
    description: 'Misbehaves',
    scripted: true,
    run: (_, context) => attack(context) as AsyncIterable<AgentOutput>,
  }),
)
