import type { VitrineClient } from '@vitrine/client'
import {
  Button,
  capsOf,
  IconButton,
  icons,
  PersonFace,
  StatusDot,
  type StatusTone,
  useI18n,
  useShownConnection,
} from '@vitrine/react'
import type { ReactNode } from 'react'
import { pageKeys } from './keys.ts'
import { Mark } from './mark.tsx'
import { hrefOf } from './router.ts'

interface Props {
  client: VitrineClient
  /** Whether nothing is open but the first screen. */
  home: boolean
  /** Whether the page of the agents is open, and how many agents there are. */
  agents: boolean
  agentCount: number | undefined
  onAgents: () => void
  searching: boolean
  onSearching: (searching: boolean) => void
  /** Hides the side bar. A sheet has its own way to be closed, and its main action at the lower edge. */
  onHide?: () => void
  onNew: () => void
  onNewFolder: () => void
  onSettings: () => void
  /** The list of sessions. */
  children: ReactNode
}

/** What hangs on the wall beside the cases: the way in, the sessions, and who is here. */
export function SideBar({
  client,
  home,
  agents,
  agentCount,
  onAgents,
  searching,
  onSearching,
  onHide,
  onNew,
  onNewFolder,
  onSettings,
  children,
}: Props) {
  const { t } = useI18n()
  if (!onHide) {
    return (
      <>
        {children}
        <div className="w-foot">
          <PersonFace name="" />
          <IconButton icon={icons.Settings2} label={t('layout.settings')} onClick={onSettings} />
          <ConnectionWord client={client} />
          <Button look="primary" className="w-foot-new" onClick={onNew} icon={icons.SquarePen}>
            {t('sessions.new')}
          </Button>
        </div>
      </>
    )
  }
  return (
    <>
      <div className="w-brand">
        <a
          href={hrefOf('/')}
          className="w-name"
          onClick={event => {
            event.preventDefault()
            onNew()
          }}
        >
          <Mark size={22} />
          Vitrine
        </a>
        {searching && (
          <>
            <IconButton icon={icons.FolderPlus} label={t('folders.new')} onClick={onNewFolder} />
            <IconButton icon={icons.SquarePen} label={t('sessions.new')} keys={pageKeys.newSession} onClick={onNew} />
          </>
        )}
        {/* These two stay where they are: no press meets another button than the one that was seen. */}
        <IconButton
          icon={icons.Search}
          label={t('sessions.search')}
          aria-pressed={searching}
          onClick={() => onSearching(!searching)}
        />
        <IconButton
          className="w-mirror"
          icon={icons.PanelLeft}
          label={t('layout.hideSide')}
          keys={pageKeys.side}
          onClick={onHide}
        />
      </div>
      {!searching && (
        <div className="w-nav">
          <Button look="quiet" className="w-new" onClick={onNew} icon={icons.SquarePen} data-on={home || undefined}>
            <span className="w-new-word">{t('sessions.new')}</span>
            <span className="w-keys" aria-hidden>
              {capsOf(pageKeys.newSession)[0]!.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
          </Button>
          <Button look="quiet" className="w-new" onClick={onAgents} icon={icons.Blocks} data-on={agents || undefined}>
            <span className="w-new-word">{t('agents.title')}</span>
            <span className="w-count">{agentCount}</span>
          </Button>
        </div>
      )}
      {children}
      <div className="w-foot">
        <PersonFace name="" />
        <span className="w-who">{t('layout.you')}</span>
        <ConnectionWord client={client} />
        <IconButton icon={icons.Settings2} label={t('layout.settings')} onClick={onSettings} />
      </div>
    </>
  )
}

const tones: Record<string, StatusTone> = { live: 'good', connecting: 'busy', 'catching-up': 'busy' }

function ConnectionWord({ client }: { client: VitrineClient }) {
  const { t } = useI18n()
  const state = useShownConnection(client)
  return (
    <span className="w-connection">
      <StatusDot tone={tones[state] ?? 'idle'} />
      {state === 'live' ? t('connection.live') : t(`connection.away.${state}`)}
    </span>
  )
}
