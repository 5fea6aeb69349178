import { locatePointer, readJsonText, type TextPosition, type UiDiagnostic } from '@vitrine/genui'
import { estimateTokens, hintsToSchema, inspectHints } from '@vitrine/genui/hints'
import { inspectSchema, type RendererTheme, readSchema, schemaToMarkdown, schemaToText } from '@vitrine/genui/schema'
import {
  Button,
  Checkbox,
  CopyButton,
  Field,
  locales,
  type MessageKey,
  matchLocale,
  RadioGroup,
  Select,
  TabList,
  TabPanel,
  TextArea,
  UiSchema,
  useI18n,
  useSetting,
} from '@vitrine/react'
import { useMemo, useRef, useState } from 'react'
import { goToPlace } from './go-to-place.ts'
import examples from './playground-examples.json' with { type: 'json' }
import './playground.css'

const MAX_LOG = 20
const widths = { full: undefined, medium: 720, narrow: 390 } as const
type Width = keyof typeof widths
const outputs = ['schema', 'text', 'markdown'] as const
type Output = (typeof outputs)[number]

interface Finding extends TextPosition {
  level: UiDiagnostic['level']
  message: string
}

interface Compiled {
  /** What is drawn; undefined while the text is not JSON. */
  schema: unknown
  findings: Finding[]
}

const written = (document: unknown): string => JSON.stringify(document, null, 2)

