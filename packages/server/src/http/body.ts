import { formatPointer } from '@vitrine/protocol'
import { isText } from '@vitrine/protocol/schema'
import type { Context } from 'hono'
import type { z } from 'zod'
import { Refusal } from '../refusal.ts'
import { commandRefusal } from './command-refusal.ts'
import type { ApiEnv } from './env.ts'

/** How large the body of a request may be, and how long it may take to arrive. */
export interface BodyLimits {
  maxBodyBytes: number
  bodyTimeoutMs: number
}

export const bodyLimits: BodyLimits = { maxBodyBytes: 1.25 * 1024 * 1024, bodyTimeoutMs: 10_000 }

const MAX_DEPTH = 64
const JSON_TYPE = /^application\/json\s*(;|$)/i

/** The body as text: JSON by its content type, small enough, in time, in UTF-8. Read once and kept. */
export async function readBody(c: Context<ApiEnv>, limits: BodyLimits): Promise<string> {
  const type = c.req.header('content-type')
  const body = c.get('body') ?? (type === undefined || JSON_TYPE.test(type) ? readLimited(c.req.raw, limits) : null)
  // Only a request without a body needs no content type.
  if (body === null || (type === undefined && (await body) !== '')) {
    throw new Refusal('unsupported_media_type', 'The body must be JSON.', { next: 'Send application/json.' })
  }
  c.set('body', body)
  return body
}

/** The body as the command it must be. An empty one counts as `{}`. */
export async function readCommand<S extends z.ZodType>(
  c: Context<ApiEnv>,
  schema: S,
  limits: BodyLimits,
): Promise<z.infer<S>> {
  const text = await readBody(c, limits)
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch (error) {
    throw new Refusal('invalid_request', `The body is not JSON: ${placeOf(error as Error)}`, { path: '' })
  }
  checkValues(value)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw commandRefusal(schema, value, parsed.error)
}

/** Where JSON ends to be JSON. The message of the parser also quotes the body, which may hold a key (L10). */
function placeOf({ message }: Error): string {
  const place = /at position \d+|at line \d+ column \d+|\(line \d+ column \d+\)/.exec(message)?.[0]
  return place === undefined ? 'it ends too early, or something in it is no JSON.' : `something is wrong ${place}.`
}

async function readLimited(request: Request, { maxBodyBytes, bodyTimeoutMs }: BodyLimits): Promise<string> {
  const tooLarge = () => new Refusal('too_large', `The body is larger than ${maxBodyBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge()
  const reader = request.body?.getReader()
  if (!reader) return ''
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Refusal('body_incomplete', `The body did not arrive within ${bodyTimeoutMs / 1000} s.`)
    timer = setTimeout(() => reject(error), bodyTimeoutMs)
  })
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let text = ''
    let bytes = 0
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late])
      if (done) return text + decode(decoder)
      bytes += value.byteLength
      if (bytes > maxBodyBytes) throw tooLarge()
      text += decode(decoder, value)
    }
  } catch (error) {
    reader.cancel().catch(() => {})
    if (error instanceof Refusal) throw error
    throw new Refusal('body_incomplete', 'The connection ended before the body did.')
  } finally {
    clearTimeout(timer)
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch {
    throw new Refusal('invalid_request', 'The body is not UTF-8.', { path: '' })
  }
}

/** A value and the way to it; the path is only spelled out when something is wrong with it. */
interface Place {
  value: unknown
  key: string
  parent: Place | undefined
  depth: number
}

function pointer(place: Place | undefined): string {
  const keys: string[] = []
  for (let at = place; at?.parent; at = at.parent) keys.unshift(at.key)
  return formatPointer(keys)
}

/** What no schema should have to think of: depth, text that cannot be stored, numbers that are none, `__proto__`. */
function checkValues(root: unknown) {
  const rest: Place[] = [{ value: root, key: '', parent: undefined, depth: 0 }]
  for (let place = rest.pop(); place; place = rest.pop()) {
    const { value, depth } = place
    if (typeof value === 'string' && !isText(value)) throw badText(pointer(place))
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new Refusal('invalid_request', 'The number is too large.', { path: pointer(place) })
    }
    if (typeof value !== 'object' || value === null) continue
    if (depth >= MAX_DEPTH) {
      throw new Refusal('invalid_request', `The body is nested deeper than ${MAX_DEPTH}.`, { path: pointer(place) })
    }
    for (const key of Object.keys(value)) {
      if (!isText(key)) throw badText(pointer(place))
      const inner = { value: (value as Record<string, unknown>)[key], key, parent: place, depth: depth + 1 }
      if (key === '__proto__') {
        throw new Refusal('invalid_request', 'This key is not allowed.', { path: pointer(inner) })
      }
      rest.push(inner)
    }
  }
}

export const badText = (path: string): Refusal =>
  new Refusal('invalid_text', 'Text must be well-formed Unicode without NUL.', { path })
