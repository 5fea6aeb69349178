import { isObject, type Json } from '@vitrine/protocol'
import { isTexts } from '../json.ts'
import type { A2uiComponent } from './component.ts'
import { compileValue, type Expr, type PathRef, pathRef } from './expression.ts'
import { type ComponentTraits, type Ref, refsOf } from './traits.ts'

/** A component with its values compiled. All nodes that are drawn from it share it. */
export interface Definition {
  readonly component: A2uiComponent
  /** The catalog of the surface has not its type: nothing of it is read, and it is drawn as a diagnostic. */
  readonly unknown: boolean
  readonly traits: ComponentTraits
  readonly props: readonly { readonly key: string; readonly expr: Expr }[]
  /** Where a person's input is written, when it is bound. */
  readonly target: PathRef | undefined
  readonly slots: readonly Slot[]
  readonly checks: readonly { readonly condition: Expr; readonly message: Expr }[]
}

/** A property that names other components: some by their ids, or one that is repeated for each item of a list. */
export interface Slot {
  readonly key: string
  readonly ids?: readonly string[]
  readonly single?: boolean
  readonly template?: { readonly componentId: string; readonly list: PathRef }
}

/** What is not a property to draw. */
const RESERVED = new Set(['type', 'checks', 'action', 'emits'])

export function define(component: A2uiComponent, traits: ComponentTraits): Definition {
  const props: { key: string; expr: Expr }[] = []
  const slots: Slot[] = []
  for (const key of Object.keys(component)) {
    if (RESERVED.has(key)) continue
    const value = component[key]!
    const ref = refOf(traits, key)
    if (ref && !ref.inner) {
      const slot = slotOf(key, value)
      if (slot) {
        slots.push(slot)
        continue
      }
    }
    const inner = ref?.inner
    if (inner && Array.isArray(value)) {
      const ids = value.flatMap(item => (isObject(item) && typeof item[inner] === 'string' ? [item[inner]] : []))
      slots.push({ key: `${key}.${inner}`, ids })
    }
    const records = inner !== undefined || traits.records?.includes(key) === true
    props.push({ key: key === '$type' ? 'type' : key, expr: compileValue(value, records) })
  }
  const { input } = traits
  const target = input === undefined ? undefined : props.find(({ key }) => key === input)?.expr.target
  return { component, unknown: false, traits, props, target, slots, checks: checksOf(component) }
}

export const unknownDefinition = (component: A2uiComponent): Definition => ({
  component,
  unknown: true,
  traits: {},
  props: [],
  target: undefined,
  slots: [],
  checks: [],
})

function checksOf(component: A2uiComponent): Definition['checks'] {
  const checks: { condition: Expr; message: Expr }[] = []
  if (Array.isArray(component.checks))
    for (const check of component.checks)
      if (isObject(check))
        checks.push({ condition: compileValue(check.condition), message: compileValue(check.message ?? '') })
  if (typeof component.validationRegexp === 'string' && component.value !== undefined) {
    const args = { value: component.value, pattern: component.validationRegexp }
    // An empty field is the business of `required`.
    const condition = compileValue({
      or: [{ eq: [component.value, ''] }, { eq: [component.value, null] }, { call: 'regex', args }],
    })
    checks.push({ condition, message: compileValue('Does not have the expected format') })
  }
  return checks
}

/** The reference that a property of this name is. */
function refOf(traits: ComponentTraits, key: string): Ref | undefined {
  for (const ref of refsOf(traits)) if (ref.key === key) return ref
  return undefined
}

/** What a property names, when it names components. */
export function slotOf(key: string, value: Json): Slot | undefined {
  if (typeof value === 'string') return { key, ids: [value], single: true }
  if (Array.isArray(value)) return isTexts(value) ? { key, ids: value } : undefined
  if (!isObject(value) || typeof value.componentId !== 'string' || typeof value.path !== 'string') return undefined
  const list = pathRef(value.path)
  return list && { key, template: { componentId: value.componentId, list } }
}
