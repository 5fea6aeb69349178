import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { jsonSchemas } from '@vitrine/protocol/schema'
import { Refusal } from '../../runtime/runtime.ts'
import { pathId, reads } from '../describe.ts'
import type { Api, ApiEnv } from '../env.ts'
import { componentSchemas } from '../schemas.ts'

const info = {
  title: 'Vitrine',
  version: '1',
  description: 'Sessions, runs and their events. Errors are problem documents with a stable `code`.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

export function schemaRoutes(app: OpenAPIHono<ApiEnv>, { streams }: Api): void {
  const schemas = new Map(Object.entries(jsonSchemas()))
  let document: object | undefined

  app.openapi(
    createRoute({
      method: 'get',
      path: '/health',
      tags: ['server'],
      summary: 'Whether the server answers, and which start of it',
      responses: reads({ 200: ['It does', 'Health'] }),
    }),
    c => c.json({ status: 'ok', bootId: streams.bootId }, 200),
  )

  app.openapi(
    createRoute({
      method: 'get',
      path: '/openapi.json',
      tags: ['server'],
      summary: 'This description',
      responses: reads({ 200: ['OpenAPI 3.1', 'Document'] }),
    }),
    c => {
      document ??= describe(app)
      return c.json(document, 200)
    },
  )

  app.openapi(
    createRoute({
      method: 'get',
      path: '/schemas/',
      tags: ['server'],
      summary: 'The JSON Schemas of all events and commands',
      responses: reads({ 200: ['Their names and addresses', 'SchemaList'] }),
    }),
    c => c.json({ schemas: [...schemas.keys()].map(name => ({ name, url: `/api/schemas/${name}.json` })) }, 200),
  )

  app.openapi(
    createRoute({
      method: 'get',
      path: '/schemas/{file}',
      tags: ['server'],
      summary: 'One JSON Schema, by its name and `.json`',
      request: { params: z.object({ file: pathId('file', 'event.run.started.json') }) },
      responses: reads({ 200: ['JSON Schema 2020-12', 'Document', 'application/schema+json'] }, 404),
    }),
    c => {
      const name = /^(.+)\.json$/.exec(c.req.valid('param').file)?.[1]
      const schema = name === undefined ? undefined : schemas.get(name)
      if (!schema) throw new Refusal(404, 'not_found', 'There is no such schema.', 'GET /api/schemas/ lists them.')
      return c.body(JSON.stringify(schema), 200, { 'content-type': 'application/schema+json' })
    },
  )
}

function describe(app: OpenAPIHono<ApiEnv>): object {
  const security = [{ cookie: [] }, { bearer: [] }]
  const written = app.getOpenAPI31Document({ openapi: '3.1.0', info, servers: [{ url: '/api' }], security })
  return {
    ...written,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'vitrine_<instance>' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of the printed URL' },
      },
    },
  }
}
