import { formatPointer, isObject } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import { problem, type UiDiagnostic, type UiDiagnosticLevel } from '../diagnostic.ts'
import { type UiLimits, uiLimits } from '../limits.ts'
import { idProblem, maxPath, nameOf, UniqueNames } from './check.ts'
import { plainJson } from './plain-json.ts'
import type { NodeRules, ObjectOf, Resolved, Shape, UnionOf } from './shape.ts'

/** How a value is read. */
export interface ReadShapeOptions {
  readonly limits?: Partial<UiLimits>
  /** Told about everything that finds no place in the result, so that a caller can keep it elsewhere. */
  readonly onUnplaced?: (pointer: string, value: unknown) => void
}

/** What a tolerant reader made of a value, and everything that it had to say about it. */
export interface ReadShapeResult<S extends Shape> {
  /** Undefined when nothing could be read at all. */
  readonly value: Resolved<S> | undefined
  /** Stands behind the value: what is missing in a node that is in no list of nodes, where a mark would find its place. */
  readonly marks: readonly unknown[]
  readonly diagnostics: UiDiagnostic[]
}

/** Tells JSON that is over a limit from what is not JSON. */
const beyondLimits: UiLimits = { ...uiLimits(undefined), jsonDepth: 512, stringLength: Number.MAX_SAFE_INTEGER }
const none = Symbol('none')
const MAX_FINDINGS = 1000

/** Reads a value tolerantly by its shape: defaults and other forms are taken and reported. It never throws. */
export function readShape<S extends Shape>(
  shape: S,
  value: unknown,
  options: ReadShapeOptions = {},
): ReadShapeResult<S> {
  const reader = new Reader(options)
  const result = reader.value(shape, value)
  const read = result === none ? undefined : (result as Resolved<S>)
  return { value: read, marks: reader.marks(), diagnostics: reader.found }
}

interface Missing {
  given: string
  path: string[]
  reason: string | undefined
  rules: NodeRules
}

class Reader {
  readonly found: UiDiagnostic[] = []
  readonly #path: string[] = []
  readonly #ids = new Set<string>()
  readonly #names = new UniqueNames()
  readonly #limits: UiLimits
  readonly #maxPath: number
  readonly #onUnplaced: ReadShapeOptions['onUnplaced']
  #nodes = 0
  #values = 0
  #depth = 0
  #full = false
  /** Entries of lists within the node that is being read, which could not be read. */
  readonly #missing: Missing[] = []
  /** The rules of the nodes that are being read. */
  #rules: NodeRules | undefined
  /** How many times something could not be read as it was written. */
  #losses = 0

  constructor(options: ReadShapeOptions) {
    this.#limits = uiLimits(options.limits)
    this.#maxPath = maxPath(this.#limits)
    this.#onUnplaced = options.onUnplaced
  }

  #report(level: UiDiagnosticLevel, code: UiCode, message: string, below = ''): void {
    if (level === 'error') this.#losses++
    if (this.found.length < MAX_FINDINGS)
      this.found.push({ level, code, path: formatPointer(this.#path) + below, message })
  }

  #fail(code: UiCode, message: string, below?: string): typeof none {
    this.#report('error', code, message, below)
    return none
  }

  #repaired<T>(value: T, message: string): T {
    this.#report('repair', 'coerced', message)
    return value
  }

