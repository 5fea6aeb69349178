import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StorageRefused } from '../storage.ts'
import { SQLITE } from './failures.ts'

export const DATABASE = 'vitrine.db'
const LOCK = 'vitrine.lock'
const PID = 'vitrine.pid'

/** Makes the folder if it is missing and holds it for this process. The result lets it go again. */
export function claimFolder(folder: string): () => void {
  makeFolder(resolve(folder))
  refuseForeign(folder)
  refuseFolders(folder)
  refuseShared(folder)
  const release = lock(folder)
  const pid = join(folder, PID)
  try {
    writeFileSync(pid, `${process.pid}\n`)
  } catch {
    // It is only for people to read: a server with a full disk starts without it.
  }
  return () => {
    rmSync(pid, { force: true })
    release()
  }
}

function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) throw new StorageRefused(`${folder} is not a folder: choose another data folder.`)
  if (found) return
  // Not `recursive`: that never returns where the system itself denies the folder with ENOENT, as in /proc.
  makeFolder(dirname(folder))
  // The database holds the secret that signs cookies: nobody but its user may look in.
  mkdirSync(folder, { mode: 0o700 })
}

/** Files of somebody else and no database of ours: most likely a mistyped path. */
function refuseForeign(folder: string): void {
  if (existsSync(join(folder, DATABASE))) return
  const foreign = readdirSync(folder).find(name => !/^(vitrine\.|\.|blobs$|lost\+found$)/.test(name))
  if (foreign === undefined) return
  throw new StorageRefused(
    `${folder} holds other files (${foreign}) and no data of Vitrine: choose an empty or a new folder.`,
  )
}

function refuseFolders(folder: string): void {
  const found = readdirSync(folder, { withFileTypes: true }).find(
    entry => entry.name.startsWith('vitrine.') && entry.isDirectory(),
  )
  if (!found) return
  throw new StorageRefused(
    `${join(folder, found.name)} is a folder, and Vitrine keeps a file there: move it away and start again.`,
  )
}

/** Whoever may write here can replace the database and the secret in it. */
function refuseShared(folder: string): void {
  const { mode } = statSync(folder)
  if (process.platform === 'win32' || (mode & 0o022) === 0) return
  const now = (mode & 0o777).toString(8)
  throw new StorageRefused(`${folder} can be written by others (mode ${now}): change it with chmod 700 ${folder}`)
}

/**
 * The lock is an open transaction on an empty SQLite file, because the system itself ends it with the process: a pid in
 * a file can be stale, reused, or invisible from another container. The pid is written for people to read.
 */
function lock(folder: string): () => void {
  const db = new DatabaseSync(join(folder, LOCK), { timeout: 0 })
  try {
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    db.close()
    const { errcode } = error as { errcode?: number }
    if (errcode === SQLITE.notADatabase || errcode === SQLITE.corrupt) {
      throw new StorageRefused(
        `${join(folder, LOCK)} is damaged: stop the server that uses it, if any, and delete this file.`,
      )
    }
    if (errcode !== SQLITE.busy) throw error
    throw new StorageRefused(`${folder} is in use by ${holder(folder)}: stop it or choose another data folder.`)
  }
  return () => db.close()
}

function holder(folder: string): string {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, PID), 'utf8'), 10)
    return pid > 0 ? `another server (process ${pid})` : 'another server'
  } catch {
    return 'another server'
  }
}
