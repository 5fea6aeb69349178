import { isObject } from '@vitrine/protocol'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { repeatedAt } from '../json.ts'
import { fieldNameProblem, fieldProblem, settleField } from '../schema/field-rules.ts'
import { fieldNotes } from '../schema/fields.ts'
import {
  actionPayload,
  buttonNotes,
  buttonProblem,
  buttonStyle,
  cellAlign,
  chartKind,
  chartSeries,
  confirmSpec,
  disableButton,
  fieldOption,
  fieldRules,
  iconSpec,
  inputKind,
  keyFromLabel,
  missingAction,
  progressNotes,
  status,
  textFormat,
} from '../schema/nodes.ts'
import {
  alsoFrom,
  array,
  boolean,
  byDefault,
  either,
  integer,
  json,
  lazy,
  noted,
  number,
  object,
  oneOf,
  optional,
  orElse,
  type Resolved,
  record,
  type Shape,
  scalar,
  string,
  told,
  vital,
  type Wire,
} from '../shape/shape.ts'
import { imageUrlProblem } from '../url.ts'

/**
 * The version of UiHints that this package reads. Every shape is declared once, below, with the other forms that models
 * write.
 */
export const uiHintsVersion = '2.1'

const intent = oneOf('message', 'data', 'list', 'status', 'form', 'mixed')

const isString = (value: unknown): boolean => typeof value === 'string'

// --- actions

/** `navigate` for `navigation`, or the bare path or URL. */
function otherTarget(value: unknown): unknown {
  if (isObject(value) && value.type === 'navigate') return { ...value, type: 'navigation' }
  if (typeof value !== 'string') return undefined
  return value.startsWith('/') ? { type: 'navigation', path: value } : { type: 'url', url: value }
}

/** The target written into the action itself instead of below `action`. */
function flatAction(value: unknown): unknown {
  if (!isObject(value) || value.action !== undefined || typeof value.type !== 'string') return undefined
  const { label, style, disabled, disabledReason, icon, confirm, submit, ...action } = value
  const own = { label, style, disabled, disabledReason, icon, confirm, submit }
  const given = Object.entries(own).filter(([, entry]) => entry !== undefined)
  return { ...Object.fromEntries(given), action }
}

const action = alsoFrom(
  object(
    'UiHintAction',
    {
      label: string(),
      style: optional(buttonStyle),
      disabled: vital(optional(boolean())),
      disabledReason: optional(string()),
      icon: optional(iconSpec),
      action: vital(orElse(alsoFrom(actionPayload, otherTarget), missingAction)),
      confirm: vital(told('', optional(either(isObject, confirmSpec, either(isString, string(), boolean()))))),
      submit: vital(optional(boolean())),
    },
    { check: buttonProblem, notes: buttonNotes, settle: disableButton },
  ),
  flatAction,
)

// --- content

const kvItem = alsoFrom(
  object('UiHintKvItem', {
    key: string(),
    label: optional(string()),
    value: optional(json()),
    copyable: optional(boolean()),
  }),
  keyFromLabel,
)

/** `{Owner: "Dana"}` for `[{key: "Owner", value: "Dana"}]`. */
function itemsFromRecord(value: unknown): unknown {
  if (!isObject(value) || value.key !== undefined || value.label !== undefined) return undefined
  return Object.entries(value).map(([key, entry]) => ({ key, value: entry }))
}

const items = alsoFrom(array(kvItem), itemsFromRecord)

const listItem = alsoFrom(
  object(
    'UiHintListItem',
    {
      id: optional(string()),
      title: string(),
      subtitle: optional(string()),
      description: optional(string()),
      icon: optional(iconSpec),
      status: told('', optional(status)),
      actions: optional(array(action)),
    },
    { aliases: { label: 'title', name: 'title' } },
  ),
  value => (isString(value) ? { title: value } : undefined),
)

type Column = string | { readonly key?: string; readonly label: string }

/** Where the cells of a column stand in rows that are records. */
export const columnKey = (column: Column): string =>
  typeof column === 'string' ? column : (column.key ?? column.label)

