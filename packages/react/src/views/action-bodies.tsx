import type { Action, Json, Problem } from '@vitrine/protocol'
import { type ReactNode, type Ref, type RefCallback, useCallback, useId, useMemo, useRef, useState } from 'react'
import { useDraft } from '../drafts.ts'
import {
  type FieldErrors,
  type FormField,
  fieldsOf,
  type Inputs,
  inputOf,
  readField,
  readForm,
} from '../form/schema-fields.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Choices } from '../kit/choices.tsx'
import { Disclosure } from '../kit/disclosure.tsx'
import { Field } from '../kit/field.tsx'
import { MessageSquare, Pencil } from '../kit/icons.ts'
import { Keys, Shortcut } from '../kit/keys.tsx'
import { JsonText } from '../kit/plain-text.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { TextInput } from '../kit/text-input.tsx'
import { namesSecret } from '../mask-secrets.ts'
import { parseJson } from '../parse-json.ts'
import { visible, visibleText } from '../visible.tsx'
import type { Respond } from './action-card.tsx'
import { FileChanges } from './file-changes.tsx'
import { viewKeys } from './keys-help.tsx'

export interface RequestBodyProps {
  action: Action
  /** Where what is typed here is kept until it is answered. */
  place: string
  respond: Respond
  sending: boolean
  problem: Problem | null
  /** Called when something in the body has moved what stands below it: a press that was on its way does not count. */
  onMoved: () => void
  /** Goes to where words can be written instead, when they cannot be written right below. */
  onSayInstead: (() => void) | undefined
}

/** The footer of a card: what can be done, the safe choice first. */
export function RequestFoot({ children }: { children: ReactNode }) {
  return <footer className="v-request-foot">{children}</footer>
}

/** An editor that is closed at first. A button opens it, and another one closes it. */
interface Opened {
  /** What is written in it; null while it is closed. */
  text: string | null
  change: (text: string) => void
  open: (text: string) => void
  close: () => void
  /** Where the focus goes when it opens: to the control that is written in. */
  control: RefCallback<HTMLElement>
  /** Where the focus goes when it closes: to the button that opens it. */
  opener: RefCallback<HTMLElement>
}

export function useOpened(place: string, name: string, storable?: (text: string | null) => string | undefined): Opened {
  const [text, setText] = useDraft<string | null>(place, name, null, storable)
  const wanted = useRef<'control' | 'opener' | null>(null)
  const focusAt = (here: 'control' | 'opener') => (element: HTMLElement | null) => {
    if (!element || wanted.current !== here) return
    wanted.current = null
    element.focus()
  }
  const show = (next: string | null) => {
    wanted.current = next === null ? 'opener' : 'control'
    setText(next)
  }
  return {
    text,
    change: setText,
    open: show,
    close: () => show(null),
    control: focusAt('control'),
    opener: focusAt('opener'),
  }
}

/**
 * What is sent of a text. One that has to be JSON and is none is not sent: the editor says so until the text changes.
 */
function useValue(json: boolean) {
  const [rejected, setRejected] = useState<string | null>(null)
  const read = (text: string, send: (value: Json) => void) => {
    const value = json ? parseJson(text) : text
    if (value === undefined) setRejected(text)
    else send(value)
  }
  return { rejected, read }
}

/** Arguments that name a secret are not stored with it. */
const storableArgs = (text: string | null) => (text === null || namesSecret(text) ? undefined : text)

interface EditorProps {
  label: string
  text: string
  /** What is typed must be JSON. */
  json: boolean
  /** The text that was no JSON when it was to be sent. */
  rejected: string | null
  editor?: Ref<HTMLTextAreaElement>
  onChange: (text: string) => void
}

