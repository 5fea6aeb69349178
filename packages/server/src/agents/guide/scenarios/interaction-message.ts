import type { Json, JsonObject } from '@vitrine/protocol'

export const SURFACE_MARK = '[a2ui.action]'
export const RESULT_MARK = '[ui.action]'

/** What a person did on a surface that an agent has drawn. */
export interface Interaction {
  surfaceId: string
  componentId: string
  eventType: string
  /** The value of the control that was used. */
  value: Json | undefined
  /** The surface's values as the person saw them, by name. */
  values: { [name: string]: Json }
  context: JsonObject
}

export const isInteraction = (text: string): boolean => text.startsWith(SURFACE_MARK) || text.startsWith(RESULT_MARK)

export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export function readLine(text: string, mark: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(mark.length))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The fields, with or without the slash of a pointer. */
export const byName = (values: Json | undefined): JsonObject =>
  isObject(values)
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replace(/^\//, ''), value]))
    : {}

export function readInteraction(text: string): Interaction | undefined {
  if (!text.startsWith(SURFACE_MARK)) return undefined
  const line = readLine(text, SURFACE_MARK)
  if (typeof line?.surfaceId !== 'string' || typeof line.componentId !== 'string') return undefined
  const payload = isObject(line.payload) ? line.payload : {}
  const values = { ...byName(payload.dataModel), ...byName(payload.values), ...byName(line.values) }
  // Several fields that changed shortly after one another come as one message.
  for (const change of Array.isArray(payload.changes) ? payload.changes : []) {
    if (isObject(change) && typeof change.componentId === 'string') values[change.componentId] = change.value ?? null
  }
  return {
    surfaceId: line.surfaceId,
    componentId: line.componentId,
    eventType: typeof line.eventType === 'string' ? line.eventType : 'click',
    value: payload.value,
    values,
    context: isObject(line.context) ? line.context : isObject(payload.context) ? payload.context : {},
  }
}
