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

/** A compiled template, with what is wrong with it and its parts as values: texts, bindings and calls. */
type Template = Expr & { problem?: string | undefined; parts?: readonly Json[] }

export class BudgetError extends Error {}

const NONE: readonly PathRef[] = []
const EVERYTHING: PathRef = { path: [], relative: false }
const MAX_DEPTH = 64
/** Calls inside of calls in a template: each of them is a value of two levels. */
const MAX_NESTED = MAX_DEPTH / 2

const constant = (value: Json | undefined): Expr => ({ value, paths: NONE })
export const evaluate = (expr: Expr, ctx: FunctionContext): Json | undefined => {
  if (!expr.run) return expr.value
  spend(ctx, 1)
  return expr.run(ctx)
}
export function spend(ctx: FunctionContext, steps: number): void {
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
function asText(ctx: FunctionContext, value: Json | undefined): string {
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

/** A record is what its members are: no name among them makes it a binding or a call. */
export function compileRecord(value: JsonObject, depth = 0): Expr {
  const entries = Object.entries(value).map(([key, item]) => [key, compileValue(item, false, depth + 1)] as const)
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

/** Whether an object is a binding, a call or a helper, and no record. */
export const isDynamic = (value: JsonObject): boolean => compileDynamic(value, 0) !== undefined

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

function compileCall(name: string, given: JsonObject, depth: number): Expr {
  if (name === 'formatString') return compileTemplate(given.value, depth + 1)
  const args = compileRecord(given, depth + 1)
  return {
    paths: args.paths,
    run: ctx => {
      const spec = ctx.functions.get(name)
      if (spec && !spec.effect) return spec.run(evaluate(args, ctx) as JsonObject, ctx)
      ctx.diagnose('unknown_function', `'${name}' is not a function that can be used in a value`)
      return undefined
    },
  }
}

// ---- helpers of the nested form: single-key objects

const list = (value: Json, depth: number): Expr[] =>
  (Array.isArray(value) ? value : [value]).map(item => compileValue(item, false, depth))

const from = (exprs: Expr[], run: (ctx: FunctionContext) => Json | undefined): Expr => ({ paths: inputs(exprs), run })

const several =
  (use: (items: readonly Expr[], ctx: FunctionContext) => Json | undefined) =>
  (value: Json, depth: number): Expr => {
    const items = list(value, depth)
    return from(items, ctx => use(items, ctx))
  }

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
  and: several((items, ctx) => items.every(item => evaluate(item, ctx))),
  or: several((items, ctx) => items.some(item => evaluate(item, ctx))),
  concat: several((items, ctx) => joinText(ctx, items, item => asText(ctx, evaluate(item, ctx)), '')),
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
      return joinText(ctx, all, item => asText(ctx, item), asText(ctx, evaluate(separator, ctx)))
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
  coalesce: several((items, ctx) => {
    for (const item of items) {
      const result = evaluate(item, ctx)
      if (isFilled(result)) return result
    }
    return undefined
  }),
}

/** A value that is there and not empty. */
export const isFilled = (value: Json | undefined): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

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

// ---- formatString: text with ${pointer}, ${'literal'} and ${function(name: value)}

function compileTemplate(template: Json | undefined, depth: number): Expr {
  if (typeof template === 'string') return readTemplate(template)
  const source = compileValue(template, false, depth + 1)
  if (!source.run) return constant(valueText(source.value))
  // The text itself is data: what it will read is only known when it runs.
  return {
    paths: [...source.paths, EVERYTHING],
    run: ctx => evaluate(readTemplate(valueText(evaluate(source, ctx))), ctx),
  }
}

/** What is wrong with a template, and its parts as values that stand outside of templates. */
export const aboutTemplate = (text: string): Pick<Template, 'problem' | 'parts'> => readTemplate(text)

const templates = new Map<string, Template>()
/** Agents choose the texts: neither long ones nor many of them may fill the memory. */
const REMEMBERED = 1024
const REMEMBERED_LENGTH = 500

/** A text means the same wherever it stands: what is remembered knows of no depth and no surface. */
function readTemplate(text: string): Template {
  if (!text.includes('${')) return constant(text)
  let template = templates.get(text)
  if (!template) {
    template = new TemplateParser(text).template()
    if (text.length > REMEMBERED_LENGTH) return template
    if (templates.size >= REMEMBERED) templates.clear()
    templates.set(text, template)
  }
  return template
}

class Malformed extends Error {}

/** A template that says what is wrong with it when it runs. */
const reporting = (problem: string, { paths, value, run }: Expr): Template => ({
  problem,
  paths,
  run: ctx => {
    ctx.diagnose('invalid_template', problem)
    return run ? run(ctx) : value
  },
})

const SPACE = /\s*/y
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i
const QUOTED = /(['"])(?:(?!\1)[^\\]|\\.)*\1/sy
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** What stands between two quotes. */
const unquoted = (text: string): string =>
  text
    .slice(1, -1)
    .replace(/\\(u[\da-f]{4}|.)/gis, (_, code: string) =>
      code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code),
    )

class TemplateParser {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  /** A token that cannot be read shows as nothing. Where one has no end, nobody knows what is text: nothing of it runs. */
  template(): Template {
    const text = this.#text
    const parts: Json[] = []
    let problem: string | undefined
    let plain = ''
    for (let next = text.indexOf('${'); next >= 0; next = text.indexOf('${', this.#at)) {
      if (text[next - 1] === '\\' && next > this.#at) {
        plain += `${text.slice(this.#at, next - 1)}\${`
        this.#at = next + 2
        continue
      }
      plain += text.slice(this.#at, next)
      if (plain) parts.push(plain)
      plain = ''
      this.#at = next
      try {
        parts.push(this.#token())
      } catch (error) {
        if (!(error instanceof Malformed)) throw error
        const isOpen = this.#at >= text.length
        const place = text.slice(isOpen ? next : this.#at).slice(0, 40)
        problem ??= `${error.message || (isOpen ? 'A token of the template has no end' : 'The template cannot be read from here on')}: ${place}`
        // It goes on behind the token, if the token has an end.
        const braces = /[{}]/g
        braces.lastIndex = this.#at = next
        this.#depth = 0
        do {
          const [brace] = braces.exec(text) ?? []
          if (brace === undefined) return reporting(problem, constant(text))
          this.#depth += brace === '}' ? -1 : 1
          this.#at = braces.lastIndex
        } while (this.#depth > 0)
      }
    }
    plain += text.slice(this.#at)
    if (plain) parts.push(plain)
    const whole = helpers.concat!(parts, 0)
    return { ...(problem === undefined ? whole : reporting(problem, whole)), parts }
  }

  #skip(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false
    this.#at += token.length
    return true
  }

  /** Reads what the pattern, which is sticky, matches here. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [taken] = pattern.exec(this.#text) ?? ['']
    this.#at += taken.length
    return taken
  }

  #need(condition: boolean, why?: string): void {
    if (!condition) throw new Malformed(why)
  }

  #token(): Json {
    this.#skip('${')
    const value = this.#value(/[^}]*/y)
    this.#need(this.#skip('}'))
    return value
  }

  /** One value and the space around it. `key` matches what a pointer may hold there. */
  #value(key: RegExp): Json {
    this.#need(++this.#depth <= MAX_NESTED)
    this.#take(SPACE)
    const value = this.#operand(key)
    this.#take(SPACE)
    this.#depth--
    return value
  }

  #operand(key: RegExp): Json {
    const start = this.#at
    if (this.#text.startsWith('${', start)) return this.#token()
    const quoted = this.#take(QUOTED)
    if (quoted) return unquoted(quoted)
    // A pointer has any characters up to the end of its token: only there do its keys end for certain.
    if (this.#take(/\.?\//y)) {
      this.#at = start
      return this.#binding(this.#take(key).trimEnd())
    }
    const word = this.#take(/[^\s,:()'"{}][^\s,:()'"}]*/y)
    if (this.#skip('(')) return this.#call(word)
    this.#need(word !== '')
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    return JSON_NUMBER.test(word) && Number.isFinite(Number(word)) ? Number(word) : this.#binding(word)
  }

  #binding(path: string): Json {
    this.#need(!path.includes('${') && pathRef(path) !== undefined)
    return { path }
  }

  #call(name: string): Json {
    this.#need(/^[A-Za-z_]\w*$/.test(name))
    const args = new Map<string, Json>()
    for (this.#take(SPACE); !this.#skip(')'); this.#take(SPACE)) {
      const key = this.#take(/\w+/y)
      this.#take(SPACE)
      this.#need(key !== '' && this.#skip(':'))
      this.#need(!args.has(key), `The argument '${key}' is given twice`)
      args.set(key, this.#value(/[^,)}]*/y))
      this.#need(this.#skip(',') || this.#text[this.#at] === ')')
    }
    return { call: name, args: Object.fromEntries(args) }
  }
}
