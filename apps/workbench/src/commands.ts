import type { Outcome, SessionHandle, VitrineClient } from '@vitrine/client'
import { answerText, type FoundMessage, type Message, messagesInOrder, type SessionSummary } from '@vitrine/protocol'
import {
  branchSession,
  copyText,
  type I18n,
  type IconData,
  icons,
  locales,
  type MessageKey,
  openToolMode,
  type PaletteCommand,
  problemWords,
  type SessionActions,
  type SessionControl,
  type Vitrine,
  viewKeys,
} from '@vitrine/react'
import { type Tab, tabKey, tabs } from './dock.tsx'
import { pageKeys } from './keys.ts'
import { navigate } from './router.ts'
import { pages, sessionPath } from './routes.ts'
import { searchPath } from './search-place.ts'
import type { Settings } from './settings.tsx'

interface Context {
  i18n: I18n
  vitrine: Vitrine
  client: VitrineClient
  handle: SessionHandle | null
  control: SessionControl | null
  session: SessionSummary | null
  sessions: readonly SessionSummary[]
  actions: SessionActions
  settings: Settings
  /** What agents are called, by their ids. */
  agentName: (agentId: string) => string
  openTab: (tab: Tab) => void
  openBeside: ((sessionId: string) => void) | undefined
  toggleDock: () => void
  toggleSide: () => void
  rename: (sessionId: string) => void
  search: () => void
  showKeys: () => void
  showSettings: () => void
  showPutAway: (which: 'archived' | 'deleted') => void
  addFolder: () => void
  newSession: () => void
  nextWaiting: (() => void) | undefined
}

/** Everything the palette offers. What a mouse can do is here by name, and by the other words that people have for it. */
export function commandsOf(context: Context): PaletteCommand[] {
  const { i18n, session, sessions } = context
  const { t } = i18n
  const others = sessions.filter(
    ({ deleted, archived, sessionId }) => !deleted && !archived && sessionId !== session?.sessionId,
  )
  return [
    ...sessionCommands(context),
    ...pageCommands(context),
    ...viewCommands(context),
    ...Object.entries(locales).map(([id, { name }]) => ({
      id: `locale-${id}`,
      label: name,
      group: t('palette.language'),
      words: t('palette.words.language'),
      icon: icons.MessageSquare,
      run: () => context.settings.setLocale(id),
    })),
    ...Object.entries(pages).map(([path, page]) => ({
      id: `page-${path}`,
      label: t(page.title),
      group: t('palette.page'),
      words: t('palette.words.pages'),
      icon: icons.Layers,
      run: () => navigate(path),
    })),
    ...others.map(other => openCommand(context, other)),
  ]
}

interface Added {
  id: string
  label: string
  /** The keys of the other words by which it is found. */
  words?: MessageKey | readonly MessageKey[]
  icon?: IconData
  keys?: string
  run: () => void
}

const inGroup =
  ({ t }: I18n, group: string) =>
  ({ words, icon = icons.Command, ...command }: Added): PaletteCommand => ({
    ...command,
    icon,
    group,
    ...(words && {
      words: [words]
        .flat()
        .map(key => t(key))
        .join(' '),
    }),
  })

/** What can be done with the session that is open. */
function sessionCommands(context: Context): PaletteCommand[] {
  const { i18n, handle, control, session, actions } = context
  const { t } = i18n
  const commands: Added[] = []
  if (handle && control) {
    const { queue, session: facts, runs } = handle.state
    if (facts.activeRunId) {
      const choose = (mode: Parameters<SessionControl['choose']>[0]) => () => control.choose(mode)
      commands.push(
        {
          id: 'stop',
          label: t('keys.interrupt'),
          words: 'palette.words.stop',
          icon: icons.Square,
          keys: viewKeys.interrupt,
          run: () => control.interrupt(),
        },
        { id: 'mode-queue', label: t('composer.queue'), icon: icons.ListEnd, run: choose('queue') },
        { id: 'mode-steer', label: t('composer.steer'), icon: icons.CornerDownRight, run: choose('steer') },
        { id: 'mode-task', label: t('composer.newTask'), icon: icons.GitFork, run: choose('new-task') },
      )
    }
    commands.push(...answerCommands(context, handle))
    const run = [...runs.byId.values()].at(-1)
    if (run?.outcome && run.outcome !== 'completed') {
      commands.push({
        id: 'retry',
        label: t('run.retry'),
        words: 'palette.words.again',
        icon: icons.RefreshCw,
        run: () => void handle.retryRun(run.runId),
      })
    }
    if (queue.turns.length > 0) {
      commands.push(
        {
          id: 'edit-queued',
          label: t('keys.editQueued'),
          icon: icons.PencilLine,
          keys: viewKeys.editQueued,
          run: () => control.editLastQueued(),
        },
        {
          id: 'hold',
          label: `${t('queue.label')}: ${t(queue.held ? 'queue.release' : 'queue.hold')}`,
          words: 'palette.words.hold',
          icon: queue.held ? icons.Play : icons.Pause,
          run: () => void handle.updateQueue({ held: !queue.held }),
        },
      )
    }
    commands.push(
      {
        id: 'latest',
        label: t('conversation.latest'),
        words: 'palette.words.latest',
        icon: icons.ArrowDown,
        run: () => control.toLatest(),
      },
      {
        id: 'compose',
        label: t('palette.compose'),
        words: 'palette.words.compose',
        icon: icons.Pencil,
        run: () => control.focusComposer(),
      },
    )
  }
  if (session) {
    commands.push(
      {
        id: 'rename',
        label: t('sessions.rename'),
        words: 'palette.words.rename',
        icon: icons.PencilLine,
        run: () => context.rename(session.sessionId),
      },
      {
        id: 'pin',
        label: t(session.pinned ? 'sessions.unpin' : 'sessions.pin'),
        words: 'palette.words.pin',
        icon: icons.Pin,
        run: () => actions.pin(session, !session.pinned),
      },
      {
        id: 'move',
        label: t('folders.move'),
        words: 'palette.words.folder',
        icon: icons.Folder,
        run: () => actions.askMove(session),
      },
      {
        id: 'archive',
        label: t(session.archived ? 'archive.bringBack' : 'archive.archive'),
        words: 'palette.words.archived',
        icon: icons.Archive,
        run: () => actions.archive(session, !session.archived),
      },
      {
        id: 'delete',
        label: t('sessions.delete'),
        words: 'palette.words.delete',
        icon: icons.Trash,
        run: () => actions.remove(session),
      },
    )
  }
  return commands.map(inGroup(i18n, t('palette.here')))
}

