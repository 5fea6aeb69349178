import type { CommandName } from '@vitrine/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type AppOptions, createApp } from './app.ts'
import { bodyLimits } from './body.ts'
import { commandExamples } from './examples.ts'
import { commandComponent } from './schemas.ts'

interface MediaType {
  schema: Record<string, unknown>
  example?: unknown
  examples?: Record<string, { $ref: string }>
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: { type?: string; minimum?: number }
}

export interface DescribedOperation {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  parameters?: Parameter[]
  responses: Record<string, { description?: string; content?: Record<string, MediaType> }>
}

export interface ApiDocument {
  openapi: string
  info: Record<string, unknown>
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  components: {
    schemas: Record<string, Record<string, unknown>>
    examples: Record<string, { summary: string; value: unknown }>
    securitySchemes: Record<string, object>
  }
}

/** An operation of the document, as tests call it. */
export interface DescribedRoute {
  name: string
  method: string
  path: string
  operation: DescribedOperation
  /** The name of the schema of its body, and an example of it. */
  body: string | undefined
  example: unknown
}

// The document is needed while tests are listed: it comes from an app with nothing behind it.
export const app = createApp({
  auth: { authorise: async () => ({ id: 'ann', kind: 'person' }), link: {} },
  streams: {},
  basePath: '',
  limits: bodyLimits,
} as unknown as AppOptions)

export const document = (await (await app.request('/api/openapi.json')).json()) as ApiDocument

const commands = new Map(
  Object.entries(commandExamples).map(([name, example]) => [commandComponent(name as CommandName), example]),
)

export const routes: DescribedRoute[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => {
    const ref = operation.requestBody?.content['application/json']?.schema.$ref as string | undefined
    const body = ref?.split('/').at(-1)
    const name = `${method.toUpperCase()} ${path}`
    const example = body === undefined ? undefined : commands.get(body)
    return { name, method: method.toUpperCase(), path, operation, body, example }
  }),
)

const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false })
ajv.addSchema({ $id: 'api', components: document.components })
export const validator = (schema: object) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')))

/** The schema itself, also when it is given by its name. */
export function resolved(schema: Record<string, unknown>): Record<string, unknown> {
  const ref = schema.$ref as string | undefined
  return ref === undefined ? schema : document.components.schemas[ref.split('/').at(-1)!]!
}

const validators = new Map<string, ReturnType<typeof validator>>()
const matchers = routes.map(route => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** What of this answer the document does not say: a body of another shape, a code that is not listed. */
export async function undescribed(method: string, path: string, response: Response): Promise<string[]> {
  const { pathname } = new URL(path, 'http://api')
  const operation = matchers.find(({ route, pattern }) => route.method === method && pattern.test(pathname))?.route
  const [type] = (response.headers.get('content-type') ?? '').split(';')
  if (!operation || !type?.endsWith('json') || response.headers.has('content-encoding')) return []
  const name = `${operation.name} ${response.status}`
  const described = operation.operation.responses[response.status]?.content?.[type]
  if (!described) return [`${name} ${type} is not described`]
  const body = (await response.clone().json()) as { code?: string }
  if (type === 'application/problem+json') {
    return Object.hasOwn(described.examples ?? {}, body.code ?? '') ? [] : [`${name} ${body.code} is not listed`]
  }
  const key = JSON.stringify(described.schema)
  const check = validators.get(key) ?? validator(described.schema)
  validators.set(key, check)
  return check(body) ? [] : [`${name}: ${JSON.stringify(check.errors)}`]
}
