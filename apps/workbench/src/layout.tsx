import type { SessionHandle, VitrineClient } from '@vitrine/client'
import { searchMessages, searchSessions } from '@vitrine/client/lists'
import type { AgentInfo, SessionSummary } from '@vitrine/protocol'
import {
  ArchivedSessions,
  Badge,
  ConnectionBanner,
  DeletedSessions,
  folderKey,
  IconButton,
  icons,
  isCovered,
  isPressed,
  KeysHelp,
  Menu,
  MenuItem,
  MoveSession,
  NARROW,
  NewDiagnostics,
  Notices,
  PageCommandsProvider,
  Palette,
  type SessionControl,
  SessionList,
  SessionUsage,
  Sheet,
  signsAct,
  typeIntoComposer,
  useAgentNames,
  useAgents,
  useI18n,
  useMedia,
  useReadable,
  useSessionActions,
  useSetting,
  useVitrine,
  visible,
} from '@vitrine/react'
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { commandsOf, messageCommand, openCommand, searchCommand } from './commands.ts'
import { Dock, forBuilders, type Tab, tabKey, tabOf } from './dock.tsx'
import { type PageKey, pageKeyLines, pageKeys } from './keys.ts'
import { OpenTabStrip, useOpenTabs } from './open-tabs.tsx'
import { walkRegions } from './regions.ts'
import { Resizer } from './resizer.tsx'
import { hrefOf, navigate, usePath, useQuery } from './router.ts'
import { AGENTS, SEARCH, sessionPath } from './routes.ts'
import { SearchPlaceProvider, searchPath, useSearchField } from './search-place.ts'
import { type Settings, SettingsDialog } from './settings.tsx'
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

type Overlay = 'palette' | 'keys' | 'settings' | 'sessions' | 'archived' | 'deleted' | 'dock' | null

const SIDE = { usual: 264, min: 208, max: 384 }
const DOCK = { usual: 480, min: 352 }

