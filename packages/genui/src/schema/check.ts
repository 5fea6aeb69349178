import { type Diagnostic, type Path, pointer } from './diagnostic.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { isObject, type ObjectOf, type Shape, type UnionOf } from './shape.ts'

/** More findings than anyone reads; a hostile document must not fill the memory with messages. */
const maxFindings = 100

/** Strict: says whether a value is legal as it stands. Changes nothing. */
export function check(shape: Shape, value: unknown, limits: Limits = defaultLimits): Diagnostic[] {
  const checker = new Checker(limits)
  checker.value(shape, value)
  return checker.found
}

/** Guards the recursion itself: a node takes two steps of a path, its own parts a few more. */
export const maxPath = (limits: Limits): number => 2 * limits.depth + 32

class Checker {
  readonly found: Diagnostic[] = []
  private readonly path: Path = []
  private readonly ids = new Set<string>()
  private readonly limits: Limits
  private nodes = 0
  private values = 0
  private depth = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  private report(code: string, message: string, at: readonly string[] = []): undefined {
    if (this.found.length < maxFindings)
      this.found.push({ level: 'error', code, path: pointer([...this.path, ...at]), message })
  }

  private at(step: string | number, shape: Shape, value: unknown): undefined {
    this.path.push(step)
    this.value(shape, value)
    this.path.pop()
  }

  value(shape: Shape, value: unknown): undefined {
    if (this.full()) return
    if (this.path.length > maxPath(this.limits)) return this.report('limit-depth', 'nested too deep')
    const { is } = shape
    switch (is.kind) {
      case 'string':
        if (typeof value !== 'string') return this.report('type', `expected a string, got ${nameOf(value)}`)
        if (this.text(value) && is.check) {
          const problem = is.check(value)
          if (problem) this.report(problem.code, problem.message)
        }
        return
      case 'number':
        if (typeof value !== 'number' || !Number.isFinite(value))
          return this.report('type', `expected a number, got ${nameOf(value)}`)
        if (is.integer && !Number.isInteger(value)) return this.report('type', 'expected a whole number')
        if (value < is.min || value > is.max) this.report('range', `expected ${is.min} to ${is.max}`)
        return
      case 'boolean':
        if (typeof value !== 'boolean') this.report('type', `expected true or false, got ${nameOf(value)}`)
        return
      case 'enum':
        if (typeof value !== 'string' || !is.values.includes(value))
          this.report('enum', `expected ${is.values.join(' | ')}, got ${nameOf(value)}`)
        return
      case 'json':
        if (is.scalar && typeof value === 'object' && value !== null)
          return this.report('type', `expected a scalar, got ${nameOf(value)}`)
        return this.json(value, 0)
      case 'record':
        if (!isObject(value)) return this.report('type', `expected an object, got ${nameOf(value)}`)
        for (const key of Object.keys(value)) {
          if (key === '__proto__') this.report('forbidden-key', 'the key __proto__ is not allowed', [key])
          else if (is.known[key]) this.at(key, is.known[key], value[key])
          else this.jsonAt(key, value[key], 1)
        }
        return
      case 'array':
        if (!Array.isArray(value)) return this.report('type', `expected an array, got ${nameOf(value)}`)
        for (let index = 0; index < value.length; index++) this.at(index, is.of, value[index])
        return
      case 'object':
        if (!isObject(value)) return this.report('type', `expected an object, got ${nameOf(value)}`)
        return this.object(is, value)
      case 'union':
        return this.union(is, value)
      case 'either':
        return this.value(is.when(value) ? is.a : is.b, value)
      case 'lazy':
        return this.value(is.get(), value)
    }
  }

  private full(): boolean {
    if (++this.values === this.limits.values + 1) this.report('limit-values', `more than ${this.limits.values} values`)
    return this.values > this.limits.values
  }

  private object(is: ObjectOf, value: Record<string, unknown>): undefined {
    const before = this.found.length
    for (const key of is.keys) {
      const field = is.fields[key]!
      if (value[key] !== undefined) this.at(key, field, value[key])
      else if (field.presence === 'required') this.report('missing', `${key} is missing`, [key])
    }
    for (const key of Object.keys(value))
      if (!is.fields[key]) this.report('unknown-field', `${is.name} has no field ${key}`, [key])
    // The rule of the whole object reads its fields: it only speaks when they are legal.
    const problem = this.found.length === before ? is.check?.(value) : undefined
    if (problem) this.report(problem.code, problem.message, problem.at)
  }

  private union(is: UnionOf, value: unknown): undefined {
    if (!isObject(value)) return this.report('type', `expected an object, got ${nameOf(value)}`)
    const member = typeof value.type === 'string' ? is.members[value.type] : undefined
    if (!member) {
      const known = Object.keys(is.members).join(' | ')
      return this.report('unknown-type', `expected ${known}, got ${nameOf(value.type)}`, ['type'])
    }
    if (!is.node) return this.object(member, value)
    if (++this.nodes > this.limits.nodes) {
      if (this.nodes === this.limits.nodes + 1) this.report('limit-nodes', `more than ${this.limits.nodes} nodes`)
      return
    }
    if (this.depth >= this.limits.depth) return this.report('limit-depth', `deeper than ${this.limits.depth} levels`)
    if (typeof value.id === 'string') {
      if (this.ids.has(value.id)) this.report('duplicate-id', `the id ${value.id} is used twice`, ['id'])
      this.ids.add(value.id)
    }
    this.depth++
    this.object(member, value)
    this.depth--
  }

  private text(value: string): boolean {
    if (value.length > this.limits.string) this.report('limit-string', `longer than ${this.limits.string} characters`)
    else if (!value.isWellFormed()) this.report('string', 'the text has half of a surrogate pair')
    else return true
    return false
  }

  private jsonAt(step: string | number, value: unknown, depth: number): undefined {
    this.path.push(step)
    if (!this.full()) this.json(value, depth)
    this.path.pop()
  }

  private json(value: unknown, depth: number): undefined {
    if (typeof value === 'string') this.text(value)
    else if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return
    else if (depth >= this.limits.json) this.report('limit-json', `deeper than ${this.limits.json} levels`)
    else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) this.jsonAt(i, value[i], depth + 1)
    else if (isPlain(value))
      for (const key of Object.keys(value)) {
        if (key === '__proto__') this.report('forbidden-key', 'the key __proto__ is not allowed', [key])
        else this.jsonAt(key, value[key], depth + 1)
      }
    else this.report('not-json', `${nameOf(value)} is not JSON`)
  }
}

export function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const proto = Object.getPrototypeOf(value)
  return proto === null || proto === Object.prototype || Object.getPrototypeOf(proto) === null
}

/** A value in a message: its kind, and short texts as they are. */
export function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
