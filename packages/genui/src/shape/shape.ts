import type { Json } from '@vitrine/protocol'
import type { UiDiagnostic } from '../diagnostic.ts'

/**
 * A wire shape is data. The strict check, the tolerant reader, the JSON Schema and the TypeScript types
 * are all derived from the same description, so they cannot drift apart.
 */
export type Presence = 'required' | 'optional' | 'default'

/** Says what is wrong with a value that its plain type cannot say. The path of the finding begins at that value. */
type Check<T> = (value: T) => UiDiagnostic | undefined

export type ShapeOf =
  | { readonly kind: 'string'; readonly check?: Check<string> }
  | { readonly kind: 'number'; readonly integer: boolean; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  /** Any JSON value, or a scalar only. */
  | { readonly kind: 'json'; readonly scalar: boolean }
  /** An object with free keys and JSON values; `known` gives the shapes of keys that have a meaning. */
  | { readonly kind: 'record'; readonly known: Readonly<Record<string, Shape>> }
  | { readonly kind: 'array'; readonly of: Shape }
  | ObjectOf
  | UnionOf
  /** Two accepted forms of one value: `a` when the test says so. */
  | { readonly kind: 'either'; readonly when: (value: unknown) => boolean; readonly a: Shape; readonly b: Shape }
  | { readonly kind: 'lazy'; readonly get: () => Shape }

export interface ObjectOf {
  readonly kind: 'object'
  readonly name: string
  readonly fields: Readonly<Record<string, Shape>>
  readonly keys: readonly string[]
  /** Other names that the reader understands, by the name they stand for. */
  readonly aliases: Readonly<Record<string, string>>
  readonly check?: Check<Record<string, unknown>>
  /** The field whose value no other object of this shape in the document has, as far as both can be seen. */
  readonly unique?: string
  /** Reader only: what is said about a legal object that does not show what its author may expect of it. */
  readonly notes?: (value: Record<string, unknown>) => UiDiagnostic[]
  /** Reader only: makes an object whose `check` fails safe to draw. */
  readonly settle?: (value: Record<string, unknown>, problem: UiDiagnostic) => void
  /** Reader only: the type that the object is handed over with, when that is another one. */
  readonly readAs?: string
}

/** Objects told apart by their `type`. */
export interface UnionOf {
  readonly kind: 'union'
  readonly members: Readonly<Record<string, ObjectOf>>
  /** Set when the members are the nodes of a tree: they are counted and nest. */
  readonly node: NodeRules | undefined
}

/** What a reader does with a node that it does not know at first sight. */
export interface NodeRules {
  /** Other names of types, with the fields they stand for. */
  readonly aliases: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Stands in the place of a node that cannot be read; the rest of the tree is not affected. */
  mark(node: { given: string; path: string; reason: string }): unknown
}

/**
 * The declaration of a JSON value, from which its types, its reader and its JSON Schema come. `Wire` is what travels,
 * where defaults may be left out; `Resolved` is what the reader hands over.
 */
export interface Shape<Wire = unknown, Resolved = unknown, P extends Presence = Presence> {
  readonly is: ShapeOf
  readonly presence: P
  /** Used by the reader when the field is absent; a function receives the JSON pointer of the field's owner. */
  readonly default?: unknown
  /** Reader only: stands in for a required value that is missing or unusable. */
  readonly fallback?: unknown
  /** Reader only: turns an accepted other form into the declared one. Returns undefined when it is none. */
  readonly from?: (value: unknown) => unknown
  /** Reader only: what is said about a legal value that does not do what its author may expect of it. */
  readonly note?: (value: unknown) => UiDiagnostic | undefined
  /** Reader only: a value that is there and cannot be read as it was written is not left out in silence. */
  readonly vital?: true
  /** How a prompt writes this value, where the full form would cost more than it tells. */
  readonly told?: string
  readonly '~wire'?: Wire
  readonly '~resolved'?: Resolved
}

export type Wire<S> = S extends { readonly '~wire'?: infer W } ? W : never
export type Resolved<S> = S extends { readonly '~resolved'?: infer R } ? R : never
type PresenceOf<S> = S extends { readonly presence: infer P } ? P : never

type Fields = Readonly<Record<string, Shape>>
type Keys<F, P> = { [K in keyof F]: PresenceOf<F[K]> extends P ? K : never }[keyof F]
type Flat<T> = { [K in keyof T]: T[K] }
type ObjectWire<F> = Flat<
  { [K in Keys<F, 'required'>]: Wire<F[K]> } & { [K in Keys<F, 'optional' | 'default'>]?: Wire<F[K]> }
>
type ObjectResolved<F> = Flat<
  { [K in Keys<F, 'required' | 'default'>]: Resolved<F[K]> } & { [K in Keys<F, 'optional'>]?: Resolved<F[K]> }
>

export type Scalar = string | number | boolean | null

/** A key such as `constructor` must not find something on the prototype. */
const table = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), entries)

