import type { SessionHandle } from '@vitrine/client'
import { type SessionState, type Tool, UI_SCHEMA_MEDIA_TYPE } from '@vitrine/protocol'
import { Suspense } from 'react'
import { A2uiPreview } from '../genui/surface-part.tsx'
import { useEntity, useEntityValue, useNow, useReadable } from '../hooks.ts'
import { type I18n, type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Badge } from '../kit/badge.tsx'
import { Icon, type IconData } from '../kit/icon.tsx'
import {
  Check,
  CircleAlert,
  CircleDashed,
  CircleQuestionMark,
  CircleSlash,
  CircleStop,
  CornerDownRight,
  TriangleAlert,
  Unplug,
} from '../kit/icons.ts'
import { ProgressBar } from '../kit/progress.tsx'
import { StatusDot, type StatusTone } from '../kit/status-dot.tsx'
import { lazily } from '../lazily.tsx'
import { visible } from '../visible.tsx'
import { PATIENCE, useLasting } from './connection-banner.tsx'
import { KeptDisclosure } from './kept-disclosure.tsx'
import { ToolDetail, useEdits } from './tool-detail.tsx'
import { attemptOf, attemptsBefore, retriedBy, shownState, type ToolState } from './tool-state.ts'

// Drawing results as UI is fetched with the first result that has one: a page that only talks does not pay for it.
const ToolUi = lazily(async () => ({ default: (await import('../genui/tool-ui.tsx')).ToolUi }))

/** Marks of work and of what waits for a person are those that sessions and tasks have. */
const tones: Partial<Record<ToolState, StatusTone>> = { preparing: 'busy', running: 'busy', waiting: 'attention' }
const icons: Partial<Record<ToolState, IconData>> = {
  done: Check,
  flawed: TriangleAlert,
  failed: CircleAlert,
  interrupted: CircleStop,
  denied: CircleSlash,
  correcting: CircleDashed,
  unknown: CircleQuestionMark,
}
const words: Record<ToolState, MessageKey> = {
  preparing: 'tool.preparing',
  running: 'tool.running',
  done: 'tool.done',
  flawed: 'tool.flawed',
  failed: 'tool.failed',
  interrupted: 'tool.interrupted',
  waiting: 'run.waiting',
  denied: 'tool.denied',
  correcting: 'ui.correcting',
  unknown: 'tool.unknown',
}

/** A call that took less time took none that matters. */
const BRIEF = 100

/** States that the mark alone does not explain. */
const said: ReadonlySet<ToolState> = new Set<ToolState>(['waiting', 'denied', 'interrupted', 'flawed', 'unknown'])

/** What became of a mistaken interface: being put right, put right, or given up. */
function correctionKey(state: SessionState, tool: Tool): MessageKey {
  for (const other of state.tools.byId.values())
    if (other.name === tool.name && other.runId === tool.runId && other.startedAt > tool.startedAt)
      if (other.state === 'done') return 'ui.corrected'
  return state.runs.byId.get(tool.runId)?.outcome ? 'ui.notShown' : 'ui.correcting'
}

function waitsForPerson(state: SessionState, toolCallId: string): boolean {
  for (const action of state.actions.byId.values())
    if (action.state === 'pending' && action.toolCallId === toolCallId) return true
  return false
}

/** Whether there may be an interface to draw: the renderer is not fetched for anything else. */
export const mayDraw = ({ name, result, error }: Tool) =>
  (name === 'show_ui' && !error) ||
  (result.known && (result.value.ui !== null || result.value.ref?.mediaType === UI_SCHEMA_MEDIA_TYPE))

/** One tool call as one row, with what it draws beneath. A call that was tried again stands under the newer one. */
export function ToolRow({ handle, toolCallId }: { handle: SessionHandle; toolCallId: string }) {
  const { t } = useI18n()
  const tool = useEntity(handle, `tool:${toolCallId}`, state => state.tools.byId.get(toolCallId))
  const waiting = useEntityValue(handle, 'actions', state => waitsForPerson(state, toolCallId))
  const newer = useEntityValue(handle, 'tools', state => retriedBy(state).get(toolCallId))
  if (!tool) return <p className="v-note">{t('tool.missing')}</p>
  if (newer !== undefined) return null
  const state = shownState(tool, waiting)
  if (state === 'correcting') return <Correction handle={handle} tool={tool} />
  return (
    <>
      <div className="v-tool" data-state={state}>
        <Row handle={handle} tool={tool} state={state} />
        <Earlier handle={handle} tool={tool} />
        {tool.error?.next && state === 'failed' && (
          <p className="v-tool-sub">
            <Icon of={CornerDownRight} />
            <span>{visible(tool.error.next)}</span>
          </p>
        )}
      </div>
      {tool.name === 'a2ui' && <A2uiPreview handle={handle} toolCallId={toolCallId} />}
      {mayDraw(tool) && (
        <Suspense>
          <ToolUi handle={handle} toolCallId={toolCallId} />
        </Suspense>
      )}
    </>
  )
}

