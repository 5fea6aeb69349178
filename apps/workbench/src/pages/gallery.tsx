import { locatePointer, type TextPosition, type UiDiagnostic } from '@vitrine/genui'
import {
  a2uiPrompt,
  a2uiTool,
  actionMessage,
  type SurfaceAction,
  SurfaceModel,
  SurfacePreview,
} from '@vitrine/genui/a2ui'
import {
  Button,
  Checkbox,
  CopyButton,
  Disclosure,
  Field,
  PlainText,
  Select,
  TextArea,
  useI18n,
  useSetting,
} from '@vitrine/react'
import { A2uiSurface, type SendInteraction } from '@vitrine/react/a2ui'
import { type CSSProperties, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Finding, GalleryEngine, parse } from './gallery-engine.ts'
import { envelopesOf, type Form, written } from './gallery-form.ts'
import { type GalleryMessages, messagesFor } from './gallery-messages.ts'
import { type Sample, samples } from './gallery-samples.ts'
import { goToPlace } from './go-to-place.ts'
import './gallery.css'

const GROUPS = ['whole', 'layout', 'text', 'input', 'data', 'media', 'helper', 'check', 'format'] as const
const WIDTHS = { full: undefined, '720': 720, '480': 480, '320': 320 } as const
const MAX_LOG = 50
/** Characters a frame when the envelopes are played as a stream: about what a fast model writes. */
const PER_FRAME = 14

type Answer = 'accepts' | 'slow' | 'fails'
type Scheme = 'page' | 'light' | 'dark'
interface Logged {
  id: number
  text: string
}
interface Shown extends Finding {
  place: TextPosition | null
}

/** For people who write catalogs and prompts: edit the JSON, see the surface, read what the agent would read. */
export default function Gallery() {
  const { locale } = useI18n()
  const m = messagesFor(locale)
  const [sampleId, setSampleId] = useState(() => sampleOf(location.hash.slice(1)).id)
  const [form, setForm] = useSetting<Form>('vitrine.gallery.form', 'nested')
  const [edited, setEdited] = useState<string | null>(null)
  const [width, setWidth] = useState<keyof typeof WIDTHS>('full')
  const [scheme, setScheme] = useState<Scheme>('page')
  const [readOnly, setReadOnly] = useState(false)
  const [answer, setAnswer] = useState<Answer>('accepts')
  const [log, setLog] = useState<readonly Logged[]>([])
  const [playing, setPlaying] = useState(false)
  const sample = sampleOf(sampleId)
  const original = useMemo(() => written(envelopesOf(sample, form)), [sample, form])
  const text = edited ?? original
  const editor = useRef<HTMLTextAreaElement>(null)
  const { models, findings, engine } = useEngine(text, locale)

  const choose = (id: string) => {
    setSampleId(id)
    setEdited(null)
    setPlaying(false)
    setLog([])
    history.replaceState(history.state, '', `#${id}`)
  }
  const send = useCallback<SendInteraction>(
    async (action, edits) => {
      setLog(before => [{ id: (before[0]?.id ?? 0) + 1, text: readable(action) }, ...before].slice(0, MAX_LOG))
      if (answer !== 'accepts') await new Promise(resolve => setTimeout(resolve, answer === 'slow' ? 1500 : 400))
      if (answer === 'fails') return { ok: false, problem: { title: `${m.answer} ${m.answerFails}.` } }
      const accepted = engine.surfaces.accept(action.surfaceId, edits)
      if (!accepted.ok) return { ok: false, problem: { title: accepted.error, path: accepted.path } }
      engine.models.get(action.surfaceId)?.apply(accepted.ops)
      return { ok: true }
    },
    [answer, engine, m],
  )
  const goTo = (place: TextPosition) => goToPlace(editor.current, place)

  return (
    <div className="w-gallery">
      <header className="w-gallery-head">
        <p className="v-note">{m.about}</p>
        <div className="w-gallery-switches">
          <Choice
            label={m.form}
            value={form}
            onChange={value => {
              setForm(value)
              setEdited(null)
            }}
            options={{ nested: m.nested, public: m.public }}
          />
          <Choice
            label={m.theme}
            value={scheme}
            onChange={setScheme}
            options={{ page: m.themePage, light: m.themeLight, dark: m.themeDark }}
          />
          <Choice
            label={m.width}
            value={width}
            onChange={setWidth}
            options={{ full: m.full, 720: '720', 480: '480', 320: '320' }}
          />
          <Choice
            label={m.answer}
            value={answer}
            onChange={setAnswer}
            options={{ accepts: m.answerAccepts, slow: m.answerSlow, fails: m.answerFails }}
          />
          <Checkbox label={m.readOnly} checked={readOnly} onCheck={setReadOnly} />
        </div>
      </header>
      <Examples m={m} chosen={sample.id} onChoose={choose} />
      <section className="w-gallery-editor" aria-label={m.editor}>
        <div className="w-gallery-bar">
          <h2>{m.editor}</h2>
          {edited !== null && (
            <Button look="quiet" onClick={() => setEdited(null)}>
              {m.reset}
            </Button>
          )}
          <CopyButton text={() => text} />
        </div>
        <TextArea
          ref={editor}
          code
          aria-label={m.editor}
          value={text}
          autoCapitalize="off"
          onChange={event => setEdited(event.target.value)}
        />
        <Problems m={m} findings={findings} onGo={goTo} />
      </section>
      <section className="w-gallery-result" aria-label={m.result}>
        <div className="w-gallery-bar">
          <h2>{m.result}</h2>
          <Button look="quiet" onClick={() => setPlaying(true)} disabled={playing}>
            {playing ? m.streaming : m.replay}
          </Button>
        </div>
        <div className="w-gallery-stage" style={scheme === 'page' ? undefined : { colorScheme: scheme }}>
          <div style={{ maxInlineSize: WIDTHS[width] } as CSSProperties}>
            {playing ? (
              <Replay key={text} text={text} locale={locale} onEnd={() => setPlaying(false)} />
            ) : (
              models.map(model => (
                <A2uiSurface key={model.surfaceId} model={model} send={send} readOnly={readOnly} label={sample.title} />
              ))
            )}
          </div>
        </div>
        <Events m={m} log={log} onClear={() => setLog([])} />
      </section>
      <section className="w-gallery-agent" aria-label={m.tools}>
        <h2>{m.tools}</h2>
        <Source title={m.prompt}>{a2uiPrompt}</Source>
        <Source title={m.schema}>{() => JSON.stringify(a2uiTool, null, 2)}</Source>
      </section>
    </div>
  )
}

