import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failureOf } from './failures.ts'

/** The result code of SQLite for a write that the system refused, whatever its reason (SQLITE_IOERR_WRITE). */
const WRITE_REFUSED = 778

describe('P-337 what went wrong is told by what it is', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-failures-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('P-337 a write that failed on a disk with room is not a full disk', () => {
    const error = Object.assign(new Error('disk I/O error'), { errcode: WRITE_REFUSED })
    expect(failureOf(error, folder)).toEqual({ name: 'StorageFailed', message: 'disk I/O error', code: 'io_error' })
    expect(readdirSync(folder)).toEqual([])
    // When the folder itself is the trouble, that is what is told.
    expect(failureOf(error, join(folder, 'gone')).code).toBe('io_error')
  })

  it('P-337 a database that cannot be written is read-only', () => {
    const file = join(folder, 'vitrine.db')
    const db = new DatabaseSync(file)
    db.exec('CREATE TABLE t (a)')
    db.close()
    const reader = new DatabaseSync(file, { readOnly: true })
    try {
      expect(() => reader.exec('INSERT INTO t VALUES (1)')).toThrow(
        expect.toSatisfy(error => failureOf(error, folder).code === 'read_only'),
      )
    } finally {
      reader.close()
    }
  })

  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EFBIG', 'disk_full'],
    ['EROFS', 'read_only'],
    ['EACCES', 'read_only'],
    ['EPERM', 'read_only'],
    ['EIO', 'io_error'],
  ])('P-337 %s of the file system is %s', (code, kind) => {
    expect(failureOf(Object.assign(new Error(code), { code }), folder).code).toBe(kind)
  })
})