/** On the wall the sessions, in cases what is open and its dock. Under 45 rem there is one case, and the others are sheets. */
export function Layout(props: Props) {
  const { client, settings, handle, title, session, sessionId, agent, control, tasksWanted, children } = props
  const i18n = useI18n()
  const { t } = i18n
  const vitrine = useVitrine()
  const agentName = useAgentNames()
  const agentCount = useAgents()?.length
  const path = usePath()
  const narrow = useMedia(NARROW)
  const [overlay, setOverlay] = useState<Overlay>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [searching, setSearching] = useState(false)
  const [sideWidth, setSideWidth] = useSetting('vitrine.sideWidth', SIDE.usual)
  const [sideOpen, setSideOpen] = useSetting('vitrine.sideOpen', true)
  const [dockWidth, setDockWidth] = useSetting('vitrine.dockWidth', DOCK.usual)
  const [dockOpen, setDockOpen] = useSetting('vitrine.dockOpen', false)
  const [storedTab, setTab] = useSetting<string>('vitrine.dockTab', 'plan')
  const tab = tabOf(storedTab)
  const { sessions } = useReadable(client.sessions)
  const searchField = useSearchField()
  const [headPlace, setHeadPlace] = useState<HTMLElement | null>(null)
  const openId = searchField ? SEARCH : sessionId
  const openTabs = useOpenTabs(openId, useQuery(), session, sessions)
  const { close: closeTab, open: openBeside, openSearch } = openTabs
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
      const [answer, messages] = await Promise.all([searchSessions(client, text), searchMessages(client, text)])
      if (!answer.ok) return answer
      if (!messages.ok) return messages
      const others = answer.value.filter(found => found.sessionId !== sessionId)
      const open = { i18n, agentName, openBeside: narrow ? undefined : openBeside }
      const value = [
        ...others.map(found => openCommand(open, found)),
        // A long message can have several places.
        ...new Map(messages.value.results.map(found => [`${found.session.sessionId} ${found.ordinal}`, found]))
          .values()
          .map(found => messageCommand(i18n, found, text)),
        searchCommand(i18n, text, openSearch),
      ]
      return { ok: true as const, value }
    },
    [client, i18n, agentName, sessionId, narrow, openBeside, openSearch],
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
  const addFolder = () => {
    if (narrow) setOverlay('sessions')
    else setSideOpen(true)
    setRenaming(folderKey(actions.addFolder()))
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
  useEffect(close, [openId, close])
  const nextWaiting = nextOf(sessions, sessionId)
  const toNextWaiting = () => {
    if (nextWaiting) navigate(sessionPath(nextWaiting.sessionId))
    else vitrine.announce(t('home.noneWaiting'))
  }
  const search = () => {
    if (narrow) setOverlay('sessions')
    else setSideOpen(true)
    setSearching(true)
  }
  useGlobalKeys({
    palette: () => setOverlay('palette'),
    newSession,
    nextWaiting: toNextWaiting,
    side: toggleSide,
    dock: toggleDock,
    help: () => setOverlay('keys'),
  })

  const startRename = (id: string | null) => {
    setRenaming(id)
    if (!id) return
    if (narrow) setOverlay('sessions')
    else setSideOpen(true)
  }
  const commands = () =>
    commandsOf({
      i18n,
      vitrine,
      client,
      handle,
      control: control.current,
      session,
      sessions,
      actions,
      settings,
      agentName,
      openTab,
      openBeside: narrow ? undefined : openBeside,
      toggleDock,
      toggleSide,
      rename: startRename,
      search,
      showKeys: () => setOverlay('keys'),
      showSettings: () => setOverlay('settings'),
      showPutAway: setOverlay,
      addFolder,
      newSession,
      nextWaiting: nextWaiting && toNextWaiting,
    })
  const pageCommands = useRef(commands)
  pageCommands.current = commands
  // What a slash offers: the other sessions are references, not commands.
  const forComposer = useCallback(() => pageCommands.current().filter(({ id }) => !id.startsWith('session-')), [])
  const sideBar = (onHide?: () => void) => (
    <SideBar
      client={client}
      home={title === t('sessions.new') && sessionId === null}
      searching={searching || searchField !== null}
      onSearching={setSearching}
      onNewFolder={addFolder}
      {...(onHide && { onHide })}
      agents={path === AGENTS}
      agentCount={agentCount}
      onAgents={() => navigate(AGENTS)}
      onNew={newSession}
      onSettings={() => setOverlay('settings')}
    >
      <SessionList
        openId={sessionId}
        actions={actions}
        hrefOf={sessionId => hrefOf(sessionPath(sessionId))}
        searching={narrow ? 'always' : searching}
        onSearching={setSearching}
        onSearchAll={text => openSearch(searchPath({ text }))}
        searchPage={
          searchField && !narrow
            ? { typed: searchField.typed, onType: searchField.type, onClose: () => closeTab(SEARCH) }
            : null
        }
        {...(!narrow && { onOpenBeside: openTabs.open })}
        onPutAway={setOverlay}
        onChosen={close}
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
        {!narrow && <OpenTabStrip tabs={openTabs} openId={openId} sessions={sessions} />}
        <main id="main" className="w-case w-main" tabIndex={-1}>
          <header className="w-head">
            {narrow && <IconButton icon={icons.Menu} label={t('layout.menu')} onClick={() => setOverlay('sessions')} />}
            {!narrow && !sideOpen && (
              <IconButton
                className="w-mirror"
                icon={icons.PanelLeft}
                label={t('layout.showSide')}
                keys={pageKeys.side}
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
                <MenuItem onChoose={() => actions.askMove(session)}>{t('folders.move')}</MenuItem>
                <MenuItem onChoose={() => actions.archive(session, !session.archived)}>
                  {t(session.archived ? 'archive.bringBack' : 'archive.archive')}
                </MenuItem>
                {forBuilders.map(each => (
                  <MenuItem key={each} onChoose={() => openTab(each)}>
                    {t(tabKey(each))}
                  </MenuItem>
                ))}
                <MenuItem danger onChoose={() => actions.remove(session)}>
                  {t('sessions.delete')}
                </MenuItem>
              </Menu>
            )}
            {searchField && !narrow && <span ref={setHeadPlace} className="w-head-search" />}
            <span className="w-head-end">
              {agent?.scripted && <Badge>{t('agents.scripted')}</Badge>}
              {handle && <NewDiagnostics handle={handle} onOpen={() => openTab('diagnostics')} />}
              {handle && <SessionUsage handle={handle} />}
            </span>
            {handle && (
              <IconButton
                className="w-mirror"
                icon={icons.PanelRight}
                label={t(showDock ? 'dock.close' : 'dock.open')}
                aria-pressed={showDock}
                keys={pageKeys.dock}
                onClick={toggleDock}
              />
            )}
          </header>
          <ConnectionBanner />
          <PageCommandsProvider commands={forComposer}>
            <SearchPlaceProvider
              value={{
                search: searchField,
                head: narrow ? null : headPlace,
                fieldElsewhere: showSide,
                openBeside: narrow ? undefined : openBeside,
                close: () => closeTab(SEARCH),
              }}
            >
              {children}
            </SearchPlaceProvider>
          </PageCommandsProvider>
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
      {overlay === 'palette' && <Palette onClose={close} find={findSessions} commands={commands()} />}
      {overlay === 'archived' && <ArchivedSessions actions={actions} onClose={close} />}
      {overlay === 'deleted' && <DeletedSessions onClose={close} />}
      {actions.moving && <MoveSession actions={actions} />}
      {overlay === 'keys' && <KeysHelp go={pageKeyLines} onClose={close} />}
      {overlay === 'settings' && <SettingsDialog settings={settings} onClose={close} />}
    </div>
  )
}

/** The session after the open one that waits for its person, in the order of the list. */
function nextOf(sessions: readonly SessionSummary[], sessionId: string | null): SessionSummary | undefined {
  const waiting = sessions.filter(({ status, deleted, archived }) => status === 'needs-input' && !deleted && !archived)
  const at = waiting.findIndex(session => session.sessionId === sessionId)
  const next = waiting[(at + 1) % waiting.length]
  return next?.sessionId === sessionId ? undefined : next
}

/** What the keys of the page do. The page itself walks its regions. */
type GlobalKeys = Record<Exclude<PageKey, 'regions' | 'regionsBack' | 'helpSign'>, () => void>

function useGlobalKeys(does: GlobalKeys): void {
  const latest = useRef(does)
  latest.current = does
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const key = (Object.keys(pageKeys) as PageKey[]).find(name => isPressed(event, pageKeys[name]))
      if (isCovered() && key !== 'palette') return
      if (key === 'regions' || key === 'regionsBack') {
        if (walkRegions(key === 'regionsBack')) event.preventDefault()
      } else if (key === 'helpSign') {
        if (signsAct(event)) act(event, latest.current.help)
        else typeIntoComposer(event)
      } else if (key) act(event, latest.current[key])
      else typeIntoComposer(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function act(event: KeyboardEvent, run: () => void): void {
  event.preventDefault()
  run()
}
