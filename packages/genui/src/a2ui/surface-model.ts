import {
  applySurfaceOps,
  emptySurface,
  formatPointer,
  own,
  type Path,
  PathError,
  parsePointer,
  type SurfaceContent,
} from '@vitrine/protocol'
import type { ActionResult, EventType, SurfaceAction } from './actions.ts'
import {
  absolute,
  BudgetError,
  compile,
  compileCall,
  type EvalContext,
  type Expr,
  evaluate,
  type FunctionSpec,
  type PathRef,
  pathRef,
  toText,
} from './expression.ts'
import { basicFunctions } from './functions.ts'
import { itemKey, KEY_FIELDS, matchItems } from './keyed-list.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import {
  type Component,
  type Diagnostic,
  deepEqual,
  isObject,
  isTexts,
  type Json,
  type JsonObject,
  type SurfaceOp,
} from './ops.ts'
import { LayeredData, reach } from './overlay.ts'
import { PathIndex, type Place } from './path-index.ts'
import { isLinear, type RegexWorker } from './regex.ts'
import { basicTraits, type Ref, refsOf, type Traits } from './traits.ts'
import { linkUrl, mediaUrl } from './url.ts'

export interface SurfaceModelOptions {
  surfaceId: string
  /** Functions and traits beside the basic ones; a `Catalog` fits. */
  catalog?: { functions: ReadonlyMap<string, FunctionSpec>; traits(type: string): Traits }
  locale?: string
  timeZone?: string
  regexWorker?: RegexWorker
  limits?: Partial<Limits>
  onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** A component with everything resolved. The object stays the same until something in it changes. */
export interface NodeSnapshot {
  readonly id: string
  readonly componentId: string
  readonly type: string
  /** Resolved properties; references are node ids. */
  readonly props: Readonly<JsonObject>
  /** All child node ids in order, whatever property names them. */
  readonly children: readonly string[]
  /** Messages of the checks that fail. */
  readonly errors: readonly string[]
  /** A check of this node still waits for its answer. */
  readonly pending: boolean
  /** A button whose checks do not all hold. */
  readonly disabled: boolean
  /** A person's value differs from the server's. */
  readonly edited: boolean
  /** Referenced, but not (yet) there. */
  readonly missing: boolean
  readonly diagnostics: readonly Diagnostic[]
}

export interface SurfaceSnapshot {
  readonly surfaceId: string
  /** Node id of the root; undefined before the first create and after remove. */
  readonly root: string | undefined
  readonly catalogId: string | undefined
  readonly theme: Readonly<JsonObject>
  readonly sendDataModel: boolean
}

type Slot = {
  key: string
  ids?: readonly string[]
  single?: boolean
  template?: { componentId: string; list: PathRef }
}

type Definition = {
  component: Component
  traits: Traits
  props: readonly { key: string; expr: Expr }[]
  /** Where a person's input is written, when it is bound. */
  target: PathRef | undefined
  slots: readonly Slot[]
  checks: readonly { condition: Expr; message: Expr }[]
}

type Scope = { id: string; base: Path; nodes: Set<Node> }

type Template = {
  node: Node
  key: string
  componentId: string
  list: PathRef
  scopes: Scope[]
  items: readonly Json[] | undefined
  /** The list as it was before the changes that are being applied. */
  before: readonly Json[] | undefined
  queued: boolean
}

type Node = {
  id: string
  componentId: string
  scope: Scope
  depth: number
  uses: number
  definition: Definition | undefined
  values: (Json | undefined)[]
  dirty: boolean[]
  stale: boolean
  /** It is among those whose readers are told after this change. */
  touched: boolean
  childrenChanged: boolean
  snapshot: NodeSnapshot | undefined
  children: readonly string[]
  slotChildren: Map<string, string | string[]> | undefined
  templates: readonly Template[]
  listeners: readonly Listener[]
  problems: Map<number, Diagnostic[]> | undefined
}

/** `index` is the property; the checks share the index after the last one. */
type Listener = { node: Node; index: number; template: Template | undefined; at: Place<Listener> | undefined }

const NOTHING: readonly never[] = []
/** What a node has until it is built. */
const NO_VALUES: never[] = []
const NO_PROBLEM = { errors: NOTHING, pending: false }
const RESERVED = new Set(['type', 'checks', 'action', 'emits'])

const basicFunctionMap: ReadonlyMap<string, FunctionSpec> = new Map(Object.entries(basicFunctions))

/**
 * The live view of one surface: a fold of its operations and of what the person typed. Readers subscribe to single nodes;
 * a change recomputes the properties whose inputs it touched, when they are next read.
 */
export class SurfaceModel {
  readonly surfaceId: string
  readonly #options: SurfaceModelOptions
  readonly #limits: Limits
  readonly #functions: ReadonlyMap<string, FunctionSpec>
  readonly #context: EvalContext
  /** What listens at the path is told before the data change. */
  readonly #changed = (path: Path, value: Json | undefined): void => {
    const at = reach(this.#data.view, path, value)
    this.#paths.touch(at, (listener, depth) => {
      const { template } = listener
      if (!template) this.#touch(listener.node, listener.index)
      else if (this.#structural(at, depth, value)) this.#queueTemplate(template)
    })
  }

