import { createContext, useContext, useSyncExternalStore } from 'react'
import type { MediaChoices } from './media-choices.ts'

/** Without a server behind the page, nothing from elsewhere can be loaded. */
export const MediaContext = createContext<MediaChoices | null>(null)

const nothing = () => () => {}

/** What the person decided about media from elsewhere. The component is drawn again when that changes. */
export function useMediaChoices(): MediaChoices | null {
  const choices = useContext(MediaContext)
  const read = () => choices?.version() ?? 0
  useSyncExternalStore(choices?.subscribe ?? nothing, read, read)
  return choices
}
