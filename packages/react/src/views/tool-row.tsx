import type { SessionHandle } from '@vitrine/client'
import {
  type Action,
  type BlobRef,
  type Fact,
  type Failure,
  type Json,
  type SessionState,
  type Tool,
  type ToolResult,
  UI_SCHEMA_MEDIA_TYPE,
} from '@vitrine/protocol'
import { Suspense, useMemo } from 'react'
import { A2uiPreview } from '../genui/surface-part.tsx'
import { useEntity, useEntityValue, useNow } from '../hooks.ts'
import type { I18n } from '../i18n/i18n.tsx'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import {
  Check,
  CircleAlert,
  CircleDashed,
  CirclePause,
  CircleQuestionMark,
  CircleSlash,
  CircleStop,
} from '../kit/icons.ts'
import { JsonText, PlainText } from '../kit/plain-text.tsx'
import { ProgressBar } from '../kit/progress.tsx'
import { lazily } from '../lazily.tsx'
import { parseJson } from '../parse-json.ts'
import { ProblemNote } from '../problem-note.tsx'
import { isSecret, MASK } from '../secrets.ts'
import { visible } from '../visible.tsx'
import { byWords, outcomeKey } from './action-card.tsx'
import { changesBetween, type JsonChange } from './json-changes.ts'
import { KeptDisclosure } from './kept-disclosure.tsx'
import { Unknown } from './status.tsx'
import { useBlob } from './use-blob.ts'

// Drawing results as UI is fetched with the first result that has one: a page that only talks does not pay for it.
const toolUi = () => import('../genui/tool-ui.tsx')
const ToolUi = lazily(async () => ({ default: (await toolUi()).ToolUi }))
const ToolUiDetail = lazily(async () => ({ default: (await toolUi()).ToolUiDetail }))

const icons = {
  preparing: CircleDashed,
  running: CircleDashed,
  done: Check,
  failed: CircleAlert,
  interrupted: CircleStop,
  waiting: CirclePause,
  denied: CircleSlash,
  correcting: CircleDashed,
  unknown: CircleQuestionMark,
}
const words: Record<keyof typeof icons, MessageKey> = {
  preparing: 'tool.preparing',
  running: 'tool.running',
  done: 'tool.done',
  failed: 'tool.failed',
  interrupted: 'tool.interrupted',
  waiting: 'run.waiting',
  denied: 'tool.denied',
  correcting: 'ui.correcting',
  unknown: 'tool.unknown',
}

/** How the row says that a call stands. One that nobody let begin or end did not fail. */
function shownState(tool: Tool, waiting: boolean): keyof typeof icons {
  if (waiting && tool.endedAt === null) return 'waiting'
  if (tool.state !== 'failed') return tool.state
  const code = tool.error?.code
  if (code === 'interrupted' || code === 'denied') return code
  return isCorrection(tool) ? 'correcting' : 'failed'
}

/** What the agent wanted to show had a mistake: it was told so in words for it, and tries again. */
const isCorrection = ({ name, error }: Tool) => name === 'show_ui' && error?.code === 'ui_hints'

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
const mayDraw = ({ name, result, error }: Tool) =>
  (name === 'show_ui' && !error) ||
  (result.known && (result.value.ui !== null || result.value.ref?.mediaType === UI_SCHEMA_MEDIA_TYPE))

function attemptOf(state: SessionState, tool: Tool): number {
  let attempt = 1
  const seen = new Set([tool.toolCallId])
  for (let before = tool.retryOf; before && !seen.has(before); attempt++) {
    seen.add(before)
    before = state.tools.byId.get(before)?.retryOf ?? null
  }
  return attempt
}