/** What a shape may have besides. Each has all of it, absent or not: the reader is much quicker when all shapes look alike. */
const ABSENT: object = {
  default: undefined,
  fallback: undefined,
  from: undefined,
  note: undefined,
  vital: undefined,
  told: undefined,
}

const make = <W, R = W>(is: ShapeOf): Shape<W, R, 'required'> => ({ is, presence: 'required', ...ABSENT })

export const string = (check?: Check<string>) => make<string>({ kind: 'string', ...(check && { check }) })

export const number = (min = -Number.MAX_VALUE, max = Number.MAX_VALUE) =>
  make<number>({ kind: 'number', integer: false, min, max })

export const integer = (min: number, max: number) => make<number>({ kind: 'number', integer: true, min, max })

export const boolean = () => make<boolean>({ kind: 'boolean' })

export const oneOf = <const V extends readonly string[]>(...values: V) => make<V[number]>({ kind: 'enum', values })

export const json = () => make<Json>({ kind: 'json', scalar: false })

export const scalar = () => make<Scalar>({ kind: 'json', scalar: true })

export const record = <F extends Fields = Record<never, never>>(known?: F) =>
  make<{ [key: string]: Json | undefined } & ObjectWire<F>>({ kind: 'record', known: table(known ?? {}) })

export const array = <S extends Shape>(of: S) => make<Wire<S>[], Resolved<S>[]>({ kind: 'array', of })

type ObjectOptions = Pick<ObjectOf, 'check' | 'notes' | 'unique' | 'settle' | 'readAs'> & {
  readonly aliases?: ObjectOf['aliases']
}

export const object = <F extends Fields>(name: string, fields: F, options: ObjectOptions = {}) =>
  make<ObjectWire<F>, ObjectResolved<F>>({
    kind: 'object',
    name,
    fields: table(fields),
    keys: Object.keys(fields),
    ...options,
    aliases: table(options.aliases ?? {}),
  })

/** Members are objects, told apart by the single value of their `type` field. */
export const union = <M extends readonly Shape[]>(node: NodeRules | undefined, ...members: M) =>
  make<Wire<M[number]>, Resolved<M[number]>>({
    kind: 'union',
    node,
    members: table(
      Object.fromEntries(
        members.map(({ is }) => {
          const type = is.kind === 'object' ? is.fields.type?.is : undefined
          if (is.kind !== 'object' || type?.kind !== 'enum') throw new TypeError('a union is of objects with a type')
          return [type.values[0], is]
        }),
      ),
    ),
  })

export const either = <A extends Shape, B extends Shape>(when: (value: unknown) => boolean, a: A, b: B) =>
  make<Wire<A> | Wire<B>, Resolved<A> | Resolved<B>>({ kind: 'either', when, a, b })

export const lazy = <W, R = W>(get: () => Shape) => make<W, R>({ kind: 'lazy', get })

export const optional = <S extends Shape>(shape: S): Shape<Wire<S>, Resolved<S>, 'optional'> => ({
  ...(shape as Shape<Wire<S>, Resolved<S>>),
  presence: 'optional',
})

export const byDefault = <S extends Shape>(
  shape: S,
  value: Resolved<S> | ((pointer: string) => Resolved<S>),
): Shape<Wire<S>, Resolved<S>, 'default'> => ({
  ...(shape as Shape<Wire<S>, Resolved<S>>),
  presence: 'default',
  default: value,
})

/** The reader also takes another form of the value, and reports it. */
export const alsoFrom = <S extends Shape>(shape: S, from: (value: unknown) => unknown) => ({ ...shape, from })

/** The reader says something about a value that is legal. */
export const noted = <S extends Shape>(shape: S, note: NonNullable<Shape['note']>): S => ({ ...shape, note })

/** The reader puts this in the place of a required value that it cannot use, and reports an error. */
export const orElse = <S extends Shape>(shape: S, fallback: Wire<S>): S => ({ ...shape, fallback })

/**
 * The value says what is done or what it takes to do it. When it is there and something of it cannot be read, nothing of it is
 * taken, and the object that has it is settled like one that breaks its rules.
 */
export const vital = <S extends Shape>(shape: S): S => ({ ...shape, vital: true })

export const told = <S extends Shape>(text: string, shape: S): S => ({ ...shape, told: text })
