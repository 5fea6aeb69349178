import type { Action, Json, Problem } from '@vitrine/protocol'
import { useCallback, useId, useMemo, useRef, useState } from 'react'
import { type FieldErrors, fieldsOf, type Inputs, readForm } from '../form/schema-fields.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Json as JsonView } from '../json-view.tsx'
import { visible } from '../visible.tsx'
import type { Respond } from './request-card.tsx'
import { isSecret, useTyped } from './typed.ts'

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
    <button type="button" className="v-button" data-safe disabled={sending} onClick={() => respond('deny')}>
      {label ?? t('request.deny')}
    </button>
  )
}

/** Focus for a control that a press is about to show: whoever opens an editor wants to write in it. */
function useFocusNext() {
  const wanted = useRef<string | null>(null)
  return {
    next: (name: string) => {
      wanted.current = name
    },
    at: (name: string) => (control: HTMLElement | null) => {
      if (!control || wanted.current !== name) return
      wanted.current = null
      control.focus()
    },
  }
}

/** Arguments that name a secret are not stored with it. */
const storableArgs = (text: string | null) => (text === null || isSecret(text) ? undefined : text)

/** Once, for a scope, deny, or with other arguments. The safe choice comes first and has the focus. */
export function ApprovalBody({ action, place, respond, sending }: Props) {
  const { t } = useI18n()
  const { args, scope } = action.request
  const [edited, setEdited] = useTyped<string | null>(place, 'args', null, storableArgs)
  const [invalid, setInvalid] = useState(false)
  const focus = useFocusNext()
  const id = useId()
  if (edited !== null) {
    const approve = () => {
      try {
        respond('approve', JSON.parse(edited) as Json)
      } catch {
        setInvalid(true)
      }
    }
    return (
      <>
        <label className="v-field-label" htmlFor={id}>
          {t('request.editArgs')}
        </label>
        <textarea
          ref={focus.at('editor')}
          id={id}
          className="v-input v-mono"
          rows={Math.min(14, edited.split('\n').length + 1)}
          spellCheck={false}
          value={edited}
          aria-invalid={invalid || undefined}
          aria-describedby={invalid ? `${id}-error` : undefined}
          onChange={event => {
            setEdited(event.target.value)
            setInvalid(false)
          }}
        />
        {invalid && (
          <p id={`${id}-error`} className="v-field-error">
            {t('form.json')}
          </p>
        )}
        <div className="v-actions">
          <Deny respond={respond} sending={sending} />
          <button type="button" className="v-button v-primary" disabled={sending} onClick={approve}>
            {t('request.approveEdited')}
          </button>
          <button
            type="button"
            className="v-button v-quiet"
            onClick={() => {
              focus.next('edit')
              setEdited(null)
            }}
          >
            {t('request.keepArgs')}
          </button>
        </div>
      </>
    )
  }
  return (
    <>
      {args !== undefined && <JsonView value={args} label={t('request.args')} />}
      <div className="v-actions">
        <Deny respond={respond} sending={sending} />
        <button type="button" className="v-button v-primary" disabled={sending} onClick={() => respond('approve')}>
          {t('request.approveOnce')}
        </button>
        {scope && (
          <button type="button" className="v-button" disabled={sending} onClick={() => respond('approve-for-scope')}>
            {t('request.approveScope')}
          </button>
        )}
        {args !== undefined && (
          <button
            ref={focus.at('edit')}
            type="button"
            className="v-button v-quiet"
            disabled={sending}
            onClick={() => {
              focus.next('editor')
              setEdited(JSON.stringify(args, null, 2))
            }}
          >
            {t('request.edit')}
          </button>
        )}
      </div>
    </>
  )
}

const NONE: readonly string[] = []

