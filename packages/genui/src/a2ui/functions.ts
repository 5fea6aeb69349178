import type { Json, JsonObject } from '@vitrine/protocol'
import { decimal, isEmail } from '../formats.ts'
import { type CatalogFunction, type FunctionContext, isFilled, lengthOf, spend, valueText } from './expression.ts'
import { formatDate, formatNumber, pluralCategory, readMoment } from './format.ts'

const number = (value: Json | undefined): number =>
  typeof value === 'number' ? value : ((typeof value === 'string' ? decimal(value) : undefined) ?? Number.NaN)

/** What a letter of a date pattern costs: each is formatted by itself. */
const DATE_FIELD_STEPS = 4

const within = (value: number, args: JsonObject): boolean =>
  !(typeof args.min === 'number' && value < args.min) && !(typeof args.max === 'number' && value > args.max)

function amount(args: JsonObject, ctx: FunctionContext, currency?: string): string {
  const value = number(args.value)
  if (Number.isNaN(value)) return ''
  return formatNumber(value, ctx.locale, {
    decimals: typeof args.decimals === 'number' ? args.decimals : undefined,
    grouping: typeof args.grouping === 'boolean' ? args.grouping : undefined,
    currency,
  })
}

/** The functions of the public basic catalog. Their schemas are in the catalog, so that a renderer need not load them. */
export const basicFunctions: Readonly<Record<string, CatalogFunction>> = {
  required: {
    returnType: 'boolean',
    run: ({ value }) => isFilled(value),
  },
  regex: {
    returnType: 'boolean',
    run: ({ value = null, pattern }, ctx) =>
      typeof pattern === 'string' &&
      (typeof value !== 'object' || value === null) &&
      ctx.regex(pattern, valueText(value)),
  },
  length: { returnType: 'boolean', run: args => within(lengthOf(args.value), args) },
  numeric: {
    returnType: 'boolean',
    run: args => {
      const value = number(args.value)
      return !Number.isNaN(value) && within(value, args)
    },
  },
  email: { returnType: 'boolean', run: ({ value }) => typeof value === 'string' && isEmail(value) },
  // Compiled into its template before it could be called; here for the catalog.
  formatString: { returnType: 'string', run: ({ value }) => valueText(value) },
  formatNumber: { returnType: 'string', run: (args, ctx) => amount(args, ctx) },
  formatCurrency: { returnType: 'string', run: (args, ctx) => amount(args, ctx, valueText(args.currency)) },
  formatDate: {
    returnType: 'string',
    run: ({ value = null, format }, ctx) => {
      // Data may still be on their way.
      if (value === null || value === '') return ''
      const moment = typeof value === 'string' || typeof value === 'number' ? readMoment(value) : undefined
      const pattern = valueText(format)
      spend(ctx, DATE_FIELD_STEPS * pattern.length)
      if (moment) return formatDate(moment, pattern, ctx.locale, ctx.timeZone)
      ctx.diagnose('wrong_type', `${valueText(value).slice(0, 40)} is not a date of ISO 8601`)
      return ''
    },
  },
  pluralize: {
    returnType: 'string',
    run: (args, ctx) => {
      const value = number(args.value)
      // Many locales have no category for these numbers; an author who wrote a text for one of them means it.
      const exact = value === 0 ? args.zero : value === 1 ? args.one : value === 2 ? args.two : undefined
      return valueText(
        exact ?? (Number.isNaN(value) ? undefined : args[pluralCategory(value, ctx.locale)]) ?? args.other,
      )
    },
  },
  openUrl: { returnType: 'void', effect: true, run: () => undefined },
  and: { returnType: 'boolean', run: ({ values }) => Array.isArray(values) && values.every(Boolean) },
  or: { returnType: 'boolean', run: ({ values }) => Array.isArray(values) && values.some(Boolean) },
  not: { returnType: 'boolean', run: ({ value }) => !value },
}
