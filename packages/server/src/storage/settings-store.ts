import type { JsonObject } from '@vitrine/protocol'

/** One thing that a person has set, such as a provider or an agent. */
export interface Setting {
  /** What it is, such as `provider` or `agent`. */
  kind: string
  /** Its name among the things of this kind that the person has. */
  id: string
  data: JsonObject
}

/** A setting as it is stored: with how often it was written since it was made. */
export interface StoredSetting extends Setting {
  version: number
}

/**
 * What people have set: small records by owner, kind and id. A secret in one of them is sealed before it comes here. A
 * record that is damaged counts as none, and can be written anew.
 */
export interface SettingsStore {
  /** All of a kind, in the order in which they were made. */
  settings(owner: string, kind: string): Promise<StoredSetting[]>
  setting(owner: string, kind: string, id: string): Promise<StoredSetting | undefined>
  /**
   * Writes the record and gives its version. With `expected` it is written only when that version is stored, and 0 stands
   * for none; otherwise nothing happens and undefined comes back.
   */
  saveSetting(owner: string, setting: Setting, expected?: number): Promise<number | undefined>
  /** Says whether there was one. */
  removeSetting(owner: string, kind: string, id: string): Promise<boolean>
}