/** What can be done with the last answer, as its own buttons do it. */
function answerCommands({ i18n, vitrine }: Context, handle: SessionHandle): Added[] {
  const { t } = i18n
  const { runs, session } = handle.state
  const last = [...messagesInOrder(handle.state)].findLast(
    ({ role, subagentId, runId }: Message) =>
      role === 'assistant' && subagentId === null && runs.byId.get(runId ?? '')?.outcome !== null,
  )
  if (!last) return []
  const told = (key: MessageKey, outcome: Outcome) => {
    if (outcome.ok) return
    vitrine.notify({ id: key, tone: 'danger', text: t(key, { reason: problemWords(t, outcome.problem) }) })
  }
  const copy = async () => {
    const done = await copyText(answerText(handle.state, last))
    vitrine.notify({ id: 'copy', tone: 'plain', text: t(done ? 'copy.done' : 'copy.failed'), lasts: 6000 })
  }
  const branch = async () => {
    const outcome = await branchSession(vitrine.client, handle, { ordinal: last.ordinal }, t)
    told('history.branchFailed', outcome)
    if (outcome.ok) vitrine.openSession(outcome.value.session.sessionId)
  }
  const again: Added = {
    id: 'again',
    label: t('palette.again'),
    words: 'palette.words.again',
    icon: icons.RefreshCw,
    keys: viewKeys.again,
    run: async () => told('history.againFailed', await handle.regenerateMessage(last.ordinal)),
  }
  return [
    ...(session.activeRunId === null ? [again] : []),
    {
      id: 'branch',
      label: t('palette.branch'),
      words: 'palette.words.branch',
      icon: icons.GitBranch,
      keys: viewKeys.branch,
      run: () => void branch(),
    },
    {
      id: 'copy',
      label: t('palette.copy'),
      words: 'palette.words.copy',
      icon: icons.Copy,
      keys: viewKeys.copy,
      run: () => void copy(),
    },
  ]
}

function pageCommands(context: Context): PaletteCommand[] {
  const { i18n, client, nextWaiting } = context
  const { t } = i18n
  const commands: Added[] = [
    {
      id: 'new',
      label: t('sessions.new'),
      words: 'palette.words.new',
      icon: icons.SquarePen,
      keys: pageKeys.newSession,
      run: context.newSession,
    },
    {
      id: 'search',
      label: t('sessions.search'),
      words: 'palette.words.search',
      icon: icons.Search,
      run: context.search,
    },
    {
      id: 'settings',
      label: t('layout.settings'),
      words: 'palette.words.settings',
      icon: icons.Settings2,
      run: context.showSettings,
    },
    {
      id: 'keys',
      label: t('keys.title'),
      words: 'palette.words.keys',
      icon: icons.Command,
      keys: pageKeys.helpSign,
      run: context.showKeys,
    },
    {
      id: 'tool-mode',
      label: t('keys.toolMode'),
      words: 'palette.words.mode',
      icon: icons.ShieldCheck,
      keys: viewKeys.toolMode,
      // The palette closes first, and gives the focus back.
      run: () => void requestAnimationFrame(openToolMode),
    },
    {
      id: 'deleted',
      label: t('deleted.label'),
      words: 'palette.words.deleted',
      icon: icons.Trash,
      run: () => context.showPutAway('deleted'),
    },
    {
      id: 'archived',
      label: t('archive.label'),
      words: 'palette.words.archived',
      icon: icons.Archive,
      run: () => context.showPutAway('archived'),
    },
    {
      id: 'new-folder',
      label: t('folders.new'),
      words: 'palette.words.folder',
      icon: icons.FolderPlus,
      run: context.addFolder,
    },
    {
      id: 'reconnect',
      label: t('palette.reconnect'),
      words: 'palette.words.reconnect',
      icon: icons.RefreshCw,
      run: () => client.reconnect(),
    },
  ]
  if (nextWaiting) {
    commands.splice(1, 0, {
      id: 'next-waiting',
      label: t('keys.nextWaiting'),
      words: 'palette.words.waiting',
      icon: icons.CircleAlert,
      keys: pageKeys.nextWaiting,
      run: nextWaiting,
    })
  }
  return commands.map(inGroup(i18n, t('palette.command')))
}

