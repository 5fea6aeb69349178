import { initialValue, type ResolvedNode } from '@vitrine/genui/schema'
import type { CardState } from './card-state.ts'
import type { UiValues } from './ui-context.ts'

type Field = ResolvedNode<'field'>

const numeric = new Set<Field['input']>(['number', 'integer', 'slider'])

export const currentValue = (state: CardState, field: Field): unknown =>
  state.field(field.name)?.value ?? initialValue(field)

/** The values as they are checked and sent: numbers as numbers, what was left empty is left out. */
export function valuesOf(fields: readonly Field[], state: CardState): UiValues {
  const entries = fields.flatMap(field => {
    const value = currentValue(state, field)
    if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return []
    const number = numeric.has(field.input) && typeof value === 'string' ? Number(value) : value
    return [[field.name, Number.isNaN(number) ? value : number] as const]
  })
  return Object.fromEntries(entries)
}
