import { contextPointer, editedField, type SurfacePast, valuePointer } from '@vitrine/genui/a2ui'
import {
  formatPointer,
  type Interaction,
  isObject,
  type Json,
  type JsonObject,
  MASK,
  own,
  type Path,
  parsePointer,
  type TurnInput,
} from '@vitrine/protocol'

/** What a person did, with what they had typed into the surface: as it was sent, or with masks for what is typed hidden. */
export interface InteractionWithEdits<T extends Interaction = Interaction> {
  interaction: T
  edits: JsonObject
}

type Used<K extends Interaction['kind']> = Extract<Interaction, { kind: K }>

/**
 * An interaction with a surface as facts carry it. What stands in a hidden place is masked there. What may be computed from
 * a hidden place, and what nobody declared, is masked as a whole, unless all hidden fields are sent and are empty.
 */
export function maskSurfaceInteraction(
  interaction: Used<'a2ui'>,
  edits: JsonObject,
  past: SurfacePast,
): InteractionWithEdits<Used<'a2ui'>> {
  if (past.hiddenFields.size === 0) return { interaction, edits }
  const shown = new SurfaceMask(past, interaction).masked(edits)
  return shown ?? { interaction, edits }
}

const isEmpty = (value: Json | undefined): boolean =>
  value == null || value === '' || value === MASK || (Array.isArray(value) && value.every(isEmpty))

/** A short secret may be part of any word: only a longer one is looked for inside of what is nobody's secret. */
const FOUND_INSIDE = 3

class SurfaceMask {
  readonly #past: SurfacePast
  readonly #interaction: Used<'a2ui'>
  readonly #payload: JsonObject
  readonly #item: Path | undefined
  readonly #secrets = new Set<string>()
  #masks = 0
  /** Whether something may have been typed hidden. */
  #typed = true

  constructor(past: SurfacePast, interaction: Used<'a2ui'>) {
    this.#past = past
    this.#interaction = interaction
    this.#payload = isObject(interaction.payload) ? interaction.payload : {}
    const { item } = this.#payload
    this.#item = typeof item === 'string' ? parsePointer(item) : undefined
  }

