import { isPlain, maxPath, nameOf } from './check.ts'
import { type Diagnostic, type DiagnosticLevel, type Path, pointer } from './diagnostic.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { nodeAliases, type UiUnknownNode } from './nodes.ts'
import { isObject, type ObjectOf, type Resolved, type Shape, type UnionOf } from './shape.ts'

export interface ReadOptions {
  readonly limits?: Limits
  /** Told about everything that finds no place in the result, so that a caller can keep it elsewhere. */
  readonly onUnplaced?: (pointer: string, value: unknown) => void
}

export interface ReadResult<S extends Shape> {
  /** Undefined when nothing could be read at all. */
  readonly value: Resolved<S> | undefined
  readonly diagnostics: Diagnostic[]
}

const none = Symbol('none')
const maxFindings = 1000

/** Tolerant: takes defaults, aliases and other forms, reports each, and never throws. */
export function read<S extends Shape>(shape: S, value: unknown, options: ReadOptions = {}): ReadResult<S> {
  const reader = new Reader(options)
  const result = reader.value(shape, value)
  return { value: result === none ? undefined : (result as Resolved<S>), diagnostics: reader.found }
}

class Reader {
  readonly found: Diagnostic[] = []
  private readonly path: Path = []
  private readonly ids = new Set<string>()
  private readonly limits: Limits
  private readonly onUnplaced: ReadOptions['onUnplaced']
  private nodes = 0
  private values = 0
  private depth = 0
  private full = false

  constructor(options: ReadOptions) {
    this.limits = options.limits ?? defaultLimits
    this.onUnplaced = options.onUnplaced
  }

  private report(level: DiagnosticLevel, code: string, message: string, at: readonly string[] = []): void {
    if (this.found.length < maxFindings) this.found.push({ level, code, path: pointer([...this.path, ...at]), message })
  }

  private fail(code: string, message: string): typeof none {
    this.report('error', code, message)
    return none
  }

  private repaired<T>(value: T, message: string): T {
    this.report('repair', 'coerced', message)
    return value
  }

  private unplaced(value: unknown, ...at: string[]): void {
    this.onUnplaced?.(pointer([...this.path, ...at]), value)
  }

  private at(step: string | number, shape: Shape, value: unknown): unknown {
    this.path.push(step)
    const result = this.value(shape, value)
    this.path.pop()
    return result
  }

  value(shape: Shape, value: unknown): unknown {
    if (++this.values > this.limits.values) {
      if (!this.full) this.report('error', 'limit-values', 'the document is too large')
      this.full = true
      return none
    }
    if (this.path.length > maxPath(this.limits)) return this.fail('limit-depth', 'nested too deep')
    const given = this.otherForm(shape, value)
    const { is } = shape
    switch (is.kind) {
      case 'string':
        return this.string(given, is.check)
      case 'number':
        return this.number(given, is)
      case 'boolean':
        if (typeof given === 'boolean') return given
        if (given === 'true' || given === 'false') return this.repaired(given === 'true', 'true or false as text')
        return this.fail('type', `expected true or false, got ${nameOf(given)}`)
      case 'enum':
        return this.oneOf(given, is.values)
      case 'json':
        if (is.scalar && typeof given === 'object' && given !== null)
          return this.fail('type', `expected a scalar, got ${nameOf(given)}`)
        return this.json(given)
      case 'record':
        return this.record(given, is.known)
      case 'array':
        return this.array(given, is.of)
      case 'object':
        if (!isObject(given)) return this.fail('type', `expected an object, got ${nameOf(given)}`)
        return this.object(is, given)
      case 'union':
        return is.node ? this.node(is, given) : this.member(is, given)
      case 'either':
        return this.value(is.when(given) ? is.a : is.b, given)
      case 'lazy':
        return this.value(is.get(), given)
    }
  }

  private otherForm(shape: Shape, value: unknown): unknown {
    const other = shape.from?.(value)
    if (other === undefined) return value
    this.report('repair', 'alias', `${nameOf(value)} was understood as another form of this value`)
    return other
  }

  private string(value: unknown, check?: (text: string) => { code: string; message: string } | undefined): unknown {
    let text: string
    if (typeof value === 'string') text = value
    else if (typeof value === 'number' || typeof value === 'boolean')
      text = this.repaired(String(value), `a ${typeof value} was taken as text`)
    else return this.fail('type', `expected a string, got ${nameOf(value)}`)
    text = this.text(text)
    const problem = check?.(text)
    return problem ? this.fail(problem.code, problem.message) : text
  }

