import { MASK } from '@vitrine/protocol'
import { unsaidStatus } from './fields.ts'
import type { ResolvedLayout, ResolvedNode, ResolvedUiNode, ResolvedUiSchema, UiConfirm, UiStatus } from './nodes.ts'
import { markdownFormat } from './text-markdown.ts'
import { plainFormat } from './text-plain.ts'
import { localizeLabel, plainValue, type UiLocales, uiWordsFor } from './words.ts'

/** The language of a text alternative. */
export interface SchemaTextOptions {
  /** Overrides the locale of the schema. */
  readonly locale?: string
  readonly locales?: UiLocales
}

/** How one kind of text alternative writes things; the walk through the nodes is the same for all. */
export interface AlternativeFormat {
  /** Plain text made inert for this format. */
  text(plain: string): string
  markdown(source: string): string
  role(role: ResolvedNode<'text'>['role'], written: string): string
  pair(label: string, value: string): string
  badge(label: string): string
  button(label: string, target: string): string
  image(alt: string, url: string): string
  table(head: readonly string[], rows: readonly (readonly string[])[], align: readonly (string | undefined)[]): string
  code(content: string): string
  /** Parts of a row. They are `inline` when each of them is words of one line and begins no block. */
  across(parts: readonly string[], inline: boolean): string
  /** What stands between two parts that are below each other. */
  between(before: string, after: string): string
  divider: string
  /** Where somebody is to write. */
  blank: string
  /** Between a thing and its caption. */
  gap: string
}

/** A document as plain text: for terminals, notifications and screen readers. */
export const schemaToText = (schema: ResolvedUiSchema, options?: SchemaTextOptions): string =>
  write(schema, plainFormat, options)

/** A document as markdown, in which its content stays inert. */
export const schemaToMarkdown = (schema: ResolvedUiSchema, options?: SchemaTextOptions): string =>
  write(schema, markdownFormat, options)

function write(schema: ResolvedUiSchema, format: AlternativeFormat, options: SchemaTextOptions = {}): string {
  const locale = options.locale ?? schema.locale
  return new Writer(format, locale, options.locales).document(schema)
}

class Writer {
  readonly #to: AlternativeFormat
  readonly #locale: string
  readonly #locales: UiLocales | undefined

  constructor(format: AlternativeFormat, locale: string, locales: UiLocales | undefined) {
    this.#to = format
    this.#locale = locale
    this.#locales = locales
  }

  get #words() {
    return uiWordsFor(this.#locale, this.#locales)
  }

  document({ root, status }: ResolvedUiSchema): string {
    // What the root says itself is not said twice.
    return this.#beside(root.status === status ? undefined : unsaidStatus({ ...root, status }), this.node(root))
  }

