/** By which column a table is sorted, and which way. */
export interface Order {
  column: number
  descending: boolean
}

export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Numbers by size, everything else as the locale sorts words ("item 9" before "item 10"); empty cells always last. */
export function sortRows<Row>(
  rows: readonly Row[],
  order: Order | null,
  valueAt: (row: Row, column: number) => unknown,
  textAt: (value: unknown, column: number) => string,
  locale: string,
): readonly Row[] {
  if (!order) return rows
  const { column, descending } = order
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
  const sign = descending ? -1 : 1
  const keyed = rows.map(row => {
    const value = valueAt(row, column)
    return { row, value, empty: isEmpty(value), text: typeof value === 'number' ? '' : textAt(value, column) }
  })
  keyed.sort((a, b) => {
    if (a.empty || b.empty) return Number(a.empty) - Number(b.empty)
    if (typeof a.value === 'number' && typeof b.value === 'number') return sign * (a.value - b.value)
    return sign * collator.compare(a.text || String(a.value), b.text || String(b.value))
  })
  return keyed.map(({ row }) => row)
}
