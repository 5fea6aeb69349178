import type { Interaction, Json, JsonObject } from '@vitrine/protocol'

/** What a person did on a surface that the guide has drawn. */
export interface SurfaceUse {
  surfaceId: string
  componentId: string
  eventType: string
  /** The value of the control that was used. */
  value: Json | undefined
  /** The surface's values as the person saw them, by name. */
  values: { [name: string]: Json }
  context: JsonObject
}

export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The fields, with or without the slash of a pointer. */
export const byName = (values: Json | undefined): JsonObject =>
  isObject(values)
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replace(/^\//, ''), value]))
    : {}

export function surfaceUse(interaction: Interaction | undefined): SurfaceUse | undefined {
  if (interaction?.kind !== 'a2ui') return undefined
  const payload = isObject(interaction.payload) ? interaction.payload : {}
  return {
    surfaceId: interaction.surfaceId,
    componentId: interaction.componentId,
    eventType: interaction.eventType,
    value: payload.value,
    values: { ...byName(payload.dataModel), ...byName(payload.values) },
    context: interaction.context ?? (isObject(payload.context) ? payload.context : {}),
  }
}
