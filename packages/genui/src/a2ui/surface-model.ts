import {
  applySurfaceOps,
  emptySurface,
  formatPointer,
  isObject,
  type Json,
  type JsonObject,
  own,
  type Path,
  parsePointer,
  type SurfaceContent,
  type SurfaceOp,
} from '@vitrine/protocol'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { deepEqual } from '../json.ts'
import { type UiLimits, uiLimits } from '../limits.ts'
import type { PatternWorker } from '../pattern/worker.ts'
import { judgeUrl } from '../url.ts'
import {
  declaredName,
  reaches,
  type SurfaceAction,
  type SurfaceActionResult,
  type SurfaceEventType,
} from './actions.ts'
import type { A2uiComponent } from './component.ts'
import { type Definition, define, unknownDefinition } from './definition.ts'
import { editedField, fieldEditKey } from './edit-key.ts'
import { Evaluation } from './evaluation.ts'
import { absolute, type CatalogFunction, compileRecord, compileValue, isDynamic, valueText } from './expression.ts'
import { basicFunctions } from './functions.ts'
import { hidesInput } from './hidden-fields.ts'
import { LayeredData } from './layered-data.ts'
import type { ModelContext } from './model-context.ts'
import { NodeTree, type TreeNode } from './node-tree.ts'
import { PatternAnswers } from './pattern-answers.ts'
import type { NodeSnapshot, SurfaceSnapshot } from './snapshot.ts'
import { basicTraits, type ComponentTraits } from './traits.ts'

/** What a model knows of the catalog of its surface. */
export interface SurfaceCatalog {
  readonly functions: ReadonlyMap<string, CatalogFunction>
  has(type: string): boolean
  traits(type: string): ComponentTraits
}

/** What a model of a surface is made with. */
export interface SurfaceModelOptions {
  surfaceId: string
  /** Functions, types and their traits; a `Catalog` fits. Without it, those of the basic catalog. */
  catalog?: SurfaceCatalog | undefined
  locale?: string
  timeZone?: string
  /** Runs the patterns of agents that may not run on the page. Without it such a pattern never matches, and says so. */
  patternWorker?: PatternWorker
  limits?: Partial<UiLimits>
  onDiagnostic?: (diagnostic: UiDiagnostic) => void
}

/** A problem that is computed a thousand times is told once, and no surface has endless problems. */
const MAX_REPORTED = 200

const basicFunctionMap: ReadonlyMap<string, CatalogFunction> = new Map(Object.entries(basicFunctions))

/**
 * The live view of one surface: a fold of its operations and of what the person typed. Readers subscribe to single nodes;
 * a change recomputes the properties whose inputs it touched, when they are next read.
 */
export class SurfaceModel {
  readonly surfaceId: string
  readonly #options: SurfaceModelOptions
  readonly #functions: ReadonlyMap<string, CatalogFunction>
  /** What listens at a path is told before the data change. */
  readonly #data: LayeredData = new LayeredData((path, value) => this.#tree.dataChanges(path, value))
  /** The surface as its operations make it; what is drawn is built from it. */
  readonly #content: SurfaceContent<LayeredData> = { ...emptySurface(), data: this.#data }
  readonly #tree: NodeTree
  readonly #evaluation: Evaluation
  readonly #patterns: PatternAnswers<TreeNode> | undefined
  /** What the person typed into fields that are bound to nothing, by node. */
  readonly #fields = new Map<string, Json>()
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #surfaceListeners = new Set<() => void>()
  readonly #reported = new Set<string>()
  #surface: SurfaceSnapshot
  #surfaceChanged = false
  #disposed = false

