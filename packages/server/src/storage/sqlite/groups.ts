import type { DatabaseSync } from 'node:sqlite'
import { eraseFromBackups } from './backups.ts'
import { type Failure, failureOf, revive } from './failures.ts'
import { type Reads, readsOf, type Writes, writesOf } from './operations.ts'
import { waitWhilePaused } from './pause-commits.ts'
import { scrub } from './scrub.ts'

/** Beside the operations of storage: what diagnosis and tests look at. */
interface Inspection {
  pragma(statement: string): unknown
  commits(): number
}

/** What each of the two workers is asked for. */
export interface Calls {
  read: Reads
  /** `scrub` works outside of the transaction of a group. */
  write: Writes & Inspection & { scrub(): void }
}
export interface Request {
  id: number
  call: string
  args: unknown[]
}
export type Reply = { id: number; value: unknown } | { id: number; error: Failure }

type AnyCall = Record<string, (...args: unknown[]) => unknown>

function answering(calls: AnyCall, folder: string) {
  return ({ id, call, args }: Request): Reply => {
    try {
      return { id, value: calls[call]!(...args) }
    } catch (error) {
      return { id, error: failureOf(error, folder) }
    }
  }
}

/** Each read sees what was committed when it began. */
export function createReads(db: DatabaseSync, folder: string) {
  const answer = answering(readsOf(db) as unknown as AnyCall, folder)
  return (group: readonly Request[]): Reply[] => group.map(answer)
}

/**
 * Runs what has arrived, in order, as one transaction, and replies after its commit (L1): all sessions that wait share
 * one sync of the disk. A request that fails takes back its own writes and nothing else.
 */
export function createGroups(
  db: DatabaseSync,
  {
    folder,
    committed,
    pauseCommits,
  }: { folder: string; committed: (commits: number) => void; pauseCommits: SharedArrayBuffer | undefined },
) {
  const countCommit = db.prepare('UPDATE instance SET commits = commits + 1 RETURNING commits')
  let commits = 0
  const writes = writesOf(db)
  const inspection: Inspection = {
    pragma: statement => Object.values(db.prepare(`PRAGMA ${statement}`).get() ?? {})[0],
    commits: () => commits,
  }
  const answer = answering({ ...writes, ...inspection } as unknown as AnyCall, folder)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const savepoint = db.prepare('SAVEPOINT request')
  const undo = db.prepare('ROLLBACK TO request')
  const release = db.prepare('RELEASE request')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')

  const isWrite = ({ call }: Request) => call in writes
  const isErasure = ({ call }: Request) => call === 'eraseSession'
  const isScrub = ({ call }: Request) => call === 'scrub'

  /** Within a transaction. SQLite ends it by itself when the disk is full or fails: then nobody of the group has written. */
  function attempt(request: Request): Reply {
    const reply = answer(request)
    if ('error' in reply && !db.isTransaction) throw revive(reply.error)
    return reply
  }

  function attemptAlone(request: Request): Reply {
    savepoint.run()
    const reply = attempt(request)
    if ('error' in reply) undo.run()
    release.run()
    return reply
  }

  /** Few requests fail. Only when one does, all of them are done again, each so that it can be taken back by itself. */
  function attemptAll(group: readonly Request[]): Reply[] {
    const replies = group.map(attempt)
    if (!replies.some(reply => 'error' in reply)) return replies
    rollback.run()
    begin.run()
    return group.map(request => (isWrite(request) ? attemptAlone(request) : answer(request)))
  }

  function runTogether(group: readonly Request[]): Reply[] {
    if (!group.some(isWrite)) return group.map(answer)
    try {
      begin.run()
      const replies = attemptAll(group)
      if (pauseCommits) waitWhilePaused(pauseCommits)
      const { commits: number } = countCommit.get() as { commits: number }
      commit.run()
      commits++
      committed(number)
      return replies
    } catch (error) {
      if (db.isTransaction) rollback.run()
      return group.map(({ id }) => ({ id, error: failureOf(error, folder) }))
    }
  }

  /** Copies come first: whatever stops us before the row is gone leaves a session that can be erased again. */
  function eraseTogether(group: readonly Request[]): Reply[] {
    try {
      for (const { args } of group) eraseFromBackups(folder, args[0] as string)
      return runTogether(group)
    } catch (error) {
      return group.map(({ id }) => ({ id, error: failureOf(error, folder) }))
    }
  }

  /** The rows are gone for ever, whatever happens now: who waits hears whether their bytes are, too. */
  function scrubAfter(replies: Reply[]): Reply[] {
    try {
      scrub(db)
      return replies
    } catch (error) {
      const { message, code = 'unknown' } = failureOf(error, folder)
      const left: Failure = { name: 'ErasureIncomplete', message, code }
      return replies.map(reply => ('error' in reply ? reply : { id: reply.id, error: left }))
    }
  }

  return (group: readonly Request[]): Reply[] => {
    const erasures = group.filter(isErasure)
    const scrubs = group.filter(isScrub)
    if (erasures.length + scrubs.length === 0) return runTogether(group)
    const others = group.filter(request => !isErasure(request) && !isScrub(request))
    const asked: Reply[] = scrubs.map(({ id }) => ({ id, value: undefined }))
    return [...runTogether(others), ...scrubAfter([...eraseTogether(erasures), ...asked])]
  }
}
