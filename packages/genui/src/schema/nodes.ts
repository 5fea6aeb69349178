import { isObject } from '@vitrine/protocol'
import { below, problem, type UiDiagnostic } from '../diagnostic.ts'
import { isDrawnIcon, lucideName } from '../icon-names.ts'
import { patternProblem } from '../pattern/in-place.ts'
import { nameOf } from '../shape/check.ts'
import {
  alsoFrom,
  array,
  boolean,
  byDefault,
  either,
  integer,
  json,
  lazy,
  type NodeRules,
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
  union,
  vital,
  type Wire,
} from '../shape/shape.ts'
import { imageUrlProblem } from '../url.ts'
import { actionProblem } from './action.ts'
import { fieldNameProblem, fieldProblem, settleField } from './field-rules.ts'
import { fieldNotes } from './fields.ts'
import { reasonToken } from './words.ts'

/**
 * The version of UI Schema that documents of this package have. Every enum, action and node is declared once, below.
 */
export const uiSchemaVersion = '2.0'

export const status = oneOf('info', 'success', 'warning', 'error', 'pending')
const iconSource = oneOf('icon', 'emoji', 'url')
export const textFormat = oneOf('plain', 'markdown')
const textRole = oneOf('title', 'subtitle', 'body', 'caption', 'code')
export const buttonStyle = oneOf('primary', 'secondary', 'ghost', 'danger')
const layoutDirection = oneOf('vertical', 'horizontal')
const layoutAppearance = oneOf('plain', 'card', 'section')
const layoutAlign = oneOf('start', 'center', 'end', 'stretch')
const layoutJustify = oneOf('start', 'center', 'end', 'space-between')
const rendererTheme = oneOf('default', 'light', 'dark')
export const chartKind = oneOf('line', 'bar', 'area', 'pie')
export const cellAlign = oneOf('start', 'center', 'end')
export const inputKind = oneOf(
  'text',
  'multiline',
  'number',
  'integer',
  'email',
  'url',
  'tel',
  'password',
  'checkbox',
  'select',
  'multiselect',
  'radio',
  'date',
  'time',
  'datetime',
  'slider',
)

// --- actions

const navigateAction = object('NavigateAction', {
  type: oneOf('navigation'),
  path: string(),
  params: optional(record()),
})
/** An address of somebody else never replaces the page that a person works in. */
function targetNote(target: unknown): UiDiagnostic | undefined {
  if (target !== '_self') return undefined
  return problem('target_ignored', 'an address opens in a new tab: for a page of this application use navigation')
}

const urlAction = object('UrlAction', {
  type: oneOf('url'),
  url: string(),
  target: byDefault(noted(oneOf('_self', '_blank'), targetNote), '_blank'),
})
const eventAction = object('EventAction', { type: oneOf('event'), event: string(), payload: optional(record()) })
const toolAction = object('ToolAction', { type: oneOf('tool'), toolId: string(), params: optional(record()) })
const copyAction = object('CopyAction', {
  type: oneOf('copy'),
  content: string(),
  successMessage: optional(string()),
})
const payloadAction = object('PayloadAction', {
  type: oneOf('payload'),
  payload: record(),
  submitTo: optional(string()),
})
export const actionPayload = union(
  undefined,
  navigateAction,
  urlAction,
  eventAction,
  toolAction,
  copyAction,
  payloadAction,
)

// --- parts of nodes

