import { isObject, type Json, type JsonObject, type Path, readPath } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import { deepEqual } from '../json.ts'
import { toPath } from './pointer.ts'

/** What an expression may use while it runs. It reads the data model and nothing else. */
export interface FunctionContext {
  read(path: Path): Json | undefined
  base: Path
  vars: Record<string, Json> | undefined
  functions: ReadonlyMap<string, CatalogFunction>
  locale: string | undefined
  timeZone: string | undefined
  maxString: number
  /** Steps left; an expression bomb stops here and not at the frame budget. */
  steps: number
  /** Set when an answer is still on its way (a pattern in the worker). */
  pending: boolean
  regex(pattern: string, value: string): boolean
  diagnose(code: UiCode, message: string): void
}

/** A function that values may call by `{call, args}`. */
export interface CatalogFunction {
  description?: string
  /** JSON Schema of the arguments object. */
  parameters?: JsonObject
  returnType: 'string' | 'number' | 'boolean' | 'array' | 'object' | 'any' | 'void'
  /** Runs only as an action of a person, never while rendering. */
  effect?: boolean
  run(args: JsonObject, ctx: FunctionContext): Json | undefined
}

export type PathRef = { path: Path; relative: boolean }

/** A compiled value. Without `run` it is constant; `paths` are all inputs it can ever read. */
export type Expr = {
  value?: Json | undefined
  run?: (ctx: FunctionContext) => Json | undefined
  paths: readonly PathRef[]
  /** Set for a plain binding: where a person's input is written. */
  target?: PathRef
}

export class BudgetError extends Error {}

const NONE: readonly PathRef[] = []
const EVERYTHING: PathRef = { path: [], relative: false }
const MAX_DEPTH = 64

const constant = (value: Json | undefined): Expr => ({ value, paths: NONE })
export const evaluate = (expr: Expr, ctx: FunctionContext): Json | undefined => {
  if (!expr.run) return expr.value
  spend(ctx, 1)
  return expr.run(ctx)
}
function spend(ctx: FunctionContext, steps: number): void {
  ctx.steps -= steps
  if (ctx.steps < 0) throw new BudgetError()
}
const inputs = (exprs: readonly Expr[]): readonly PathRef[] => exprs.flatMap(expr => expr.paths)

