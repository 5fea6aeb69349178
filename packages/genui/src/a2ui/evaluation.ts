import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { deepEqual } from '../json.ts'
import { judgePattern } from '../pattern/judge.ts'
import { judgeUrl } from '../url.ts'
import type { Definition } from './definition.ts'
import { absolute, BudgetError, type Expr, evaluate, type FunctionContext, valueText } from './expression.ts'
import type { ModelContext } from './model-context.ts'
import type { TreeNode } from './node-tree.ts'
import type { NodeSnapshot } from './snapshot.ts'
import type { ComponentTraits } from './traits.ts'

const NOTHING: readonly never[] = []
const NO_PROBLEM = { errors: NOTHING, pending: false }

/** Where a node keeps a problem that comes from outside its values. */
const OUTSIDE = -2

/** Computes what nodes show. A value that fails or costs too much is empty, and says so in the diagnostics of its node. */
export class Evaluation {
  readonly #model: ModelContext
  readonly #context: FunctionContext
  #node: TreeNode | undefined
  #index = -1

  constructor(model: ModelContext) {
    this.#model = model
    const { data, functions, locale, timeZone, limits } = model
    this.#context = {
      read: path => data.view.get(path),
      base: [],
      vars: undefined,
      functions,
      locale,
      timeZone,
      maxString: limits.stringBytes,
      steps: limits.steps,
      pending: false,
      regex: (pattern, value) => this.#matches(pattern, value),
      diagnose: (code, message) => this.#diagnose(code, message),
    }
  }

  /** Another change: its expressions have all their steps. */
  refill(): void {
    this.#context.steps = this.#model.limits.steps
  }

  /** A value that is no property of its node, such as the context of an action. */
  valueOf(node: TreeNode, expr: Expr): Json | undefined {
    return this.#evaluate(node, -1, expr)
  }

  /** Keeps a problem that comes from what was done with the node. */
  tell(node: TreeNode, diagnostic: UiDiagnostic): void {
    node.problems ??= new Map()
    if (!node.problems.has(OUTSIDE)) node.problems.set(OUTSIDE, [diagnostic])
    this.#model.report(diagnostic)
  }

  /** What the node shows now. It is the same object as before when nothing has changed. */
  snapshot(node: TreeNode): NodeSnapshot {
    const { definition } = node
    const old = node.snapshot
    node.stale = false
    if (!definition) {
      node.snapshot = old?.missing ? old : missingNode(node)
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
    const local = input === undefined ? undefined : this.#model.fields.get(node.id)
    const edited = local !== undefined || this.#isEdited(node, definition)
    const outside = node.problems?.get(OUTSIDE)?.[0]
    changed ||=
      (outside !== undefined && !old!.diagnostics.includes(outside)) ||
      checks.pending !== old!.pending ||
      !deepEqual(checks.errors, old!.errors) ||
      edited !== old!.edited ||
      (local !== undefined && !deepEqual(old!.props[input!], local))
    if (old && !changed) return old
    node.childrenChanged = false
    const disabled = definition.traits.pressed === true && (checks.errors.length > 0 || checks.pending)
    const props = propsOf(node, definition, local)
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
      unknown: definition.unknown,
      diagnostics: blocked.length ? [...problems, ...blocked] : problems,
    }
    return node.snapshot
  }

  /** Takes out the addresses that may not be used, and says which. */
  #checkUrls(node: TreeNode, urls: NonNullable<ComponentTraits['urls']>, props: JsonObject): UiDiagnostic[] {
    const blocked: UiDiagnostic[] = []
    for (const [key, use] of Object.entries(urls)) {
      if (props[key] === undefined || props[key] === '') continue
      const verdict = judgeUrl(props[key], use)
      if (verdict.ok) {
        props[key] = verdict.url
        if (verdict.download) props.download = true
        continue
      }
      delete props[key]
      const diagnostic = problem(verdict.code, verdict.message, `/${key}`, node.componentId)
      blocked.push(diagnostic)
      this.#model.report(diagnostic)
    }
    return blocked
  }

  #isEdited(node: TreeNode, definition: Definition): boolean {
    const { target } = definition
    return target !== undefined && this.#model.data.isEdited(absolute(target, node.scope.base))
  }

  #runChecks(node: TreeNode, definition: Definition): { errors: readonly string[]; pending: boolean } {
    if (definition.checks.length === 0) return NO_PROBLEM
    const errors: string[] = []
    let pending = false
    for (const { condition, message } of definition.checks) {
      this.#context.pending = false
      const holds = this.#evaluate(node, definition.props.length, condition)
      if (this.#context.pending) pending = true
      else if (!holds) errors.push(valueText(this.#evaluate(node, definition.props.length, message)))
    }
    return { errors, pending }
  }

  #evaluate(node: TreeNode, index: number, expr: Expr): Json | undefined {
    if (!expr.run) return expr.value
    const context = this.#context
    context.base = node.scope.base
    context.vars = undefined
    node.problems?.delete(index)
    this.#node = node
    this.#index = index
    try {
      const value = evaluate(expr, context)
      // A container goes out to a reader: later writes must copy it.
      if (typeof value === 'object' && value !== null) this.#model.data.view.share()
      // Computed texts are cut; what a binding reads was limited by the server, or is what the person is typing.
      const cut = typeof value === 'string' && value.length > context.maxString && !expr.target
      return cut ? value.slice(0, context.maxString) : value
    } catch (error) {
      // A function of a catalog that throws, or a bomb, takes down this one value.
      if (error instanceof BudgetError)
        this.#diagnose('expression_too_costly', 'The expressions of this surface take too many steps')
      else this.#diagnose('function_failed', String(error))
      return undefined
    } finally {
      this.#node = undefined
    }
  }

  #matches(pattern: string, value: string): boolean {
    const verdict = judgePattern(pattern)
    if (verdict.kind === 'linear') return verdict.regex.test(value)
    if (verdict.kind === 'invalid') {
      this.#diagnose('invalid_pattern', `${pattern} is not a pattern: ${verdict.reason}`)
      return false
    }
    const { patterns } = this.#model
    if (!patterns) {
      this.#diagnose('pattern_refused', `The pattern ${pattern} could block the page and no worker is there to run it`)
      return false
    }
    const answer = patterns.ask(pattern, value, this.#node)
    if (answer === undefined) this.#context.pending = true
    return answer ?? false
  }

  #diagnose(code: UiCode, message: string): void {
    const node = this.#node
    const diagnostic = problem(code, message, '', node?.componentId)
    if (node) {
      node.problems ??= new Map()
      node.problems.set(this.#index, [...(node.problems.get(this.#index) ?? NOTHING), diagnostic])
    }
    this.#model.report(diagnostic)
  }
}

const missingNode = ({ id, componentId }: TreeNode): NodeSnapshot => ({
  id,
  componentId,
  type: '',
  props: {},
  children: NOTHING,
  errors: NOTHING,
  pending: false,
  disabled: false,
  edited: false,
  missing: true,
  unknown: false,
  diagnostics: NOTHING,
})

function propsOf(node: TreeNode, definition: Definition, local: Json | undefined): JsonObject {
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
