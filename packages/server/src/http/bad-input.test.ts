import type { Problem } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKit, type Kit } from './app.test.kit.ts'
import { type DescribedRoute, routes as described, document, resolved, validator } from './document.test.kit.ts'

let kit: Kit
const MINE = 'mine'
const THEIRS = 'theirs'

interface Route extends DescribedRoute {
  /** The path with an id for each parameter: only the session exists. */
  url: string
}

// Every route that the document has is attacked: a new one cannot be forgotten.
const routes: Route[] = described.map(route => ({
  ...route,
  url: route.path
    .replace('{sessionId}', MINE)
    .replace('{agentId}', 'echo')
    .replaceAll(/\{\w+\}/g, 'none'),
}))
const writes = routes.filter(route => route.method !== 'GET')
/** All but the change of the token: its answer is a secret and is not kept. */
const keyed = writes.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'Idempotency-Key'))
const withBody = routes.filter(route => route.body !== undefined)
const ofSession = routes.filter(route => route.path.includes('{sessionId}'))

beforeAll(async () => {
  kit = await createKit({ limits: { maxBodyBytes: 20_000, bodyTimeoutMs: 50 } })
  await kit.as('ann', 'POST', '/sessions', { sessionId: MINE, title: 'Mine' })
  await kit.as('bob', 'POST', '/sessions', { sessionId: THEIRS, title: 'Theirs' })
})
afterAll(() => kit.close())

const send = (route: Route, body: unknown, headers: Record<string, string> = {}) =>
  kit.as('ann', route.method, route.url, body, headers)
const problem = async (response: Response): Promise<Problem> => {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  return response.json() as Promise<Problem>
}
const state = async () => {
  const mine = await kit.parts.storage.events(MINE, 0, 1000)
  const sessions = await kit.parts.storage.sessions({ owner: 'ann', limit: 100 })
  return JSON.stringify([mine, sessions])
}
/** Does it, and sees to it that nothing was written. */
async function withoutTrace<T>(attack: () => Promise<T>): Promise<T> {
  const before = await state()
  const result = await attack()
  expect(await state()).toBe(before)
  return result
}

describe('answers', () => {
  it.each(
    routes.filter(
      route => route.method === 'GET' && !/stream|blobs|file|parts|versions|media$|sandboxes/.test(route.path),
    ),
  )('P-405 $name answers as its schema says', async route => {
    const response = await kit.as('ann', 'GET', route.url, undefined, { accept: 'application/json' })
    expect(response.status).toBe(200)
    const schema = route.operation.responses['200']!.content!['application/json']!.schema
    const check = validator(schema)
    expect(check(await response.json()), JSON.stringify(check.errors)).toBe(true)
  })
})

describe('every route', () => {
  it.each(routes)('P-408 $name answers nobody without a credential', async ({ method, url }) => {
    expect(await problem(await kit.as(null, method, url))).toMatchObject({ status: 401, code: 'unauthenticated' })
  })

  it.each(routes)('P-408 $name has no other methods', async ({ path, url }) => {
    const known = Object.keys(document.paths[path]!).map(method => method.toUpperCase())
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(method => !known.includes(method))) {
      const response = await kit.as('ann', method, url)
      expect([response.status, (await problem(response)).code]).toEqual([405, 'method_not_allowed'])
      for (const allowed of known) expect(response.headers.get('allow')).toContain(allowed)
    }
  })

  it.each(ofSession)('A03 $name gives the same 404 for a foreign and for an unknown session', async route => {
    const body = route.example
    const to = (sessionId: string) =>
      kit.as('ann', route.method, route.path.replace('{sessionId}', sessionId).replaceAll(/\{\w+\}/g, 'none'), body)
    const [foreign, unknown, impossible] = [await to(THEIRS), await to('nothing'), await to('x'.repeat(201))]
    expect([foreign.status, unknown.status, impossible.status]).toEqual([404, 404, 404])
    expect(await foreign.text()).toBe(await unknown.text())
    const theirs = await kit.parts.storage.session(THEIRS)
    expect(theirs).toMatchObject({ seq: 1, owner: 'bob' })
  })

  it.each(ofSession.filter(route => /\{(?!sessionId)/.test(route.path)))(
    'P-408 $name says 404 or 409 for an id that its session does not have',
    async route => {
      const body = route.example
      const response = await withoutTrace(() => send(route, body))
      expect([404, 409]).toContain(response.status)
      await problem(response)
    },
  )

  it.each(writes)('H01 $name refuses another site', async route => {
    const body = route.example
    const response = await withoutTrace(() => send(route, body, { origin: 'https://evil.example' }))
    expect(await problem(response)).toMatchObject({ status: 403, code: 'cross_site' })
  })
})

