import type { UiTableColumn, UiTableNode } from '../schema/nodes.ts'
import { columnKey, type UiHintTable } from './hints.ts'
import { keepUnplaced } from './unplaced.ts'

type Cell = UiTableNode['rows'][number][number]

/** Rows as arrays or as records become rows of cells; a cell beyond the named columns gets a column of its own. */
export function tableNode(table: UiHintTable, path: string, unplaced: Record<string, unknown>): UiTableNode {
  const columns = table.columns.map(column => (typeof column === 'string' ? { label: column } : column))
  const keys = table.columns.map(columnKey)
  const rows = table.rows.map((row, index) => {
    if (Array.isArray(row)) return row
    for (const key of Object.keys(row))
      if (!keys.includes(key)) keepUnplaced(unplaced, `${path}/rows/${index}/${key}`, row[key])
    return keys.map((key): Cell => (Object.hasOwn(row, key) ? (row[key] ?? null) : null))
  })
  const width = rows.reduce((most, row) => Math.max(most, row.length), columns.length)
  const shown: UiTableColumn[] = columns.map(({ label, ...rest }) => ({
    label,
    ...('align' in rest && rest.align && { align: rest.align }),
  }))
  while (shown.length < width) shown.push({ label: '' })
  for (const [index, column] of columns.entries())
    if ('key' in column && column.key !== undefined && column.key !== column.label)
      keepUnplaced(unplaced, `${path}/columns/${index}/key`, column.key)
  return {
    type: 'table',
    columns: shown,
    rows,
    ...(table.caption !== undefined && { caption: table.caption }),
  }
}
