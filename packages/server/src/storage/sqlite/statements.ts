import type { SQLInputValue, StatementSync } from 'node:sqlite'

/** Tables that belong to sessions know them by number. */
export const OF_SESSION = 'session = (SELECT number FROM sessions WHERE session_id = ? AND erase_at IS NULL)'

/** UTF-8 has no form for a lone surrogate: SQLite would keep another text than it was given. NUL ends text in C. */
const isExact = (value: SQLInputValue) => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))

/** Runs a statement and says how many rows it changed. */
export function write(statement: StatementSync, ...values: SQLInputValue[]): number {
  if (!values.every(isExact)) throw new TypeError('Text with a lone surrogate or NUL cannot be stored here')
  return Number(statement.run(...values).changes)
}

/** What cannot have been stored is not looked for: its repaired form could be the key of somebody else. */
export function find<T>(statement: StatementSync, ...values: SQLInputValue[]): T[]
export function find<T>(statement: StatementSync, named: Record<string, SQLInputValue>): T[]
export function find<T>(statement: StatementSync, ...values: [Record<string, SQLInputValue>] | SQLInputValue[]): T[] {
  const given = values as SQLInputValue[]
  const [named] = values
  const isNamed = typeof named === 'object' && named !== null && !ArrayBuffer.isView(named)
  return (isNamed ? Object.values(named) : given).every(isExact) ? (statement.all(...given) as T[]) : []
}

/** A negative LIMIT means none at all. */
export const atLeastZero = (limit: number) => Math.max(0, limit)
