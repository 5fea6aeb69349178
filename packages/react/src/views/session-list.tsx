import { searchMessages, searchSessions } from '@vitrine/client/lists'
import type { FoundMessage, SessionSummary } from '@vitrine/protocol'
import {
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Virtualizer } from 'virtua'
import { Boundary } from '../boundary.tsx'
import { type MessagePlace, useVitrine } from '../context.tsx'
import { useNow, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import {
  Archive,
  Folder as FolderIcon,
  FolderOpen,
  FolderPlus,
  GitFork,
  PencilLine,
  Search,
  Trash,
} from '../kit/icons.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { StatusDot } from '../kit/status-dot.tsx'
import { isEnter, TextInput } from '../kit/text-input.tsx'
import { Time } from '../kit/time.tsx'
import { NotShown } from '../not-shown.tsx'
import { isPressed, lettersAct, signsAct } from '../shortcuts.ts'
import { useSetting } from '../stored.ts'
import { visible, visibleText } from '../visible.tsx'
import { readComposerDraft } from './composer-draft.ts'
import { FoundMessageRow } from './found-message.tsx'
import { viewKeys } from './keys-help.tsx'
import { SearchField } from './search-field.tsx'
import { searchFieldKey } from './search-keys.ts'
import { useSearch } from './search-later.ts'
import type { SessionActions } from './session-actions.ts'
import {
  filterSessions,
  firstRowOf,
  folderKey,
  foundRows,
  groupSessions,
  isRunning,
  isUnread,
  needsYou,
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
  /** Shows everything that is found for a text, on a page of its own. */
  onSearchAll: (text: string) => void
  /** That page, when it is open: the field is its field then, and the list stays as it is. */
  searchPage?: { typed: string; onType: (text: string) => void; onClose: () => void } | null
  /** Opens a session beside those that are open; without it there is no such choice. */
  onOpenBeside?: (sessionId: string) => void
  /** Shows the sessions that were put away, or those that were deleted and can be brought back. */
  onPutAway: (which: 'archived' | 'deleted') => void
  /** A session was chosen, also the one that is open: what covers it can go. */
  onChosen?: () => void
  /** What is being renamed: the id of a session, or the `folderKey` of a folder. Owned above, so that a command can do it. */
  renaming: string | null
  onRename: (what: string | null) => void
}

/** Every session in one line: what it is called, how it stands, whether something new is in it. */
export function SessionList(props: Props) {
  const { openId, actions, hrefOf, searching, onSearching, onSearchAll, searchPage = null } = props
  const { onOpenBeside, onPutAway, onChosen, renaming, onRename } = props
  const { t } = useI18n()
  const { client, openSession } = useVitrine()
  const { loaded, sessions, folders, more } = useReadable(client.sessions)
  const [typed, setTyped] = useState('')
  const search = searchPage ? '' : typed
  const [filter, setFilter] = useState<SessionFilter>('all')
  const [openFolders, setOpenFolders] = useSetting<readonly string[]>('vitrine.openFolders', [])
  const scroller = useRef<HTMLDivElement>(null)
  const now = useNow(true, 30_000)
  const known = useMemo(
    () => sessions.filter(session => !actions.hidden.has(session.sessionId)),
    [sessions, actions.hidden],
  )
  const findMessages = useCallback(
    async (text: string) => {
      const answer = await searchMessages(client, text)
      return answer.ok ? { ok: true as const, value: answer.value.results } : answer
    },
    [client],
  )
  const findByTitle = useCallback((text: string) => searchSessions(client, text), [client])
  const elsewhere = useSearch(search, findByTitle)
  const inMessages = useSearch<FoundMessage>(search, findMessages, true)
  const found = elsewhere?.found
  const messages = inMessages?.found
  const rows = useMemo(() => {
    if (search.trim()) {
      const matches = filterSessions(known, { filter, search, openId })
      const others = (found ?? []).filter(session => !actions.hidden.has(session.sessionId))
      const here = (messages ?? []).filter(({ session }) => !actions.hidden.has(session.sessionId))
      return foundRows(withFound(matches, known, others), here)
    }
    const shown = filterSessions(known, { filter, search: '', openId })
    // A filter shows what it finds by day, wherever it is kept.
    return filter === 'all'
      ? groupSessions(shown, now, { folders, isOpen: folderId => openFolders.includes(folderId) })
      : groupSessions(shown, now).filter(({ group }) => group !== 'attention')
  }, [known, found, messages, actions.hidden, filter, search, openId, now, folders, openFolders])
  const currentRow = firstRowOf(rows, openId)
  const renamedRow = firstRowOf(rows, renaming)
  const listed = known.filter(({ archived }) => !archived)
  const counts = {
    attention: listed.filter(needsYou).length,
    running: listed.filter(isRunning).length,
    unread: listed.filter(session => isUnread(session, openId)).length,
  }
  // What waits or runs is always loaded; of the unread ones there may be more further down.
  const countOf = (name: keyof typeof counts) => (name === 'unread' && more ? `${counts[name]}+` : counts[name])
  const asking = [elsewhere, inMessages].some(one => one?.state === 'searching')
  const failed = [elsewhere, inMessages].find(one => one?.state === 'failed')
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
  const chosen = (sessionId: string, place?: MessagePlace) => {
    openSession(sessionId, place)
    onChosen?.()
  }
  const showAll = () => {
    onSearchAll(typed.trim())
    setTyped('')
    onChosen?.()
  }
  const toggle = (folderId: string, open: boolean) =>
    setOpenFolders([...openFolders.filter(id => id !== folderId), ...(open ? [folderId] : [])])
  const addFolder = () => onRename(folderKey(actions.addFolder()))
  const drag = useDrag(known, actions)
  useFocusInRows(scroller, rows, href => known.find(({ sessionId }) => hrefOf(sessionId) === href)?.folderId ?? null)
  const filters = (['attention', 'running', 'unread'] as const).filter(name => counts[name] > 0 || filter === name)
  const draw = (row: SessionRow) => {
    if (row.kind === 'heading') {
      return (
        <h2 key={row.key} className="v-sessions-heading">
          {t(`sessions.group.${row.group}`)}
          {row.group === 'folders' && <IconButton icon={FolderPlus} label={t('folders.new')} onClick={addFolder} />}
        </h2>
      )
    }
    if (row.kind === 'message') {
      return (
        <FoundMessageRow
          key={row.key}
          found={row.found}
          now={now}
          words={search}
          href={hrefOf(row.found.session.sessionId)}
          onOpen={chosen}
        />
      )
    }
    if (row.kind === 'folder') {
      const { folder, count, open } = row
      return (
        <FolderRow
          key={row.key}
          name={folder.name}
          folderId={folder.folderId}
          count={count}
          open={open}
          over={drag.over === folder.folderId}
          renaming={renaming === row.key}
          onToggle={() => toggle(folder.folderId, !open)}
          onRename={onRename}
          actions={actions}
        />
      )
    }
    const { session, folderId } = row
    const waits = row.group === 'attention' || filter === 'attention'
    return (
      <Boundary key={row.key} content={session} fallback={() => <NotShown raw={() => session} />}>
        <Item
          session={session}
          folderId={folderId}
          asked={waits ? session.waitsFor : null}
          open={session.sessionId === openId}
          current={row.key === currentRow}
          unread={isUnread(session, openId)}
          now={now}
          href={hrefOf(session.sessionId)}
          renaming={row.key === renamedRow}
          onOpen={chosen}
          onOpenBeside={onOpenBeside}
          onRename={onRename}
          actions={actions}
        />
      </Boundary>
    )
  }
  return (
    <nav
      className="v-sessions"
      aria-label={t('sessions.label')}
      onKeyDown={event => {
        if (!isPressed(event.nativeEvent, viewKeys.find) || !signsAct(event.nativeEvent)) return walkRows(event)
        event.preventDefault()
        if (searching !== 'always' && !searchPage) onSearching(true)
        else event.currentTarget.querySelector<HTMLElement>('[data-search-field]')?.focus()
      }}
    >
      <div className="v-sessions-head">
        {searchPage ? (
          <SearchField
            value={searchPage.typed}
            autoFocus
            onChange={searchPage.onType}
            onClose={searchPage.onClose}
            onKey={searchFieldKey}
          />
        ) : (
          searching && (
            <SearchField
              value={typed}
              autoFocus={searching === true}
              onChange={text => {
                setTyped(text)
                scroller.current?.scrollTo(0, 0)
              }}
              {...(searching === true && { onClose: () => onSearching(false) })}
              onKey={event => {
                if (!isEnter(event) || !typed.trim()) return false
                event.preventDefault()
                showAll()
                return true
              }}
            />
          )
        )}
        {known.length > 0 && (
          // The line keeps its place while it is empty: the list must not move when a run begins.
          <div className="v-filters">
            {filters.map(name => (
              <button
                key={name}
                type="button"
                className="v-filter"
                aria-pressed={filter === name}
                title={t(`sessions.counted.${name}`, { count: counts[name] })}
                onClick={() => setFilter(filter === name ? 'all' : name)}
              >
                {name === 'attention' && <StatusDot tone="attention" />}
                <span>{t(`sessions.filter.${name}`)}</span> <b>{countOf(name)}</b>
              </button>
            ))}
          </div>
        )}
        {search.trim() && (
          <Button look="quiet" className="v-list-link v-search-all" icon={Search} onClick={showAll}>
            <span>{t('search.allResults')}</span>
            <kbd aria-hidden>↵</kbd>
          </Button>
        )}
      </div>
      <div ref={scroller} className="v-sessions-scroll" {...drag.handlers}>
        {!loaded ? (
          <p className="v-panel-empty">{t('sessions.loading')}</p>
        ) : rows.length === 0 && (asking || failed) ? null : rows.length === 0 ? (
          <p className="v-panel-empty">{t(search || filter !== 'all' ? 'sessions.noMatch' : 'sessions.empty')}</p>
        ) : (
          <Virtualizer scrollRef={scroller} data={rows} as="ul" item="li">
            {draw}
          </Virtualizer>
        )}
        {(asking || failed) && (
          <p className="v-panel-empty" role="status">
            {failed?.state === 'failed'
              ? t('sessions.searchFailed', { reason: problemWords(t, failed.problem) })
              : t('sessions.searching')}
          </p>
        )}
        {canLoad && (
          <Button ref={end} look="quiet" className="v-more" onClick={loadMore}>
            {t('sessions.more')}
          </Button>
        )}
        {loaded && !canLoad && !search && filter === 'all' && (
          <>
            {folders.length === 0 && (
              <Button look="quiet" className="v-more v-list-link" onClick={addFolder} icon={FolderPlus}>
                {t('folders.new')}
              </Button>
            )}
            <Button look="quiet" className="v-more v-list-link" onClick={() => onPutAway('archived')} icon={Archive}>
              {t('archive.label')}
            </Button>
            <Button look="quiet" className="v-more v-list-link" onClick={() => onPutAway('deleted')} icon={Trash}>
              {t('deleted.label')}
            </Button>
          </>
        )}
      </div>
    </nav>
  )
}

/**
 * The row that has the focus may move into another group or leave the list: the focus then goes with it, to the closed
 * folder that has it now, or to the row that takes its place.
 */
function useFocusInRows(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly SessionRow[],
  folderOf: (href: string) => string | null,
) {
  const last = useRef<{ element: Element; href: string | null; at: number } | null>(null)
  const links = () => [...(scroller.current?.querySelectorAll<HTMLElement>('.v-session-link') ?? [])]
  // biome-ignore lint/correctness/useExhaustiveDependencies: links are read when they are needed.
  useEffect(() => {
    const list = scroller.current
    if (!list) return
    const note = ({ target }: FocusEvent) => {
      const element = target as Element
      const link = element.closest('.v-session')?.querySelector<HTMLElement>('.v-session-link')
      last.current = link ? { element, href: link.getAttribute('href'), at: links().indexOf(link) } : null
    }
    const forget = () => {
      if (!list.contains(document.activeElement)) last.current = null
    }
    // Whoever left the row for another place has left it; a row that is gone took the focus with it.
    const left = () => setTimeout(() => last.current?.element.isConnected && forget())
    // React hears nothing of a focus that a dialog gives back while it is removed.
    list.addEventListener('focusin', note)
    list.addEventListener('focusout', left)
    return () => {
      list.removeEventListener('focusin', note)
      list.removeEventListener('focusout', left)
    }
  }, [scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that changed are why, not what.
  useLayoutEffect(() => {
    if (!last.current || last.current.element.isConnected || document.activeElement !== document.body) return
    const { href, at } = last.current
    const all = links()
    const same = href === null ? undefined : all.find(link => link.getAttribute('href') === href)
    const folderId = href === null ? null : folderOf(href)
    const folder = all.find(link => link.parentElement?.dataset.folder === folderId)
    const next = same ?? folder ?? all[Math.min(at, all.length - 1)]
    next?.focus({ preventScroll: true })
  }, [rows])
}

/** The arrow keys walk the rows, from the field that searches and back to it. */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const target = event.target as HTMLElement
  const inField = target.matches('input')
  if (step === undefined || event.defaultPrevented || event.altKey || (!inField && !target.matches('.v-session-link')))
    return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.v-session-link')]
  const next = inField ? (step > 0 ? links[0] : undefined) : links[links.indexOf(target) + step]
  const field = event.currentTarget.querySelector<HTMLElement>('input[type=search]')
  const goal = next ?? (step < 0 && !inField ? field : null)
  if (!goal) return
  event.preventDefault()
  goal.focus()
}

const DRAGGED = 'application/x-vitrine-session'

/** Dragging a session onto a folder moves it there; dropped elsewhere in the list, it leaves its folder. */
function useDrag(sessions: readonly SessionSummary[], actions: SessionActions) {
  const [over, setOver] = useState<string | null>(null)
  const folderAt = (event: DragEvent) =>
    (event.target as HTMLElement).closest<HTMLElement>('[data-folder]')?.dataset.folder ?? null
  return {
    over,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!event.dataTransfer.types.includes(DRAGGED)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
        setOver(folderAt(event))
      },
      onDragLeave: () => setOver(null),
      onDrop(event: DragEvent) {
        setOver(null)
        const dragged = event.dataTransfer.getData(DRAGGED)
        const session = sessions.find(({ sessionId }) => sessionId === dragged)
        if (!session) return
        event.preventDefault()
        const folderId = folderAt(event)
        if (folderId !== session.folderId) actions.move(session, folderId)
      },
    },
  }
}