function viewCommands(context: Context): PaletteCommand[] {
  const { i18n, handle, settings } = context
  const { t } = i18n
  const commands: Added[] = []
  if (handle) {
    commands.push(
      ...tabs.map(tab => ({
        id: `tab-${tab}`,
        label: t(tabKey(tab)),
        words: `palette.words.${tab}` as const,
        icon: icons.PanelRight,
        run: () => context.openTab(tab),
      })),
      {
        id: 'dock',
        label: t('dock.toggle'),
        words: 'palette.words.dock',
        icon: icons.PanelRight,
        keys: pageKeys.dock,
        run: context.toggleDock,
      },
    )
  }
  commands.push({
    id: 'side',
    label: t('layout.side'),
    words: 'palette.words.side',
    icon: icons.PanelLeft,
    keys: pageKeys.side,
    run: context.toggleSide,
  })
  for (const theme of ['system', 'light', 'dark'] as const) {
    commands.push({
      id: `theme-${theme}`,
      label: `${t('theme.label')}: ${t(`theme.${theme}`)}`,
      words: ['palette.words.theme', `palette.words.${theme}`],
      icon: icons.Eye,
      run: () => settings.setTheme(theme),
    })
  }
  const contrasts = {
    more: 'theme.contrastMore',
    normal: 'theme.contrastNormal',
    system: 'theme.contrastSystem',
  } as const
  for (const [contrast, words] of Object.entries(contrasts) as [keyof typeof contrasts, MessageKey][]) {
    commands.push({
      id: `contrast-${contrast}`,
      label: `${t('theme.contrast')}: ${t(words)}`,
      words: 'palette.words.contrast',
      icon: icons.Eye,
      run: () => settings.setContrast(contrast),
    })
  }
  commands.push({
    id: 'letters',
    label: t(settings.letters ? 'settings.lettersOff' : 'settings.lettersOn'),
    words: 'palette.words.keys',
    icon: icons.Command,
    run: () => settings.setLetters(!settings.letters),
  })
  if (settings.notify.problem !== 'missing') {
    commands.push({
      id: 'notify',
      label: t(settings.notify.on ? 'settings.notifyOff' : 'settings.notifyOn'),
      words: 'palette.words.notify',
      icon: icons.MessageSquare,
      run: () => void settings.notify.set(!settings.notify.on),
    })
  }
  return commands.map(inGroup(i18n, t('palette.view')))
}

/** Opens a session, by the face of its agent and when it was last used. */
export function openCommand(
  { i18n, agentName, openBeside }: Pick<Context, 'i18n' | 'agentName' | 'openBeside'>,
  { sessionId, title, agentId, updatedAt }: SessionSummary,
): PaletteCommand {
  const { t, ago } = i18n
  return {
    id: `session-${sessionId}`,
    label: title || t('sessions.untitled'),
    group: t('palette.session'),
    agentId,
    detail: `${agentName(agentId)} · ${ago(updatedAt, Date.now())}`,
    run: () => navigate(sessionPath(sessionId)),
    ...(openBeside && { runBeside: () => openBeside(sessionId) }),
  }
}

/** Shows everything that is found for a text. */
export function searchCommand({ t }: I18n, text: string, openSearch: (path: string) => void): PaletteCommand {
  return {
    id: 'search-all',
    label: t('search.allOf', { text }),
    group: t('search.title'),
    icon: icons.Search,
    run: () => openSearch(searchPath({ text })),
  }
}

/** Leads to a message that was found. */
export function messageCommand(
  { t }: I18n,
  { session, messageId, ordinal, snippet }: FoundMessage,
  words: string,
): PaletteCommand {
  return {
    id: `message-${session.sessionId}-${ordinal}`,
    label: `${snippet.begins ? '' : '… '}${snippet.text}${snippet.ends ? '' : ' …'}`,
    group: t('palette.messages'),
    icon: icons.MessageSquare,
    detail: session.title || t('sessions.untitled'),
    run: () => navigate(sessionPath(session.sessionId), { messageId, ordinal, words }),
  }
}
