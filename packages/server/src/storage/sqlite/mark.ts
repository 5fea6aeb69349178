import { hash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { DATABASE } from './folder.ts'

/** What the folder remembers of its database, outside of it: how far it had come, and how it was left. */
interface Mark {
  instance: string
  /** Never ahead of the database: it is written after each commit, and the database is synced before. */
  commits: number
  /** The number of commits that are in the database file itself, whatever its WAL holds: it never goes back. */
  base: number
  /** The server was stopped and had time to close the database. */
  clean: boolean
}

interface SealedMark extends Mark {
  /** Without a digest, a flipped bit would look like lost commits, and `--accept-loss` would then lose data. */
  digest: string
}

const digestOfMark = ({ instance, commits, base, clean }: Mark): string =>
  hash('sha256', JSON.stringify([instance, commits, base, clean])).slice(0, 16)

const MARK = 'vitrine.mark'
/** The mark is always as long as this: it is written over in place, in one call. */
const LENGTH = 160

const GO_ON = 'put the lost file back from a backup, or start with --accept-loss to go on with what is left.'

/**
 * What was lost and what to do, in one line; nothing when the database is all that the folder once held. It changes no
 * file, because what was lost may be put back: SQLite deletes the WAL beside an empty database when it opens it, and
 * moves the WAL into whatever database lies there when it closes it. Only a loss that is accepted may be repaired.
 */
export function lossOf(folder: string, mayRepair: boolean): string | undefined {
  const mark = readMark(folder)
  if (mark === undefined) return undefined
  const file = join(folder, DATABASE)
  if (mark === 'damaged') {
    return `${join(folder, MARK)} is damaged, so that nobody can tell whether ${file} is whole: ${GO_ON}`
  }
  // A WAL does not know its database: read through the old one, another database would look like the right one.
  const alone = withoutWal(file)
  const replaced = alone?.id !== undefined && (alone.id !== mark.instance || alone.commits < mark.base)
  // Moved into a database that it does not belong to, the WAL would destroy that one as well.
  if (replaced && mayRepair) setWalAside(file)
  const whole = alone !== undefined && alone.id === mark.instance && alone.commits >= mark.commits
  if (whole && storedIn(file, false).commits < alone.commits) {
    if (!mayRepair) return `${file}-wal is older than the database beside it: move it away and start again.`
    setWalAside(file)
    return undefined
  }
  const { id, commits } = replaced ? alone : storedIn(file, mayRepair)
  if (id === undefined) return `${file} was deleted or emptied, with all ${mark.commits} commits in it: ${GO_ON}`
  if (id !== mark.instance) return `${file} is not the database that this folder held: ${GO_ON}`
  if (commits >= mark.commits) return undefined
  const cause =
    replaced || mark.clean
      ? 'it was replaced by an older copy'
      : `${DATABASE}-wal was deleted or cut after the server had been killed, or an older copy took its place`
  return `${file} has lost its last ${mark.commits - commits} commits (${cause}): ${GO_ON}`
}

/** How what was found beside a database and does not belong to it is kept, until something is erased. */
export const SET_ASIDE = '.set-aside'

function setWalAside(file: string): void {
  rmSync(`${file}-shm`, { force: true })
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${file}-wal.${Date.now()}${SET_ASIDE}`)
}

/** Keeps the mark beside an open database. */
export function openMark(folder: string, db: DatabaseSync) {
  const { id, commits } = instanceOf(db)
  const database = join(folder, DATABASE)
  const file = openSync(join(folder, MARK), constants.O_RDWR | constants.O_CREAT, 0o600)
  const wal = walOf(database)
  let last = commits
  let base = withoutWal(database)?.commits ?? 0
  function write(clean: boolean): void {
    const mark: Mark = { instance: id!, commits: last, base, clean }
    const sealed = { ...mark, digest: digestOfMark(mark) }
    try {
      writeSync(file, `${JSON.stringify(sealed).padEnd(LENGTH - 1)}\n`, 0)
    } catch {
      // A mark that stays behind misses a loss at worst; the facts are in the database.
    }
  }
  write(false)
  return {
    committed(commits: number): void {
      // A WAL begins anew when all that was in it has come into the database.
      if (wal.beganAnew()) base = last
      last = commits
      write(false)
    },
    close(): void {
      // Closing the database has moved the WAL into it.
      base = withoutWal(database)?.commits ?? base
      write(true)
      wal.close()
      closeSync(file)
    },
  }
}

function readMark(folder: string): Mark | 'damaged' | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, MARK), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    // Older marks say nothing of the file itself, and have no digest.
    const { instance = '', commits = -1, base = 0, clean = false, digest } = JSON.parse(text) as Partial<SealedMark>
    const mark: Mark = { instance, commits, base, clean }
    const known = instance !== '' && Number.isSafeInteger(commits) && Number.isSafeInteger(base) && commits >= 0
    if (known && (digest ?? digestOfMark(mark)) === digestOfMark(mark)) return mark
  } catch {
    // Not what we wrote.
  }
  return 'damaged'
}

interface Instance {
  id: string | undefined
  commits: number
}

function storedIn(file: string, mayRepair: boolean): Instance {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return { id: undefined, commits: 0 }
  const db = new DatabaseSync(file, { readOnly: !mayRepair, timeout: 5_000, defensive: true })
  try {
    return instanceOf(db)
  } finally {
    db.close()
  }
}

/** What the database file holds itself. Nothing when it cannot be read: then only its WAL can make it whole. */
function withoutWal(file: string): Instance | undefined {
  const url = pathToFileURL(file)
  // `immutable` makes SQLite read the file without its WAL.
  url.searchParams.set('immutable', '1')
  try {
    const db = new DatabaseSync(url, { readOnly: true, defensive: true })
    try {
      return instanceOf(db)
    } finally {
      db.close()
    }
  } catch {
    return undefined
  }
}

/** Tells by the salt in its header whether the WAL of an open database is another one than when it was last asked. */
function walOf(database: string) {
  const salt = Buffer.alloc(8)
  let file: number | undefined
  /** Empty without a WAL, nothing when nobody can tell. */
  const read = (): string | undefined => {
    try {
      file ??= openSync(`${database}-wal`, constants.O_RDONLY)
      return salt.toString('hex', 0, readSync(file, salt, 0, 8, 16))
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : undefined
    }
  }
  let last = read()
  return {
    beganAnew(): boolean {
      const before = last
      last = read()
      return before !== undefined && last !== undefined && last !== before
    },
    close: () => file !== undefined && closeSync(file),
  }
}

/** Format 1 does not count its commits. */
function instanceOf(db: DatabaseSync): Instance {
  const tables = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'instance'`).all()
  const row = tables.length === 0 ? undefined : db.prepare('SELECT * FROM instance').get()
  return { id: row?.id as string | undefined, commits: (row?.commits as number | undefined) ?? 0 }
}
