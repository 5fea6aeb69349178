import type { SessionHandle, VitrineClient } from '@vitrine/client'
import { type AgentInfo, type Problem, type SessionSummary, sessionStatus } from '@vitrine/protocol'
import {
  AgentsProvider,
  Button,
  Empty,
  I18nProvider,
  icons,
  LETTERS,
  type MessagePlace,
  ModelPickerProvider,
  matchLocale,
  NewSession,
  type SessionControl,
  UiHostProvider,
  useI18n,
  useReadable,
  useSetting,
  VitrineProvider,
} from '@vitrine/react'
import {
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Layout } from './layout.tsx'
import { lazyPage } from './lazy-page.ts'
import { useNews, useNotifySetting, useTabMark } from './news.ts'
import { navigate, useHistoryState, usePath } from './router.ts'
import { MODELS, type Page, routeOf, sessionPath } from './routes.ts'
import { ModelPicker, SessionPage } from './session-page.ts'
import { SignIn } from './sign-in.tsx'
import { useTheme } from './theme.ts'

const openSession = (sessionId: string, place?: MessagePlace) => navigate(sessionPath(sessionId), place)

/** A path that a card names: followed when it is a page of ours. */
function followPath(path: string, params: Readonly<Record<string, string | number | boolean>>): boolean {
  if (routeOf(path).kind === 'lost') return false
  const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)])).toString()
  navigate(query ? `${path}?${query}` : path)
  return true
}

export function App({ client }: { client: VitrineClient }) {
  const theme = useTheme()
  const [locale, setLocale] = useSetting('vitrine.locale', matchLocale(navigator.languages))
  const [letters, setLetters] = useSetting(LETTERS, true)
  const notify = useNotifySetting()
  const settings = { ...theme, locale, setLocale, letters, setLetters, notify }
  return (
    <I18nProvider locale={locale}>
      <VitrineProvider client={client} openSession={openSession}>
        <UiHostProvider onNavigate={followPath}>
          <Workbench client={client} settings={settings} />
        </UiHostProvider>
      </VitrineProvider>
    </I18nProvider>
  )
}

function Workbench({
  client,
  settings,
}: {
  client: VitrineClient
  settings: Parameters<typeof Layout>[0]['settings']
}) {
  const { t } = useI18n()
  const route = routeOf(usePath())
  const sessionId = route.kind === 'session' ? route.sessionId : null
  const [openings, setOpenings] = useState(0)
  const handle = useSession(client, sessionId, openings)
  const place = usePlace()
  const { agents, problem, refresh } = useAgents(client)
  const wanted = useWantedAgent()
  const control = useRef<SessionControl>(null)
  const [tasksWanted, setTasksWanted] = useState(0)
  const { sessions } = useReadable(client.sessions)
  const connection = useReadable(client.connection)
  const session = useOpened(handle, sessions)
  const agent = agents?.find(({ agentId }) => agentId === session?.agentId) ?? null
  const missing = useMissing(handle)
  const opened = session && (session.title || t('sessions.untitled'))
  const pageNames = {
    home: t('sessions.new'),
    session: missing ? t('route.lostTitle') : '',
    lost: t('route.lostTitle'),
  }
  const title = opened ?? (route.kind === 'page' ? t(route.page.title) : pageNames[route.kind])
  const names = (agentId: string) => agents?.find(agent => agent.agentId === agentId)?.name ?? agentId
  const toRequest = useToRequest(handle, control)
  const news = useNews({
    client,
    sessionId,
    notify: settings.notify.on,
    agentName: names,
    onOpen: id => {
      openSession(id)
      toRequest(id)
    },
  })
  const waiting = sessions.filter(({ status, deleted }) => status === 'needs-input' && !deleted).length
  useTabMark(route.kind === 'home' ? null : title, waiting, news.size)

  if (connection.state === 'refused' && connection.problem?.code === 'unauthenticated') {
    return <SignIn client={client} />
  }
  const layout = (
    <Layout
      client={client}
      settings={settings}
      handle={missing ? null : handle}
      title={title}
      session={session}
      sessionId={sessionId}
      agent={agent}
      control={control}
      tasksWanted={tasksWanted}
    >
      {route.kind === 'home' && (
        <NewSession
          key={wanted}
          agents={agents}
          problem={problem}
          wanted={wanted}
          onConnectModel={() => navigate(MODELS)}
        />
      )}
      {route.kind === 'session' && handle && (
        <Suspense fallback={null}>
          <SessionPage
            key={handle.sessionId}
            handle={handle}
            agent={agent}
            control={control}
            place={place}
            onOpenTasks={() => setTasksWanted(count => count + 1)}
            onReopen={() => setOpenings(count => count + 1)}
            onNew={() => navigate('/')}
          />
        </Suspense>
      )}
      {route.kind === 'page' && <PageView page={route.page} />}
      {route.kind === 'lost' && (
        <Empty
          icon={route.what === 'file' ? icons.FileText : icons.Compass}
          title={t(route.what === 'file' ? 'route.file' : 'route.lost')}
          text={t(route.what === 'file' ? 'route.fileHelp' : 'route.lostHelp')}
        >
          <Button look="primary" icon={icons.SquarePen} onClick={() => navigate('/')}>
            {t('sessions.new')}
          </Button>
        </Empty>
      )}
    </Layout>
  )
  return (
    <AgentsProvider agents={agents} onRefresh={refresh}>
      <ModelPickerProvider picker={ModelPicker}>{layout}</ModelPickerProvider>
    </AgentsProvider>
  )
}

