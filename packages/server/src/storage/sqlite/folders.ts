import type { DatabaseSync } from 'node:sqlite'
import type { Folder } from '@vitrine/protocol'
import { digestOfText } from './chain.ts'
import { find, write } from './statements.ts'

const digestOf = (owner: string, { folderId, name }: Folder): string =>
  digestOfText(0, JSON.stringify([owner, folderId, name]))

/** The reading part of FolderStore. */
export function folderReads(db: DatabaseSync) {
  const folders = db.prepare(
    'SELECT folder_id AS folderId, name, digest FROM folders WHERE owner = ? ORDER BY folder_id',
  )
  return {
    /** A name that is damaged is not shown. */
    folders: (owner: string): Folder[] =>
      find<Folder & { digest: string }>(folders, owner).map(({ digest, ...folder }) =>
        digestOf(owner, folder) === digest ? folder : { ...folder, name: '' },
      ),
  }
}

/** The writing part of FolderStore. */
export function folderWrites(db: DatabaseSync) {
  const save = db.prepare(
    `INSERT INTO folders (owner, folder_id, name, digest) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET name = excluded.name, digest = excluded.digest`,
  )
  const remove = db.prepare('DELETE FROM folders WHERE owner = ? AND folder_id = ?')
  return {
    saveFolder(owner: string, folder: Folder): void {
      write(save, owner, folder.folderId, folder.name, digestOf(owner, folder))
    },
    removeFolder: (owner: string, folderId: string): boolean => write(remove, owner, folderId) > 0,
  }
}
