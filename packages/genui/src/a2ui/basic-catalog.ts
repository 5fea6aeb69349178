import type { Json, JsonObject } from '@vitrine/protocol'
import { isDrawnIcon, lucideNameOfMaterial } from '../icon-names.ts'
import { showJson } from '../json.ts'
import { compareValues, isTimeOf } from '../schema/field-rules.ts'
import { Catalog, type CatalogComponent, type CatalogParts, type Doubt } from './catalog.ts'
import { BASIC_CATALOG_IDS } from './catalog-ids.ts'
import { bindable, types } from './check-schema.ts'
import type { CatalogFunction } from './expression.ts'
import { basicFunctions } from './functions.ts'
import { isAmong, isTicked, isWithin, isWritten } from './input-values.ts'
import { basicTraits } from './traits.ts'

const { string, number, boolean, strings, value, list, id, children, action, oneOf } = types
const plainNumber: JsonObject = { type: 'number' }
const justify = oneOf('start', 'center', 'end', 'spaceBetween', 'spaceAround', 'spaceEvenly', 'stretch')
const align = oneOf('start', 'center', 'end', 'stretch', 'baseline')

const options: JsonObject = {
  anyOf: [
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { value: { type: ['string', 'number', 'boolean'] }, label: string },
        required: ['label', 'value'],
        additionalProperties: false,
      },
    },
    list,
  ],
}

const common: JsonObject = {
  id,
  component: { type: 'string' },
  accessibility: { $ref: 'common_types.json#/$defs/AccessibilityAttributes' },
  weight: number,
}
const checks: JsonObject = { type: 'array', items: { $ref: 'common_types.json#/$defs/CheckRule' } }

function component(
  description: string,
  properties: JsonObject,
  required: string[] = [],
  more: JsonObject = {},
): CatalogComponent {
  const schema = { type: 'object', properties: { ...common, ...properties }, required, additionalProperties: false }
  return { description, schema: { ...schema, ...more } }
}

const slots = { child: id, children }
const either = (...keys: string[]): JsonObject => ({ anyOf: keys.map(key => ({ required: [key] })) })

const outside = (property: string, reason: string): Doubt => ({ property, code: 'out_of_range', reason })

const crossed = (low: Json, high: Json): string =>
  `the lower bound ${showJson(low)} is above the upper bound ${showJson(high)}`

/** Numbers that are written out are compared. */
function sliderDoubt({ min, max, value }: JsonObject): Doubt | undefined {
  const low = min ?? 0
  if (typeof low !== 'number' || typeof max !== 'number') return undefined
  if (low > max) return outside(min === undefined ? 'max' : 'min', crossed(low, max))
  if (typeof value !== 'number' || (value >= low && value <= max)) return undefined
  return outside('value', `the value ${value} is not between ${low} and ${max}`)
}

function progressDoubt({ max = 100, value }: JsonObject): Doubt | undefined {
  if (typeof max !== 'number') return undefined
  if (max <= 0) return outside('max', `${max} is no maximum: it has to be above 0`)
  if (typeof value !== 'number' || (value >= 0 && value <= max)) return undefined
  return outside('value', `the value ${value} is not between 0 and ${max}`)
}

/** Texts that are written out are days or times, and days and points in time are compared. The night is a range of the clock. */
function timeDoubt(props: JsonObject): Doubt | undefined {
  for (const property of ['min', 'max', 'value']) {
    const given = props[property]
    if (given === undefined || given === '' || typeof given === 'object') continue
    if (TIMES.some(input => isTimeOf(input, String(given)))) continue
    const reason = `${showJson(given)} is no day and no time; write 2026-03-15, 14:00 or 2026-03-15T14:00`
    return { property, code: 'validation_failed', reason }
  }
  const { min, max, value } = props
  const isAfter = (first: Json | undefined, second: Json | undefined): boolean =>
    (compareValues('datetime', first, second) ?? 0) > 0
  if (isAfter(min, max)) return outside('min', crossed(min!, max!))
  if (isAfter(min, value)) return outside('value', `the value ${showJson(value)} is before ${showJson(min)}`)
  return isAfter(value, max) ? outside('value', `the value ${showJson(value)} is after ${showJson(max)}`) : undefined
}

const TIMES = ['date', 'time', 'datetime']

