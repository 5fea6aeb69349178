import type { JsonObject } from '@vitrine/genui/a2ui'
import { own } from '@vitrine/protocol'
import { type CSSProperties, type ReactNode, useMemo, useRef } from 'react'
import { Virtualizer } from 'virtua'
import { Cells, type CellText, type TableColumn } from './table.tsx'

interface Props {
  head: ReactNode
  columns: readonly TableColumn[]
  rows: readonly JsonObject[]
  cell: CellText
  label: string
}

/** A long table of which only the rows in sight exist. Columns get their share from a sample: rows come and go. */
export default function TableWindow({ head, columns, rows, cell, label }: Props) {
  const scroll = useRef<HTMLElement>(null)
  const template = useMemo(
    () =>
      columns
        .map(column => {
          const longest = rows
            .slice(0, 100)
            .reduce((most, row) => Math.max(most, cell(own(row, column.key), column).length), column.label.length + 3)
          const width = Math.min(32, Math.max(6, longest + 2))
          return `minmax(${width}ch, ${width}fr)`
        })
        .join(' '),
    [columns, rows, cell],
  )
  return (
    <section
      ref={scroll}
      className="v-a2-table-scroll v-a2-windowed"
      style={{ '--v-a2-columns': template } as CSSProperties}
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
            <Cells key={index} row={row} columns={columns} cell={cell} />
          ))}
        </Virtualizer>
      </table>
    </section>
  )
}
