import type { SessionHandle } from '@vitrine/client'
import type { SessionState } from '@vitrine/protocol'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntity, useNow, useReadable } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { RadioGroup } from '../kit/choices.tsx'
import { Empty } from '../kit/empty.tsx'
import { Layers } from '../kit/icons.ts'
import { StatusDot, type StatusTone } from '../kit/status-dot.tsx'
import { isPressed, lettersAct } from '../shortcuts.ts'
import { visible, visibleText } from '../visible.tsx'
import { viewKeys } from './keys-help.tsx'
import { useLinkedSessions } from './linked-sessions.ts'
import { allLoaded, sessionUsage } from './session-usage.tsx'
import { TaskRow, type TaskRowControl } from './task-row.tsx'
import { otherSessions, shownNodes, type TaskNode, taskTree, tonesIn } from './task-tree.ts'

/** The state of a session, drawn again when something in it begins, waits or ends. */
export function useTasks(handle: SessionHandle): SessionState {
  useEntity(handle, 'tasks', () => null)
  useEntity(handle, 'actions', () => null)
  useEntity(handle, 'subagents', () => null)
  useEntity(handle, 'queue', () => null)
  useEntity(handle, 'session', () => null)
  return handle.state
}

type Filter = 'all' | 'attention' | 'busy' | 'danger'
const filters: readonly [Exclude<Filter, 'all'>, MessageKey][] = [
  ['attention', 'tasks.attention'],
  ['busy', 'tasks.running'],
  ['danger', 'tasks.failed'],
]

interface Pressed {
  key: string
  /** The arrows that lead into the tree and out of it, as the page is read. */
  inward: string
  outward: string
  open: boolean
  foldable: boolean
}

/** What a key does in a row of the tree. */
function keyOf({ key, inward, outward, open, foldable }: Pressed) {
  if (key === inward) return open ? 'next' : foldable ? 'unfold' : null
  if (key === outward) return open ? 'fold' : 'parent'
  switch (key) {
    case 'ArrowDown':
      return 'next'
    case 'ArrowUp':
      return 'previous'
    case 'Home':
      return 'first'
    case 'End':
      return 'last'
    case 'Enter':
      return 'go'
    default:
      return null
  }
}

interface Props {
  handle: SessionHandle
  /** Whether the tree takes the focus when it appears. */
  focus?: boolean
  /** Goes to a request of this session. */
  onGo?: ((actionId: string) => void) | undefined
  /** Told when a row leads elsewhere. */
  onLeave?: (() => void) | undefined
  /** Told how many rows of each tone there are. */
  onTones?: ((tones: ReadonlyMap<StatusTone, number>) => void) | undefined
  /** Buttons at the end of the head. */
  children?: ReactNode
}

/** A session with its rows. */
interface Group {
  id: string
  /** The session itself, when it is followed: its time and its cost come from there. */
  session: SessionHandle | null
  title: string
  nodes: readonly TaskNode[]
}

