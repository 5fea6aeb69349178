import type { RefusalCode } from '@vitrine/protocol'
import { commandSchemas } from '@vitrine/protocol/schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKit, type Kit } from './app.test.kit.ts'
import { type ApiDocument, app, type DescribedOperation, document, routes, validator } from './document.test.kit.ts'
import { refusals } from './refusals.ts'

let kit: Kit
beforeAll(async () => {
  kit = await createKit()
})
afterAll(() => kit.close())

const copy = (): ApiDocument => JSON.parse(JSON.stringify(document)) as ApiDocument
const NAMED = /^#\/components\/schemas\/(\w+)$/
const isSentence = (text: string | undefined) => /^[A-Z`].{10,}\.$/s.test(text ?? '')

const text = { type: 'string', minLength: 1 }
const content = {
  type: 'object',
  minProperties: 1,
  additionalProperties: {
    type: 'object',
    properties: { schema: { type: 'object' }, example: {}, examples: { type: 'object' } },
    required: ['schema'],
    additionalProperties: false,
  },
}
const operation = {
  type: 'object',
  properties: {
    operationId: text,
    tags: { type: 'array', items: text },
    summary: text,
    description: text,
    parameters: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: text,
          in: { enum: ['path', 'query', 'header', 'cookie'] },
          required: { type: 'boolean' },
          description: text,
          schema: { type: 'object' },
          example: {},
        },
        required: ['name', 'in', 'schema'],
        additionalProperties: false,
        if: { properties: { in: { const: 'path' } } },
        // biome-ignore lint/suspicious/noThenProperty: this is a keyword of JSON Schema
        then: { properties: { required: { const: true } }, required: ['required'] },
      },
    },
    requestBody: {
      type: 'object',
      properties: { required: { type: 'boolean' }, description: text, content },
      required: ['content'],
      additionalProperties: false,
    },
    responses: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[1-5][0-9][0-9]$' },
      additionalProperties: {
        type: 'object',
        properties: { description: text, content },
        required: ['description'],
        additionalProperties: false,
      },
    },
  },
  required: ['responses'],
  additionalProperties: false,
}
/** What of OpenAPI 3.1 we use. Anything else in the document is a mistake. */
const shape = new Ajv2020().compile({
  type: 'object',
  properties: {
    openapi: { const: '3.1.0' },
    info: { type: 'object', properties: { title: text, version: text }, required: ['title', 'version'] },
    servers: { type: 'array', items: { type: 'object', properties: { url: text }, required: ['url'] } },
    security: { type: 'array' },
    tags: {
      type: 'array',
      items: { type: 'object', properties: { name: text, description: text }, required: ['name', 'description'] },
    },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: {
        type: 'object',
        propertyNames: { enum: ['get', 'post', 'put', 'patch', 'delete'] },
        additionalProperties: operation,
      },
    },
    components: {
      type: 'object',
      properties: {
        schemas: { type: 'object', propertyNames: { pattern: '^\\w+$' }, additionalProperties: { type: 'object' } },
        examples: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: { summary: text, value: {} },
            required: ['summary', 'value'],
            additionalProperties: false,
          },
        },
        securitySchemes: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: { type: { enum: ['apiKey', 'http'] }, description: text },
            required: ['type'],
          },
        },
      },
      additionalProperties: false,
    },
  },
  required: ['openapi', 'info', 'paths', 'components'],
  additionalProperties: false,
})

/** What is wrong with a document, in words. */
function faultsOf(given: ApiDocument): string[] {
  const faults: string[] = []
  if (!shape(given)) faults.push(...shape.errors!.map(error => `${error.instancePath} ${error.message}`))
  const { schemas } = given.components
  const ids = new Map<string, string>()
  for (const [path, operations] of Object.entries(given.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`
      const id = operation.operationId ?? ''
      if (!/^[a-z]+([A-Z][a-z]+)+$/.test(id)) faults.push(`${name} has no operation id of a verb and a noun`)
      if (ids.has(id)) faults.push(`${name} has the operation id of ${ids.get(id)}`)
      ids.set(id, name)
      faults.push(...operationFaults(path, operation, given).map(fault => `${name} ${fault}`))
    }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (!/^[A-Z]\w+$/.test(name)) faults.push(`The schema ${name} has no capital`)
    if (!schema.description) faults.push(`The schema ${name} has no description`)
    if (!name.endsWith('Command')) continue
    for (const [field, property] of Object.entries(schema.properties as Record<string, Record<string, unknown>>)) {
      const named = NAMED.exec(String(property.$ref))?.[1]
      if (!property.description && !schemas[named ?? '']?.description) faults.push(`${name}.${field} is not described`)
    }
  }
  for (const [, ref] of JSON.stringify(given).matchAll(/"\$ref":"([^"]+)"/g)) {
    const [, kind, name] = /^#\/components\/(schemas|examples)\/(\w+)$/.exec(ref!) ?? []
    if (!given.components[kind as 'schemas' | 'examples']?.[name!]) faults.push(`${ref} leads nowhere`)
  }
  return faults
}