/** Two columns with one key show the same cells of rows that are records. */
function tableNotes({ columns, rows }: Record<string, unknown>): UiDiagnostic[] {
  const twice = (rows as unknown[]).some(isObject) ? repeatedAt((columns as Column[]).map(columnKey)) : undefined
  if (twice === undefined) return []
  return [problem('given_twice', 'another column has the same key', `/columns/${twice}`)]
}

const table = object(
  'UiHintTable',
  {
    columns: told(
      '[]',
      array(
        either(
          isString,
          string(),
          object('UiHintColumn', { key: optional(string()), label: string(), align: optional(cellAlign) }),
        ),
      ),
    ),
    rows: told('[[]]', array(either(Array.isArray, array(json()), record()))),
    caption: optional(string()),
  },
  { notes: tableNotes },
)

const inputAliases: Readonly<Record<string, string>> = {
  string: 'text',
  textarea: 'multiline',
  boolean: 'checkbox',
  bool: 'checkbox',
  switch: 'checkbox',
  dropdown: 'select',
  phone: 'tel',
  range: 'slider',
  'datetime-local': 'datetime',
}

function otherInput(value: unknown): unknown {
  return typeof value === 'string' && Object.hasOwn(inputAliases, value) ? inputAliases[value] : undefined
}

/** What a field takes: options alone make it a choice. */
export const inputOfHint = ({ type, options }: { type?: unknown; options?: unknown }): Wire<typeof inputKind> =>
  (type ?? (options === undefined ? 'text' : 'select')) as Wire<typeof inputKind>

/** The choices of a field, whichever form they have. */
export function choicesOf(options: readonly unknown[] | Readonly<Record<string, unknown>>): Wire<typeof fieldOption>[] {
  if (Array.isArray(options))
    return options.map(option => (isObject(option) ? option : { value: option, label: String(option) }) as never)
  return Object.entries(options).map(([value, given]) => ({
    value,
    label: typeof given === 'string' ? given : JSON.stringify(given),
  }))
}

function hintNotes({ options, ...field }: Record<string, unknown>): UiDiagnostic[] {
  const choices = options === undefined ? undefined : choicesOf(options as unknown[])
  return fieldNotes({ ...field, input: inputOfHint({ ...field, options }), options: choices })
}

const field = object(
  'UiHintField',
  {
    key: string(fieldNameProblem),
    label: optional(string()),
    type: optional(alsoFrom(inputKind, otherInput)),
    value: optional(json()),
    placeholder: optional(string()),
    help: optional(string()),
    options: told(
      '{value:label}',
      optional(either(Array.isArray, array(either(isObject, fieldOption, scalar())), record())),
    ),
    rows: optional(integer(1, 100)),
    disabled: optional(boolean()),
    ...fieldRules,
  },
  {
    aliases: { name: 'key', id: 'key', input: 'type', description: 'help', default: 'value' },
    unique: 'key',
    check: field => fieldProblem(inputOfHint(field), field),
    notes: hintNotes,
    // Choices that nobody can choose from are a text to fill in.
    settle: field =>
      settleField(
        () => inputOfHint(field),
        field,
        () => delete field.type,
      ),
  },
)

const progress = object(
  'UiHintProgress',
  {
    value: optional(number(0)),
    max: optional(number(Number.MIN_VALUE)),
    label: optional(string()),
  },
  { notes: progressNotes },
)

const image = object(
  'UiHintImage',
  {
    url: string(imageUrlProblem),
    alt: optional(string()),
    caption: optional(string()),
    width: optional(number(1, 4096)),
    height: optional(number(1, 4096)),
  },
  { aliases: { src: 'url' } },
)

/** Bare numbers for the only series. */
function onlySeries(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 && value.every(one => one === null || typeof one === 'number')
    ? [{ data: value }]
    : undefined
}

