import type { UiDiagnostic } from '../diagnostic.ts'
import { clip } from '../json.ts'
import { type UiLimits, uiLimits } from '../limits.ts'
import { drawsSomething } from '../schema/fields.ts'
import {
  localeProblem,
  metaFields,
  nothingShown,
  type ResolvedUiNode,
  type UiButtonNode,
  type UiFieldNode,
  type UiLayoutNode,
  type UiNode,
  type UiSchemaRenderer,
  uiSchemaVersion,
} from '../schema/nodes.ts'
import { statusToken, type UiLocales, uiWordsFor } from '../schema/words.ts'
import { checkShape, isReservedId } from '../shape/check.ts'
import { inspectShape } from '../shape/inspect.ts'
import { plainJson } from '../shape/plain-json.ts'
import { readShape } from '../shape/read.ts'
import { prune } from './compile-prune.ts'
import { tableNode } from './compile-table.ts'
import {
  choicesOf,
  inputOfHint,
  type ResolvedHintAction,
  type ResolvedHintField,
  type ResolvedHintListItem,
  type ResolvedHintSection,
  type ResolvedHints,
  type UiHintIntent,
  uiHintsShape,
} from './hints.ts'
import { keepUnplaced } from './unplaced.ts'

/** How hints are compiled. */
export interface CompileHintsOptions {
  /** The reader's language; it names the locale of the result and the few words that the compiler adds. */
  readonly locale?: string
  readonly locales?: UiLocales
  /** Gives every node an id made from the hints' path, so that a document that grows keeps its nodes. */
  readonly ids?: boolean
  /** The hints are still being written: nothing is added that only a whole document needs. */
  readonly partial?: boolean
  readonly limits?: Partial<UiLimits>
}

/** The document that hints compile to, and everything that the compiler had to say about them. */
export interface CompiledHints {
  readonly schema: UiSchemaRenderer
  /** What was repaired or could not be shown. An `error` is what an agent should correct. */
  readonly diagnostics: readonly UiDiagnostic[]
}

/** Strict check of hints, for authors and for a corrective answer to an agent. Empty when legal. */
export const validateHints = (value: unknown, limits?: Partial<UiLimits>): UiDiagnostic[] =>
  checkShape(uiHintsShape, value, limits)

/** What the author of hints should know: every error of the strict check, and what else was noticed. */
export function inspectHints(value: unknown, limits?: Partial<UiLimits>): UiDiagnostic[] {
  const { schema, diagnostics } = compileHints(value, limits ? { limits } : {})
  const found = inspectShape(uiHintsShape, value, diagnostics, limits)
  return drawsSomething(schema.root as ResolvedUiNode) ? found : [...found, nothingShown('')]
}

/** The document that hints compile to, for callers that have checked the hints or show them anyway. */
export const hintsToSchema = (hints: unknown, options?: CompileHintsOptions): UiSchemaRenderer =>
  compileHints(hints, options).schema

/**
 * Compiles UiHints to a UI Schema document. Any value gives a legal document, and what has no place in it moves to
 * `meta`.
 */
export function compileHints(value: unknown, options: CompileHintsOptions = {}): CompiledHints {
  const limits = uiLimits(options.limits)
  const unplaced: Record<string, unknown> = {}
  // A value of the hints becomes several of the schema, and in meta it stands two levels deeper: less room for both.
  const readLimits = { ...limits, values: limits.values * 0.15, jsonDepth: limits.jsonDepth - 3 }
  let room = limits.values * 0.1
  const onUnplaced = (pointer: string, lost: unknown): void => {
    if (room > 0)
      keepUnplaced(
        unplaced,
        pointer,
        plainJson(lost, readLimits, () => --room < 0),
      )
  }
  const { value: hints, diagnostics } = readShape(uiHintsShape, value, { limits: readLimits, onUnplaced })
  if (!hints && value !== undefined) onUnplaced('', value)
  const compiler = new Compiler(options, unplaced)
  const root = compiler.root(hints ?? { version: '2.1', intent: 'mixed', status: 'info' })
  if (diagnostics.some(({ code }) => code === 'too_large'))
    root.children.push({ type: 'text', content: compiler.words.tooLarge, role: 'caption' })
  const schema: UiSchemaRenderer = {
    version: uiSchemaVersion,
    locale: compiler.locale,
    status: hints?.status ?? 'info',
    theme: 'default',
    ...metaOf(hints, unplaced),
    root,
  }
  return { schema: prune(schema, limits, compiler.words, diagnostics), diagnostics }
}

