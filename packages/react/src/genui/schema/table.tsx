import { plainValue, type ResolvedNode } from '@vitrine/genui/schema'
import { useCallback, useState } from 'react'
import type { Order } from '../../kit/sort-rows.ts'
import { Table } from '../../kit/table.tsx'
import { useUi } from './ui-context.ts'

const valueAt = (row: readonly unknown[], column: number): unknown => row[column]

export function NodeTable({ node }: { node: ResolvedNode<'table'> }) {
  const { words, locale } = useUi()
  const [order, setOrder] = useState<Order | null>(null)
  const textAt = useCallback(
    (value: unknown) => (value === undefined || value === null ? '' : plainValue(value, words)),
    [words],
  )
  return (
    <Table
      columns={node.columns}
      rows={node.rows}
      valueAt={valueAt}
      textAt={textAt}
      caption={node.caption}
      order={order}
      onOrder={setOrder}
      locale={locale}
    />
  )
}
