import type { UiTableColumn } from '@vitrine/genui/schema'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { useMemo, useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { visible, visibleText } from '../../visible.tsx'
import { useUi } from './ui-context.ts'
import { plainValue } from './value.tsx'

const PAGE = 100

type Row = readonly unknown[]

interface Props {
  columns: readonly UiTableColumn[]
  rows: readonly Row[]
  caption?: string | undefined
}

/** Sorts by a press on a heading; long ones are drawn a page at a time. */
export function Table({ columns, rows, caption }: Props) {
  const { t } = useI18n()
  const { words, locale } = useUi()
  const [order, setOrder] = useState<{ column: number; down: boolean } | null>(null)
  const [shown, setShown] = useState(PAGE)
  const sorted = useMemo(() => (order ? sort(rows, order.column, order.down, locale) : rows), [rows, order, locale])
  const align = useMemo(
    () => columns.map((column, at) => column.align ?? (numeric(rows, at) ? 'end' : 'start')),
    [columns, rows],
  )
  const press = (column: number) =>
    setOrder(order?.column !== column ? { column, down: false } : order.down ? null : { column, down: true })
  return (
    <div className="v-ui-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and the keyboard must be able to. */}
      <section className="v-ui-table-scroll" tabIndex={0} aria-label={visibleText(caption || t('markdown.table'))}>
        <table>
          {caption && <caption dir="auto">{visible(caption)}</caption>}
          <thead>
            <tr>
              {columns.map((column, at) => {
                const direction = order?.column === at ? (order.down ? 'descending' : 'ascending') : undefined
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity than their place.
                  <th key={at} scope="col" data-align={align[at]} aria-sort={direction}>
                    {rows.length > 1 ? (
                      <button type="button" className="v-ui-sort" onClick={() => press(at)} dir="auto">
                        {visible(column.label)}
                        {direction === 'descending' ? (
                          <ArrowDown aria-hidden />
                        ) : (
                          <ArrowUp aria-hidden data-idle={!direction} />
                        )}
                      </button>
                    ) : (
                      visible(column.label)
                    )}
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, shown).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity than their place.
              <tr key={index}>
                {columns.map((_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                  <td key={at} data-align={align[at]} dir="auto">
                    {row[at] === undefined || row[at] === null ? '' : visible(plainValue(row[at], words))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shown && (
        <button type="button" className="v-button v-quiet" onClick={() => setShown(shown + 5 * PAGE)}>
          {t('ui.rows', { count: rows.length - shown })}
        </button>
      )}
    </div>
  )
}

const numeric = (rows: readonly Row[], column: number): boolean =>
  rows.length > 0 && rows.every(row => typeof row[column] === 'number' || row[column] === null)

/** Numbers by size, all else as people sort words; what is empty comes last either way. */
function sort(rows: readonly Row[], column: number, down: boolean, locale: string): readonly Row[] {
  const words = new Intl.Collator(locale, { numeric: true })
  const empty = (value: unknown) => value === undefined || value === null || value === ''
  return [...rows].sort((left, right) => {
    const [a, b] = [left[column], right[column]]
    if (empty(a) || empty(b)) return Number(empty(a)) - Number(empty(b))
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(text(a), text(b))
    return down ? -order : order
  })
}

const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
