import { isDate, isDateTime, isEmail, isTime } from '../formats.ts'
import { matchesPattern } from '../pattern/in-place.ts'
import { urlProblem } from '../url.ts'
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
  if (field.value !== undefined && field.value !== null) return ownValue(field, field.value)
  if (field.input === 'checkbox') return false
  if (field.input === 'multiselect') return []
  if (field.input === 'slider') return Number(field.min ?? 0)
  return ''
}

/** A value in the form that the input has: people and the server see the same, whatever scalar the author wrote. */
function ownValue({ input }: ResolvedNode<'field'>, value: unknown): unknown {
  if (optionsOnly.has(input)) return value
  if (input === 'checkbox') return value === 'true' ? true : value === 'false' ? false : value
  if (numbers.has(input)) {
    const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    return isNumber ? Number(value) : value
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** Whether a press validates the fields and sends their values: payload does, others when they say so. */
export const submits = (button: { readonly action: UiActionPayload; readonly submit?: boolean }): boolean =>
  button.submit ?? button.action.type === 'payload'

const optionsOnly = new Set<unknown>(['select', 'multiselect', 'radio'])
const numbers = new Set<unknown>(['number', 'integer', 'slider'])

/** The problem with one value in words of the locale, or undefined. Runs in the browser and again on the server. */
export function fieldError(field: UiFieldNode, value: unknown, locale = 'en', locales?: UiLocales): string | undefined {
  const words = uiWordsFor(locale, locales)
  const choice = optionsOnly.has(field.input)
  const isNone = value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length)
  // A choice of "no" is a choice.
  const empty = isNone || (value === false && !choice)
  if (empty) return field.required ? words.required : undefined
  if (field.input === 'checkbox') return value === true ? undefined : words.invalid
  if (numbers.has(field.input)) return numberError(field, value, words)
  if (choice) return choiceError(field, value, words)
  return typeof value === 'string' ? textError(field, value, words) : words.invalid
}

function numberError(field: UiFieldNode, value: unknown, words: UiWords): string | undefined {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN
  if (!Number.isFinite(number)) return words.invalid
  if (field.input === 'integer' && !Number.isInteger(number)) return words.wholeNumber
  if (field.min !== undefined && number < Number(field.min)) return fillWords(words.tooLow, { limit: field.min })
  if (field.max !== undefined && number > Number(field.max)) return fillWords(words.tooHigh, { limit: field.max })
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
  const fits = temporal[field.input ?? 'text']
  if (fits) {
    if (!fits(value)) return words.invalid
    // ISO dates and times of one form order as text.
    if (field.min !== undefined && value < String(field.min)) return fillWords(words.tooLow, { limit: field.min })
    if (field.max !== undefined && value > String(field.max)) return fillWords(words.tooHigh, { limit: field.max })
  }
  if (field.pattern !== undefined && !matchesPattern(field.pattern, value)) return words.invalid
  return undefined
}

const temporal: Partial<Record<NonNullable<UiFieldNode['input']>, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  datetime: isDateTime,
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
