import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { write } from './statements.ts'

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The reading part of InstanceStore. */
export function instanceReads(db: DatabaseSync) {
  const instance = db.prepare('SELECT id, secret FROM instance')
  return {
    instance: () => instance.get() as { id: string; secret: string },
  }
}

/** The writing part of InstanceStore. */
export function instanceWrites(db: DatabaseSync) {
  const setSecret = db.prepare('UPDATE instance SET secret = ?')
  return {
    rotateSecret(): string {
      const secret = newSecret()
      write(setSecret, secret)
      return secret
    },
  }
}