  #unplaced(value: unknown, ...at: string[]): void {
    this.#onUnplaced?.(formatPointer([...this.#path, ...at]), value)
  }

  #at(step: string, shape: Shape, value: unknown): unknown {
    this.#path.push(step)
    const result = this.value(shape, value)
    this.#path.pop()
    return result
  }

  value(shape: Shape, value: unknown): unknown {
    if (++this.#values > this.#limits.values) {
      if (!this.#full) this.#report('error', 'too_large', 'the document is too large')
      this.#full = true
      return none
    }
    if (this.#path.length > this.#maxPath) return this.#fail('too_deep', 'nested too deep')
    const given = this.#otherForm(shape, value)
    const note = shape.note?.(given)
    if (note) this.#report('repair', note.code, note.message)
    const { is } = shape
    switch (is.kind) {
      case 'string':
        return this.#string(given, is.check)
      case 'number':
        return this.#number(given, is)
      case 'boolean':
        if (typeof given === 'boolean') return given
        if (given === 'true' || given === 'false') return this.#repaired(given === 'true', 'true or false as text')
        return this.#fail('wrong_type', `expected true or false, got ${nameOf(given)}`)
      case 'enum':
        return this.#oneOf(given, is.values)
      case 'json':
        if (is.scalar && typeof given === 'object' && given !== null)
          return this.#fail('wrong_type', `expected a scalar, got ${nameOf(given)}`)
        return this.#json(given)
      case 'record':
        return this.#record(given, is.known)
      case 'array':
        return this.#array(given, is.of)
      case 'object':
        if (!isObject(given)) return this.#fail('wrong_type', `expected an object, got ${nameOf(given)}`)
        return this.#object(is, given)
      case 'union':
        return is.node ? this.#node(is, is.node, given) : this.#member(is, given)
      case 'either':
        return this.value(is.when(given) ? is.a : is.b, given)
      case 'lazy':
        return this.value(is.get(), given)
    }
  }

  #otherForm(shape: Shape, value: unknown): unknown {
    const other = shape.from?.(value)
    if (other === undefined) return value
    this.#report('repair', 'alias', `${nameOf(value)} was understood as another form of this value`)
    return other
  }

  #string(value: unknown, check?: (text: string) => UiDiagnostic | undefined): unknown {
    let text: string
    if (typeof value === 'string') text = value
    else if (typeof value === 'number' || typeof value === 'boolean')
      text = this.#repaired(String(value), `a ${typeof value} was taken as text`)
    else return this.#fail('wrong_type', `expected a string, got ${nameOf(value)}`)
    text = this.#text(text)
    const wrong = check?.(text)
    return wrong ? this.#fail(wrong.code, wrong.message, wrong.path) : text
  }

  #text(text: string): string {
    const most = this.#limits.stringLength
    if (text.length > most) {
      this.#report('error', 'string_too_long', `cut to ${most} characters`)
      const rest = Array.from({ length: Math.ceil((text.length - most + 1) / most) }, (_, piece) =>
        text.slice(most - 1 + piece * most, most - 1 + (piece + 1) * most),
      )
      this.#unplaced(rest)
      text = `${text.slice(0, most - 1).toWellFormed()}…`
    }
    if (text.isWellFormed()) return text
    this.#report('repair', 'not_well_formed', 'half of a surrogate pair was replaced')
    return text.toWellFormed()
  }

  #number(value: unknown, is: { integer: boolean; min: number; max: number }): unknown {
    let number = value
    if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
      number = this.#repaired(Number(value), 'a number as text')
    if (typeof number !== 'number' || !Number.isFinite(number))
      return this.#fail('wrong_type', `expected a number, got ${nameOf(value)}`)
    const near = Math.min(is.max, Math.max(is.min, is.integer ? Math.round(number) : number))
    return near === number ? near : this.#repaired(near, `${number} was set to ${near}`)
  }

  #oneOf(value: unknown, values: readonly string[]): unknown {
    if (typeof value === 'string') {
      if (values.includes(value)) return value
      const folded = value.trim().toLowerCase()
      if (values.includes(folded)) return this.#repaired(folded, `${nameOf(value)} was read as ${folded}`)
    }
    return this.#fail('wrong_choice', `expected ${values.join(' | ')}, got ${nameOf(value)}`)
  }

  #json(value: unknown, depth = 0): unknown {
    const limits = depth === 0 ? this.#limits : { ...this.#limits, jsonDepth: this.#limits.jsonDepth - depth }
    const clean = plainJson(value, limits, () => ++this.#values > this.#limits.values)
    if (clean !== value) {
      this.#losses++
      const isJson = plainJson(value, beyondLimits) === value
      if (isJson) this.#report('error', 'too_deep', 'deeper or longer than the limit: the rest is not shown')
      else this.#report('repair', 'not_json', 'what is not plain JSON was left out')
      this.#unplaced(value)
    }
    return clean
  }

  #record(value: unknown, known: Readonly<Record<string, Shape>>): unknown {
    if (!isObject(value)) return this.#fail('wrong_type', `expected an object, got ${nameOf(value)}`)
    const out: Record<string, unknown> = {}
    for (const [key, entry] of Object.entries(value)) {
      if (key === '__proto__') {
        this.#report('error', 'forbidden_key', 'the key __proto__ is not allowed', at(key))
        this.#unplaced(entry, key)
        continue
      }
      if (entry === undefined) continue
      this.#path.push(key)
      const result = known[key] ? this.value(known[key], entry) : this.#json(entry, 1)
      if (result === none) this.#unplaced(entry)
      else out[key] = result
      this.#path.pop()
    }
    return out
  }

  #array(value: unknown, of: Shape): unknown {
    if (!Array.isArray(value)) {
      if (!isObject(value)) return this.#fail('wrong_type', `expected an array, got ${nameOf(value)}`)
      this.#report('repair', 'coerced', 'a single object was read as an array of one')
      const errors = this.found.length
      const only = this.value(of, value)
      if (only === none) {
        this.#unplaced(value)
        this.#miss(value, errors)
      }
      return only === none ? [] : [only]
    }
    const out: unknown[] = []
    const rules = of.is.kind === 'union' ? of.is.node : undefined
    for (let index = 0; index < value.length; index++) {
      const crowded = rules && this.#nodes >= this.#limits.components
      if (crowded || this.#full) {
        const left = value.length - index
        if (crowded) this.#report('error', 'too_many_components', `${left} nodes over the limit are not shown`)
        // What is not shown is named where it would stand.
        if (rules) out.push(this.#mark(rules, `+${left}`, 'over the limit of what is shown', '-'))
        this.#unplaced(value.slice(index), '-')
        break
      }
      const [missing, errors] = [this.#missing.length, this.found.length]
      const result = this.#at(String(index), of, value[index])
      if (result !== none) out.push(result)
      else {
        this.#unplaced(value[index], String(index))
        this.#miss(value[index], errors, String(index))
      }
      if (rules) out.push(...this.marks(missing))
    }
    return out
  }

  /** Notes an entry that could not be read, for the mark behind the node that should have it. */
  #miss(value: unknown, errors: number, ...at: string[]): void {
    const reason = this.found.slice(errors).findLast(({ level }) => level === 'error')?.message
    // The end of a document that is too large says so itself.
    if (this.#rules && this.#depth > 0 && !this.#full)
      this.#missing.push({ given: givenType(value), path: [...this.#path, ...at], reason, rules: this.#rules })
  }

  /** The mark for what was missed since then. An item, row or option has no place of its own for one. */
  marks(since = 0): unknown[] {
    if (this.#missing.length <= since) return []
    return this.#missing
      .splice(since)
      .slice(0, 1)
      .map(({ given, path, reason = 'not readable', rules }) =>
        rules.mark({ given, path: formatPointer(path), reason }),
      )
  }

  #object(is: ObjectOf, value: Record<string, unknown>): unknown {
    const out: Record<string, unknown> = {}
    let complete = true
    let unreadable: UiDiagnostic | undefined
    const aliases = this.#aliases(is, value)
    for (const key of is.keys) {
      const field = is.fields[key]!
      const from = aliases?.get(key) ?? key
      const entry = Object.hasOwn(value, from) ? value[from] : undefined
      // Most fields are optional and not there.
      if (entry === undefined && field.presence === 'optional') continue
      // Models write null for "none".
      const nothing = entry === null || (entry === false && field.vital && field.is.kind === 'object')
      const absent = entry === undefined || (nothing && field.is.kind !== 'json')
      if (nothing && absent) this.#report('repair', 'null_ignored', `${from} is ${entry}: taken as absent`, at(from))
      const losses = this.#losses
      const result = absent ? none : this.#at(from, field, entry)
      if (field.vital && this.#losses > losses)
        unreadable = problem('unreadable', `${from} cannot be read as it is written`, at(from))
      else if (result !== none) {
        out[key] = result
        continue
      }
      if (!absent) this.#unplaced(entry, from)
      if (field.presence === 'default') {
        const value = typeof field.default === 'function' ? field.default(formatPointer(this.#path)) : field.default
        out[key] = value
        if (absent && key !== 'id') this.#report('default', 'default_taken', `${key} is ${nameOf(value)}`, at(key))
      } else if (field.presence === 'required') {
        if (absent) this.#report('error', 'missing', `${key} is missing`, at(key))
        if (field.fallback === undefined) complete = false
        else out[key] = field.fallback
      }
    }
    if (!complete) return none
    for (const key of Object.keys(value)) {
      if (is.fields[key] || (is.aliases[key] && aliases?.get(is.aliases[key]) === key)) continue
      if (value[key] === undefined) continue
      this.#report('repair', 'unknown_field', `${is.name} has no field ${key}`, at(key))
      this.#unplaced(value[key], key)
    }
    const wrong = is.check?.(out) ?? unreadable
    if (wrong) {
      this.#report('error', wrong.code, wrong.message, wrong.path)
      if (!is.settle) return none
      const before = { ...out }
      is.settle(out, wrong)
      for (const key of Object.keys(before)) if (before[key] !== out[key]) this.#unplaced(before[key], key)
    }
    if (is.notes) for (const { code, message, path } of is.notes(out)) this.#report('repair', code, message, path)
    const repeated = this.#names.add(is, out)
    if (repeated) return this.#fail(repeated.code, repeated.message, repeated.path)
    if (is.readAs !== undefined) out.type = is.readAs
    return out
  }

  /** Which fields are given under another name. The declared name wins when both are there. */
  #aliases(is: ObjectOf, value: Record<string, unknown>): Map<string, string> | undefined {
    let found: Map<string, string> | undefined
    if (!Object.keys(value).some(key => is.aliases[key])) return undefined
    for (const alias in is.aliases) {
      const key = is.aliases[alias]!
      if (value[alias] === undefined || value[key] !== undefined) continue
      found ??= new Map()
      if (found.has(key)) continue
      found.set(key, alias)
      this.#report('repair', 'alias', `${alias} was read as ${key}`, at(alias))
    }
    return found
  }

  #member(is: UnionOf, value: unknown): unknown {
    if (!isObject(value)) return this.#fail('wrong_type', `expected an object, got ${nameOf(value)}`)
    const member = typeof value.type === 'string' ? is.members[value.type] : undefined
    if (!member) {
      const known = Object.keys(is.members).join(' | ')
      this.#report('error', 'unknown_type', `expected ${known}, got ${nameOf(value.type)}`, '/type')
      return none
    }
    return this.#object(member, value)
  }

  /** A node that cannot be read leaves a mark in its place; the rest of the tree is not affected. */
  #node(is: UnionOf, rules: NodeRules, value: unknown): unknown {
    this.#nodes++
    if (this.#depth >= this.#limits.depth) {
      this.#report('error', 'too_deep', `deeper than ${this.#limits.depth} levels`)
      return this.#mark(rules, givenType(value), 'nested too deep')
    }
    const known = this.#nodeAlias(is, rules, value)
    const before = this.found.length
    const missing = this.#missing.length
    this.#rules = rules
    const hides = isObject(known) && known.visible === false
    if (hides) this.#names.hidden++
    this.#depth++
    const result = this.#member(is, known)
    this.#depth--
    if (hides) this.#names.hidden--
    if (result === none) {
      this.#missing.length = missing
      const reason = this.found.slice(before).findLast(({ level }) => level === 'error')
      return this.#mark(
        rules,
        givenType(value),
        reason?.code === 'unknown_type' ? 'unknown type' : (reason?.message ?? 'not readable'),
      )
    }
    this.#uniqueId(result as { id: string })
    return result
  }

  #nodeAlias(is: UnionOf, { aliases }: NodeRules, value: unknown): unknown {
    if (!isObject(value) || typeof value.type !== 'string' || is.members[value.type]) return value
    const folded = value.type.trim().toLowerCase()
    const alias = Object.hasOwn(aliases, folded) ? aliases[folded] : is.members[folded] && { type: folded }
    if (!alias) return value
    this.#report('repair', 'alias', `${nameOf(value.type)} was read as ${JSON.stringify(alias)}`, '/type')
    return { ...alias, ...value, type: alias.type }
  }

  #mark(rules: NodeRules, given: string, reason: string, ...at: string[]): unknown {
    return rules.mark({ given, path: formatPointer([...this.#path, ...at]), reason })
  }

  #uniqueId(node: { id: string }): void {
    const wrong = idProblem(node.id, this.#ids, this.#path)
    if (wrong) {
      this.#report('repair', wrong.code, wrong.message, wrong.path)
      this.#unplaced(node.id, 'id')
      node.id = formatPointer(this.#path)
    }
    this.#ids.add(node.id)
  }
}

/** The type of a node as its author wrote it. */
const givenType = (value: unknown): string =>
  isObject(value) && typeof value.type === 'string' ? value.type.slice(0, 80) : nameOf(value)

const at = (key: string): string => formatPointer([key])
