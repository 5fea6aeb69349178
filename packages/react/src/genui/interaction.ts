import {
  type Interaction,
  isObject,
  type Json,
  type JsonObject,
  jsonEqual,
  MASK,
  type SessionState,
  sameUiAction,
} from '@vitrine/protocol'

/** The words on the button that was pressed, as far as the interface is still known. */
export function labelOf(state: SessionState, interaction: Interaction): string | undefined {
  if (interaction.kind === 'a2ui') return surfaceLabel(state, interaction.surfaceId, interaction.componentId)
  const tool = interaction.toolCallId === undefined ? undefined : state.tools.byId.get(interaction.toolCallId)
  return tool?.result.known ? buttonLabel(tool.result.value.ui, interaction.action) : undefined
}

function surfaceLabel(state: SessionState, surfaceId: string, componentId: string): string | undefined {
  const components = state.surfaces.byId.get(surfaceId)?.components
  const component = components?.get(componentId)
  if (!component) return undefined
  const child = typeof component.child === 'string' ? components?.get(component.child) : undefined
  return [component.label, component.text, component.title, child?.text].find(
    (label): label is string => typeof label === 'string' && label !== '' && !label.includes('${'),
  )
}

/** The label of the button of a UI Schema that has this action. */
function buttonLabel(schema: Json | undefined, said: object): string | undefined {
  if (Array.isArray(schema)) {
    for (const item of schema) {
      const label = buttonLabel(item, said)
      if (label !== undefined) return label
    }
    return undefined
  }
  if (!isObject(schema)) return undefined
  if (schema.type === 'button' && isObject(schema.action) && sameUiAction(schema.action, said))
    return typeof schema.label === 'string' ? schema.label : undefined
  return buttonLabel(Object.values(schema), said)
}

/** Longer values are read where the line opens. */
const SHORT = 60

/** What a person changed in a field of a surface, in words; undefined when they pressed a button. */
export function changeOf(
  state: SessionState,
  interaction: Interaction,
): { kind: 'changed' | 'set' | 'ticked' | 'unticked' | 'emptied'; value: string } | undefined {
  if (interaction.kind !== 'a2ui' || interaction.eventType !== 'change') return undefined
  const value = isObject(interaction.payload) ? interaction.payload.value : undefined
  if (typeof value === 'boolean') return { kind: value ? 'ticked' : 'unticked', value: '' }
  const component = state.surfaces.byId.get(interaction.surfaceId)?.components?.get(interaction.componentId)
  const options = Array.isArray(component?.options) ? component.options : []
  const labels = (Array.isArray(value) ? value : [value]).map(one => {
    const option = options.find(option => isObject(option) && jsonEqual(option.value, one))
    return isObject(option) && typeof option.label === 'string' ? option.label : one
  })
  if (labels.some(label => (typeof label !== 'string' && typeof label !== 'number') || label === MASK))
    return { kind: 'changed', value: '' }
  const words = labels.join(', ').trim()
  if (words === '') return { kind: 'emptied', value: '' }
  return words.length > SHORT ? { kind: 'changed', value: '' } : { kind: 'set', value: words }
}

/** What was sent along: the values of a form, or what the button itself carried. */
export function valuesOf(interaction: Interaction): Json | undefined {
  const value =
    interaction.kind === 'a2ui' ? interaction.payload : (interaction.values ?? carriedBy(interaction.action))
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value
}

const carriedBy = (action: Extract<Interaction, { kind: 'ui_schema' }>['action']): JsonObject | undefined =>
  action.type === 'tool' ? action.params : action.payload

/** Whether it was a form that was used, and not a lone button. */
export const isForm = (interaction: Interaction): boolean =>
  interaction.kind === 'a2ui' || Object.keys(interaction.values ?? {}).length > 0
