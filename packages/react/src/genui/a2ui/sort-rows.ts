import { type JsonObject, toText } from '@vitrine/genui/a2ui'
import { own } from '@vitrine/protocol'

export interface Order {
  key: string
  descending: boolean
}

/** Numbers by size, everything else as the locale sorts it ("item 9" before "item 10"); empty cells always last. */
export function sortRows(rows: readonly JsonObject[], order: Order | null, locale: string): readonly JsonObject[] {
  if (!order) return rows
  const { key, descending } = order
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
  const sign = descending ? -1 : 1
  const keyed = rows.map(row => ({ row, value: own(row, key), text: toText(own(row, key)) }))
  keyed.sort((a, b) => {
    if (a.text === '' || b.text === '') return a.text === b.text ? 0 : a.text === '' ? 1 : -1
    if (typeof a.value === 'number' && typeof b.value === 'number') return sign * (a.value - b.value)
    return sign * collator.compare(a.text, b.text)
  })
  return keyed.map(({ row }) => row)
}
