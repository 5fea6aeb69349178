import type { Json, JsonObject, SessionState } from '@vitrine/protocol'

const marks = { a2ui: '[a2ui.action]', 'ui-schema': '[ui.action]' } as const

/** What a person did in an interface that an agent drew, as the agent was told it. */
export interface Interaction {
  readonly source: keyof typeof marks
  /** Null when the message was too long to be carried whole. */
  readonly said: JsonObject | null
}

/** Null for what a person typed: the source says so, never the text alone. */
export function readInteraction(source: string | null | undefined, text: string): Interaction | null {
  if (source !== 'a2ui' && source !== 'ui-schema') return null
  const mark = marks[source]
  return text.startsWith(mark) ? { source, said: parsed(text.slice(mark.length)) } : null
}

function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The words on the button that was pressed, as far as the interface is still known. */
export function labelOf(state: SessionState, { source, said }: Interaction): string | undefined {
  if (!said) return undefined
  if (source === 'a2ui') return surfaceLabel(state, said)
  const tool = state.tools.byId.get(String(said.toolCallId))
  return tool?.result.known ? buttonLabel(tool.result.value.ui, said) : undefined
}

function surfaceLabel(state: SessionState, { surfaceId, componentId }: JsonObject): string | undefined {
  const components = state.surfaces.byId.get(String(surfaceId))?.components
  const component = components?.get(String(componentId))
  if (!component) return undefined
  const child = typeof component.child === 'string' ? components?.get(component.child) : undefined
  return [component.label, component.text, component.title, child?.text].find(
    (label): label is string => typeof label === 'string' && label !== '' && !label.includes('${'),
  )
}

/** The label of the button of a UI Schema that has this action. */
export function buttonLabel(schema: unknown, said: JsonObject): string | undefined {
  if (Array.isArray(schema)) {
    for (const item of schema) {
      const label = buttonLabel(item, said)
      if (label !== undefined) return label
    }
    return undefined
  }
  if (!isObject(schema)) return undefined
  if (schema.type === 'button' && isObject(schema.action) && sameAction(schema.action, said))
    return typeof schema.label === 'string' ? schema.label : undefined
  return buttonLabel(Object.values(schema), said)
}

const sameAction = (action: JsonObject, said: JsonObject): boolean =>
  action.type === said.type &&
  action.toolId === said.toolId &&
  action.submitTo === said.submitTo &&
  text(action.params ?? action.payload) === text(said.params ?? said.payload)

const text = (value: Json | undefined): string => JSON.stringify(value ?? {})

/** What was sent along: the values of a form, or what the button itself carried. */
export function valuesOf({ said }: Interaction): Json | undefined {
  const value = said?.values ?? said?.params ?? said?.payload
  return isObject(value) && Object.keys(value).length === 0 ? undefined : (value ?? undefined)
}

/** Whether it was a form that was used, and not a lone button. */
export function isForm({ source, said }: Interaction): boolean {
  if (!said || source === 'a2ui') return true
  return isObject(said.values) && Object.keys(said.values).length > 0
}
