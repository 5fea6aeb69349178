import type { SessionHandle, VitrineClient } from '@vitrine/client'
import type { SessionSummary } from '@vitrine/protocol'
import {
  type I18n,
  icons,
  locales,
  type PaletteCommand,
  type SessionActions,
  type SessionControl,
} from '@vitrine/react'
import { type Tab, tabKey, tabs } from './dock.tsx'
import { dockKeys, newSessionKeys, sideKeys } from './keys.ts'
import { navigate } from './router.ts'
import { pages, sessionPath } from './routes.ts'
import type { Settings } from './settings.tsx'

interface Context {
  i18n: I18n
  client: VitrineClient
  handle: SessionHandle | null
  control: SessionControl | null
  session: SessionSummary | null
  sessions: readonly SessionSummary[]
  actions: SessionActions
  settings: Settings
  openTab: (tab: Tab) => void
  closeDock: () => void
  toggleSide: () => void
  rename: (sessionId: string) => void
  showKeys: () => void
  showSettings: () => void
  showDeleted: () => void
  newSession: () => void
}

/** Everything the palette offers. What a mouse can do is here by name. */
export function commandsOf(context: Context): PaletteCommand[] {
  const { i18n, client, handle, control, session, sessions, actions, settings } = context
  const { t } = i18n
  const commands: PaletteCommand[] = []
  const groupIcons = {
    [t('palette.view')]: icons.PanelRight,
    [t('palette.language')]: icons.MessageSquare,
    [t('palette.page')]: icons.Layers,
  }
  const add = (group: string, id: string, label: string, run: () => void, keys?: string) =>
    commands.push({ id, label, group, icon: groupIcons[group] ?? icons.Command, run, ...(keys && { keys }) })

  const command = t('palette.command')
  add(command, 'new', t('sessions.new'), context.newSession, newSessionKeys.join(' '))
  if (handle && control) {
    const { queue, session: facts } = handle.state
    if (facts.activeRunId) {
      add(command, 'stop', t('keys.interrupt'), () => control.interrupt(), 'Esc Esc')
      add(command, 'mode-queue', t('composer.queue'), () => control.choose('queue'))
      add(command, 'mode-steer', t('composer.steer'), () => control.choose('steer'))
      add(command, 'mode-task', t('composer.newTask'), () => control.choose('new-task'))
    }
    const run = [...handle.state.runs.byId.values()].at(-1)
    if (run?.outcome && run.outcome !== 'completed') {
      add(command, 'retry', t('run.retry'), () => void handle.retryRun(run.runId))
    }
    if (queue.turns.length > 0) {
      add(command, 'edit-queued', t('keys.editQueued'), () => control.editLastQueued(), 'Alt ↑')
      add(command, 'hold', `${t('queue.label')}: ${t(queue.held ? 'queue.release' : 'queue.hold')}`, () => {
        void handle.updateQueue({ held: !queue.held })
      })
    }
    add(command, 'latest', t('conversation.latest'), () => control.toLatest())
    add(command, 'compose', t('composer.placeholder'), () => control.focusComposer())
  }
  if (session) {
    add(command, 'rename', t('sessions.rename'), () => context.rename(session.sessionId))
    add(command, 'pin', t(session.pinned ? 'sessions.unpin' : 'sessions.pin'), () =>
      actions.pin(session, !session.pinned),
    )
    add(command, 'delete', t('sessions.delete'), () => actions.remove(session))
  }
  add(command, 'reconnect', t('connection.reconnect'), () => client.reconnect())

  const view = t('palette.view')
  if (handle) {
    for (const tab of tabs) add(view, `tab-${tab}`, t(tabKey(tab)), () => context.openTab(tab))
    add(view, 'dock-close', t('dock.close'), context.closeDock, dockKeys.join(' '))
  }
  add(view, 'side', t('layout.side'), context.toggleSide, sideKeys.join(' '))
  add(view, 'theme-system', `${t('theme.label')}: ${t('theme.system')}`, () => settings.setTheme('system'))
  add(view, 'theme-light', `${t('theme.label')}: ${t('theme.light')}`, () => settings.setTheme('light'))
  add(view, 'theme-dark', `${t('theme.label')}: ${t('theme.dark')}`, () => settings.setTheme('dark'))
  const contrast = (words: string) => `${t('theme.contrast')}: ${words}`
  add(view, 'contrast-more', contrast(t('theme.contrastMore')), () => settings.setContrast('more'))
  add(view, 'contrast-normal', contrast(t('theme.contrastNormal')), () => settings.setContrast('normal'))
  add(view, 'contrast-system', contrast(t('theme.contrastSystem')), () => settings.setContrast('system'))
  for (const [id, { name }] of Object.entries(locales)) {
    add(t('palette.language'), `locale-${id}`, name, () => settings.setLocale(id))
  }
  add(view, 'settings', t('layout.settings'), context.showSettings)
  add(view, 'deleted', t('deleted.label'), context.showDeleted)
  add(view, 'keys', t('keys.title'), context.showKeys, '?')

  for (const [path, page] of Object.entries(pages)) {
    add(t('palette.page'), `page-${path}`, t(page.title), () => navigate(path))
  }
  for (const { sessionId, title, deleted } of sessions) {
    if (deleted || sessionId === session?.sessionId) continue
    commands.push(openCommand(i18n, sessionId, title))
  }
  return commands
}

export const openCommand = ({ t }: I18n, sessionId: string, title: string): PaletteCommand => ({
  id: `session-${sessionId}`,
  label: title || t('sessions.untitled'),
  group: t('palette.session'),
  icon: icons.History,
  run: () => navigate(sessionPath(sessionId)),
})