  /** What a colour says on the screen, before what it is said of. */
  #beside(status: UiStatus | undefined, written: string): string {
    if (status === undefined || written === '') return written
    return `${this.#to.badge(this.#words.status[status])}\n\n${written}`
  }

  #lines(...parts: (string | undefined)[]): string {
    return parts.filter(part => part).join(this.#to.gap)
  }

  #label(label: string): string {
    return this.#to.text(localizeLabel(label, this.#locale, this.#locales))
  }

  node(node: ResolvedUiNode): string {
    const to = this.#to
    if (node.visible === false) return ''
    switch (node.type) {
      case 'text':
        return this.#text(node)
      case 'icon':
        // A named icon is decoration; an emoji is text.
        return node.source === 'emoji' ? to.text(node.value) : ''
      case 'badge':
        return to.badge(localizeLabel(node.label, this.#locale, this.#locales))
      case 'button':
        return this.#button(node)
      case 'kv':
        return node.items.map(item => to.pair(to.text(item.label ?? item.key), this.#value(item.value))).join('\n')
      case 'divider':
        return to.divider
      case 'stack':
      case 'grid':
        return this.#layout(node)
      case 'table':
        return this.#table(node)
      case 'field':
        return this.#field(node)
      case 'progress':
        return this.#progress(node)
      case 'image':
        return this.#lines(
          to.image(to.text(node.alt), node.url),
          node.caption && to.role('caption', to.text(node.caption)),
        )
      case 'chart':
        return this.#chart(node)
      case 'unknown':
        return to.text(`[${this.#words.notShown}: ${node.given} (${node.path}) ${node.reason}]`)
    }
  }

  #text({ role, format, content, status }: ResolvedNode<'text'>): string {
    const to = this.#to
    if (role === 'code') return to.code(content)
    const written = format === 'markdown' ? to.markdown(content) : to.text(content)
    // A colour says it on the screen.
    if (!status || status === 'info') return to.role(role, written)
    const word = to.text(this.#words.status[status])
    // Markdown may begin with a block, which has to begin its line.
    return to.role(role, format === 'markdown' ? `${word}:\n\n${written}` : `${word}: ${written}`)
  }

  #layout(node: ResolvedLayout): string {
    const parts = node.children.map(child => ({ child, text: this.node(child) })).filter(({ text }) => text !== '')
    if (node.type === 'grid' || node.direction === 'vertical')
      return this.#beside(unsaidStatus(node), this.#below(parts))
    const inline = parts.every(({ child, text }) => isInline(child) && !text.includes('\n'))
    const texts = parts.map(({ text }) => text)
    return this.#beside(unsaidStatus(node), this.#to.across(texts, inline))
  }

  /** Parts below each other. Neighbouring fields are one list; every other list is one by itself. */
  #below(parts: readonly { child: ResolvedUiNode; text: string }[]): string {
    let written = ''
    for (const [at, { child, text }] of parts.entries()) {
      const before = parts[at - 1]
      if (before) written += isPair(before.child) && isPair(child) ? '\n\n' : this.#to.between(before.text, text)
      written += text
    }
    return written
  }

  #value(value: unknown): string {
    return this.#to.text(plainValue(value, this.#words))
  }

  #button(node: ResolvedNode<'button'>): string {
    const { action, disabled, disabledReason: reason, confirm } = node
    const to = this.#to
    const emoji = node.icon?.source === 'emoji' ? `${node.icon.value} ` : ''
    const target = targetOf(action)
    const parts = [to.button(to.text(emoji + node.label), disabled ? '' : target)]
    if (disabled) parts.push(to.text(target))
    if (action.type === 'copy') parts.push(to.text(action.content))
    if (disabled && reason !== undefined) parts.push(`(${this.#label(reason)})`)
    if (confirm) parts.push(`(${this.#question(confirm)})`)
    return parts.filter(Boolean).join(' ')
  }

  #question({ title, message, label }: UiConfirm): string {
    const words = [title, message].filter(part => part).map(part => this.#to.text(part!))
    if (label) words.push(this.#to.button(this.#to.text(label), ''))
    return words.join(' ')
  }

  #table(node: ResolvedNode<'table'>): string {
    const rows = node.rows.map(row => node.columns.map((_, index) => this.#cell(row[index])))
    const head = node.columns.map(column => oneLine(this.#to.text(column.label)))
    const align = node.columns.map((column, index) => column.align ?? (numeric(node.rows, index) ? 'end' : undefined))
    return this.#lines(
      node.caption && this.#to.role('caption', this.#to.text(node.caption)),
      this.#to.table(head, rows, align),
    )
  }

  #cell(value: unknown): string {
    return value === undefined || value === null ? '' : oneLine(this.#value(value))
  }

  #field(node: ResolvedNode<'field'>): string {
    const given = (Array.isArray(node.value) ? node.value : [node.value ?? ''])
      .map(one => node.options?.find(({ value }) => value === one)?.label ?? plainValue(one, this.#words))
      .join(', ')
    const hint = node.placeholder === undefined ? '' : ` ${this.#to.text(node.placeholder)}`
    // What the screen hides is hidden here as well.
    const value = given === '' ? `${this.#to.blank}${hint}` : node.input === 'password' ? MASK : this.#to.text(given)
    const choices = node.options?.map(one => this.#to.text(one.label)).join(' | ')
    const mark = node.required ? ` ${this.#to.text('*')}` : ''
    return this.#lines(
      this.#to.pair(`${this.#to.text(node.label)}${mark}`, choices ? `${value} (${choices})` : value),
      node.help && this.#to.role('caption', this.#to.text(node.help)),
    )
  }

  #progress(node: ResolvedNode<'progress'>): string {
    const share = node.value === undefined ? '…' : `${Math.round((100 * Math.min(node.value, node.max)) / node.max)}%`
    return node.label === undefined ? share : this.#to.pair(this.#to.text(node.label), share)
  }

  /** A chart reads as the table of its numbers. */
  #chart(node: ResolvedNode<'chart'>): string {
    const length = node.series.reduce((most, { data }) => Math.max(most, data.length), node.labels?.length ?? 0)
    const head = ['', ...node.series.map(({ name }, index) => oneLine(this.#to.text(name ?? String(index + 1))))]
    const unit = node.unit === undefined ? '' : ` ${this.#to.text(node.unit)}`
    const rows = Array.from({ length }, (_, row) => [
      oneLine(this.#to.text(node.labels?.[row] ?? String(row + 1))),
      ...node.series.map(({ data }) => (data[row] === undefined || data[row] === null ? '' : `${data[row]}${unit}`)),
    ])
    const table = this.#to.table(head, rows, [undefined, ...node.series.map(() => 'end')])
    return this.#lines(node.title && this.#to.role('subtitle', this.#to.text(node.title)), table)
  }
}

/** Whether a node is one name with its value. */
const isPair = ({ type }: ResolvedUiNode): boolean => type === 'field' || type === 'progress'

/** Whether a node is words in a line. */
function isInline(node: ResolvedUiNode): boolean {
  switch (node.type) {
    case 'text':
      return node.role === 'body' && node.format === 'plain'
    case 'icon':
    case 'badge':
    case 'button':
    case 'unknown':
      return true
    case 'progress':
      return node.label === undefined
    case 'image':
      return node.caption === undefined
    case 'stack':
      return node.direction === 'horizontal' && node.children.every(isInline)
    default:
      return false
  }
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

const numeric = (rows: readonly (readonly unknown[])[], column: number): boolean =>
  rows.length > 0 && rows.every(row => typeof row[column] === 'number')

/** Where a button leads that a reader can follow without it. */
function targetOf(action: ResolvedNode<'button'>['action']): string {
  if (action.type === 'navigation') return action.path + query(action.params)
  return action.type === 'url' ? action.url : ''
}

function query(params: Readonly<Record<string, unknown>> | undefined): string {
  // An object is no legal value, and one with a member `toString` cannot be made a text of.
  const entries = Object.entries(params ?? {}).map(([key, value]): [string, string] => [
    key,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}
