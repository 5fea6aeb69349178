import type { SessionHandle } from '@vitrine/client'
import { type AgentInfo, pendingActions } from '@vitrine/protocol'
import { type Ref, type RefObject, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { type MessagePlace, useVitrine } from '../context.tsx'
import { useEntityValue, useMedia, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { goOnWriting, isCovered, isPressed, lettersAct } from '../shortcuts.ts'
import { visibleText } from '../visible.tsx'
import { Composer, type ComposerControl } from './composer.tsx'
import type { BusyMode } from './composer-mode.ts'
import { SessionBanner } from './connection-banner.tsx'
import { Conversation, type ConversationControl } from './conversation.tsx'
import { DockedRequest } from './docked-request.tsx'
import { EntityBoundary } from './entity-boundary.tsx'
import { viewKeys } from './keys-help.tsx'
import { BranchNote } from './message-versions.tsx'
import { isFact, outboxOf, type Unsent } from './outbox.ts'
import { QueueView } from './queue.tsx'
import { focusedRequest, focusRequest, OpenedRequest } from './request-place.ts'
import { RequestSheet } from './request-sheet.tsx'
import { SessionGone } from './session-gone.tsx'
import { ConversationSkeleton } from './skeleton.tsx'
import { TaskCapsule } from './tasks.tsx'
import { BegunConversation, UnsentRows } from './unsent.tsx'
import { useUnsent } from './use-outbox.ts'
import { Welcome } from './welcome.tsx'

/** What commands and keys of the page can do with the session that is open. */
export interface SessionControl {
  interrupt(): void
  editLastQueued(): void
  toLatest(): void
  focusComposer(): void
  /** Goes to the request that waits, or to the next one after that with the focus. */
  toRequest(): void
  choose(mode: BusyMode): void
}

interface Props {
  handle: SessionHandle
  agent: AgentInfo | null
  control?: Ref<SessionControl>
  /** A message to go to. Another object is another wish. */
  place?: MessagePlace | null
  onOpenTasks: () => void
  onReopen: () => void
  onNew: () => void
}

/** Where a request that is out of view opens as a sheet. */
const NARROW = '(max-width: 719px)'

/** How long the first Esc waits for the second. */
const TWICE = 900

/** One session: its conversation, what waits, and the composer. */
export function SessionView({ handle, agent, control, place = null, onOpenTasks, onReopen, onNew }: Props) {
  const { t } = useI18n()
  const { notify, kept } = useVitrine()
  const { phase, problem } = useReadable(handle.phase)
  const composer = useRef<ComposerControl>(null)
  const conversation = useRef<ConversationControl>(null)
  const [editing, setEditing] = useState<string | null>(null)
  const [stopping, setStopping] = useState(false)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const narrow = useMedia(NARROW)
  const [opened, setOpened] = useState<string | null>(null)
  const active = useEntityValue(handle, 'session', state => state.session.activeRunId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each session is asked for anew.
  const since = useMemo(() => performance.now(), [handle])

  const interrupt = useCallback(async () => {
    const runId = handle.state.session.activeRunId
    if (!runId) return
    setStopping(true)
    const result = await handle.interruptRun(runId)
    setStopping(false)
    if (!result.ok) {
      notify({
        id: 'interrupt',
        tone: 'danger',
        text: t('run.stopFailed', { reason: problemWords(t, result.problem) }),
      })
    }
  }, [handle, notify, t])
  const editLastQueued = useCallback(
    (tries = 30) => {
      const waits = outboxOf(kept, handle.sessionId).get()
      // The last turn is the one that was written last, also when it is only on its way into the queue.
      if (tries > 0 && waits.some(each => each.action === 'queue' && !isFact(handle.state, each))) {
        setTimeout(() => editLastQueued(tries - 1), 100)
        return
      }
      const last = handle.state.queue.turns.at(-1)
      if (last) setEditing(last.turnId)
    },
    [handle, kept],
  )

  const showRequest = useCallback(
    async (actionId: string) => {
      if (narrow && hidden.includes(actionId)) return setOpened(actionId)
      focusRequest(actionId)
      // A request inside the work of a subagent has no row of its own; it is near the end.
      if (!(await conversation.current?.showAction(actionId))) conversation.current?.toLatest()
      focusRequest(actionId)
    },
    [narrow, hidden],
  )
  const closeRequest = useCallback(() => setOpened(null), [])
  const requestsDone = useCallback(() => {
    const goOn = goOnWriting()
    setOpened(null)
    requestAnimationFrame(goOn)
  }, [])
  const toRequest = useCallback(() => {
    const waiting = pendingActions(handle.state).map(({ actionId }) => actionId)
    const next = waiting[(waiting.indexOf(focusedRequest() ?? '') + 1) % waiting.length]
    if (next) showRequest(next)
  }, [handle, showRequest])
  useAnnounceRequests(handle)
  const unsent = useUnsent(handle).some(({ action }) => action !== 'queue')
  const stopArmed = useSessionKeys({
    active: active !== null,
    interrupt,
    editLastQueued: () => editLastQueued(),
    toRequest,
    walk: by => conversation.current?.walk(by),
  })
  useImperativeHandle(
    control,
    () => ({
      interrupt,
      editLastQueued: () => editLastQueued(),
      toLatest: () => conversation.current?.toLatest(),
      focusComposer: () => composer.current?.focus(),
      toRequest,
      choose: mode => composer.current?.choose(mode),
    }),
    [interrupt, editLastQueued, toRequest],
  )
  const onSent = useCallback(() => conversation.current?.toLatest(), [])
  const endInView = useRef(true)
  const onEnd = useCallback((inView: boolean) => {
    endInView.current = inView
  }, [])
  useMarkRead(handle, phase === 'ready', endInView)

  if (phase === 'gone') return <SessionGone sessionId={handle.sessionId} onReopen={onReopen} onNew={onNew} />
  if (phase === 'failed') {
    return (
      <div className="v-session-view">
        <div className="v-conversation v-conversation-empty">
          <ProblemNote title={t('session.failed')} problem={problem}>
            <Button look="primary" onClick={onReopen}>
              {t('action.tryAgain')}
            </Button>
            <Button onClick={onNew}>{t('sessions.new')}</Button>
          </ProblemNote>
        </div>
      </div>
    )
  }
  const onTakeBack = (given: Unsent) => composer.current?.give(given)
  const unsentRows = unsent && <UnsentRows handle={handle} onTakeBack={onTakeBack} />
  return (
    <OpenedRequest value={narrow ? opened : null}>
      <div className="v-session-view">
        {phase === 'loading' ? (
          unsentRows ? (
            <BegunConversation>{unsentRows}</BegunConversation>
          ) : (
            <ConversationSkeleton handle={handle} since={since} />
          )
        ) : (
          <>
            <SessionBanner handle={handle} />
            <BranchNote handle={handle} />
            <EntityBoundary handle={handle} of={['messages', 'runs', 'actions']} raw={() => handle.state.messages}>
              <Conversation
                handle={handle}
                control={conversation}
                since={since}
                wanted={place}
                onEnd={onEnd}
                onHidden={setHidden}
                unsent={unsentRows}
                empty={<Welcome agent={agent} onPick={text => composer.current?.send(text)} />}
              />
            </EntityBoundary>
          </>
        )}
        <div className="v-deck">
          <EntityBoundary
            handle={handle}
            of={['tasks', 'actions', 'subagents', 'queue']}
            raw={() => handle.state.tasks}
          >
            <TaskCapsule handle={handle} onOpen={onOpenTasks} onGo={showRequest} />
          </EntityBoundary>
          <EntityBoundary handle={handle} of={['actions']} raw={() => handle.state.actions}>
            <DockedRequest handle={handle} hidden={hidden} onShow={showRequest} />
          </EntityBoundary>
          <div className="v-composer-stack">
            <EntityBoundary handle={handle} of={['queue']} raw={() => handle.state.queue}>
              <QueueView handle={handle} editing={editing} onEdit={setEditing} />
            </EntityBoundary>
            <Composer
              key={handle.sessionId}
              handle={handle}
              agentName={agent?.name}
              control={composer}
              onInterrupt={interrupt}
              onSent={onSent}
              stopArmed={stopArmed}
              stopping={stopping}
            />
          </div>
        </div>
        {narrow && opened !== null && (
          <RequestSheet
            handle={handle}
            agent={agent}
            actionId={opened}
            onGo={setOpened}
            onClose={closeRequest}
            onDone={requestsDone}
            onSayInstead={() => {
              closeRequest()
              requestAnimationFrame(() => composer.current?.focus())
            }}
          />
        )}
      </div>
    </OpenedRequest>
  )
}

function useSessionKeys(does: {
  active: boolean
  interrupt: () => void
  editLastQueued: () => void
  toRequest: () => void
  walk: (by: 1 | -1) => void
}): boolean {
  const [armed, setArmed] = useState(false)
  const latest = useRef(does)
  latest.current = does
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let first = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isCovered()) return
      const { active, interrupt, editLastQueued, toRequest, walk } = latest.current
      if (event.key === 'Escape' && active && !event.isComposing) {
        if (performance.now() - first < TWICE) {
          first = Number.NEGATIVE_INFINITY
          setArmed(false)
          interrupt()
        } else {
          first = performance.now()
          setArmed(true)
          clearTimeout(timer)
          timer = setTimeout(() => setArmed(false), TWICE)
        }
      } else if (isPressed(event, viewKeys.toRequest)) {
        event.preventDefault()
        toRequest()
      } else if (isPressed(event, viewKeys.editQueued)) {
        event.preventDefault()
        editLastQueued()
      } else if (lettersAct(event)) {
        const by = isPressed(event, viewKeys.next) ? 1 : isPressed(event, viewKeys.previous) ? -1 : null
        if (by === null) return
        event.preventDefault()
        walk(by)
      }
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      clearTimeout(timer)
    }
  }, [])
  return armed && does.active
}