/** The message that was asked for with the address, if one was. */
function usePlace(): MessagePlace | null {
  const state = useHistoryState() as Partial<MessagePlace> | null
  return typeof state?.messageId === 'string' && typeof state.ordinal === 'number' ? (state as MessagePlace) : null
}

/** The agent that a session is to begin with, if one was asked for with the address. */
function useWantedAgent(): string | null {
  const state = useHistoryState() as { agentId?: unknown } | null
  return typeof state?.agentId === 'string' ? state.agentId : null
}

const never = { get: () => null, subscribe: () => () => {} }

/** Whether the open session turned out not to exist. */
function useMissing(handle: SessionHandle | null): boolean {
  return useReadable<{ phase: string } | null>(handle?.phase ?? never)?.phase === 'gone'
}

/** The open session as the list has it. One that is older than what is loaded of the list speaks for itself. */
function useOpened(handle: SessionHandle | null, sessions: readonly SessionSummary[]): SessionSummary | null {
  const subscribe = useCallback(
    (listener: () => void) => handle?.subscribe('session', listener) ?? (() => {}),
    [handle],
  )
  const version = () => handle?.version('session') ?? 0
  useSyncExternalStore(subscribe, version)
  const ready = useReadable<{ phase: string } | null>(handle?.phase ?? never)?.phase === 'ready'
  const listed = sessions.find(({ sessionId }) => sessionId === handle?.sessionId)
  if (listed || !handle || !ready) return listed ?? null
  const { state } = handle
  const { title, agentId, pinned, archived, folderId, createdAt, updatedAt, parent } = state.session
  if (!agentId.known) return null
  return {
    sessionId: handle.sessionId,
    title: title.known ? title.value : '',
    agentId: agentId.value,
    pinned,
    archived,
    folderId,
    createdAt,
    updatedAt,
    parentSessionId: parent?.sessionId ?? null,
    status: sessionStatus(state),
    waitsFor: null,
    seq: state.seq,
    queued: state.queue.turns.length,
    messageCount: state.counts.messages,
  }
}

function PageView({ page }: { page: Page }) {
  const { t } = useI18n()
  const Content = useMemo(() => lazyPage(page), [page])
  return (
    <Suspense fallback={<p className="v-panel-empty">{t('fallback.loading')}</p>}>
      <Content />
    </Suspense>
  )
}

/** The open session, given back when another is opened. */
function useSession(client: VitrineClient, sessionId: string | null, openings: number): SessionHandle | null {
  const [handle, setHandle] = useState<SessionHandle | null>(null)
  // Before the browser goes on: a page that has no composer for a moment loses the key that is pressed then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another opening of the same session opens it again.
  useLayoutEffect(() => {
    if (sessionId === null) return
    const opened = client.open(sessionId)
    setHandle(opened)
    return () => {
      opened.close()
      setHandle(null)
    }
  }, [client, sessionId, openings])
  return handle?.sessionId === sessionId ? handle : null
}

interface KnownAgents {
  agents: readonly AgentInfo[] | null
  problem: Problem | null
  /** Asks for them again. */
  refresh: () => void
}

/** The agents that there are. They are asked for again when somebody comes back to the page, which may have slept for long. */
function useAgents(client: VitrineClient): KnownAgents {
  const [agents, setAgents] = useState<readonly AgentInfo[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [asked, setAsked] = useState(0)
  const refresh = useCallback(() => setAsked(count => count + 1), [])
  const { state } = useReadable(client.connection)
  const live = state === 'live' || state === 'catching-up'
  // biome-ignore lint/correctness/useExhaustiveDependencies: each wish to ask again is one.
  useEffect(() => {
    if (!live) return
    let current = true
    client.listAgents().then(result => {
      if (!current) return
      if (result.ok) setAgents(result.value)
      setProblem(result.ok ? null : result.problem)
    })
    return () => {
      current = false
    }
  }, [client, live, asked])
  useEffect(() => {
    const seen = () => document.visibilityState === 'visible' && refresh()
    document.addEventListener('visibilitychange', seen)
    return () => document.removeEventListener('visibilitychange', seen)
  }, [refresh])
  return { agents, problem, refresh }
}

/** Goes to what a session asks, as soon as the session is there. */
function useToRequest(handle: SessionHandle | null, control: RefObject<SessionControl | null>) {
  const [wanted, setWanted] = useState<string | null>(null)
  const ready = useReadable<{ phase: string } | null>(handle?.phase ?? never)?.phase === 'ready'
  useEffect(() => {
    if (!ready || handle?.sessionId !== wanted) return
    control.current?.toRequest()
    setWanted(null)
  }, [ready, handle, wanted, control])
  return setWanted
}