function operationFaults(path: string, operation: DescribedOperation, given: ApiDocument): string[] {
  const faults: string[] = []
  const { summary = '', description, tags = [], parameters = [], responses, requestBody } = operation
  if (!/^[A-Z].{8,80}[^.]$/.test(summary)) faults.push('has no summary of one line')
  if (!isSentence(description)) faults.push('has no description in sentences')
  if (tags.length !== 1 || !given.tags.some(({ name }) => name === tags[0])) faults.push('has no tag of the document')
  for (const parameter of parameters) {
    if (!parameter.description) faults.push(`does not describe its parameter ${parameter.name}`)
  }
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    const known = parameters.some(parameter => parameter.name === name && parameter.in === 'path')
    if (!known) faults.push(`does not have the parameter ${name} of its path`)
  }
  const bodies = [
    ['body', requestBody] as const,
    ...Object.entries(responses).map(([status, response]) => [status, response] as const),
  ]
  for (const [where, part] of bodies) {
    for (const { schema, example, examples } of Object.values(part?.content ?? {})) {
      if (!NAMED.test(String(schema.$ref)) || Object.keys(schema).length > 1) {
        faults.push(`has a schema without a name at ${where}`)
      }
      if (example === undefined && examples === undefined) faults.push(`has no example at ${where}`)
    }
  }
  for (const [status, { description }] of Object.entries(responses)) {
    if (!isSentence(description)) faults.push(`does not say what ${status} means`)
  }
  if (!Object.keys(responses).some(status => status.startsWith('2'))) faults.push('has no answer')
  for (const status of ['400', '401', '403', '500'])
    if (!responses[status]) faults.push(`cannot be refused with ${status}`)
  return faults
}

