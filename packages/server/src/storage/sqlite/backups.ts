import { chmodSync, closeSync, copyFileSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SET_ASIDE } from './mark.ts'

const PARTIAL = '.partial'

/** A complete, durable copy beside the database; a failed attempt never leaves a half copy under the final name. */
export function backUp(db: DatabaseSync, file: string, version: number): void {
  const copy = file.replace(/(\.db)?$/, `.v${version}.backup.db`)
  const partial = `${copy}${PARTIAL}`
  rmSync(partial, { force: true })
  db.prepare('VACUUM INTO ?').run(partial)
  chmodSync(partial, 0o600)
  sync(partial)
  renameSync(partial, copy)
  sync(dirname(copy))
}

/** Every copy that a migration made loses the session, whatever format it has. */
export function eraseFromBackups(folder: string, sessionId: string): void {
  const named = (end: string) => readdirSync(folder).filter(name => name.endsWith(end))
  for (const name of named('.backup.db')) eraseFrom(join(folder, name), sessionId)
  // What an attempt that was cut off has left: the ones above have taken their names, so these belong to no copy.
  for (const name of named(`.backup.db${PARTIAL}`)) rmSync(join(folder, name), { force: true })
  // Nobody can take one session out of a WAL that has no database.
  for (const name of named(SET_ASIDE)) rmSync(join(folder, name), { force: true })
}

/** The copy is replaced by one without the session: a crash leaves the old one or the new one. */
function eraseFrom(copy: string, sessionId: string): void {
  const partial = `${copy}${PARTIAL}`
  copyFileSync(copy, partial)
  const db = new DatabaseSync(partial, { enableForeignKeyConstraints: true })
  try {
    db.prepare('DELETE FROM sessions WHERE session_id = ?').run(sessionId)
    // In format 1 an answer does not say whose it is, but its key or its body names the session.
    db.prepare('DELETE FROM answers WHERE instr(key, ?1) > 0 OR instr(body, ?1) > 0').run(sessionId)
    db.exec('VACUUM')
  } finally {
    db.close()
  }
  sync(partial)
  renameSync(partial, copy)
  sync(dirname(copy))
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
