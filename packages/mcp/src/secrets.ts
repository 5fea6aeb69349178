import { isObject, type Json, MASK } from '@vitrine/protocol'
import type { McpServerConfig } from './config.ts'

/** Puts a mask in the place of every secret of one server. */
export interface SecretMask {
  text(text: string): string
  /** A copy in which no text has a secret. Bytes in base64 stay as they are. */
  data<T>(data: T): T
}

const NAMES_SECRET = /pass|secret|token|key|auth|credential|cookie|session|signature/i
/** Headers whose values say nothing about who asks. */
const PLAIN_HEADERS = /^(accept|accept-language|content-type|user-agent|cache-control)$/i
/** What is in the environment and is plainly no secret: a path, an address without a password, a short word. */
const PLAIN_VALUE = /^(?:[./~]|[A-Za-z]:[\\/]|https?:\/\/[^@]*$)|^.{0,7}$/

/** Finds the secrets in a configuration, and masks them wherever the server repeats them. */
export function secretMask({ transport }: McpServerConfig): SecretMask {
  const secrets = new Set<string>()
  const add = (value: string): void => {
    if (value.length < 4) return
    secrets.add(value)
    // The server may tell the value without the scheme before it, or as an address writes it.
    const bare = /^(?:bearer|basic|token)\s+(\S{4,})$/i.exec(value)?.[1]
    if (bare !== undefined) secrets.add(bare)
    if (encodeURIComponent(value) !== value) secrets.add(encodeURIComponent(value))
  }
  if (transport.kind === 'http') {
    for (const [name, value] of Object.entries(transport.headers ?? {})) if (!PLAIN_HEADERS.test(name)) add(value)
    const { username, password, searchParams } = new URL(transport.url)
    for (const part of [decoded(username), decoded(password), ...searchParams.values()]) add(part)
  } else {
    for (const [name, value] of Object.entries(transport.env ?? {})) {
      if (NAMES_SECRET.test(name) || !PLAIN_VALUE.test(value)) add(value)
    }
    for (const secret of secretArguments(transport.args ?? [])) add(secret)
  }
  // A longer secret may contain a shorter one.
  const ordered = [...secrets].sort((a, b) => b.length - a.length)
  const text = (given: string): string => ordered.reduce((masked, secret) => masked.replaceAll(secret, MASK), given)
  if (ordered.length === 0) return { text: given => given, data: given => given }
  return { text, data: given => masked(given as Json, text) as typeof given }
}

/** `--api-key=…`, and what stands behind `--api-key`. */
function secretArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const [name = '', ...rest] = arg.split('=')
    if (!name.startsWith('-') || !NAMES_SECRET.test(name)) return []
    if (rest.length > 0) return [rest.join('=')]
    const next = args[at + 1]
    return next !== undefined && !next.startsWith('-') ? [next] : []
  })
}

function masked(value: Json, text: (given: string) => string): Json {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map(one => masked(one, text))
  if (!isObject(value)) return value
  const { type, mimeType } = value
  const bytes = type === 'image' || type === 'audio' ? 'data' : mimeType === undefined ? undefined : 'blob'
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [text(key), key === bytes ? one : masked(one, text)]),
  )
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
