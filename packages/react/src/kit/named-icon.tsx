import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import type { findIcon, IconVocabulary } from './agent-icons.ts'
import { Icon } from './icon.tsx'

let find: typeof findIcon | undefined
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

/** Loads the icons that agents may name, once for the page. */
export function loadIcons(): Promise<void> {
  loading ??= import('./agent-icons.ts').then(
    icons => {
      find = icons.findIcon
      for (const listener of listeners) listener()
    },
    () => {
      // An icon is decoration: its place stays empty, and the next one tries again.
      loading = undefined
    },
  )
  return loading
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const current = () => find

interface Props {
  name: string
  vocabulary: IconVocabulary
  /** Stands in the place of an icon that nobody knows. */
  unknown: ReactNode
}

/** An icon that an agent named. Nothing is drawn while the icons are on their way. */
export function NamedIcon({ name, vocabulary, unknown }: Props) {
  const found = useSyncExternalStore(subscribe, current, current)
  useEffect(() => {
    if (!found) void loadIcons()
  }, [found])
  if (!found) return null
  const data = found(name, vocabulary)
  return data ? <Icon of={data} /> : unknown
}
