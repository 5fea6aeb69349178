import type { Problem } from '@vitrine/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKit, type Kit } from './app.test.kit.ts'
import { type AppOptions, createApp } from './app.ts'
import { bodyLimits } from './body.ts'
import { examples } from './examples.ts'
import { componentSchemas, type SchemaName } from './schemas.ts'

interface Operation {
  summary?: string
  description?: string
  requestBody?: { required: boolean; content: Record<string, { schema: { $ref: string }; example: unknown }> }
  parameters?: { name: string; in: string; required?: boolean; schema: { type?: string } }[]
  responses: Record<string, { description?: string; content?: Record<string, { schema: object; example?: unknown }> }>
}

interface Route {
  name: string
  method: string
  path: string
  operation: Operation
  /** The path with an example for each parameter. */
  url: string
  schema: SchemaName | undefined
}

// The document is needed while tests are listed: it comes from an app with nothing behind it.
const described = createApp({
  auth: { authorise: () => 'ann' },
  streams: {},
  limits: bodyLimits,
} as unknown as AppOptions)
const document = (await (await described.request('/api/openapi.json')).json()) as {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}
let kit: Kit
const MINE = 'mine'
const THEIRS = 'theirs'

// Every route that the document has is attacked: a new one cannot be forgotten.
const routes: Route[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
    url: path.replace('{sessionId}', MINE).replaceAll(/\{\w+\}/g, 'none'),
    schema: operation.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1) as SchemaName | undefined,
  })),
)
const writes = routes.filter(route => route.method !== 'GET')
/** All but the change of the token: its answer is a secret and is not kept. */
const keyed = writes.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'Idempotency-Key'))
const withBody = routes.filter(route => route.schema !== undefined)
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

describe('the OpenAPI document', () => {
  it('P-405 has every route of the app', () => {
    const served = new Set(
      kit.app.routes
        .filter(route => route.path.startsWith('/api/') && route.method !== 'ALL')
        .map(({ method, path }) => `${method} ${path.slice(4).replaceAll(/:(\w+)/g, '{$1}')}`),
    )
    expect([...served].sort()).toEqual(routes.map(route => route.name).sort())
    expect(routes.length).toBeGreaterThan(25)
    expect(keyed).toHaveLength(writes.length - 1)
  })

  it.each(routes)('P-405 $name is described, with examples that fit their schemas', ({ path, operation }) => {
    expect(operation.summary).toMatch(/\w{3}/)
    for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
      expect(operation.parameters).toContainEqual(expect.objectContaining({ name, in: 'path', required: true }))
    }
    const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap(part =>
      Object.values(part?.content ?? {}),
    )
    for (const { schema, example } of contents) {
      expect(example).toBeDefined()
      expect(validator(schema)(example), JSON.stringify(example)).toBe(true)
    }
    for (const status of ['401', '403', '500']) expect(operation.responses[status]).toBeDefined()
    expect(Object.keys(operation.responses).some(status => status.startsWith('2'))).toBe(true)
  })

  it('P-405 every reference in it leads somewhere', () => {
    const schemas = componentSchemas()
    for (const [, name] of JSON.stringify(document).matchAll(/#\/components\/schemas\/([^"]+)/g)) {
      expect(Object.keys(schemas)).toContain(name)
    }
    expect(JSON.stringify(document)).not.toContain('#/$defs/')
  })

  it('P-406 the JSON Schemas of all events and commands are listed and served', async () => {
    const { schemas } = (await (await kit.as('ann', 'GET', '/schemas/')).json()) as {
      schemas: { name: string; url: string }[]
    }
    expect(schemas.map(schema => schema.name)).toEqual(
      expect.arrayContaining(['event', 'event.run.started', 'command.submitTurn']),
    )
    for (const { url } of schemas) {
      const response = await kit.as('ann', 'GET', url.slice(4))
      expect(response.headers.get('content-type')).toBe('application/schema+json')
      new Ajv2020({ strict: false, validateFormats: false }).compile((await response.json()) as object)
    }
    expect((await kit.as('ann', 'GET', '/schemas/none.json')).status).toBe(404)
    expect((await kit.as('ann', 'GET', '/schemas/event')).status).toBe(404)
  })
})

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'api', components: document.components })
const validator = (schema: object) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')))

describe('answers', () => {
  it.each(routes.filter(route => route.method === 'GET' && !/stream|blobs|file|parts/.test(route.path)))(
    'P-405 $name answers as its schema says',
    async route => {
      const response = await kit.as('ann', 'GET', route.url, undefined, { accept: 'application/json' })
      expect(response.status).toBe(200)
      const schema = route.operation.responses['200']!.content!['application/json']!.schema
      const check = validator(schema)
      expect(check(await response.json()), JSON.stringify(check.errors)).toBe(true)
    },
  )
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
    const body = route.schema && examples[route.schema]
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
      const body = route.schema && examples[route.schema]
      const response = await withoutTrace(() => send(route, body))
      expect([404, 409]).toContain(response.status)
      await problem(response)
    },
  )

  it.each(writes)('H01 $name refuses another site', async route => {
    const body = route.schema && examples[route.schema]
    const response = await withoutTrace(() => send(route, body, { origin: 'https://evil.example' }))
    expect(await problem(response)).toMatchObject({ status: 403, code: 'cross_site' })
  })
})

