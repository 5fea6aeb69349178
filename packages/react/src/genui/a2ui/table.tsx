import { valueText } from '@vitrine/genui/a2ui'
import { isObject, type Json, type JsonObject, own } from '@vitrine/protocol'
import { useMemo } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import type { Order } from '../../kit/sort-rows.ts'
import { Table as KitTable } from '../../kit/table.tsx'
import { frame, shown, text } from './props.ts'
import { type A2uiRendererProps, useA2uiView, useA2uiViewState } from './view.ts'

interface Column {
  key: string
  label: string
  /** Digits after the point of the numbers in it: they stand below each other. */
  digits: number
}

function columnsOf(value: Json | undefined, rows: readonly JsonObject[]): Column[] {
  const listed = Array.isArray(value) ? value : Object.keys(rows[0] ?? {})
  return listed.flatMap(column => {
    const key = isObject(column) ? valueText(column.key) : valueText(column)
    if (!key) return []
    const label = isObject(column) && column.label !== undefined ? shown(column.label) : shown(key)
    const numbers = rows
      .slice(0, 50)
      .map(row => own(row, key))
      .filter(value => typeof value === 'number')
    return [{ key, label, digits: Math.max(0, ...numbers.map(fractionOf)) }]
  })
}

const fractionOf = (value: number) => Math.min(6, /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0)

const NO_ROWS: readonly JsonObject[] = []

export function Table({ node }: A2uiRendererProps) {
  const { locale } = useI18n()
  const { readOnly } = useA2uiView()
  const [order, setOrder] = useA2uiViewState<Order | null>(node.id, null)
  const raw = node.props.rows
  const readable = useMemo(() => (Array.isArray(raw) ? raw.filter(item => isObject(item)) : []), [raw])
  const columns = useMemo(() => columnsOf(node.props.columns, readable), [node.props.columns, readable])
  // Without a column there is no place for what a row has.
  const rows = columns.length > 0 ? readable : NO_ROWS
  const [valueAt, textAt] = useMemo(() => {
    const formats = columns.map(
      ({ digits }) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: 6 }),
    )
    return [
      (row: JsonObject, at: number) => own(row, columns[at]!.key),
      (value: unknown, at: number) =>
        typeof value === 'number' ? formats[at]!.format(value) : valueText(value as Json | undefined),
    ]
  }, [columns, locale])
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-bends v-a2-table')
  return (
    <div {...attributes}>
      <KitTable
        columns={columns}
        rows={rows}
        unusable={Array.isArray(raw) ? raw.length - rows.length : 0}
        valueAt={valueAt}
        textAt={textAt}
        keyOf={keyOf}
        caption={text(node, 'caption')}
        label={label}
        order={order}
        onOrder={setOrder}
        disabled={readOnly}
        locale={locale}
      />
    </div>
  )
}

const keyOf = (row: JsonObject): string | undefined => {
  const key = row.id ?? row.key
  return typeof key === 'string' || typeof key === 'number' ? `${key}` : undefined
}
