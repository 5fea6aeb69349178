import type { TextPosition, UiDiagnostic } from '@vitrine/genui'
import {
  a2uiPrompt,
  a2uiTool,
  actionMessage,
  basicCatalog,
  type SurfaceAction,
  SurfaceModel,
  SurfacePreview,
} from '@vitrine/genui/a2ui'
import { Button, Checkbox, CopyButton, Disclosure, Field, PlainText, Select, useI18n, useSetting } from '@vitrine/react'
import { A2uiSurface, type A2uiSurfaceProps, type SendInteraction, useHostCatalogs } from '@vitrine/react/a2ui'
import { type CSSProperties, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CodeEditor, type CodeEditorHandle } from './code-editor.tsx'
import { useEditedTexts } from './edited-texts.ts'
import { type Finding, GalleryEngine, type Parsed, parse } from './gallery-engine.ts'
import { envelopesOf, type Form, written } from './gallery-form.ts'
import { drawingOf, type ShownCatalog, shownCatalog } from './gallery-hosts.ts'
import { type GalleryMessages, messagesFor } from './gallery-messages.ts'
import { type Sample, samples } from './gallery-samples.ts'
import { ShareButton } from './share-button.tsx'
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
  const found = useHostCatalogs()
  const hosts = useMemo(() => found?.map(shownCatalog), [found])
  return hosts && <GalleryOf hosts={hosts} />
}

