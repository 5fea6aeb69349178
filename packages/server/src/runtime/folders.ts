import type { Principal } from '../auth/principal.ts'
import { Refusal } from '../refusal.ts'
import type { FolderStore } from '../storage/folder-store.ts'
import type { Hub } from '../stream/hub.ts'
import type { Runtime } from './runtime.ts'

/** How many folders a person may have: all of them are sent at once. */
const MOST = 200

export interface Folders extends Pick<Runtime, 'listFolders' | 'saveFolder' | 'deleteFolder'> {
  /** Refuses a folder that the person does not have. */
  check(who: Principal, folderId: string): Promise<void>
}

/** The folders of people's session lists: everybody who sees the list is told of a change. */
export function createFolders(storage: FolderStore, hub: Pick<Hub, 'publishFolders'>): Folders {
  const check = async (who: Principal, folderId: string): Promise<void> => {
    const folders = await storage.folders(who.id)
    if (folders.some(folder => folder.folderId === folderId)) return
    throw new Refusal('folder_not_found', 'There is no such folder.', { next: 'GET /api/folders lists them.' })
  }

  return {
    check,
    listFolders: async who => ({ folders: await storage.folders(who.id) }),
    async saveFolder(who, folderId, { name }) {
      const folder = { folderId, name }
      const others = (await storage.folders(who.id)).filter(one => one.folderId !== folderId)
      if (others.length >= MOST) {
        const why = `There are ${MOST} folders already.`
        throw new Refusal('folder_limit', why, { params: { most: MOST }, next: 'Delete one first.' })
      }
      await storage.saveFolder(who.id, folder)
      hub.publishFolders(who.id, await storage.folders(who.id))
      return { folder }
    },
    async deleteFolder(who, folderId) {
      await check(who, folderId)
      await storage.removeFolder(who.id, folderId)
      hub.publishFolders(who.id, await storage.folders(who.id))
    },
  }
}