/** The four protocol fields are text; everything that found no place stands under its pointer. */
function metaOf(hints: ResolvedHints | undefined, unplaced: Record<string, unknown>): Pick<UiSchemaRenderer, 'meta'> {
  const meta: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(hints?.meta ?? {})) {
    if (Object.hasOwn(metaFields, key) && typeof value !== 'string') keepUnplaced(unplaced, `/meta/${key}`, value)
    else meta[key] = value
  }
  if (Object.keys(unplaced).length > 0) {
    let key = 'unknown'
    while (Object.hasOwn(meta, key)) key += '_'
    meta[key] = unplaced
  }
  return Object.keys(meta).length > 0 ? { meta: meta as NonNullable<UiSchemaRenderer['meta']> } : {}
}

const layouts: Readonly<Record<UiHintIntent, 'plain' | 'card' | 'section'>> = {
  message: 'plain',
  data: 'card',
  list: 'plain',
  status: 'card',
  form: 'section',
  mixed: 'card',
}

/** What a document and a section have in common. */
type Blocks = Pick<
  ResolvedHintSection,
  'image' | 'progress' | 'items' | 'table' | 'chart' | 'listItems' | 'fields' | 'sections' | 'actions'
>

class Compiler {
  readonly locale: string
  readonly #options: CompileHintsOptions
  readonly #unplaced: Record<string, unknown>
  readonly #ids = new Set<string>()
  /** Characters of one text. */
  readonly #most: number

  constructor(options: CompileHintsOptions, unplaced: Record<string, unknown>) {
    this.#options = options
    this.#unplaced = unplaced
    this.#most = uiLimits(options.limits).stringLength
    const { locale = 'en' } = options
    this.locale = localeProblem(locale) ? 'en' : locale
  }

  get words() {
    return uiWordsFor(this.locale, this.#options.locales)
  }

  #id(path: string): { id?: string } {
    return this.#options.ids ? { id: `hints${path}` } : {}
  }

  root(hints: ResolvedHints): UiLayoutNode {
    // The document's rule for the badge; the root carries the status whenever the badge does.
    const marked = hints.intent === 'status' || hints.status !== 'info' ? hints.status : undefined
    const children = [
      ...this.#head('', hints.icon, hints.title, marked),
      ...this.#text('/description', hints.description, 'subtitle'),
      ...this.#blocks('', hints, this.#text('/body', hints.body, 'body', hints.bodyFormat)),
    ]
    if (this.#needsSubmit(hints)) children.push(this.#submit())
    return {
      type: 'stack',
      ...this.#id(''),
      appearance: layouts[hints.intent],
      ...(marked && { status: marked }),
      children,
    }
  }

  #section(path: string, section: ResolvedHintSection): UiNode {
    return {
      type: 'stack',
      ...this.#id(path),
      direction: 'vertical',
      gap: 12,
      appearance: 'section',
      ...(section.status && { status: section.status }),
      children: [
        ...this.#head(path, section.icon, section.title, section.status),
        ...this.#text(`${path}/description`, section.description, 'subtitle'),
        ...this.#blocks(path, section, this.#text(`${path}/content`, section.content, 'body', section.contentFormat)),
      ],
    }
  }