const chart = object('UiHintChart', {
  kind: byDefault(chartKind, 'bar'),
  labels: optional(array(string())),
  series: alsoFrom(array(chartSeries), onlySeries),
  title: optional(string()),
  unit: optional(string()),
})

/** Sections nest. */
const sections: Shape<UiHintSection[], ResolvedHintSection[], 'optional'> = told(
  '[{title?,content?,contentFormat?,…same}]',
  optional(lazy<UiHintSection[], ResolvedHintSection[]>((): Shape => array(section))),
)

/** What a document and each of its sections can hold, in the order of the screen. */
const blocks = {
  image: told('{url,alt}', optional(either(isString, string(imageUrlProblem), image))),
  progress: told(
    'percent',
    optional(
      either(
        isObject,
        progress,
        noted(number(0), value => progressNotes({ value })[0]),
      ),
    ),
  ),
  items: optional(items),
  table: optional(table),
  chart: optional(chart),
  listItems: optional(array(listItem)),
  fields: optional(array(field)),
  sections,
  actions: optional(array(action)),
}

const section = object(
  'UiHintSection',
  {
    title: optional(string()),
    description: optional(string()),
    icon: optional(iconSpec),
    content: optional(string()),
    contentFormat: optional(textFormat),
    status: optional(status),
    ...blocks,
  },
  { aliases: { body: 'content', bodyFormat: 'contentFormat', text: 'content' } },
)

function versionProblem(version: string): UiDiagnostic | undefined {
  if (/^2(\.\d+)?$/.test(version)) return undefined
  return problem('version_mismatch', `the version is not ${uiHintsVersion}`)
}

/** Text alone is a message, an array alone is a list. */
function barePayload(value: unknown): unknown {
  if (Array.isArray(value)) return { intent: 'list', listItems: value }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { intent: 'message', body: String(value) }
    : undefined
}

/** The declaration of UiHints: checks, the tolerant reader, the JSON Schema and the types come from it. */
export const uiHintsShape = alsoFrom(
  object(
    'UiHintsPayload',
    {
      version: byDefault(string(versionProblem), uiHintsVersion),
      intent: byDefault(intent, 'mixed'),
      status: byDefault(status, 'info'),
      title: optional(string()),
      description: optional(string()),
      body: optional(string()),
      bodyFormat: optional(textFormat),
      icon: optional(iconSpec),
      ...blocks,
      meta: optional(record()),
    },
    {
      aliases: { content: 'body', contentFormat: 'bodyFormat', text: 'body', message: 'body', subtitle: 'description' },
    },
  ),
  barePayload,
)

/** What the hints are about; it chooses the default layout and nothing else. */
export type UiHintIntent = Wire<typeof intent>
/** A button of the hints. */
export type UiHintAction = Wire<typeof action>
/** What a press of a button leads to. */
export type UiHintActionTarget = UiHintAction['action']
/** A value with its name. */
export type UiHintKvItem = Wire<typeof kvItem>
/** An entry of a list. */
export type UiHintListItem = Wire<typeof listItem>
/** A table; its rows are lists of cells or records. */
export type UiHintTable = Wire<typeof table>
/** A field of a form. */
export type UiHintField = Wire<typeof field>
/** How far something has come. */
export type UiHintProgress = Wire<typeof progress>
/** A picture with its alternative text. */
export type UiHintImage = Wire<typeof image>
/** A chart with its numbers. */
export type UiHintChart = Wire<typeof chart>
/** An icon by name, as an emoji or by address. */
export type UiHintIcon = Wire<typeof iconSpec>
/** A part of the content with a title of its own; sections nest. */
export interface UiHintSection extends Wire<typeof section> {}
/** The hints themselves: what to show, not how. */
export type UiHintsPayload = Wire<typeof uiHintsShape>

export type ResolvedHintAction = Resolved<typeof action>
export type ResolvedHintListItem = Resolved<typeof listItem>
export type ResolvedHintField = Resolved<typeof field>
export interface ResolvedHintSection extends Resolved<typeof section> {}
export type ResolvedHints = Resolved<typeof uiHintsShape>