/** A value as text, to be changed or put right. */
function ValueEditor({ label, text, json, rejected, editor, onChange }: EditorProps) {
  const { t } = useI18n()
  return (
    <Field label={label} error={rejected === text && t('form.json')}>
      {control => (
        <TextArea
          {...control}
          ref={editor}
          code={json}
          rows={Math.min(14, text.split('\n').length + 1)}
          value={text}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Not, once, always for what the scope covers, or with other arguments. High risk asks for a typed word first. */
export function ApprovalBody({ action, place, respond, sending, onMoved, onSayInstead }: RequestBodyProps) {
  const { t } = useI18n()
  const bounds = useId()
  const { args, scope, risk, changes, moreChanges = 0 } = action.request
  const editor = useOpened(place, 'args', storableArgs)
  const [typed, setTyped] = useState('')
  const { rejected, read } = useValue(true)
  const edited = editor.text
  const sure = risk !== 'high' || isWord(typed, t('request.word'))
  const allow = () => {
    if (edited === null) respond({ decision: 'approve' })
    else read(edited, value => respond({ decision: 'approve', value }))
  }
  const details = args !== undefined && <JsonText value={args} label={t('request.args')} />
  return (
    <>
      {changes && <FileChanges id={action.key} changes={changes} more={moreChanges} onDrawn={onMoved} />}
      <div className="v-request-body">
        {edited !== null ? (
          <ValueEditor
            label={t('request.editArgs')}
            text={edited}
            json
            rejected={rejected}
            editor={editor.control}
            onChange={editor.change}
          />
        ) : (
          // The files say what would be done; the arguments behind it are there for who wants them.
          details && (changes ? <Disclosure summary={t('request.args')}>{() => details}</Disclosure> : details)
        )}
        {risk === 'high' && (
          <Field label={t('request.typeWord', { word: t('request.word') })}>
            {control => (
              <TextInput
                {...control}
                value={typed}
                autoComplete="off"
                spellCheck={false}
                onChange={event => setTyped(event.target.value)}
              />
            )}
          </Field>
        )}
      </div>
      <RequestFoot>
        <Button data-safe disabled={sending} onClick={() => respond({ decision: 'deny' })}>
          {t('request.deny')}
        </Button>
        <Button
          data-main
          look={risk === 'high' ? 'plain' : 'primary'}
          danger={risk === 'high'}
          disabled={sending || !sure}
          onClick={allow}
        >
          {t(edited === null ? 'request.allowOnce' : 'request.allowEdited')}
        </Button>
        {scope && edited === null && (
          <Button
            className="v-request-always"
            aria-describedby={bounds}
            disabled={sending || !sure}
            onClick={() => respond({ decision: 'approve-for-scope' })}
          >
            {t('request.allowAlways')}
          </Button>
        )}
        {onSayInstead && edited === null && (
          <Button look="quiet" className="v-request-instead" icon={MessageSquare} onClick={onSayInstead}>
            {t('request.sayInstead')}
          </Button>
        )}
        {edited !== null ? (
          <Button look="quiet" className="v-request-last" onClick={editor.close}>
            {t('request.keepArgs')}
          </Button>
        ) : (
          args !== undefined && (
            <Button
              ref={editor.opener}
              look="quiet"
              className="v-request-last"
              icon={Pencil}
              disabled={sending}
              onClick={() => editor.open(JSON.stringify(args, null, 2))}
            >
              {t('request.edit')}
            </Button>
          )
        )}
        {scope && edited === null && (
          <p id={bounds} className="v-request-bounds">
            {t('request.scope', { scope: visibleText(scope.label) })}
          </p>
        )}
      </RequestFoot>
    </>
  )
}

/** Whether somebody has typed the word: its case, and spaces around it, do not matter. */
const isWord = (typed: string, word: string): boolean => typed.trim().toLocaleLowerCase() === word.toLocaleLowerCase()

const NONE: readonly string[] = []

export function ChoiceBody({ action, place, respond, sending }: RequestBodyProps) {
  const { t } = useI18n()
  const { options = [], multiple = false, title } = action.request
  const [picked, setPicked] = useDraft(place, 'choice', NONE)
  const pick = (value: string) => {
    if (!multiple) setPicked([value])
    else setPicked(picked.includes(value) ? picked.filter(other => other !== value) : [...picked, value])
  }
  const label = options.find(({ value }) => value === picked[0])?.label
  return (
    <>
      <div className="v-request-body">
        <Field group label={visible(title)} labelHidden disabled={sending} data-safe>
          {() => (
            <Choices
              look="cards"
              multiple={multiple}
              choices={options.map(option => ({
                label: visible(option.label),
                ...(option.detail && { detail: visible(option.detail) }),
              }))}
              chosen={options.flatMap(({ value }, index) => (picked.includes(value) ? [index] : []))}
              onChoose={index => pick(options[index]!.value)}
            />
          )}
        </Field>
      </div>
      <RequestFoot>
        <Button
          data-main
          look="primary"
          disabled={sending || picked.length === 0}
          onClick={() => respond({ decision: 'answer', value: multiple ? [...picked] : picked[0]! })}
        >
          {label !== undefined && picked.length === 1
            ? t('request.chooseThis', { label: short(visibleText(label)) })
            : t('request.choose')}
        </Button>
        <Skip respond={respond} sending={sending} />
        {options.length > 1 && options.length < 10 && (
          <span className="v-request-keys" aria-hidden>
            <Keys of={['1']} /> {t('request.to')} <Keys of={[String(options.length)]} />
          </span>
        )}
      </RequestFoot>
    </>
  )
}

/** A label that fits into a button. */
const short = (label: string): string => (label.length > 32 ? `${label.slice(0, 31).toWellFormed().trimEnd()}…` : label)

function Skip({ respond, sending, later }: { respond: Respond; sending: boolean; later?: boolean }) {
  const { t } = useI18n()
  return (
    <Button look="quiet" disabled={sending} onClick={() => respond({ decision: 'deny' })}>
      {t(later ? 'request.notNow' : 'request.skip')}
    </Button>
  )
}

const EMPTY: Inputs = {}

export function FormBody({ action, place, respond, sending, problem }: RequestBodyProps) {
  const { t } = useI18n()
  const { schema, args, kind } = action.request
  const fields = useMemo(() => fieldsOf(schema ?? {}, args), [schema, args])
  const storable = useCallback(
    (typed: Inputs) => {
      const open = fields.filter(({ name, label, hidden }) => !hidden && !namesSecret(`${name} ${label}`))
      return Object.fromEntries(open.flatMap(({ name }) => (Object.hasOwn(typed, name) ? [[name, typed[name]!]] : [])))
    },
    [fields],
  )
  const [inputs, setInputs] = useDraft(place, 'form', EMPTY, storable)
  const [errors, setErrors] = useState<FieldErrors>(new Map())
  const form = useId()
  // What is wrong with a field is said when the person leaves it, if they wrote something.
  const leave = (field: FormField) => {
    if (!Object.hasOwn(inputs, field.name)) return
    const { error } = readField(field, inputOf(field, inputs))
    const next = new Map(errors)
    if (error) next.set(field.name, error)
    else next.delete(field.name)
    setErrors(next)
  }
  const submit = () => {
    const read = readForm(fields, inputs)
    setErrors(read.errors)
    const first = fields.findIndex(field => read.errors.has(field.name))
    if (first < 0) return respond({ decision: 'answer', value: read.value })
    const controls = document.getElementById(form)?.querySelectorAll<HTMLElement>('.v-field')
    controls?.[first]?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }
  // The server may refuse a field that the browser accepts; its error is shown at that field.
  const pointed = problem?.path && fields.find(field => problem.path!.endsWith(`/${field.name}`))
  const shown = new Map(errors)
  if (pointed) shown.set(pointed.name, { key: 'form.refused', vars: { reason: problemWords(t, problem) } })
  return (
    <form
      id={form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="v-request-body" data-safe>
        <SchemaForm
          fields={fields}
          inputs={inputs}
          errors={shown}
          disabled={sending}
          onChange={setInputs}
          onLeave={leave}
        />
      </div>
      <RequestFoot>
        <Button data-main type="submit" look="primary" disabled={sending}>
          {t(kind === 'correction' ? 'request.sendCorrection' : 'request.submit')}
        </Button>
        <Skip respond={respond} sending={sending} later />
      </RequestFoot>
    </form>
  )
}

/** A text or a value that the agent got wrong: it comes filled in, to be put right. */
export function CorrectionBody(props: RequestBodyProps) {
  return props.action.request.schema ? <FormBody {...props} /> : <TextCorrection {...props} />
}

function TextCorrection({ action, place, respond, sending }: RequestBodyProps) {
  const { t } = useI18n()
  const { args } = action.request
  const json = typeof args !== 'string' && args !== undefined
  const initial = json ? JSON.stringify(args, null, 2) : ((args as string | undefined) ?? '')
  const [text, setText] = useDraft(place, 'correction', initial)
  const { rejected, read } = useValue(json)
  const send = () => read(text, value => respond({ decision: 'answer', value }))
  return (
    <>
      <div className="v-request-body" data-safe>
        <ValueEditor label={t('request.correct')} text={text} json={json} rejected={rejected} onChange={setText} />
      </div>
      <RequestFoot>
        <Button data-main look="primary" disabled={sending} onClick={send}>
          {t('request.sendCorrection')}
        </Button>
        <Skip respond={respond} sending={sending} later />
      </RequestFoot>
    </>
  )
}

export function QuestionBody(props: RequestBodyProps) {
  const { action, place, respond, sending } = props
  const { t } = useI18n()
  const [text, setText] = useDraft(place, 'question', '')
  if (action.request.options?.length) return <ChoiceBody {...props} />
  if (action.request.schema) return <FormBody {...props} />
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (text.trim()) respond({ decision: 'answer', value: text })
      }}
    >
      <div className="v-request-body" data-safe>
        <Field label={t('form.answer')} labelHidden>
          {control => <TextArea {...control} rows={2} value={text} onChange={event => setText(event.target.value)} />}
        </Field>
      </div>
      <RequestFoot>
        <Button data-main type="submit" look="primary" disabled={sending || !text.trim()}>
          {t('request.answer')}
        </Button>
        <Skip respond={respond} sending={sending} />
        <span className="v-request-keys" aria-hidden>
          <Shortcut keys={viewKeys.submit} />
        </span>
      </RequestFoot>
    </form>
  )
}
