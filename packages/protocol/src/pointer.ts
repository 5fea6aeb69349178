import type { Json } from './json.ts'

/** The tokens of a JSON pointer (RFC 6901); undefined when it is not one or reaches into a prototype. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (pointer[0] !== '/') return undefined
  const tokens = pointer.slice(1).split('/')
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    if (/~(?![01])/.test(token)) return undefined
    const plain = token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
    if (plain === '__proto__' || plain === 'constructor' || plain === 'prototype') return undefined
    tokens[i] = plain
  }
  return tokens
}

export const isContainer = (value: unknown): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null

/** An array index without leading zeros, or -1. */
export function arrayIndex(token: string): number {
  return /^(0|[1-9]\d{0,8})$/.test(token) ? Number(token) : -1
}

export function child(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) {
    const index = arrayIndex(token)
    return index < 0 ? undefined : value[index]
  }
  if (isContainer(value)) return Object.hasOwn(value, token) ? value[token] : undefined
  return undefined
}

export function getPointer(root: Json | undefined, pointer: string): Json | undefined {
  const tokens = parsePointer(pointer)
  if (!tokens) return undefined
  let value = root
  for (const token of tokens) value = child(value, token)
  return value
}

/**
 * Writes in place, creating what is missing on the way (an object, or an array where the next token is an index).
 * Without a value the path is deleted. Returns the new root; the old one when the path leads nowhere.
 */
export function setPointer(root: Json | undefined, pointer: string, value: Json | undefined): Json | undefined {
  const tokens = parsePointer(pointer)
  if (!tokens) return root
  if (tokens.length === 0) return value
  const top: Json = isContainer(root) ? root : value === undefined ? {} : newContainer(tokens[0]!)
  let at: Json = top
  for (let i = 0; i < tokens.length - 1; i++) {
    const token = tokens[i]!
    let next = child(at, token)
    if (!isContainer(next)) {
      if (value === undefined) return root
      next = newContainer(tokens[i + 1]!)
      if (!put(at, token, next)) return root
    }
    at = next
  }
  const last = tokens[tokens.length - 1]!
  if (value !== undefined) put(at, last, value)
  else if (Array.isArray(at)) {
    const index = arrayIndex(last)
    if (index >= 0 && index < at.length) at.splice(index, 1)
  } else if (isContainer(at)) delete at[last]
  return top
}

const newContainer = (token: string): Json => (arrayIndex(token) >= 0 ? [] : {})

function put(at: Json, token: string, value: Json): boolean {
  if (Array.isArray(at)) {
    const index = arrayIndex(token)
    // A hole would turn into null on the wire and make two readers differ.
    if (index < 0 || index > at.length) return false
    at[index] = value
    return true
  }
  if (!isContainer(at)) return false
  at[token] = value
  return true
}
