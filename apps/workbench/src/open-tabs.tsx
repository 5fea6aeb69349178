import type { SessionSummary } from '@vitrine/protocol'
import { IconButton, icons, SessionMark, useI18n, useSetting, visible } from '@vitrine/react'
import { useCallback, useEffect, useRef } from 'react'
import { hrefOf, navigate } from './router.ts'
import { sessionPath } from './routes.ts'

export interface OpenTabs {
  ids: readonly string[]
  /** Opens a session in a tab of its own. */
  open: (sessionId: string) => void
  close: (sessionId: string) => void
  /** Goes to the first screen; what begins there gets a tab of its own. */
  add: () => void
}

/**
 * The sessions that are open side by side. Going to a session takes the place of the tab one was in, as in a browser, unless
 * it is open already or a tab of its own was asked for.
 */
export function useOpenTabs(sessionId: string | null): OpenTabs {
  const [{ ids, last }, set] = useSetting<{ ids: readonly string[]; last: string | null }>('vitrine.openTabs', {
    ids: [],
    last: null,
  })
  const apart = useRef(false)
  useEffect(() => {
    if (sessionId === null || sessionId === last) return
    const place = apart.current || last === null ? -1 : ids.indexOf(last)
    apart.current = false
    if (ids.includes(sessionId)) set({ ids, last: sessionId })
    else set({ ids: place < 0 ? [...ids, sessionId] : ids.with(place, sessionId), last: sessionId })
  }, [sessionId, ids, last, set])
  const open = useCallback((id: string) => {
    apart.current = true
    navigate(sessionPath(id))
  }, [])
  const close = useCallback(
    (id: string) => {
      const at = ids.indexOf(id)
      const rest = ids.filter(other => other !== id)
      const next = rest[Math.min(Math.max(at, 0), rest.length - 1)] ?? null
      set({ ids: rest, last: id === last ? next : last })
      if (id === sessionId) navigate(next === null ? '/' : sessionPath(next))
    },
    [ids, last, set, sessionId],
  )
  const add = useCallback(() => {
    apart.current = true
    navigate('/')
  }, [])
  return { ids, open, close, add }
}

interface Props {
  tabs: OpenTabs
  sessionId: string | null
  sessions: readonly SessionSummary[]
}

/** The open sessions on the wall above the case, from the second one on. */
export function OpenTabStrip({ tabs, sessionId, sessions }: Props) {
  const { t } = useI18n()
  if (tabs.ids.length < 2) return null
  return (
    <nav className="w-tabs" aria-label={t('sessions.open')}>
      <ul>
        {tabs.ids.map(id => {
          const session = sessions.find(candidate => candidate.sessionId === id)
          const title = session?.title || t('sessions.untitled')
          const open = id === sessionId
          return (
            <li key={id} className="w-tab" data-on={open || undefined}>
              <a
                href={hrefOf(sessionPath(id))}
                aria-current={open ? 'page' : undefined}
                onClick={event => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
                  event.preventDefault()
                  navigate(sessionPath(id))
                }}
                onAuxClick={event => {
                  if (event.button !== 1) return
                  event.preventDefault()
                  tabs.close(id)
                }}
              >
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