describe('every body', () => {
  const bodies: [what: string, body: string, expected: Partial<Problem>][] = [
    ['no JSON', '{"text":', { status: 400, code: 'invalid_json' }],
    ['no JSON at all', 'turn=1', { status: 400, code: 'invalid_json' }],
    ['a list', '[]', { status: 400, code: 'invalid_body', path: '' }],
    ['null', 'null', { status: 400, code: 'invalid_body', path: '' }],
    ['a number', '7', { status: 400, code: 'invalid_body', path: '' }],
    ['a lone surrogate', '{"text":"\\ud800"}', { status: 400, code: 'invalid_text', path: '/text' }],
    ['NUL deep inside', '{"a":{"b/c":["\\u0000"]}}', { status: 400, code: 'invalid_text', path: '/a/b~1c/0' }],
    ['NUL in a key', '{"a":{"\\u0000":1}}', { status: 400, code: 'invalid_text', path: '/a' }],
    ['a huge number', '{"n":1e999}', { status: 400, code: 'invalid_number', path: '/n' }],
    [
      '__proto__',
      '{"metadata":{"__proto__":{"x":1}}}',
      { status: 400, code: 'invalid_key', path: '/metadata/__proto__' },
    ],
    ['great depth', `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`, { status: 400, code: 'too_deep' }],
    ['too many bytes', JSON.stringify({ text: 'x'.repeat(20_001) }), { status: 413, code: 'body_too_large' }],
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
      const schema = componentSchemas()[route.schema!] as {
        properties: Record<string, { type?: string }>
        required?: string[]
      }
      const good = examples[route.schema!] as Record<string, unknown>
      for (const name of Object.keys(schema.properties)) {
        if (schema.properties[name]!.type === undefined) continue
        const wrong = { ...good, [name]: schema.properties[name]!.type === 'string' ? { not: 'text' } : 'not this' }
        const answer = await problem(await withoutTrace(() => send(route, wrong)))
        expect(answer).toMatchObject({ status: 400, code: 'invalid_body', path: `/${name}` })
      }
      for (const name of schema.required ?? []) {
        const { [name]: _, ...rest } = good
        const answer = await problem(await withoutTrace(() => send(route, rest)))
        expect(answer).toMatchObject({ status: 400, code: 'invalid_body', path: `/${name}` })
      }
    },
  )

  it.each(withBody)('H06 $name refuses bytes that are not UTF-8, and other content types', async route => {
    const headers = { authorization: `Bearer ${kit.token}`, 'content-type': 'application/json' }
    const bytes = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)
    const response = await kit.app.request(`/api${route.url}`, { method: route.method, headers, body: bytes })
    expect(await problem(response)).toMatchObject({ status: 400, code: 'invalid_json' })
    const body = JSON.stringify(examples[route.schema!])
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
      { status: 408, code: 'body_timeout' },
    ])
  })

  it.each(keyed)('P-408 $name refuses an Idempotency-Key that is none', async route => {
    const response = await send(route, route.schema && examples[route.schema], { 'idempotency-key': 'a b' })
    expect(await problem(response)).toMatchObject({ status: 400, code: 'invalid_header' })
  })
})

describe('every query', () => {
  const cases = routes.flatMap(route =>
    (route.operation.parameters ?? [])
      .filter(parameter => parameter.in === 'query' && parameter.schema.type === 'integer')
      .flatMap(({ name }) =>
        ['-1', '1.5', 'x', '', '1e3', '99999999999999999999'].map(value => [route.name, name, value, route] as const),
      ),
  )

  it.each(cases)('H06 %s refuses %s=%s', async (_name, name, value, route) => {
    const response = await kit.as('ann', 'GET', `${route.url}?${name}=${value}`)
    expect(await problem(response)).toMatchObject({ status: 400, code: 'invalid_query', path: `/${name}` })
  })

  it.each(['s=mine', 's=mine:', 's=:1', 's=mine:-1', 's=mine:1.5', 'list=2', `s=${'x'.repeat(201)}:1`])(
    'H06 GET /stream refuses %s',
    async query => {
      expect(await problem(await kit.as('ann', 'GET', `/stream?${query}`))).toMatchObject({
        status: 400,
        code: 'invalid_query',
      })
    },
  )

  it('H06 NUL in a query, a foreign cursor and a wrong Last-Event-ID are refused', async () => {
    expect((await problem(await kit.as('ann', 'GET', '/sessions?q=%00'))).code).toBe('invalid_text')
    expect((await problem(await kit.as('ann', 'GET', '/sessions?cursor=zzz'))).status).toBe(400)
    const headers = { 'last-event-id': '1; drop' }
    const response = await kit.as('ann', 'GET', `/sessions/${MINE}/events`, undefined, headers)
    expect(await problem(response)).toMatchObject({ status: 400, code: 'invalid_header', path: '/last-event-id' })
  })
})
