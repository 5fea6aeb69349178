import { formatPointer } from '@vitrine/protocol'
import type { z } from 'zod'
import { Refusal } from '../refusal.ts'

/** Says what is wrong with a command in words for the person who wrote the program that sent it. */
export function commandRefusal(schema: z.ZodType, value: unknown, error: z.ZodError): Refusal {
  const said = error.issues.map(issue => issueRefusal(schema, value, issue))
  const [first] = said
  if (!first) return new Refusal('invalid_request', 'The body has the wrong shape.', { path: '' })
  if (said.length === 1) return first
  // Whoever shows a form tells each field what is wrong with it.
  const errors = said.map(({ path = '', message }) => ({ path, detail: message }))
  const { next } = first
  return new Refusal('invalid_request', first.message, { ...(next !== undefined && { next }), errors })
}

function issueRefusal(schema: z.ZodType, value: unknown, issue: z.core.$ZodIssue): Refusal {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const name = issue.keys[0]!
    const names = Object.keys(fieldsAt(schema, path))
    const near = nearest(name, names)
    const next = near === undefined ? `The fields are ${names.join(', ')}.` : `Did you mean ${near}?`
    return new Refusal('invalid_request', `There is no field ${name}.`, { path: formatPointer([...path, name]), next })
  }
  const name = path.at(-1)
  if (issue.code === 'invalid_type' && name !== undefined && valueAt(value, path) === undefined) {
    const meaning = fieldsAt(schema, path.slice(0, -1))[name]?.description
    const next = meaning === undefined ? `Send ${name}.` : `Send ${name}. ${meaning}.`
    return new Refusal('invalid_request', `${name} is missing.`, { path: formatPointer(path), next })
  }
  return new Refusal('invalid_request', issue.message, {
    path: formatPointer(path),
  })
}

/** The fields of the object at this place of a schema; none when the place is not an object. */
function fieldsAt(schema: z.ZodType, path: readonly string[]): Readonly<Record<string, z.ZodType>> {
  let at = schema as z.ZodType & { unwrap?(): z.ZodType; shape?: Record<string, z.ZodType> }
  for (const key of [...path, undefined]) {
    while (at.unwrap) at = at.unwrap()
    if (key === undefined) break
    const inner = at.shape && Object.hasOwn(at.shape, key) ? at.shape[key] : undefined
    if (!inner) return {}
    at = inner
  }
  return at.shape ?? {}
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value)

/** The name that was probably meant: the same but for capitals and signs, or at most two letters away. */
function nearest(given: string, names: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const wanted = plain(given)
  // A long name is no slip of the pen, and comparing it would cost time.
  if (given.length > 40) return undefined
  const [best] = names.map(name => ({ name, away: distance(wanted, plain(name)) })).sort((a, b) => a.away - b.away)
  return best && best.away <= Math.min(2, best.name.length / 2) ? best.name : undefined
}

/** How many letters have to be put in, taken out or changed to make one word of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
