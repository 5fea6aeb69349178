import { isObject, type Json } from '@vitrine/protocol'
import type { ActionResponse } from '../../agent.ts'

/** Responses come as people and clients send them: bare, or wrapped in an object with one telling field. */
const unwrap = (value: Json, ...fields: string[]): Json => {
  if (!isObject(value)) return value
  for (const field of fields) if (Object.hasOwn(value, field)) return value[field]!
  return value
}

export const said = ({ outcome }: ActionResponse): boolean =>
  outcome === 'answered' || outcome === 'approved' || outcome === 'approved-for-scope'

export function chosen({ value }: ActionResponse): string[] {
  const given = unwrap(value, 'value', 'values', 'choice', 'choices', 'selected')
  return (Array.isArray(given) ? given : [given]).filter(one => typeof one === 'string')
}

export function sentence({ value }: ActionResponse): string {
  const given = unwrap(value, 'text', 'answer', 'value', 'correction')
  return typeof given === 'string' ? given : ''
}

export function fields({ value }: ActionResponse): [string, Json][] {
  const given = unwrap(value, 'values')
  return isObject(given) ? Object.entries(given) : []
}

/** The steps a person left in a plan, in their order; undefined when the plan was taken as it is. */
export function keptSteps({ value }: ActionResponse): string[] | undefined {
  const given = unwrap(value, 'steps', 'plan')
  if (!Array.isArray(given)) return undefined
  return given.map(step => unwrap(step, 'id')).filter(id => typeof id === 'string')
}

export const unanswered = ({ outcome }: ActionResponse): string =>
  outcome === 'expired' ? 'Nobody answered in time, so I go on without.' : 'You would rather not say. That is fine.'