describe('every body', () => {
  const bodies: [what: string, body: string, expected: Partial<Problem>][] = [
    ['no JSON', '{"text":', { status: 400, code: 'invalid_request' }],
    ['no JSON at all', 'turn=1', { status: 400, code: 'invalid_request' }],
    ['a list', '[]', { status: 400, code: 'invalid_request', path: '' }],
    ['null', 'null', { status: 400, code: 'invalid_request', path: '' }],
    ['a number', '7', { status: 400, code: 'invalid_request', path: '' }],
    ['a lone surrogate', '{"text":"\\ud800"}', { status: 400, code: 'invalid_text', path: '/text' }],
    ['NUL deep inside', '{"a":{"b/c":["\\u0000"]}}', { status: 400, code: 'invalid_text', path: '/a/b~1c/0' }],
    ['NUL in a key', '{"a":{"\\u0000":1}}', { status: 400, code: 'invalid_text', path: '/a' }],
    ['a huge number', '{"n":1e999}', { status: 400, code: 'invalid_request', path: '/n' }],
    [
      '__proto__',
      '{"metadata":{"__proto__":{"x":1}}}',
      { status: 400, code: 'invalid_request', path: '/metadata/__proto__' },
    ],
    ['great depth', `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`, { status: 400, code: 'invalid_request' }],
    ['too many bytes', JSON.stringify({ text: 'x'.repeat(20_001) }), { status: 413, code: 'too_large' }],
  ]

  it.each(withBody.flatMap(route => bodies.map(body => [route.name, ...body, route] as const)))(
    'H06 %s refuses %s',
    async (_name, _what, body, expected, route) => {
      const response = await withoutTrace(() => send(route, body))
      expect(await problem(response)).toMatchObject(expected)
    },
  )

  it.each(withBody)(
    'H06 $name refuses every field of a wrong type and every missing one, and says where',
    async route => {
      const schema = document.components.schemas[route.body!] as {
        properties: Record<string, Record<string, unknown>>
        required?: string[]
      }
      const good = route.example as Record<string, unknown>
      for (const [name, property] of Object.entries(schema.properties)) {
        const { type, oneOf } = resolved(property)
        if (type === undefined && oneOf === undefined) continue
        const wrong = { ...good, [name]: type === 'string' ? { not: 'text' } : 'not this' }
        const answer = await problem(await withoutTrace(() => send(route, wrong)))
        expect(answer).toMatchObject({ status: 400, code: 'invalid_request', path: `/${name}` })
      }
      for (const name of schema.required ?? []) {
        const { [name]: _, ...rest } = good
        const answer = await problem(await withoutTrace(() => send(route, rest)))
        expect(answer).toMatchObject({ status: 400, code: 'invalid_request', path: `/${name}` })
      }
    },
  )

  it.each(withBody)('H06 $name refuses bytes that are not UTF-8, and other content types', async route => {
    const headers = { authorization: `Bearer ${kit.token}`, 'content-type': 'application/json' }
    const bytes = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)
    const response = await kit.app.request(`/api${route.url}`, { method: route.method, headers, body: bytes })
    expect(await problem(response)).toMatchObject({ status: 400, code: 'invalid_request' })
    const body = JSON.stringify(route.example)
    const typed = await withoutTrace(() => send(route, body, { 'content-type': 'text/plain' }))
    expect(await problem(typed)).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  it.each(withBody)('H05 $name gives up on a body that grows too large or does not come', async route => {
    const headers = { authorization: `Bearer ${kit.token}`, 'content-type': 'application/json' }
    const endless = (pull?: (controller: ReadableStreamDefaultController) => void) =>
      kit.app.request(`/api${route.url}`, {
        method: route.method,
        headers,
        body: new ReadableStream(pull ? { pull } : {}),
        duplex: 'half',
      } as RequestInit)
    const large = await endless(controller => controller.enqueue(new Uint8Array(1000).fill(0x20)))
    expect([large.headers.get('connection'), await problem(large)]).toMatchObject(['close', { status: 413 }])
    const slow = await endless()
    expect([slow.headers.get('connection'), await problem(slow)]).toMatchObject([
      'close',
      { status: 408, code: 'body_incomplete' },
    ])
  })

  it.each(keyed)('P-408 $name refuses an Idempotency-Key that is none', async route => {
    const response = await send(route, route.example, { 'idempotency-key': 'a b' })
    expect(await problem(response)).toMatchObject({ status: 400, code: 'invalid_request' })
  })
})

describe('every query', () => {
  const cases = routes.flatMap(route =>
    (route.operation.parameters ?? [])
      .filter(parameter => parameter.in === 'query' && parameter.schema.type === 'integer')
      .flatMap(({ name, schema }) =>
        [`${(schema.minimum ?? 0) - 1}`, '1.5', 'x', '', '1e3', '99999999999999999999'].map(
          value => [route.name, name, value, route] as const,
        ),
      ),
  )

  it.each(cases)('H06 %s refuses %s=%s', async (_name, name, value, route) => {
    const response = await kit.as('ann', 'GET', `${route.url}?${name}=${value}`)
    expect(await problem(response)).toMatchObject({ status: 400, code: 'invalid_request', path: `/${name}` })
  })

  it.each(['s=mine', 's=mine:', 's=:1', 's=mine:-1', 's=mine:1.5', 'list=2', `s=${'x'.repeat(201)}:1`])(
    'H06 GET /stream refuses %s',
    async query => {
      expect(await problem(await kit.as('ann', 'GET', `/stream?${query}`))).toMatchObject({
        status: 400,
        code: 'invalid_request',
      })
    },
  )

  it('H06 NUL in a query, a foreign cursor and a wrong Last-Event-ID are refused', async () => {
    expect((await problem(await kit.as('ann', 'GET', '/sessions?q=%00'))).code).toBe('invalid_text')
    expect((await problem(await kit.as('ann', 'GET', '/sessions?cursor=zzz'))).status).toBe(400)
    const headers = { 'last-event-id': '1; drop' }
    const response = await kit.as('ann', 'GET', `/sessions/${MINE}/events`, undefined, headers)
    expect(await problem(response)).toMatchObject({ status: 400, code: 'invalid_request', path: '/last-event-id' })
  })
})

describe('P-473 a command that was written wrongly', () => {
  it.each<[string, string, unknown, object]>([
    [
      'a field in another case',
      '/sessions',
      { agentID: 'b' },
      { path: '/agentID', detail: 'There is no field agentID.', next: 'Did you mean agentId?' },
    ],
    [
      'a field that nothing is like',
      `/sessions/${MINE}/turns`,
      { turnId: 't', text: 'Hello', priority: 1 },
      { path: '/priority', next: 'The fields are text, context, mode, files, turnId.' },
    ],
    [
      'a field inside of a field',
      '/sessions',
      { parent: { sessionId: MINE, turnId: 't', input: { txet: 'Hello', text: 'Hello' } } },
      { path: '/parent/input/txet', next: 'Did you mean text?' },
    ],
    [
      'a missing field',
      `/sessions/${MINE}/turns`,
      { text: 'Hello' },
      {
        path: '/turnId',
        detail: 'turnId is missing.',
        next: 'Send turnId. The id of the turn. Chosen by the caller; sent again, the command gets its first answer again.',
      },
    ],
  ])('P-473 %s is refused with its place and what to do', async (_, path, body, expected) => {
    const response = await withoutTrace(() => kit.as('ann', 'POST', path, body))
    expect(response.status).toBe(400)
    expect(await problem(response)).toMatchObject({ code: 'invalid_request', ...expected })
  })

  it('P-473 P-008 the published schemas of commands refuse what the server refuses', () => {
    for (const { body, example } of withBody) {
      const check = validator({ $ref: `#/components/schemas/${body}` })
      expect([body, check(example), check({ ...(example as object), nobodyKnows: 1 })]).toEqual([body, true, false])
    }
  })
})
