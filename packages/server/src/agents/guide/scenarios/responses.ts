import { isObject, type Json } from '@vitrine/protocol'
import type { ActionResponse } from '../../agent.ts'

/** Responses come as people and clients send them: bare, or wrapped in an object with one telling field. */
const unwrap = (value: Json, ...fields: string[]): Json => {
  if (!isObject(value)) return value
  for (const field of fields) if (Object.hasOwn(value, field)) return value[field]!
  return value
}

/** Only these two allow something; words and answers do not. */
export const allowed = ({ outcome }: ActionResponse): boolean =>
  outcome === 'approved' || outcome === 'approved-for-scope'

export const said = (response: ActionResponse): boolean => response.outcome === 'answered' || allowed(response)

export function chosen({ value }: ActionResponse): string[] {
  const given = unwrap(value, 'value', 'values', 'choice', 'choices', 'selected')
  return (Array.isArray(given) ? given : [given]).filter(one => typeof one === 'string')
}

export function sentence({ value, text }: ActionResponse): string {
  const given = unwrap(value, 'text', 'answer', 'value', 'correction')
  return typeof given === 'string' ? given : (text ?? '')
}

export function fields({ value }: ActionResponse): [string, Json][] {
  const given = unwrap(value, 'values')
  return isObject(given) ? Object.entries(given) : []
}

export interface KeptStep {
  id: string
  /** What the person calls the step, when they said so. */
  title?: string
}

/** The steps that a person left in a plan, in their order, with their words; undefined when the plan was taken as it is. */
export function keptSteps({ value }: ActionResponse): KeptStep[] | undefined {
  const given = unwrap(value, 'steps', 'plan')
  if (!Array.isArray(given)) return undefined
  return given.flatMap(step => {
    const id = unwrap(step, 'id')
    const title = isObject(step) ? step.title : undefined
    return typeof id === 'string' ? [typeof title === 'string' ? { id, title } : { id }] : []
  })
}

export const unanswered = ({ outcome }: ActionResponse): string =>
  outcome === 'expired' ? 'Nobody answered in time, so I go on without.' : 'You would rather not say. That is fine.'
