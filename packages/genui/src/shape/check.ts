import { formatPointer, isObject } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { clip, isPlainObject } from '../json.ts'
import { type UiLimits, uiLimits } from '../limits.ts'
import type { ObjectOf, Shape, UnionOf } from './shape.ts'

/** More findings than anyone reads; a hostile document must not fill the memory with messages. */
const MAX_FINDINGS = 100

/** Strict: says whether a value is legal as it stands. Changes nothing. */
export function checkShape(shape: Shape, value: unknown, limits?: Partial<UiLimits>): UiDiagnostic[] {
  const checker = new Checker(uiLimits(limits))
  checker.value(shape, value)
  return checker.found
}

/** Guards the recursion itself: a node takes two steps of a path, its own parts a few more. */
export const maxPath = (limits: UiLimits): number => 2 * limits.depth + 32

/** The reader gives ids that are pointers: an author's id of that form could be the id of another node. */
export const isReservedId = (id: string): boolean => id === '' || id.startsWith('/')

/** What is wrong with the id of the node at this place. */
export function idProblem(id: string, ids: ReadonlySet<string>, path: readonly string[]): UiDiagnostic | undefined {
  const isForeign = isReservedId(id) && id !== formatPointer(path)
  if (!isForeign && !ids.has(id)) return undefined
  const why = isForeign ? 'may be that of another node' : 'is used twice'
  return problem('duplicate_id', `the id ${nameOf(id)} ${why}`, '/id')
}

/** The names that no two objects of a document may share. What cannot be seen shares its name with nobody. */
export class UniqueNames {
  readonly #names = new Map<string, Set<unknown>>()
  /** How many of the nodes around this place are hidden. */
  hidden = 0

  /** Notes the name of an object, if its shape has one. The finding says that another object has it already. */
  add({ name, unique }: ObjectOf, value: Record<string, unknown>): UiDiagnostic | undefined {
    if (unique === undefined || this.hidden > 0) return undefined
    const given = value[unique]
    const names = this.#names.get(name) ?? new Set()
    this.#names.set(name, names)
    if (names.has(given))
      return problem('duplicate_field', `another field has the ${unique} ${nameOf(given)}`, at(unique))
    names.add(given)
    return undefined
  }
}

class Checker {
  readonly found: UiDiagnostic[] = []
  readonly #path: string[] = []
  readonly #ids = new Set<string>()
  readonly #names = new UniqueNames()
  readonly #limits: UiLimits
  #nodes = 0
  #values = 0
  #depth = 0

  constructor(limits: UiLimits) {
    this.#limits = limits
  }

