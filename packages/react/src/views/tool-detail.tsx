import type { SessionHandle } from '@vitrine/client'
import {
  type Action,
  type BlobRef,
  type Fact,
  type Failure,
  type Json,
  MASK,
  type SessionState,
  type Tool,
  type ToolResult,
} from '@vitrine/protocol'
import { Suspense, useMemo } from 'react'
import { useEntity, useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { CircleAlert } from '../kit/icons.ts'
import { JsonText, PlainText } from '../kit/plain-text.tsx'
import { lazily } from '../lazily.tsx'
import { save } from '../markdown/download.ts'
import { namesSecret } from '../mask-secrets.ts'
import { parseJson } from '../parse-json.ts'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'
import { allowedWords, byWords, outcomeKey } from './answered-words.ts'
import { changesBetween, type JsonChange } from './json-changes.ts'
import { Unknown } from './status.tsx'
import { isStopped } from './tool-state.ts'
import { useBlob } from './use-blob.ts'

const ToolUiDetail = lazily(async () => ({ default: (await import('../genui/tool-ui.tsx')).ToolUiDetail }))

/** What went into a call, what it says while it works, and what came of it. */
export function ToolDetail({ handle, toolCallId }: { handle: SessionHandle; toolCallId: string }) {
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
        {tool.allowedBy && (
          <>
            <dt>{t('tool.allowedBy')}</dt>
            <dd>{visible(allowedWords(t, tool.allowedBy))}</dd>
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
          <p className="v-label">{t(tool.endedAt === null ? 'tool.liveOutput' : 'tool.output')}</p>
          {tool.outputHead && (
            <>
              <PlainText text={tool.outputHead} label={t('tool.outputHead')} />
              <Gap count={tool.outputLength - tool.outputHead.length - tool.output.length} />
            </>
          )}
          <PlainText text={tool.output.toString()} label={t('tool.output')} follow={tool.endedAt === null} />
        </section>
      )}
      {tool.endedAt !== null && (
        <section>
          <p className="v-label">{t('tool.result')}</p>
          {tool.error &&
            (isStopped(tool) ? (
              <p className="v-note v-prewrap">{visible(reasonWords(t, tool.error))}</p>
            ) : (
              <ToolFailure error={tool.error} />
            ))}
          <Result handle={handle} tool={tool} />
        </section>
      )}
      {tool.result.known && (tool.result.value.ui || tool.result.value.uiHints) && (
        <Suspense>
          <ToolUiDetail {...tool.result.value} />
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
export function useEdits(tool: Tool | undefined): readonly JsonChange[] {
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
          {before !== undefined && <del>{visible(namesSecret(path) ? MASK : short(before))}</del>}
          {after !== undefined && <ins>{visible(namesSecret(path) ? MASK : short(after))}</ins>}
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

function Result({ handle, tool }: { handle: SessionHandle; tool: Tool }) {
  const { t } = useI18n()
  const result: Fact<ToolResult> = tool.result
  if (!result.known) {
    return tool.error ? null : (
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
      {ref && <LargeOutput handle={handle} name={tool.title ?? tool.name} result={result.value} blob={ref} />}
      {value === null && preview === null && !ref && <p className="v-note">{t('tool.noResult')}</p>}
    </>
  )
}

interface LargeProps {
  handle: SessionHandle
  /** Of the tool, for the name of the file. */
  name: string
  result: ToolResult
  blob: BlobRef
}

/** The beginning and the end of a large output. All of it can be shown, copied and saved when it was fetched. */
function LargeOutput({ handle, name, result: { preview, tail }, blob }: LargeProps) {
  const { t, bytes } = useI18n()
  const [all, load] = useBlob(handle, blob)
  const loading = all.state === 'loading'
  const saveAll = async () => {
    const whole = all.state === 'done' ? all.text : await load()
    if (whole !== undefined) save(fileName(name, blob.mediaType), whole)
  }
  const between = blob.size - (preview?.length ?? 0) - (tail?.length ?? 0)
  return (
    <>
      {all.state === 'done' ? (
        <PlainText text={all.text} label={t('tool.result')} />
      ) : (
        <>
          {preview && <PlainText text={preview} label={t('tool.preview')} />}
          {tail && <Gap size={between} />}
          {tail && <PlainText text={tail} label={t('tool.tail')} />}
        </>
      )}
      {all.state === 'failed' && <ProblemNote title={t('tool.loadFailed')} problem={all.problem} />}
      <div className="v-actions">
        {all.state !== 'done' && (
          <Button onClick={load} disabled={loading}>
            {loading ? t('fallback.loading') : t('tool.loadAll', { size: bytes(blob.size) })}
          </Button>
        )}
        <Button look="quiet" onClick={saveAll} disabled={loading}>
          {t('tool.save')}
        </Button>
      </div>
    </>
  )
}

/** How much is left out between what stands above and below. */
function Gap({ count, size }: { count?: number; size?: number }) {
  const { t, bytes } = useI18n()
  if ((count ?? size ?? 0) <= 0) return null
  return (
    <p className="v-gap">
      {size === undefined ? t('tool.gap', { count: count ?? 0 }) : t('tool.gapSize', { size: bytes(size) })}
    </p>
  )
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
}

/** A name that every file system takes. */
function fileName(tool: string, mediaType: string): string {
  const stem = tool.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'output'
  return `${stem.slice(0, 60)}.${EXTENSIONS[mediaType.split(';')[0]!.trim()] ?? 'txt'}`
}
