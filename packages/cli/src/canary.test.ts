import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionEvent } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** What must never be in a byte that the server sends. */
const canary = {
  environment: 'canary-environment-4821',
  folder: 'canary-folder-4821',
  cause: 'canary-cause-4821',
  stack: 'canary-stack-4821',
  field: 'canary-field-4821',
  console: 'canary-console-4821',
  late: 'canary-late-4821',
  form: 'canary-form-4821',
  asked: 'canary-asked-4821',
  referred: 'canary-referred-4821',
  typed: 'canary-typed-4821',
  steered: 'canary-steered-4821',
  card: 'canary-card-4821',
}

/** Fails with secrets in every corner of its error, writes some to the console, and asks for some. */
const agentFile = `
const say = delta => ({ type: 'text.delta', partId: 'p', delta })
const reversed = text => [...text].reverse().join('')
const schema = {
  type: 'object',
  properties: { user: { type: 'string' }, password: { type: 'string', format: 'password' } },
  required: ['user', 'password'],
}
const referring = {
  type: 'object',
  properties: { user: { type: 'string' }, password: { anyOf: [{ $ref: '#/$defs/hidden' }, { type: 'null' }] } },
  $defs: { hidden: { type: 'string', format: 'password' } },
}
const components = [
  { id: 'root', component: 'Column', children: ['pw', 'go'] },
  { id: 'pw', component: 'TextField', label: 'Password', variant: 'obscured', value: { path: '/pw' } },
  { id: 'label', component: 'Text', text: 'Sign in' },
  { id: 'go', component: 'Button', child: 'label', action: { event: { name: 'go', context: { pw: { path: '/pw' } } } } },
]
const envelopes = [
  { version: 'v0.9', createSurface: { surfaceId: 'login', catalogId: 'basic', sendDataModel: true } },
  { version: 'v0.9', updateComponents: { surfaceId: 'login', components } },
]
const press = { type: 'payload', payload: {}, submitTo: '/sign-in' }
const ui = {
  version: '2.0',
  root: {
    type: 'stack',
    children: [
      { type: 'field', name: 'pw', label: 'Password', input: 'password' },
      { type: 'button', label: 'Sign in', style: 'primary', action: press },
    ],
  },
}
const told = ({ kind, payload, values, hidden }) =>
  'got ' + reversed(kind === 'a2ui' ? payload.values.pw : values.pw) + ' in ' + hidden
export default {
  agentId: 'leaky',
  async *run({ text, interaction }, context) {
    if (interaction) return yield say(told(interaction))
    if (text === 'draw') {
      const { failed } = await context.surfaces.apply(envelopes)
      return yield say(failed + ' failed')
    }
    if (text === 'card') {
      yield { type: 'tool.started', partId: 'c', toolCallId: 'card', name: 'show' }
      return yield { type: 'tool.result', toolCallId: 'card', ui }
    }
    if (text === 'wait') {
      await context.steers.wait()
      const [steer] = await context.steers.take()
      return yield say(told(steer.interaction))
    }
    if (text === 'referred') {
      const { value } = await context.ask({ kind: 'form', title: 'Sign in', schema: referring })
      return yield say('got ' + reversed(value.password) + ' of ' + value.user)
    }
    if (text === 'fail') {
      console.error('${canary.console}', process.env.VITRINE_CANARY)
      const error = new Error('The provider did not answer.', { cause: new Error('${canary.cause}') })
      error.stack += '\\n    at ${canary.stack} (${canary.folder}/agent.mjs:1:1)'
      throw Object.assign(error, { request: { headers: { authorization: '${canary.field}' } } })
    }
    if (text === 'late') {
      setTimeout(() => void Promise.reject(new Error('${canary.late}')), 20)
      return yield say('done')
    }
    if (text === 'form') {
      const { value } = await context.ask({ kind: 'form', title: 'Sign in', schema })
      return yield say('got ' + reversed(value.password) + ' of ' + value.user)
    }
    if (text === 'ask') {
      const { value } = await context.tools.find(tool => tool.name === 'ask').call({ question: 'Sign in', schema })
      return yield say('got ' + reversed(value.password) + ' of ' + value.user)
    }
  },
}
`

