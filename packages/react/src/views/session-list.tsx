import type { SessionSummary } from '@vitrine/protocol'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Virtualizer } from 'virtua'
import { Boundary } from '../boundary.tsx'
import { useVitrine } from '../context.tsx'
import { useNow, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { GitFork, PencilLine, Search, Trash, X } from '../kit/icons.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { StatusDot } from '../kit/status-dot.tsx'
import { TextInput } from '../kit/text-input.tsx'
import { Time } from '../kit/time.tsx'
import { NotShown } from '../not-shown.tsx'
import { visible, visibleText } from '../visible.tsx'
import { readComposerDraft } from './composer-draft.ts'
import { useSearch } from './search-later.ts'
import type { SessionActions } from './session-actions.ts'
import {
  filterSessions,
  groupSessions,
  isRunning,
  isUnread,
  needsAttention,
  type SessionFilter,
  type SessionRow,
  withFound,
} from './session-groups.ts'
import { sessionTone } from './status.tsx'

interface Props {
  openId: string | null
  actions: SessionActions
  hrefOf: (sessionId: string) => string
  /** Whether the field that searches is shown: not, until it is closed, or always. */
  searching: boolean | 'always'
  onSearching: (searching: boolean) => void
  /** Opens a session beside those that are open; without it there is no such choice. */
  onOpenBeside?: (sessionId: string) => void
  /** Shows the sessions that can be brought back. */
  onDeleted: () => void
  /** The session whose name is being changed, owned above so that a command can open it. */
  renaming: string | null
  onRename: (sessionId: string | null) => void
}

/** Every session in one line: what it is called, how it stands, whether something new is in it. */
export function SessionList(props: Props) {
  const { openId, actions, hrefOf, searching, onSearching, onOpenBeside, onDeleted, renaming, onRename } = props
  const { t } = useI18n()
  const { client, openSession } = useVitrine()
  const { loaded, sessions, more } = useReadable(client.sessions)
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<SessionFilter>('all')
  const scroller = useRef<HTMLDivElement>(null)
  const now = useNow(true, 30_000)
  const known = useMemo(
    () => sessions.filter(session => !actions.hidden.has(session.sessionId)),
    [sessions, actions.hidden],
  )
  const elsewhere = useSearch(search, client.searchSessions)
  const found = elsewhere?.found
  const rows = useMemo(() => {
    const matches = filterSessions(known, { filter, search, openId })
    const others = (found ?? []).filter(session => !actions.hidden.has(session.sessionId))
    const all = filterSessions(withFound(matches, known, others), { filter, search: '', openId })
    return groupSessions(all, now)
  }, [known, found, actions.hidden, filter, search, openId, now])
  const counts = {
    attention: known.filter(needsAttention).length,
    running: known.filter(isRunning).length,
    unread: known.filter(session => isUnread(session, openId)).length,
  }
  // What waits or runs is always loaded; of the unread ones there may be more further down.
  const countOf = (name: keyof typeof counts) => (name === 'unread' && more ? `${counts[name]}+` : counts[name])
  const canLoad = more && (!elsewhere || elsewhere.state === 'failed')
  const end = useRef<HTMLButtonElement>(null)
  const { loadMore } = actions
  // Observed anew when rows came: an end that is still in sight asks for the next page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of rows is why, not what.
  useEffect(() => {
    if (!end.current || elsewhere) return
    const observer = new IntersectionObserver(seen => seen.at(-1)?.isIntersecting && loadMore(), {
      root: scroller.current,
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [canLoad, elsewhere === null, rows.length, loadMore])
  const endSearch = () => {
    setSearch('')
    onSearching(false)
  }
  const filters = (['attention', 'running', 'unread'] as const).filter(name => counts[name] > 0 || filter === name)
  return (
    <nav className="v-sessions" aria-label={t('sessions.label')}>
      <div className="v-sessions-head">
        {searching && (
          <label className="v-search">
            <Icon of={Search} />
            <span className="v-unseen">{t('sessions.search')}</span>
            <input
              type="search"
              placeholder={t('sessions.search')}
              value={search}
              // biome-ignore lint/a11y/noAutofocus: it is shown because somebody wants to type into it.
              autoFocus={searching === true}
              onChange={event => setSearch(event.target.value)}
              onKeyDown={event => {
                if (event.key !== 'Escape' || (searching === 'always' && !search)) return
                event.preventDefault()
                event.stopPropagation()
                endSearch()
              }}
            />
            {(search || searching === true) && (
              <IconButton icon={X} label={t('sessions.clearSearch')} onClick={endSearch} />
            )}
          </label>
        )}
        {filters.length > 0 && (
          <div className="v-filters">
            {filters.map(name => (
              <button
                key={name}
                type="button"
                className="v-filter"
                aria-pressed={filter === name}
                onClick={() => setFilter(filter === name ? 'all' : name)}
              >
                {name === 'attention' && <StatusDot tone="attention" />}
                {t(`sessions.filter.${name}`)} <b>{countOf(name)}</b>
              </button>
            ))}
          </div>
        )}
      </div>
      <div ref={scroller} className="v-sessions-scroll">
        {!loaded ? (
          <p className="v-panel-empty">{t('sessions.loading')}</p>
        ) : rows.length === 0 && elsewhere && elsewhere.state !== 'done' ? null : rows.length === 0 ? (
          <p className="v-panel-empty">{t(search || filter !== 'all' ? 'sessions.noMatch' : 'sessions.empty')}</p>
        ) : (
          <Virtualizer scrollRef={scroller} data={rows} as="ul" item="li">
            {(row: SessionRow) =>
              row.kind === 'heading' ? (
                <h2 key={row.key} className="v-sessions-heading">
                  {t(`sessions.group.${row.group}`)}
                </h2>
              ) : (
                <Boundary key={row.key} content={row.session} fallback={() => <NotShown raw={() => row.session} />}>
                  <Item
                    session={row.session}
                    open={row.session.sessionId === openId}
                    unread={isUnread(row.session, openId)}
                    now={now}
                    href={hrefOf(row.session.sessionId)}
                    renaming={renaming === row.session.sessionId}
                    onOpen={openSession}
                    onOpenBeside={onOpenBeside}
                    onRename={onRename}
                    actions={actions}
                  />
                </Boundary>
              )
            }
          </Virtualizer>
        )}
        {elsewhere && elsewhere.state !== 'done' && (
          <p className="v-panel-empty" role="status">
            {elsewhere.state === 'failed'
              ? t('sessions.searchFailed', { reason: elsewhere.reason })
              : t('sessions.searching')}
          </p>
        )}
        {canLoad && (
          <Button ref={end} look="quiet" className="v-more" onClick={loadMore}>
            {t('sessions.more')}
          </Button>
        )}
        {loaded && !canLoad && !search && filter === 'all' && (
          <Button look="quiet" className="v-more v-deleted-link" onClick={onDeleted} icon={Trash}>
            {t('deleted.label')}
          </Button>
        )}
      </div>
    </nav>
  )
}

interface ItemProps {
  session: SessionSummary
  open: boolean
  unread: boolean
  now: number
  href: string
  renaming: boolean
  onOpen: (sessionId: string) => void
  onOpenBeside: ((sessionId: string) => void) | undefined
  onRename: (sessionId: string | null) => void
  actions: SessionActions
}

function Item(props: ItemProps) {
  const { session, open, unread, now, href, renaming, onOpen, onOpenBeside, onRename, actions } = props
  const { t, ago } = useI18n()
  const { sessionId } = session
  const title = session.title || t('sessions.untitled')
  if (renaming) return <Rename session={session} onRename={onRename} actions={actions} />
  return (
    <div className="v-session" data-open={open || undefined} data-unread={unread || undefined}>
      <a
        className="v-session-link"
        href={href}
        aria-current={open ? 'page' : undefined}
        title={visibleText(title)}
        onClick={event => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          onOpen(sessionId)
        }}
      >
        <SessionMark session={session} unread={unread} open={open} />
        {session.parentSessionId && <Icon of={GitFork} className="v-row-icon" label={t('sessions.child')} />}
        <span className="v-session-title" dir="auto">
          {visible(title)}
        </span>
        {unread && <span className="v-unseen">{t('sessions.unread')}</span>}
        {session.queued > 0 && <Badge title={t('queue.count', { count: session.queued })}>{session.queued}</Badge>}
        <Time className="v-session-time" at={session.updatedAt}>
          {ago(session.updatedAt, now)}
        </Time>
      </a>
      <Menu label={t('sessions.menu', { title })}>
        {onOpenBeside && !open && (
          <MenuItem onChoose={() => onOpenBeside(sessionId)}>{t('sessions.openBeside')}</MenuItem>
        )}
        <MenuItem onChoose={() => onRename(sessionId)}>{t('sessions.rename')}</MenuItem>
        <MenuItem onChoose={() => actions.pin(session, !session.pinned)}>
          {t(session.pinned ? 'sessions.unpin' : 'sessions.pin')}
        </MenuItem>
        <MenuItem danger onChoose={() => actions.remove(session)}>
          {t('sessions.delete')}
        </MenuItem>
      </Menu>
    </div>
  )
}

/** How a session stands, in the place that every row keeps for it. What is at rest and read has no mark. */
export function SessionMark(props: { session: SessionSummary; unread: boolean; open: boolean }) {
  const { session, unread, open } = props
  const { t } = useI18n()
  const { sessionId, status } = session
  if (status !== 'idle') return <StatusDot tone={sessionTone[status]} label={t(`sessions.status.${status}`)} />
  if (unread) return <StatusDot tone="new" />
  if (!open && readComposerDraft(sessionId).text.trim()) {
    return <Icon of={PencilLine} className="v-dot" label={t('sessions.draft')} />
  }
  return <span className="v-dot" />
}

function Rename({ session, onRename, actions }: Pick<ItemProps, 'session' | 'onRename' | 'actions'>) {
  const { t } = useI18n()
  const [title, setTitle] = useState(session.title)
  const done = useRef(false)
  const finish = (save: boolean) => {
    if (done.current) return
    done.current = true
    onRename(null)
    const name = title.trim()
    if (save && name && name !== session.title) actions.rename(session, name)
  }
  return (
    <div className="v-session">
      <TextInput
        className="v-rename"
        aria-label={t('sessions.rename')}
        maxLength={300}
        value={title}
        ref={element => {
          if (element && document.activeElement !== element) {
            element.focus()
            element.select()
          }
        }}
        onChange={event => setTitle(event.target.value)}
        onBlur={() => finish(true)}
        onEnter={() => finish(true)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          finish(false)
        }}
      />
    </div>
  )
}