describe('the OpenAPI document', () => {
  it('P-449 is valid, and describes every operation, parameter, body and field of a command', () => {
    expect(faultsOf(document)).toEqual([])
  })

  it.each<[what: string, spoil: (operation: DescribedOperation) => void, fault: string]>([
    ['an operation id', operation => delete operation.operationId, 'has no operation id of a verb and a noun'],
    ['an id of its own', operation => (operation.operationId = 'getHealth'), 'has the operation id of'],
    ['a description', operation => delete operation.description, 'has no description in sentences'],
    ['a summary', operation => delete operation.summary, 'has no summary of one line'],
    ['a tag', operation => (operation.tags = ['other']), 'has no tag of the document'],
    [
      'a described parameter',
      ({ parameters }) => delete parameters![0]!.description,
      'does not describe its parameter',
    ],
    ['its path parameter', operation => (operation.parameters = []), 'does not have the parameter sessionId'],
    [
      'a named body',
      ({ requestBody }) => (requestBody!.content['application/json']!.schema = { type: 'object' }),
      'has a schema without a name at body',
    ],
    [
      'a named answer',
      ({ responses }) => (responses['202']!.content!['application/json']!.schema = { type: 'object' }),
      'has a schema without a name at 202',
    ],
    [
      'the meaning of a refusal',
      ({ responses }) => (responses['409']!.description = 'No'),
      'does not say what 409 means',
    ],
  ])('P-449 a document with an operation without %s is found out', (_what, spoil, fault) => {
    const spoiled = copy()
    spoil(spoiled.paths['/sessions/{sessionId}/turns']!.post!)
    expect(faultsOf(spoiled).join('\n')).toContain(fault)
  })

  it('P-449 a schema or a field without description, and a reference that leads nowhere, are found out', () => {
    const spoiled = copy()
    const { Queue, SubmitTurnCommand } = spoiled.components.schemas
    delete Queue!.description
    const properties = SubmitTurnCommand!.properties as Record<string, { description?: string }>
    delete properties.turnId!.description
    delete spoiled.components.schemas.QueueHeld
    expect(faultsOf(spoiled)).toEqual([
      'The schema Queue has no description',
      'SubmitTurnCommand.turnId is not described',
      '#/components/schemas/QueueHeld leads nowhere',
    ])
  })

  it('P-405 has every route of the app', () => {
    const served = new Set(
      app.routes
        .filter(route => route.path.startsWith('/api/') && route.method !== 'ALL')
        .map(({ method, path }) => `${method} ${path.slice(4).replaceAll(/:(\w+)/g, '{$1}')}`),
    )
    expect([...served].sort()).toEqual(routes.map(route => route.name).sort())
    expect(routes.length).toBeGreaterThan(25)
  })

  it('P-403 P-405 every write takes an Idempotency-Key, except the one whose answer is a secret and those that only ask a source', () => {
    const writes = routes.filter(({ method }) => method !== 'GET')
    const without = writes.filter(
      ({ operation }) =>
        !operation.parameters?.some(({ name, in: where }) => name === 'Idempotency-Key' && where === 'header'),
    )
    expect(without.map(({ operation }) => operation.operationId)).toEqual(['rotateToken', 'fillPrompt', 'readResource'])
  })

  it('R-19 P-405 an operation that takes a body has the name of its command, and every command has its operation', () => {
    const named = routes.flatMap(({ body, operation }) => (body === undefined ? [] : [[operation.operationId, body]]))
    const expected = Object.keys(commandSchemas).map(name => [name, `${name[0]!.toUpperCase()}${name.slice(1)}Command`])
    expect(named.sort()).toEqual(expected.sort())
  })

  it.each(routes)('P-405 $name has examples that fit their schemas', ({ operation }) => {
    const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap(part =>
      Object.values(part?.content ?? {}),
    )
    for (const { schema, example, examples = {} } of contents) {
      const named = Object.values(examples).map(
        ({ $ref }) => document.components.examples[$ref.split('/').at(-1)!]!.value,
      )
      const given = example === undefined ? named : [example, ...named]
      for (const one of given) expect(validator(schema)(one), JSON.stringify(one)).toBe(true)
    }
  })

  it('P-401 P-449 every code that the server refuses with is listed, under its status, where it can be given', () => {
    const listed = new Set<string>()
    for (const { operation } of routes) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        for (const code of Object.keys(content?.['application/problem+json']?.examples ?? {})) {
          expect([code, refusals[code as RefusalCode][0]]).toEqual([code, Number(status)])
          listed.add(code)
        }
      }
    }
    expect(Object.keys(refusals).filter(code => !listed.has(code))).toEqual([])
  })

  it('P-405 its schemas are JSON Schemas, and each event has a name', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect([name, ajv.validateSchema(schema)]).toEqual([name, true])
    }
    expect(JSON.stringify(document)).not.toMatch(/"\$(defs|id|schema)"/)
    const { oneOf, discriminator } = document.components.schemas.SessionEvent as {
      oneOf: { $ref: string }[]
      discriminator: { mapping: Record<string, string> }
    }
    expect(oneOf).toContainEqual({ $ref: '#/components/schemas/RunStartedEvent' })
    expect(Object.values(discriminator.mapping).sort()).toEqual(oneOf.map(({ $ref }) => $ref).sort())
  })

  it('P-474 every component is used, no path ends in a slash, and no schema holds itself without a name', () => {
    const text = JSON.stringify(document)
    for (const kind of ['schemas', 'examples'] as const) {
      const unused = Object.keys(document.components[kind]).filter(
        name => !text.includes(`"#/components/${kind}/${name}"`),
      )
      expect(unused).toEqual([])
    }
    expect(Object.keys(document.paths).filter(path => path.endsWith('/'))).toEqual([])
    const { Json, JsonArray, JsonObject } = document.components.schemas
    const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(Json!.anyOf).toEqual(expect.arrayContaining([refTo('JsonArray'), refTo('JsonObject')]))
    expect([JsonArray!.items, JsonObject!.additionalProperties]).toEqual([refTo('Json'), refTo('Json')])
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const itself = name.startsWith('Json') ? '' : JSON.stringify(schema)
      expect([name, itself.includes(`"#/components/schemas/${name}"`)]).toEqual([name, false])
    }
  })

  it('P-406 the JSON Schemas of all events, commands and answers are listed and served', async () => {
    const { schemas } = (await (await kit.as('ann', 'GET', '/schemas')).json()) as {
      schemas: { name: string; url: string }[]
    }
    expect(schemas.map(schema => schema.name)).toEqual(
      expect.arrayContaining(['event', 'event.run.started', 'command.submitTurn', 'answer.TurnStarted']),
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
