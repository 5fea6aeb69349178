import { isObject, type Json, type JsonObject, MASK, parsePointer } from '@vitrine/protocol'
import { errorOf, isOf } from '../agents/thrown.ts'
import { hidesAny, maskResponse } from '../runtime/mask-response.ts'
import { isSecretWord, namesSecret, type SecretRange, secretRanges } from './secret-patterns.ts'

/** The text with a mask in the place of each secret of a known form. */
export function maskText(text: string): string {
  const ranges = secretRanges(text)
  return ranges.length === 0 ? text : maskRanges(text, ranges)
}

/** The text with a mask in the place of each range. */
export function maskRanges(text: string, ranges: readonly SecretRange[]): string {
  let masked = ''
  let at = 0
  for (const { start, end } of ranges) {
    masked += text.slice(at, start) + MASK
    at = end
  }
  return masked + text.slice(at)
}

/** What a tool declares as secret in its arguments and its results. */
export class DeclaredSecrets {
  readonly #paths: readonly (readonly (string | number)[])[]
  readonly #schema: JsonObject | undefined
  readonly #known = new Map<string, boolean>()

  /** `pointers` are those of the tool; `schema` is that of its arguments, in which `password` and `writeOnly` hide a value. */
  constructor(pointers: readonly string[] = [], schema?: JsonObject) {
    this.#paths = pointers.flatMap(pointer => {
      const path = typeof pointer === 'string' ? parsePointer(pointer) : undefined
      return path ? [path] : []
    })
    this.#schema = schema && hidesAny(schema) ? schema : undefined
  }

  get any(): boolean {
    return this.#paths.length > 0 || this.#schema !== undefined
  }

  /** Whether what stands at this path is declared as a secret. */
  at(path: readonly (string | number)[]): boolean {
    if (!this.any || path.length === 0) return false
    const key = JSON.stringify(path)
    let secret = this.#known.get(key)
    if (secret === undefined) {
      secret = this.#paths.some(one => samePath(one, path)) || this.#hides(path)
      this.#known.set(key, secret)
    }
    return secret
  }

  /** Asks the schema about a value that has something at this path and nothing else. */
  #hides(path: readonly (string | number)[]): boolean {
    if (!this.#schema) return false
    let value: Json = 'x'
    for (const name of path.toReversed()) value = typeof name === 'number' ? listWith(name, value) : { [name]: value }
    let masked = maskResponse(this.#schema, value)
    for (const name of path) {
      if (masked === MASK) return true
      masked = (masked as JsonObject)?.[name as string] ?? null
    }
    return masked === MASK
  }
}

export const NO_SECRETS = new DeclaredSecrets()

const MAX_INDEX = 64
/** Long lists are asked about by one of their items. */
const listWith = (index: number, value: Json): Json[] => {
  const list: Json[] = Array.from({ length: Math.min(index, MAX_INDEX) }, () => null)
  list.push(value)
  return list
}

const samePath = (one: readonly (string | number)[], path: readonly (string | number)[]): boolean =>
  one.length === path.length && one.every((name, at) => `${name}` === `${path[at]}`)

/** Deeper data is no result that anybody reads; what cannot be looked at counts as secret. */
const MAX_DEPTH = 200

/**
 * Data with a mask in the place of each secret: what is declared, what a name says, and what has a known form. What has no
 * secret is given back as it is.
 */
export function maskJson<T extends Json>(value: T, declared: DeclaredSecrets = NO_SECRETS): T {
  return masked(value, []) as T

  function masked(part: Json, path: (string | number)[]): Json {
    if (part === null) return part
    if (declared.at(path)) return MASK
    if (typeof part === 'string') return maskText(part)
    if (typeof part !== 'object') return part
    if (path.length > MAX_DEPTH) return MASK
    if (Array.isArray(part)) return changedList(part, (item, index) => masked(item, [...path, index]))
    return changedObject(part, (item, name) =>
      typeof item === 'string' && namesSecret(name) && isSecretWord(name, item) ? MASK : masked(item, [...path, name]),
    )
  }
}

function changedList(list: readonly Json[], of: (item: Json, index: number) => Json): Json {
  const next = list.map(of)
  return next.some((item, index) => item !== list[index]) ? next : (list as Json)
}

function changedObject(object: JsonObject, of: (item: Json, name: string) => Json): Json {
  let changed = false
  const entries = Object.entries(object).map(([name, item]) => {
    const next = of(item, name)
    changed ||= next !== item
    return [name, next] as const
  })
  return changed ? Object.fromEntries(entries) : object
}

/** Whether something of it is a mask: who takes it for the real thing would act on dots. */
export function hasMask(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes(MASK)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(hasMask)
}

/** What a person gave back, with the real thing wherever the mask that they were shown still stands. */
export function restored(given: Json, shown: Json | undefined, real: Json | undefined): Json {
  if (typeof given === 'string') return given === shown && real !== undefined && given.includes(MASK) ? real : given
  // A mask may stand for data of any kind.
  if (typeof given !== 'object' || given === null) return given
  const inside = (of: Json | undefined, name: string): Json | undefined =>
    typeof of === 'object' && of !== null && Object.hasOwn(of, name) ? (of as JsonObject)[name] : undefined
  if (Array.isArray(given))
    return given.map((item, index) => restored(item, inside(shown, `${index}`), inside(real, `${index}`)))
  return Object.fromEntries(
    Object.entries(given).map(([name, item]) => [name, restored(item, inside(shown, name), inside(real, name))]),
  )
}

/** Data with a mask wherever the other one has one as a whole, such as arguments that a person has edited. */
export function maskLike(value: Json, like: Json | undefined): Json {
  if (like === MASK && value !== null) return MASK
  if (!isObject(value) && !Array.isArray(value)) return value
  if (typeof like !== 'object' || like === null) return value
  const of = (name: string): Json | undefined => (Object.hasOwn(like, name) ? (like as JsonObject)[name] : undefined)
  if (Array.isArray(value)) return value.map((item, index) => maskLike(item, of(`${index}`)))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskLike(item, of(name))]))
}

/** Causes that are followed. An error can be its own cause. */
const MOST_CAUSES = 8

/** An error for the log of the server, without the secrets in its words. What was thrown may be anything, also a trap. */
export function maskError(thrown: unknown, depth = 0): unknown {
  if (typeof thrown === 'string') return maskText(thrown)
  if (!isOf(thrown, Error)) return thrown
  const error = errorOf(thrown)
  const message = maskText(error.message)
  const stack = error.stack === undefined ? undefined : maskText(error.stack)
  const cause = error.cause === undefined || depth === MOST_CAUSES ? undefined : maskError(error.cause, depth + 1)
  if (error === thrown && message === error.message && stack === error.stack && cause === error.cause) return error
  const masked = new Error(message, cause === undefined ? undefined : { cause })
  masked.name = error.name
  if (stack !== undefined) masked.stack = stack
  return masked
}
