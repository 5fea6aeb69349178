import type { SessionSummary } from '@vitrine/protocol'
import { Icon, IconButton, icons, type MessagePlace, SessionMark, useI18n, useSetting, visible } from '@vitrine/react'
import { useCallback, useEffect, useRef } from 'react'
import { hrefOf, navigate } from './router.ts'
import { SEARCH, sessionPath } from './routes.ts'
import { askedIn } from './search-place.ts'

export interface OpenTabs {
  /** The ids of sessions, and the path of the search. */
  ids: readonly string[]
  /** How each session was called when it was last seen: the list may not have come to it yet. */
  titles: Readonly<Record<string, string>>
  /** What the search that has a tab was asked, as its address says it. */
  search: string
  /** Opens a session in a tab of its own, at a message if one is given. */
  open: (sessionId: string, place?: MessagePlace) => void
  /** Goes to a search, which has one tab. */
  openSearch: (path: string) => void
  close: (id: string) => void
  /** Goes to the first screen; what begins there gets a tab of its own. */
  add: () => void
}

interface Kept {
  ids: readonly string[]
  last: string | null
  search?: string
  titles?: Readonly<Record<string, string>>
}

/**
 * The sessions and the search that are open side by side. Going to a session takes the place of the tab one was in, as in a browser, unless
 * it is open already or a tab of its own was asked for. A session gets its tab when it is found: a dead link has none.
 */
export function useOpenTabs(
  id: string | null,
  query: string,
  opened: SessionSummary | null,
  sessions: readonly SessionSummary[],
): OpenTabs {
  const [{ ids, last, search = '', titles = NO_TITLES }, set] = useSetting<Kept>('vitrine.openTabs', {
    ids: [],
    last: null,
  })
  const apart = useRef(false)
  const asked = id === SEARCH ? query : search
  useEffect(() => {
    const kept = { ids, last, search, titles }
    if (id !== null && (id === SEARCH || id === opened?.sessionId) && (id !== last || asked !== search)) {
      const place = apart.current || last === null ? -1 : ids.indexOf(last)
      apart.current = false
      kept.ids = ids.includes(id) ? ids : place < 0 ? [...ids, id] : ids.with(place, id)
      kept.last = id
      kept.search = asked
    }
    const known = opened ? [opened, ...sessions] : sessions
    const titled = kept.ids.flatMap(one => {
      const title = known.find(({ sessionId }) => sessionId === one)?.title || titles[one]
      return title ? [[one, title] as const] : []
    })
    const same = titled.length === Object.keys(titles).length && titled.every(([one, title]) => titles[one] === title)
    if (!same) kept.titles = Object.fromEntries(titled)
    if (!same || kept.last !== last || kept.search !== search) set(kept)
  }, [id, ids, last, asked, search, titles, opened, sessions, set])
  const open = useCallback((sessionId: string, place?: MessagePlace) => {
    apart.current = true
    navigate(sessionPath(sessionId), place)
  }, [])
  const openSearch = useCallback((path: string) => {
    apart.current = true
    navigate(path)
  }, [])
  const close = useCallback(
    (closed: string) => {
      const at = ids.indexOf(closed)
      const rest = ids.filter(other => other !== closed)
      const next = rest[Math.min(Math.max(at, 0), rest.length - 1)] ?? null
      set({ ids: rest, last: closed === last ? next : last, search, titles })
      if (closed === id) navigate(next === null ? '/' : pathOf(next, search))
    },
    [ids, last, set, id, search, titles],
  )
  const add = useCallback(() => {
    apart.current = true
    navigate('/')
  }, [])
  return { ids, titles, search: asked, open, openSearch, close, add }
}

const NO_TITLES: Readonly<Record<string, string>> = {}

const pathOf = (id: string, search: string): string => (id === SEARCH ? SEARCH + search : sessionPath(id))

interface Props {
  tabs: OpenTabs
  /** The one that is open. */
  openId: string | null
  sessions: readonly SessionSummary[]
}

/** The open sessions on the wall above the case, from the second one on. */
export function OpenTabStrip({ tabs, openId, sessions }: Props) {
  const { t } = useI18n()
  if (tabs.ids.length < 2) return null
  return (
    <nav className="w-tabs" aria-label={t('sessions.open')}>
      <ul>
        {tabs.ids.map(id => {
          const session = sessions.find(candidate => candidate.sessionId === id)
          const path = pathOf(id, tabs.search)
          const searched = id === SEARCH && (askedIn(tabs.search).text || t('search.title'))
          const title = searched || session?.title || tabs.titles[id] || t('sessions.untitled')
          const open = id === openId
          return (
            <li key={id} className="w-tab" data-on={open || undefined}>
              <a
                href={hrefOf(path)}
                aria-current={open ? 'page' : undefined}
                onClick={event => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
                  event.preventDefault()
                  navigate(path)
                }}
                onAuxClick={event => {
                  if (event.button !== 1) return
                  event.preventDefault()
                  tabs.close(id)
                }}
              >
                {searched && <Icon of={icons.Search} className="v-row-icon" />}
                {session && <SessionMark session={session} unread={false} open={open} />}
                <span className="w-tab-title" dir="auto">
                  {visible(title)}
                </span>
              </a>
              <IconButton icon={icons.X} label={t('sessions.closeTab', { title })} onClick={() => tabs.close(id)} />
            </li>
          )
        })}
      </ul>
      <IconButton icon={icons.Plus} label={t('sessions.new')} onClick={tabs.add} />
    </nav>
  )
}