/** One tool call as one row; arguments, output and result are there when opened. */
export function ToolRow({ handle, toolCallId }: { handle: SessionHandle; toolCallId: string }) {
  const { t, duration } = useI18n()
  const key = `tool:${toolCallId}`
  const tool = useEntity(handle, key, state => state.tools.byId.get(toolCallId))
  const active = tool?.state === 'preparing' || tool?.state === 'running'
  const waiting = useEntityValue(handle, 'actions', state => waitsForPerson(state, toolCallId))
  const now = useNow(active && !waiting)
  const edited = useEdits(tool)
  if (!tool) return <p className="v-note">{t('tool.missing')}</p>
  const state = shownState(tool, waiting)
  if (state === 'correcting') return <Correction handle={handle} tool={tool} />
  const attempt = attemptOf(handle.state, tool)
  const took = Math.max(0, (tool.endedAt ?? Math.max(now, tool.startedAt)) - tool.startedAt - tool.waitedMs)
  return (
    <div className="v-tool" data-state={state}>
      <KeptDisclosure
        id={key}
        className="v-tool-row"
        summary={
          <>
            <span className="v-tool-state">
              <Icon of={icons[state]} />
              <span className={state === 'done' ? 'v-unseen' : undefined}>{t(words[state])}</span>
            </span>
            <span className="v-tool-name">{visible(tool.title ?? tool.name)}</span>
            {edited.length > 0 && <Badge>{t('tool.edited')}</Badge>}
            <span className="v-tool-summary">{visible(summaryOf(t, tool, active))}</span>
            {attempt > 1 && <span className="v-tool-time">{t('run.attempt', { count: attempt })}</span>}
            {state !== 'waiting' && (!active || took >= 1000) && <span className="v-tool-time">{duration(took)}</span>}
          </>
        }
      >
        {() => <ToolDetail handle={handle} toolCallId={toolCallId} />}
      </KeptDisclosure>
      {active && tool.progress?.total ? (
        <ProgressBar
          value={tool.progress.current ?? 0}
          max={tool.progress.total}
          label={t('tool.progress', { name: tool.title ?? tool.name })}
        />
      ) : null}
      {tool.name === 'a2ui' && <A2uiPreview handle={handle} toolCallId={toolCallId} />}
      {mayDraw(tool) && (
        <Suspense>
          <ToolUi handle={handle} toolCallId={toolCallId} />
        </Suspense>
      )}
    </div>
  )
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
          <span className="v-tool-state">
            <Icon of={CircleDashed} />
            <span>{t(key)}</span>
          </span>
        }
      >
        {() => <ToolDetail handle={handle} toolCallId={tool.toolCallId} />}
      </KeptDisclosure>
    </div>
  )
}

/** While it works, what it says of itself; otherwise what it was asked to do, or why it failed. */
function summaryOf(t: I18n['t'], tool: Tool, active: boolean): string {
  if (active && tool.progress?.message) return tool.progress.message
  if (tool.error) return reasonWords(t, { ...tool.error, next: undefined })
  return tool.summary ?? ''
}

function ToolDetail({ handle, toolCallId }: { handle: SessionHandle; toolCallId: string }) {
  const { t, number } = useI18n()
  const tool = useEntity(handle, `tool:${toolCallId}`, state => state.tools.byId.get(toolCallId))
  const edited = useEdits(tool)
  const approvalId = useEntityValue(handle, 'actions', state => approvalOf(state, toolCallId)?.actionId)
  if (!tool) return null
  const approval = approvalId === undefined ? undefined : handle.state.actions.byId.get(approvalId)
  const askedKey = edited.length > 0 ? 'tool.askedArgs' : 'tool.args'
  return (
    <div className="v-tool-detail">
      <dl className="v-tool-facts">
        <dt>{t('tool.name')}</dt>
        <dd>
          <code>{visible(tool.name)}</code>
        </dd>
        {approval && (
          <>
            <dt>{t('tool.approval')}</dt>
            <dd>
              {t(outcomeKey(approval))} {approval.by && byWords(t, approval.by)}
            </dd>
          </>
        )}
        {tool.progress?.total != null && (
          <>
            <dt>{t('tool.progressLabel')}</dt>
            <dd>
              {number(tool.progress.current ?? 0)} / {number(tool.progress.total)}
            </dd>
          </>
        )}
      </dl>
      {tool.approvedArgs !== null && edited.length > 0 && (
        <section>
          <p className="v-label">{t('tool.ranArgs')}</p>
          <Changes changes={edited} />
          <JsonText value={tool.approvedArgs} label={t('tool.ranArgs')} />
        </section>
      )}
      {tool.args.length > 0 && (
        <section>
          <p className="v-label">{t(askedKey)}</p>
          <PlainText text={tool.argsDone ? pretty(tool.args.toString()) : tool.args.toString()} label={t(askedKey)} />
        </section>
      )}
      {tool.outputLength > 0 && (
        <section>
          <p className="v-label">{t('tool.output')}</p>
          {tool.outputLength > tool.output.length && (
            <p className="v-note">{t('tool.outputTail', { count: tool.outputLength })}</p>
          )}
          <PlainText text={tool.output.toString()} label={t('tool.output')} />
        </section>
      )}
      <section>
        <p className="v-label">{t('tool.result')}</p>
        {tool.error &&
          (shownState(tool, false) !== 'failed' ? (
            <p className="v-note v-prewrap">{visible(reasonWords(t, tool.error))}</p>
          ) : (
            <ToolFailure error={tool.error} />
          ))}
        <Result handle={handle} result={tool.result} failed={tool.error !== null} />
      </section>
      {tool.result.known && (tool.result.value.ui || tool.result.value.uiHints) && (
        <Suspense>
          <ToolUiDetail ui={tool.result.value.ui} uiHints={tool.result.value.uiHints} />
        </Suspense>
      )}
    </div>
  )
}

