import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import { deepEqual } from '../json.ts'
import type { Catalog } from './catalog.ts'
import type { ComponentTraits } from './traits.ts'
import { isVersion } from './version.ts'

/** What a person did with a control. */
export type SurfaceEventType = 'click' | 'submit' | 'change'

/** What a person did, as the agent gets it. */
export interface SurfaceAction {
  surfaceId: string
  componentId: string
  eventType: SurfaceEventType
  payload: JsonObject
  /** Declared by the component's `action.event`. */
  name?: string
  context?: JsonObject
}

/** What an interaction leads to: something to send, to open, to run, or the reason why nothing happens. */
export type SurfaceActionResult =
  | { kind: 'event'; action: SurfaceAction }
  | { kind: 'open'; url: string; download?: boolean }
  | { kind: 'call'; name: string; value: Json | undefined }
  | { kind: 'refused'; reason: string }
  /** Nothing to tell anyone: the edit stays local. */
  | { kind: 'none' }

/**
 * Whether the agent hears of what a person does with a component. What runs a function runs it on the page; fields of the
 * public form speak only by an action that they declare.
 */
export function reaches({ action, emits }: JsonObject, traits: ComponentTraits, eventType: SurfaceEventType): boolean {
  if (isObject(action) && isObject(action.functionCall) && eventType === 'click') return false
  if (traits.input === undefined || emits === true) return true
  return isObject(action) && isObject(action.event) && eventType === 'submit'
}

/** The name of the event that a component declares. */
export function declaredName({ action }: JsonObject): string | undefined {
  const event = isObject(action) && isObject(action.event) ? action.event : undefined
  return typeof event?.name === 'string' ? event.name : undefined
}

/**
 * Whether a page could send this of a component: it can be used so, it can have the value, and the name is that of the event
 * that it declares. A page sends that name with whatever a person does with the component, and no name where it declares none.
 */
export function offers(
  component: JsonObject,
  catalog: Catalog,
  { eventType, name, payload }: { eventType: SurfaceEventType; name?: string | undefined; payload?: Json | undefined },
): boolean {
  const { type, variant } = component
  const { events, takes } = catalog.components.get(String(type)) ?? {}
  if (!catalog.has(String(type)) || (events && !events.includes(eventType))) return false
  // In several lines, Enter begins a new one.
  if (events && eventType === 'submit' && variant === 'longText') return false
  const value = isObject(payload) ? payload.value : undefined
  if (takes && value !== undefined && !takes(component, value)) return false
  return reaches(component, catalog.traits(String(type)), eventType) && declaredName(component) === name
}

/** The one message that the agent sees: a marker and one line of JSON. */
export const actionMessage = (action: object): string => `[a2ui.action]\n${JSON.stringify(action)}`

/** An action in the form of the public client-to-server message. */
export const publicAction = (action: SurfaceAction, timestamp: string): JsonObject => ({
  version: 'v0.9',
  action: {
    name: action.name ?? action.eventType,
    surfaceId: action.surfaceId,
    sourceComponentId: action.componentId,
    timestamp,
    context: action.context ?? action.payload,
  },
})

/** The name of `validation_failed` in the public protocol, the only code that it fixes. */
const PUBLIC_VALIDATION_FAILED = 'VALIDATION_FAILED'

/** A refused envelope in the form of the public client-to-server message. */
export const publicError = (surfaceId: string, code: UiCode, path: string, message: string): JsonObject => ({
  version: 'v0.9',
  error: { code: code === 'validation_failed' ? PUBLIC_VALIDATION_FAILED : code, surfaceId, path, message },
})

const sameKeys = (value: JsonObject, keys: readonly string[]) => keys.every(key => typeof value[key] === 'string')

/** Whether a value is a message that a public client may send. */
export function isClientMessage(value: unknown): boolean {
  const message = value as JsonObject
  if (!isObject(message) || !isVersion(message.version)) return false
  const kinds = Object.keys(message).filter(key => key !== 'version')
  const body = message[kinds[0]!] as JsonObject | undefined
  if (kinds.length !== 1 || !isObject(body)) return false
  if (kinds[0] === 'action')
    return (
      sameKeys(body, ['name', 'surfaceId', 'sourceComponentId', 'timestamp']) &&
      !Number.isNaN(Date.parse(body.timestamp as string)) &&
      typeof body.context === 'object' &&
      body.context !== null
    )
  if (kinds[0] !== 'error' || !sameKeys(body, ['code', 'surfaceId', 'message'])) return false
  return (
    body.code !== PUBLIC_VALIDATION_FAILED ||
    deepEqual(Object.keys(body).toSorted(), ['code', 'message', 'path', 'surfaceId'])
  )
}