  private text(text: string): string {
    if (text.length > this.limits.string) {
      this.report('error', 'limit-string', `cut to ${this.limits.string} characters`)
      text = `${text.slice(0, this.limits.string - 1).toWellFormed()}…`
    }
    if (text.isWellFormed()) return text
    this.report('repair', 'string', 'half of a surrogate pair was replaced')
    return text.toWellFormed()
  }

  private number(value: unknown, is: { integer: boolean; min: number; max: number }): unknown {
    let number = value
    if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
      number = this.repaired(Number(value), 'a number as text')
    if (typeof number !== 'number' || !Number.isFinite(number))
      return this.fail('type', `expected a number, got ${nameOf(value)}`)
    const near = Math.min(is.max, Math.max(is.min, is.integer ? Math.round(number) : number))
    return near === number ? near : this.repaired(near, `${number} was set to ${near}`)
  }

  private oneOf(value: unknown, values: readonly string[]): unknown {
    if (typeof value === 'string') {
      if (values.includes(value)) return value
      const folded = value.trim().toLowerCase()
      if (values.includes(folded)) return this.repaired(folded, `${nameOf(value)} was read as ${folded}`)
    }
    return this.fail('enum', `expected ${values.join(' | ')}, got ${nameOf(value)}`)
  }

  private json(value: unknown, depth = 0): unknown {
    const limits = { ...this.limits, json: this.limits.json - depth }
    const clean = plainJson(value, limits, () => ++this.values > this.limits.values)
    if (clean !== value) this.report('repair', 'not-json', 'what is not plain JSON was left out')
    return clean
  }

  private record(value: unknown, known: Readonly<Record<string, Shape>>): unknown {
    if (!isObject(value)) return this.fail('type', `expected an object, got ${nameOf(value)}`)
    const out: Record<string, unknown> = {}
    for (const [key, entry] of Object.entries(value)) {
      if (key === '__proto__') {
        this.report('error', 'forbidden-key', 'the key __proto__ is not allowed', [key])
        this.unplaced(entry, key)
        continue
      }
      if (entry === undefined) continue
      this.path.push(key)
      const result = known[key] ? this.value(known[key], entry) : this.json(entry, 1)
      if (result === none) this.unplaced(entry)
      else out[key] = result
      this.path.pop()
    }
    return out
  }

  private array(value: unknown, of: Shape): unknown {
    if (!Array.isArray(value)) {
      if (!isObject(value)) return this.fail('type', `expected an array, got ${nameOf(value)}`)
      this.report('repair', 'coerced', 'a single object was read as an array of one')
      const only = this.value(of, value)
      if (only === none) this.unplaced(value)
      return only === none ? [] : [only]
    }
    const out: unknown[] = []
    for (let index = 0; index < value.length && !this.full; index++) {
      if (this.nodes >= this.limits.nodes && isNode(of)) {
        this.report('error', 'limit-nodes', `${value.length - index} nodes over the limit are not shown`)
        break
      }
      const result = this.at(index, of, value[index])
      if (result !== none) out.push(result)
      else this.unplaced(value[index], String(index))
    }
    return out
  }

  private object(is: ObjectOf, value: Record<string, unknown>): unknown {
    const out: Record<string, unknown> = {}
    let complete = true
    const aliases = this.aliases(is, value)
    for (const key of is.keys) {
      const field = is.fields[key]!
      const from = aliases?.get(key) ?? key
      const entry = Object.hasOwn(value, from) ? value[from] : undefined
      // Models write null for "none".
      const absent = entry === undefined || (entry === null && field.is.kind !== 'json')
      if (entry === null && absent) this.report('repair', 'null', `${from} is null: taken as absent`, [from])
      const result = absent ? none : this.at(from, field, entry)
      if (result !== none) {
        out[key] = result
        continue
      }
      if (!absent) this.unplaced(entry, from)
      if (field.presence === 'default') {
        const value = typeof field.default === 'function' ? field.default(pointer(this.path)) : field.default
        out[key] = value
        if (absent && key !== 'id') this.report('default', 'default', `${key} is ${nameOf(value)}`, [key])
      } else if (field.presence === 'required') {
        if (absent) this.report('error', 'missing', `${key} is missing`, [key])
        if (field.fallback === undefined) complete = false
        else out[key] = field.fallback
      }
    }
    if (!complete) return none
    for (const key of Object.keys(value)) {
      if (is.fields[key] || (is.aliases[key] && aliases?.get(is.aliases[key]) === key)) continue
      if (value[key] === undefined) continue
      this.report('repair', 'unknown-field', `${is.name} has no field ${key}`, [key])
      this.unplaced(value[key], key)
    }
    const problem = is.check?.(out)
    if (problem) {
      this.report('error', problem.code, problem.message, problem.at)
      if (!is.settle) return none
      const before = { ...out }
      is.settle(out, problem)
      for (const key of Object.keys(before)) if (before[key] !== out[key]) this.unplaced(before[key], key)
    }
    return out
  }