function rowsDoubt({ rows }: JsonObject): Doubt | undefined {
  if (typeof rows !== 'number' || (rows >= 2 && rows <= 30)) return undefined
  return outside('rows', `a field has 2 to 30 rows, and not ${rows}`)
}

function iconDoubt({ name }: JsonObject): Doubt | undefined {
  if (name === undefined || typeof name === 'object' || isDrawnIcon(lucideNameOfMaterial(String(name))))
    return undefined
  const reason = `there is no icon ${showJson(name)}, and its place stays empty; use the name of a Material symbol such as 'home' or 'shopping_cart'`
  return { property: 'name', code: 'wrong_choice', reason }
}

const components: Record<string, CatalogComponent> = {
  Text: component(
    'Text. Plain in this form; the public form takes simple markdown.',
    { text: string, variant: oneOf('h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'caption', 'body') },
    ['text'],
  ),
  Heading: component('A heading.', { text: string, level: bindable({ type: 'integer', minimum: 1, maximum: 6 }) }, [
    'text',
  ]),
  Paragraph: component('A paragraph.', { text: string }, ['text']),
  Row: component('Children side by side.', { ...slots, justify, align }, ['children']),
  Column: component('Children below one another.', { ...slots, justify, align }, ['children']),
  Stack: component('Children below one another, closely.', { ...slots, justify, align }, ['children']),
  List: component(
    'A list of children.',
    { ...slots, ordered: boolean, direction: oneOf('vertical', 'horizontal'), align },
    ['children'],
  ),
  Card: component('A framed group.', slots, [], either('child', 'children')),
  Tabs: component(
    'Tabs, one child each.',
    {
      tabs: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { title: string, child: id },
          required: ['title', 'child'],
          additionalProperties: false,
        },
      },
    },
    ['tabs'],
  ),
  Modal: component('A dialog: content, opened by its trigger.', { trigger: id, content: id }, ['trigger', 'content']),
  Divider: component('A line.', { axis: oneOf('horizontal', 'vertical') }),
  Spacer: component('Empty space.', { size: number }),
  Button: component(
    'A button. A click reaches you, or runs its action.',
    { text: string, child: id, variant: oneOf('default', 'primary', 'borderless'), action, checks },
    [],
    { anyOf: [{ required: ['child', 'action'] }, { required: ['text'] }] },
  ),
  TextField: component(
    'A line of text to type. Enter submits, leaving it changes.',
    {
      label: string,
      placeholder: string,
      value: string,
      variant: oneOf('shortText', 'longText', 'number', 'obscured'),
      rows: number,
      validationRegexp: { type: 'string' },
      action,
      checks,
    },
    ['label'],
  ),
  TextArea: component(
    'Several lines of text to type.',
    { label: string, placeholder: string, value: string, rows: number, action, checks },
    ['label'],
  ),
  Checkbox: component('A box to tick.', { label: string, value: boolean, action, checks }, ['label', 'value']),
  Select: component(
    'One of several options, in a menu.',
    { label: string, placeholder: string, options, value, action, checks },
    ['options'],
  ),
  ChoicePicker: component(
    'One or more of several options, all visible.',
    {
      label: string,
      variant: oneOf('multipleSelection', 'mutuallyExclusive'),
      options,
      value: strings,
      displayStyle: oneOf('checkbox', 'chips'),
      filterable: boolean,
      action,
      checks,
    },
    ['options', 'value'],
  ),
  Slider: component(
    'A number between two bounds.',
    { label: string, min: number, max: number, step: number, value: number, action, checks },
    ['value', 'max'],
  ),
  DateTimeInput: component(
    'A date, a time or both.',
    {
      label: string,
      value: string,
      enableDate: boolean,
      enableTime: boolean,
      min: string,
      max: string,
      action,
      checks,
    },
    ['value'],
  ),
  Link: component('A link. It opens in a new tab.', { text: string, href: string }, ['href']),
  ProgressBar: component('How far something is.', { value: number, max: number, label: string }),
  Badge: component('A short status.', { text: string, tone: oneOf('default', 'success', 'warning', 'danger') }, [
    'text',
  ]),
  Table: component(
    'Rows and columns.',
    {
      columns: {
        anyOf: [
          {
            type: 'array',
            items: { type: 'object', properties: { key: { type: 'string' }, label: string }, required: ['key'] },
          },
          list,
        ],
      },
      rows: { anyOf: [{ type: 'array', items: { type: 'object' } }, list] },
      caption: string,
    },
    ['columns', 'rows'],
  ),
  Image: component(
    'A picture.',
    {
      url: string,
      description: string,
      fit: oneOf('contain', 'cover', 'fill', 'none', 'scaleDown'),
      variant: oneOf('icon', 'avatar', 'smallFeature', 'mediumFeature', 'largeFeature', 'header'),
    },
    ['url'],
  ),
  Icon: component(
    'A small symbol.',
    {
      name: {
        anyOf: [
          string,
          {
            type: 'object',
            properties: { svgPath: { type: 'string' } },
            required: ['svgPath'],
            additionalProperties: false,
          },
        ],
      },
    },
    ['name'],
  ),
  Video: component('A film.', { url: string, description: string }, ['url']),
  AudioPlayer: component('A sound.', { url: string, description: string }, ['url']),
}
// A2UI v0.9 spells it CheckBox, the nested form Checkbox.
components.CheckBox = { ...components.Checkbox! }
components.Slider!.doubts = sliderDoubt
components.ProgressBar!.doubts = progressDoubt
components.DateTimeInput!.doubts = timeDoubt
components.TextField!.doubts = rowsDoubt
components.TextArea!.doubts = rowsDoubt
components.Icon!.doubts = iconDoubt
for (const [type, traits] of Object.entries(basicTraits)) components[type]!.traits = traits
for (const [type, spec] of Object.entries(components)) {
  const { input, pressed } = spec.traits ?? {}
  spec.events = pressed
    ? ['click']
    : input === undefined
      ? []
      : type === 'TextField'
        ? ['submit', 'change']
        : ['change']
}
components.TextField!.takes = isWritten
components.DateTimeInput!.takes = isWritten
components.Checkbox!.takes = isTicked
components.Slider!.takes = isWithin
components.Select!.takes = isAmong
components.ChoicePicker!.takes = isAmong

