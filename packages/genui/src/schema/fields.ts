import type { UiCode } from '../codes.ts'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { decimal, isEmail } from '../formats.ts'
import { repeatedAt } from '../json.ts'
import { matchesPattern } from '../pattern/in-place.ts'
import { urlProblem } from '../url.ts'
import { compareValues, isOnStep, isTimeOf, valueKind } from './field-rules.ts'
import type { ResolvedLayout, ResolvedNode, ResolvedUiNode, UiActionPayload, UiFieldNode, UiStatus } from './nodes.ts'
import { fillWords, type UiLocales, type UiWords, uiWordsFor } from './words.ts'

/** All nodes of one type in reading order, as far as a person can see them. */
function visibleNodes<T extends 'field' | 'button'>(node: ResolvedUiNode, type: T): ResolvedNode<T>[] {
  if (node.type === 'unknown' || node.visible === false) return []
  if (node.type === type) return [node as ResolvedNode<T>]
  return node.type === 'stack' || node.type === 'grid' ? node.children.flatMap(child => visibleNodes(child, type)) : []
}

/** Whether a person sees anything of a node. What is hidden, and a layout with nothing in it, take no room. */
export function drawsSomething(node: ResolvedUiNode): boolean {
  if (node.visible === false) return false
  if (node.type === 'kv') return node.items.length > 0
  return node.type === 'stack' || node.type === 'grid' ? node.children.some(drawsSomething) : true
}

/** The status of a layout that only its colour says: no badge in it names it. A reader who sees no colour is told it. */
export function unsaidStatus(node: ResolvedLayout): UiStatus | undefined {
  const { status } = node
  return status === undefined || status === 'info' || hasBadge(node, status) ? undefined : status
}

function hasBadge(node: ResolvedUiNode, status: UiStatus): boolean {
  if (node.visible === false) return false
  if (node.type === 'badge') return node.status === status
  return (node.type === 'stack' || node.type === 'grid') && node.children.some(child => hasBadge(child, status))
}

/** All fields of a tree; what is not visible is not part of the form. */
export const fieldsOf = (root: ResolvedUiNode): ResolvedNode<'field'>[] => visibleNodes(root, 'field')

/** All buttons of a tree that a person can see, also those that cannot be pressed. */
export const buttonsOf = (root: ResolvedUiNode): ResolvedNode<'button'>[] => visibleNodes(root, 'button')

/** What a field holds before a person changes it. */
export function initialValue(field: ResolvedNode<'field'>): unknown {
  if (field.value !== undefined && field.value !== null) {
    const value = ownValue(field, field.value)
    return field.input === 'slider' && typeof value === 'number' ? nearestStop(field, value) : value
  }
  if (field.input === 'checkbox') return false
  if (field.input === 'multiselect') return []
  if (field.input === 'slider') return Number(field.min ?? 0)
  return ''
}

/** A value in the form that the input has: people and the server see the same, whatever scalar the author wrote. */
function ownValue(field: UiFieldNode, value: unknown): unknown {
  switch (valueKind(field.input)) {
    case 'choice':
      return value
    case 'tick':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'number':
      return typeof value === 'string' ? (decimal(value) ?? value) : value
    default:
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  }
}

/** Where a slider stands that cannot stand between its steps or beyond its ends. */
function nearestStop({ min, max, step }: UiFieldNode, value: number): number {
  const [low, high] = [Number(min ?? 0), Number(max ?? 100)]
  const inside = Math.max(low, Math.min(high, value))
  if (step === undefined || isOnStep(inside, step, low)) return inside
  const stop = Math.round((inside - low) / step)
  // Tenths are not exact in binary numbers: what is added up has no more digits than its parts.
  return Number((low + (low + stop * step > high ? stop - 1 : stop) * step).toPrecision(15))
}

/** Whether a press validates the fields and sends their values: payload does, others when they say so. */
export const submits = (button: { readonly action: UiActionPayload; readonly submit?: boolean }): boolean =>
  button.submit ?? button.action.type === 'payload'