const sampleOf = (id: string): Sample => samples.find(sample => sample.id === id) ?? samples[0]!

/** The line that the agent reads, its JSON broken for people. */
function readable(action: SurfaceAction): string {
  const [mark, json] = actionMessage(action).split('\n')
  return `${mark}\n${JSON.stringify(JSON.parse(json!), null, 2)}`
}

/** Applies the text a moment after the last key; what cannot be parsed leaves the last surface in sight. */
function useEngine(text: string, locale: string) {
  const [diagnostics, setDiagnostics] = useState<readonly UiDiagnostic[]>([])
  const [state, setState] = useState<{ models: readonly SurfaceModel[]; findings: readonly Shown[] }>({
    models: [],
    findings: [],
  })
  const engine = useMemo(
    () => new GalleryEngine(locale, diagnostic => setDiagnostics(before => [...before, diagnostic].slice(-20))),
    [locale],
  )
  useEffect(() => {
    const apply = () => {
      const parsed = parse(text)
      if (!parsed.ok) {
        const finding: Shown = {
          level: 'error',
          code: 'not_json',
          path: '',
          message: parsed.message,
          place: parsed.place,
        }
        setState(before => ({ ...before, findings: [finding] }))
        return
      }
      setDiagnostics([])
      const found = engine.apply(parsed.envelopes)
      setState({
        models: [...engine.models.values()],
        findings: found.map(finding => ({ ...finding, place: find(text, finding.path) })),
      })
    }
    const timer = setTimeout(apply, engine.models.size === 0 ? 0 : 150)
    return () => clearTimeout(timer)
  }, [engine, text])
  const seen = diagnostics.map(
    ({ code, message, componentId }): Shown => ({
      level: 'warning',
      code,
      path: componentId ?? '',
      message,
      place: null,
    }),
  )
  return { engine, models: state.models, findings: [...state.findings, ...seen] }
}

/**
 * Results count envelopes from 0; this converts such a path to a pointer into the typed text, which may be a list or one
 * envelope.
 */
function find(text: string, path: string): TextPosition | null {
  if (!path.startsWith('/envelopes/')) return null
  try {
    const first = text.trimStart()[0]
    const whole = JSON.parse(text) as object
    const pointer =
      first === '['
        ? path.slice('/envelopes'.length)
        : 'envelopes' in whole
          ? path
          : path.replace(/^\/envelopes\/\d+/, '')
    return locatePointer(text, pointer)
  } catch {
    return null
  }
}

