import { isObject, type Json, type Path } from '@vitrine/protocol'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { deepEqual } from '../json.ts'
import type { Definition } from './definition.ts'
import { absolute, type PathRef } from './expression.ts'
import { itemKey, KEY_FIELDS, matchItems } from './keyed-list.ts'
import { reach } from './layered-data.ts'
import type { ModelContext } from './model-context.ts'
import { PathIndex, type Place } from './path-index.ts'
import type { NodeSnapshot } from './snapshot.ts'

/** Where relative pointers of some nodes begin: the surface itself, or an item of a list. */
export type Scope = { id: string; base: Path; nodes: Set<TreeNode> }

type Template = {
  node: TreeNode
  key: string
  componentId: string
  list: PathRef
  scopes: Scope[]
  items: readonly Json[] | undefined
  /** The list as it was before the changes that are being applied. */
  before: readonly Json[] | undefined
  queued: boolean
}

/** A component in its place on the surface. A component that is repeated has a node for each item. */
export type TreeNode = {
  id: string
  componentId: string
  scope: Scope
  depth: number
  uses: number
  definition: Definition | undefined
  values: (Json | undefined)[]
  /** The properties to be computed again; the checks share the index after the last one. */
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
  problems: Map<number, UiDiagnostic[]> | undefined
}

/** `index` is the property, as in `dirty`. */
type Listener = { node: TreeNode; index: number; template: Template | undefined; at: Place<Listener> | undefined }

const NOTHING: readonly never[] = []
/** What a node has until it is built. */
const NO_VALUES: never[] = []

/**
 * The nodes of one surface: which there are, what they read, and which a change touches. An item of a list that moved keeps
 * its nodes, and so does a component that comes again with the same id.
 */
export class NodeTree {
  readonly nodes = new Map<string, TreeNode>()
  readonly definitions = new Map<string, Definition>()
  readonly rootScope: Scope = { id: '', base: [], nodes: new Set() }
  readonly #context: ModelContext
  readonly #paths = new PathIndex<Listener>()
  /** The nodes that templates made, by component; outside of templates the node has the component's id. */
  readonly #repeated = new Map<string, Set<TreeNode>>()
  #root: string | undefined
  /** Something is not drawn, because too much is. */
  #cut = false
  /** Nodes came or went since the last `settle`. */
  #rebuilt = false
  #touched: TreeNode[] = []
  #queue: Template[] = []
  #serial = 0

  constructor(context: ModelContext) {
    this.#context = context
  }

  /** Paths that nodes listen at. */
  get subscriptions(): number {
    return this.#paths.size
  }

  // ---- what is drawn

  /**
   * Takes components and the root as a whole change has left them. Nodes are built when all components are in place: among
   * old and new ones together there could be a circle that is in neither.
   */
  change(definitions: ReadonlyMap<string, Definition | undefined>, root: string | undefined): void {
    for (const [id, definition] of definitions) {
      if (definition) this.definitions.set(id, definition)
      else this.definitions.delete(id)
    }
    const before = this.#root
    this.#root = root
    if (root !== before) {
      if (root !== undefined) this.#acquire(root, this.rootScope, 1)
      if (before !== undefined) this.#release(before)
    }
    for (const [id, definition] of definitions) {
      const node = this.nodes.get(id)
      if (node?.scope === this.rootScope && node.definition !== definition) this.#build(node, definition)
      const repeated = this.#repeated.get(id)
      if (repeated) for (const item of [...repeated]) if (item.definition !== definition) this.#build(item, definition)
    }
  }

  #acquire(componentId: string, scope: Scope, depth: number): TreeNode | undefined {
    // No component has an empty id, and in the children of a node it means that there is none.
    if (componentId === '') return undefined
    const id = scope === this.rootScope ? componentId : `${componentId}~${scope.id}`
    let node = this.nodes.get(id)
    if (node) {
      node.uses++
      return node
    }
    const { drawn } = this.#context.limits
    if (this.nodes.size >= drawn) {
      this.#cut = true
      this.#context.report(problem('too_many_drawn', `Only ${drawn} components are drawn`, '', componentId))
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
    this.nodes.set(id, node)
    if (scope !== this.rootScope) {
      scope.nodes.add(node)
      const same = this.#repeated.get(componentId)
      if (same) same.add(node)
      else this.#repeated.set(componentId, new Set([node]))
    }
    this.#build(node, this.definitions.get(componentId))
    return node
  }

