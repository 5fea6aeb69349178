/** Locale-aware formats by Intl. Formatters are costly to make, so each is made once. */

import { isDate } from '../formats.ts'

const cache = new Map<string, unknown>()

function cached<T>(key: string, make: () => T): T {
  let value = cache.get(key) as T | undefined
  if (value === undefined) {
    value = make()
    if (cache.size >= 256) cache.clear()
    cache.set(key, value)
  }
  return value
}

export function formatNumber(
  value: number,
  locale: string | undefined,
  options: { decimals?: number | undefined; grouping?: boolean | undefined; currency?: string | undefined },
): string {
  const decimals = options.decimals === undefined ? undefined : Math.min(20, Math.max(0, Math.trunc(options.decimals)))
  const key = `n|${locale}|${decimals}|${options.grouping}|${options.currency}`
  const formatter = cached(key, () => {
    const settings: Intl.NumberFormatOptions = { useGrouping: options.grouping ?? true }
    if (decimals !== undefined && !Number.isNaN(decimals)) {
      settings.minimumFractionDigits = decimals
      settings.maximumFractionDigits = decimals
    }
    if (options.currency !== undefined) {
      settings.style = 'currency'
      settings.currency = options.currency
    }
    try {
      return new Intl.NumberFormat(locale, settings)
    } catch {
      return null
    }
  })
  // An unknown currency code still shows the amount.
  return formatter ? formatter.format(value) : `${value} ${options.currency ?? ''}`.trim()
}

export const pluralCategory = (value: number, locale: string | undefined): Intl.LDMLPluralRule =>
  cached(`p|${locale}`, () => new Intl.PluralRules(locale)).select(value)

type Part = Intl.DateTimeFormatPartTypes

function part(date: Date, locale: string | undefined, zone: string | undefined, type: Part, options: object): string {
  const key = `d|${locale}|${zone}|${JSON.stringify(options)}`
  const formatter = cached(
    key,
    () => new Intl.DateTimeFormat(locale, { ...options, ...(zone === undefined ? {} : { timeZone: zone }) }),
  )
  return formatter.formatToParts(date).find(piece => piece.type === type)?.value ?? ''
}

const WIDTH = ['', 'numeric', '2-digit', 'short', 'long', 'narrow'] as const

/** The fields that are numbers: which part it is, and what must be asked for to get it. */
const NUMBERS: Readonly<Record<string, readonly [Part, object]>> = {
  M: ['month', { month: 'numeric' }],
  L: ['month', { month: 'numeric' }],
  d: ['day', { day: 'numeric' }],
  h: ['hour', { hour: 'numeric', hourCycle: 'h12' }],
  H: ['hour', { hour: 'numeric', hourCycle: 'h23' }],
  m: ['minute', { minute: 'numeric', second: 'numeric' }],
  s: ['second', { minute: 'numeric', second: 'numeric' }],
}

/** A moment, or a day and a time that stand in no zone: these are the same everywhere. */
export type Moment = { readonly date: Date; readonly floating: boolean }

const ISO = /^\d{4}(-\d\d(-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i

/** The moment that a value names: milliseconds, or ISO 8601. Other texts are days in some browsers only. */
export function readMoment(value: string | number): Moment | undefined {
  const [text, , day, time, , , zone] = ISO.exec(`${value}`) ?? []
  const isText = typeof value === 'string'
  if (isText && (text === undefined || (day !== undefined && !isDate(text.slice(0, 10))))) return undefined
  const date = new Date(isText ? value.replace(' ', 'T') + (time && !zone ? 'Z' : '') : value)
  return Number.isNaN(date.getTime()) ? undefined : { date, floating: isText && !zone }
}

/** A TR35 pattern, with names and day periods of the locale. */
export function formatDate(
  { date, floating }: Moment,
  pattern: string,
  locale: string | undefined,
  timeZone: string | undefined,
): string {
  if (pattern === 'ISO') return date.toISOString()
  // What stands in no zone must not become the day before in the west.
  const zone = floating ? 'UTC' : timeZone
  const get = (type: Part, options: object) => part(date, locale, zone, type, options)
  const digits = (type: Part, options: object) => String(Number(part(date, 'en-US', zone, type, options)))
  const field = (token: string): string => {
    const length = token.length
    const letter = token[0]!
    if (length >= 3 && (letter === 'M' || letter === 'L'))
      // Together with a day: many locales inflect the month's name there.
      return get('month', { month: WIDTH[length] ?? 'long', ...(letter === 'M' && { day: 'numeric' }) })
    const number = NUMBERS[letter]
    if (number) return digits(...number).padStart(Math.min(2, length), '0')
    switch (letter) {
      case 'y':
      case 'Y':
      case 'u': {
        const year = digits('year', { year: 'numeric' })
        return length === 2 ? year.slice(-2) : year.padStart(length === 1 ? 0 : length, '0')
      }
      case 'E':
      case 'e':
      case 'c':
        return get('weekday', { weekday: length >= 5 ? 'narrow' : length === 4 ? 'long' : 'short' })
      case 'S':
        return String(date.getMilliseconds()).padStart(3, '0').slice(0, length)
      case 'a':
        return get('dayPeriod', { hour: 'numeric', hourCycle: 'h12' }) || (Number(field('H')) < 12 ? 'AM' : 'PM')
      case 'z':
        return get('timeZoneName', { timeZoneName: length >= 4 ? 'long' : 'short' })
      default:
        return token
    }
  }
  return pattern.replace(/''|'((?:[^']|'')*)'|([A-Za-z])\2*/g, (token, quoted: string | undefined) => {
    if (token === "''") return "'"
    return quoted === undefined ? field(token) : quoted.replaceAll("''", "'")
  })
}
