import type { SessionHandle } from '@vitrine/client'
import { type HintsStream, hintsStream } from '@vitrine/genui/hints'
import type { UiSchemaRenderer } from '@vitrine/genui/schema'
import { type BlobRef, type SessionState, type Tool, type ToolResult, UI_SCHEMA_MEDIA_TYPE } from '@vitrine/protocol'
import { useCallback, useContext, useEffect, useMemo, useRef } from 'react'
import { useRowState, useVitrine } from '../context.tsx'
import { placeOf } from '../drafts.ts'
import { useEntity, useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { JsonText, PlainText } from '../kit/plain-text.tsx'
import { parseJson } from '../parse-json.ts'
import { ProblemNote } from '../problem-note.tsx'
import { useTellLanguage } from '../tell-language.ts'
import { KeptDisclosure } from '../views/kept-disclosure.tsx'
import { useBlob } from '../views/use-blob.ts'
import { visibleText } from '../visible.tsx'
import { DrawnFrame } from './drawn-frame.tsx'
import { type CarriedOut, carriedOut, interactionOf } from './interaction-place.ts'
import { InPlace, InteractionRuns } from './interaction-runs.tsx'
import { useOfferedTools } from './offered-tools.ts'
import { CardState } from './schema/card-state.ts'
import type { UiInteraction } from './schema/ui-context.ts'
import { UiSchema } from './schema/ui-schema.tsx'

const SHOW_UI = 'show_ui'
/** Cards up to this size come by themselves; a larger one is asked for. */
const AT_ONCE = 512 * 1024

interface Props {
  handle: SessionHandle
  toolCallId: string
}

/** The interface of a tool's result: while its hints are written, when it is there, and when it cannot be shown. */
export function ToolUi({ handle, toolCallId }: Props) {
  const { t } = useI18n()
  const inPlace = useContext(InPlace)
  const elsewhere = useEntityValue(handle, 'tools', state => {
    const tool = inPlace ? undefined : state.tools.byId.get(toolCallId)
    return tool !== undefined && interactionOf(state, tool) !== undefined
  })
  if (!elsewhere) return <Result handle={handle} toolCallId={toolCallId} />
  // One interface at a time: what a card's own button led to is shown at that card, and here when asked for.
  return (
    <KeptDisclosure id={`place:${toolCallId}`} className="v-ui-elsewhere" summary={<span>{t('ui.inPlace')}</span>}>
      {() => <Result handle={handle} toolCallId={toolCallId} />}
    </KeptDisclosure>
  )
}

function Result({ handle, toolCallId }: Props) {
  const tool = useEntity(handle, `tool:${toolCallId}`, state => state.tools.byId.get(toolCallId))
  const streamed = useStreamedHints(tool)
  if (!tool) return null
  const result = tool.result.known ? tool.result.value : null
  // The row of the call says that it did not work; what the agent was told about it is in its details.
  if (tool.name === SHOW_UI && tool.error) return null
  if (result?.ref?.mediaType === UI_SCHEMA_MEDIA_TYPE)
    return <Referenced handle={handle} toolCallId={toolCallId} blob={result.ref} />
  // One element for both: the nodes that were drawn while the hints streamed stay when the result comes.
  const schema = result?.ui ?? streamed
  return schema ? <Drawn handle={handle} toolCallId={toolCallId} schema={schema} provisional={!result?.ui} /> : null
}

interface DrawnProps extends Props {
  schema: unknown
  /** Still being written: shown, and not yet to be used. */
  provisional?: boolean
}

function Drawn({ handle, toolCallId, schema, provisional = false }: DrawnProps) {
  const { t } = useI18n()
  const { kept } = useVitrine()
  const { sessionId } = handle
  const state = useMemo(() => {
    const key = `ui:${toolCallId}`
    const found = (kept.get(key) as CardState | undefined) ?? new CardState(placeOf('typed', sessionId, toolCallId))
    kept.set(key, found)
    return found
  }, [kept, sessionId, toolCallId])
  const tellLanguage = useTellLanguage(handle)
  const done = useCarriedOut(handle, toolCallId)
  const { runsTool, look } = useOfferedTools(handle)
  const onAction = useCallback(
    async ({ action, values, through, key }: UiInteraction) => {
      tellLanguage()
      // The reader has made sure that all of it is plain JSON.
      const said = { ...(values && { values }), ...(through && { through }) }
      const sent = { toolCallId, action, ...said } as Parameters<SessionHandle['sendUiAction']>[0]
      const outcome = await handle.sendUiAction(sent, key)
      // What the page knows of the tools is old: the words on the button are made anew.
      if (!outcome.ok && outcome.problem.code === 'tool_not_offered') look()
      return outcome
    },
    [handle, toolCallId, tellLanguage, look],
  )
  const last = done.at(-1)
  return (
    <>
      <div className="v-tool-ui" aria-busy={provisional} data-past={last && true}>
        {last && <p className="v-note v-ui-past">{t('ui.past', { name: visibleText(last.label) })}</p>}
        <DrawnFrame handle={handle} runId={handle.state.tools.byId.get(toolCallId)?.runId ?? null}>
          <UiSchema
            schema={schema}
            state={state}
            onAction={onAction}
            runsTool={runsTool}
            readOnly={provisional}
            done={done}
          />
        </DrawnFrame>
        {provisional && <p className="v-note">{t('ui.provisional')}</p>}
      </div>
      {!provisional && <InteractionRuns handle={handle} toolCallId={toolCallId} state={state} />}
    </>
  )
}

/** What the buttons of a card have led to: from then on the card shows how it was before. */
function useCarriedOut(handle: SessionHandle, toolCallId: string): readonly CarriedOut[] {
  // As text, because the actions are made anew at each look. A run that ends has brought the results of its calls.
  const look = (state: SessionState) => JSON.stringify(carriedOut(state, toolCallId))
  useEntityValue(handle, 'tools', look)
  const found = useEntityValue(handle, 'session', look)
  return useMemo(() => JSON.parse(found) as readonly CarriedOut[], [found])
}

/** The card as far as the arguments of a `show_ui` call have come. Each character is read once. */
function useStreamedHints(tool: Tool | undefined): UiSchemaRenderer | undefined {
  const { locale } = useI18n()
  const fed = useRef<{ stream: HintsStream; length: number; locale: string }>(null)
  if (tool?.name !== SHOW_UI || (tool.state !== 'preparing' && tool.state !== 'running')) return undefined
  if (!fed.current || fed.current.length > tool.args.length || fed.current.locale !== locale)
    fed.current = { stream: hintsStream({ locale }), length: 0, locale }
  const { stream, length } = fed.current
  if (tool.args.length > length) {
    stream.push(tool.args.from(length))
    fed.current.length = tool.args.length
  }
  return stream.failed ? undefined : stream.schema()
}

/** A document too large for an event: fetched when it is drawn, or when asked for if it is very large. */
function Referenced({ handle, toolCallId, blob }: Props & { blob: BlobRef }) {
  const { t, bytes } = useI18n()
  const [load, fetchIt] = useBlob(handle, blob)
  const [document, keep] = useRowState<unknown>(`ui-document:${toolCallId}`, undefined)
  const small = blob.size <= AT_ONCE
  const wanted = document === undefined && load.state === 'idle'
  useEffect(() => {
    if (small && wanted) void fetchIt()
  }, [small, wanted, fetchIt])
  useEffect(() => {
    if (load.state === 'done') keep(parseJson(load.text) ?? load.text)
  }, [load, keep])
  if (document !== undefined) return <Drawn handle={handle} toolCallId={toolCallId} schema={document} />
  if (load.state === 'failed')
    return (
      <ProblemNote title={t('ui.loadFailed')} problem={load.problem}>
        <Button onClick={fetchIt}>{t('action.tryAgain')}</Button>
      </ProblemNote>
    )
  if (small || load.state !== 'idle') return <p className="v-note">{t('fallback.loading')}</p>
  return <Button onClick={fetchIt}>{t('ui.load', { size: bytes(blob.size) })}</Button>
}

/** For the detail view of a tool call: what the interface was made from, and what of it could not be taken as it is. */
export function ToolUiDetail({ ui, uiHints, uiProblems }: Pick<ToolResult, 'ui' | 'uiHints' | 'uiProblems'>) {
  const { t } = useI18n()
  return (
    <>
      {uiHints && (
        <section>
          <h4>{t('ui.hints')}</h4>
          <JsonText value={uiHints} label={t('ui.hints')} />
        </section>
      )}
      {ui && (
        <section>
          <h4>{t('ui.schema')}</h4>
          <JsonText value={ui} label={t('ui.schema')} />
        </section>
      )}
      {uiProblems && (
        <section>
          <h4>{t('ui.repairs')}</h4>
          <PlainText text={uiProblems.join('\n')} label={t('ui.repairs')} />
        </section>
      )}
    </>
  )
}