/** Says aloud that a request has come, and which key leads to it. The focus stays where it is. */
function useAnnounceRequests(handle: SessionHandle): void {
  const { t } = useI18n()
  const { announce } = useVitrine()
  const said = useRef(new Set<string>())
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const say = () => {
      for (const { actionId, request } of pendingActions(handle.state)) {
        if (said.current.has(actionId)) continue
        said.current.add(actionId)
        // The status of the run is said at the same time. What is needed comes after it.
        const words = t('request.arrived', { title: visibleText(request.title), key: viewKeys.toRequest })
        timers.add(setTimeout(() => announce(words), 200))
      }
    }
    say()
    const off = handle.subscribe('actions', say)
    return () => {
      off()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [handle, announce, t])
}

/** Tells the owner that what is open and in view has been read; at rest or on leaving, not with every event. */
function useMarkRead(handle: SessionHandle, ready: boolean, endInView: RefObject<boolean>): void {
  useEffect(() => {
    if (!ready) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let read = -1
    const mark = () => {
      timer = undefined
      if (document.visibilityState !== 'visible' || handle.state.seq === read) return
      read = handle.state.seq
      handle.markSessionRead()
    }
    const later = () => {
      if (document.visibilityState === 'visible') timer ??= setTimeout(mark, 1200)
    }
    later()
    const off = handle.onEvent(later)
    document.addEventListener('visibilitychange', later)
    return () => {
      off()
      clearTimeout(timer)
      // Whoever leaves goes somewhere else: that comes first.
      if (timer && endInView.current) setTimeout(mark)
      document.removeEventListener('visibilitychange', later)
    }
  }, [handle, ready, endInView])
}