/** A colour ends up in a style attribute: names, hex and the plain functions only. */
function colorProblem(color: string): UiDiagnostic | undefined {
  if (/^(#[0-9a-f]{3,8}|[a-z][a-z-]{0,31}|(rgb|hsl|oklch)a?\([\d\s.,%/]{1,48}\))$/i.test(color)) return undefined
  return problem('invalid_color', 'the colour is not a name, a hex value, rgb(), hsl() or oklch()')
}

function iconProblem(icon: Record<string, unknown>): UiDiagnostic | undefined {
  return icon.source === 'url' ? below('/value', imageUrlProblem(String(icon.value))) : undefined
}

/** A picture that may not be loaded is drawn as its text. */
function settleIcon(icon: Record<string, unknown>): void {
  icon.source = 'icon'
  icon.value = 'image-off'
}

/** An icon that has no drawing leaves its place empty. */
function iconNotes({ source, value }: Record<string, unknown>): UiDiagnostic[] {
  if (value === '') return [problem('missing', 'the icon is empty', '/value')]
  if (source !== 'icon' || isDrawnIcon(lucideName(String(value)))) return []
  return [problem('wrong_choice', `there is no icon ${nameOf(value)}: its place stays empty`, '/value')]
}

const iconRules = { check: iconProblem, notes: iconNotes, settle: settleIcon }

const iconFields = {
  source: iconSource,
  value: string(),
  color: optional(string(colorProblem)),
  size: optional(number(1, 512)),
}

/** An icon given as a bare string: a URL, a lucide name, or else an emoji. */
function iconFromString(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return undefined
  const source = /^(https?|data):/i.test(value) ? 'url' : /^[a-z][a-z0-9-]*$/i.test(value) ? 'icon' : 'emoji'
  return { source, value }
}

export const iconSpec = alsoFrom(object('UiIconSpec', iconFields, iconRules), iconFromString)

export const confirmSpec = object('UiConfirm', {
  message: string(),
  title: optional(string()),
  label: optional(string()),
})

/** The text of the dialog alone. */
const confirmFromString = (message: unknown): unknown => (typeof message === 'string' ? { message } : undefined)

/** A label alone names the item as well. */
export function keyFromLabel(value: unknown): unknown {
  return isObject(value) && value.key === undefined && typeof value.label === 'string'
    ? { ...value, key: value.label }
    : undefined
}

const kvItem = alsoFrom(
  object('UiKvItem', {
    key: string(),
    label: optional(string()),
    value: byDefault(json(), null),
    copyable: optional(boolean()),
  }),
  keyFromLabel,
)

const tableColumn = object('UiTableColumn', {
  label: string(),
  align: optional(cellAlign),
})

/** A gap in a series is null. */
const chartValue: Shape<number | null, number | null, 'required'> = told(
  'number',
  lazy(() => either(value => value === null, json(), number())),
)

export const chartSeries = object('UiChartSeries', {
  name: optional(string()),
  data: array(chartValue),
})

export const fieldOption = object('UiFieldOption', { value: scalar(), label: string() })

/** The validation of a field; shared with the hints. */
export const fieldRules = {
  required: optional(boolean()),
  min: told('', optional(either(value => typeof value === 'string', string(), number()))),
  max: told('', optional(either(value => typeof value === 'string', string(), number()))),
  step: optional(number(Number.MIN_VALUE)),
  minLength: optional(integer(0, 32_768)),
  maxLength: optional(integer(0, 32_768)),
  pattern: optional(string(patternProblem)),
}

// --- nodes

const base = {
  /** Absent on the wire unless the author needs it; the reader derives it from the path. */
  id: byDefault(string(), pointer => pointer),
  visible: optional(boolean()),
}

const textNode = object('UiTextNode', {
  type: oneOf('text'),
  ...base,
  content: string(),
  format: byDefault(textFormat, 'plain'),
  role: byDefault(textRole, 'body'),
  status: optional(status),
  maxLines: optional(integer(1, 1000)),
})

const iconNode = object('UiIconNode', { type: oneOf('icon'), ...base, ...iconFields }, iconRules)

const badgeNode = object('UiBadgeNode', { type: oneOf('badge'), ...base, label: string(), status })

/** An action that breaks its contract may only stand on a disabled button: it is shown, and never runs. */
export function buttonProblem(button: Record<string, unknown>): UiDiagnostic | undefined {
  if (button.disabled === true || !isObject(button.action)) return undefined
  return below('/action', actionProblem(button.action))
}

/** A button without words says nobody what it does. */
export const buttonNotes = ({ label }: Record<string, unknown>): UiDiagnostic[] =>
  String(label).trim() === '' ? [problem('missing', 'the button has no words', '/label')] : []

/** The button stays in sight, cannot be pressed, and says why. */
export function disableButton(button: Record<string, unknown>, wrong: UiDiagnostic): void {
  // A button that its author has disabled keeps their reason.
  if (button.disabled === true) return
  button.disabled = true
  button.disabledReason = reasonToken(wrong.code)
}

/** Breaks its contract on purpose: the label stays visible on a disabled button. */
export const missingAction: EventAction = { type: 'event', event: '' }

const buttonNode = object(
  'UiButtonNode',
  {
    type: oneOf('button'),
    ...base,
    label: string(),
    style: byDefault(buttonStyle, 'secondary'),
    disabled: vital(optional(boolean())),
    disabledReason: optional(string()),
    icon: optional(iconSpec),
    action: vital(orElse(actionPayload, missingAction)),
    confirm: vital(optional(alsoFrom(confirmSpec, confirmFromString))),
    submit: vital(optional(boolean())),
  },
  { check: buttonProblem, notes: buttonNotes, settle: disableButton },
)

const kvNode = object('UiKvNode', {
  type: oneOf('kv'),
  ...base,
  items: array(kvItem),
  columns: optional(integer(1, 12)),
})

const dividerNode = object('UiDividerNode', { type: oneOf('divider'), ...base, inset: optional(number(0, 512)) })

const nodes: Shape<UiNode[], ResolvedUiNode[], 'required'> = lazy((): Shape => array(node))

const layout = {
  gap: optional(number(0, 256)),
  appearance: byDefault(layoutAppearance, 'plain'),
  status: optional(status),
  children: nodes,
}

const stackNode = object('UiStackNode', {
  type: oneOf('stack'),
  ...base,
  direction: byDefault(layoutDirection, 'vertical'),
  ...layout,
  align: optional(layoutAlign),
  justify: optional(layoutJustify),
  wrap: optional(boolean()),
})

/** The document's Example 4 writes a card like this. It is read as a stack that looks like one. */
const cardNode = object(
  'UiCardNode',
  {
    type: oneOf('card'),
    ...base,
    direction: byDefault(layoutDirection, 'vertical'),
    ...layout,
    appearance: byDefault(oneOf('card'), 'card'),
    align: optional(layoutAlign),
    justify: optional(layoutJustify),
    wrap: optional(boolean()),
  },
  { readAs: 'stack' },
)

const gridNode = object('UiGridNode', { type: oneOf('grid'), ...base, columns: integer(1, 24), ...layout })

// --- nodes beyond the document, all optional

function tableProblem(table: Record<string, unknown>): UiDiagnostic | undefined {
  const width = (table.columns as unknown[]).length
  const wide = (table.rows as unknown[][]).findIndex(row => row.length > width)
  if (wide < 0) return undefined
  return problem('row_too_wide', 'the row has more cells than there are columns', `/rows/${wide}`)
}

function settleTable(table: Record<string, unknown>): void {
  const columns = table.columns as unknown[]
  const width = (table.rows as unknown[][]).reduce((most, row) => Math.max(most, row.length), 0)
  while (columns.length < width) columns.push({ label: '' })
}

const tableNode = object(
  'UiTableNode',
  {
    type: oneOf('table'),
    ...base,
    columns: array(alsoFrom(tableColumn, label => (typeof label === 'string' ? { label } : undefined))),
    rows: array(array(json())),
    caption: optional(string()),
  },
  { check: tableProblem, settle: settleTable },
)

const inputOf = ({ input = 'text' }: Record<string, unknown>): string => String(input)

const fieldNode = object(
  'UiFieldNode',
  {
    type: oneOf('field'),
    ...base,
    name: string(fieldNameProblem),
    label: string(),
    input: byDefault(inputKind, 'text'),
    value: optional(json()),
    placeholder: optional(string()),
    help: optional(string()),
    options: optional(array(fieldOption)),
    rows: optional(integer(1, 100)),
    disabled: optional(boolean()),
    ...fieldRules,
  },
  {
    unique: 'name',
    check: field => fieldProblem(inputOf(field), field),
    notes: fieldNotes,
    settle: field =>
      settleField(
        () => inputOf(field),
        field,
        () => (field.input = 'text'),
      ),
  },
)

/** More than all of it is drawn as all of it. */
export function progressNotes({ value = 0, max = 100 }: { value?: unknown; max?: unknown }): UiDiagnostic[] {
  return amount(value) > amount(max) ? [problem('out_of_range', `the value is above ${max}`, '/value')] : []
}

/** Hints may hold anything in its place, and not everything can be made a number of. */
const amount = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN

const progressNode = object(
  'UiProgressNode',
  {
    type: oneOf('progress'),
    ...base,
    /** Absent: under way, how far is not known. */
    value: optional(number(0)),
    max: byDefault(number(Number.MIN_VALUE), 100),
    label: optional(string()),
    status: optional(status),
  },
  { notes: progressNotes },
)

const imageNode = object('UiImageNode', {
  type: oneOf('image'),
  ...base,
  url: string(imageUrlProblem),
  alt: byDefault(string(), ''),
  caption: optional(string()),
  width: optional(number(1, 4096)),
  height: optional(number(1, 4096)),
})

const chartNode = object('UiChartNode', {
  type: oneOf('chart'),
  ...base,
  kind: byDefault(chartKind, 'bar'),
  labels: optional(array(string())),
  series: array(chartSeries),
  title: optional(string()),
  unit: optional(string()),
})

const nodeRules: NodeRules = {
  aliases: { section: { type: 'stack', appearance: 'section' } },
  mark: (node): UiUnknownNode => ({ type: 'unknown', id: node.path, ...node }),
}

export const node = union(
  nodeRules,
  textNode,
  iconNode,
  badgeNode,
  buttonNode,
  kvNode,
  dividerNode,
  stackNode,
  cardNode,
  gridNode,
  tableNode,
  fieldNode,
  progressNode,
  imageNode,
  chartNode,
)
const layoutNode: Shape<UiLayoutNode | UiCardNode, ResolvedLayout, 'required'> = union(
  nodeRules,
  stackNode,
  cardNode,
  gridNode,
) as never

export const metaFields = {
  requestId: optional(string()),
  toolId: optional(string()),
  traceId: optional(string()),
  userId: optional(string()),
}

function versionProblem(version: string): UiDiagnostic | undefined {
  if (version === uiSchemaVersion) return undefined
  return problem('version_mismatch', `the version is not ${uiSchemaVersion}`)
}

export function localeProblem(locale: string): UiDiagnostic | undefined {
  if (/^[a-z]{2,8}(-[a-z0-9]{1,8}){0,8}$/i.test(locale)) return undefined
  return problem('invalid_locale', 'the locale is not a language tag')
}

/** It is legal to show nothing, and hardly what an author means. */
export const nothingShown = (path: string): UiDiagnostic => ({
  ...problem('nothing_shown', 'there is nothing to show: give a title, a text, items or other content', path),
  level: 'repair',
})

/** The declaration of UI Schema: checks, the tolerant reader, the JSON Schema and the types come from it. */
export const uiSchemaShape = object('UiSchemaRenderer', {
  version: byDefault(string(versionProblem), uiSchemaVersion),
  locale: byDefault(string(localeProblem), 'en'),
  status: byDefault(status, 'info'),
  theme: byDefault(rendererTheme, 'default'),
  meta: optional(record(metaFields)),
  root: layoutNode,
})

// --- types: as they travel, and resolved (defaults filled in) for renderers

/** How something went, for documents, layouts, badges and texts. */
export type UiStatus = Wire<typeof status>
/** Where an icon comes from. */
export type IconSource = Wire<typeof iconSource>
/** How a text is written. */
export type TextFormat = Wire<typeof textFormat>
/** What a text is in its card. */
export type TextRole = Wire<typeof textRole>
/** How much a button stands out. */
export type ButtonStyle = Wire<typeof buttonStyle>
/** In which direction a stack grows. */
export type LayoutDirection = Wire<typeof layoutDirection>
/** What a layout looks like around its children. */
export type LayoutAppearance = Wire<typeof layoutAppearance>
/** How children stand across the direction of a stack. */
export type LayoutAlign = Wire<typeof layoutAlign>
/** How children are spread along the direction of a stack. */
export type LayoutJustify = Wire<typeof layoutJustify>
/** The theme that a document asks for. */
export type RendererTheme = Wire<typeof rendererTheme>
/** How the numbers of a chart are drawn. */
export type ChartKind = Wire<typeof chartKind>
/** What a field takes. */
export type InputKind = Wire<typeof inputKind>

/** Goes to a page of the host application. */
export type NavigateAction = Wire<typeof navigateAction>
/** Opens an address. */
export type UrlAction = Wire<typeof urlAction>
/** Tells the host application of an event. */
export type EventAction = Wire<typeof eventAction>
/** Asks the agent to run a tool. */
export type ToolAction = Wire<typeof toolAction>
/** Copies a text. */
export type CopyAction = Wire<typeof copyAction>
/** Hands data, and the values of the form, to the agent. */
export type PayloadAction = Wire<typeof payloadAction>
/** What a press of a button leads to. */
export type UiActionPayload = NavigateAction | UrlAction | EventAction | ToolAction | CopyAction | PayloadAction

/** An icon of a button or a hint. */
export type UiIconSpec = Wire<typeof iconSpec>
/** What a person is asked before an action runs. */
export type UiConfirm = Wire<typeof confirmSpec>
/** A value with its name. */
export type UiKvItem = Wire<typeof kvItem>
/** A column of a table. */
export type UiTableColumn = Wire<typeof tableColumn>
/** A row of numbers of a chart; a gap is null. */
export type UiChartSeries = Wire<typeof chartSeries>
/** A choice of a field. */
export type UiFieldOption = Wire<typeof fieldOption>

/** A text, plain or markdown. */
export type UiTextNode = Wire<typeof textNode>
/** An icon. */
export type UiIconNode = Wire<typeof iconNode>
/** A short label with a status. */
export type UiBadgeNode = Wire<typeof badgeNode>
/** A button with its action. */
export type UiButtonNode = Wire<typeof buttonNode>
/** Values with their names. */
export type UiKvNode = Wire<typeof kvNode>
/** A line between other nodes. */
export type UiDividerNode = Wire<typeof dividerNode>
/** A table. */
export type UiTableNode = Wire<typeof tableNode>
/** A field of a form. */
export type UiFieldNode = Wire<typeof fieldNode>
/** How far something has come. */
export type UiProgressNode = Wire<typeof progressNode>
/** A picture. */
export type UiImageNode = Wire<typeof imageNode>
/** A chart. */
export type UiChartNode = Wire<typeof chartNode>
/** Nodes below or beside each other. */
export interface UiStackNode extends Wire<typeof stackNode> {}
/** Nodes below or beside each other, on a card. It is read as a stack with the appearance of a card. */
export interface UiCardNode extends Wire<typeof cardNode> {}
/** Nodes in columns. */
export interface UiGridNode extends Wire<typeof gridNode> {}
/** A node that holds other nodes. */
export type UiLayoutNode = UiStackNode | UiGridNode
/** Any node, as it travels. */
export type UiNode =
  | UiTextNode
  | UiIconNode
  | UiBadgeNode
  | UiButtonNode
  | UiKvNode
  | UiDividerNode
  | UiTableNode
  | UiFieldNode
  | UiProgressNode
  | UiImageNode
  | UiChartNode
  | UiStackNode
  | UiCardNode
  | UiGridNode
/** A document, as it travels: defaults may be left out. */
export type UiSchemaRenderer = Wire<typeof uiSchemaShape>

/** What the reader leaves in the place of a node that it cannot draw. The rest of the tree is drawn. */
export interface UiUnknownNode {
  readonly type: 'unknown'
  readonly id: string
  /** The `type` that was given, as text. */
  readonly given: string
  readonly path: string
  readonly reason: string
  visible?: boolean
}

/** A stack as the reader hands it over. */
export interface ResolvedStack extends Resolved<typeof stackNode> {}
/** A grid as the reader hands it over. */
export interface ResolvedGrid extends Resolved<typeof gridNode> {}
/** A layout as the reader hands it over. */
export type ResolvedLayout = ResolvedStack | ResolvedGrid
/** Any node as the reader hands it over, defaults and ids filled in. */
export type ResolvedUiNode =
  | Resolved<typeof textNode>
  | Resolved<typeof iconNode>
  | Resolved<typeof badgeNode>
  | Resolved<typeof buttonNode>
  | Resolved<typeof kvNode>
  | Resolved<typeof dividerNode>
  | Resolved<typeof tableNode>
  | Resolved<typeof fieldNode>
  | Resolved<typeof progressNode>
  | Resolved<typeof imageNode>
  | Resolved<typeof chartNode>
  | ResolvedStack
  | ResolvedGrid
  | UiUnknownNode
/** The node of one type, as the reader hands it over. */
export type ResolvedNode<T extends ResolvedUiNode['type']> = Extract<ResolvedUiNode, { type: T }>
/** A document as the reader hands it over: this is what renderers draw. */
export type ResolvedUiSchema = Resolved<typeof uiSchemaShape>
