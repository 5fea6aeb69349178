import type { JsonObject } from '@vitrine/protocol'
import type { ObjectOf, Shape, ShapeOf } from './shape.ts'

type JsonSchema = JsonObject

/** How much of a shape its JSON Schema tells. */
export interface JsonSchemaOptions {
  /** For a model's tool: the fields of the top level with their plain types; what is below them is not described. */
  readonly shallow?: boolean
  /** Fields that are legal and not shown. */
  readonly omit?: ReadonlySet<string>
}

/**
 * The JSON Schema (2020-12) of a shape. Objects that are used more than once, and recursion, become `$defs`.
 * Rules that a pattern cannot say (the navigation contract, URL policy, limits) stay with the strict check.
 */
export function jsonSchemaOf(shape: Shape, options: JsonSchemaOptions = {}): JsonSchema {
  const builder = new Builder(options)
  builder.count(shape)
  if (options.shallow && shape.is.kind === 'object') return builder.shallow(shape.is)
  const schema = builder.of(shape)
  return { ...schema, ...(builder.size > 0 && { $defs: builder.defs }) }
}

class Builder {
  readonly defs: Record<string, JsonSchema> = {}
  size = 0
  readonly #uses = new Map<ObjectOf, number>()
  readonly #omit: ReadonlySet<string>

  constructor(options: JsonSchemaOptions) {
    this.#omit = options.omit ?? new Set()
  }

  #keys(is: ObjectOf): string[] {
    return is.keys.filter(key => !this.#omit.has(key))
  }

  count({ is }: Shape): undefined {
    switch (is.kind) {
      case 'array':
        return this.count(is.of)
      case 'lazy':
        return this.count(is.get())
      case 'either':
        this.count(is.a)
        return this.count(is.b)
      case 'union':
        for (const member of Object.values(is.members)) this.#object(member)
        return
      case 'object':
        return this.#object(is)
    }
  }

  #object(is: ObjectOf): undefined {
    const uses = (this.#uses.get(is) ?? 0) + 1
    this.#uses.set(is, uses)
    if (uses === 1) for (const key of this.#keys(is)) this.count(is.fields[key]!)
  }

  of(shape: Shape): JsonSchema {
    const { is } = shape
    switch (is.kind) {
      case 'string':
      case 'boolean':
        return { type: is.kind }
      case 'number':
        return { type: is.integer ? 'integer' : 'number', ...bounds(is) }
      case 'enum':
        return is.values.length === 1 ? { const: is.values[0]! } : { enum: [...is.values] }
      case 'json':
        return is.scalar ? { type: ['string', 'number', 'boolean', 'null'] } : {}
      case 'record': {
        const known = Object.entries(is.known)
        if (known.length === 0) return { type: 'object' }
        return { type: 'object', properties: Object.fromEntries(known.map(([key, field]) => [key, this.of(field)])) }
      }
      case 'array':
        return { type: 'array', items: this.of(is.of) }
      case 'object':
        return this.#shared(is)
      case 'union':
        return { anyOf: Object.values(is.members).map(member => this.#shared(member)) }
      case 'either':
        return { anyOf: [this.of(is.a), this.of(is.b)] }
      case 'lazy':
        return this.of(is.get())
    }
  }

  #shared(is: ObjectOf): JsonSchema {
    if ((this.#uses.get(is) ?? 0) < 2) return this.#properties(is)
    if (!this.defs[is.name]) {
      this.defs[is.name] = {}
      this.size++
      this.defs[is.name] = this.#properties(is)
    }
    return { $ref: `#/$defs/${is.name}` }
  }

  #properties(is: ObjectOf): JsonSchema {
    const keys = this.#keys(is)
    const required = keys.filter(key => is.fields[key]!.presence === 'required')
    return {
      type: 'object',
      properties: Object.fromEntries(keys.map(key => [key, this.of(is.fields[key]!)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }
  }

  shallow(is: ObjectOf): JsonSchema {
    const plain = ({ is }: Shape): JsonSchema => {
      if (is.kind === 'lazy') return plain(is.get())
      if (is.kind === 'object' || is.kind === 'union') return { type: 'object' }
      if (is.kind === 'either') return {}
      // Providers refuse an array that does not say of what.
      return is.kind === 'array' ? { type: 'array', items: plain(is.of) } : this.of({ is, presence: 'required' })
    }
    return { type: 'object', properties: Object.fromEntries(this.#keys(is).map(key => [key, plain(is.fields[key]!)])) }
  }
}

function bounds(is: Extract<ShapeOf, { kind: 'number' }>): JsonSchema {
  return {
    ...(is.min === Number.MIN_VALUE ? { exclusiveMinimum: 0 } : is.min > -Number.MAX_VALUE && { minimum: is.min }),
    ...(is.max < Number.MAX_VALUE && { maximum: is.max }),
  }
}
