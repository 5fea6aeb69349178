import { unsaidStatus } from './fields.ts'
import type { ResolvedLayout, ResolvedNode, ResolvedUiNode, ResolvedUiSchema } from './nodes.ts'
import { markdownFormat } from './text-markdown.ts'
import { plainFormat } from './text-plain.ts'
import { localizeLabel, type UiLocales, uiWordsFor } from './words.ts'

/** The language of a text alternative. */
export interface SchemaTextOptions {
  /** Overrides the locale of the schema. */
  readonly locale?: string
  readonly locales?: UiLocales
}

/** How one kind of text alternative writes things; the walk through the nodes is the same for all. */
export interface TextFormat {
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
  divider: string
  /** Between a thing and its caption. */
  gap: string
}

/** A document as plain text: for terminals, notifications and screen readers. */
export const schemaToText = (schema: ResolvedUiSchema, options?: SchemaTextOptions): string =>
  write(schema, plainFormat, options)

/** A document as markdown, in which its content stays inert. */
export const schemaToMarkdown = (schema: ResolvedUiSchema, options?: SchemaTextOptions): string =>
  write(schema, markdownFormat, options)

function write(schema: ResolvedUiSchema, format: TextFormat, options: SchemaTextOptions = {}): string {
  const locale = options.locale ?? schema.locale
  return new Writer(format, locale, options.locales).node(schema.root)
}

class Writer {
  readonly #to: TextFormat
  readonly #locale: string
  readonly #locales: UiLocales | undefined

  constructor(format: TextFormat, locale: string, locales: UiLocales | undefined) {
    this.#to = format
    this.#locale = locale
    this.#locales = locales
  }

  get #words() {
    return uiWordsFor(this.#locale, this.#locales)
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
    const across = node.type === 'stack' && node.direction === 'horizontal'
    const written = this.#children(node.children, across ? '  ' : '\n\n')
    const status = unsaidStatus(node)
    if (status === undefined || written === '') return written
    return `${this.#to.badge(this.#words.status[status])}\n\n${written}`
  }

  #children(children: readonly ResolvedUiNode[], between: string): string {
    const written = children.map(child => this.node(child)).filter(text => text !== '')
    // A row of parts that are themselves longer than a line reads as lines.
    const row = between === '  ' && written.every(text => !text.includes('\n'))
    return written.join(row || between !== '  ' ? between : '\n')
  }

  #value(value: unknown): string {
    if (value === null || value === undefined) return '–'
    if (typeof value === 'boolean') return value ? this.#words.yes : this.#words.no
    return this.#to.text(typeof value === 'object' ? JSON.stringify(value) : String(value))
  }

  #button(node: ResolvedNode<'button'>): string {
    const { action } = node
    const emoji = node.icon?.source === 'emoji' ? `${node.icon.value} ` : ''
    const label = this.#to.text(emoji + node.label)
    const asked = node.confirm ? ` (${this.#to.text(node.confirm.message)})` : ''
    const target = targetOf(action)
    if (node.disabled) {
      const reason = node.disabledReason === undefined ? '' : ` (${this.#label(node.disabledReason)})`
      return [this.#to.button(label, ''), this.#to.text(target)].filter(Boolean).join(' ') + reason
    }
    if (action.type === 'copy') return `${this.#to.button(label, '')} ${this.#to.text(action.content)}${asked}`
    return this.#to.button(label, target) + asked
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
    const chosen = (Array.isArray(node.value) ? node.value : [node.value]).map(
      one => node.options?.find(({ value }) => value === one)?.label ?? one,
    )
    const given = Array.isArray(node.value) ? chosen.join(', ') : chosen[0]
    const hint = node.placeholder === undefined ? '' : ` ${this.#to.text(node.placeholder)}`
    const empty = given === undefined || given === ''
    // What the screen hides is hidden here as well.
    const value = empty ? `____${hint}` : node.input === 'password' ? '••••' : this.#value(given)
    const choices = node.options?.map(one => this.#to.text(one.label)).join(' | ')
    const mark = node.required ? this.#to.text(' *') : ''
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

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

const numeric = (rows: readonly (readonly unknown[])[], column: number): boolean =>
  rows.length > 0 && rows.every(row => typeof row[column] === 'number')

/** Where a button leads that a reader can follow without it. */
function targetOf(action: ResolvedNode<'button'>['action']): string {
  if (action.type === 'navigation') return action.path + query(action.params)
  return action.type === 'url' ? action.url : ''
}

function query(params: Readonly<Record<string, unknown>> | undefined): string {
  const entries = Object.entries(params ?? {}).map(([key, value]): [string, string] => [key, String(value)])
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}