const args = (properties: JsonObject, required: string[], more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
})
const count: JsonObject = { type: 'integer', minimum: 0 }
const bounds = either('min', 'max')
const several = args({ values: { type: 'array', items: boolean, minItems: 2 } }, ['values'])
const figures = { value: number, decimals: number, grouping: boolean }

const parameters: Record<string, [description: string, schema: JsonObject]> = {
  required: ['The value is there and not empty.', args({ value: {} }, ['value'])],
  regex: ['The text matches the pattern.', args({ value: string, pattern: { type: 'string' } }, ['value', 'pattern'])],
  length: ['The length is within min and max.', args({ value: string, min: count, max: count }, ['value'], bounds)],
  numeric: [
    'The number is within min and max.',
    args({ value: number, min: plainNumber, max: plainNumber }, ['value'], bounds),
  ],
  email: ['The text is an e-mail address.', args({ value: string }, ['value'])],
  formatString: [`Text with \${/pointer} and \${function(name: value)}.`, args({ value: string }, ['value'])],
  formatNumber: ['A number as the locale writes it.', args(figures, ['value'])],
  formatCurrency: ['An amount as the locale writes it.', args({ ...figures, currency: string }, ['value', 'currency'])],
  formatDate: ['A date by a TR35 pattern.', args({ value, format: string }, ['value', 'format'])],
  pluralize: [
    'The text for a count, by the plural rules of the locale.',
    args({ value: number, zero: string, one: string, two: string, few: string, many: string, other: string }, [
      'value',
      'other',
    ]),
  ],
  openUrl: [
    'Opens a URL (as an action only).',
    args({ url: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'object' }] } }, ['url']),
  ],
  and: ['All are true.', several],
  or: ['One is true.', several],
  not: ['The opposite.', args({ value: boolean }, ['value'])],
}

const functions: Record<string, CatalogFunction> = {}
for (const [name, spec] of Object.entries(basicFunctions)) {
  const [description, schema] = parameters[name]!
  functions[name] = { ...spec, description, parameters: schema }
}

const theme: JsonObject = {
  type: 'object',
  properties: {
    primaryColor: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' },
    iconUrl: { type: 'string', format: 'uri' },
    agentDisplayName: { type: 'string' },
  },
}

/** The components and functions of the basic catalog, for hosts that add their own to them. */
export const basicParts: CatalogParts = { components, functions, theme }

/** The catalog that a surface has unless it names another: all types of a2ui.md and of the public basic catalog. */
export const basicCatalog: Catalog = new Catalog(BASIC_CATALOG_IDS, basicParts)