function GalleryOf({ hosts }: { hosts: readonly ShownCatalog[] }) {
  const { locale } = useI18n()
  const m = messagesFor(locale)
  const [form, setForm] = useSetting<Form>('vitrine.gallery.form', 'nested')
  const hosted = useMemo(
    () => new Map(hosts.flatMap(({ entries }) => entries.map(entry => [entry.id, entry]))),
    [hosts],
  )
  const texts = useEditedTexts('gallery', idIn(form, samples[0]!.id), id => hosted.get(id)?.text ?? originalOf(id))
  const { id, text } = texts
  const only = useMemo(() => new URLSearchParams(location.hash.slice(1)).has('only'), [])
  const [width, setWidth] = useState<keyof typeof WIDTHS>('full')
  const [scheme, setScheme] = useState<Scheme>('page')
  const [readOnly, setReadOnly] = useState(false)
  const [answer, setAnswer] = useState<Answer>('accepts')
  const [log, setLog] = useState<readonly Logged[]>([])
  const [playing, setPlaying] = useState(false)
  const sample = sampleOf(id)
  const title = sample?.title ?? hosted.get(id)?.title ?? m.linked
  const editor = useRef<CodeEditorHandle>(null)
  const { models, findings, engine, stale } = useEngine(id, text, locale, hosts)

  const choose = (next: string) => {
    texts.choose(next)
    setPlaying(false)
    setLog([])
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

  if (texts.waiting) return null
  return (
    <div className="w-gallery" data-only={only || undefined}>
      <header className="w-gallery-head">
        <p className="v-note">{m.about}</p>
        <div className="w-gallery-switches">
          <Choice
            label={m.form}
            value={form}
            onChange={value => {
              setForm(value)
              if (sample) choose(idIn(value, sample.id))
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
      <Examples
        m={m}
        chosen={id}
        hosts={hosts}
        idOf={example => idIn(form, example)}
        linked={texts.linked}
        edited={texts.edited}
        onChoose={choose}
      />
      <section className="w-gallery-editor" aria-label={m.editor}>
        <div className="w-gallery-bar">
          <h2>{m.editor}</h2>
          {texts.edited.has(id) && (
            <Button look="quiet" onClick={texts.reset}>
              {m.reset}
            </Button>
          )}
          <ShareButton link={texts.link} />
          <CopyButton text={() => text} />
        </div>
        <CodeEditor
          ref={editor}
          label={m.editor}
          text={text}
          marks={findings.flatMap(({ level, place }) => (place ? [{ level, line: place.line }] : []))}
          onChange={texts.change}
        />
        <Problems m={m} findings={findings} onGo={place => editor.current?.goTo(place)} />
      </section>
      <section className="w-gallery-result" aria-label={m.result}>
        <div className="w-gallery-bar">
          <h2>{m.result}</h2>
          <span className="v-note" role="status">
            {stale && m.stale}
          </span>
          <Button look="quiet" onClick={() => setPlaying(true)} disabled={playing}>
            {playing ? m.streaming : m.replay}
          </Button>
        </div>
        <section
          className="w-gallery-stage"
          style={scheme === 'page' ? undefined : { colorScheme: scheme }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          tabIndex={0}
          aria-label={m.result}
        >
          <div style={{ maxInlineSize: WIDTHS[width] } as CSSProperties}>
            {playing ? (
              <Replay key={text} text={text} locale={locale} hosts={hosts} onEnd={() => setPlaying(false)} />
            ) : (
              models.map(model => (
                <div key={model.surfaceId} className="v-plate v-drawn">
                  <div className="v-drawn-body">
                    <A2uiSurface model={model} send={send} readOnly={readOnly} label={title} {...drawn(hosts, model)} />
                  </div>
                </div>
              ))
            )}
          </div>
        </section>
        <Events m={m} log={log} onClear={() => setLog([])} />
      </section>
      <section className="w-gallery-agent" aria-label={m.tools}>
        <h2>{m.tools}</h2>
        <Source title={m.prompt}>{() => a2uiPrompt([basicCatalog, ...hosts.map(({ catalog }) => catalog)])}</Source>
        <Source title={m.schema}>{() => JSON.stringify(a2uiTool, null, 2)}</Source>
      </section>
    </div>
  )
}

/** Each form of a sample is a text of its own, with its own edits. */
const idIn = (form: Form, sampleId: string): string => (form === 'nested' ? sampleId : `public/${sampleId}`)
const sampleOf = (id: string): Sample | undefined =>
  samples.find(sample => id === sample.id || id === idIn('public', sample.id))
function originalOf(id: string): string | undefined {
  const sample = sampleOf(id)
  return sample && written(envelopesOf(sample, id === sample.id ? 'nested' : 'public'))
}

/** What draws the surface of a model, beside its model. */
function drawn(hosts: readonly ShownCatalog[], model: SurfaceModel): Pick<A2uiSurfaceProps, 'renderers' | 'fallbacks'> {
  const { catalog: _, ...drawing } = drawingOf(hosts, model.getSurface().catalogId)
  return drawing
}

/** The line that the agent reads, its JSON broken for people. */
function readable(action: SurfaceAction): string {
  const [mark, json] = actionMessage(action).split('\n')
  return `${mark}\n${JSON.stringify(JSON.parse(json!), null, 2)}`
}

interface Applied {
  id: string
  models: readonly SurfaceModel[]
  findings: readonly Shown[]
  /** The surface is that of an earlier text, because this one gives none. */
  stale: boolean
}

/** Applies the text a moment after the last key; a text that gives no surface leaves the last one of its own in sight. */
function useEngine(id: string, text: string, locale: string, hosts: readonly ShownCatalog[]) {
  const [diagnostics, setDiagnostics] = useState<readonly UiDiagnostic[]>([])
  const [state, setState] = useState<Applied>({ id, models: [], findings: [], stale: false })
  const engine = useMemo(
    () => new GalleryEngine(locale, hosts, diagnostic => setDiagnostics(before => [...before, diagnostic].slice(-20))),
    [locale, hosts],
  )
  const parsed = useMemo(() => parse(text), [text])
  useEffect(() => {
    const keep = (findings: readonly Shown[]) =>
      setState(before =>
        before.id === id ? { ...before, findings, stale: true } : { id, models: [], findings, stale: false },
      )
    const apply = () => {
      if (!parsed.ok) {
        const { message, place } = parsed
        keep([{ level: 'error', code: 'not_json', path: '', message, place }])
        return
      }
      const { results, drawsNothing } = engine.judge(parsed.envelopes)
      const findings = results.map(finding => ({ ...finding, place: placeIn(parsed, finding) }))
      if (drawsNothing) {
        keep(findings)
        return
      }
      setDiagnostics([])
      engine.show()
      setState({ id, models: [...engine.models.values()], findings, stale: false })
    }
    const timer = setTimeout(apply, engine.models.size === 0 ? 0 : 150)
    return () => clearTimeout(timer)
  }, [engine, id, parsed])
  const seen = diagnostics.map(({ code, message, componentId = '' }): Shown => {
    const finding: Finding = { level: 'warning', code, path: componentId, componentId, message }
    return { ...finding, place: parsed.ok ? placeIn(parsed, finding) : null }
  })
  return { ...state, engine, findings: [...state.findings, ...seen] }
}

const placeIn = (parsed: Parsed & { ok: true }, { path, componentId }: Finding): TextPosition | null =>
  componentId ? parsed.placeOfComponent(componentId) : parsed.placeOf(path)

/** The samples in the order of their groups. */
const grouped = GROUPS.flatMap(group => samples.filter(sample => sample.group === group))

function Examples(props: {
  m: GalleryMessages
  chosen: string
  idOf: (sampleId: string) => string
  hosts: readonly ShownCatalog[]
  linked: readonly string[]
  edited: ReadonlySet<string>
  onChoose: (id: string) => void
}) {
  const { m, chosen, idOf, hosts, linked, edited, onChoose } = props
  const groups: readonly { name: string; entries: readonly { id: string; title: string }[] }[] = [
    ...GROUPS.map(group => ({
      name: m.groups[group],
      entries: grouped.filter(sample => sample.group === group).map(({ id, title }) => ({ id: idOf(id), title })),
    })),
    ...hosts.map(({ catalog, entries }) => ({ name: catalog.ids[0]!, entries })),
    ...(linked.length > 0 ? [{ name: m.links, entries: linked.map(id => ({ id, title: m.linked })) }] : []),
  ]
  const all = groups.flatMap(({ entries }) => entries)
  return (
    <nav className="w-gallery-nav" aria-label={m.examples}>
      <Select
        aria-label={m.examples}
        options={all.map(({ id, title }) => ({ label: edited.has(id) ? `${title} (${m.edited})` : title }))}
        chosen={all.findIndex(({ id }) => id === chosen)}
        onChoose={index => onChoose(all[index]!.id)}
      />
      {groups.map(({ name, entries }) => (
        <div key={name}>
          <h2>{name}</h2>
          <ul>
            {entries.map(({ id, title }) => (
              <li key={id}>
                <button type="button" aria-current={id === chosen || undefined} onClick={() => onChoose(id)}>
                  {title}
                </button>
                {edited.has(id) && <span className="v-note">{m.edited}</span>}
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
              {place && (
                <Button look="quiet" onClick={() => onGo(place)}>
                  {m.place.replace('{line}', String(place.line)).replace('{column}', String(place.column))}
                </Button>
              )}
              <span>
                {message} {path && <span className="v-note">{path}</span>}
              </span>
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
function Replay(props: { text: string; locale: string; hosts: readonly ShownCatalog[]; onEnd: () => void }) {
  const { text, locale, hosts, onEnd } = props
  const [models, setModels] = useState<readonly SurfaceModel[]>([])
  const ended = useRef(onEnd)
  ended.current = onEnd
  useEffect(() => {
    const preview = new SurfacePreview({ catalogOf: catalogId => drawingOf(hosts, catalogId).catalog })
    const found = new Map<string, SurfaceModel>()
    let at = 0
    let frame = requestAnimationFrame(function step() {
      // Long data would be dull to watch.
      const chunk = Math.max(PER_FRAME, Math.ceil(text.length / 400))
      preview.push(text.slice(at, at + chunk))
      at += chunk
      for (const [surfaceId, ops] of preview.take()) {
        const { catalog } = drawingOf(hosts, ops.find(op => op.op === 'create')?.catalogId)
        const model = found.get(surfaceId) ?? new SurfaceModel({ surfaceId, locale, catalog })
        if (!found.has(surfaceId)) setModels([...found.set(surfaceId, model).values()])
        model.apply(ops)
      }
      if (at < text.length) frame = requestAnimationFrame(step)
      else ended.current()
    })
    return () => cancelAnimationFrame(frame)
  }, [text, locale, hosts])
  return models.map(model => (
    <A2uiSurface key={model.surfaceId} model={model} readOnly streaming {...drawn(hosts, model)} />
  ))
}

function Source({ title, children }: { title: string; children: () => string }): ReactNode {
  return (
    <Disclosure className="v-card w-gallery-source" summary={title}>
      {() => <PlainText text={children()} label={title} />}
    </Disclosure>
  )
}