/** The decision that this call waited for. */
function approvalOf(state: SessionState, toolCallId: string): Action | undefined {
  for (const action of state.actions.byId.values())
    if (action.state === 'resolved' && action.toolCallId === toolCallId) return action
  return undefined
}

/** What a person changed before they approved it. */
function useEdits(tool: Tool | undefined): readonly JsonChange[] {
  const approved = tool?.approvedArgs ?? null
  const asked = approved === null ? '' : (tool?.args.toString() ?? '')
  return useMemo(() => (approved === null ? [] : changesBetween(parseJson(asked), approved)), [asked, approved])
}

/** Where, what was asked for, and what ran instead. */
function Changes({ changes }: { changes: readonly JsonChange[] }) {
  const { t } = useI18n()
  return (
    <ul className="v-changes" aria-label={t('tool.changed')}>
      {changes.slice(0, MOST_CHANGES).map(({ path, before, after }) => (
        <li key={path}>
          <code>{visible(path)}</code>
          {before !== undefined && <del>{visible(isSecret(path) ? MASK : short(before))}</del>}
          {after !== undefined && <ins>{visible(isSecret(path) ? MASK : short(after))}</ins>}
        </li>
      ))}
      {changes.length > MOST_CHANGES && <li>{t('tool.moreChanges', { count: changes.length - MOST_CHANGES })}</li>}
    </ul>
  )
}

const MOST_CHANGES = 20

function short(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 199).toWellFormed()}…` : text
}

function pretty(text: string): string {
  const value = parseJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

function ToolFailure({ error }: { error: Failure }) {
  const { t } = useI18n()
  return (
    <div className="v-problem">
      <Icon of={CircleAlert} />
      <div>
        <p className="v-problem-title">{visible(reasonWords(t, error))}</p>
        <p>
          <code>{visible(error.code)}</code>
        </p>
      </div>
    </div>
  )
}

function Result({ handle, result, failed }: { handle: SessionHandle; result: Fact<ToolResult>; failed: boolean }) {
  const { t } = useI18n()
  if (!result.known) {
    return failed ? null : (
      <p className="v-note">
        <Unknown why={result.why} />
      </p>
    )
  }
  const { preview, value, ref } = result.value
  return (
    <>
      {value !== null && <JsonText value={value} label={t('tool.result')} />}
      {preview !== null && value === null && !ref && <PlainText text={preview} label={t('tool.result')} />}
      {ref && <LargeOutput handle={handle} preview={preview ?? ''} blob={ref} />}
      {value === null && preview === null && !ref && <p className="v-note">{t('tool.noResult')}</p>}
    </>
  )
}

/** The beginning of a large output; the rest is fetched when asked for. */
function LargeOutput({ handle, preview, blob }: { handle: SessionHandle; preview: string; blob: BlobRef }) {
  const { t, bytes } = useI18n()
  const [all, load] = useBlob(handle, blob)
  if (all.state === 'done') return <PlainText text={all.text} label={t('tool.result')} />
  return (
    <>
      {preview && <PlainText text={preview} label={t('tool.preview')} />}
      {all.state === 'failed' ? (
        <ProblemNote title={t('tool.loadFailed')} problem={all.problem}>
          <Button onClick={load}>{t('action.tryAgain')}</Button>
        </ProblemNote>
      ) : (
        <Button onClick={load} disabled={all.state === 'loading'}>
          {all.state === 'loading' ? t('fallback.loading') : t('tool.loadAll', { size: bytes(blob.size) })}
        </Button>
      )}
    </>
  )
}