/** The tree of all that goes on: this session first, then each other session that needs somebody, failed or works. */
export function TaskTree({ handle, focus = false, onGo, onLeave, onTones, children }: Props) {
  const { t } = useI18n()
  const { client } = useVitrine()
  const { sessions } = useReadable(client.sessions)
  const state = useTasks(handle)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [only, setOnly] = useState<Filter>('all')
  const [current, setCurrent] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const controls = useRef(new Map<string, TaskRowControl>()).current
  const own = taskTree(state)
  const others = otherSessions(state, sessions)
  const linked = useLinkedSessions(handle, linksOf(state, others))
  const tones = tonesIn([...own, ...others])
  const tone = only === 'all' ? null : only
  const options = [
    { value: 'all' as Filter, label: t('tasks.all') },
    ...filters.flatMap(([value, key]) => {
      const count = tones.get(value) ?? 0
      const words = t(key, { count })
      const label = <Count key={value} tone={value} count={count} words={words} />
      return count > 0 || only === value ? [{ value, hint: words, label }] : []
    }),
  ]
  const { title } = state.session
  const untitled = t('sessions.untitled')
  const all: Group[] = [
    { id: 'own', session: handle, title: (title.known && title.value) || untitled, nodes: own },
    ...others.map((node): Group => {
      const { sessionId, title: named } = (node.of as Extract<TaskNode['of'], { kind: 'session' }>).session
      const other = linked.get(sessionId)
      const loaded = other?.phase.get().phase === 'ready' ? other : null
      return { id: node.id, session: loaded, title: named || untitled, nodes: [node] }
    }),
  ]
  const groups = all
    .map(group => ({ ...group, rows: shownNodes(group.nodes, folded, tone) }))
    .filter(({ rows }) => rows.length > 0)
  const rows = groups.flatMap(group => group.rows)
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === current),
  )
  const focusRow = (index: number) => {
    const row = rows[index]
    if (!row) return
    setCurrent(row.node.id)
    list.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[index]?.focus()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is taken once, when the tree appears.
  useEffect(() => {
    if (focus) (list.current?.querySelector<HTMLElement>('[role="treeitem"]') ?? list.current)?.focus()
  }, [])
  const told = useRef('')
  useEffect(() => {
    const now = [...tones].join()
    if (now === told.current) return
    told.current = now
    onTones?.(tones)
  })
  const fold = (id: string, on: boolean) => {
    const next = new Set(folded)
    if (on) next.add(id)
    else next.delete(id)
    setFolded(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    if (!row || event.metaKey || event.ctrlKey || event.altKey) return
    // A button in the row has its own keys.
    if (!(event.target as HTMLElement).matches('[role="treeitem"]')) return
    const { node, parent } = row
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const inward = rtl ? 'ArrowLeft' : 'ArrowRight'
    const outward = rtl ? 'ArrowRight' : 'ArrowLeft'
    const open = node.children.length > 0 && !folded.has(node.id)
    const letters = lettersAct(event.nativeEvent)
    const act =
      letters && isPressed(event.nativeEvent, viewKeys.stopTask)
        ? 'stop'
        : letters && isPressed(event.nativeEvent, viewKeys.retryTask)
          ? 'retry'
          : keyOf({ key: event.key, inward, outward, open, foldable: node.children.length > 0 })
    if (!act) return
    event.preventDefault()
    if (act === 'next') focusRow(at + 1)
    else if (act === 'previous') focusRow(at - 1)
    else if (act === 'first') focusRow(0)
    else if (act === 'last') focusRow(rows.length - 1)
    else if (act === 'fold' || act === 'unfold') fold(node.id, act === 'fold')
    else if (act === 'parent') focusRow(rows.findIndex(({ node: { id } }) => id === parent))
    else controls.get(node.id)?.[act]()
  }
  return (
    <div className="v-tasks">
      <header className="v-tasks-head">
        <h2>{t('dock.tasks')}</h2>
        <span className="v-tasks-across">
          {rows.length > 0 && t('tasks.sessions', { count: all.filter(({ nodes }) => nodes.length > 0).length })}
        </span>
        {tones.size > 0 && (
          <RadioGroup
            label={t('tasks.filter')}
            labelHidden
            look="segments"
            value={only}
            options={options}
            onChange={setOnly}
          />
        )}
        {children}
      </header>
      {rows.length === 0 && <Empty icon={Layers} title={t('tasks.empty')} text={t('tasks.emptyHelp')} />}
      <div
        ref={list}
        className="v-task-tree"
        role="tree"
        aria-label={t('dock.tasks')}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {groups.map(({ id, session, title: named, rows: inGroup }) => (
          // biome-ignore lint/a11y/useSemanticElements: it groups rows of a tree, and no fields.
          <div key={id} role="group" aria-label={visibleText(named)}>
            <p className="v-task-group" aria-hidden>
              <strong dir="auto">{visible(named)}</strong>
              {id === 'own' && <span>{t('tasks.here')}</span>}
              {session && <SessionSums state={session.state} />}
            </p>
            {inGroup.map(({ node, level }) => (
              <div
                key={node.id}
                className="v-task"
                role="treeitem"
                aria-level={level}
                aria-expanded={node.children.length > 0 && tone === null ? !folded.has(node.id) : undefined}
                tabIndex={rows[at]?.node.id === node.id ? 0 : -1}
                style={{ '--v-level': level - 1 } as object}
                onFocus={() => setCurrent(node.id)}
                onDoubleClick={() => controls.get(node.id)?.go()}
              >
                <TaskRow
                  handle={handle}
                  node={node}
                  linked={linked}
                  onGo={onGo}
                  onLeave={onLeave}
                  control={found => {
                    if (found) controls.set(node.id, found)
                    else controls.delete(node.id)
                  }}
                />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

/** The sessions that work on the tasks of this one, the newest first, and the other groups of the tree. */
function linksOf({ tasks }: SessionState, others: readonly TaskNode[]): string[] {
  const children = [...tasks.byId.values()].flatMap(({ childSessionId }) => childSessionId ?? []).reverse()
  return [...others.map(({ id }) => id.slice('session:'.length)), ...children]
}

/** How long the runs of a session took together and what they cost, as far as all of them are known. */
function SessionSums({ state }: { state: SessionState }) {
  const { duration, cost } = useI18n()
  const works = state.session.activeRunId !== null
  const now = useNow(works)
  const price = sessionUsage(state).cost
  let spent = 0
  for (const { startedAt, endedAt } of state.runs.byId.values()) spent += Math.max(0, (endedAt ?? now) - startedAt)
  return (
    <span className="v-task-sums">
      {allLoaded(state) && spent >= 1000 && <span className="v-task-time">{duration(spent)}</span>}
      {price && <span className="v-task-cost">{cost(price.amount, price.currency)}</span>}
    </span>
  )
}

function Count({ tone, count, words }: { tone: StatusTone; count: number; words: string }) {
  return (
    <span className="v-task-count">
      <StatusDot tone={tone} />
      <span className="v-unseen">{words}</span>
      <span aria-hidden>{count}</span>
    </span>
  )
}
