import type { DatabaseSync } from 'node:sqlite'
import { waitWhileHeld } from './hold-commits.ts'
import { type Operations, readsOf, writesOf } from './operations.ts'

/** Beside the operations of storage: what diagnosis and tests look at. */
interface Inspection {
  pragma(statement: string): unknown
  commits(): number
}

export type Calls = Operations & Inspection
export interface Request {
  id: number
  call: keyof Calls
  args: unknown[]
}
export type Reply = { id: number; value: unknown } | { id: number; error: { name: string; message: string } }

/**
 * Runs what has arrived, in order, as one transaction, and replies after its commit (L1): all sessions that wait share
 * one sync of the disk. A request that fails takes back its own writes and nothing else.
 */
export function createGroups(db: DatabaseSync, holdCommits: SharedArrayBuffer | undefined) {
  let commits = 0
  const writes = writesOf(db)
  const inspection: Inspection = {
    pragma: statement => Object.values(db.prepare(`PRAGMA ${statement}`).get() ?? {})[0],
    commits: () => commits,
  }
  const calls = { ...readsOf(db), ...writes, ...inspection } as Record<string, (...args: unknown[]) => unknown>
  const begin = db.prepare('BEGIN IMMEDIATE')
  const savepoint = db.prepare('SAVEPOINT request')
  const undo = db.prepare('ROLLBACK TO request')
  const release = db.prepare('RELEASE request')
  const commit = db.prepare('COMMIT')

  const isWrite = ({ call }: Request) => call in writes

  function answer({ id, call, args }: Request): Reply {
    try {
      return { id, value: calls[call]!(...args) }
    } catch (error) {
      return failed(id, error)
    }
  }

  function attempt(request: Request): Reply {
    savepoint.run()
    const reply = answer(request)
    // SQLite ends the whole transaction by itself when the disk is full or fails: then nobody of the group has written.
    if ('error' in reply && !db.isTransaction) throw Object.assign(new Error(), reply.error)
    if ('error' in reply) undo.run()
    release.run()
    return reply
  }

  return (group: readonly Request[]): Reply[] => {
    if (!group.some(isWrite)) return group.map(answer)
    try {
      begin.run()
      const replies = group.map(request => (isWrite(request) ? attempt(request) : answer(request)))
      if (holdCommits) waitWhileHeld(holdCommits)
      commit.run()
      commits++
      return replies
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      return group.map(({ id }) => failed(id, error))
    }
  }
}

function failed(id: number, error: unknown): Reply {
  const { name, message } = error as Error
  return { id, error: { name, message } }
}
