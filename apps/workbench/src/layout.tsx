import type { SessionHandle, VitrineClient } from '@vitrine/client'
import type { AgentInfo, SessionSummary } from '@vitrine/protocol'
import {
  Badge,
  ConnectionBanner,
  DeletedSessions,
  Dialog,
  IconButton,
  icons,
  KeysHelp,
  Notices,
  Palette,
  type SessionControl,
  SessionList,
  useI18n,
  useMedia,
  useReadable,
  useSessionActions,
  useStored,
  visible,
} from '@vitrine/react'
import { type ReactNode, type RefObject, useCallback, useEffect, useState } from 'react'
import { commandsOf, openCommand, paletteKeys } from './commands.ts'
import { Dock, type Tab } from './dock.tsx'
import { Resizer } from './resizer.tsx'
import { hrefOf, navigate } from './router.ts'
import { sessionPath } from './routes.ts'
import { type Settings, SettingsDialog } from './settings.tsx'

interface Props {
  client: VitrineClient
  settings: Settings
  handle: SessionHandle | null
  /** What is open, in a few words. */
  title: string
  session: SessionSummary | null
  sessionId: string | null
  agent: AgentInfo | null
  control: RefObject<SessionControl | null>
  /** Grows when a view asks for the tasks. */
  tasksWanted: number
  children: ReactNode
}

type Overlay = 'palette' | 'keys' | 'settings' | 'sessions' | 'deleted' | 'dock' | null

const NARROW = '(max-width: 719px)'

