import type { SessionHandle } from '@vitrine/client'
import { type Problem, pendingActions, type SessionState } from '@vitrine/protocol'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { MessagePlace } from '../context.tsx'
import { useEntity, useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { ArrowDown } from '../kit/icons.ts'
import { useMarkdownLoaded } from '../markdown/lazy-markdown.tsx'
import { ActionCard } from './action-card.tsx'
import { createRowSource, estimate, type LooseRow, type Row, rowsOfPage } from './conversation-rows.ts'
import { EntityBoundary } from './entity-boundary.tsx'
import { Message, MessageFrame, MessageRowView } from './message.tsx'
import { InVersion } from './message-versions.tsx'
import { useReadingPlace } from './reading-place.ts'
import { type ListView, RowList, type RowListControl } from './row-list.tsx'
import { RunRow } from './run-row.tsx'
import { useShowMessage } from './show-message.ts'
import { useShownVersion } from './shown-version.ts'
import { ConversationSkeleton } from './skeleton.tsx'
import { runStatusKey } from './status.tsx'

export interface ConversationControl {
  /** Moves to the next (1) or the previous (-1) message. */
  walk(by: 1 | -1): void
  toLatest(): void
  /** Brings a request into view from its top. Resolves when it is there; false when the conversation does not have it. */
  showAction(actionId: string): Promise<boolean>
}

interface Props {
  handle: SessionHandle
  /** Shown instead of messages while there are none. */
  empty: ReactNode
  /** When the person asked for the session, as `performance.now()` has it. */
  since: number
  /** What was sent and is no fact yet, after the last row. */
  unsent?: ReactNode
  /** Told when the end comes into view and when it goes out of it. */
  onEnd?: (inView: boolean) => void
  /** Told which requests wait for an answer and have their buttons out of view, in the order of the conversation. */
  onHidden?: (actionIds: readonly string[]) => void
  control?: Ref<ConversationControl>
  /** A message to go to, however far back, and to mark. Another object is another wish. */
  wanted?: MessagePlace | null
}

/** Older messages are asked for when so many pixels are left above the view. */
const NEAR_START = 800
/** A row that is brought into view stands a little below the upper edge. */
const BELOW_EDGE = 16

/** Messages and runs in order. Follows the stream until the person scrolls up, and then leaves the view alone. */
export function Conversation(props: Props) {
  const { handle, empty, unsent, since } = props
  const rows = useRows(handle, unsent !== undefined && unsent !== null && unsent !== false)
  const place = useReadingPlace(handle)
  const drawable = useMarkdownLoaded()
  // Texts that were there before come with their heights. What somebody has just sent waits for nothing.
  const [opened] = useState(rows.length > 0 && !unsent)
  if (rows.length === 0) return <div className="v-conversation v-conversation-empty">{empty}</div>
  if (!place.ready || (opened && !drawable)) {
    return <ConversationSkeleton handle={handle} since={since} />
  }
  return <Shown {...props} rows={rows} place={place} />
}

interface ShownProps extends Props {
  rows: readonly Row[]
  place: ReturnType<typeof useReadingPlace>
}

function Shown({ handle, unsent, onEnd, onHidden, control, wanted = null, rows, place }: ShownProps) {
  const { t } = useI18n()
  const list = useRef<RowListControl>(null)
  const [away, setAway] = useState(false)
  const older = useOlder(handle)
  const last = rows.findLast(({ messageId }) => messageId !== null)?.messageId
  const look = useHidden(handle, list, rows, onHidden)
  const guess = useCallback((row: Row) => estimate(handle.state, row), [handle])

  const latest = useRef<(by: 1 | -1) => void>(() => {})
  /** Goes on to the messages that were not there yet, unless the person has gone elsewhere meanwhile. */
  const walkOn = useCallback(async () => {
    const from = document.activeElement
    const loaded = await handle.loadOlder()
    if (!loaded.ok || !loaded.value) return
    await rowsOfPage()
    if (document.activeElement === from) latest.current(-1)
  }, [handle])
  const walk = useCallback(
    (by: 1 | -1) => {
      const firsts = rows.flatMap(({ messageId }, at) =>
        messageId !== null && messageId !== rows[at - 1]?.messageId ? [at] : [],
      )
      const focused = document.activeElement?.closest<HTMLElement>('.v-scroller > [data-message]')?.dataset.message
      const current = firsts.find(at => rows[at]!.messageId === focused)
      // Without a place of its own, the walk begins at what is in view: down from its top, up from its bottom.
      const from = current ?? (list.current?.edge(by) ?? 0) - by * 0.5
      const target = by < 0 ? firsts.findLast(at => at < from) : firsts.find(at => at > from)
      const row = target === undefined ? undefined : rows[target]
      if (!row) return void (by < 0 && walkOn())
      list.current?.show(row.key, BELOW_EDGE)
      list.current?.element
        ?.querySelector<HTMLElement>(`[data-message="${CSS.escape(row.messageId ?? '')}"]`)
        ?.focus({ preventScroll: true })
    },
    [rows, walkOn],
  )
  latest.current = walk
  const showAction = useCallback(
    async (actionId: string) => {
      const row = rows.find(one => holdsRequest(handle.state, one, actionId))
      if (!row || !list.current) return false
      list.current.show(row.key, BELOW_EDGE)
      const card = requestRow(list.current.element, actionId)
      const start = card?.closest('[data-row]')
      // In the work of a subagent the request stands somewhere below the beginning of its row.
      const below = card && start ? card.getBoundingClientRect().top - start.getBoundingClientRect().top : 0
      if (below > BELOW_EDGE) list.current.show(row.key, BELOW_EDGE - below)
      return true
    },
    [handle, rows],
  )
  useEffect(() => onEnd?.(!away), [onEnd, away])
  useShowMessage(handle, rows, list, wanted)
  useImperativeHandle(control, () => ({ walk, toLatest: () => list.current?.toEnd(), showAction }), [walk, showAction])

  const onView = (view: ListView) => {
    setAway(view.away)
    place.keep(view.place)
    look()
    if (view.above < NEAR_START) older.load()
  }
  return (
    <div className="v-conversation">
      <h2 className="v-unseen">{t('conversation.label')}</h2>
      <RowList
        control={list}
        rows={rows}
        start={place.start}
        stop={lastRequest(handle.state, rows)}
        label={t('conversation.label')}
        guess={guess}
        drawRow={row => (row.kind === 'unsent' ? unsent : <RowView handle={handle} row={row} />)}
        drawMessage={(messageId, inside) => (
          <MessageFrame key={messageId} handle={handle} messageId={messageId} last={messageId === last}>
            {inside}
          </MessageFrame>
        )}
        onView={onView}
      />
      {older.state !== 'idle' && (
        <div className="v-older">
          {older.state === 'loading' ? (
            t('conversation.loadingOlder')
          ) : (
            <>
              {t('conversation.olderFailed', { reason: older.problem ? problemWords(t, older.problem) : '' })}
              <Button look="quiet" onClick={older.retry}>
                {t('action.tryAgain')}
              </Button>
            </>
          )}
        </div>
      )}
      {away && <JumpToLatest handle={handle} onClick={() => list.current?.toEnd()} />}
    </div>
  )
}

function RowView({ handle, row }: { handle: SessionHandle; row: Row }) {
  if (row.messageId === null) return <Loose handle={handle} row={row} />
  return <MessageRowView handle={handle} row={row} />
}

const drawMessage = (handle: SessionHandle, messageId: string) => <Message handle={handle} messageId={messageId} />

function Loose({ handle, row: { kind, id } }: { handle: SessionHandle; row: LooseRow }) {
  if (kind === 'version') return <InVersion handle={handle} messageId={id} draw={drawMessage} />
  if (kind === 'unsent') return null
  return (
    <EntityBoundary handle={handle} of={[`${kind}:${id}`]} raw={() => handle.state[`${kind}s`].byId.get(id)}>
      {kind === 'run' ? (
        <RunRow handle={handle} runId={id} />
      ) : (
        <div data-request={id}>
          <ActionCard handle={handle} actionId={id} />
        </div>
      )}
    </EntityBoundary>
  )
}

/** The last row that is a request which waits: it is shown from its top, however high it is. */
function lastRequest(state: SessionState, rows: readonly Row[]): string | null {
  if (state.session.needsInput === 0) return null
  const waits = (actionId: string | null | undefined) => state.actions.byId.get(actionId ?? '')?.state === 'pending'
  const row = rows.findLast(one => {
    if (one.kind === 'action') return waits(one.id)
    const part = one.kind === 'part' ? state.parts.byId.get(one.partId) : undefined
    return part?.kind === 'action' && waits(part.refId)
  })
  return row?.key ?? null
}

/** Whether a request stands in a row: by itself, as a part, or in the work of a subagent that the part shows. */
function holdsRequest(state: SessionState, row: Row, actionId: string): boolean {
  if (row.kind === 'action') return row.id === actionId
  if (row.kind !== 'part') return false
  const part = state.parts.byId.get(row.partId)
  if (part?.kind === 'action') return part.refId === actionId
  const speaker = state.messages.byId.get(state.actions.byId.get(actionId)?.messageId ?? '')?.subagentId
  return part?.kind === 'subagent' && speaker != null && part.refId === speaker
}

const requestRow = (scroller: HTMLElement | null, actionId: string): HTMLElement | null =>
  scroller?.querySelector<HTMLElement>(`[data-request="${CSS.escape(actionId)}"]`) ?? null

/** Whether the button that answers a request can be seen. The head of a high card may be in view without it. */
function canBeAnswered(view: DOMRect, request: HTMLElement | null): boolean {
  const box = (request?.querySelector('button[data-main]') ?? request)?.getBoundingClientRect()
  return box !== undefined && box.top >= view.top - 1 && box.bottom <= view.bottom + 1
}

/** Tells which requests wait and have their buttons out of view. The function that it returns looks again. */
function useHidden(
  handle: SessionHandle,
  list: RefObject<RowListControl | null>,
  rows: readonly Row[],
  onHidden: ((actionIds: readonly string[]) => void) | undefined,
): () => void {
  const told = useRef('')
  const look = useCallback(() => {
    const element = list.current?.element
    if (!onHidden || !element) return
    const view = element.getBoundingClientRect()
    const hidden = pendingActions(handle.state)
      .map(({ actionId }) => actionId)
      .filter(actionId => !canBeAnswered(view, requestRow(element, actionId)))
    if (hidden.join() === told.current) return
    told.current = hidden.join()
    onHidden(hidden)
  }, [handle, list, onHidden])
  const pending = useEntity(handle, 'actions', state => pendingActions(state).length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what came or went may be a request.
  useEffect(look, [look, rows, pending])
  return look
}

function useRows(handle: SessionHandle, hasUnsent: boolean): readonly Row[] {
  const source = useMemo(() => createRowSource(handle), [handle])
  const rows = useSyncExternalStore(source.subscribe, source.get, source.get)
  const shown = useShownVersion(handle)?.messageId
  return useMemo(() => {
    const at = shown === undefined ? -1 : rows.findIndex(({ messageId }) => messageId === shown)
    // An earlier version stands in the place of the message and of everything after it.
    if (at >= 0) return [...rows.slice(0, at), loose('version', `message:${shown}`, shown ?? '')]
    return hasUnsent ? [...rows, loose('unsent', 'unsent', '')] : rows
  }, [rows, shown, hasUnsent])
}

const loose = (kind: LooseRow['kind'], key: string, id: string): LooseRow => {
  return { kind, key, id, messageId: null, gap: 'turn' }
}

function JumpToLatest({ handle, onClick }: { handle: SessionHandle; onClick: () => void }) {
  const { t } = useI18n()
  const active = useEntityValue(handle, 'session', state => state.session.activeRunId) ?? ''
  const status = useEntityValue(handle, `run:${active}`, state => state.runs.byId.get(active)?.status)
  const words = status && t(runStatusKey(status))
  return (
    <Button
      className="v-jump"
      onClick={onClick}
      icon={ArrowDown}
      aria-label={[t('conversation.latest'), ...(words ? [words] : [])].join(' ')}
    >
      {t('conversation.latestShort')}
    </Button>
  )
}

/** One page of older messages at a time, asked for when the start comes near. */
function useOlder(handle: SessionHandle) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const [problem, setProblem] = useState<Problem | null>(null)
  const busy = useRef(false)

  const retry = useCallback(async () => {
    if (busy.current || handle.state.windowFrom <= 1) return
    busy.current = true
    setState('loading')
    const result = await handle.loadOlder()
    // Until they are there the start still looks near, and another page would be asked for.
    await rowsOfPage()
    busy.current = false
    setProblem(result.ok ? null : result.problem)
    setState(result.ok ? 'idle' : 'failed')
  }, [handle])
  const load = useCallback(() => {
    // After a failure the person decides when to try again.
    if (state !== 'failed') retry()
  }, [state, retry])
  return { state, problem, load, retry }
}
