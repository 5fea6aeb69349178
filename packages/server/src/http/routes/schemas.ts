import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { jsonSchemas } from '@vitrine/protocol/schema'
import { Refusal } from '../../refusal.ts'
import type { Api, ApiEnv } from '../env.ts'
import { described, pathId, problemExamples, serve, tags } from '../route.ts'
import { componentSchemas } from '../schemas.ts'

const info = {
  title: 'Vitrine',
  version: '1',
  description:
    'Sessions, their runs and their events. Every refusal is a problem document (RFC 9457) with a stable `code`. Every write whose answer may be kept takes an `Idempotency-Key`, beside the id that its body may have. Lists come in pages.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

/** `signIn` says whether people sign in by the printed URL; how else they do it, only the program knows that mounts the server. */
export function schemaRoutes(app: OpenAPIHono<ApiEnv>, { streams, limits, basePath }: Api, signIn: boolean): void {
  const schemas = new Map(Object.entries(jsonSchemas()))
  let document: Record<string, unknown> | undefined

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/health',
      operationId: 'getHealth',
      tag: 'server',
      summary: 'Says that the server answers',
      description: '`bootId` tells one start of the server from another.',
      answers: { status: 200, bodies: ['Health'], description: 'The server answers.' },
      refusals: [],
    },
    async () => ({ status: 'ok', bootId: streams.bootId }),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      tag: 'server',
      summary: 'Gives this description',
      description: 'The document describes every operation of this server.',
      answers: { status: 200, bodies: ['OpenApiDocument'], description: 'The OpenAPI 3.1 document.' },
      refusals: [],
    },
    async () => {
      document ??= documentOf(app, basePath, signIn)
      return document
    },
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/schemas',
      operationId: 'listSchemas',
      tag: 'server',
      summary: 'Lists the JSON Schemas of all events, commands and answers',
      description: 'Each schema can be read at its own address.',
      answers: { status: 200, bodies: ['SchemaList'], description: 'Their names and addresses.' },
      refusals: [],
    },
    async () => ({ schemas: [...schemas.keys()].map(name => ({ name, url: `${basePath}/api/schemas/${name}.json` })) }),
  )

  app.openapi(
    described({
      method: 'get',
      path: '/schemas/{file}',
      operationId: 'getSchema',
      tag: 'server',
      summary: 'Gives one JSON Schema',
      description: 'The file is the name of the schema and `.json`.',
      params: z.object({ file: pathId('file', 'event.run.started.json', 'The name of the schema and `.json`') }),
      answers: { status: 200, bodies: ['JsonSchema'], description: 'The JSON Schema (2020-12).' },
      refusals: ['not_found'],
    }),
    c => {
      const name = /^(.+)\.json$/.exec(c.req.valid('param').file)?.[1]
      const schema = name === undefined ? undefined : schemas.get(name)
      if (!schema) {
        throw new Refusal('not_found', 'There is no such schema.', { next: 'GET /api/schemas lists them.' })
      }
      return c.body(JSON.stringify(schema), 200, { 'content-type': 'application/schema+json' })
    },
  )
}

function documentOf(app: OpenAPIHono<ApiEnv>, basePath: string, signIn: boolean): Record<string, unknown> {
  const security = signIn ? [{ cookie: [] }, { bearer: [] }] : []
  const listed = Object.entries(tags).map(([name, description]) => ({ name, description }))
  const head = { openapi: '3.1.0', info, servers: [{ url: `${basePath}/api` }], security, tags: listed }
  const { paths } = app.getOpenAPI31Document(head)
  const schemas = usedOf('schemas', paths, componentSchemas())
  const examples = usedOf('examples', paths, problemExamples())
  return { ...head, paths, components: { schemas, examples, ...(signIn && { securitySchemes }) } }
}

const securitySchemes = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'vitrine_<instance>',
    description: 'The cookie that the printed URL sets',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of the printed URL' },
}

/** Those components that the operations use, directly or through other components. */
function usedOf<T>(kind: 'schemas' | 'examples', paths: unknown, all: Record<string, T>): Record<string, T> {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    // The names of a discriminator are references as well.
    for (const [, name = ''] of JSON.stringify(value).matchAll(new RegExp(`"#/components/${kind}/(\\w+)"`, 'g'))) {
      if (used.has(name) || !Object.hasOwn(all, name)) continue
      used.add(name)
      visit(all[name])
    }
  }
  visit(paths)
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)))
}
