import type { KeyLine } from '@vitrine/react'

/**
 * Keys of the page. Browsers keep Ctrl+N, Ctrl+B and Ctrl+M for themselves, so these are others (decision 42). What acts
 * on a key asks this table.
 */
export const pageKeys = {
  palette: 'Mod+K',
  newSession: 'Mod+Shift+O',
  nextWaiting: 'Mod+;',
  side: 'Mod+\\',
  dock: 'Mod+.',
  regions: 'F6',
  regionsBack: 'Shift+F6',
  help: 'Mod+/',
  helpSign: '?',
} as const

export type PageKey = keyof typeof pageKeys

/** The lines that the page adds to the list of keys. */
export const pageKeyLines: readonly KeyLine[] = [
  [[pageKeys.palette], 'keys.palette'],
  [[pageKeys.newSession], 'sessions.new'],
  [[pageKeys.nextWaiting], 'keys.nextWaiting'],
  [[pageKeys.side], 'layout.side'],
  [[pageKeys.dock], 'dock.toggle'],
  [[pageKeys.regions, pageKeys.regionsBack], 'keys.regions'],
  [[pageKeys.helpSign, pageKeys.help], 'keys.help'],
]
