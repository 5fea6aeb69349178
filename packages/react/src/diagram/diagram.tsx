import { useContext, useEffect, useRef, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Icon } from '../kit/icon.tsx'
import { CodeXml, Workflow } from '../kit/icons.ts'
import { useNearView } from '../near-view.ts'
import { Sandbox, type SandboxControl } from '../sandbox/sandbox.tsx'
import { SandboxContext, useSandboxAddress } from '../sandbox/sandbox-documents.ts'
import { visible } from '../visible.tsx'
import {
  type DiagramOrder,
  type DiagramReport,
  type DiagramTheme,
  LONGEST_DIAGRAM,
  readReport,
} from './diagram-order.ts'
import { useDiagramTheme } from './diagram-theme.ts'

const FIRST_HEIGHT = 200
const MOST_HEIGHT = 720
const PATIENCE_MS = 15_000

type State =
  | { readonly state: 'waiting' }
  | { readonly state: 'drawn'; readonly report: Extract<DiagramReport, { type: 'drawn' }> }
  /** `again` when another try may go better. */
  | { readonly state: 'failed'; readonly why: string; readonly again: boolean }

/**
 * A Mermaid diagram of an agent. The library that draws it, and what it draws, are in a sandbox; nothing of it is loaded
 * before the diagram comes into view. Its source is always at hand.
 */
export function Diagram({ code, complete = true }: { code: string; complete?: boolean }) {
  const { t } = useI18n()
  const figure = useRef<HTMLElement>(null)
  const near = useNearView(figure)
  const documents = useContext(SandboxContext)
  const possible = documents !== null && complete && code.trim() !== ''
  const tooLong = code.length > LONGEST_DIAGRAM
  const [state, setState] = useState<State>({ state: 'waiting' })
  const [wantsSource, setWantsSource] = useState(false)
  const wanted = near && possible && !tooLong
  const theme = useDiagramTheme(figure, wanted)
  const url = useSandboxAddress('mermaid', wanted)
  const why = tooLong ? t('diagram.tooLong') : url === null ? t('diagram.unavailable') : failureOf(state)
  const showsSource = wantsSource || why !== null || !possible
  return (
    <figure ref={figure} className="v-code v-diagram" data-state={why ? 'failed' : state.state}>
      <figcaption>
        <Icon of={Workflow} />
        <span className="v-code-language">{t('diagram.label')}</span>
        {possible && !why && (
          <Button look="quiet" icon={CodeXml} aria-pressed={wantsSource} onClick={() => setWantsSource(!wantsSource)}>
            {t('diagram.source')}
          </Button>
        )}
        <CopyButton text={() => code} label={t('diagram.copy')} />
      </figcaption>
      {why && (
        <div className="v-diagram-why">
          <span className="v-note" role="note">
            {visible(why)}
          </span>
          {state.state === 'failed' && state.again && (
            <Button
              onClick={() => {
                documents?.forget('mermaid')
                setState({ state: 'waiting' })
              }}
            >
              {t('action.tryAgain')}
            </Button>
          )}
        </div>
      )}
      {!showsSource && !url && <div className="v-diagram-wait">{t('diagram.drawing')}</div>}
      {url && theme && wanted && !why && (
        <div className="v-diagram-frame" hidden={wantsSource}>
          <Drawing key={url} url={url} source={code} theme={theme} state={state} setState={setState} />
        </div>
      )}
      {showsSource && !complete && <p className="v-diagram-wait">{t('diagram.writing')}</p>}
      {showsSource && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must be able to.
        <pre tabIndex={0}>
          <code>{visible(code)}</code>
        </pre>
      )}
    </figure>
  )
}

const failureOf = (state: State): string | null => (state.state === 'failed' ? state.why : null)

interface DrawingProps {
  url: string
  source: string
  theme: DiagramTheme
  state: State
  setState: (state: State) => void
}

/** The frame, and what came of the order to draw. */
function Drawing({ url, source, theme, state, setState }: DrawingProps) {
  const { t } = useI18n()
  const documents = useContext(SandboxContext)
  const control = useRef<SandboxControl>(null)
  const order = useRef(0)
  const [ready, setReady] = useState(false)
  useEffect(() => {
    if (!ready) return
    order.current++
    control.current?.send({ type: 'draw', order: order.current, source, theme } satisfies DiagramOrder)
  }, [ready, source, theme])
  const waits = state.state === 'waiting'
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(
      () => setState({ state: 'failed', why: t('diagram.tookTooLong'), again: true }),
      PATIENCE_MS,
    )
    return () => clearTimeout(timer)
  }, [waits, setState, t])
  const report = state.state === 'drawn' ? state.report : null
  return (
    <>
      <p className="v-unseen">{report ? alternativeOf(report, t) : t('diagram.drawing')}</p>
      <Sandbox
        url={url}
        title={report ? t('diagram.named', { name: nameOf(report) }) : t('diagram.label')}
        height={documents?.height(source) ?? FIRST_HEIGHT}
        mostHeight={MOST_HEIGHT}
        control={control}
        onReady={() => setReady(true)}
        onHeight={height => documents?.keepHeight(source, height)}
        onLost={loss => setState({ state: 'failed', why: t(`diagram.lost.${loss}`), again: true })}
        onMessage={message => {
          const read = readReport(message, order.current)
          if (read?.type === 'failed') {
            setState({ state: 'failed', why: t('diagram.failed', { message: read.message }), again: false })
          }
          if (read?.type === 'drawn') setState({ state: 'drawn', report: read })
        }}
      />
    </>
  )
}

type Drawn = Extract<DiagramReport, { type: 'drawn' }>
type Translate = ReturnType<typeof useI18n>['t']

const nameOf = ({ title, kind }: Drawn): string => title || kind

/** The drawing in words: what its author says of it, and the words that stand in it. */
function alternativeOf(report: Drawn, t: Translate): string {
  const said = [report.title, report.description].filter(Boolean).join('. ')
  const words = report.labels.join('; ')
  return [said || t('diagram.named', { name: report.kind }), words && t('diagram.words', { words })]
    .filter(Boolean)
    .join('. ')
}
