import type { SessionHandle } from '@vitrine/client'
import { Diagnostics, Guard, type MessageKey, Permissions, Plan, StateInspector, Tasks, useI18n } from '@vitrine/react'
import X from 'lucide-react/icons/x'
import type { ComponentType, KeyboardEvent } from 'react'

export const tabs = ['plan', 'tasks', 'state', 'permissions', 'diagnostics'] as const
export type Tab = (typeof tabs)[number]

const panels: Record<Tab, ComponentType<{ handle: SessionHandle }>> = {
  plan: Plan,
  tasks: Tasks,
  state: StateInspector,
  permissions: Permissions,
  diagnostics: Diagnostics,
}
/** What of the session each panel draws. */
const drawn = {
  plan: ['plan'],
  tasks: ['tasks', 'agents', 'actions', 'queue'],
  state: ['state'],
  permissions: ['permissions'],
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
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]!
    onTab(next)
    event.currentTarget.querySelector<HTMLElement>(`#w-tab-${next}`)?.focus()
  }
  return (
    <div className="w-dock">
      <div className="w-dock-head">
        <div role="tablist" aria-label={t('dock.label')} className="w-tabs" onKeyDown={onKeyDown}>
          {tabs.map(name => (
            <button
              key={name}
              id={`w-tab-${name}`}
              type="button"
              role="tab"
              aria-selected={name === tab}
              aria-controls="w-panel"
              tabIndex={name === tab ? 0 : -1}
              onClick={() => onTab(name)}
            >
              {t(tabKey(name))}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="v-button v-quiet v-icon"
          aria-label={t('dock.close')}
          title={t('dock.close')}
          onClick={onClose}
        >
          <X aria-hidden />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without controls must still be reachable to scroll. */}
      <div id="w-panel" role="tabpanel" aria-labelledby={`w-tab-${tab}`} className="w-dock-body" tabIndex={0}>
        <Guard key={tab} handle={handle} of={drawn[tab]} raw={() => drawn[tab].map(name => stateOf(handle, name))}>
          <Panel handle={handle} />
        </Guard>
      </div>
    </div>
  )
}
