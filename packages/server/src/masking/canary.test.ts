import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Action, type Json, MASK, type SessionState } from '@vitrine/protocol'
import { afterEach, expect, it } from 'vitest'
import type { AgentOutput } from '../agents/agent.ts'
import { ended, type Harness, harness, OWNER, scripted } from '../runtime/harness.fixture.ts'
import { caller, lastCall, source, tool, turn } from '../tools/tools.fixture.ts'

let kit: Harness
afterEach(() => kit.close())

/** Secrets that must be nowhere. Each has a part that nothing else has. */
const canary = {
  key: 'sk-proj-CANARY1x9Ab3dEfGh1jKlMn0pQrStUvWxYz',
  bearer: 'canary2tokenvalue00112233',
  password: 'canary3-hunter2',
  url: 'canary4pw',
  pem: `-----BEGIN PRIVATE KEY-----\nCANARY5MIIEowIBAAKCAQEA\nabcdefgh\n-----END PRIVATE KEY-----`,
  declared: 'canary6 declared field',
  hidden: 'canary7 hidden by schema',
}
const WORDS = /canary\d/i
/** What is no secret stands next to each, so that we know that the search would find it. */
const PLAIN = 'plainmarker'
const text = `${PLAIN} ${canary.key} Authorization: Bearer ${canary.bearer}\nhttps://ann:${canary.url}@x.example/ ${canary.pem} end`

/** Every file under a folder, as one text. */
function bytesUnder(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(file => statSync(file).isFile())
    .map(file => readFileSync(file, 'latin1'))
    .join('\n')
}

const pending = (state: SessionState): Action | undefined =>
  [...state.actions.byId.values()].find(action => action.state === 'pending')

/** Looks through everything that a session has left behind, and what readers of its stream got. */
async function leftOf(sessionId: string, published: readonly unknown[], reported: readonly string[]): Promise<string> {
  const page = await kit.runtime.listMessages(OWNER, sessionId, 1_000, 100)
  const all = [JSON.stringify(await kit.events(sessionId)), JSON.stringify(published), JSON.stringify(page)]
  return [...all, ...reported, bytesUnder(kit.folder)].join('\n')
}

it('TO-65 no secret of a call of a source is in the log, the stream, the files or the words for whoever runs the server', async () => {
  const got: Json[] = []
  const answers: Json[] = []
  const reported: string[] = []
  const published: unknown[] = []
  const login = tool('login', {
    effects: 'writes',
    secrets: ['/account/pin', '/list/0'],
    inputSchema: {
      type: 'object',
      properties: { code: { type: 'string', format: 'password' }, note: { type: 'string' } },
    },
    describe: async () => ({ detail: text, changes: [{ path: '.env', before: '', after: text }] }),
    execute: async (args, { output, progress }) => {
      got.push(args)
      progress({ message: `With ${canary.key}` })
      for (const letter of text) output(letter)
      return {
        text: `${text}\n`.repeat(400),
        value: { account: { pin: canary.declared }, list: [canary.declared, 'second'], said: text },
        structured: { account: { pin: canary.declared } },
        content: [{ kind: 'text', text }],
        meta: { password: canary.password },
        uiHints: { title: 'Result', description: text },
      }
    },
  })
  const fails = tool('fails', {
    execute: async () => {
      setTimeout(() => {
        throw new Error(`late: ${canary.key}`)
      }, 10)
      throw new Error(`The server said 401 for ${text}`)
    },
  })
  kit = await harness({
    agents: [caller(answers)],
    tools: [source([login, fails])],
    report: (line, error) => reported.push(`${line} ${(error as Error).stack}`),
  })
  const sessionId = await kit.session()
  kit.hub.onEvents(sessionId, events => published.push(events))
  const args = {
    note: `${text} password=${canary.password}`,
    password: canary.password,
    code: canary.hidden,
    account: { pin: canary.declared },
    list: [canary.declared, PLAIN],
  }
  await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 't', text: 'login {}' })
  // The turn of a person is not masked, so the agent gets the arguments in another way than in its words.
  const first = await kit.until(sessionId, state => pending(state) !== undefined)
  await kit.runtime.respondToAction(OWNER, sessionId, pending(first)!.actionId, { decision: 'approve', value: args })
  await kit.until(sessionId, ended)
  await turn(kit, sessionId, 'fails')
  await expect.poll(() => reported.length).toBeGreaterThan(0)
  expect(got).toEqual([args])
  const left = await leftOf(sessionId, published, reported)
  expect(left).toContain(PLAIN)
  expect(left.match(WORDS)).toBeNull()
  expect(JSON.stringify(answers)).toContain(PLAIN)
  expect(JSON.stringify(answers)).not.toMatch(WORDS)
})

