import { commandKey } from '@vitrine/react'

const shift = commandKey === '⌘' ? '⇧' : 'Shift'

/** Keys of the page. Browsers keep Ctrl+N, Ctrl+B and Ctrl+M for themselves, so these are others. */
export const newSessionKeys = [commandKey, shift, 'O'] as const
export const sideKeys = [commandKey, '\\'] as const
export const dockKeys = [commandKey, '.'] as const

/** The lines that the page adds to the list of keys. */
export const pageKeys = [
  [newSessionKeys, 'sessions.new'],
  [sideKeys, 'layout.side'],
  [dockKeys, 'dock.toggle'],
] as const
