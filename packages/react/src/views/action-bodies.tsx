import type { Action, Json, Problem } from '@vitrine/protocol'
import { type ReactNode, type Ref, type RefCallback, useCallback, useId, useMemo, useRef, useState } from 'react'
import { useDraft } from '../drafts.ts'
import { type FieldErrors, fieldsOf, type Inputs, readForm } from '../form/schema-fields.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Choices } from '../kit/choices.tsx'
import { Field } from '../kit/field.tsx'
import { JsonText } from '../kit/plain-text.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { parseJson } from '../parse-json.ts'
import { isSecret } from '../secrets.ts'
import { visible } from '../visible.tsx'
import type { Respond } from './action-card.tsx'

interface Props {
  action: Action
  /** Where what is typed here is kept until it is answered. */
  place: string
  respond: Respond
  sending: boolean
  problem: Problem | null
}

function Deny({ respond, sending, label }: { respond: Respond; sending: boolean; label?: string }) {
  const { t } = useI18n()
  return (
    <Button data-safe disabled={sending} onClick={() => respond('deny')}>
      {label ?? t('request.deny')}
    </Button>
  )
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

function useOpened(place: string, name: string, storable?: (text: string | null) => string | undefined): Opened {
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

interface OpenerProps {
  editor: Opened
  /** What the editor holds at first. */
  text: string
  sending: boolean
  children: ReactNode
}

function OpenEditor({ editor, text, sending, children }: OpenerProps) {
  return (
    <Button ref={editor.opener} look="quiet" disabled={sending} onClick={() => editor.open(text)}>
      {children}
    </Button>
  )
}

function CloseEditor({ editor, children }: { editor: Opened; children: ReactNode }) {
  return (
    <Button look="quiet" onClick={editor.close}>
      {children}
    </Button>
  )
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
const storableArgs = (text: string | null) => (text === null || isSecret(text) ? undefined : text)

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

/** Once, for a scope, deny, or with other arguments. The safe choice comes first and has the focus. */
export function ApprovalBody({ action, place, respond, sending }: Props) {
  const { t } = useI18n()
  const { args, scope } = action.request
  const editor = useOpened(place, 'args', storableArgs)
  const { rejected, read } = useValue(true)
  const edited = editor.text
  if (edited !== null) {
    const approve = () => read(edited, value => respond('approve', value))
    return (
      <>
        <ValueEditor
          label={t('request.editArgs')}
          text={edited}
          json
          rejected={rejected}
          editor={editor.control}
          onChange={editor.change}
        />
        <div className="v-actions">
          <Deny respond={respond} sending={sending} />
          <Button look="primary" disabled={sending} onClick={approve}>
            {t('request.approveEdited')}
          </Button>
          <CloseEditor editor={editor}>{t('request.keepArgs')}</CloseEditor>
        </div>
      </>
    )
  }
  return (
    <>
      {args !== undefined && <JsonText value={args} label={t('request.args')} />}
      <div className="v-actions">
        <Deny respond={respond} sending={sending} />
        <Button look="primary" disabled={sending} onClick={() => respond('approve')}>
          {t('request.approveOnce')}
        </Button>
        {scope && (
          <Button disabled={sending} onClick={() => respond('approve-for-scope')}>
            {t('request.approveScope')}
          </Button>
        )}
        {args !== undefined && (
          <OpenEditor editor={editor} text={JSON.stringify(args, null, 2)} sending={sending}>
            {t('request.edit')}
          </OpenEditor>
        )}
      </div>
    </>
  )
}

const NONE: readonly string[] = []

export function ChoiceBody({ action, place, respond, sending }: Props) {
  const { t } = useI18n()
  const { options = [], multiple = false, title } = action.request
  const [picked, setPicked] = useDraft(place, 'choice', NONE)
  const pick = (value: string) => {
    if (!multiple) setPicked([value])
    else setPicked(picked.includes(value) ? picked.filter(other => other !== value) : [...picked, value])
  }
  return (
    <>
      <Field group label={visible(title)} labelHidden disabled={sending} data-safe>
        {() => (
          <Choices
            look="cards"
            multiple={multiple}
            choices={options.map(({ label, detail }) => ({
              label: visible(label),
              ...(detail && { detail: visible(detail) }),
            }))}
            chosen={options.flatMap(({ value }, index) => (picked.includes(value) ? [index] : []))}
            onChoose={index => pick(options[index]!.value)}
          />
        )}
      </Field>
      <div className="v-actions">
        <Button
          look="primary"
          disabled={sending || picked.length === 0}
          onClick={() => respond('answer', multiple ? [...picked] : picked[0]!)}
        >
          {t('request.choose')}
        </Button>
        <Decline respond={respond} sending={sending} />
      </div>
    </>
  )
}

function Decline({ respond, sending }: { respond: Respond; sending: boolean }) {
  const { t } = useI18n()
  return (
    <Button look="quiet" disabled={sending} onClick={() => respond('deny')}>
      {t('request.decline')}
    </Button>
  )
}

const EMPTY: Inputs = {}

export function FormBody({ action, place, respond, sending, problem }: Props) {
  const { t } = useI18n()
  const { schema, args, kind } = action.request
  const fields = useMemo(() => fieldsOf(schema ?? {}, args), [schema, args])
  const storable = useCallback(
    (typed: Inputs) => {
      const open = fields.filter(({ name, label, format }) => format !== 'password' && !isSecret(`${name} ${label}`))
      return Object.fromEntries(open.flatMap(({ name }) => (Object.hasOwn(typed, name) ? [[name, typed[name]!]] : [])))
    },
    [fields],
  )
  const [inputs, setInputs] = useDraft(place, 'form', EMPTY, storable)
  const [errors, setErrors] = useState<FieldErrors>(new Map())
  const form = useId()
  const submit = () => {
    const read = readForm(fields, inputs)
    setErrors(read.errors)
    const first = fields.findIndex(field => read.errors.has(field.name))
    if (first < 0) return respond('answer', read.value)
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
      <SchemaForm fields={fields} inputs={inputs} errors={shown} disabled={sending} onChange={setInputs} />
      <div className="v-actions">
        <Button type="submit" look="primary" disabled={sending}>
          {t(kind === 'correction' ? 'request.sendCorrection' : 'request.submit')}
        </Button>
        <Decline respond={respond} sending={sending} />
      </div>
    </form>
  )
}

/** Steps can be left out; saying what should change is a no with a reason, never a silent yes. */
export function PlanBody({ action, place, respond, sending }: Props) {
  const { t } = useI18n()
  const { plan = [] } = action.request
  const [left, setLeft] = useDraft(place, 'left', NONE)
  const editor = useOpened(place, 'changes')
  const changes = editor.text
  const steps = plan.filter(step => !left.includes(step.id)).map(step => step.id)
  const toggle = (step: string) => setLeft(left.includes(step) ? left.filter(other => other !== step) : [...left, step])
  const accept = () => (left.length ? respond('approve', { steps }) : respond('approve'))
  return (
    <>
      <Field group label={t('request.planSteps')} labelHidden disabled={sending}>
        {() => (
          <Choices
            look="cards"
            multiple
            choices={plan.map(({ title, detail }, index) => ({
              label: (
                <>
                  {index + 1}. {visible(title)}
                </>
              ),
              ...(detail && { detail: visible(detail) }),
            }))}
            chosen={plan.flatMap(({ id }, index) => (left.includes(id) ? [] : [index]))}
            onChoose={index => toggle(plan[index]!.id)}
          />
        )}
      </Field>
      {changes !== null && (
        <Field label={t('request.planChanges')}>
          {control => (
            <TextArea
              {...control}
              ref={editor.control}
              rows={3}
              value={changes}
              onChange={event => editor.change(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="v-actions">
        {changes === null ? (
          <>
            <Deny respond={respond} sending={sending} label={t('request.planReject')} />
            <Button look="primary" disabled={sending || !steps.length} onClick={accept}>
              {left.length ? t('request.planAcceptSome', { count: steps.length }) : t('request.planAccept')}
            </Button>
            <OpenEditor editor={editor} text="" sending={sending}>
              {t('request.planChange')}
            </OpenEditor>
          </>
        ) : (
          <>
            <Button look="primary" disabled={sending || !changes.trim()} onClick={() => respond('deny', changes)}>
              {t('request.planSend')}
            </Button>
            <CloseEditor editor={editor}>{t('action.cancel')}</CloseEditor>
          </>
        )}
      </div>
    </>
  )
}

/** A text or a value that the agent got wrong: it comes filled in, to be put right. */
export function CorrectionBody(props: Props) {
  return props.action.request.schema ? <FormBody {...props} /> : <TextCorrection {...props} />
}

function TextCorrection({ action, place, respond, sending }: Props) {
  const { t } = useI18n()
  const { args } = action.request
  const json = typeof args !== 'string' && args !== undefined
  const initial = json ? JSON.stringify(args, null, 2) : ((args as string | undefined) ?? '')
  const [text, setText] = useDraft(place, 'correction', initial)
  const { rejected, read } = useValue(json)
  const send = () => read(text, value => respond('answer', value))
  return (
    <>
      <ValueEditor label={t('request.correct')} text={text} json={json} rejected={rejected} onChange={setText} />
      <div className="v-actions">
        <Button look="primary" disabled={sending} onClick={send}>
          {t('request.sendCorrection')}
        </Button>
        <Decline respond={respond} sending={sending} />
      </div>
    </>
  )
}

export function QuestionBody(props: Props) {
  const { action, place, respond, sending } = props
  const { t } = useI18n()
  const [text, setText] = useDraft(place, 'question', '')
  if (action.request.options?.length) return <ChoiceBody {...props} />
  if (action.request.schema) return <FormBody {...props} />
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (text.trim()) respond('answer', text)
      }}
    >
      <Field label={t('form.answer')}>
        {control => <TextArea {...control} rows={2} value={text} onChange={event => setText(event.target.value)} />}
      </Field>
      <div className="v-actions">
        <Button type="submit" look="primary" disabled={sending || !text.trim()}>
          {t('request.answer')}
        </Button>
        <Decline respond={respond} sending={sending} />
      </div>
    </form>
  )
}