describe('L10 nothing that is secret leaves the server', { timeout: 60_000 }, () => {
  let folder: string
  let server: ChildProcess
  let url: URL
  let logged = ''
  /** Every byte that came back, with the heads. */
  const sent: string[] = []
  let sessionId: string
  let streams: AbortController
  let reading: Promise<unknown>

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const given: Record<string, string> = {
      authorization: `Bearer ${url.searchParams.get('token')}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await fetch(new URL(path, url.origin), {
      method,
      headers: given,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    sent.push(JSON.stringify([...response.headers]), text)
    return { status: response.status, text }
  }
  async function follow(path: string): Promise<void> {
    const headers = { authorization: `Bearer ${url.searchParams.get('token')}` }
    const response = await fetch(new URL(path, url.origin), { headers, signal: streams.signal })
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) sent.push(chunk)
    } catch {
      // The test has ended the stream.
    }
  }
  const events = async (): Promise<SessionEvent[]> =>
    JSON.parse((await call('GET', `/api/sessions/${sessionId}/events`)).text).events
  /** Sends a turn, answers what is asked, and waits for the end of its run. */
  async function turn(text: string, answer?: string): Promise<SessionEvent[]> {
    await call('POST', `/api/sessions/${sessionId}/turns`, { turnId: text, text })
    for (;;) {
      const log = await events()
      const own = log.filter(event => 'turnId' in event && event.turnId === text)
      if (own.some(({ type }) => type === 'run.finished' || type === 'run.failed')) return own
      const asked = log.findLast(event => event.type === 'action.required')
      const open = asked && !log.some(({ type, actionId }) => type === 'action.resolved' && actionId === asked.actionId)
      if (open && answer !== undefined) {
        const value = { user: 'ann', password: answer }
        await call('POST', `/api/sessions/${sessionId}/actions/${asked.actionId}/response`, {
          decision: 'answer',
          value,
        })
      }
      await new Promise(resolve => setTimeout(resolve, 30))
    }
  }

  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'vitrine-canary-')), canary.folder)
    mkdirSync(folder)
    writeFileSync(join(folder, 'agent.mjs'), agentFile)
    const flags = ['--conditions=vitrine-source', '--disable-warning=ExperimentalWarning']
    const command = [
      join(import.meta.dirname, 'main.ts'),
      'start',
      '--port',
      '0',
      '--data',
      'data',
      '--agent',
      'agent.mjs',
    ]
    server = spawn(process.execPath, [...flags, ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
      env: {
        ...process.env,
        VITRINE_CANARY: canary.environment,
        OPENAI_API_KEY: canary.environment,
        OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      },
    })
    server.stderr!.setEncoding('utf8').on('data', text => {
      logged += text
    })
    const [line] = await once(server.stdout!.setEncoding('utf8'), 'data')
    url = new URL(/http:\S+/.exec(line)![0])
    const made = await call('POST', '/api/sessions', { agentId: 'leaky' })
    sessionId = JSON.parse(made.text).session.sessionId
    streams = new AbortController()
    reading = Promise.all([follow(`/api/stream?list=1&s=${sessionId}:0`), follow(`/api/sessions/${sessionId}/events`)])
  })
  afterAll(async () => {
    streams.abort()
    server.kill('SIGKILL')
    await once(server, 'exit')
    await reading
    rmSync(join(folder, '..'), { recursive: true, force: true })
  })

  it('L10 an agent that fails is told with its words; cause, stack, fields and console stay in the server’s log', async () => {
    const failed = (await turn('fail')).find(({ type }) => type === 'run.failed')
    expect(failed).toMatchObject({ error: { code: 'agent_error', message: 'The provider did not answer.' } })
    await turn('late')
    // The secrets were really there: whoever runs the server finds them.
    await expect.poll(() => logged).toContain(canary.stack)
    expect(logged).toContain(canary.console)
  })

  it.each(['form', 'ask', 'referred'] as const)(
    'L10 what a person enters as a secret reaches the agent and no event (%s)',
    async way => {
      const secret = way === 'form' ? canary.form : way === 'ask' ? canary.asked : canary.referred
      const log = await turn(way, secret)
      const said = log.map(event => (event.type === 'text.delta' ? event.delta : '')).join('')
      expect(said).toBe(`got ${[...secret].reverse().join('')} of ann`)
      const resolved = (await events()).findLast(({ type }) => type === 'action.resolved')
      expect(resolved).toMatchObject({ outcome: 'answered', response: { user: 'ann', password: '••••••' } })
    },
  )

  const reversed = (text: string) => [...text].reverse().join('')
  const said = async (words: string) =>
    expect
      .poll(async () => (await events()).map(event => (event.type === 'text.delta' ? event.delta : '')))
      .toContain(words)
  const click = (key: string, secret: string) =>
    call('POST', `/api/sessions/${sessionId}/surfaces/login/actions`, {
      key,
      componentId: 'go',
      eventType: 'click',
      name: 'go',
      payload: { values: { pw: secret }, dataModel: { pw: secret }, note: `It is ${secret}.` },
      context: { pw: secret },
      edits: { '/pw': secret },
    })

  it('L10 A2-150 what is typed into an obscured field of a surface reaches the agent and no event', async () => {
    expect((await turn('draw')).map(event => (event.type === 'text.delta' ? event.delta : '')).join('')).toBe(
      '0 failed',
    )
    expect((await click('typed', canary.typed)).status).toBe(202)
    await said(`got ${reversed(canary.typed)} in pw`)
    // The same press again is the same press: it is known without its secret.
    expect(JSON.parse((await click('typed', canary.typed)).text)).toMatchObject({ state: 'started' })
    const snapshot = JSON.parse((await call('GET', `/api/sessions/${sessionId}`)).text)
    expect(JSON.stringify(snapshot)).toContain('••••••')
  })

  it('L10 A2-150 it reaches a run that is steered with it, too', async () => {
    await call('POST', `/api/sessions/${sessionId}/turns`, { turnId: 'wait', text: 'wait' })
    await expect
      .poll(async () =>
        (await events()).some(
          event => event.type === 'run.status' && event.status === 'preparing' && event.turnId === 'wait',
        ),
      )
      .toBe(true)
    expect(JSON.parse((await click('steered', canary.steered)).text)).toMatchObject({ state: 'steered' })
    await said(`got ${reversed(canary.steered)} in pw`)
  })

  it('L10 US-80 what is entered into a password field of a card reaches the agent and no event', async () => {
    const shown = (await turn('card')).find(({ type }) => type === 'tool.result')
    const pressed = await call('POST', `/api/sessions/${sessionId}/ui-actions`, {
      key: 'pressed',
      toolCallId: shown!.toolCallId,
      action: { type: 'payload', payload: {}, submitTo: '/sign-in' },
      values: { pw: canary.card },
    })
    expect(pressed.status).toBe(202)
    await said(`got ${reversed(canary.card)} in pw`)
    const started = (await events()).find(event => event.type === 'run.started' && event.turnId === 'pressed')
    expect(started).toMatchObject({ input: { interaction: { values: { pw: '••••••' }, hidden: ['pw'] } } })
  })

  it('L10 no secret of a person is in a file of the server', () => {
    const data = join(folder, 'data')
    const files = readdirSync(data, { recursive: true })
      .map(name => join(data, String(name)))
      .filter(file => statSync(file).isFile())
    const { form, asked, referred, typed, steered, card } = canary
    for (const secret of [form, asked, referred, typed, steered, card]) {
      expect(files.filter(file => readFileSync(file).includes(secret))).toEqual([])
    }
    // The files do have what was said: the secrets backwards.
    expect(files.some(file => readFileSync(file).includes(reversed(typed)))).toBe(true)
  })

  it('L10 no secret is in any byte: routes, refusals, streams, pages, descriptions', async () => {
    const { paths } = JSON.parse((await call('GET', '/api/openapi.json')).text) as { paths: Record<string, object> }
    for (const [path, methods] of Object.entries(paths)) {
      for (const id of [sessionId, 'nobody']) {
        const real = path.replace('{sessionId}', id).replace(/\{\w+\}/g, '1')
        if (/stream$/.test(path)) continue
        for (const method of Object.keys(methods)) {
          // The new token is the one secret that a caller asks for.
          if (path.endsWith('/token/rotate') || method === 'delete') continue
          await call(method.toUpperCase(), real, method === 'get' ? undefined : { nonsense: true })
        }
        await call('OPTIONS', real)
      }
    }
    await call('GET', '/api/schemas/event.json')
    await call('GET', '/api/sessions?q=fail')
    await call('GET', '/api/nothing')
    await call('GET', '/')
    await call('GET', '/?token=wrong')
    await call('GET', `/?token=${url.searchParams.get('token')}`)
    await call('GET', '/api/sessions', undefined, { authorization: 'Bearer wrong' })
    await call('POST', '/api/sessions', undefined, { 'content-type': 'application/json' })
    await new Promise(resolve => setTimeout(resolve, 100))
    const everything = sent.join('\n')
    expect(everything.length).toBeGreaterThan(50_000)
    expect(everything).toContain('The provider did not answer.')
    const found = Object.entries({ ...canary, token: url.searchParams.get('token')! }).filter(([, secret]) =>
      everything.includes(secret),
    )
    expect(found).toEqual([])
  })
})