/** The problem with one value in words of the locale, or undefined. Runs in the browser and again on the server. */
export function fieldError(field: UiFieldNode, value: unknown, locale = 'en', locales?: UiLocales): string | undefined {
  const words = uiWordsFor(locale, locales)
  const kind = valueKind(field.input)
  const isNone = value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length)
  // A choice of "no" is a choice.
  const empty = isNone || (value === false && kind !== 'choice')
  if (empty) return field.required ? words.required : undefined
  if (kind === 'tick') return value === true ? undefined : words.invalid
  if (kind === 'number') return numberError(field, value, words)
  if (kind === 'choice') return choiceError(field, value, words)
  return typeof value === 'string' ? textError(field, value, words) : words.invalid
}

function numberError(field: UiFieldNode, value: unknown, words: UiWords): string | undefined {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? decimal(value) : undefined
  if (number === undefined || !Number.isFinite(number)) return words.invalid
  if (field.input === 'integer' && !Number.isInteger(number)) return words.wholeNumber
  const beyond = boundError(field, number, words)
  if (beyond !== undefined || field.step === undefined) return beyond
  const from = Number(field.min ?? 0)
  if (isOnStep(number, field.step, from)) return undefined
  return fillWords(words.offStep, { step: field.step, from })
}

function boundError({ input = 'text', min, max }: UiFieldNode, value: unknown, words: UiWords): string | undefined {
  const isBelow = (low: unknown, high: unknown) => (compareValues(input, low, high) ?? 0) < 0
  if (min !== undefined && isBelow(value, min)) return fillWords(words.tooLow, { limit: min })
  if (max !== undefined && isBelow(max, value)) return fillWords(words.tooHigh, { limit: max })
  return undefined
}

function choiceError(field: UiFieldNode, value: unknown, words: UiWords): string | undefined {
  const given = field.input === 'multiselect' ? value : [value]
  const allowed = new Set<unknown>(field.options?.map(option => option.value))
  return Array.isArray(given) && given.every(one => allowed.has(one)) ? undefined : words.invalid
}

function textError(field: UiFieldNode, value: string, words: UiWords): string | undefined {
  const length = [...value].length
  if (field.minLength !== undefined && length < field.minLength)
    return fillWords(words.tooShort, { limit: field.minLength })
  if (field.maxLength !== undefined && length > field.maxLength)
    return fillWords(words.tooLong, { limit: field.maxLength })
  if (field.input === 'email' && !isEmail(value)) return words.email
  if (field.input === 'url' && urlProblem(value)) return words.url
  const { input = 'text' } = field
  if (valueKind(input) === 'time') {
    if (!isTimeOf(input, value)) return words.invalid
    const beyond = boundError(field, value, words)
    if (beyond !== undefined) return beyond
  }
  if (field.pattern !== undefined && !matchesPattern(field.pattern, value)) return words.invalid
  return undefined
}

/** What the author of a field should know: a value that a person has to correct, and options that nobody can tell apart. */
export function fieldNotes(given: Readonly<Record<string, unknown>>): UiDiagnostic[] {
  const field = given as unknown as UiFieldNode
  const notes: UiDiagnostic[] = []
  const { value, options = [] } = field
  const own = value === undefined || value === null ? undefined : ownValue(field, value)
  const error = fieldError({ ...field, required: false }, own)
  if (error !== undefined)
    notes.push(problem(unfitCode(field, own), `the value does not fit the field: ${error}`, '/value'))
  const twice = repeatedAt(options.map(option => option.value))
  if (twice !== undefined)
    notes.push(problem('given_twice', 'another option has the same value', `/options/${twice}/value`))
  return notes
}

function unfitCode({ input }: UiFieldNode, value: unknown): UiCode {
  const kind = valueKind(input)
  if (kind === 'choice') return 'wrong_choice'
  if (typeof value !== (kind === 'number' ? 'number' : 'string')) return 'wrong_type'
  return kind === 'number' ? 'out_of_range' : 'validation_failed'
}

/** Problems by field name; an empty object when the form may be sent. */
export function formErrors(
  fields: readonly UiFieldNode[],
  values: Readonly<Record<string, unknown>>,
  locale?: string,
  locales?: UiLocales,
): Record<string, string> {
  const entries = fields.flatMap(field => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    const error = fieldError(field, value, locale, locales)
    return error === undefined ? [] : [[field.name, error] as const]
  })
  return Object.fromEntries(entries)
}
