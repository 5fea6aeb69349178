import type { Folder } from '@vitrine/protocol'

/** The folders of people's session lists. Which folder a session is in stands in its row. */
export interface FolderStore {
  /** In the order of their ids. */
  folders(owner: string): Promise<Folder[]>
  /** Makes the folder, or gives it this name. */
  saveFolder(owner: string, folder: Folder): Promise<void>
  /** Says whether there was one. Its sessions stay as they are: a folder that is not there counts as none. */
  removeFolder(owner: string, folderId: string): Promise<boolean>
}