/** State, name, what it was asked to do, how far it is and how long it took. Arguments, output and result are in it. */
function Row({ handle, tool, state }: { handle: SessionHandle; tool: Tool; state: ToolState }) {
  const { t, duration, time } = useI18n()
  const begun = state === 'preparing' || state === 'running'
  // Without a connection nobody knows how the call goes on.
  const silent = useLasting(!useReadable(handle.live), PATIENCE) && begun
  const active = begun && !silent
  const now = useNow(active)
  const edited = useEdits(tool)
  const took = Math.max(0, (tool.endedAt ?? Math.max(now, tool.startedAt)) - tool.startedAt - tool.waitedMs)
  const attempt = attemptOf(handle.state, tool)
  const note = silent ? t('tool.noNews', { time: time(handle.state.at) }) : noteOf(t, tool, state)
  return (
    <KeptDisclosure
      id={`tool:${tool.toolCallId}`}
      className="v-tool-row"
      summary={
        <>
          {silent ? <Silent /> : <StateMark state={state} label={t(words[state])} />}
          <span className="v-tool-name" dir="auto">
            {visible(tool.title ?? tool.name)}
          </span>
          <span className="v-tool-summary" dir="auto">
            {visible(tool.summary ?? '')}
          </span>
          {note && (
            <span className="v-tool-note" dir="auto">
              {visible(note)}
            </span>
          )}
          <span className="v-tool-end">
            {edited.length > 0 && <Badge>{t('tool.edited')}</Badge>}
            {attempt > 1 && <Badge>{t('tool.retried', { count: attempt - 1 })}</Badge>}
            {active && <Share tool={tool} />}
            {state === 'done' && <Brought tool={tool} />}
            {silent && <Badge>{t('fallback.unknown')}</Badge>}
            {!silent && state !== 'waiting' && took >= (active ? 1000 : BRIEF) && <span>{duration(took)}</span>}
          </span>
        </>
      }
    >
      {() => <ToolDetail handle={handle} toolCallId={tool.toolCallId} />}
    </KeptDisclosure>
  )
}

/** The mark of a call that was working when the connection broke. */
function Silent() {
  return (
    <span className="v-tool-state" aria-hidden>
      <Icon of={Unplug} />
    </span>
  )
}

function StateMark({ state, label }: { state: ToolState; label: string }) {
  const tone = tones[state]
  if (tone) return <StatusDot tone={tone} label={label} />
  return (
    <span className="v-tool-state" role="img" aria-label={label} title={label}>
      <Icon of={icons[state]!} />
    </span>
  )
}

/** Words that fit at the end of a row. */
const FEW = 24

/** What a call brought, when a few words say it, such as "14 files". */
function Brought({ tool: { result } }: { tool: Tool }) {
  const words = result.known ? (result.value.preview?.trim() ?? '') : ''
  if (words === '' || words.length > FEW || /[\n{}<>[\]]/.test(words)) return null
  return (
    <span className="v-tool-brought" dir="auto">
      {visible(words)}
    </span>
  )
}

/** How much of the work is done, as far as the tool counts it. */
function Share({ tool: { progress, title, name } }: { tool: Tool }) {
  const { t, percent } = useI18n()
  if (!progress?.total) return null
  const share = Math.min(1, (progress.current ?? 0) / progress.total)
  return (
    <span className="v-tool-share">
      <ProgressBar value={share} label={t('tool.progress', { name: title ?? name })} />
      <span>{percent(share)}</span>
    </span>
  )
}

/** Beside what it was asked to do: what a call says of itself while it works, or why it did not end well. */
function noteOf(t: I18n['t'], tool: Tool, state: ToolState): string {
  if (tool.error) return reasonWords(t, { ...tool.error, next: undefined })
  if (said.has(state)) return t(words[state])
  return tool.endedAt === null ? (tool.progress?.message ?? '') : ''
}

/** The calls that failed before this one was tried: each is one line that opens. */
function Earlier({ handle, tool }: { handle: SessionHandle; tool: Tool }) {
  const { t } = useI18n()
  return attemptsBefore(handle.state, tool).map(({ toolCallId, error }, index) => (
    <KeptDisclosure
      key={toolCallId}
      id={`tool:${toolCallId}`}
      className="v-tool-sub"
      summary={
        <>
          <Icon of={CornerDownRight} />
          <span>
            {t('tool.attemptFailed', {
              count: index + 1,
              reason: error ? reasonWords(t, { ...error, next: undefined }) : t('tool.unknown'),
            })}
          </span>
        </>
      }
    >
      {() => <ToolDetail handle={handle} toolCallId={toolCallId} />}
    </KeptDisclosure>
  ))
}

/** One quiet row for an interface that could not be read; the words meant for the agent are in its details. */
function Correction({ handle, tool }: { handle: SessionHandle; tool: Tool }) {
  const { t } = useI18n()
  // Later calls and the end of the run change what became of it.
  const key = useEntityValue(handle, 'tools', state => correctionKey(state, tool))
  useEntityValue(handle, `run:${tool.runId}`, state => state.runs.byId.get(tool.runId)?.outcome)
  return (
    <div className="v-tool" data-state="correcting">
      <KeptDisclosure
        id={tool.key}
        className="v-tool-row"
        summary={
          <>
            <StateMark state="correcting" label={t(key)} />
            <span className="v-tool-summary" aria-hidden>
              {t(key)}
            </span>
          </>
        }
      >
        {() => <ToolDetail handle={handle} toolCallId={tool.toolCallId} />}
      </KeptDisclosure>
    </div>
  )
}