interface FolderProps {
  name: string
  folderId: string
  count: number
  open: boolean
  /** A session is being dragged over it. */
  over: boolean
  renaming: boolean
  onToggle: () => void
  onRename: (what: string | null) => void
  actions: SessionActions
}

function FolderRow({ name, folderId, count, open, over, renaming, onToggle, onRename, actions }: FolderProps) {
  const { t } = useI18n()
  if (renaming) {
    return (
      <Rename
        name={name}
        label={t('folders.rename')}
        most={100}
        onName={changed => actions.renameFolder(folderId, changed)}
        onEnd={() => onRename(null)}
      />
    )
  }
  return (
    <div className="v-session v-folder" data-folder={folderId} data-over={over || undefined}>
      <button
        type="button"
        className="v-session-link"
        aria-expanded={open}
        title={visibleText(name)}
        onClick={onToggle}
        onKeyDown={event => {
          if (event.key !== (open ? 'ArrowLeft' : 'ArrowRight')) return
          event.preventDefault()
          onToggle()
        }}
      >
        <Icon of={open ? FolderOpen : FolderIcon} className="v-row-icon" />
        <span className="v-session-title" dir="auto">
          {visible(name)}
        </span>
        <span className="v-session-time">
          {count}
          <span className="v-unseen"> {t('folders.sessions', { count })}</span>
        </span>
      </button>
      <Menu label={t('sessions.menu', { title: name })}>
        <MenuItem onChoose={() => onRename(folderKey(folderId))}>{t('folders.rename')}</MenuItem>
        <MenuItem danger onChoose={() => actions.removeFolder({ folderId, name })}>
          {t('folders.delete')}
        </MenuItem>
      </Menu>
    </div>
  )
}

