import type { SessionHandle } from '@vitrine/client'
import type { Problem } from '@vitrine/protocol'
import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useEntity, useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { ArrowDown } from '../kit/icons.ts'
import { ActionCard } from './action-card.tsx'
import { conversationRows, type Row } from './conversation-rows.ts'
import { EntityBoundary } from './entity-boundary.tsx'
import { Message } from './message.tsx'
import { RunRow } from './run-row.tsx'
import { useShownVersion } from './shown-version.ts'
import { runStatusKey } from './status.tsx'

export interface ConversationControl {
  /** Moves to the next (1) or the previous (-1) message. */
  walk(by: 1 | -1): void
  toLatest(): void
}

interface Props {
  handle: SessionHandle
  /** Shown instead of messages while there are none. */
  empty: ReactNode
  /** Told when the end comes into view and when it goes out of it. */
  onEnd?: (inView: boolean) => void
  control?: Ref<ConversationControl>
}

const NEAR_END = 48
const NEAR_START = 600

/** Messages and runs in order. Follows the stream until the person scrolls up, and then leaves the view alone. */
export function Conversation({ handle, empty, onEnd, control }: Props) {
  const { t } = useI18n()
  const rows = useRows(handle)
  const scroller = useRef<HTMLElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const follow = useFollow(scroller, rows.length > 0)
  const older = useOlder(handle, rows)

  const walk = useCallback(
    (by: 1 | -1) => {
      const messages = rows.flatMap((row, index) => (row.kind === 'message' ? [index] : []))
      const focused = document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset.message
      const current = rows.findIndex(row => row.kind === 'message' && row.id === focused)
      // Without a place of its own, the walk begins at what is in view: down from its top, up from its bottom.
      const from = current >= 0 ? current : edgeOf(list.current, by) - by * 0.5
      const target = by < 0 ? messages.findLast(at => at < from) : messages.find(at => at > from)
      if (target === undefined) return
      follow.release()
      list.current?.scrollToIndex(target, { align: 'start', offset: -16 })
      const id = rows[target]!.id
      // The row exists, and can be focused, once the list has scrolled to it and measured it.
      const focus = (left: number) =>
        requestAnimationFrame(() => {
          const row = scroller.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)
          row?.focus({ preventScroll: true })
          if ((!row || document.activeElement !== row) && left > 0) focus(left - 1)
        })
      focus(30)
    },
    [rows, follow],
  )
  useEffect(() => onEnd?.(!follow.away), [onEnd, follow.away])
  useImperativeHandle(control, () => ({ walk, toLatest: follow.toEnd }), [walk, follow])

  const onScroll = (offset: number) => {
    follow.onScroll()
    if (offset < NEAR_START) older.load()
  }
  if (rows.length === 0) return <div className="v-conversation v-conversation-empty">{empty}</div>
  return (
    <div className="v-conversation">
      <h2 className="v-unseen">{t('conversation.label')}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the history scrolls, and the keyboard must be able to. */}
      <section ref={scroller} className="v-scroller" tabIndex={0} aria-label={t('conversation.label')}>
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={older.prepended}
          bufferSize={600}
          onScroll={onScroll}
        >
          {(row: Row) => (
            <div key={row.key} className="v-row">
              <EntityBoundary handle={handle} of={[`${row.kind}:${row.id}`]} raw={() => rawOf(handle, row)}>
                {row.kind === 'message' ? (
                  <Message handle={handle} messageId={row.id} />
                ) : row.kind === 'run' ? (
                  <RunRow handle={handle} runId={row.id} />
                ) : (
                  <ActionCard handle={handle} actionId={row.id} />
                )}
              </EntityBoundary>
            </div>
          )}
        </Virtualizer>
      </section>
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
      {follow.away && <JumpToLatest handle={handle} onClick={follow.toEnd} />}
    </div>
  )
}

function rawOf({ state }: SessionHandle, { kind, id }: Row): unknown {
  if (kind === 'run') return state.runs.byId.get(id)
  if (kind === 'action') return state.actions.byId.get(id)
  const message = state.messages.byId.get(id)
  return { ...message, parts: message?.parts.map(partId => state.parts.byId.get(partId)) }
}

