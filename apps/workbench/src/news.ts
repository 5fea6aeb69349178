import type { VitrineClient } from '@vitrine/client'
import type { SessionSummary } from '@vitrine/protocol'
import { useI18n, useSetting, visibleText } from '@vitrine/react'
import { useEffect, useRef, useState } from 'react'
import { base } from './base.ts'

/** What became of a session: it needs its person, its work is done, it failed, or what it asked was cancelled. */
type Happening = 'needsYou' | 'finished' | 'failed' | 'stopped'

const working = new Set<SessionSummary['status']>(['running', 'waiting', 'needs-input'])

/** What happened to a session between two looks at its row, if somebody should hear of it. */
function happeningOf(before: SessionSummary | undefined, now: SessionSummary): Happening | null {
  if (!before || now.deleted || now.archived || before.status === now.status) return null
  if (now.status === 'needs-input') return 'needsYou'
  if (!working.has(before.status)) return null
  // The session that started a task hears of its end, and its person hears of that session.
  if (now.parentSessionId !== null) return null
  if (now.status === 'failed') return 'failed'
  // A restart of the server ends a run that waits for an answer. Who stops one looks at it, and needs not be told.
  if (before.status === 'needs-input' && now.status === 'interrupted') return 'stopped'
  return now.status === 'idle' ? 'finished' : null
}

const NOTIFY = 'vitrine.notify'
/** One tab of a browser holds this lock, and tells. */
const TELLER = 'vitrine.teller'
/** A tab holds this lock as long as its person can see the session. */
const seenLock = (sessionId: string): string => `vitrine.seen.${sessionId}`

/** Whether this browser can tell anything outside of its page. Both need a page that came over a safe connection. */
const canNotify = (): boolean => 'Notification' in globalThis && 'locks' in navigator

export interface NotifySetting {
  on: boolean
  /** Why it cannot be on. */
  problem: 'missing' | 'blocked' | null
  set: (on: boolean) => Promise<void>
}

/** Whether a person wants to be told outside of the page. The browser is asked for its permission only then. */
export function useNotifySetting(): NotifySetting {
  const [wanted, setWanted] = useSetting(NOTIFY, false)
  const [permission, setPermission] = useState(() => (canNotify() ? Notification.permission : null))
  const set = async (on: boolean) => {
    const given = on && canNotify() ? await Notification.requestPermission() : permission
    setPermission(given)
    setWanted(on && given === 'granted')
  }
  const problem = permission === null ? 'missing' : permission === 'denied' ? 'blocked' : null
  return { on: wanted && permission === 'granted', problem, set }
}

interface Look {
  client: VitrineClient
  /** The session that is open in this tab. */
  sessionId: string | null
  notify: boolean
  agentName: (agentId: string) => string
  /** Goes to a session, and to what it asks. */
  onOpen: (sessionId: string) => void
}

/** Follows what happens in sessions that nobody looks at, and tells it once. Gives the sessions that have such news. */
export function useNews(look: Look): ReadonlySet<string> {
  const { client, sessionId, notify } = look
  const { t } = useI18n()
  const [news, setNews] = useState<ReadonlySet<string>>(new Set())
  const visible = useVisible()
  const seen = visible ? sessionId : null
  const latest = useRef({ ...look, seen, t })
  latest.current = { ...look, seen, t }
  const tells = useTeller(notify)
  const shown = useRef(new Map<string, Notification>()).current

  useEffect(() => {
    const byId = (sessions: readonly SessionSummary[]) => new Map(sessions.map(row => [row.sessionId, row]))
    let rows = byId(client.sessions.get().sessions)
    return client.sessions.subscribe(() => {
      const { loaded, sessions } = client.sessions.get()
      const before = rows
      rows = byId(sessions)
      if (!loaded) return
      for (const row of sessions) {
        const happening = happeningOf(before.get(row.sessionId), row)
        const { seen, t, agentName, onOpen } = latest.current
        if (!happening || row.sessionId === seen) continue
        if (happening !== 'needsYou') setNews(all => new Set([...all, row.sessionId]))
        if (!tells.current) continue
        const agent = agentName(row.agentId)
        void seenSomewhere(row.sessionId).then(isSeen => {
          if (isSeen) return
          const title = row.title || t('sessions.untitled')
          const told = tell(row.sessionId, visibleText(title), t(`news.${happening}`, { agent }), onOpen)
          if (told) shown.set(row.sessionId, told)
        })
      }
    })
  }, [client, shown, tells])

  useEffect(() => {
    if (seen === null) return
    setNews(all => (all.has(seen) ? new Set([...all].filter(id => id !== seen)) : all))
    shown.get(seen)?.close()
    shown.delete(seen)
    return holdLock(seenLock(seen), 'shared')
  }, [seen, shown])
  return news
}

/** Null where pages may not show a notification by themselves, as in Chrome on Android. */
function tell(sessionId: string, title: string, body: string, onOpen: (id: string) => void): Notification | null {
  try {
    const note = new Notification(title, { body, tag: `vitrine.${sessionId}`, icon: `${base}icon.svg` })
    note.onclick = () => {
      focus()
      note.close()
      onOpen(sessionId)
    }
    return note
  } catch {
    return null
  }
}

async function seenSomewhere(sessionId: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === seenLock(sessionId))
}

/** Holds a lock until the returned function is called or the tab is gone. */
function holdLock(name: string, mode: LockMode, onHeld?: () => void): () => void {
  if (!('locks' in navigator)) return () => {}
  const given = new AbortController()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  navigator.locks
    .request(name, { mode, signal: given.signal }, () => {
      onHeld?.()
      return held
    })
    // It was given up before it came.
    .catch(() => {})
  return () => {
    release()
    given.abort()
  }
}

/** Whether this tab is the one that tells. Another one takes over when it is closed. */
function useTeller(notify: boolean) {
  const tells = useRef(false)
  useEffect(() => {
    if (!notify) return
    const release = holdLock(TELLER, 'exclusive', () => {
      tells.current = true
    })
    return () => {
      tells.current = false
      release()
    }
  }, [notify])
  return tells
}

function useVisible(): boolean {
  const [visible, setVisible] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return visible
}

/** The title of the tab, with the number of sessions that want to be looked at, and a badge on its icon. */
export function useTabMark(title: string | null, waiting: number, news: number): void {
  const count = waiting + news
  useEffect(() => {
    document.title = `${count ? `(${count}) ` : ''}${title ? `${visibleText(title)} · ` : ''}Vitrine`
  }, [title, count])
  const icon = waiting > 0 ? 'icon-needs-you.svg' : news > 0 ? 'icon-news.svg' : 'icon.svg'
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', base + icon)
  }, [icon])
}
