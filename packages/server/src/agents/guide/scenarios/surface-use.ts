import { type Interaction, isObject, type Json, type JsonObject } from '@vitrine/protocol'

/** What a person did on a surface of the guide. */
export interface SurfaceUse {
  surfaceId: string
  componentId: string
  eventType: string
  /** The value of the control that was used. */
  value: Json | undefined
  /** The values of the surface as the person saw them, by name. */
  values: { [name: string]: Json }
  context: JsonObject
}

/** Gives the fields by their names. Some clients send pointers, so a leading slash is removed. */
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
