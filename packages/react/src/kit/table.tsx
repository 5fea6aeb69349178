import { type CSSProperties, memo, type ReactNode, useMemo, useRef } from 'react'
import { Virtualizer } from 'virtua'
import { useI18n } from '../i18n/i18n.tsx'
import { visible, visibleText } from '../visible.tsx'
import { Icon } from './icon.tsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from './icons.ts'
import { isEmpty, type Order, sortRows } from './sort-rows.ts'

export interface TableColumn {
  label: string
  /** Numbers stand at the end of their cells unless it says otherwise. */
  align?: 'start' | 'center' | 'end' | undefined
}

export interface TableProps<Row> {
  columns: readonly TableColumn[]
  rows: readonly Row[]
  /** What a row has in a column, by its place. Keeps its identity between renders. */
  valueAt: (row: Row, column: number) => unknown
  /** A value as people read it. Keeps its identity between renders. */
  textAt: (value: unknown, column: number) => string
  /** How many more rows there are that cannot be shown. */
  unusable?: number
  /** Tells rows apart that may come in another order; without it, their place does. */
  keyOf?: (row: Row) => string | undefined
  caption?: string | undefined
  /** The name of a table without a caption. */
  label?: string | undefined
  /** How it is sorted; null as the rows came. */
  order: Order | null
  onOrder: (order: Order | null) => void
  disabled?: boolean
  /** Sorts words as this locale does. */
  locale: string
}

/** Beyond this only the rows in sight are in the page. */
const WINDOWED = 200

/** So many characters of a cell stay on one line: a name, a number or a date is read as one word. The table scrolls instead. */
const ONE_LINE = 24

/** Rows and columns of text. A press on a heading sorts: up, down, and as the rows came. */
export function Table<Row>(props: TableProps<Row>) {
  const {
    columns,
    rows,
    valueAt,
    textAt,
    keyOf,
    caption,
    order,
    onOrder,
    disabled = false,
    locale,
    unusable = 0,
  } = props
  const { t, number } = useI18n()
  const label = visibleText(props.label ?? (caption || t('kit.table')))
  const aligned = useMemo(
    () =>
      columns.map(({ align }, at): Aligned => align ?? (isNumeric(rows, row => valueAt(row, at)) ? 'end' : 'start')),
    [columns, rows, valueAt],
  )
  const sorted = useMemo(() => sortRows(rows, order, valueAt, textAt, locale), [rows, order, valueAt, textAt, locale])
  const windowed = rows.length > WINDOWED
  const head = (
    <thead>
      <tr {...(windowed && { 'aria-rowindex': 1 })}>
        {columns.map((column, at) => (
          <Heading
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity than their place.
            key={at}
            label={column.label}
            align={aligned[at]!}
            sort={order?.column === at ? (order.descending ? 'descending' : 'ascending') : 'none'}
            sortable={rows.length > 1}
            disabled={disabled}
            onPress={() => onOrder(nextOrder(order, at))}
          />
        ))}
      </tr>
    </thead>
  )
  const shared = { columns, aligned, valueAt, textAt }
  return (
    <div className="v-table">
      {windowed && caption && (
        <p className="v-table-caption" dir="auto">
          {visible(caption)}
        </p>
      )}
      {windowed ? (
        <TableWindow {...shared} head={head} rows={sorted} label={label} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="v-table-scroll" tabIndex={0} aria-label={label}>
          <table>
            {caption && <caption dir="auto">{visible(caption)}</caption>}
            {head}
            <tbody>
              {sorted.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the key of a row may repeat.
                <TableRow key={`${keyOf?.(row) ?? ''}:${index}`} {...shared} row={row} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {rows.length === 0 && unusable === 0 && <p className="v-note">{t('kit.noRows')}</p>}
      {unusable > 0 && <p className="v-note">{t('kit.rowsNotShown', { count: unusable, shown: number(unusable) })}</p>}
      {windowed && <p className="v-note">{t('kit.rows', { count: rows.length, shown: number(rows.length) })}</p>}
    </div>
  )
}

type Aligned = 'start' | 'center' | 'end'

const nextOrder = (order: Order | null, column: number): Order | null =>
  order?.column !== column ? { column, descending: false } : order.descending ? null : { column, descending: true }

/** Whether a column holds numbers, as far as its first rows tell. */
function isNumeric<Row>(rows: readonly Row[], valueAt: (row: Row) => unknown): boolean {
  const filled = rows
    .slice(0, 50)
    .map(valueAt)
    .filter(value => !isEmpty(value))
  return filled.length > 0 && filled.every(value => typeof value === 'number')
}

interface HeadingProps {
  label: string
  align: Aligned
  sort: 'none' | 'ascending' | 'descending'
  sortable: boolean
  disabled: boolean
  onPress: () => void
}

function Heading({ label, align, sort, sortable, disabled, onPress }: HeadingProps) {
  if (!sortable)
    return (
      <th scope="col" data-align={align} dir="auto">
        {visible(label)}
      </th>
    )
  return (
    <th scope="col" data-align={align} aria-sort={sort}>
      <button type="button" disabled={disabled} onClick={onPress} dir="auto">
        {visible(label)}
        <Icon of={sort === 'none' ? ChevronsUpDown : sort === 'descending' ? ArrowDown : ArrowUp} />
      </button>
    </th>
  )
}

interface CellsProps {
  row: unknown
  columns: readonly TableColumn[]
  aligned: readonly Aligned[]
  valueAt: (row: never, column: number) => unknown
  textAt: (value: unknown, column: number) => string
}

/** The cells of one row; a row whose object did not change is not drawn again. */
const TableRow = memo(function TableRow(props: CellsProps) {
  return (
    <tr>
      <Cells {...props} />
    </tr>
  )
})

function Cells({ row, columns, aligned, valueAt, textAt }: CellsProps): ReactNode {
  return columns.map((_, at) => {
    const text = textAt(valueAt(row as never, at), at)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity than their place.
      <td key={at} data-align={aligned[at]} data-long={text.length > ONE_LINE || undefined} dir="auto">
        {visible(text)}
      </td>
    )
  })
}

type WindowProps = Omit<CellsProps, 'row'> & {
  head: ReactNode
  rows: readonly unknown[]
  label: string
}

/** A long table of which only the rows in sight exist. Columns get their share from a sample: rows come and go. */
function TableWindow({ head, rows, label, ...shared }: WindowProps) {
  const scroll = useRef<HTMLElement>(null)
  const { columns, valueAt, textAt } = shared
  const template = useMemo(
    () =>
      columns
        .map((column, at) => {
          const longest = rows
            .slice(0, 100)
            .reduce<number>(
              (most, row) => Math.max(most, textAt(valueAt(row as never, at), at).length),
              column.label.length + 3,
            )
          const width = Math.min(32, Math.max(6, longest + 2))
          return `minmax(${width}ch, ${width}fr)`
        })
        .join(' '),
    [columns, rows, valueAt, textAt],
  )
  return (
    <section
      ref={scroll}
      className="v-table-scroll v-table-window"
      style={{ '--v-columns': template } as CSSProperties}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
    >
      {/* The layout takes the elements' table roles away: they are named again. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <table role="table" aria-rowcount={rows.length + 1} aria-label={label}>
        {head}
        <Virtualizer as="tbody" item="tr" scrollRef={scroll} startMargin={36} itemSize={33}>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a place in the sorted list
            <Cells key={index} {...shared} row={row} />
          ))}
        </Virtualizer>
      </table>
    </section>
  )
}
