import { drawsSomething, fieldsOf, type RendererTheme, readSchema, uiWordsFor } from '@vitrine/genui/schema'
import { type Json, jsonEqual } from '@vitrine/protocol'
import { useCallback, useContext, useMemo, useRef, useState } from 'react'
import { Boundary } from '../../boundary.tsx'
import { I18nProvider, matchLocale, useI18n } from '../../i18n/i18n.tsx'
import { NotShown } from '../../not-shown.tsx'
import { visible } from '../../visible.tsx'
import { CardState } from './card-state.ts'
import { Layout } from './node.tsx'
import { type Ui, UiContext, type UiHost, UiHostContext } from './ui-context.ts'

/** What `UiSchema` takes. */
export interface UiSchemaProps extends UiHost {
  /** A UI Schema document as it came: it is read tolerantly, whatever it is. */
  schema: unknown
  /** The reader's language; the page's when absent. */
  locale?: string
  /** Overrides the theme that the document asks for. */
  theme?: RendererTheme
  /** Shows the same without interaction. */
  readOnly?: boolean
  /** Keeps what was typed and pressed longer than the card is on the page. */
  state?: CardState
  /** Actions that were carried out since the card was drawn: what they have destroyed cannot be destroyed again. */
  done?: readonly { readonly action: object }[]
}

/** Draws a UI Schema document. The document is data: nothing in it runs, and each action is checked before it acts. */
export function UiSchema(props: UiSchemaProps) {
  const { locale: page } = useI18n()
  const wanted = props.locale ?? page
  const spoken = matchLocale([wanted])
  const card = <Card {...props} locale={wanted} />
  if (spoken === page) return card
  return (
    <I18nProvider locale={spoken} page={false}>
      {card}
    </I18nProvider>
  )
}

function Card(props: UiSchemaProps & { locale: string }) {
  const { schema, locale, theme, readOnly = false, state: kept, done } = props
  const host = useContext(UiHostContext)
  const onNavigate = props.onNavigate ?? host.onNavigate
  const onEvent = props.onEvent ?? host.onEvent
  const { onAction, runsTool } = props
  const [own] = useState(() => new CardState())
  const [said, announce] = useState('')
  const element = useRef<HTMLDivElement>(null)
  const read = useMemo(() => readSchema(schema, { locale }).schema, [schema, locale])
  const focusField = useCallback((name: string) => {
    const field = element.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`)
    const input = field?.matches('fieldset') ? field.querySelector<HTMLElement>('input') : field
    input?.focus()
  }, [])
  const send = useCallback(
    () => element.current?.querySelector<HTMLButtonElement>('button[data-submits]:not(:disabled)')?.click(),
    [],
  )
  const ui = useMemo(
    (): Ui => ({
      locale,
      words: uiWordsFor(locale),
      state: kept ?? own,
      fields: read ? fieldsOf(read.root) : [],
      readOnly,
      isDone: action => done?.some(one => jsonEqual(one.action as Json, action as Json)) ?? false,
      announce,
      focusField,
      send,
      ...(onNavigate && { onNavigate }),
      ...(onEvent && { onEvent }),
      ...(onAction && { onAction }),
      ...(runsTool && { runsTool }),
    }),
    [locale, kept, own, read, readOnly, done, focusField, send, onNavigate, onEvent, onAction, runsTool],
  )
  if (!read) return <NotShown raw={() => schema} />
  // An author may hide all of it, or have nothing to show yet.
  if (!drawsSomething(read.root)) return null
  const chosen = theme ?? read.theme
  return (
    <Boundary content={schema} fallback={() => <NotShown raw={() => schema} />}>
      <div ref={element} className="v-ui" lang={read.locale} data-theme={chosen === 'default' ? undefined : chosen}>
        <UiContext value={ui}>
          <Layout node={read.root} level={3} root />
        </UiContext>
        <div className="v-unseen" role="status">
          {visible(said)}
        </div>
      </div>
    </Boundary>
  )
}
