import type { SessionHandle, VitrineClient } from '@vitrine/client'
import type { AgentInfo, SessionSummary } from '@vitrine/protocol'
import {
  Badge,
  ConnectionBanner,
  DeletedSessions,
  IconButton,
  icons,
  KeysHelp,
  Menu,
  MenuItem,
  Notices,
  Palette,
  type SessionControl,
  SessionList,
  SessionUsage,
  useI18n,
  useMedia,
  useReadable,
  useSessionActions,
  useSetting,
  visible,
} from '@vitrine/react'
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { commandsOf, openCommand } from './commands.ts'
import { Dock, type Tab } from './dock.tsx'
import { dockKeys, pageKeys, sideKeys } from './keys.ts'
import { OpenTabStrip, useOpenTabs } from './open-tabs.tsx'
import { walkRegions } from './regions.ts'
import { Resizer } from './resizer.tsx'
import { hrefOf, navigate } from './router.ts'
import { sessionPath } from './routes.ts'
import { type Settings, SettingsDialog } from './settings.tsx'
import { Sheet } from './sheet.tsx'
import { SideBar } from './side-bar.tsx'

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

const NARROW = '(width < 45rem)'
const SIDE = { usual: 264, min: 208, max: 384 }
const DOCK = { usual: 480, min: 352 }