  /** Which fields are given under another name. The declared name wins when both are there. */
  private aliases(is: ObjectOf, value: Record<string, unknown>): Map<string, string> | undefined {
    let found: Map<string, string> | undefined
    for (const alias in is.aliases) {
      const key = is.aliases[alias]!
      if (value[alias] === undefined || value[key] !== undefined) continue
      found ??= new Map()
      if (found.has(key)) continue
      found.set(key, alias)
      this.report('repair', 'alias', `${alias} was read as ${key}`, [alias])
    }
    return found
  }

  private member(is: UnionOf, value: unknown): unknown {
    if (!isObject(value)) return this.fail('type', `expected an object, got ${nameOf(value)}`)
    const member = typeof value.type === 'string' ? is.members[value.type] : undefined
    if (!member) {
      const known = Object.keys(is.members).join(' | ')
      this.report('error', 'unknown-type', `expected ${known}, got ${nameOf(value.type)}`, ['type'])
      return none
    }
    return this.object(member, value)
  }

  /** A node that cannot be read leaves a mark in its place; the rest of the tree is not affected. */
  private node(is: UnionOf, value: unknown): unknown {
    this.nodes++
    if (this.depth >= this.limits.depth) {
      this.report('error', 'limit-depth', `deeper than ${this.limits.depth} levels`)
      return this.unknown(value, 'nested too deep')
    }
    const known = this.nodeAlias(is, value)
    const before = this.found.length
    this.depth++
    const result = this.member(is, known)
    this.depth--
    if (result === none) {
      const reason = this.found.slice(before).findLast(({ level }) => level === 'error')
      return this.unknown(value, reason?.code === 'unknown-type' ? 'unknown type' : (reason?.message ?? 'not readable'))
    }
    this.uniqueId(result as { id: string })
    return result
  }

  private nodeAlias(is: UnionOf, value: unknown): unknown {
    if (!isObject(value) || typeof value.type !== 'string' || is.members[value.type]) return value
    const folded = value.type.trim().toLowerCase()
    const alias = Object.hasOwn(nodeAliases, folded) ? nodeAliases[folded] : is.members[folded] && { type: folded }
    if (!alias) return value
    this.report('repair', 'alias', `${nameOf(value.type)} was read as ${JSON.stringify(alias)}`, ['type'])
    return { ...alias, ...value, type: alias.type }
  }

  private unknown(value: unknown, reason: string): UiUnknownNode {
    const path = pointer(this.path)
    const given = isObject(value) && typeof value.type === 'string' ? value.type.slice(0, 80) : nameOf(value)
    return { type: 'unknown', id: path, given, path, reason }
  }

  private uniqueId(node: { id: string }): void {
    if (this.ids.has(node.id)) {
      this.report('repair', 'duplicate-id', `the id ${node.id} is used twice`, ['id'])
      this.unplaced(node.id, 'id')
      node.id = pointer(this.path)
    }
    this.ids.add(node.id)
  }
}

function isNode(shape: Shape): boolean {
  return shape.is.kind === 'union' && shape.is.node
}

/**
 * The plain JSON part of a value: the value itself when it is plain already. Cycles and shared parts end at the
 * limits; functions, undefined, NaN and the key __proto__ have no place in JSON.
 */
export function plainJson(value: unknown, limits: Limits = defaultLimits, full = counter(limits.values)): unknown {
  return plain(value, limits, full, 0)
}

function counter(most: number): () => boolean {
  let count = 0
  return () => ++count > most
}

function plain(value: unknown, limits: Limits, full: () => boolean, depth: number): unknown {
  if (full()) return '…'
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (typeof value === 'string') {
    const cut = value.length > limits.string ? `${value.slice(0, limits.string - 1)}…` : value
    return cut.isWellFormed() ? cut : cut.toWellFormed()
  }
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return null
  if (depth >= limits.json) return '…'
  if (Array.isArray(value)) {
    const items = value.map(item => plain(item, limits, full, depth + 1))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isPlain(value)) return null
  let same = true
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || value[key] === undefined) {
      same = false
      continue
    }
    out[key] = plain(value[key], limits, full, depth + 1)
    same &&= out[key] === value[key]
  }
  return same ? value : out
}