  readonly #data: LayeredData = new LayeredData(this.#changed)
  /** The surface as its operations make it; what is drawn is built from it. */
  readonly #content: SurfaceContent<LayeredData> = { ...emptySurface(), data: this.#data }
  readonly #paths = new PathIndex<Listener>()
  readonly #nodes = new Map<string, Node>()
  /** The nodes that templates made, by component; outside of templates the node has the component's id. */
  readonly #repeated = new Map<string, Set<Node>>()
  readonly #definitions = new Map<string, Definition>()
  readonly #rootScope: Scope = { id: '', base: [], nodes: new Set() }
  readonly #fields = new Map<string, Json>()
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #surfaceListeners = new Set<() => void>()
  readonly #answers = new Map<string, boolean>()
  readonly #asking = new Map<string, Set<Node>>()
  #surface: SurfaceSnapshot
  #reported = new Set<string>()
  #touched: Node[] = []
  #queue: Template[] = []
  #serial = 0
  #evaluating: Node | undefined
  #evaluatingIndex = -1
  #disposed = false

  constructor(options: SurfaceModelOptions, ops: readonly SurfaceOp[] = []) {
    this.surfaceId = options.surfaceId
    this.#options = options
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#functions = options.catalog?.functions ?? basicFunctionMap
    this.#surface = this.#emptySurface()
    this.#context = {
      read: path => this.#data.view.get(path),
      base: [],
      vars: undefined,
      functions: this.#functions,
      locale: options.locale,
      timeZone: options.timeZone,
      maxString: this.#limits.string,
      steps: this.#limits.steps,
      pending: false,
      regex: (pattern, value) => this.#regex(pattern, value),
      diagnose: (code, message) => this.#diagnose(code, message),
    }
    this.apply(ops)
  }

  // ---- reading

  getSurface(): SurfaceSnapshot {
    return this.#surface
  }

  subscribeSurface(listener: () => void): () => void {
    this.#surfaceListeners.add(listener)
    return () => void this.#surfaceListeners.delete(listener)
  }

  getNode(id: string): NodeSnapshot | undefined {
    const node = this.#nodes.get(id)
    return node && (node.stale || !node.snapshot ? this.#resolve(node) : node.snapshot)
  }

  subscribe(id: string, listener: () => void): () => void {
    // By id and not by node: a node that goes and comes back in one change keeps its listeners.
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id)
    }
  }

  /** The data model with the person's edits. */
  dataModel(): Json {
    this.#data.view.share()
    return this.#data.view.root
  }

  /** What the fields of the surface hold now, by component id; a list for fields inside a template. */
  values(): JsonObject {
    const result = new Map<string, Json>()
    const seen = new Set<string>()
    const visit = (id: string) => {
      const node = this.#nodes.get(id)
      if (!node || seen.has(id)) return
      seen.add(id)
      const input = node.definition?.traits.input
      if (input) {
        const value = this.getNode(id)?.props[input] ?? null
        const all = result.get(node.componentId)
        if (node.scope === this.#rootScope) result.set(node.componentId, value)
        else if (Array.isArray(all)) all.push(value)
        else result.set(node.componentId, [value])
      }
      for (const child of node.children) visit(child)
    }
    if (this.#surface.root !== undefined) visit(this.#surface.root)
    return Object.fromEntries(result)
  }

  /** Live subscriptions to the data model and live nodes: both are 0 when the surface is gone. */
  get live(): { subscriptions: number; nodes: number } {
    return { subscriptions: this.#paths.size, nodes: this.#nodes.size }
  }

  // ---- facts

  apply(ops: readonly SurfaceOp[]): void {
    if (this.#disposed) return
    const content = this.#content
    applySurfaceOps(content, ops, this.#refused)
    if (ops.some(({ op }) => op === 'create' || op === 'remove')) {
      if (ops.some(({ op }) => op === 'remove')) this.#forget()
      const { root, catalogId, theme, sendDataModel, components } = content
      this.#setSurface(
        content.state === 'removed'
          ? this.#emptySurface()
          : { surfaceId: this.surfaceId, root, catalogId: catalogId ?? undefined, theme, sendDataModel },
      )
      for (const id of [...components.keys(), ...this.#definitions.keys()]) this.#define(id)
    } else for (const op of ops) if ('id' in op && op.id !== undefined) this.#define(op.id)
    this.#flush()
  }

  readonly #refused = (op: SurfaceOp): void => {
    if (op.op !== 'set') return
    this.#report({ code: 'invalid_path', message: `${op.path} cannot be written`, path: op.path })
  }

  // ---- the person

  /** Writes a person's value above the server's data. */
  setLocal(pointer: string, value: Json): void {
    const path = parsePointer(pointer)
    if (!path || this.#disposed) return
    this.#guard(() => this.#data.edit(path, value))
    this.#flush()
  }

  /** Writes to whatever the field is bound to, or keeps the value with the field when it is bound to nothing. */
  setInput(id: string, value: Json): void {
    const node = this.#nodes.get(id)
    const input = node?.definition?.traits.input
    if (!node || input === undefined) return
    const target = node.definition?.target
    if (target) {
      this.setLocal(formatPointer(absolute(target, node.scope.base)), value)
      return
    }
    this.#fields.set(id, value)
    this.#touch(node)
    this.#flush()
  }

  /** The field whose edit has this key in `exportLocal`. */
  fieldOf(edit: string): string | undefined {
    if (edit.startsWith('#')) return this.#nodes.has(edit.slice(1)) ? edit.slice(1) : undefined
    for (const { id, definition, scope } of this.#nodes.values()) {
      const target = definition?.target
      if (target && formatPointer(absolute(target, scope.base)) === edit) return id
    }
    return undefined
  }

  /** Unsent edits by pointer, and by `#node` for fields that are bound to nothing. */
  exportLocal(): JsonObject {
    const result = this.#data.export()
    for (const [id, value] of this.#fields) result[`#${id}`] = value
    return result
  }

  restoreLocal(edits: JsonObject): void {
    for (const [key, value] of Object.entries(edits)) {
      const path = parsePointer(key)
      if (path) this.#guard(() => this.#data.edit(path, value))
      if (!key.startsWith('#')) continue
      this.#fields.set(key.slice(1), value)
      const node = this.#nodes.get(key.slice(1))
      if (node) this.#touch(node)
    }
    this.#flush()
  }

  /** The server has accepted: forget what was sent. What was typed since stays. */
  clearLocal(sent?: JsonObject): void {
    this.#data.clear(sent)
    for (const [id, value] of [...this.#fields]) {
      if (sent && !deepEqual(sent[`#${id}`], value)) continue
      this.#fields.delete(id)
      const node = this.#nodes.get(id)
      if (node) this.#touch(node)
    }
    this.#flush()
  }

  action(id: string, eventType: EventType, value?: Json): ActionResult {
    const node = this.#nodes.get(id)
    const definition = node?.definition
    if (!node || !definition) return { kind: 'refused', reason: 'The component is no longer there' }
    const snapshot = this.getNode(id)!
    if (eventType === 'click' && snapshot.disabled)
      return { kind: 'refused', reason: snapshot.errors[0] ?? 'A check is still running' }
    const { action, emits } = definition.component
    if (isObject(action) && isObject(action.functionCall) && eventType === 'click')
      return this.#callFunction(node, action.functionCall)
    const event = isObject(action) && isObject(action.event) ? action.event : undefined
    const isInput = definition.traits.input !== undefined
    if (isInput && !emits && !(event && eventType === 'submit')) return { kind: 'none' }
    const payload: JsonObject = {}
    if (isInput) payload.value = value ?? snapshot.props[definition.traits.input!] ?? null
    if (eventType !== 'change') {
      payload.values = this.values()
      if (this.#surface.sendDataModel) payload.dataModel = this.dataModel()
    }
    const result: SurfaceAction = { surfaceId: this.surfaceId, componentId: node.componentId, eventType, payload }
    // An item of a list says which one it was.
    if (node.scope !== this.#rootScope) payload.item = formatPointer(node.scope.base)
    if (event && typeof event.name === 'string') {
      result.name = event.name
      result.context = (this.#evaluate(node, -1, compile(event.context ?? {})) as JsonObject | undefined) ?? {}
    }
    return { kind: 'event', action: result }
  }

  dispose(): void {
    this.apply([{ op: 'remove' }])
    this.#surfaceListeners.clear()
    this.#asking.clear()
    this.#answers.clear()
    this.#disposed = true
  }

  // ---- data

  /** Does a write at this path change which items a list of that depth has? A leaf of an item does not. */
  #structural(path: Path, depth: number, value: Json | undefined): boolean {
    if (path.length <= depth) return true
    const old = this.#data.view.get(path.slice(0, depth + 1))
    // A write below an item that is not there makes the item.
    if (path.length > depth + 1)
      return old === undefined || (path.length === depth + 2 && KEY_FIELDS.includes(path.at(-1)!))
    return old === undefined || value === undefined || KEY_FIELDS.some(key => field(old, key) !== field(value, key))
  }

  #guard(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (!(error instanceof PathError)) throw error
      this.#report({ code: 'invalid_path', message: error.message })
    }
  }

  // ---- structure

  /**
   * Takes a component as all operations of a change have left it: one that comes in many parts is built once, and one
   * that comes again with the same id stays the same node and keeps its focus.
   */
  #define(id: string): void {
    const component = this.#content.components.get(id) as Component | undefined
    const old = this.#definitions.get(id)
    if (component ? old && deepEqual(old.component, component) : !old) return
    const definition = component && this.#compile(component)
    if (definition) this.#definitions.set(id, definition)
    else this.#definitions.delete(id)
    const node = this.#nodes.get(id)
    if (node?.scope === this.#rootScope) this.#build(node, definition)
    const repeated = this.#repeated.get(id)
    if (repeated) for (const item of [...repeated]) this.#build(item, definition)
  }

  #compile(component: Component): Definition {
    const traits = this.#options.catalog?.traits(component.type) ?? own(basicTraits, component.type) ?? {}
    const props: { key: string; expr: Expr }[] = []
    const slots: Slot[] = []
    for (const key of Object.keys(component)) {
      if (RESERVED.has(key)) continue
      const value = component[key]!
      const ref = refOf(traits, key)
      if (ref && !ref.inner) {
        const slot = toSlot(key, value)
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
      props.push({ key: key === '$type' ? 'type' : key, expr: compile(value, records) })
    }
    const checks: { condition: Expr; message: Expr }[] = []
    if (Array.isArray(component.checks))
      for (const check of component.checks)
        if (isObject(check)) checks.push({ condition: compile(check.condition), message: compile(check.message ?? '') })
    if (typeof component.validationRegexp === 'string' && component.value !== undefined) {
      const args = { value: component.value, pattern: component.validationRegexp }
      // An empty field is the business of `required`.
      const condition = compile({
        or: [{ eq: [component.value, ''] }, { eq: [component.value, null] }, { call: 'regex', args }],
      })
      checks.push({ condition, message: compile('Does not have the expected format') })
    }
    const { input } = traits
    const target = input === undefined ? undefined : props.find(({ key }) => key === input)?.expr.target
    return { component, traits, props, target, slots, checks }
  }

  #acquire(componentId: string, scope: Scope, depth: number): Node | undefined {
    const id = scope === this.#rootScope ? componentId : `${componentId}~${scope.id}`
    let node = this.#nodes.get(id)
    if (node) {
      node.uses++
      return node
    }
    if (this.#nodes.size >= this.#limits.nodes) {
      this.#report({ code: 'too_many_nodes', message: `Only ${this.#limits.nodes} components are drawn`, componentId })
      return undefined
    }
    node = {
      id,
      componentId,
      scope,
      depth,
      uses: 1,
      definition: undefined,
      values: NO_VALUES,
      dirty: NO_VALUES,
      stale: true,
      touched: false,
      childrenChanged: true,
      snapshot: undefined,
      children: NOTHING,
      slotChildren: undefined,
      templates: NOTHING,
      listeners: NOTHING,
      problems: undefined,
    }
    this.#nodes.set(id, node)
    if (scope !== this.#rootScope) {
      scope.nodes.add(node)
      const same = this.#repeated.get(componentId)
      if (same) same.add(node)
      else this.#repeated.set(componentId, new Set([node]))
    }
    this.#build(node, this.#definitions.get(componentId))
    return node
  }

  #release(id: string): void {
    const node = this.#nodes.get(id)
    if (!node || --node.uses > 0) return
    this.#nodes.delete(id)
    node.scope.nodes.delete(node)
    const same = this.#repeated.get(node.componentId)
    same?.delete(node)
    if (same?.size === 0) this.#repeated.delete(node.componentId)
    this.#unsubscribe(node)
    for (const child of node.children) this.#release(child)
    for (const asking of this.#asking.values()) asking.delete(node)
    // A field of the form may come back with the next update; a row of a list that shrank does not.
    if (node.scope !== this.#rootScope) this.#fields.delete(id)
    node.templates = NOTHING
    this.#tell(node)
  }

  /** (Re)creates a node from its definition. Children that stay are taken before the old ones are let go. */
  #build(node: Node, definition: Definition | undefined): void {
    const before = node.children
    node.definition = definition
    node.values = []
    node.dirty = new Array<boolean>((definition?.props.length ?? 0) + 1).fill(true)
    node.problems = undefined
    node.children = NOTHING
    node.slotChildren = definition?.slots.length ? new Map() : undefined
    const oldTemplates = node.templates
    const templates: Template[] = []
    if (definition && node.depth > this.#limits.depth) {
      this.#report({
        code: 'too_deep',
        message: `Components are nested deeper than ${this.#limits.depth}`,
        componentId: node.componentId,
      })
    } else if (definition) {
      for (const { key, ids, single, template } of definition.slots) {
        if (template) {
          const old = oldTemplates.find(
            other => other.componentId === template.componentId && deepEqual(other.list, template.list),
          )
          if (old) {
            // The same list under a new definition keeps its items; they are let go below once.
            for (const scope of old.scopes) this.#acquire(old.componentId, scope, node.depth + 1)
            templates.push(Object.assign(old, { key }))
          } else {
            const fresh = { node, key, ...template, scopes: [], items: undefined, before: undefined, queued: false }
            templates.push(fresh)
            this.#reconcile(fresh)
          }
          node.slotChildren!.set(key, [])
        } else {
          const taken: string[] = []
          for (const id of ids!) {
            const child = this.#acquire(id, node.scope, node.depth + 1)
            if (child) taken.push(child.id)
          }
          node.slotChildren!.set(key, single ? (taken[0] ?? '') : taken)
        }
      }
    }
    node.templates = templates.length ? templates : NOTHING
    this.#collectChildren(node)
    for (const id of before) this.#release(id)
    this.#subscribeNode(node)
    this.#touch(node)
  }

  #collectChildren(node: Node): void {
    for (const { key, componentId, scopes } of node.templates)
      node.slotChildren!.set(
        key,
        scopes.map(scope => `${componentId}~${scope.id}`),
      )
    node.children = node.slotChildren ? [...node.slotChildren.values()].flat().filter(id => id !== '') : NOTHING
    node.childrenChanged = true
  }

  #subscribeNode(node: Node): void {
    this.#unsubscribe(node)
    const { definition } = node
    if (!definition) return
    const listeners: Listener[] = []
    const listen = (ref: PathRef, index: number, template?: Template) => {
      const listener: Listener = { node, index, template, at: undefined }
      listener.at = this.#paths.add(absolute(ref, node.scope.base), listener)
      listeners.push(listener)
    }
    const { props, checks } = definition
    for (let i = 0; i < props.length; i++) for (const ref of props[i]!.expr.paths) listen(ref, i)
    for (const { condition, message } of checks) {
      for (const ref of condition.paths) listen(ref, props.length)
      for (const ref of message.paths) listen(ref, props.length)
    }
    for (const template of node.templates) listen(template.list, -1, template)
    node.listeners = listeners
  }

  #unsubscribe(node: Node): void {
    for (const listener of node.listeners) this.#paths.remove(listener.at!, listener)
    node.listeners = NOTHING
  }

  // ---- templates

  #queueTemplate(template: Template): void {
    if (template.queued) return
    template.queued = true
    template.before = listItems(this.#data.view.get(this.#listPath(template)))
    this.#queue.push(template)
  }

  #listPath(template: Template): Path {
    return absolute(template.list, template.node.scope.base)
  }

  /** Gives each item of the list its scope. An item that moved keeps its nodes; only where they read from changes. */
  #reconcile(template: Template): void {
    const path = this.#listPath(template)
    const value = this.#data.view.get(path)
    const items = listItems(value)
    const keys = isObject(value) ? Object.keys(value) : undefined
    const old = template.scopes
    const matches = matchItems(template.before ?? template.items ?? NOTHING, items)
    const taken = new Set(old.map(scope => scope.id))
    const reused = new Set<Scope>()
    template.scopes = []
    template.items = items
    template.before = undefined
    for (let i = 0; i < items.length; i++) {
      const base = path.concat(keys ? keys[i]! : String(i))
      const known = old[matches[i]!]
      if (known && !reused.has(known)) {
        reused.add(known)
        template.scopes.push(known)
        this.#rebase(known, base)
        continue
      }
      // A name that survives a reload where the item has one.
      const named = `${template.node.id}:${keys ? keys[i] : (itemKey(items[i]!) ?? '')}`
      const id = named.endsWith(':') || taken.has(named) ? `${template.node.id}:${++this.#serial}` : named
      taken.add(id)
      const scope: Scope = { id, base, nodes: new Set() }
      if (!this.#acquire(template.componentId, scope, template.node.depth + 1)) break
      template.scopes.push(scope)
      reused.add(scope)
    }
    for (const scope of old) if (!reused.has(scope)) this.#release(`${template.componentId}~${scope.id}`)
  }

  #rebase(scope: Scope, base: Path): void {
    if (scope.base.length === base.length && scope.base.every((segment, i) => segment === base[i])) return
    scope.base = base
    for (const node of [...scope.nodes]) {
      const { definition } = node
      if (!definition) continue
      this.#subscribeNode(node)
      definition.props.forEach(({ expr }, index) => {
        if (expr.paths.some(ref => ref.relative)) this.#touch(node, index)
      })
      if (definition.checks.length) this.#touch(node, definition.props.length)
      for (const template of node.templates) {
        if (!template.list.relative) continue
        const path = this.#listPath(template)
        const value = this.#data.view.get(path)
        const keys = isObject(value) ? Object.keys(value) : undefined
        template.scopes.forEach((inner, i) => {
          this.#rebase(inner, path.concat(keys ? (keys[i] ?? '') : String(i)))
        })
        // The moved item may have another inner list than the one it was built from.
        if (!template.queued) {
          this.#queueTemplate(template)
          template.before = template.items
        }
      }
    }
  }

  // ---- evaluation

  #touch(node: Node, index?: number): void {
    if (index !== undefined) node.dirty[index] = true
    node.stale = true
    this.#tell(node)
  }

  #tell(node: Node): void {
    if (node.touched) return
    node.touched = true
    this.#touched.push(node)
  }

  #resolve(node: Node): NodeSnapshot {
    const { definition } = node
    const old = node.snapshot
    node.stale = false
    if (!definition) {
      node.snapshot = old?.missing
        ? old
        : {
            id: node.id,
            componentId: node.componentId,
            type: '',
            props: {},
            children: NOTHING,
            errors: NOTHING,
            pending: false,
            disabled: false,
            edited: false,
            missing: true,
            diagnostics: NOTHING,
          }
      return node.snapshot
    }
    const count = definition.props.length
    let changed = !old || old.missing || node.childrenChanged || old.type !== definition.component.type
    for (let i = 0; i < count; i++) {
      if (!node.dirty[i]) continue
      node.dirty[i] = false
      const { expr } = definition.props[i]!
      const value = this.#evaluate(node, i, expr)
      // A bound container is a new object when something below it changed; only computed ones need a comparison.
      if (Object.is(value, node.values[i])) continue
      if (!expr.target && typeof value === 'object' && deepEqual(value, node.values[i])) continue
      node.values[i] = value
      changed = true
    }
    const checks = node.dirty[count] ? this.#runChecks(node, definition) : old!
    node.dirty[count] = false
    const { input } = definition.traits
    const local = input === undefined ? undefined : this.#fields.get(node.id)
    const edited = local !== undefined || this.#isEdited(node, definition)
    changed ||=
      checks.pending !== old!.pending ||
      !deepEqual(checks.errors, old!.errors) ||
      edited !== old!.edited ||
      (local !== undefined && !deepEqual(old!.props[input!], local))
    if (old && !changed) return old
    node.childrenChanged = false
    const disabled = definition.component.type === 'Button' && (checks.errors.length > 0 || checks.pending)
    const props = this.#props(node, definition, local)
    const { urls } = definition.traits
    const blocked = urls ? this.#checkUrls(node, urls, props) : NOTHING
    const problems = node.problems?.size ? [...node.problems.values()].flat() : NOTHING
    node.snapshot = {
      id: node.id,
      componentId: node.componentId,
      type: definition.component.type,
      props,
      children: node.children,
      errors: checks.errors,
      pending: checks.pending,
      disabled,
      edited,
      missing: false,
      diagnostics: blocked.length ? [...problems, ...blocked] : problems,
    }
    return node.snapshot
  }

  #props(node: Node, definition: Definition, local: Json | undefined): JsonObject {
    const props: JsonObject = {}
    for (let i = 0; i < definition.props.length; i++) {
      const value = node.values[i]
      if (value !== undefined) props[definition.props[i]!.key] = value
    }
    for (const [key, ids] of node.slotChildren ?? NOTHING) {
      const dot = key.indexOf('.')
      if (dot < 0) {
        if (ids !== '') props[key] = ids
        continue
      }
      // Records of a list: the id inside each record becomes the node's id.
      const list = props[key.slice(0, dot)]
      const inner = key.slice(dot + 1)
      let next = 0
      if (Array.isArray(list))
        props[key.slice(0, dot)] = list.map(item =>
          isObject(item) && typeof item[inner] === 'string' ? { ...item, [inner]: ids[next++] ?? '' } : item,
        )
    }
    if (local !== undefined) props[definition.traits.input!] = local
    return props
  }

  /** Takes out the addresses that may not be used, and says which. */
  #checkUrls(node: Node, urls: NonNullable<Traits['urls']>, props: JsonObject): Diagnostic[] {
    const blocked: Diagnostic[] = []
    for (const [key, kind] of Object.entries(urls)) {
      if (props[key] === undefined || props[key] === '') continue
      const verdict = kind === 'link' ? linkUrl(props[key]) : mediaUrl(props[key], kind)
      if (verdict.ok) {
        props[key] = verdict.url
        if (verdict.download) props.download = true
        continue
      }
      delete props[key]
      const diagnostic = { code: 'blocked_url', message: verdict.reason, componentId: node.componentId }
      blocked.push(diagnostic)
      this.#report(diagnostic)
    }
    return blocked
  }

  #isEdited(node: Node, definition: Definition): boolean {
    const { target } = definition
    return target !== undefined && this.#data.isEdited(absolute(target, node.scope.base))
  }

  #runChecks(node: Node, definition: Definition): { errors: readonly string[]; pending: boolean } {
    if (definition.checks.length === 0) return NO_PROBLEM
    const errors: string[] = []
    let pending = false
    for (const { condition, message } of definition.checks) {
      this.#context.pending = false
      const holds = this.#evaluate(node, definition.props.length, condition)
      if (this.#context.pending) pending = true
      else if (!holds) errors.push(toText(this.#evaluate(node, definition.props.length, message)))
    }
    return { errors, pending }
  }

  #evaluate(node: Node, index: number, expr: Expr): Json | undefined {
    if (!expr.run) return expr.value
    const context = this.#context
    context.base = node.scope.base
    context.vars = undefined
    node.problems?.delete(index)
    this.#evaluating = node
    this.#evaluatingIndex = index
    try {
      const value = evaluate(expr, context)
      // A container goes out to a reader: later writes must copy it.
      if (typeof value === 'object' && value !== null) this.#data.view.share()
      // Computed texts are cut; what a binding reads was limited by the server, or is what the person is typing.
      const cut = typeof value === 'string' && value.length > context.maxString && !expr.target
      return cut ? value.slice(0, context.maxString) : value
    } catch (error) {
      // A function of a catalog that throws, or a bomb, takes down this one value.
      const bomb = error instanceof BudgetError
      this.#diagnose(
        bomb ? 'expression_too_costly' : 'function_failed',
        bomb ? 'The expressions of this surface take too many steps' : String(error),
      )
      return undefined
    } finally {
      this.#evaluating = undefined
    }
  }

  #callFunction(node: Node, call: JsonObject): ActionResult {
    const name = toText(call.call)
    const args = (this.#evaluate(node, -1, compile(isObject(call.args) ? call.args : {})) ?? {}) as JsonObject
    if (name === 'openUrl') {
      const verdict = linkUrl(args.url)
      if (!verdict.ok) {
        this.#report({ code: 'blocked_url', message: verdict.reason, componentId: node.componentId })
        return { kind: 'refused', reason: verdict.reason }
      }
      return { kind: 'open', url: verdict.url, ...(verdict.download ? { download: true } : {}) }
    }
    const spec = this.#functions.get(name)
    if (!spec) return { kind: 'refused', reason: `There is no function '${name}'` }
    const value = spec.effect
      ? this.#evaluate(node, -1, { paths: [], run: ctx => spec.run(args, ctx) })
      : this.#evaluate(node, -1, compileCall(name, args))
    return { kind: 'call', name, value }
  }

  #regex(pattern: string, value: string): boolean {
    if (isLinear(pattern)) return new RegExp(pattern).test(value)
    const key = `${pattern}\n${value}`
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const worker = this.#options.regexWorker
    if (!worker) {
      this.#diagnose('regex_refused', `The pattern ${pattern} could block the page and no worker is there to run it`)
      return false
    }
    this.#context.pending = true
    const node = this.#evaluating
    const asking = this.#asking.get(key)
    if (asking) {
      if (node) asking.add(node)
      return false
    }
    this.#asking.set(key, new Set(node ? [node] : []))
    worker.test(pattern, value).then(
      answer => this.#answered(key, pattern, answer),
      () => this.#answered(key, pattern, 'timeout'),
    )
    return false
  }

  #answered(key: string, pattern: string, answer: boolean | 'timeout'): void {
    if (this.#disposed) return
    if (answer === 'timeout')
      this.#report({
        code: 'regex_timeout',
        message: `The pattern ${pattern} took too long and counts as not matching`,
      })
    if (this.#answers.size >= 256) this.#answers.clear()
    this.#answers.set(key, answer === true)
    const waiting = this.#asking.get(key)
    this.#asking.delete(key)
    for (const node of waiting ?? NOTHING) {
      node.dirty.fill(true)
      this.#touch(node)
    }
    this.#flush()
  }

  // ---- telling

  #setSurface(surface: SurfaceSnapshot): void {
    const old = this.#surface
    this.#surface = surface
    this.#surfaceChanged = true
    if (surface.root === old.root) return
    if (surface.root !== undefined) this.#acquire(surface.root, this.#rootScope, 1)
    if (old.root !== undefined) this.#release(old.root)
  }
  #surfaceChanged = false

  #emptySurface(): SurfaceSnapshot {
    return { surfaceId: this.surfaceId, root: undefined, catalogId: undefined, theme: {}, sendDataModel: false }
  }

  #forget(): void {
    this.#fields.clear()
    this.#data.clear()
    this.#answers.clear()
    this.#reported.clear()
  }

  #flush(): void {
    this.#context.steps = this.#limits.steps
    // A template that is rebuilt may queue the ones inside it.
    for (let i = 0; i < this.#queue.length; i++) {
      const template = this.#queue[i]!
      template.queued = false
      const { node } = template
      if (!node.templates.includes(template)) continue
      const before = node.children
      this.#reconcile(template)
      this.#collectChildren(node)
      if (deepEqual(before, node.children)) node.childrenChanged = false
      this.#touch(node)
    }
    if (this.#queue.length > 0) this.#queue = []
    const touched = this.#touched
    this.#touched = []
    for (const node of touched) node.touched = false
    if (this.#listeners.size > 0)
      for (const { id } of touched) for (const listener of [...(this.#listeners.get(id) ?? NOTHING)]) listener()
    if (!this.#surfaceChanged) return
    this.#surfaceChanged = false
    for (const listener of [...this.#surfaceListeners]) listener()
  }

  #diagnose(code: string, message: string): void {
    const node = this.#evaluating
    const index = this.#evaluatingIndex
    const diagnostic: Diagnostic = { code, message, ...(node ? { componentId: node.componentId } : {}) }
    if (node) {
      node.problems ??= new Map()
      node.problems.set(index, [...(node.problems.get(index) ?? NOTHING), diagnostic])
    }
    this.#report(diagnostic)
  }

  /** Each problem once: a value that is recomputed a thousand times has one diagnostic. */
  #report(diagnostic: Diagnostic): void {
    const key = `${diagnostic.code}|${diagnostic.componentId ?? ''}|${diagnostic.message}`
    if (this.#reported.has(key) || this.#reported.size >= 200) return
    this.#reported.add(key)
    this.#options.onDiagnostic?.(diagnostic)
  }
}

/** The reference that a property of this name is. */
function refOf(traits: Traits, key: string): Ref | undefined {
  for (const ref of refsOf(traits)) if (ref.key === key) return ref
  return undefined
}

const field = (value: Json | undefined, key: string): Json | undefined => (isObject(value) ? value[key] : undefined)

const listItems = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value)
    ? value.slice()
    : isObject(value)
      ? Object.entries(value).map(([key, item]) => (isObject(item) ? { ...item, key } : { key }))
      : []

function toSlot(key: string, value: Json): Slot | undefined {
  if (typeof value === 'string') return { key, ids: [value], single: true }
  if (Array.isArray(value)) return isTexts(value) ? { key, ids: value } : undefined
  if (!isObject(value) || typeof value.componentId !== 'string' || typeof value.path !== 'string') return undefined
  const list = pathRef(value.path)
  return list && { key, template: { componentId: value.componentId, list } }
}