  #report(code: UiCode, message: string, below = ''): undefined {
    if (this.found.length < MAX_FINDINGS) this.found.push(problem(code, message, formatPointer(this.#path) + below))
  }

  #at(step: string, shape: Shape, value: unknown): undefined {
    this.#path.push(step)
    this.value(shape, value)
    this.#path.pop()
  }

  value(shape: Shape, value: unknown): undefined {
    if (this.#full()) return
    if (this.#path.length > maxPath(this.#limits)) return this.#report('too_deep', 'nested too deep')
    const { is } = shape
    switch (is.kind) {
      case 'string':
        if (typeof value !== 'string') return this.#report('wrong_type', `expected a string, got ${nameOf(value)}`)
        if (this.#text(value) && is.check) {
          const wrong = is.check(value)
          if (wrong) this.#report(wrong.code, wrong.message, wrong.path)
        }
        return
      case 'number':
        if (typeof value !== 'number' || !Number.isFinite(value))
          return this.#report('wrong_type', `expected a number, got ${nameOf(value)}`)
        if (is.integer && !Number.isInteger(value)) return this.#report('wrong_type', 'expected a whole number')
        if (value < is.min || value > is.max) this.#report('out_of_range', `expected ${is.min} to ${is.max}`)
        return
      case 'boolean':
        if (typeof value !== 'boolean') this.#report('wrong_type', `expected true or false, got ${nameOf(value)}`)
        return
      case 'enum':
        if (typeof value !== 'string' || !is.values.includes(value))
          this.#report('wrong_choice', `expected ${is.values.join(' | ')}, got ${nameOf(value)}`)
        return
      case 'json':
        if (is.scalar && typeof value === 'object' && value !== null)
          return this.#report('wrong_type', `expected a scalar, got ${nameOf(value)}`)
        return this.#json(value, 0)
      case 'record':
        if (!isObject(value)) return this.#report('wrong_type', `expected an object, got ${nameOf(value)}`)
        for (const key of Object.keys(value)) {
          if (key === '__proto__') this.#report('forbidden_key', 'the key __proto__ is not allowed', at(key))
          else if (value[key] === undefined) continue
          else if (is.known[key]) this.#at(key, is.known[key], value[key])
          else this.#jsonAt(key, value[key], 1)
        }
        return
      case 'array':
        if (!Array.isArray(value)) return this.#report('wrong_type', `expected an array, got ${nameOf(value)}`)
        for (let index = 0; index < value.length; index++) this.#at(String(index), is.of, value[index])
        return
      case 'object':
        if (!isObject(value)) return this.#report('wrong_type', `expected an object, got ${nameOf(value)}`)
        return this.#object(is, value)
      case 'union':
        return this.#union(is, value)
      case 'either':
        return this.value(is.when(value) ? is.a : is.b, value)
      case 'lazy':
        return this.value(is.get(), value)
    }
  }

  #full(): boolean {
    if (++this.#values === this.#limits.values + 1) this.#report('too_large', `more than ${this.#limits.values} values`)
    return this.#values > this.#limits.values
  }

  #object(is: ObjectOf, value: Record<string, unknown>): undefined {
    const before = this.found.length
    for (const key of is.keys) {
      const field = is.fields[key]!
      if (value[key] !== undefined) this.#at(key, field, value[key])
      else if (field.presence === 'required') this.#report('missing', `${key} is missing`, at(key))
    }
    for (const key of Object.keys(value))
      if (!is.fields[key] && value[key] !== undefined)
        this.#report('unknown_field', `${is.name} has no field ${key}`, at(key))
    // The rule of the whole object reads its fields: it only speaks when they are legal.
    const wrong = this.found.length === before ? is.check?.(value) : undefined
    if (wrong) this.#report(wrong.code, wrong.message, wrong.path)
    const repeated = this.#names.add(is, value)
    if (repeated) this.#report(repeated.code, repeated.message, repeated.path)
  }

  #union(is: UnionOf, value: unknown): undefined {
    if (!isObject(value)) return this.#report('wrong_type', `expected an object, got ${nameOf(value)}`)
    const member = typeof value.type === 'string' ? is.members[value.type] : undefined
    if (!member) {
      const known = Object.keys(is.members).join(' | ')
      return this.#report('unknown_type', `expected ${known}, got ${nameOf(value.type)}`, '/type')
    }
    if (!is.node) return this.#object(member, value)
    if (++this.#nodes > this.#limits.components) {
      if (this.#nodes === this.#limits.components + 1)
        this.#report('too_many_components', `more than ${this.#limits.components} nodes`)
      return
    }
    if (this.#depth >= this.#limits.depth) return this.#report('too_deep', `deeper than ${this.#limits.depth} levels`)
    if (typeof value.id === 'string') {
      const wrong = idProblem(value.id, this.#ids, this.#path)
      if (wrong) this.#report(wrong.code, wrong.message, wrong.path)
      this.#ids.add(value.id)
    }
    const hides = value.visible === false
    if (hides) this.#names.hidden++
    this.#depth++
    this.#object(member, value)
    this.#depth--
    if (hides) this.#names.hidden--
  }

  #text(value: string): boolean {
    if (value.length > this.#limits.stringLength)
      this.#report('string_too_long', `longer than ${this.#limits.stringLength} characters`)
    else if (!value.isWellFormed()) this.#report('not_well_formed', 'the text has half of a surrogate pair')
    else return true
    return false
  }

  #jsonAt(step: string, value: unknown, depth: number): undefined {
    this.#path.push(step)
    if (!this.#full()) this.#json(value, depth)
    this.#path.pop()
  }

  #json(value: unknown, depth: number): undefined {
    if (typeof value === 'string') this.#text(value)
    else if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return
    else if (depth >= this.#limits.jsonDepth) this.#report('too_deep', `deeper than ${this.#limits.jsonDepth} levels`)
    else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) this.#jsonAt(String(i), value[i], depth + 1)
    else if (isPlainObject(value))
      for (const key of Object.keys(value)) {
        if (key === '__proto__') this.#report('forbidden_key', 'the key __proto__ is not allowed', at(key))
        else if (value[key] !== undefined) this.#jsonAt(key, value[key], depth + 1)
      }
    else this.#report('not_json', `${nameOf(value)} is not JSON`)
  }
}

const at = (key: string): string => formatPointer([key])

/** A value in a message: its kind, and short texts as they are. */
export function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return JSON.stringify(clip(value, 40))
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