export function ChoiceBody({ action, place, respond, sending }: Props) {
  const { t } = useI18n()
  const { options = [], multiple = false } = action.request
  const [picked, setPicked] = useTyped(place, 'choice', NONE)
  const name = useId()
  const pick = (value: string) => {
    if (!multiple) setPicked([value])
    else setPicked(picked.includes(value) ? picked.filter(other => other !== value) : [...picked, value])
  }
  return (
    <>
      <fieldset className="v-options" disabled={sending}>
        <legend className="v-unseen">{visible(action.request.title)}</legend>
        {options.map((option, index) => (
          <label key={option.value} className="v-option">
            <input
              type={multiple ? 'checkbox' : 'radio'}
              name={name}
              data-safe={index === 0 || undefined}
              checked={picked.includes(option.value)}
              onChange={() => pick(option.value)}
            />
            <span>
              <span className="v-option-label">{visible(option.label)}</span>
              {option.detail && <span className="v-option-detail">{visible(option.detail)}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      <div className="v-actions">
        <button
          type="button"
          className="v-button v-primary"
          disabled={sending || picked.length === 0}
          onClick={() => respond('answer', multiple ? [...picked] : picked[0]!)}
        >
          {t('request.choose')}
        </button>
        <Decline respond={respond} sending={sending} />
      </div>
    </>
  )
}

function Decline({ respond, sending }: { respond: Respond; sending: boolean }) {
  const { t } = useI18n()
  return (
    <button type="button" className="v-button v-quiet" disabled={sending} onClick={() => respond('deny')}>
      {t('request.decline')}
    </button>
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
  const [inputs, setInputs] = useTyped(place, 'form', EMPTY, storable)
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
  // The owner checks more than we do; what it points at is shown where it is.
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
        <button type="submit" className="v-button v-primary" disabled={sending}>
          {t(kind === 'correction' ? 'request.sendCorrection' : 'request.submit')}
        </button>
        <Decline respond={respond} sending={sending} />
      </div>
    </form>
  )
}

/** Steps can be left out; saying what should change is a no with a reason, never a silent yes. */
export function PlanBody({ action, place, respond, sending }: Props) {
  const { t } = useI18n()
  const { plan = [] } = action.request
  const [left, setLeft] = useTyped(place, 'left', NONE)
  const [changes, setChanges] = useTyped<string | null>(place, 'changes', null)
  const focus = useFocusNext()
  const id = useId()
  const steps = plan.filter(step => !left.includes(step.id)).map(step => step.id)
  const toggle = (step: string) => setLeft(left.includes(step) ? left.filter(other => other !== step) : [...left, step])
  const accept = () => (left.length ? respond('approve', { steps }) : respond('approve'))
  return (
    <>
      <fieldset className="v-options" disabled={sending}>
        <legend className="v-unseen">{t('request.planSteps')}</legend>
        {plan.map((step, index) => (
          <label key={step.id} className="v-option">
            <input type="checkbox" checked={!left.includes(step.id)} onChange={() => toggle(step.id)} />
            <span>
              <span className="v-option-label">
                {index + 1}. {visible(step.title)}
              </span>
              {step.detail && <span className="v-option-detail">{visible(step.detail)}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {changes !== null && (
        <div className="v-field">
          <label className="v-field-label" htmlFor={id}>
            {t('request.planChanges')}
          </label>
          <textarea
            ref={focus.at('editor')}
            id={id}
            className="v-input"
            rows={3}
            value={changes}
            onChange={event => setChanges(event.target.value)}
          />
        </div>
      )}
      <div className="v-actions">
        {changes === null ? (
          <>
            <Deny respond={respond} sending={sending} label={t('request.planReject')} />
            <button type="button" className="v-button v-primary" disabled={sending || !steps.length} onClick={accept}>
              {left.length ? t('request.planAcceptSome', { count: steps.length }) : t('request.planAccept')}
            </button>
            <button
              ref={focus.at('edit')}
              type="button"
              className="v-button v-quiet"
              disabled={sending}
              onClick={() => {
                focus.next('editor')
                setChanges('')
              }}
            >
              {t('request.planChange')}
            </button>
          </>
        ) : (
          <>
            <button
              type="button"
              className="v-button v-primary"
              disabled={sending || !changes.trim()}
              onClick={() => respond('deny', changes)}
            >
              {t('request.planSend')}
            </button>
            <button
              type="button"
              className="v-button v-quiet"
              onClick={() => {
                focus.next('edit')
                setChanges(null)
              }}
            >
              {t('action.cancel')}
            </button>
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
  const asText = typeof args === 'string' || args === undefined
  const initial = asText ? (args ?? '') : JSON.stringify(args, null, 2)
  const [text, setText] = useTyped(place, 'correction', initial)
  const [invalid, setInvalid] = useState(false)
  const id = useId()
  const send = () => {
    if (asText) return respond('answer', text)
    try {
      respond('answer', JSON.parse(text) as Json)
    } catch {
      setInvalid(true)
    }
  }
  return (
    <>
      <label className="v-field-label" htmlFor={id}>
        {t('request.correct')}
      </label>
      <textarea
        id={id}
        className={`v-input ${asText ? '' : 'v-mono'}`}
        rows={Math.min(14, text.split('\n').length + 1)}
        value={text}
        aria-invalid={invalid || undefined}
        onChange={event => {
          setText(event.target.value)
          setInvalid(false)
        }}
      />
      {invalid && <p className="v-field-error">{t('form.json')}</p>}
      <div className="v-actions">
        <button type="button" className="v-button v-primary" disabled={sending} onClick={send}>
          {t('request.sendCorrection')}
        </button>
        <Decline respond={respond} sending={sending} />
      </div>
    </>
  )
}

export function QuestionBody(props: Props) {
  const { action, place, respond, sending } = props
  const { t } = useI18n()
  const [text, setText] = useTyped(place, 'question', '')
  const id = useId()
  if (action.request.options?.length) return <ChoiceBody {...props} />
  if (action.request.schema) return <FormBody {...props} />
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (text.trim()) respond('answer', text)
      }}
    >
      <label className="v-field-label" htmlFor={id}>
        {t('form.answer')}
      </label>
      <textarea id={id} className="v-input" rows={2} value={text} onChange={event => setText(event.target.value)} />
      <div className="v-actions">
        <button type="submit" className="v-button v-primary" disabled={sending || !text.trim()}>
          {t('request.answer')}
        </button>
        <Decline respond={respond} sending={sending} />
      </div>
    </form>
  )
}