/** A value as people read it in a text. */
export function valueText(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** As text, and paid for by its length: turning the whole data model into text a thousand times is a bomb too. */
function text(ctx: FunctionContext, value: Json | undefined): string {
  const result = valueText(value)
  if (typeof value === 'object') spend(ctx, result.length >> 2)
  return result
}

/** Absolute pointers start with a slash; the rest is relative to the item a template is drawn for. */
export function pathRef(pointer: string): PathRef | undefined {
  const relative = !pointer.startsWith('/')
  if (relative && (pointer === '' || pointer === '.')) return { path: [], relative: true }
  const path = toPath(relative && pointer.startsWith('./') ? pointer.slice(2) : pointer)
  return path && { path, relative }
}

export const absolute = (ref: PathRef, base: Path): Path =>
  !ref.relative || base.length === 0 ? ref.path : ref.path.length === 0 ? base : base.concat(ref.path)

function binding(pointer: string): Expr {
  const ref = pathRef(pointer)
  if (!ref) return constant(undefined)
  return {
    paths: [ref],
    target: ref,
    run: ctx => {
      const [head] = ref.path
      return ctx.vars && head !== undefined && Object.hasOwn(ctx.vars, head)
        ? readPath(ctx.vars[head], ref.path.slice(1))
        : ctx.read(absolute(ref, ctx.base))
    },
  }
}

/** `records` keeps the elements of a list as they are (a table row `{length: 5}` is a row, not a call). */
export function compileValue(value: Json | undefined, records = false, depth = 0): Expr {
  if (typeof value !== 'object' || value === null) return constant(value)
  if (depth > MAX_DEPTH) return constant(undefined)
  if (Array.isArray(value)) {
    const items = value.map(item =>
      records && isObject(item) ? compileRecord(item, depth + 1) : compileValue(item, false, depth + 1),
    )
    if (items.every(item => !item.run)) return constant(items.map(item => item.value ?? null))
    return { paths: inputs(items), run: ctx => items.map(item => evaluate(item, ctx) ?? null) }
  }
  return compileDynamic(value, depth) ?? compileRecord(value, depth)
}

const compileRecord = (value: JsonObject, depth: number): Expr =>
  recordOf(Object.entries(value).map(([key, item]) => [key, compileValue(item, false, depth + 1)]))

function recordOf(entries: readonly (readonly [string, Expr])[]): Expr {
  const build = (get: (expr: Expr) => Json | undefined) => {
    const record: JsonObject = {}
    for (const [key, expr] of entries) {
      const item = get(expr)
      if (item !== undefined && key !== '__proto__') record[key] = item
    }
    return record
  }
  if (entries.every(([, expr]) => !expr.run)) return constant(build(expr => expr.value))
  return { paths: inputs(entries.map(([, expr]) => expr)), run: ctx => build(expr => evaluate(expr, ctx)) }
}

function compileDynamic(value: JsonObject, depth: number): Expr | undefined {
  const { call, path, $ref, literal, formatString } = value
  if (typeof call === 'string') return compileCall(call, isObject(value.args) ? value.args : {}, depth)
  const keys = Object.keys(value)
  if (keys.length !== 1) return undefined
  if (typeof path === 'string') return binding(path)
  if (typeof $ref === 'string') return binding($ref)
  if (literal !== undefined) return constant(literal)
  if (formatString !== undefined) return compileTemplate(formatString, depth)
  const key = keys[0]!
  return Object.hasOwn(helpers, key) ? helpers[key]!(value[key]!, depth + 1) : undefined
}

export const compileCall = (name: string, args: JsonObject, depth = 0): Expr =>
  name === 'formatString' ? compileTemplate(args.value, depth + 1) : callOf(name, compileRecord(args, depth + 1))

const callOf = (name: string, args: Expr): Expr => ({
  paths: args.paths,
  run: ctx => {
    const spec = ctx.functions.get(name)
    if (spec && !spec.effect) return spec.run(evaluate(args, ctx) as JsonObject, ctx)
    ctx.diagnose('unknown_function', `'${name}' is not a function that can be used in a value`)
    return undefined
  },
})

// ---- helpers of the nested form: single-key objects

const list = (value: Json, depth: number): Expr[] =>
  (Array.isArray(value) ? value : [value]).map(item => compileValue(item, false, depth))

const from = (exprs: Expr[], run: (ctx: FunctionContext) => Json | undefined): Expr => ({ paths: inputs(exprs), run })

const equality =
  (expected: boolean) =>
  (value: Json, depth: number): Expr => {
    const [a = constant(undefined), b = constant(undefined)] = list(value, depth)
    // A missing value equals null: JSON has no other way to ask for it.
    return from([a, b], ctx => {
      const tick = () => spend(ctx, 1)
      return deepEqual(evaluate(a, ctx) ?? null, evaluate(b, ctx) ?? null, tick) === expected
    })
  }

const helpers: Record<string, (value: Json, depth: number) => Expr> = {
  if(value, depth) {
    const parts = isObject(value) ? value : {}
    const cond = compileValue(parts.cond, false, depth)
    const yes = compileValue(parts.then, false, depth)
    const no = compileValue(parts.else, false, depth)
    return from([cond, yes, no], ctx => evaluate(evaluate(cond, ctx) ? yes : no, ctx))
  },
  not(value, depth) {
    const item = compileValue(value, false, depth)
    return from([item], ctx => !evaluate(item, ctx))
  },
  eq: equality(true),
  neq: equality(false),
  and(value, depth) {
    const items = list(value, depth)
    return from(items, ctx => items.every(item => evaluate(item, ctx)))
  },
  or(value, depth) {
    const items = list(value, depth)
    return from(items, ctx => items.some(item => evaluate(item, ctx)))
  },
  concat(value, depth) {
    const items = list(value, depth)
    return from(items, ctx => joinText(ctx, items, item => text(ctx, evaluate(item, ctx)), ''))
  },
  length(value, depth) {
    const item = compileValue(value, false, depth)
    return from([item], ctx => lengthOf(evaluate(item, ctx)))
  },
  join(value, depth) {
    const parts = isObject(value) ? value : { items: value }
    const items = compileValue(parts.items, false, depth)
    const separator = compileValue(parts.separator ?? ', ', false, depth)
    return from([items, separator], ctx => {
      const values = evaluate(items, ctx)
      const all = Array.isArray(values) ? values : []
      return joinText(ctx, all, item => text(ctx, item), text(ctx, evaluate(separator, ctx)))
    })
  },
  map(value, depth) {
    const parts = isObject(value) ? value : {}
    const as = typeof parts.as === 'string' ? parts.as : 'item'
    const source = typeof parts.from === 'string' ? binding(parts.from) : compileValue(parts.from, false, depth)
    const template =
      typeof parts.template === 'string'
        ? compileTemplate(parts.template, depth)
        : compileValue(parts.template, false, depth)
    return from([source, template], ctx => {
      const values = evaluate(source, ctx)
      if (!Array.isArray(values)) return []
      const outer = ctx.vars
      try {
        return values.map((item, index) => {
          // Each item costs a step even when its template is constant.
          spend(ctx, 1)
          ctx.vars = Object.assign(Object.create(null), outer, { [as]: item, [`${as}_index`]: index })
          return evaluate(template, ctx) ?? null
        })
      } finally {
        ctx.vars = outer
      }
    })
  },
  coalesce(value, depth) {
    const items = list(value, depth)
    return from(items, ctx => {
      for (const item of items) {
        const result = evaluate(item, ctx)
        if (result !== null && result !== undefined && result !== '' && !(Array.isArray(result) && !result.length))
          return result
      }
      return undefined
    })
  },
}

export const HELPERS: readonly string[] = Object.keys(helpers)

export function lengthOf(value: Json | undefined): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : 0
}

