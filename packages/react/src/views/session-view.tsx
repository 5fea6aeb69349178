import type { SessionHandle } from '@vitrine/client'
import type { AgentInfo } from '@vitrine/protocol'
import { type Ref, type RefObject, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntityValue, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { Composer, type ComposerControl } from './composer.tsx'
import type { BusyMode } from './composer-mode.ts'
import { SessionBanner } from './connection-banner.tsx'
import { Conversation, type ConversationControl } from './conversation.tsx'
import { EntityBoundary } from './entity-boundary.tsx'
import { BranchNote } from './message-actions.tsx'
import { QueueView } from './queue.tsx'
import { TaskCapsule } from './tasks.tsx'
import { Welcome } from './welcome.tsx'

/** What commands and keys of the page can do with the session that is open. */
export interface SessionControl {
  interrupt(): void
  editLastQueued(): void
  toLatest(): void
  focusComposer(): void
  choose(mode: BusyMode): void
}

interface Props {
  handle: SessionHandle
  agent: AgentInfo | null
  control?: Ref<SessionControl>
  onOpenTasks: () => void
  onReopen: () => void
  onNew: () => void
}

/** How long the first Esc waits for the second. */
const TWICE = 900

/** One session: its conversation, what waits, and the composer. */
export function SessionView({ handle, agent, control, onOpenTasks, onReopen, onNew }: Props) {
  const { t } = useI18n()
  const { notify } = useVitrine()
  const { phase, problem } = useReadable(handle.phase)
  const composer = useRef<ComposerControl>(null)
  const conversation = useRef<ConversationControl>(null)
  const [editing, setEditing] = useState<string | null>(null)
  const [stopping, setStopping] = useState(false)
  const active = useEntityValue(handle, 'session', state => state.session.activeRunId)

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
  const editLastQueued = useCallback(() => {
    const last = handle.state.queue.turns.at(-1)
    if (last) setEditing(last.turnId)
  }, [handle])

  const stopArmed = useSessionKeys({
    active: active !== null,
    interrupt,
    editLastQueued,
    walk: by => conversation.current?.walk(by),
  })
  useImperativeHandle(
    control,
    () => ({
      interrupt,
      editLastQueued,
      toLatest: () => conversation.current?.toLatest(),
      focusComposer: () => composer.current?.focus(),
      choose: mode => composer.current?.choose(mode),
    }),
    [interrupt, editLastQueued],
  )
  const endInView = useRef(true)
  const onEnd = useCallback((inView: boolean) => {
    endInView.current = inView
  }, [])
  useMarkRead(handle, phase === 'ready', endInView)

  if (phase === 'failed' || phase === 'gone') {
    return (
      <div className="v-session-view">
        <div className="v-conversation v-conversation-empty">
          <ProblemNote title={t(phase === 'gone' ? 'session.gone' : 'session.failed')} problem={problem}>
            {phase === 'failed' && (
              <Button look="primary" onClick={onReopen}>
                {t('action.tryAgain')}
              </Button>
            )}
            <Button onClick={onNew}>{t('sessions.new')}</Button>
          </ProblemNote>
        </div>
      </div>
    )
  }
  return (
    <div className="v-session-view">
      {phase === 'loading' ? (
        <div className="v-conversation v-conversation-empty">
          <Skeleton label={t('session.loading')} />
        </div>
      ) : (
        <>
          <SessionBanner handle={handle} />
          <BranchNote handle={handle} />
          <EntityBoundary handle={handle} of={['messages', 'runs', 'actions']} raw={() => handle.state.messages}>
            <Conversation
              handle={handle}
              control={conversation}
              onEnd={onEnd}
              empty={<Welcome agent={agent} onPick={text => composer.current?.send(text)} />}
            />
          </EntityBoundary>
        </>
      )}
      <div className="v-deck">
        <EntityBoundary handle={handle} of={['tasks', 'actions', 'subagents', 'queue']} raw={() => handle.state.tasks}>
          <TaskCapsule handle={handle} onOpen={onOpenTasks} />
        </EntityBoundary>
        <EntityBoundary handle={handle} of={['queue']} raw={() => handle.state.queue}>
          <QueueView handle={handle} editing={editing} onEdit={setEditing} />
        </EntityBoundary>
        <Composer
          key={handle.sessionId}
          handle={handle}
          control={composer}
          onInterrupt={interrupt}
          onSent={() => conversation.current?.toLatest()}
          stopArmed={stopArmed}
          stopping={stopping}
        />
      </div>
    </div>
  )
}

function Skeleton({ label }: { label: string }) {
  return (
    <div className="v-skeleton">
      <p>{label}</p>
      <div aria-hidden />
      <div aria-hidden />
      <div aria-hidden />
    </div>
  )
}

const writing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

function useSessionKeys(does: {
  active: boolean
  interrupt: () => void
  editLastQueued: () => void
  walk: (by: 1 | -1) => void
}): boolean {
  const [armed, setArmed] = useState(false)
  const latest = useRef(does)
  latest.current = does
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let first = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open], :popover-open')) return
      const { active, interrupt, editLastQueued, walk } = latest.current
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
      } else if (event.key === 'ArrowUp' && event.altKey) {
        event.preventDefault()
        editLastQueued()
      } else if (!writing(event.target) && !event.metaKey && !event.ctrlKey && !event.altKey) {
        if (event.key === 'j' || event.key === 'k') {
          event.preventDefault()
          walk(event.key === 'j' ? 1 : -1)
        }
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
      if (timer && endInView.current) mark()
      document.removeEventListener('visibilitychange', later)
    }
  }, [handle, ready, endInView])
}
