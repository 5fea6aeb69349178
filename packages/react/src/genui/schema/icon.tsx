import { mediaProblem, type UiIconSpec } from '@vitrine/genui/schema'
import type { LucideIcon } from 'lucide-react'
import Shapes from 'lucide-react/icons/shapes'
import { type CSSProperties, useEffect, useState, useSyncExternalStore } from 'react'
import { visible } from '../../visible.tsx'

type Icons = Readonly<Record<string, LucideIcon>>

let loaded: Icons | undefined
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

/** Loads the named icons once for the page. */
export function loadIcons(): Promise<void> {
  loading ??= import('./icon-set.ts').then(
    ({ icons }) => {
      loaded = icons
      for (const listener of listeners) listener()
    },
    () => {
      // Decoration: the place stays empty, and the next card tries again.
      loading = undefined
    },
  )
  return loading
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const current = () => loaded

/** `CalendarCheck`, `calendar_check` and `calendar-check` are one icon. */
const nameOf = (value: string): string =>
  value
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase()

/** Decoration beside words. Its place is kept while it loads. */
export function Icon({ icon }: { icon: UiIconSpec }) {
  const style: CSSProperties = {}
  if (icon.color !== undefined) style.color = icon.color
  if (icon.size !== undefined) style.fontSize = `${icon.size / 16}rem`
  if (icon.source === 'emoji')
    return (
      <span className="v-ui-icon v-ui-emoji" style={style}>
        {visible(icon.value)}
      </span>
    )
  return (
    <span className="v-ui-icon" style={style} aria-hidden>
      {icon.source === 'url' ? <Picture url={icon.value} /> : <Named name={nameOf(icon.value)} />}
    </span>
  )
}

function Named({ name }: { name: string }) {
  const icons = useSyncExternalStore(subscribe, current, current)
  useEffect(() => {
    if (!icons) void loadIcons()
  }, [icons])
  if (!icons) return null
  const Found = Object.hasOwn(icons, name) ? icons[name]! : Shapes
  return <Found />
}

function Picture({ url }: { url: string }) {
  const [failed, setFailed] = useState(false)
  if (failed || mediaProblem(url)) return <Shapes />
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailed(true)}
    />
  )
}
