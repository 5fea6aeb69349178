import { DataTree, isObject, type Json, type JsonObject, jsonBytes, type SurfaceContent } from '@vitrine/protocol'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import type { Catalog } from './catalog.ts'
import type { A2uiComponent } from './component.ts'
import { refsOf } from './traits.ts'

/** What the checks have to know about a component without reading it again. */
export type ComponentFacts = { readonly size: number; readonly refs: readonly string[] }

const NONE: readonly never[] = []

/** One surface as the server has it, and what the checks have to know about it. */
export class SurfaceRecord implements SurfaceContent {
  state: 'live' | 'removed' = 'removed'
  root = 'root'
  catalogId: string | null = null
  theme: JsonObject = {}
  sendDataModel = false
  readonly components = new Map<string, JsonObject>()
  readonly data = new DataTree()

  readonly catalog: Catalog
  readonly facts = new Map<string, ComponentFacts>()
  /** The components that name a component, by its id. */
  readonly parents = new Map<string, Set<string>>()
  dataSize = 2
  size = 2

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  refs(id: string): readonly string[] {
    return this.facts.get(id)?.refs ?? NONE
  }

  /** Remembers size and references of a component, or forgets them. */
  note(id: string, facts: ComponentFacts | undefined): void {
    const old = this.facts.get(id)
    for (const ref of old?.refs ?? NONE) {
      const parents = this.parents.get(ref)
      parents?.delete(id)
      if (parents?.size === 0) this.parents.delete(ref)
    }
    if (facts) this.facts.set(id, facts)
    else this.facts.delete(id)
    for (const ref of facts?.refs ?? NONE) {
      const parents = this.parents.get(ref)
      if (parents) parents.add(id)
      else this.parents.set(ref, new Set<string>().add(id))
    }
    this.size += (facts?.size ?? 0) - (old?.size ?? 0)
  }

  /** Notes all components and data as they are now. */
  noteAll(): void {
    for (const id of [...this.facts.keys()]) if (!this.components.has(id)) this.note(id, undefined)
    for (const [id, component] of this.components) {
      const refs = references(component as A2uiComponent, this.catalog)
      this.note(id, { size: jsonBytes(component) + id.length, refs })
    }
    this.sizeData()
  }

  /** Measures the data as they are now; between two of these the size is a sum of estimates. */
  sizeData(): void {
    const size = jsonBytes(this.data.root)
    this.size += size - this.dataSize
    this.dataSize = size
  }

  /** What is wrong with a surface that is otherwise complete: nothing here is refused, it shows as a diagnostic. */
  inspect(): UiDiagnostic[] {
    const found: UiDiagnostic[] = []
    if (!this.components.has(this.root))
      found.push(problem('missing_root', `Missing root component: no component has the id '${this.root}'`))
    const reached = new Set<string>()
    const queue = [this.root]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (reached.has(id)) continue
      reached.add(id)
      for (const ref of this.refs(id)) queue.push(ref)
    }
    for (const [id, { refs }] of this.facts) {
      for (const ref of refs) {
        const message = `Component '${id}' references non-existent component '${ref}'`
        if (!this.components.has(ref)) found.push(problem('missing_child', message, '', id))
      }
      if (reached.has(id) || !this.components.has(this.root)) continue
      const message = `Component '${id}' is not reachable from '${this.root}'`
      found.push(problem('unreachable_component', message, '', id))
    }
    return found
  }
}

/** The components that a component names. */
export function references(component: A2uiComponent, catalog: Catalog): string[] {
  const found: string[] = []
  for (const { key, inner } of refsOf(catalog.traits(component.type))) {
    const value = component[key]
    if (value === undefined) continue
    if (!Array.isArray(value)) addReference(found, value)
    else for (const item of value) addReference(found, inner ? (isObject(item) ? item[inner] : undefined) : item)
  }
  return found
}

function addReference(found: string[], value: Json | undefined): void {
  if (typeof value === 'string') found.push(value)
  else if (isObject(value) && typeof value.componentId === 'string') found.push(value.componentId)
}

/** The component without any mention of another one. */
export function withoutReference(component: A2uiComponent, id: string, catalog: Catalog): A2uiComponent {
  const result: A2uiComponent = { ...component }
  for (const { key, inner } of refsOf(catalog.traits(component.type))) {
    const value = result[key]
    if (Array.isArray(value))
      result[key] = value.filter(item => item !== id && !(inner && isObject(item) && item[inner] === id))
    else if (value === id || (isObject(value) && value.componentId === id)) delete result[key]
  }
  return result
}