/** On the wall the sessions, in cases what is open and its dock. Under 45 rem there is one case, and the others are sheets. */
export function Layout(props: Props) {
  const { client, settings, handle, title, session, sessionId, agent, control, tasksWanted, children } = props
  const i18n = useI18n()
  const { t } = i18n
  const narrow = useMedia(NARROW)
  const [overlay, setOverlay] = useState<Overlay>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [searching, setSearching] = useState(false)
  const [sideWidth, setSideWidth] = useSetting('vitrine.sideWidth', SIDE.usual)
  const [sideOpen, setSideOpen] = useSetting('vitrine.sideOpen', true)
  const [dockWidth, setDockWidth] = useSetting('vitrine.dockWidth', DOCK.usual)
  const [dockOpen, setDockOpen] = useSetting('vitrine.dockOpen', false)
  const [tab, setTab] = useSetting<Tab>('vitrine.dockTab', 'plan')
  const { sessions } = useReadable(client.sessions)
  const openTabs = useOpenTabs(sessionId)
  const { close: closeTab } = openTabs
  const actions = useSessionActions(
    useCallback(
      (removed: string) => {
        const wasOpen = removed === sessionId
        closeTab(removed)
        return wasOpen
      },
      [sessionId, closeTab],
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
  const toggleDock = () => {
    if (!handle) return
    if (narrow) setOverlay('dock')
    else setDockOpen(!dockOpen)
  }
  const toggleSide = () => {
    if (narrow) setOverlay('sessions')
    else setSideOpen(!sideOpen)
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
  useGlobalKeys({ show: setOverlay, newSession, toggleSide, toggleDock })

  const startRename = (id: string | null) => {
    setRenaming(id)
    if (!id) return
    if (narrow) setOverlay('sessions')
    else setSideOpen(true)
  }
  const sideBar = (onHide?: () => void) => (
    <SideBar
      client={client}
      home={title === t('sessions.new') && sessionId === null}
      searching={searching}
      onSearching={setSearching}
      {...(onHide && { onHide })}
      onNew={newSession}
      onSettings={() => setOverlay('settings')}
    >
      <SessionList
        openId={sessionId}
        actions={actions}
        hrefOf={sessionId => hrefOf(sessionPath(sessionId))}
        searching={narrow ? 'always' : searching}
        onSearching={setSearching}
        {...(!narrow && { onOpenBeside: openTabs.open })}
        onDeleted={() => setOverlay('deleted')}
        renaming={renaming}
        onRename={startRename}
      />
    </SideBar>
  )
  const dock = (onClose: () => void) => handle && <Dock handle={handle} tab={tab} onTab={setTab} onClose={onClose} />
  const showSide = !narrow && sideOpen
  const showDock = !narrow && dockOpen && handle !== null
  return (
    <div className="w-layout" data-narrow={narrow || undefined} data-side={showSide || undefined}>
      <a className="w-skip" href="#main">
        {t('layout.skip')}
      </a>
      {showSide && (
        <>
          <aside className="w-side" style={{ inlineSize: sideWidth }} aria-label={t('sessions.label')}>
            {sideBar(() => setSideOpen(false))}
          </aside>
          <Resizer {...SIDE} label={t('layout.resizeList')} width={sideWidth} pane="start" onResize={setSideWidth} />
        </>
      )}
      <div className="w-middle">
        {!narrow && <OpenTabStrip tabs={openTabs} sessionId={sessionId} sessions={sessions} />}
        <main id="main" className="w-case w-main" tabIndex={-1}>
          <header className="w-head">
            {narrow && <IconButton icon={icons.Menu} label={t('layout.menu')} onClick={() => setOverlay('sessions')} />}
            {!narrow && !sideOpen && (
              <IconButton
                className="w-mirror"
                icon={icons.PanelLeft}
                label={`${t('layout.showSide')} (${sideKeys.join(' ')})`}
                onClick={toggleSide}
              />
            )}
            <h1 className="w-title" dir="auto">
              {visible(title)}
            </h1>
            {handle && session && (
              <Menu label={t('layout.sessionMenu')}>
                <MenuItem onChoose={() => startRename(session.sessionId)}>{t('sessions.rename')}</MenuItem>
                <MenuItem onChoose={() => actions.pin(session, !session.pinned)}>
                  {t(session.pinned ? 'sessions.unpin' : 'sessions.pin')}
                </MenuItem>
                <MenuItem onChoose={() => openTab('state')}>{t('dock.state')}</MenuItem>
                <MenuItem onChoose={() => openTab('diagnostics')}>{t('dock.diagnostics')}</MenuItem>
                <MenuItem danger onChoose={() => actions.remove(session)}>
                  {t('sessions.delete')}
                </MenuItem>
              </Menu>
            )}
            <span className="w-head-end">
              {agent && <span className="w-agent">{visible(agent.name)}</span>}
              {agent?.scripted && <Badge>{t('agents.scripted')}</Badge>}
              {handle && <SessionUsage handle={handle} />}
            </span>
            {handle && (
              <IconButton
                className="w-mirror"
                icon={icons.PanelRight}
                label={t(showDock ? 'dock.close' : 'dock.open')}
                aria-pressed={showDock}
                aria-keyshortcuts={dockKeys.join('+')}
                onClick={toggleDock}
              />
            )}
          </header>
          <ConnectionBanner />
          {children}
          <Notices />
        </main>
      </div>
      {showDock && (
        <>
          <Resizer
            {...DOCK}
            max={Math.max(DOCK.min, Math.round(innerWidth * 0.6))}
            label={t('dock.resize')}
            width={dockWidth}
            pane="end"
            onResize={setDockWidth}
          />
          <aside className="w-case w-dock-case" style={{ inlineSize: dockWidth }} aria-label={t('dock.label')}>
            {dock(() => setDockOpen(false))}
          </aside>
        </>
      )}
      {narrow && overlay === 'sessions' && (
        <Sheet label={t('sessions.label')} onClose={close}>
          {sideBar()}
        </Sheet>
      )}
      {narrow && overlay === 'dock' && (
        <Sheet label={t('dock.label')} onClose={close}>
          {dock(close)}
        </Sheet>
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
            toggleSide,
            rename: startRename,
            showKeys: () => setOverlay('keys'),
            showSettings: () => setOverlay('settings'),
            showDeleted: () => setOverlay('deleted'),
            newSession,
          })}
        />
      )}
      {overlay === 'deleted' && <DeletedSessions onClose={close} />}
      {overlay === 'keys' && <KeysHelp go={pageKeys} onClose={close} />}
      {overlay === 'settings' && <SettingsDialog settings={settings} onClose={close} />}
    </div>
  )
}

interface GlobalKeys {
  show: (overlay: Overlay) => void
  newSession: () => void
  toggleSide: () => void
  toggleDock: () => void
}

function useGlobalKeys(does: GlobalKeys): void {
  const latest = useRef(does)
  latest.current = does
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { show, newSession, toggleSide, toggleDock } = latest.current
      const target = event.target as HTMLElement | null
      const writing = target?.closest?.('input, textarea, select, [contenteditable]') !== null
      const covered = document.querySelector('dialog[open]') !== null
      const key = event.key.toLowerCase()
      const act = (run: () => void) => {
        event.preventDefault()
        run()
      }
      if ((event.metaKey || event.ctrlKey) && !event.altKey) {
        if (key === 'k' && !event.shiftKey) act(() => show('palette'))
        else if (covered) return
        else if (key === 'o' && event.shiftKey) act(newSession)
        else if (key === '\\' && !event.shiftKey) act(toggleSide)
        else if (key === '.' && !event.shiftKey) act(toggleDock)
      } else if (covered) return
      else if (event.key === 'F6' && walkRegions(event.shiftKey)) event.preventDefault()
      else if (event.key === '?' && !writing) act(() => show('keys'))
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