  #release(id: string): void {
    const node = this.nodes.get(id)
    if (!node || --node.uses > 0) return
    this.#rebuilt = true
    this.nodes.delete(id)
    node.scope.nodes.delete(node)
    const same = this.#repeated.get(node.componentId)
    same?.delete(node)
    if (same?.size === 0) this.#repeated.delete(node.componentId)
    this.#unsubscribe(node)
    for (const child of node.children) this.#release(child)
    this.#context.released(node)
    node.templates = NOTHING
    this.#tell(node)
  }

  /** (Re)creates a node from its definition. Children that stay are taken before the old ones are let go. */
  #build(node: TreeNode, definition: Definition | undefined): void {
    const before = node.children
    this.#rebuilt = true
    node.definition = definition
    node.values = []
    node.dirty = new Array<boolean>((definition?.props.length ?? 0) + 1).fill(true)
    node.problems = undefined
    node.children = NOTHING
    node.slotChildren = definition?.slots.length ? new Map() : undefined
    const oldTemplates = node.templates
    const templates: Template[] = []
    const { depth } = this.#context.limits
    if (definition && node.depth > depth)
      this.#context.report(problem('too_deep', `Components are nested deeper than ${depth}`, '', node.componentId))
    else if (definition) {
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
    this.#subscribe(node)
    this.touch(node)
  }

  #collectChildren(node: TreeNode): void {
    for (const { key, componentId, scopes } of node.templates)
      node.slotChildren!.set(
        key,
        scopes.map(scope => `${componentId}~${scope.id}`),
      )
    node.children = node.slotChildren ? [...node.slotChildren.values()].flat().filter(id => id !== '') : NOTHING
    node.childrenChanged = true
  }

  // ---- who reads what

  #subscribe(node: TreeNode): void {
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

  #unsubscribe(node: TreeNode): void {
    for (const listener of node.listeners) this.#paths.remove(listener.at!, listener)
    node.listeners = NOTHING
  }

  /** Data are about to change: touches the nodes that read them. */
  dataChanges(path: Path, value: Json | undefined): void {
    const at = reach(this.#context.data.view, path, value)
    this.#paths.touch(at, (listener, depth) => {
      const { template } = listener
      if (!template) this.touch(listener.node, listener.index)
      else if (this.#structural(at, depth, value)) this.#queueTemplate(template)
    })
  }

  /** Does a write at this path change which items a list of that depth has? A leaf of an item does not. */
  #structural(path: Path, depth: number, value: Json | undefined): boolean {
    if (path.length <= depth) return true
    const old = this.#context.data.view.get(path.slice(0, depth + 1))
    // A write below an item that is not there makes the item.
    if (path.length > depth + 1)
      return old === undefined || (path.length === depth + 2 && KEY_FIELDS.includes(path.at(-1)!))
    return old === undefined || value === undefined || KEY_FIELDS.some(key => field(old, key) !== field(value, key))
  }

  /** Its readers are told, and what it shows is computed again when they ask: all of it, or one property. */
  touch(node: TreeNode, index?: number): void {
    if (index !== undefined) node.dirty[index] = true
    node.stale = true
    this.#tell(node)
  }

  #tell(node: TreeNode): void {
    if (node.touched) return
    node.touched = true
    this.#touched.push(node)
  }

  /** Brings the lists up to date and hands out the nodes whose readers are to be told. */
  settle(): readonly TreeNode[] {
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
      this.touch(node)
    }
    if (this.#queue.length > 0) this.#queue = []
    if (this.#cut && this.#rebuilt) this.#drawAgain()
    this.#rebuilt = false
    const touched = this.#touched
    this.#touched = []
    for (const node of touched) node.touched = false
    return touched
  }

  /**
   * Which nodes find room must not depend on what was drawn before: everybody who opens the surface now draws the same. What
   * goes and what comes in one change are there together for a moment, and something that is gone leaves room.
   */
  #drawAgain(): void {
    this.#cut = false
    if (this.#root === undefined) return
    this.#release(this.#root)
    this.#acquire(this.#root, this.rootScope, 1)
  }

  // ---- templates

  #queueTemplate(template: Template): void {
    if (template.queued) return
    template.queued = true
    template.before = listItems(this.#context.data.view.get(listPath(template)))
    this.#queue.push(template)
  }

  /** Gives each item of the list its scope. An item that moved keeps its nodes; only where they read from changes. */
  #reconcile(template: Template): void {
    const path = listPath(template)
    const value = this.#context.data.view.get(path)
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
      this.#subscribe(node)
      definition.props.forEach(({ expr }, index) => {
        if (expr.paths.some(ref => ref.relative)) this.touch(node, index)
      })
      if (definition.checks.length) this.touch(node, definition.props.length)
      for (const template of node.templates) if (template.list.relative) this.#rebaseTemplate(template)
    }
  }

  #rebaseTemplate(template: Template): void {
    const path = listPath(template)
    const value = this.#context.data.view.get(path)
    const keys = isObject(value) ? Object.keys(value) : undefined
    template.scopes.forEach((inner, i) => {
      this.#rebase(inner, path.concat(keys ? (keys[i] ?? '') : String(i)))
    })
    // The moved item may have another inner list than the one it was built from.
    if (template.queued) return
    this.#queueTemplate(template)
    template.before = template.items
  }
}

const listPath = ({ list, node }: Template): Path => absolute(list, node.scope.base)

const field = (value: Json | undefined, key: string): Json | undefined => (isObject(value) ? value[key] : undefined)

const listItems = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value)
    ? value.slice()
    : isObject(value)
      ? Object.entries(value).map(([key, item]) => (isObject(item) ? { ...item, key } : { key }))
      : []