function joinText<T>(ctx: FunctionContext, items: readonly T[], text: (item: T) => string, separator: string): string {
  let result = ''
  for (let i = 0; i < items.length; i++) {
    result += i > 0 ? separator + text(items[i]!) : text(items[i]!)
    if (result.length > ctx.maxString) {
      ctx.diagnose('string_too_long', `A computed text is longer than ${ctx.maxString} characters and was cut`)
      return result.slice(0, ctx.maxString)
    }
  }
  return result
}

// ---- formatString: text with ${pointer} and ${function(name: value)}

function compileTemplate(template: Json | undefined, depth: number): Expr {
  if (typeof template === 'string') return parseTemplate(template, depth)
  const source = compileValue(template, false, depth + 1)
  if (!source.run) return constant(valueText(source.value))
  // The text itself is data: what it will read is only known when it runs.
  return {
    paths: [...source.paths, EVERYTHING],
    run: ctx => evaluate(parseTemplate(valueText(evaluate(source, ctx)), depth + 1), ctx),
  }
}

const templates = new Map<string, Expr>()

function parseTemplate(text: string, depth: number): Expr {
  if (!text.includes('${')) return constant(text)
  let expr = templates.get(text)
  if (!expr) {
    expr = new TemplateParser(text, depth).template()
    if (templates.size >= 1024) templates.clear()
    templates.set(text, expr)
  }
  return expr
}

class TemplateParser {
  #text: string
  #at = 0
  #depth: number

  constructor(text: string, depth: number) {
    this.#text = text
    this.#depth = depth
  }

  template(): Expr {
    const parts: Expr[] = []
    let literal = ''
    while (this.#at < this.#text.length) {
      if (this.#skip('\\${')) literal += '${'
      else if (this.#skip('${')) {
        if (literal) parts.push(constant(literal))
        literal = ''
        parts.push(this.#expression('}'))
        this.#skip('}')
      } else literal += this.#text[this.#at++]
    }
    if (literal) parts.push(constant(literal))
    return {
      paths: inputs(parts),
      run: ctx => joinText(ctx, parts, part => text(ctx, evaluate(part, ctx)), ''),
    }
  }

  #skip(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false
    this.#at += token.length
    return true
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  /** One value, up to (not including) one of the closing characters. */
  #expression(close: string): Expr {
    if (++this.#depth > MAX_DEPTH) {
      this.#at = this.#text.length
      return constant(undefined)
    }
    this.#space()
    const expr = this.#value(close)
    // What cannot be read is an unknown token: it shows as nothing.
    let unknown = false
    for (this.#space(); this.#at < this.#text.length && !close.includes(this.#text[this.#at]!); this.#at++)
      unknown = true
    this.#depth--
    return unknown ? constant(undefined) : expr
  }

  #value(close: string): Expr {
    if (this.#skip('${')) {
      const expr = this.#expression('}')
      this.#skip('}')
      return expr
    }
    const quote = this.#text[this.#at]
    if (quote === "'" || quote === '"') return constant(this.#quoted(quote))
    const start = this.#at
    while (this.#at < this.#text.length && !/[\s,:()'"]/.test(this.#text[this.#at]!)) {
      if (close.includes(this.#text[this.#at]!)) break
      this.#at++
    }
    const word = this.#text.slice(start, this.#at)
    if (this.#skip('(')) return /^[A-Za-z_]\w*$/.test(word) ? this.#call(word) : constant(undefined)
    if (word === '') return constant(undefined)
    if (close !== '}') {
      if (word === 'true' || word === 'false') return constant(word === 'true')
      if (word === 'null') return constant(null)
      if (/^-?\d+(\.\d+)?$/.test(word)) return constant(Number(word))
    }
    return binding(word)
  }

  #quoted(quote: string): string {
    let result = ''
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!
      if (char === quote) {
        this.#at++
        break
      }
      result += char === '\\' && this.#at + 1 < this.#text.length ? this.#text[++this.#at] : char
    }
    return result
  }

  #call(name: string): Expr {
    const args: [string, Expr][] = []
    for (this.#space(); this.#at < this.#text.length && !this.#skip(')'); this.#space()) {
      const start = this.#at
      while (/\w/.test(this.#text[this.#at] ?? '')) this.#at++
      const key = this.#text.slice(start, this.#at)
      this.#space()
      if (!this.#skip(':') || key === '') {
        // Not a call of ours: the rest of the token is skipped, and shows as nothing.
        return constant(undefined)
      }
      args.push([key, this.#expression(',)')])
      this.#skip(',')
    }
    return callOf(name, recordOf(args))
  }
}
