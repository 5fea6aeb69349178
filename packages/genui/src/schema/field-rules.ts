import { MAX_ID } from '@vitrine/protocol'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { compareTimes, decimal, isDate, isDateTime, isTime } from '../formats.ts'

/** What the values of an input are: each rule of a field speaks of one kind of value. */
type ValueKind = 'text' | 'number' | 'time' | 'choice' | 'tick'

const valueKinds = new Map<unknown, ValueKind>([
  ['number', 'number'],
  ['integer', 'number'],
  ['slider', 'number'],
  ['date', 'time'],
  ['time', 'time'],
  ['datetime', 'time'],
  ['select', 'choice'],
  ['multiselect', 'choice'],
  ['radio', 'choice'],
  ['checkbox', 'tick'],
])

export const valueKind = (input: unknown): ValueKind => valueKinds.get(input) ?? 'text'

const rulesOf: Readonly<Record<ValueKind, readonly string[]>> = {
  text: ['minLength', 'maxLength', 'pattern'],
  number: ['min', 'max', 'step'],
  time: ['min', 'max', 'pattern'],
  choice: [],
  tick: [],
}
const rules = ['min', 'max', 'step', 'minLength', 'maxLength', 'pattern']

const times: Readonly<Record<string, { fits(text: string): boolean; example: string }>> = {
  date: { fits: isDate, example: 'a day such as 2026-03-15' },
  time: { fits: isTime, example: 'a time such as 14:00' },
  datetime: { fits: isDateTime, example: 'a day and a time such as 2026-03-15T14:00' },
}

/** Whether a text is a value of an input for days and times. */
export const isTimeOf = (input: string, text: string): boolean => times[input]?.fits(text) ?? false

/** Below zero when the first comes before the second as values of this input; undefined when one of them is no such value. */
export function compareValues(input: string, first: unknown, second: unknown): number | undefined {
  const [a, b] = [String(first), String(second)]
  if (valueKind(input) === 'number') {
    const [low, high] = [decimal(a), decimal(b)]
    return low === undefined || high === undefined ? undefined : low - high
  }
  // A day alone is its beginning where the input has days with times.
  const isBound = (text: string) => isTimeOf(input, text) || (input === 'datetime' && isDate(text))
  return isBound(a) && isBound(b) ? compareTimes(a, b) : undefined
}

/** Whether a number is a whole number of steps away from where the steps begin. */
export function isOnStep(number: number, step: number, from: number): boolean {
  if ([number, step, from].every(Number.isInteger)) return (BigInt(number) - BigInt(from)) % BigInt(step) === 0n
  const way = Math.round((number - from) / step) * step
  // Tenths are not exact in binary numbers. What is tolerated is what the largest of these numbers cannot say.
  const largest = Math.max(Math.abs(number), Math.abs(from), Math.abs(way))
  return Math.abs(number - (from + way)) <= 4 * Number.EPSILON * largest
}

type Rules = Readonly<Record<string, unknown>>

/** What makes it impossible to fill a field in as its author means it. `input` is what the field takes. */
export const fieldProblem = (input: string, field: Rules): UiDiagnostic | undefined =>
  optionsProblem(input, field) ?? ruleProblem(input, field)

/** A choice without options cannot be filled in, and where one has to be made, the form could never be sent. */
function optionsProblem(input: string, { options, required }: Rules): UiDiagnostic | undefined {
  if (valueKind(input) !== 'choice') return undefined
  const isEmpty = required === true && Object.keys(options ?? {}).length === 0
  if (options !== undefined && !isEmpty) return undefined
  return problem('options_missing', `a ${input} field ${isEmpty ? 'that is required ' : ''}needs options`, '/options')
}

/** What is wrong with the name of a field: what is entered is sent under it. */
export function fieldNameProblem(name: string): UiDiagnostic | undefined {
  if (name === '') return problem('missing', 'the name of a field is empty')
  if (name === '__proto__') return problem('forbidden_key', 'the name __proto__ is not allowed')
  if (name.includes('\0')) return problem('not_well_formed', 'the name of a field has the character NUL')
  return name.length > MAX_ID ? problem('id_too_long', `the name is longer than ${MAX_ID} characters`) : undefined
}

/** A rule that never applies is not what its author means, and bounds that cross let no value pass. */
function ruleProblem(input: string, field: Rules): UiDiagnostic | undefined {
  const known = rulesOf[valueKind(input)]
  for (const rule of rules) {
    if (field[rule] === undefined) continue
    if (!known.includes(rule))
      return unusable(rule, `${rule} does not apply to a ${input} field${instead(rule, known)}`)
    const isBound = rule === 'min' || rule === 'max'
    if (isBound && compareValues(input, field[rule], field[rule]) === undefined)
      return unusable(rule, `${rule} of a ${input} field is ${times[input]?.example ?? 'a number'}`)
  }
  if (isAbove(compareValues(input, field.min, field.max))) return crossed('min', 'max')
  const { minLength, maxLength } = field as { minLength?: number; maxLength?: number }
  return isAbove((minLength ?? 0) - (maxLength ?? Number.POSITIVE_INFINITY))
    ? crossed('minLength', 'maxLength')
    : undefined
}

const isAbove = (order: number | undefined): boolean => order !== undefined && order > 0

const unusable = (rule: string, message: string): UiDiagnostic => problem('unusable_rule', message, `/${rule}`)

const crossed = (low: string, high: string): UiDiagnostic =>
  problem('crossed_bounds', `${low} is above ${high}: no value fits`, `/${low}`)

const instead = (rule: string, known: readonly string[]): string => {
  const length = `${rule}Length`
  return known.includes(length) ? `: use ${length}` : ''
}

/** Makes a field safe to draw: what makes it impossible to fill in is left out. `toText` makes it a line of text. */
export function settleField(inputOf: () => string, field: Record<string, unknown>, toText: () => void): void {
  for (let wrong = fieldProblem(inputOf(), field); wrong; wrong = fieldProblem(inputOf(), field)) {
    const rule = wrong.path.slice(1)
    delete field[rule]
    if (wrong.code === 'options_missing') toText()
    if (wrong.code === 'crossed_bounds') delete field[rule.replace('min', 'max')]
  }
}
