import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import { deepEqual } from '../json.ts'
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
