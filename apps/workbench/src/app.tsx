import type { SessionHandle, VitrineClient } from '@vitrine/client'
import type { AgentInfo, Problem, SessionSummary } from '@vitrine/protocol'
import {
  Button,
  I18nProvider,
  matchLocale,
  NewSession,
  type SessionControl,
  SessionView,
  UiHostProvider,
  useI18n,
  useReadable,
  useSetting,
  VitrineProvider,
  visibleText,
} from '@vitrine/react'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Layout } from './layout.tsx'
import { lazyPage } from './lazy-page.ts'
import { navigate, usePath } from './router.ts'
import { type Page, routeOf, sessionPath } from './routes.ts'
import { SignIn } from './sign-in.tsx'
import { useTheme } from './theme.ts'

const openSession = (sessionId: string) => navigate(sessionPath(sessionId))

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
  const settings = { ...theme, locale, setLocale }
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
  const { agents, problem } = useAgents(client)
  const control = useRef<SessionControl>(null)
  const [tasksWanted, setTasksWanted] = useState(0)
  const { sessions } = useReadable(client.sessions)
  const connection = useReadable(client.connection)
  const session = useOpened(handle, sessions)
  const agent = agents?.find(({ agentId }) => agentId === session?.agentId) ?? null
  const missing = useMissing(handle)
  const opened = session && (session.title || t('sessions.untitled'))
  const place = { home: t('sessions.new'), session: missing ? t('route.lostTitle') : '', lost: t('route.lostTitle') }
  const title = opened ?? (route.kind === 'page' ? t(route.page.title) : place[route.kind])
  useTitle(route.kind === 'home' ? null : title, sessions)

  if (connection.state === 'refused' && connection.problem?.code === 'unauthenticated') {
    return <SignIn client={client} />
  }
  return (
    <Layout
      client={client}
      settings={settings}
      handle={handle}
      title={title}
      session={session}
      sessionId={sessionId}
      agent={agent}
      control={control}
      tasksWanted={tasksWanted}
    >
      {route.kind === 'home' && <NewSession agents={agents} problem={problem} />}
      {route.kind === 'session' && handle && (
        <SessionView
          key={handle.sessionId}
          handle={handle}
          agent={agent}
          control={control}
          onOpenTasks={() => setTasksWanted(count => count + 1)}
          onReopen={() => setOpenings(count => count + 1)}
          onNew={() => navigate('/')}
        />
      )}
      {route.kind === 'page' && <PageView page={route.page} />}
      {route.kind === 'lost' && (
        <div className="w-lost">
          <h2>{t('route.lost')}</h2>
          <p>{t('route.lostHelp')}</p>
          <Button look="primary" onClick={() => navigate('/')}>
            {t('sessions.new')}
          </Button>
        </div>
      )}
    </Layout>
  )
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
  const { title, agentId, pinned, archived, createdAt, updatedAt, parent, needsInput, activeRunId } = state.session
  if (!agentId.known) return null
  return {
    sessionId: handle.sessionId,
    title: title.known ? title.value : '',
    agentId: agentId.value,
    pinned,
    archived,
    createdAt,
    updatedAt,
    parentSessionId: parent?.sessionId ?? null,
    status: needsInput > 0 ? 'needs-input' : activeRunId ? 'running' : 'idle',
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another opening of the same session opens it again.
  useEffect(() => {
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

function useAgents(client: VitrineClient): { agents: readonly AgentInfo[] | null; problem: Problem | null } {
  const [agents, setAgents] = useState<readonly AgentInfo[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const { state } = useReadable(client.connection)
  const live = state === 'live' || state === 'catching-up'
  useEffect(() => {
    if (!live || agents) return
    let current = true
    client.listAgents().then(result => {
      if (!current) return
      if (result.ok) setAgents(result.value)
      setProblem(result.ok ? null : result.problem)
    })
    return () => {
      current = false
    }
  }, [client, live, agents])
  return { agents, problem }
}

function useTitle(title: string | null, sessions: readonly { status: string; deleted?: boolean }[]): void {
  const waiting = sessions.filter(({ status, deleted }) => status === 'needs-input' && !deleted).length
  useEffect(() => {
    document.title = `${waiting ? `(${waiting}) ` : ''}${title ? `${visibleText(title)} · ` : ''}Vitrine`
  }, [title, waiting])
}