/** The first (1) or the last (-1) row in view. */
function edgeOf(list: VirtualizerHandle | null, side: 1 | -1): number {
  if (!list) return 0
  return list.findItemIndex(side > 0 ? list.scrollOffset : list.scrollOffset + list.viewportSize)
}

function useRows(handle: SessionHandle): Row[] {
  const messages = useEntity(handle, 'messages', state => state.messages)
  const runs = useEntity(handle, 'runs', state => state.runs)
  const actions = useEntity(handle, 'actions', state => state.actions)
  const versions = `${handle.version('messages')}/${handle.version('runs')}/${handle.version('actions')}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the collections change in place; their versions tell.
  const rows = useMemo(() => conversationRows(handle.state), [handle, messages, runs, actions, versions])
  const shown = useShownVersion(handle)?.messageId
  // An earlier version stands in the place of the message and of everything after it.
  return useMemo(() => {
    const at = shown === undefined ? -1 : rows.findIndex(row => row.id === shown)
    return at < 0 ? rows : rows.slice(0, at + 1)
  }, [rows, shown])
}

function JumpToLatest({ handle, onClick }: { handle: SessionHandle; onClick: () => void }) {
  const { t } = useI18n()
  const active = useEntityValue(handle, 'session', state => state.session.activeRunId) ?? ''
  const status = useEntityValue(handle, `run:${active}`, state => state.runs.byId.get(active)?.status)
  return (
    <Button className="v-jump" onClick={onClick} icon={ArrowDown}>
      {t('conversation.latest')}
      {status && <span className="v-jump-status">{t(runStatusKey(status))}</span>}
    </Button>
  )
}

/** Keeps the end in view while `following`; only a person's own movement upwards ends that. */
function useFollow(scroller: React.RefObject<HTMLElement | null>, shown: boolean) {
  const following = useRef(true)
  const movedAt = useRef(0)
  const last = useRef(0)
  const [away, setAway] = useState(false)

  const toEnd = useCallback(() => {
    following.current = true
    // Wheel events from before the click must not count as scrolling up.
    movedAt.current = 0
    setAway(false)
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [scroller])

  const release = useCallback(() => {
    following.current = false
  }, [])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const left = element.scrollHeight - element.scrollTop - element.clientHeight
    const up = element.scrollTop < last.current
    last.current = element.scrollTop
    if (left < NEAR_END) following.current ||= !up
    else if (up && performance.now() - movedAt.current < 400) following.current = false
    setAway(!following.current && left >= NEAR_END)
  }, [scroller])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!shown || !element) return
    const moved = (event: Event) => {
      const hovers = event.type === 'pointermove' && (event as PointerEvent).buttons === 0
      if (!hovers) movedAt.current = performance.now()
    }
    const pin = () => {
      if (following.current) element.scrollTop = element.scrollHeight
      else onScroll()
    }
    // Who opens a row wants to see that row, not the end.
    const opened = (event: Event) => {
      if ((event.target as Element).closest('summary')) following.current = false
    }
    element.addEventListener('click', opened)
    pin()
    const observer = new ResizeObserver(pin)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    const events = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown'] as const
    for (const name of events) element.addEventListener(name, moved, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('click', opened)
      for (const name of events) element.removeEventListener(name, moved)
    }
  }, [scroller, shown, onScroll])

  return useMemo(() => ({ away, toEnd, release, onScroll }), [away, toEnd, release, onScroll])
}

/** One page of older messages at a time, asked for when the start comes near. */
function useOlder(handle: SessionHandle, rows: readonly Row[]) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const [problem, setProblem] = useState<Problem | null>(null)
  const busy = useRef(false)
  const first = useRef(rows[0]?.key)
  const prepended = rows[0]?.key !== first.current && rows.some(row => row.key === first.current)
  useEffect(() => {
    first.current = rows[0]?.key
  }, [rows])

  const retry = useCallback(async () => {
    if (busy.current || handle.state.windowFrom <= 1) return
    busy.current = true
    setState('loading')
    const result = await handle.loadOlder()
    busy.current = false
    setProblem(result.ok ? null : result.problem)
    setState(result.ok ? 'idle' : 'failed')
  }, [handle])
  const load = useCallback(() => {
    // After a failure the person decides when to try again.
    if (state !== 'failed') retry()
  }, [state, retry])
  return { state, problem, prepended, load, retry }
}
