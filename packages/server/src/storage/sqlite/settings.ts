import type { DatabaseSync } from 'node:sqlite'
import type { JsonObject } from '@vitrine/protocol'
import type { Setting, StoredSetting } from '../settings-store.ts'
import { digestOfText } from './chain.ts'
import { find, write } from './statements.ts'

interface Row {
  kind: string
  id: string
  version: number
  data: string
  digest: string
}

const digestOf = (owner: string, { kind, id, version, data }: Omit<Row, 'digest'>): string =>
  digestOfText(0, JSON.stringify([owner, kind, id, version, data]))

const isWhole = (owner: string, row: Row): boolean => digestOf(owner, row) === row.digest

const storedOf = ({ kind, id, version, data }: Row): StoredSetting => ({
  kind,
  id,
  version,
  data: JSON.parse(data) as JsonObject,
})

const ONE = 'SELECT kind, id, version, data, digest FROM settings WHERE owner = ? AND kind = ? AND id = ?'

/** The reading part of SettingsStore. */
export function settingsReads(db: DatabaseSync) {
  const all = db.prepare(
    'SELECT kind, id, version, data, digest FROM settings WHERE owner = ? AND kind = ? ORDER BY number',
  )
  const one = db.prepare(ONE)
  return {
    settings: (owner: string, kind: string): StoredSetting[] =>
      find<Row>(all, owner, kind)
        .filter(row => isWhole(owner, row))
        .map(storedOf),
    setting(owner: string, kind: string, id: string): StoredSetting | undefined {
      const [row] = find<Row>(one, owner, kind, id)
      return row && isWhole(owner, row) ? storedOf(row) : undefined
    },
  }
}

/** The writing part of SettingsStore. */
export function settingsWrites(db: DatabaseSync) {
  const one = db.prepare(ONE)
  const save = db.prepare(
    `INSERT INTO settings (owner, kind, id, version, data, digest) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET version = excluded.version, data = excluded.data, digest = excluded.digest`,
  )
  const remove = db.prepare('DELETE FROM settings WHERE owner = ? AND kind = ? AND id = ?')
  return {
    saveSetting(owner: string, { kind, id, data }: Setting, expected?: number): number | undefined {
      const [before] = find<Row>(one, owner, kind, id)
      const known = before && isWhole(owner, before) ? before.version : 0
      if (expected !== undefined && expected !== known) return undefined
      const row = { kind, id, version: known + 1, data: JSON.stringify(data) }
      write(save, owner, kind, id, row.version, row.data, digestOf(owner, row))
      return row.version
    },
    removeSetting: (owner: string, kind: string, id: string): boolean => write(remove, owner, kind, id) > 0,
  }
}
