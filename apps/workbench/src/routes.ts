import type { MessageKey } from '@vitrine/react'
import type { ComponentType } from 'react'

export interface Page {
  /** Its name in the palette. */
  title: MessageKey
  load: () => Promise<{ default: ComponentType }>
}

/** Pages beside the sessions, by path. Each is fetched when it is first opened. */
export const pages: Readonly<Record<string, Page>> = {
  '/gallery': { title: 'a2ui.gallery', load: () => import('./pages/gallery.tsx') },
  '/playground': { title: 'playground.title', load: () => import('./pages/playground.tsx') },
}

export type Route =
  | { kind: 'home' }
  | { kind: 'session'; sessionId: string }
  | { kind: 'page'; page: Page }
  | { kind: 'lost' }

export function routeOf(path: string): Route {
  if (path === '/') return { kind: 'home' }
  const session = /^\/s\/([^/]+)\/?$/.exec(path)
  if (session) return decoded(session[1]!)
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined
  return page ? { kind: 'page', page } : { kind: 'lost' }
}

function decoded(segment: string): Route {
  try {
    return { kind: 'session', sessionId: decodeURIComponent(segment) }
  } catch {
    return { kind: 'lost' }
  }
}

export const sessionPath = (sessionId: string): string => `/s/${encodeURIComponent(sessionId)}`
