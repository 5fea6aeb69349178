import type { Json, JsonObject } from '@vitrine/protocol'
import { isEmail } from '../formats.ts'
import { type CatalogFunction, type FunctionContext, lengthOf, valueText } from './expression.ts'
import { formatDate, formatNumber, pluralCategory } from './format.ts'

const number = (value: Json | undefined): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN

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
    run: ({ value }) =>
      value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  },
  regex: {
    returnType: 'boolean',
    run: ({ value, pattern }, ctx) => typeof pattern === 'string' && ctx.regex(pattern, valueText(value)),
  },
  length: { returnType: 'boolean', run: args => within(lengthOf(args.value), args) },
  numeric: {
    returnType: 'boolean',
    run: args => {
      const value = number(args.value)
      return !Number.isNaN(value) && within(value, args)
    },
  },
  email: { returnType: 'boolean', run: ({ value }) => isEmail(valueText(value)) },
  // Compiled into its template before it could be called; here for the catalog.
  formatString: { returnType: 'string', run: ({ value }) => valueText(value) },
  formatNumber: { returnType: 'string', run: (args, ctx) => amount(args, ctx) },
  formatCurrency: { returnType: 'string', run: (args, ctx) => amount(args, ctx, valueText(args.currency)) },
  formatDate: {
    returnType: 'string',
    run: ({ value, format }, ctx) =>
      typeof value === 'string' || typeof value === 'number'
        ? formatDate(value, valueText(format), ctx.locale, ctx.timeZone)
        : '',
  },
  pluralize: {
    returnType: 'string',
    run: (args, ctx) => {
      const value = number(args.value)
      // Most locales have no category for zero; an author who wrote one means it.
      const category = value === 0 && args.zero !== undefined ? 'zero' : pluralCategory(value || 0, ctx.locale)
      return valueText(args[category] ?? args.other)
    },
  },
  openUrl: { returnType: 'void', effect: true, run: () => undefined },
  and: { returnType: 'boolean', run: ({ values }) => Array.isArray(values) && values.every(Boolean) },
  or: { returnType: 'boolean', run: ({ values }) => Array.isArray(values) && values.some(Boolean) },
  not: { returnType: 'boolean', run: ({ value }) => !value },
}
