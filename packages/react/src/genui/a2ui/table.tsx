import { type Json, type JsonObject, toText } from '@vitrine/genui/a2ui'
import { own } from '@vitrine/protocol'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { memo, Suspense, useId, useMemo } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { lazily } from '../../lazily.tsx'
import { frame, shown, text } from './props.ts'
import { type Order, sortRows } from './sort-rows.ts'
import { type RendererProps, useView, useViewState } from './view.ts'

export interface TableColumn {
  key: string
  label: string
  numeric: boolean
  /** Digits after the point of the numbers in it: they stand below each other. */
  digits: number
}

/** Beyond this only the rows in sight are in the page. */
export const WINDOWED = 200
const TableWindow = lazily(() => import('./table-window.tsx'))

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function columnsOf(value: Json | undefined, rows: readonly JsonObject[]): TableColumn[] {
  const listed = Array.isArray(value) ? value : Object.keys(rows[0] ?? {})
  return listed.flatMap(column => {
    const key = isObject(column) ? toText(column.key) : toText(column)
    if (!key) return []
    const label = isObject(column) && column.label !== undefined ? shown(column.label) : shown(key)
    const filled = rows
      .slice(0, 50)
      .map(row => own(row, key))
      .filter(value => value != null && value !== '')
    const numeric = filled.length > 0 && filled.every(value => typeof value === 'number')
    const digits = numeric ? Math.max(...filled.map(value => fractionOf(value as number))) : 0
    return [{ key, label, numeric, digits }]
  })
}

const fractionOf = (value: number) => Math.min(6, /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0)

export function Table({ node }: RendererProps) {
  const { t, locale, number } = useI18n()
  const { readOnly } = useView()
  const [order, setOrder] = useViewState<Order | null>(node.id, null)
  const caption = text(node, 'caption')
  const id = useId()
  const raw = node.props.rows
  const rows = useMemo(() => (Array.isArray(raw) ? raw.filter(isObject) : []), [raw])
  const columns = useMemo(() => columnsOf(node.props.columns, rows), [node.props.columns, rows])
  const sorted = useMemo(() => sortRows(rows, order, locale), [rows, order, locale])
  const windowed = rows.length > WINDOWED
  const cell = useMemo<CellText>(() => {
    const formats = Array.from(
      { length: 7 },
      (_, digits) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: 6 }),
    )
    return (value, { digits }) => (typeof value === 'number' ? formats[digits]!.format(value) : shown(value))
  }, [locale])
  const sortBy = (key: string) =>
    setOrder(order?.key !== key ? { key, descending: false } : order.descending ? null : { key, descending: true })
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-table')
  const head = (
    <thead>
      <tr {...(windowed && { 'aria-rowindex': 1 })}>
        {columns.map(column => (
          <th
            key={column.key}
            scope="col"
            data-numeric={column.numeric || undefined}
            aria-sort={order?.key === column.key ? (order.descending ? 'descending' : 'ascending') : 'none'}
          >
            <button type="button" disabled={readOnly} onClick={() => sortBy(column.key)}>
              {column.label}
              {order?.key !== column.key ? (
                <ChevronsUpDown aria-hidden />
              ) : order.descending ? (
                <ArrowDown aria-hidden />
              ) : (
                <ArrowUp aria-hidden />
              )}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  )
  return (
    <div {...attributes}>
      {caption && (
        <p id={id} className="v-a2-table-caption">
          {caption}
        </p>
      )}
      {windowed ? (
        <Suspense fallback={<p className="v-note">{t('fallback.loading')}</p>}>
          <TableWindow
            head={head}
            columns={columns}
            rows={sorted}
            cell={cell}
            label={label ?? (caption || t('a2ui.table'))}
          />
        </Suspense>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="v-a2-table-scroll" tabIndex={0} aria-label={label ?? (caption || t('a2ui.table'))}>
          <table aria-labelledby={caption ? id : undefined}>
            {head}
            <tbody>
              {sorted.map((row, index) => (
                <Row key={rowKey(row, index)} row={row} columns={columns} cell={cell} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {rows.length === 0 && <p className="v-note v-a2-table-note">{t('a2ui.noRows')}</p>}
      {windowed && (
        <p className="v-note v-a2-table-note">{t('a2ui.rows', { count: rows.length, shown: number(rows.length) })}</p>
      )}
    </div>
  )
}

const rowKey = (row: JsonObject, index: number) => {
  const key = row.id ?? row.key
  return typeof key === 'string' || typeof key === 'number' ? `${key}:${index}` : index
}

export type CellText = (value: Json | undefined, column: TableColumn) => string

/** Cells of one row; rows whose object did not change are not drawn again. */
const Row = memo(function Row(props: { row: JsonObject; columns: readonly TableColumn[]; cell: CellText }) {
  return (
    <tr>
      <Cells {...props} />
    </tr>
  )
})

export function Cells({ row, columns, cell }: { row: JsonObject; columns: readonly TableColumn[]; cell: CellText }) {
  return columns.map(column => (
    <td key={column.key} data-numeric={column.numeric || undefined} dir="auto">
      {cell(own(row, column.key), column)}
    </td>
  ))
}