  /** Undefined when there is nothing to mask. */
  masked(edits: JsonObject): InteractionWithEdits<Used<'a2ui'>> | undefined {
    const { hiddenFields } = this.#past
    const { payload, context, componentId } = this.#interaction
    const { values, dataModel } = this.#payload
    // What is known to be hidden comes first: it says whether something was typed.
    const edited = entriesOf(edits, (value, key) => this.#edit(value, key))
    const model = dataModel === undefined ? undefined : this.#within(dataModel, [])
    const sent = entriesOf(isObject(values) ? values : {}, (value, id) =>
      hiddenFields.has(id) ? this.#hide(value) : value,
    )
    const seen = [...hiddenFields].every(
      id => isObject(values) && isEmpty(own(values, id)) && Object.hasOwn(values, id),
    )
    this.#typed = !seen || this.#masks > 0
    const said = entriesOf(this.#payload, (value, name) => {
      if (name === 'dataModel') return model!
      if (name === 'value') return this.#valueOf(componentId, value, this.#item)
      if (name === 'values' && isObject(value)) return entriesOf(sent, (one, id) => this.#valueOf(id, one))
      if (name === 'changes' && Array.isArray(value)) return value.map(change => this.#change(change))
      return name === 'item' && this.#item ? value : this.#whole(value)
    })
    const told = isObject(payload) ? said : payload === undefined ? undefined : this.#whole(payload)
    const pointer = contextPointer(componentId)
    const about =
      context && entriesOf(context, (value, name) => this.#declared(value, pointer + formatPointer([name]), this.#item))
    if (this.#masks === 0) return undefined
    return {
      interaction: {
        ...this.#interaction,
        ...(told !== undefined && { payload: this.#without(told) }),
        ...(about && { context: this.#without(about) as JsonObject }),
        hidden: [...hiddenFields],
      },
      edits: entriesOf(edited, value => this.#without(value)),
    }
  }

  #edit(value: Json, key: string): Json {
    const field = editedField(key)
    if (field !== undefined) return this.#past.hiddenFields.has(field) ? this.#hide(value) : value
    const path = parsePointer(key)
    return path ? this.#at(value, path) : this.#hide(value)
  }

  #change(change: Json): Json {
    if (!isObject(change) || typeof change.componentId !== 'string') return this.#whole(change)
    const { componentId, value, ...rest } = change
    const shown = value === undefined ? {} : { value: this.#valueOf(componentId, value) }
    return { componentId, ...shown, ...entriesOf(rest, one => this.#whole(one)) }
  }

  /** The value of a field; of one that is repeated, a list of them. */
  #valueOf(componentId: string, value: Json, item?: Path): Json {
    if (this.#past.hiddenFields.has(componentId)) return this.#hide(value)
    return this.#declared(value, valuePointer(componentId), item)
  }

  /** What a component declares; `item` is the item of a list for which it is drawn, where that is known. */
  #declared(value: Json, pointer: string, item: Path | undefined): Json {
    const { flow, hidden } = this.#past
    if (typeof value === 'object' && value !== null && flow.isRecord(pointer))
      return membersOf(value, (member, name) => this.#declared(member, pointer + formatPointer([name]), item))
    const from = flow.at(pointer)
    if (!from || [...from.computed].some(ref => hidden.mayBeRead(ref))) return this.#whole(value)
    let shown = value
    for (const { path, relative } of from.bound) {
      if (!relative || !this.#past.hasLists) shown = this.#at(shown, path)
      else if (item) shown = this.#at(shown, [...item, ...path])
      else if (hidden.mayBeRead({ path, relative })) return this.#whole(value)
    }
    return shown
  }

  /** What stands at a place of the data. */
  #at(value: Json, path: Path): Json {
    return this.#past.hidden.covers(path) ? this.#hide(value) : this.#within(value, path)
  }

  #within(value: Json, path: Path): Json {
    if (this.#past.hidden.has(path)) return this.#hide(value)
    return membersOf(value, (item, name) => this.#within(item, [...path, name]))
  }

  /** What was typed hidden. Whether something was typed is no secret. */
  #hide(value: Json): Json {
    if (Array.isArray(value)) return value.map(item => this.#hide(item))
    if (isEmpty(value)) return value
    this.#note(value)
    this.#masks++
    return MASK
  }

  #whole(value: Json): Json {
    if (!this.#typed) return value
    this.#masks++
    return MASK
  }

  #note(value: Json): void {
    if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        if (!Array.isArray(value)) this.#note(name)
        this.#note(item)
      }
    } else if (String(value).length >= FOUND_INSIDE && typeof value !== 'boolean') this.#secrets.add(String(value))
  }

  /** The same without what was typed hidden, which a person may have typed, or an author copied, into other places too. */
  #without(value: Json): Json {
    if (typeof value === 'number') return this.#secrets.has(String(value)) ? MASK : value
    if (typeof value === 'string') {
      let text = value
      for (const secret of this.#secrets) text = text.replaceAll(secret, MASK)
      return text
    }
    if (!isObject(value)) return membersOf(value, item => this.#without(item))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.#without(name) as string, this.#without(item)]),
    )
  }
}

const entriesOf = (value: JsonObject, change: (item: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item, name)]))

function membersOf(value: Json, change: (item: Json, name: string) => Json): Json {
  if (Array.isArray(value)) return value.map((item, index) => change(item, String(index)))
  return isObject(value) ? entriesOf(value, change) : value
}

/** A button of a card as facts carry it: the values of the fields that hide what is typed are masked. */
export function maskCardInteraction(
  interaction: Used<'ui_schema'>,
  fields: readonly string[],
): InteractionWithEdits<Used<'ui_schema'>> {
  const values = isObject(interaction.values) ? interaction.values : {}
  const hidden = fields.filter(name => Object.hasOwn(values, name) && values[name] !== '' && values[name] !== null)
  if (hidden.length === 0) return { interaction, edits: {} }
  const shown = { ...values, ...Object.fromEntries(hidden.map(name => [name, MASK])) }
  return { interaction: { ...interaction, values: shown, hidden }, edits: {} }
}

/** Whether an agent would get masks in the place of what a person typed hidden. */
export const isMasked = ({ interaction }: TurnInput): boolean =>
  interaction?.hidden !== undefined && JSON.stringify(interaction).includes(MASK)
