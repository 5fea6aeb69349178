import type { MessageKey } from '@vitrine/react'
import type { ComponentType } from 'react'

export interface Page {
  /** Its name in the palette. */
  title: MessageKey
  load: () => Promise<{ default: ComponentType }>
}

/** Where a person finds what was said, in all sessions. */
export const SEARCH = '/search'
/** What was used, day by day. */
export const USAGE = '/usage'

/** All agents. */
export const AGENTS = '/agents'
/** Where models are connected. */
export const MODELS = '/models'

/** Pages beside the sessions, by path. Each is fetched when it is first opened. */
export const pages: Readonly<Record<string, Page>> = {
  [AGENTS]: { title: 'agents.title', load: async () => ({ default: (await import('./session-views.ts')).AgentsPage }) },
  [MODELS]: { title: 'models.title', load: async () => ({ default: (await import('./session-views.ts')).ModelsPage }) },
  [SEARCH]: { title: 'search.title', load: () => import('./pages/search.tsx') },
  [USAGE]: { title: 'usage.title', load: async () => ({ default: (await import('./session-views.ts')).UsageView }) },
  '/gallery': { title: 'a2ui.gallery', load: () => import('./pages/gallery.tsx') },
  '/playground': { title: 'playground.title', load: () => import('./pages/playground.tsx') },
}

export type Route =
  | { kind: 'home' }
  | { kind: 'session'; sessionId: string }
  | { kind: 'page'; page: Page }
  /** `file`: the address of content that the server does not have any more. */
  | { kind: 'lost'; what?: 'file' }

export function routeOf(path: string): Route {
  if (path === '/') return { kind: 'home' }
  const session = /^\/s\/([^/]+)\/?$/.exec(path)
  if (session) return decoded(session[1]!)
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined
  if (page) return { kind: 'page', page }
  return /^\/api\/.*blobs\//.test(path) ? { kind: 'lost', what: 'file' } : { kind: 'lost' }
}

function decoded(segment: string): Route {
  try {
    return { kind: 'session', sessionId: decodeURIComponent(segment) }
  } catch {
    return { kind: 'lost' }
  }
}

export const sessionPath = (sessionId: string): string => `/s/${encodeURIComponent(sessionId)}`