it('TO-65 no secret of a call that an agent announces itself is in the log, however it is divided', async () => {
  const args = JSON.stringify({ command: text, password: canary.password, pin: canary.declared, rest: PLAIN })
  const real: Json[] = []
  const agent = scripted(async function* (_, { admit, ask, store }): AsyncIterable<AgentOutput> {
    const toolCallId = 'c'
    const secrets = ['/pin']
    yield { type: 'tool.started', partId: 'c', toolCallId, name: 'shell', summary: `Runs ${canary.key}`, secrets }
    for (const letter of args) yield { type: 'tool.args', toolCallId, delta: letter }
    yield { type: 'tool.args', toolCallId, delta: '', done: true }
    const inputSchema = { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } }
    const admission = await admit({
      toolCallId,
      name: 'shell',
      args: JSON.parse(args) as Json,
      policy: 'ask',
      inputSchema,
    })
    if (admission.allowed) real.push(admission.args)
    for (const letter of text) yield { type: 'tool.output.delta', toolCallId, delta: letter }
    const response = await ask({ kind: 'approval', title: 'Again?', args: { header: `Bearer ${canary.bearer}` } })
    real.push(response.value)
    yield { type: 'tool.result', toolCallId, ...(await store({ text: `${text}\n`.repeat(300) })) }
    yield { type: 'tool.started', partId: 'd', toolCallId: 'd', name: 'cut' }
    yield { type: 'tool.args', toolCallId: 'd', delta: `{"a":"${canary.key.slice(0, 30)}` }
    throw new Error(`I failed with ${canary.key}`)
  })
  const reported: string[] = []
  const published: unknown[] = []
  const report = (line: string, error: unknown): unknown => reported.push(`${line} ${(error as Error).stack}`)
  kit = await harness({ agents: [agent], report })
  const sessionId = await kit.session()
  kit.hub.onEvents(sessionId, events => published.push(events))
  await kit.runtime.submitTurn(OWNER, sessionId, { turnId: 't', text: 'go' })
  const first = await kit.until(sessionId, state => pending(state) !== undefined)
  const shown = pending(first)!
  expect(shown.request.args).toMatchObject({ password: MASK, rest: PLAIN })
  // A person changes what is no secret, and leaves the masks as they are.
  const value = { ...(shown.request.args as object), rest: 'changed' } as Json
  await kit.runtime.respondToAction(OWNER, sessionId, shown.actionId, { decision: 'approve', value })
  const second = await kit.until(sessionId, state => (pending(state) ?? shown).actionId !== shown.actionId)
  await kit.runtime.respondToAction(OWNER, sessionId, pending(second)!.actionId, {
    decision: 'approve',
    value: pending(second)!.request.args as Json,
  })
  const state = await kit.until(sessionId, ended)
  expect(real).toEqual([{ ...JSON.parse(args), rest: 'changed' }, { header: `Bearer ${canary.bearer}` }])
  expect(lastCall(state)).toMatchObject({ name: 'cut', error: { code: 'interrupted' } })
  const left = await leftOf(sessionId, published, reported)
  expect(left).toContain(PLAIN)
  expect(left.match(WORDS)).toBeNull()
})

it('TO-66 arguments that hold a mask do not reach a tool', async () => {
  const answers: Json[] = []
  let ran = false
  const look = tool('look', {
    execute: async () => {
      ran = true
      return {}
    },
  })
  kit = await harness({ agents: [caller(answers)], tools: [source([look])] })
  await turn(kit, await kit.session(), `look {"password":"${MASK}"}`)
  expect(ran).toBe(false)
  expect(answers).toMatchObject([{ error: { code: 'masked_arguments' } }])
})