interface ItemProps {
  session: SessionSummary
  /** The folder in which this row stands. */
  folderId: string | null
  /** What the session waits for, where that is what people look for; it stands there instead of the title. */
  asked: string | null
  open: boolean
  /** Whether it is shown as the open one: a session that stands here twice is so once. */
  current: boolean
  unread: boolean
  now: number
  href: string
  renaming: boolean
  onOpen: (sessionId: string) => void
  onOpenBeside: ((sessionId: string) => void) | undefined
  onRename: (what: string | null) => void
  actions: SessionActions
}

function Item(props: ItemProps) {
  const { session, folderId, asked, open, current, unread, now, href, renaming } = props
  const { onOpen, onOpenBeside, onRename, actions } = props
  const { t, ago } = useI18n()
  const { sessionId } = session
  const title = session.title || t('sessions.untitled')
  if (renaming) {
    return (
      <Rename
        name={session.title}
        label={t('sessions.rename')}
        most={300}
        onName={name => actions.rename(session, name)}
        onEnd={() => onRename(null)}
      />
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dragged can be moved by menu and key as well.
    <div
      className="v-session"
      data-open={current || undefined}
      data-unread={unread || undefined}
      data-folder={folderId ?? undefined}
      draggable
      onDragStart={event => {
        event.dataTransfer.setData(DRAGGED, sessionId)
        event.dataTransfer.effectAllowed = 'move'
      }}
    >
      <a
        className="v-session-link"
        href={href}
        draggable={false}
        aria-current={current ? 'page' : undefined}
        aria-keyshortcuts={viewKeys.move}
        title={visibleText(asked ? `${asked}\n${title}` : title)}
        onClick={event => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          onOpen(sessionId)
        }}
        onKeyDown={event => {
          if (!isPressed(event.nativeEvent, viewKeys.move) || !lettersAct(event.nativeEvent)) return
          event.preventDefault()
          actions.askMove(session)
        }}
      >
        <SessionMark session={session} unread={unread} open={open} />
        {session.parentSessionId && <Icon of={GitFork} className="v-row-icon" label={t('sessions.child')} />}
        <span className="v-session-title" dir="auto">
          {visible(asked || title)}
        </span>
        {unread && <span className="v-unseen">{t('sessions.unread')}</span>}
        {session.archived && <Badge>{t('archive.badge')}</Badge>}
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
        <MenuItem onChoose={() => actions.askMove(session)}>{t('folders.move')}</MenuItem>
        <MenuItem onChoose={() => actions.archive(session, !session.archived)}>
          {t(session.archived ? 'archive.bringBack' : 'archive.archive')}
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

interface RenameProps {
  name: string
  label: string
  most: number
  onName: (name: string) => void
  onEnd: () => void
}

/** The name of a session or a folder in a field, in the place of its row. */
function Rename({ name, label, most, onName, onEnd }: RenameProps) {
  const [typed, setTyped] = useState(name)
  const done = useRef(false)
  const finish = (save: boolean) => {
    if (done.current) return
    done.current = true
    onEnd()
    const changed = typed.trim()
    if (save && changed && changed !== name) onName(changed)
  }
  return (
    <div className="v-session">
      <TextInput
        className="v-rename"
        aria-label={label}
        maxLength={most}
        value={typed}
        ref={element => {
          if (element && document.activeElement !== element) {
            element.focus()
            element.select()
          }
        }}
        onChange={event => setTyped(event.target.value)}
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
