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
  UiSchema,
  useI18n,
} from '@vitrine/react'
import { useMemo, useRef, useState } from 'react'
import { CodeEditor, type CodeEditorHandle } from './code-editor.tsx'
import { useEditedTexts } from './edited-texts.ts'
import examples from './playground-examples.json' with { type: 'json' }
import { ShareButton } from './share-button.tsx'
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
const originals = new Map(examples.map(({ id, document }) => [id, written(document)]))
const originalOf = (id: string) => originals.get(id)

/** Hints on the left, the schema they compile to in the middle, the result on the right. Nothing is sent anywhere. */
export default function Playground() {
  const { t, locale: page, number } = useI18n()
  const asked = useMemo(() => new URLSearchParams(location.hash.slice(1)), [])
  const texts = useEditedTexts('playground', examples[0]!.id, originalOf)
  const { id, text } = texts
  const listed = [...examples, ...texts.linked.map(linked => ({ id: linked, title: t('playground.linked') }))]
  const [locale, setLocale] = useState(matchLocale([asked.get('locale') ?? page]))
  const [theme, setTheme] = useState<RendererTheme>(themeOf(asked.get('theme')))
  const [width, setWidth] = useState<Width>('full')
  const [only, setOnly] = useState(asked.has('only'))
  const [output, setOutput] = useState<Output>('schema')
  const [log, setLog] = useState<readonly { id: number; line: string }[]>([])
  const editor = useRef<CodeEditorHandle>(null)
  const { schema: compiled, findings } = useMemo(() => compileText(text, locale), [text, locale])
  // A text that cannot be read leaves the last picture of its own in sight.
  const last = useRef({ id, schema: compiled })
  if (compiled !== undefined || last.current.id !== id) last.current = { id, schema: compiled }
  const { schema } = last.current
  const shown = useMemo(() => alternative(schema, output, locale), [schema, output, locale])

  const note = (line: string) => setLog(before => [{ id: (before[0]?.id ?? 0) + 1, line }, ...before].slice(0, MAX_LOG))
  const tokens = (content: string) => t('playground.tokens', { count: estimateTokens(content) })
  const minified = useMemo(() => minify(text), [text])

  if (texts.waiting) return null
  return (
    <div className="w-playground" data-only={only || undefined}>
      <div className="w-play-bar">
        <Field label={t('playground.example')}>
          {control => (
            <Select
              {...control}
              options={listed.map(({ id, title }) => ({
                label: texts.edited.has(id) ? `${title} (${t('playground.edited')})` : title,
              }))}
              chosen={listed.findIndex(example => example.id === id)}
              onChoose={index => texts.choose(listed[index]!.id)}
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
          {texts.edited.has(id) && (
            <Button look="quiet" onClick={texts.reset}>
              {t('playground.reset')}
            </Button>
          )}
          <ShareButton link={texts.link} />
        </header>
        <CodeEditor
          ref={editor}
          label={t('playground.hints')}
          describedBy="play-problems"
          text={text}
          marks={findings}
          onChange={texts.change}
        />
        <div id="play-problems" className="w-play-problems" aria-live="polite">
          <p className="v-note">
            {findings.length === 0 ? t('playground.noProblems') : t('playground.problems', { count: findings.length })}
          </p>
          <ul>
            {findings.slice(0, 100).map((finding, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: findings may repeat.
              <li key={index} data-level={finding.level}>
                <Button look="quiet" onClick={() => editor.current?.goTo(finding)}>
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
          <span className="v-note" role="status">
            {compiled === undefined && schema !== undefined && t('playground.stale')}
          </span>
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
  const findings = [
    ...parsed.repeated.map(({ diagnostic: { level, message }, position }) => ({ level, message, ...position })),
    ...found.map(({ level, message, path }) => ({ level, message, ...locatePointer(text, path) })),
  ]
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