  /** Icon, title and status badge in one row; what stands alone needs no row. */
  #head(
    path: string,
    icon: ResolvedHints['icon'],
    title: string | undefined,
    status: ResolvedHints['status'] | undefined,
  ): UiNode[] {
    const lead: UiNode[] = []
    if (icon) lead.push({ type: 'icon', ...this.#id(`${path}/icon`), ...icon })
    lead.push(...this.#text(`${path}/title`, title, 'title'))
    if (!status) return lead.length < 2 ? lead : [this.#row(`${path}/head`, lead, { align: 'center' })]
    const badge: UiNode = { type: 'badge', ...this.#id(`${path}/status`), label: statusToken(status), status }
    if (lead.length === 0) return [badge]
    const left = lead.length === 1 ? lead : [this.#row(`${path}/lead`, lead, { align: 'center' })]
    return [this.#row(`${path}/head`, [...left, badge], { justify: 'space-between', align: 'center' })]
  }

  #row(path: string, children: UiNode[], place: { justify?: 'space-between'; align?: 'center' } = {}): UiNode {
    return { type: 'stack', ...this.#id(path), direction: 'horizontal', gap: 8, children, ...place }
  }

  #text(
    path: string,
    content: string | undefined,
    role: 'title' | 'subtitle' | 'body' | 'caption',
    format: 'plain' | 'markdown' = 'plain',
  ): UiNode[] {
    if (content === undefined) return []
    return [{ type: 'text', ...this.#id(path), content, ...(format === 'markdown' && { format }), role }]
  }

  #blocks(path: string, blocks: Blocks, body: UiNode[]): UiNode[] {
    const { image, progress, items, table, chart, listItems, fields, sections, actions } = blocks
    const out: UiNode[] = []
    const id = (name: string) => this.#id(`${path}/${name}`)
    if (image !== undefined)
      out.push({ type: 'image', ...id('image'), ...(typeof image === 'string' ? { url: image } : image) })
    out.push(...body)
    if (progress !== undefined)
      out.push({
        type: 'progress',
        ...id('progress'),
        ...(typeof progress === 'number' ? { value: progress } : progress),
      })
    if (items?.length)
      out.push({ type: 'kv', ...id('items'), items: items.map(item => ({ ...item, value: item.value ?? null })) })
    if (table) out.push({ ...tableNode(table, `${path}/table`, this.#unplaced), ...id('table') })
    if (chart) out.push({ type: 'chart', ...id('chart'), ...chart })
    if (listItems?.length)
      out.push({
        type: 'stack',
        ...id('listItems'),
        direction: 'vertical',
        gap: 8,
        children: listItems.map((item, index) => this.#listItem(`${path}/listItems/${index}`, item)),
      })
    if (fields?.length)
      out.push({
        type: 'stack',
        ...id('fields'),
        direction: 'vertical',
        gap: 12,
        children: fields.map((field, index) => this.#field(`${path}/fields/${index}`, field)),
      })
    for (const [index, section] of (sections ?? []).entries())
      out.push(this.#section(`${path}/sections/${index}`, section))
    if (actions?.length) out.push(this.#actions(`${path}/actions`, actions))
    return out
  }

  #listItem(path: string, item: ResolvedHintListItem): UiNode {
    const { icon, status, actions } = item
    const children: UiNode[] = []
    if (icon) children.push({ type: 'icon', ...this.#id(`${path}/icon`), ...icon })
    const words: UiNode[] = [
      ...this.#text(`${path}/title`, item.title, 'body'),
      ...this.#text(`${path}/subtitle`, item.subtitle, 'caption'),
      ...this.#text(`${path}/description`, item.description, 'caption'),
    ]
    // Below the words, so that icons, words and badges of all items stand below each other, however many buttons an item has.
    if (actions?.length) words.push(this.#actions(`${path}/actions`, actions))
    children.push({ type: 'stack', ...this.#id(`${path}/words`), direction: 'vertical', gap: 2, children: words })
    if (status) children.push({ type: 'badge', ...this.#id(`${path}/status`), label: statusToken(status), status })
    const id = this.#ownId(path, item.id)
    return { type: 'stack', ...id, direction: 'horizontal', gap: 12, align: 'start', children }
  }

  /**
   * An id given by the author is used once; a repeated one, and one that could be that of another node, move to meta. Where every node has an id made from its path, the
   * author's moves there too: it may be written after the title, and the node that was drawn by then keeps its id.
   */
  #ownId(path: string, given: string | undefined): { id?: string } {
    if (given === undefined) return this.#id(path)
    if (this.#options.ids || this.#ids.has(given) || isReservedId(given)) {
      keepUnplaced(this.#unplaced, `${path}/id`, given)
      return this.#id(path)
    }
    this.#ids.add(given)
    return { id: given }
  }

  #actions(path: string, actions: readonly ResolvedHintAction[]): UiNode {
    return this.#row(
      path,
      actions.map((action, index) => this.#button(`${path}/${index}`, action)),
    )
  }

  #button(path: string, hint: ResolvedHintAction): UiButtonNode {
    const { label, style, disabled, disabledReason, icon, action, confirm, submit } = hint
    return {
      type: 'button',
      ...this.#id(path),
      label,
      ...(style && { style }),
      ...(disabled !== undefined && { disabled }),
      ...(disabledReason !== undefined && { disabledReason }),
      ...(icon && { icon }),
      action: withoutDefaults(action),
      ...(confirm !== undefined && confirm !== false && { confirm: this.#confirm(confirm) }),
      ...(submit !== undefined && { submit }),
    }
  }

  #confirm(confirm: NonNullable<ResolvedHintAction['confirm']>): NonNullable<UiButtonNode['confirm']> {
    if (typeof confirm === 'object') return confirm
    return { message: typeof confirm === 'string' ? confirm : this.words.confirm }
  }

  #field(path: string, hint: ResolvedHintField): UiFieldNode {
    const { key, label, type, options, ...rest } = hint
    const choices = options && this.#choices(`${path}/options`, options)
    const input = choices ? inputOfHint(hint) : type
    return {
      type: 'field',
      ...this.#id(path),
      name: key,
      label: label ?? key,
      ...(input && { input }),
      ...rest,
      ...(choices && { options: choices }),
    }
  }

  #choices(path: string, options: NonNullable<ResolvedHintField['options']>): NonNullable<UiFieldNode['options']> {
    return choicesOf(options).map(({ value, label }) => {
      if (label.length <= this.#most) return { value, label }
      keepUnplaced(this.#unplaced, path, options)
      return { value, label: clip(label, this.#most) }
    })
  }

  /** A form that nobody can send is of no use: without an action that submits, the compiler adds one. */
  #needsSubmit(hints: ResolvedHints): boolean {
    return !this.#options.partial && hasFields(hints) && !hasSubmit(hints)
  }

  #submit(): UiNode {
    const submit = { label: this.words.submit, style: 'primary', action: { type: 'payload', payload: {} } } as const
    return this.#row('/submit', [{ type: 'button', ...this.#id('/submit/0'), ...submit }])
  }
}

/** The reader fills in where a URL opens; the document's output does not show what the author did not write. */
function withoutDefaults(action: ResolvedHintAction['action']): UiButtonNode['action'] {
  if (action.type !== 'url' || action.target !== '_blank') return action
  return { type: action.type, url: action.url }
}

const hasFields = (blocks: Blocks): boolean =>
  (blocks.fields?.length ?? 0) > 0 || (blocks.sections?.some(hasFields) ?? false)

const hasSubmit = (blocks: Blocks): boolean =>
  (blocks.actions?.some(({ action, submit }) => submit ?? action.type === 'payload') ?? false) ||
  (blocks.sections?.some(hasSubmit) ?? false)
