import { readFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { type Harness, harness, scripted } from '../runtime/harness.fixture.ts'
import { turn } from '../tools/tools.fixture.ts'
import { DeclaredSecrets } from './mask-secrets.ts'
import { ArgsStream } from './mask-stream.ts'

let kit: Harness
afterEach(() => kit.close())

/** Processor time of this process, in milliseconds. */
const spent = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

it('TO-67 masking takes a small share of the time in which the arguments of a call are written', async () => {
  const source = readFileSync(new URL('../runtime/run/emit.ts', import.meta.url), 'utf8')
  const args = JSON.stringify({ path: 'emit.ts', content: source.repeat(4) })
  // As a model writes them: a few characters at a time.
  const pieces = args.match(/[\s\S]{1,6}/g)!
  const agent = scripted(async function* ({ text }) {
    yield { type: 'tool.started', partId: text, toolCallId: text, name: 'write' }
    for (const delta of pieces) yield { type: 'tool.args', toolCallId: text, delta }
    yield { type: 'tool.args', toolCallId: text, delta: '', done: true }
    yield { type: 'tool.result', toolCallId: text, preview: 'written' }
  })
  kit = await harness({ agents: [agent] })
  const sessionId = await kit.session()
  const mask = (): string => {
    const stream = new ArgsStream(new DeclaredSecrets())
    return pieces.map(piece => stream.push(piece)).join('') + stream.end()
  }
  expect(mask()).toBe(args)
  await turn(kit, sessionId, 'warm')
  let all = spent()
  const state = await turn(kit, sessionId, 'measured')
  all = spent() - all
  expect([...state.tools.byId.values()].at(-1)!.args.toString()).toBe(args)
  let masking = spent()
  mask()
  masking = spent() - masking
  expect(masking / all).toBeLessThan(0.25)
})