/** Left the sessions, in the middle what is open, on the right the dock on demand. Under 720 px the sides are sheets. */
export function Layout(props: Props) {
  const { client, settings, handle, title, session, sessionId, agent, control, tasksWanted, children } = props
  const i18n = useI18n()
  const { t } = i18n
  const narrow = useMedia(NARROW)
  const [overlay, setOverlay] = useState<Overlay>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [listWidth, setListWidth] = useStored('vitrine.listWidth', 272)
  const [dockWidth, setDockWidth] = useStored('vitrine.dockWidth', 400)
  const [dockOpen, setDockOpen] = useStored('vitrine.dockOpen', false)
  const [tab, setTab] = useStored<Tab>('vitrine.dockTab', 'plan')
  const { sessions } = useReadable(client.sessions)
  const actions = useSessionActions(
    useCallback(
      (removed: string) => {
        const wasOpen = removed === sessionId
        if (wasOpen) navigate('/')
        return wasOpen
      },
      [sessionId],
    ),
  )
  const close = useCallback(() => setOverlay(null), [])
  const findSessions = useCallback(
    async (text: string) => {
      const answer = await client.searchSessions(text)
      if (!answer.ok) return answer
      const others = answer.value.filter(found => !found.archived && found.sessionId !== sessionId)
      return { ok: true as const, value: others.map(found => openCommand(i18n, found.sessionId, found.title)) }
    },
    [client, i18n, sessionId],
  )

  const openTab = (next: Tab) => {
    setTab(next)
    if (narrow) setOverlay('dock')
    else setDockOpen(true)
  }
  const newSession = () => {
    setOverlay(null)
    navigate('/')
    document.querySelector<HTMLElement>('[data-composer]')?.focus()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wish counts, not the identity of what grants it.
  useEffect(() => {
    if (tasksWanted > 0) openTab('tasks')
  }, [tasksWanted])
  // biome-ignore lint/correctness/useExhaustiveDependencies: going elsewhere closes the sheet one came from.
  useEffect(close, [sessionId, close])
  useGlobalKeys(setOverlay)

  const startRename = (id: string | null) => {
    setRenaming(id)
    if (id && narrow) setOverlay('sessions')
  }
  const list = (
    <SessionList
      openId={sessionId}
      actions={actions}
      hrefOf={sessionId => hrefOf(sessionPath(sessionId))}
      onNew={newSession}
      onDeleted={() => setOverlay('deleted')}
      renaming={renaming}
      onRename={startRename}
    />
  )
  const brand = (
    <Brand onHome={newSession} onPalette={() => setOverlay('palette')} onSettings={() => setOverlay('settings')} />
  )
  const dock = (onClose: () => void) => handle && <Dock handle={handle} tab={tab} onTab={setTab} onClose={onClose} />
  const showDock = !narrow && dockOpen && handle !== null
  return (
    <div className="w-layout" data-narrow={narrow || undefined}>
      <a className="w-skip" href="#main">
        {t('layout.skip')}
      </a>
      {!narrow && (
        <aside className="w-side" style={{ inlineSize: listWidth }} aria-label={t('sessions.label')}>
          {brand}
          {list}
          <Resizer
            label={t('layout.resizeList')}
            width={listWidth}
            min={208}
            max={440}
            pane="start"
            onResize={setListWidth}
          />
        </aside>
      )}
      <main id="main" className="w-main" tabIndex={-1}>
        <header className="w-head">
          {narrow && <IconButton icon={icons.Menu} label={t('layout.menu')} onClick={() => setOverlay('sessions')} />}
          <h1 className="w-title">{visible(title)}</h1>
          {agent && <span className="w-agent">{visible(agent.name)}</span>}
          {agent?.scripted && <Badge>{t('agents.scripted')}</Badge>}
          {handle && (
            <IconButton
              icon={icons.PanelRight}
              label={t(showDock ? 'dock.close' : 'dock.open')}
              aria-pressed={showDock}
              onClick={() => (narrow ? setOverlay('dock') : setDockOpen(!dockOpen))}
            />
          )}
        </header>
        <ConnectionBanner />
        <Notices />
        {children}
      </main>
      {showDock && (
        <aside className="w-side w-side-end" style={{ inlineSize: dockWidth }} aria-label={t('dock.label')}>
          <Resizer label={t('dock.resize')} width={dockWidth} min={280} max={720} pane="end" onResize={setDockWidth} />
          {dock(() => setDockOpen(false))}
        </aside>
      )}
      {narrow && overlay === 'sessions' && (
        <Dialog label={t('sessions.label')} className="w-sheet w-sheet-start" onClose={close}>
          {brand}
          {list}
        </Dialog>
      )}
      {narrow && overlay === 'dock' && (
        <Dialog label={t('dock.label')} className="w-sheet w-sheet-end" onClose={close}>
          {dock(close)}
        </Dialog>
      )}
      {overlay === 'palette' && (
        <Palette
          onClose={close}
          find={findSessions}
          commands={commandsOf({
            i18n,
            client,
            handle,
            control: control.current,
            session,
            sessions,
            actions,
            settings,
            openTab,
            closeDock: () => setDockOpen(false),
            rename: startRename,
            showKeys: () => setOverlay('keys'),
            showSettings: () => setOverlay('settings'),
            showDeleted: () => setOverlay('deleted'),
            newSession,
          })}
        />
      )}
      {overlay === 'deleted' && <DeletedSessions onClose={close} />}
      {overlay === 'keys' && <KeysHelp onClose={close} />}
      {overlay === 'settings' && <SettingsDialog settings={settings} onClose={close} />}
    </div>
  )
}

function Brand(props: { onHome: () => void; onPalette: () => void; onSettings: () => void }) {
  const { onHome, onPalette, onSettings } = props
  const { t } = useI18n()
  return (
    <div className="w-brand">
      <a
        href={hrefOf('/')}
        className="w-name"
        onClick={event => {
          event.preventDefault()
          onHome()
        }}
      >
        <svg className="w-logo" viewBox="0 0 24 24" aria-hidden>
          <rect x="3.4" y="2.6" width="17.2" height="15" rx="3.6" />
          <path className="w-logo-lamp" d="M8.8 2.6h6.4" />
          <circle cx="12" cy="13.3" r="3.3" />
          <path d="M4.6 21.4h14.8" />
        </svg>
        Vitrine
      </a>
      <IconButton icon={icons.Command} label={`${t('palette.label')} (${paletteKeys})`} onClick={onPalette} />
      <IconButton icon={icons.Settings2} label={t('layout.settings')} onClick={onSettings} />
    </div>
  )
}

function useGlobalKeys(setOverlay: (overlay: Overlay) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null
      const writing = target?.closest?.('input, textarea, select, [contenteditable]') !== null
      if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setOverlay('palette')
      } else if (event.key === '?' && !writing && !document.querySelector('dialog[open]')) {
        event.preventDefault()
        setOverlay('keys')
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [setOverlay])
}