/** Hints on the left, the schema they compile to in the middle, the result on the right. Nothing is sent anywhere. */
export default function Playground() {
  const { t, locale: page, number } = useI18n()
  const asked = useMemo(() => new URLSearchParams(location.hash.slice(1)), [])
  const start = examples.find(({ id }) => id === asked.get('example'))
  const [kept, setText] = useSetting('vitrine.playground', written(examples[0]!.document))
  const [linked, setLinked] = useState(start && written(start.document))
  const text = linked ?? kept
  const [locale, setLocale] = useState(matchLocale([asked.get('locale') ?? page]))
  const [theme, setTheme] = useState<RendererTheme>(themeOf(asked.get('theme')))
  const [width, setWidth] = useState<Width>('full')
  const [only, setOnly] = useState(asked.has('only'))
  const [output, setOutput] = useState<Output>('schema')
  const [log, setLog] = useState<readonly { id: number; line: string }[]>([])
  const editor = useRef<HTMLTextAreaElement>(null)
  const { schema, findings } = useMemo(() => compileText(text, locale), [text, locale])
  const shown = useMemo(() => alternative(schema, output, locale), [schema, output, locale])

  const change = (next: string) => {
    setLinked(undefined)
    setText(next)
  }
  const note = (line: string) => setLog(before => [{ id: (before[0]?.id ?? 0) + 1, line }, ...before].slice(0, MAX_LOG))
  const goTo = (place: TextPosition) => goToPlace(editor.current, place)
  const tokens = (content: string) => t('playground.tokens', { count: estimateTokens(content) })
  const minified = useMemo(() => minify(text), [text])

  return (
    <div className="w-playground" data-only={only || undefined}>
      <div className="w-play-bar">
        <Field label={t('playground.example')}>
          {control => (
            <Select
              {...control}
              options={examples.map(({ title }) => ({ label: title }))}
              chosen={examples.findIndex(({ document }) => written(document) === text)}
              empty={t('playground.edited')}
              onChoose={index => change(written(examples[index]!.document))}
            />
          )}
        </Field>
        <RadioGroup
          look="segments"
          label={t('playground.locale')}
          value={locale}
          onChange={setLocale}
          options={Object.entries(locales).map(([value, { name }]) => ({ value, label: name }))}
        />
        <RadioGroup
          look="segments"
          label={t('playground.theme')}
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'default', label: t('playground.themeDefault') },
            { value: 'light', label: t('theme.light') },
            { value: 'dark', label: t('theme.dark') },
          ]}
        />
        <RadioGroup
          look="segments"
          label={t('playground.width')}
          value={width}
          onChange={setWidth}
          options={[
            { value: 'full', label: t('playground.full') },
            { value: 'medium', label: '720' },
            { value: 'narrow', label: '390' },
          ]}
        />
        <Checkbox label={t('playground.only')} checked={only} onCheck={setOnly} />
      </div>

      <section className="w-play-pane" aria-labelledby="play-hints">
        <header>
          <h2 id="play-hints">{t('playground.hints')}</h2>
          <span className="v-note">{tokens(minified)}</span>
        </header>
        <TextArea
          ref={editor}
          code
          className="w-play-editor"
          aria-label={t('playground.hints')}
          aria-describedby="play-problems"
          value={text}
          onChange={event => change(event.target.value)}
        />
        <div id="play-problems" className="w-play-problems" aria-live="polite">
          <p className="v-note">
            {findings.length === 0 ? t('playground.noProblems') : t('playground.problems', { count: findings.length })}
          </p>
          <ul>
            {findings.slice(0, 100).map((finding, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: findings may repeat.
              <li key={index} data-level={finding.level}>
                <Button look="quiet" onClick={() => goTo(finding)}>
                  <span className="w-play-place">
                    <span aria-hidden>
                      {number(finding.line)}:{number(finding.column)}
                    </span>
                    <span className="v-unseen">
                      {t('playground.place', { line: finding.line, column: finding.column })}
                    </span>
                  </span>
                  <span>
                    <strong>{t(`playground.level.${finding.level}`)}</strong> {finding.message}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      </section>

      <section className="w-play-pane" aria-label={t('playground.schema')}>
        <header>
          <TabList
            id="play-output"
            label={t('playground.schema')}
            titles={outputs.map(name => t(`playground.${name}` satisfies MessageKey))}
            active={outputs.indexOf(output)}
            onChoose={index => setOutput(outputs[index]!)}
          />
          <span className="v-note">{tokens(output === 'schema' ? minify(shown) : shown)}</span>
          <CopyButton text={() => shown} />
        </header>
        <TabPanel id="play-output" active={outputs.indexOf(output)} className="w-play-output">
          <pre>{shown}</pre>
        </TabPanel>
      </section>

      <section className="w-play-pane w-play-result" aria-labelledby="play-result">
        <header>
          <h2 id="play-result">{t('playground.result')}</h2>
        </header>
        <div className="w-play-stage">
          <div className="w-play-card" style={{ maxInlineSize: widths[width] }}>
            {schema !== undefined && (
              <UiSchema
                schema={schema}
                locale={locale}
                {...(theme !== 'default' && { theme })}
                onEvent={(event, payload, values) => {
                  note(`event ${event} ${JSON.stringify({ payload, values })}`)
                  return true
                }}
                onAction={async ({ action, values }) => {
                  note(`${JSON.stringify(action)}${values ? ` ${JSON.stringify(values)}` : ''}`)
                  return { ok: true, value: null }
                }}
              />
            )}
          </div>
        </div>
        <div className="w-play-log">
          <h3>{t('playground.log')}</h3>
          {log.length === 0 ? (
            <p className="v-note">{t('playground.logEmpty')}</p>
          ) : (
            <ol>
              {log.map(({ id, line }) => (
                <li key={id}>
                  <code>{line}</code>
                </li>
              ))}
            </ol>
          )}
        </div>
      </section>
    </div>
  )
}

const themeOf = (wish: string | null): RendererTheme => (wish === 'light' || wish === 'dark' ? wish : 'default')

/** A document with a root is a schema and is shown as it is; everything else is taken as hints. */
function compileText(text: string, locale: string): Compiled {
  const parsed = readJsonText(text)
  if (!parsed.ok)
    return { schema: undefined, findings: [{ level: 'error', message: parsed.message, ...parsed.position }] }
  const { value } = parsed
  const isSchema = typeof value === 'object' && value !== null && 'root' in value
  const found = isSchema ? inspectSchema(value) : inspectHints(value)
  const findings = found.map(({ level, message, path }) => ({
    level,
    message,
    ...locatePointer(text, path),
  }))
  return {
    schema: isSchema ? value : hintsToSchema(value, { locale }),
    findings: findings.sort((a, b) => a.line - b.line || a.column - b.column),
  }
}

function alternative(schema: unknown, output: Output, locale: string): string {
  if (schema === undefined) return ''
  if (output === 'schema') return written(schema)
  const read = readSchema(schema, { locale }).schema
  if (!read) return ''
  return output === 'text' ? schemaToText(read, { locale }) : schemaToMarkdown(read, { locale })
}

/** What an agent would write: without spaces. */
function minify(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
