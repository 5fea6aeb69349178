import { mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Stop } from './run.mjs'

/**
 * A pid can be used again after a restart. Together with the start
 * time of the process, where the system tells it, it is unique.
 * @param {number} pid
 */
function identity(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : `${pid} ${fields[19]}`
  } catch {
    try {
      process.kill(pid, 0)
      return `${pid}`
    } catch (error) {
      return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM' ? `${pid}` : undefined
    }
  }
}

/** @param {string} content */
const isHeld = content =>
  content.split('\n').some(holder => holder !== '' && identity(Number.parseInt(holder, 10)) === holder)

/** @param {string} file */
function read(file) {
  try {
    return { content: readFileSync(file, 'utf8'), age: Date.now() - statSync(file).mtimeMs }
  } catch {
    return undefined
  }
}

/**
 * Only one process at a time may decide that a lock is abandoned. A second one would remove the new lock of the first.
 * @param {string} file
 * @param {string} abandoned
 */
function steal(file, abandoned) {
  const guard = `${file}.steal`
  try {
    mkdirSync(guard)
  } catch {
    const seen = statSync(guard, { throwIfNoEntry: false })
    if (seen && Date.now() - seen.mtimeMs > 10_000) rmdirSync(guard)
    return
  }
  try {
    if (read(file)?.content === abandoned) unlinkSync(file)
  } finally {
    rmdirSync(guard)
  }
}

/**
 * Runs `body` while no other process holds the lock. The lock of a process that has died is taken over, but not before
 * the child it started (`alsoHeldBy`) has ended too.
 * @template T
 * @param {string} file
 * @param {(lock: { alsoHeldBy: (pid: number) => void }) => Promise<T>} body
 * @param {{ waiting?: (pid: number) => void, limitMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(file, body, { waiting, limitMs = 20 * 60_000 } = {}) {
  mkdirSync(dirname(file), { recursive: true })
  const own = identity(process.pid) ?? `${process.pid}`
  const since = Date.now()
  let told = false
  for (;;) {
    try {
      writeFileSync(file, own, { flag: 'wx' })
      break
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    const seen = read(file)
    if (!seen) continue
    // An empty lock file is just being written by its owner.
    if (!isHeld(seen.content) && (seen.content !== '' || seen.age > 5_000)) {
      steal(file, seen.content)
      continue
    }
    const holder = Number.parseInt(seen.content, 10)
    if (!told) waiting?.(holder)
    told = true
    if (Date.now() - since > limitMs) {
      throw new Stop(`Another set-up (process ${holder}) does not end. Stop it, or remove ${file}, and run this again.`)
    }
    await sleep(100)
  }
  try {
    return await body({ alsoHeldBy: pid => writeFileSync(file, `${own}\n${identity(pid) ?? ''}`) })
  } finally {
    unlinkSync(file)
  }
}
