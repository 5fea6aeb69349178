import type { DatabaseSync } from 'node:sqlite'
import { StorageFailed } from '../storage.ts'
import { eraseFromBackups } from './backups.ts'
import { type Failure, failureOf, revive } from './failures.ts'
import { waitWhileHeld } from './hold-commits.ts'
import { type Reads, readsOf, type Writes, writesOf } from './operations.ts'

/** Beside the operations of storage: what diagnosis and tests look at. */
interface Inspection {
  pragma(statement: string): unknown
  commits(): number
}

/** What each of the two workers is asked for. */
export interface Calls {
  read: Reads
  write: Writes & Inspection
}
export interface Request {
  id: number
  call: string
  args: unknown[]
}
export type Reply = { id: number; value: unknown } | { id: number; error: Failure }

type AnyCall = Record<string, (...args: unknown[]) => unknown>

function answering(calls: AnyCall) {
  return ({ id, call, args }: Request): Reply => {
    try {
      return { id, value: calls[call]!(...args) }
    } catch (error) {
      return { id, error: failureOf(error) }
    }
  }
}

/** Each read sees what was committed when it began. */
export function createReads(db: DatabaseSync) {
  const answer = answering(readsOf(db) as unknown as AnyCall)
  return (group: readonly Request[]): Reply[] => group.map(answer)
}

/**
 * Runs what has arrived, in order, as one transaction, and replies after its commit (L1): all sessions that wait share
 * one sync of the disk. A request that fails takes back its own writes and nothing else.
 */
export function createGroups(
  db: DatabaseSync,
  { folder, holdCommits }: { folder: string; holdCommits: SharedArrayBuffer | undefined },
) {
  let commits = 0
  const writes = writesOf(db)
  const inspection: Inspection = {
    pragma: statement => Object.values(db.prepare(`PRAGMA ${statement}`).get() ?? {})[0],
    commits: () => commits,
  }
  const answer = answering({ ...writes, ...inspection } as unknown as AnyCall)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const savepoint = db.prepare('SAVEPOINT request')
  const undo = db.prepare('ROLLBACK TO request')
  const release = db.prepare('RELEASE request')
  const commit = db.prepare('COMMIT')
  const emptyWal = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)')

  const isWrite = ({ call }: Request) => call in writes
  const isErasure = ({ call }: Request) => call === 'eraseSession'

  function attempt(request: Request): Reply {
    savepoint.run()
    const reply = answer(request)
    // SQLite ends the whole transaction by itself when the disk is full or fails: then nobody of the group has written.
    if ('error' in reply && !db.isTransaction) throw revive(reply.error)
    if ('error' in reply) undo.run()
    release.run()
    return reply
  }

  function runTogether(group: readonly Request[]): Reply[] {
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
      return group.map(({ id }) => ({ id, error: failureOf(error) }))
    }
  }

  /** The row goes last but one, so that whatever stops us before leaves a session that can be erased again. */
  function erase(request: Request): Reply {
    try {
      eraseFromBackups(folder, request.args[0] as string)
      const [reply] = runTogether([request])
      // The WAL still has the pages as they were. Opening the database empties it, too, should this be cut short.
      const { busy } = emptyWal.get() as { busy: number }
      if (busy !== 0)
        throw new StorageFailed('unknown', 'The WAL of the database is in use and still holds the session')
      return reply!
    } catch (error) {
      return { id: request.id, error: failureOf(error) }
    }
  }

  return function run(group: readonly Request[]): Reply[] {
    const at = group.findIndex(isErasure)
    if (at < 0) return runTogether(group)
    return [...runTogether(group.slice(0, at)), erase(group[at]!), ...run(group.slice(at + 1))]
  }
}
