import type { SessionHandle } from '@vitrine/client'
import {
  Diagnostics,
  EntityBoundary,
  IconButton,
  icons,
  lazily,
  Menu,
  MenuItem,
  type MessageKey,
  PlanView,
  StateInspector,
  TabList,
  TabPanel,
  Tasks,
  useI18n,
} from '@vitrine/react'
import { type ComponentType, Suspense } from 'react'

export const tabs = ['plan', 'tasks', 'tools', 'state', 'diagnostics'] as const
export type Tab = (typeof tabs)[number]
/** Panels for people who build agents. They have a tab while they are open. */
export const forBuilders: readonly Tab[] = ['state', 'diagnostics']

/** Browsers remember the tab, and an older version had others. */
export const tabOf = (stored: string): Tab => tabs.find(tab => tab === stored) ?? 'plan'

// The first screen does not need it, and the views of a session are there before a panel is opened.
const ToolsPanel = lazily(async () => ({ default: (await import('./session-views.ts')).ToolsPanel }))

const panels: Record<Tab, ComponentType<{ handle: SessionHandle }>> = {
  plan: PlanView,
  tasks: Tasks,
  state: StateInspector,
  tools: ToolsPanel,
  diagnostics: Diagnostics,
}
/** What of the session each panel draws. */
const drawn = {
  plan: ['plan'],
  tasks: ['tasks', 'subagents', 'actions', 'queue'],
  state: ['state'],
  tools: ['tools', 'permissions', 'session'],
  diagnostics: ['diagnostics', 'metrics'],
} as const satisfies Record<Tab, readonly string[]>
const stateOf = ({ state }: SessionHandle, name: (typeof drawn)[Tab][number]) =>
  name === 'state' ? state.shared : state[name]

export const tabKey = (tab: Tab): MessageKey => `dock.${tab}`

/** The side panel: what belongs to a session beside its conversation. */
export function Dock(props: { handle: SessionHandle; tab: Tab; onTab: (tab: Tab) => void; onClose: () => void }) {
  const { handle, tab, onTab, onClose } = props
  const { t } = useI18n()
  const Panel = panels[tab]
  const shown = tabs.filter(name => name === tab || !forBuilders.includes(name))
  const active = shown.indexOf(tab)
  return (
    <div className="w-dock">
      <div className="w-dock-head">
        <TabList
          id="w-dock"
          label={t('dock.label')}
          titles={shown.map(name => t(tabKey(name)))}
          active={active}
          onChoose={index => onTab(shown[index]!)}
        />
        <Menu label={t('dock.more')}>
          {forBuilders.map(name => (
            <MenuItem key={name} onChoose={() => onTab(name)}>
              {t(tabKey(name))}
            </MenuItem>
          ))}
        </Menu>
        <IconButton icon={icons.X} label={t('dock.close')} onClick={onClose} />
      </div>
      <TabPanel id="w-dock" active={active} className="w-dock-body">
        <EntityBoundary
          key={tab}
          handle={handle}
          of={drawn[tab]}
          raw={() => drawn[tab].map(name => stateOf(handle, name))}
        >
          <Suspense fallback={<p className="v-panel-empty">{t('fallback.loading')}</p>}>
            <Panel handle={handle} />
          </Suspense>
        </EntityBoundary>
      </TabPanel>
    </div>
  )
}
