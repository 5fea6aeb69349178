import { deepEqual, type Json, type JsonObject } from './ops.ts'

export type EventType = 'click' | 'submit' | 'change'

/** What a person did, as the agent gets it. */
export interface SurfaceAction {
  surfaceId: string
  componentId: string
  eventType: EventType
  payload: JsonObject
  /** Declared by the component's `action.event`. */
  name?: string
  context?: JsonObject
}

export type ActionResult =
  | { kind: 'event'; action: SurfaceAction }
  | { kind: 'open'; url: string; download?: boolean }
  | { kind: 'call'; name: string; value: Json | undefined }
  | { kind: 'refused'; reason: string }
  /** Nothing to tell anyone: the edit stays local. */
  | { kind: 'none' }

/** The one message that the agent sees: a marker and one line of JSON. */
export const actionMessage = (action: object): string => `[a2ui.action]\n${JSON.stringify(action)}`

/** The same action as the public client-to-server message. */
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

export const publicError = (surfaceId: string, code: string, path: string, message: string): JsonObject => ({
  version: 'v0.9',
  error: code === 'VALIDATION_FAILED' ? { code, surfaceId, path, message } : { code, surfaceId, message, path },
})

const sameKeys = (value: JsonObject, keys: readonly string[]) => keys.every(key => typeof value[key] === 'string')

/** Is this a message that a public client may send? */
export function isClientMessage(value: unknown): boolean {
  const message = value as JsonObject | null
  if (typeof message !== 'object' || message === null || !['v0.9', 'v0.9.1'].includes(message.version as string))
    return false
  const kinds = Object.keys(message).filter(key => key !== 'version')
  const body = message[kinds[0]!] as JsonObject | undefined
  if (kinds.length !== 1 || typeof body !== 'object' || body === null) return false
  if (kinds[0] === 'action')
    return (
      sameKeys(body, ['name', 'surfaceId', 'sourceComponentId', 'timestamp']) &&
      !Number.isNaN(Date.parse(body.timestamp as string)) &&
      typeof body.context === 'object' &&
      body.context !== null
    )
  if (kinds[0] !== 'error' || !sameKeys(body, ['code', 'surfaceId', 'message'])) return false
  return (
    body.code !== 'VALIDATION_FAILED' ||
    deepEqual(Object.keys(body).toSorted(), ['code', 'message', 'path', 'surfaceId'])
  )
}