  constructor(options: SurfaceModelOptions, ops: readonly SurfaceOp[] = []) {
    this.surfaceId = options.surfaceId
    this.#options = options
    this.#functions = options.catalog?.functions ?? basicFunctionMap
    this.#surface = this.#emptySurface()
    const { patternWorker } = options
    this.#patterns =
      patternWorker &&
      new PatternAnswers(patternWorker, (nodes, pattern, answer) => this.#answered(nodes, pattern, answer))
    const context: ModelContext = {
      data: this.#data,
      fields: this.#fields,
      functions: this.#functions,
      locale: options.locale,
      timeZone: options.timeZone,
      limits: uiLimits(options.limits),
      patterns: this.#patterns,
      report: diagnostic => this.#report(diagnostic),
      released: node => this.#released(node),
    }
    this.#tree = new NodeTree(context)
    this.#evaluation = new Evaluation(context)
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
    const node = this.#tree.nodes.get(id)
    return node && (node.stale || !node.snapshot ? this.#evaluation.snapshot(node) : node.snapshot)
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
    const found = new Map<string, Json[]>()
    const repeated = new Set<string>()
    const seen = new Set<string>()
    const visit = (id: string) => {
      const node = this.#tree.nodes.get(id)
      if (!node || seen.has(id)) return
      seen.add(id)
      const input = node.definition?.traits.input
      if (input) {
        const value = this.getNode(id)?.props[input] ?? null
        const all = found.get(node.componentId)
        if (all) all.push(value)
        else found.set(node.componentId, [value])
        if (node.scope !== this.#tree.rootScope) repeated.add(node.componentId)
      }
      for (const child of node.children) visit(child)
    }
    if (this.#surface.root !== undefined) visit(this.#surface.root)
    return Object.fromEntries(Array.from(found, ([id, all]) => [id, repeated.has(id) ? all : all[0]!]))
  }

  /** Live subscriptions to the data model and live nodes: both are 0 when the surface is gone. */
  get live(): { subscriptions: number; nodes: number } {
    return { subscriptions: this.#tree.subscriptions, nodes: this.#tree.nodes.size }
  }

  // ---- facts

  apply(ops: readonly SurfaceOp[]): void {
    if (this.#disposed) return
    const content = this.#content
    applySurfaceOps(content, ops, this.#refused)
    const definitions = new Map<string, Definition | undefined>()
    if (ops.some(({ op }) => op === 'create' || op === 'remove')) {
      if (ops.some(({ op }) => op === 'remove')) this.#forget()
      const { root, catalogId, theme, sendDataModel, components } = content
      this.#surface =
        content.state === 'removed'
          ? this.#emptySurface()
          : { surfaceId: this.surfaceId, root, catalogId: catalogId ?? undefined, theme, sendDataModel }
      this.#surfaceChanged = true
      for (const id of [...components.keys(), ...this.#tree.definitions.keys()]) this.#define(id, definitions)
    } else for (const op of ops) if ('id' in op && op.id !== undefined) this.#define(op.id, definitions)
    this.#tree.change(definitions, this.#surface.root)
    this.#flush()
  }

  readonly #refused = (op: SurfaceOp): void => {
    if (op.op === 'set') this.#unwritable(op.path)
  }

  /**
   * Takes a component as all operations of a change have left it: one that comes in many parts is built once, and one
   * that comes again with the same id stays the same node and keeps its focus.
   */
  #define(id: string, definitions: Map<string, Definition | undefined>): void {
    const component = this.#content.components.get(id) as A2uiComponent | undefined
    const old = this.#tree.definitions.get(id)
    if (component ? old && deepEqual(old.component, component) : !old) return
    definitions.set(id, component && this.#definitionOf(component))
  }

  /** The one place that decides what is unknown: a type that a catalog has not has no traits to be drawn safely by. */
  #definitionOf(component: A2uiComponent): Definition {
    const { type } = component
    const { catalog } = this.#options
    if (!catalog) return define(component, own(basicTraits, type) ?? {})
    return catalog.has(type) ? define(component, catalog.traits(type)) : unknownDefinition(component)
  }

  #emptySurface(): SurfaceSnapshot {
    return { surfaceId: this.surfaceId, root: undefined, catalogId: undefined, theme: {}, sendDataModel: false }
  }

  #forget(): void {
    this.#fields.clear()
    this.#data.clear()
    this.#patterns?.forget()
    this.#reported.clear()
  }

  #released(node: TreeNode): void {
    this.#patterns?.leave(node)
    // A field of the form may come back with the next update; a row of a list that shrank does not.
    if (node.scope !== this.#tree.rootScope) this.#fields.delete(node.id)
  }

  dispose(): void {
    this.apply([{ op: 'remove' }])
    this.#surfaceListeners.clear()
    this.#disposed = true
  }

  // ---- the person

  /** Writes a person's value above the server's data. */
  setLocal(pointer: string, value: Json): void {
    const path = parsePointer(pointer)
    if (!path || this.#disposed) return
    this.#edit(path, value)
    this.#flush()
  }

  /** Writes to whatever the field is bound to, or keeps the value with the field when it is bound to nothing. */
  setInput(id: string, value: Json): void {
    const node = this.#tree.nodes.get(id)
    const input = node?.definition?.traits.input
    if (!node) return
    if (input === undefined) {
      const why = `${node.definition?.component.type ?? id} takes no input: its catalog does not give it the trait 'input'`
      this.#evaluation.tell(node, problem('not_an_input', why, '', node.componentId))
      this.#tree.touch(node)
      this.#flush()
      return
    }
    const target = node.definition?.target
    if (target) {
      this.setLocal(formatPointer(absolute(target, node.scope.base)), value)
      return
    }
    this.#fields.set(id, value)
    this.#tree.touch(node)
    this.#flush()
  }

  /** Whether what a person types into the field is hidden, and is to be kept nowhere (L10). */
  hidesInput(id: string): boolean {
    const definition = this.#tree.nodes.get(id)?.definition
    return definition !== undefined && hidesInput(definition.component, definition.traits)
  }

  /** Whether people press the component, as they do a button. */
  isPressed(id: string): boolean {
    return this.#tree.nodes.get(id)?.definition?.traits.pressed === true
  }

  /** The field whose edit has this key in `exportLocal`. */
  fieldOf(edit: string): string | undefined {
    const field = editedField(edit)
    if (field !== undefined) return this.#tree.nodes.has(field) ? field : undefined
    for (const { id, definition, scope } of this.#tree.nodes.values()) {
      const target = definition?.target
      if (target && formatPointer(absolute(target, scope.base)) === edit) return id
    }
    return undefined
  }

  /** Unsent edits, by their keys (`edit-key.ts`). */
  exportLocal(): JsonObject {
    const result = this.#data.export()
    for (const [id, value] of this.#fields) result[fieldEditKey(id)] = value
    return result
  }

  /** Takes back what `exportLocal` gave, for instance after a reload. */
  restoreLocal(edits: JsonObject): void {
    for (const [key, value] of Object.entries(edits)) {
      const path = parsePointer(key)
      if (path) this.#edit(path, value)
      const field = editedField(key)
      if (field === undefined) continue
      this.#fields.set(field, value)
      const node = this.#tree.nodes.get(field)
      if (node) this.#tree.touch(node)
    }
    this.#flush()
  }

  /** The server has accepted: forget what was sent. What was typed since stays. */
  clearLocal(sent?: JsonObject): void {
    this.#data.clear(sent)
    for (const [id, value] of [...this.#fields]) {
      if (sent && !deepEqual(sent[fieldEditKey(id)], value)) continue
      this.#fields.delete(id)
      const node = this.#tree.nodes.get(id)
      if (node) this.#tree.touch(node)
    }
    this.#flush()
  }

  #edit(path: Path, value: Json): void {
    if (!this.#data.edit(path, value)) this.#unwritable(formatPointer(path))
  }

  #unwritable(path: string): void {
    this.#report(problem('invalid_path', `${path} cannot be written`, path))
  }

  /** What follows when the person does this with a component. */
  action(id: string, eventType: SurfaceEventType, value?: Json): SurfaceActionResult {
    const node = this.#tree.nodes.get(id)
    const definition = node?.definition
    if (!node || !definition) return { kind: 'refused', reason: 'The component is no longer there' }
    const snapshot = this.getNode(id)!
    if (eventType === 'click' && snapshot.disabled)
      return { kind: 'refused', reason: snapshot.errors[0] ?? 'A check is still running' }
    const { action } = definition.component
    if (isObject(action) && isObject(action.functionCall) && eventType === 'click')
      return this.#callFunction(node, action.functionCall)
    const isInput = definition.traits.input !== undefined
    if (!reaches(definition.component, definition.traits, eventType)) return { kind: 'none' }
    const payload: JsonObject = {}
    if (isInput) payload.value = value ?? snapshot.props[definition.traits.input!] ?? null
    if (eventType !== 'change') {
      payload.values = this.values()
      if (this.#surface.sendDataModel) payload.dataModel = this.dataModel()
    }
    const result: SurfaceAction = { surfaceId: this.surfaceId, componentId: node.componentId, eventType, payload }
    // An item of a list says which one it was.
    if (node.scope !== this.#tree.rootScope) payload.item = formatPointer(node.scope.base)
    const name = declaredName(definition.component)
    if (name !== undefined) {
      const { context } = (action as { event: JsonObject }).event
      result.name = name
      result.context = this.#contextOf(node, isObject(context) ? context : {})
    }
    return { kind: 'event', action: result }
  }

  /** The names in a context mean nothing, and each value is computed by itself: one that fails is null. */
  #contextOf(node: TreeNode, context: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(context).map(([key, value]) => [key, this.#contextValue(node, value)]))
  }

  #contextValue(node: TreeNode, value: Json): Json {
    if (Array.isArray(value)) return value.map(item => this.#contextValue(node, item))
    if (isObject(value) && !isDynamic(value)) return this.#contextOf(node, value)
    return this.#evaluation.valueOf(node, compileValue(value)) ?? null
  }

  #callFunction(node: TreeNode, call: JsonObject): SurfaceActionResult {
    const evaluation = this.#evaluation
    const name = valueText(call.call)
    const args = (evaluation.valueOf(node, compileRecord(isObject(call.args) ? call.args : {})) ?? {}) as JsonObject
    if (name === 'openUrl') {
      const verdict = judgeUrl(args.url, 'link')
      if (verdict.ok) return { kind: 'open', url: verdict.url, ...(verdict.download ? { download: true } : {}) }
      this.#report(problem(verdict.code, verdict.message, '/action', node.componentId))
      return { kind: 'refused', reason: verdict.message }
    }
    const spec = this.#functions.get(name)
    if (!spec) return { kind: 'refused', reason: `There is no function '${name}'` }
    return { kind: 'call', name, value: evaluation.valueOf(node, { paths: [], run: ctx => spec.run(args, ctx) }) }
  }

  // ---- telling

  #flush(): void {
    this.#evaluation.refill()
    const touched = this.#tree.settle()
    if (this.#listeners.size > 0)
      for (const { id } of touched) for (const listener of [...(this.#listeners.get(id) ?? [])]) listener()
    if (!this.#surfaceChanged) return
    this.#surfaceChanged = false
    for (const listener of [...this.#surfaceListeners]) listener()
  }

  #answered(nodes: ReadonlySet<TreeNode>, pattern: string, answer: boolean | 'timeout'): void {
    if (this.#disposed) return
    if (answer === 'timeout')
      this.#report(problem('pattern_timeout', `The pattern ${pattern} took too long and counts as not matching`))
    for (const node of nodes) {
      node.dirty.fill(true)
      this.#tree.touch(node)
    }
    this.#flush()
  }

  #report(diagnostic: UiDiagnostic): void {
    const key = `${diagnostic.code}|${diagnostic.componentId ?? ''}|${diagnostic.message}`
    if (this.#reported.has(key) || this.#reported.size >= MAX_REPORTED) return
    this.#reported.add(key)
    this.#options.onDiagnostic?.(diagnostic)
  }
}
