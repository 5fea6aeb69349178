import type { ObjectOf, Shape } from './shape.ts'

/**
 * A shape in the fewest tokens that a model still reads without doubt: `{title?,items?:[{key,value?}]}`. Text and free
 * values carry no type; objects that are used twice, and recursion, get a name.
 */
export function signature(shape: Shape, omit: ReadonlySet<string>): string {
  const writer = new SignatureWriter(omit)
  writer.count(shape)
  const main = writer.of(shape)
  return [main, ...writer.named.values()].join('\n')
}

class SignatureWriter {
  readonly named = new Map<ObjectOf, string>()
  readonly #uses = new Map<ObjectOf, number>()
  readonly #omit: ReadonlySet<string>

  constructor(omit: ReadonlySet<string>) {
    this.#omit = omit
  }

  count({ is, told }: Shape): void {
    if (told !== undefined) return
    if (is.kind === 'array') this.count(is.of)
    else if (is.kind === 'lazy') this.count(is.get())
    else if (is.kind === 'either') for (const form of [is.a, is.b]) this.count(form)
    else if (is.kind === 'union') for (const member of Object.values(is.members)) this.#countObject(member)
    else if (is.kind === 'object') this.#countObject(is)
  }

  #countObject(is: ObjectOf): void {
    const uses = (this.#uses.get(is) ?? 0) + 1
    this.#uses.set(is, uses)
    if (uses === 1) for (const key of this.#keys(is)) this.count(is.fields[key]!)
  }

  #keys(is: ObjectOf): string[] {
    return is.keys.filter(key => !this.#omit.has(key) || is.fields[key]!.told !== undefined)
  }

  of({ is, told }: Shape): string {
    if (told !== undefined) return told
    switch (is.kind) {
      case 'string':
      case 'json':
        return ''
      case 'number':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'enum':
        return is.values.join('|')
      case 'record':
        return '{}'
      case 'array':
        return `[${this.of(is.of)}]`
      case 'object':
        return this.#object(is)
      case 'union':
        return Object.values(is.members)
          .map(member => this.#object(member))
          .join('|')
      case 'either':
        return [this.of(is.a) || 'text', this.of(is.b) || 'text'].join('|')
      case 'lazy':
        return this.of(is.get())
    }
  }

  #object(is: ObjectOf): string {
    if ((this.#uses.get(is) ?? 0) < 2) return this.#fields(is)
    const name = is.name.replace(/^UiHint|^Ui/, '')
    if (!this.named.has(is)) {
      this.named.set(is, '')
      this.named.set(is, `${name}=${this.#fields(is)}`)
    }
    return name
  }

  #fields(is: ObjectOf): string {
    const fields = this.#keys(is).map(key => {
      const field = is.fields[key]!
      const type = this.of(field)
      return `${key}${field.presence === 'required' ? '' : '?'}${type && `:${type}`}`
    })
    return `{${fields.join(',')}}`
  }
}
