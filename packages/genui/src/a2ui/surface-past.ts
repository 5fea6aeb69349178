import { formatPointer, isObject, type JsonObject, parsePointer } from '@vitrine/protocol'
import { DataFlow } from './data-flow.ts'
import { slotOf } from './definition.ts'
import { editedField } from './edit-key.ts'
import { compileValue } from './expression.ts'
import { hidesInput } from './hidden-fields.ts'
import { PathRefs, Places } from './places.ts'
import { type ComponentTraits, refsOf } from './traits.ts'

/** The pointer of an input's value in the flow of its surface. */
export const valuePointer = (componentId: string): string => formatPointer([componentId, 'value'])
/** The pointer of an event's context in the flow of its surface. */
export const contextPointer = (componentId: string): string => formatPointer([componentId, 'context'])

/**
 * What the components of a surface have ever declared about what people type and what pages send. What was typed outlives
 * its field, on the page and on its way, so the components of this moment do not say enough.
 */
export class SurfacePast {
  readonly #lists = new PathRefs()
  readonly #inputs = new Places(this.#lists)
  readonly #unbound = new Set<string>()
  /** The fields that hid what was typed into them, and the places that they were bound to. */
  readonly hiddenFields = new Set<string>()
  readonly hidden = new Places(this.#lists)
  readonly flow = new DataFlow()

  note(id: string, component: JsonObject, traits: ComponentTraits): void {
    for (const { key, inner } of refsOf(traits)) {
      const list = inner || component[key] === undefined ? undefined : slotOf(key, component[key])?.template?.list
      if (list) this.#lists.add(list)
    }
    const { action } = component
    const event = isObject(action) && isObject(action.event) ? action.event : undefined
    if (event) this.flow.noteContext(contextPointer(id), isObject(event.context) ? event.context : {})
    if (traits.input === undefined) return
    const { target } = compileValue(component[traits.input])
    const hides = hidesInput(component, traits)
    this.flow.note(valuePointer(id), component[traits.input])
    if (target) this.#inputs.add(target)
    else this.#unbound.add(id)
    if (hides) this.hiddenFields.add(id)
    if (hides && target) this.hidden.add(target)
  }

  /** Whether a page could send an edit with this key: some field was bound there, or it is that of a field bound to nothing. */
  takesEdit(key: string): boolean {
    const field = editedField(key)
    if (field !== undefined) return this.#unbound.has(field)
    const path = parsePointer(key)
    return path !== undefined && this.#inputs.has(path)
  }

  /** Whether there are lists whose items have fields or values of their own. */
  get hasLists(): boolean {
    return this.#lists.size > 0
  }
}