/** The samples in the order of their groups. */
const grouped = GROUPS.flatMap(group => samples.filter(sample => sample.group === group))

function Examples({ m, chosen, onChoose }: { m: GalleryMessages; chosen: string; onChoose: (id: string) => void }) {
  return (
    <nav className="w-gallery-nav" aria-label={m.examples}>
      <Select
        aria-label={m.examples}
        options={grouped.map(({ title }) => ({ label: title }))}
        chosen={grouped.findIndex(({ id }) => id === chosen)}
        onChoose={index => onChoose(grouped[index]!.id)}
      />
      {GROUPS.map(group => (
        <div key={group}>
          <h2>{m.groups[group]}</h2>
          <ul>
            {grouped
              .filter(sample => sample.group === group)
              .map(sample => (
                <li key={sample.id}>
                  <button
                    type="button"
                    aria-current={sample.id === chosen || undefined}
                    onClick={() => onChoose(sample.id)}
                  >
                    {sample.title}
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function Choice<T extends string>(props: {
  label: string
  value: T
  options: Readonly<Record<T, string>>
  onChange: (value: T) => void
}) {
  const { label, value, options, onChange } = props
  const keys = Object.keys(options) as T[]
  return (
    <Field className="w-gallery-choice" label={label}>
      {control => (
        <Select
          {...control}
          options={keys.map(key => ({ label: options[key] }))}
          chosen={keys.indexOf(value)}
          onChoose={index => onChange(keys[index]!)}
        />
      )}
    </Field>
  )
}

function Problems({
  m,
  findings,
  onGo,
}: {
  m: GalleryMessages
  findings: readonly Shown[]
  onGo: (place: TextPosition) => void
}) {
  return (
    <div className="w-gallery-problems" role="status" aria-label={m.problems}>
      {findings.length === 0 ? (
        <p className="v-note">{m.noProblems}</p>
      ) : (
        <ul>
          {findings.map(({ level, code, path, message, place }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that is replaced as a whole
            <li key={index} data-level={level}>
              <code>{code}</code>
              <span>
                {message} {path && <span className="v-note">{path}</span>}
              </span>
              {place && (
                <Button look="quiet" onClick={() => onGo(place)}>
                  {m.place.replace('{line}', String(place.line)).replace('{column}', String(place.column))}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Events({ m, log, onClear }: { m: GalleryMessages; log: readonly Logged[]; onClear: () => void }) {
  return (
    <div className="w-gallery-events">
      <div className="w-gallery-bar">
        <h2>{m.events}</h2>
        {log.length > 0 && (
          <Button look="quiet" onClick={onClear}>
            {m.clear}
          </Button>
        )}
      </div>
      {log.length === 0 ? (
        <p className="v-note">{m.eventsEmpty}</p>
      ) : (
        <ol aria-label={m.events}>
          {log.map(({ id, text }) => (
            <li key={id}>
              <pre>{text}</pre>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** The envelopes as a model writes them: a preview from text that is not complete yet. */
function Replay({ text, locale, onEnd }: { text: string; locale: string; onEnd: () => void }) {
  const [models, setModels] = useState<readonly SurfaceModel[]>([])
  const ended = useRef(onEnd)
  ended.current = onEnd
  useEffect(() => {
    const preview = new SurfacePreview()
    const found = new Map<string, SurfaceModel>()
    let at = 0
    let frame = requestAnimationFrame(function step() {
      // Long data would be dull to watch.
      const chunk = Math.max(PER_FRAME, Math.ceil(text.length / 400))
      preview.push(text.slice(at, at + chunk))
      at += chunk
      for (const [surfaceId, ops] of preview.take()) {
        const model = found.get(surfaceId) ?? new SurfaceModel({ surfaceId, locale })
        if (!found.has(surfaceId)) setModels([...found.set(surfaceId, model).values()])
        model.apply(ops)
      }
      if (at < text.length) frame = requestAnimationFrame(step)
      else ended.current()
    })
    return () => cancelAnimationFrame(frame)
  }, [text, locale])
  return models.map(model => <A2uiSurface key={model.surfaceId} model={model} readOnly streaming />)
}

function Source({ title, children }: { title: string; children: () => string }): ReactNode {
  return (
    <Disclosure className="v-card w-gallery-source" summary={title}>
      {() => <PlainText text={children()} label={title} />}
    </Disclosure>
  )
}
