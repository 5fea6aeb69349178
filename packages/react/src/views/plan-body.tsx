import type { Action } from '@vitrine/protocol'
import { type DOMAttributes, type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { useDraft } from '../drafts.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { ArrowDown, ArrowUp, GripVertical, Pencil, Plus } from '../kit/icons.ts'
import { TextArea } from '../kit/text-area.tsx'
import { TextInput } from '../kit/text-input.tsx'
import { visible, visibleText } from '../visible.tsx'
import { type RequestBodyProps, RequestFoot, useOpened } from './action-bodies.tsx'
import { isReordered } from './answered-words.ts'

/** A step of a plan as the person has it now. */
interface DraftStep {
  readonly id: string
  readonly title: string
  readonly on: boolean
}

type Steps = readonly DraftStep[]
type Plan = NonNullable<Action['request']['plan']>

const UNCHANGED: Steps = []

const draftOf = (plan: Plan): Steps => plan.map(({ id, title }) => ({ id, title, on: true }))

/** What the person made of a step. */
function changeOf(plan: Plan, { id, title, on }: DraftStep): 'none' | 'edited' | 'added' | 'removed' {
  if (!on) return 'removed'
  const before = plan.find(step => step.id === id)
  return !before ? 'added' : before.title === title ? 'none' : 'edited'
}

/** How many changes there are: steps switched off, edited or added, and another order as one more. */
export function countChanges(plan: Plan, steps: Steps): number {
  const marked = steps.map(step => ({ id: step.id, change: changeOf(plan, step) }))
  // A step that was added and switched off again is no change.
  const count = marked.filter(({ id, change }) =>
    change === 'removed' ? plan.some(step => step.id === id) : change !== 'none',
  ).length
  return count + (isReordered(plan, marked) ? 1 : 0)
}

/** The steps with one of them moved by so many places; the same when there is no place. */
export function moved(steps: Steps, id: string, by: 1 | -1): Steps {
  const from = steps.findIndex(step => step.id === id)
  const to = from + by
  if (from < 0 || to < 0 || to >= steps.length) return steps
  return steps.with(from, steps[to]!).with(to, steps[from]!)
}

/** The steps with one of them put into another place. */
export const placed = (steps: Steps, from: number, to: number): Steps => {
  const others = steps.toSpliced(from, 1)
  return others.toSpliced(to, 0, steps[from]!)
}

/** A step that is held by its grip. */
interface Held {
  readonly from: number
  /** Where it would be put down now. */
  readonly to: number
  /** How far the pointer has carried it, in pixels. */
  readonly by: number
  readonly height: number
}

/** The place for a step whose middle has come to `middle`: after all others whose own middle is above it. */
export function placeAt(boxes: readonly { top: number; height: number }[], from: number, middle: number): number {
  return boxes.filter(({ top, height }, at) => at !== from && top + height / 2 < middle).length
}

/**
 * Moving a step by its grip, with a mouse, a pen or a finger. The steps stay where they are in the document until it is put
 * down, so that the pointer is not lost; until then they are only drawn elsewhere. Escape puts it back.
 */
function useGrip(list: RefObject<HTMLOListElement | null>, onPlace: (from: number, to: number) => void) {
  const [held, setHeld] = useState<Held | null>(null)
  const grip = (at: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      const { currentTarget: element, pointerId, clientY: start } = event
      const boxes = [...list.current!.children].map(step => step.getBoundingClientRect())
      const own = boxes[at]!
      let to = at
      element.setPointerCapture(pointerId)
      const ending = new AbortController()
      const { signal } = ending
      const end = () => {
        ending.abort()
        setHeld(null)
      }
      const carry = (moved: globalThis.PointerEvent) => {
        const by = moved.clientY - start
        to = placeAt(boxes, at, own.top + own.height / 2 + by)
        setHeld({ from: at, to, by, height: own.height })
      }
      element.addEventListener('pointermove', carry, { signal })
      element.addEventListener('pointercancel', end, { signal })
      element.addEventListener('lostpointercapture', end, { signal })
      element.addEventListener(
        'pointerup',
        () => {
          end()
          if (to !== at) onPlace(at, to)
        },
        { signal },
      )
      const onKey = (pressed: globalThis.KeyboardEvent) => {
        if (pressed.key !== 'Escape') return
        pressed.preventDefault()
        pressed.stopPropagation()
        end()
      }
      addEventListener('keydown', onKey, { signal, capture: true })
    },
  })
  return { held, grip }
}

/** How far a step is drawn from its place while one is held. */
function shiftOf(held: Held | null, at: number): number {
  if (!held) return 0
  if (at === held.from) return held.by
  if (at > held.from && at <= held.to) return -held.height
  return at < held.from && at >= held.to ? held.height : 0
}

/** The plan with the person's own changes. Words about it are never a silent yes. */
export function PlanBody({ action, place, respond, sending }: RequestBodyProps) {
  const { t } = useI18n()
  const { plan = [] } = action.request
  const [drafted, setDrafted] = useDraft(place, 'plan', UNCHANGED)
  const [editing, setEditing] = useState<string | null>(null)
  const words = useOpened(place, 'changes')
  const list = useRef<HTMLOListElement>(null)
  const steps = drafted === UNCHANGED ? draftOf(plan) : drafted
  const changes = countChanges(plan, steps)
  const kept = steps.filter(({ on, title }) => on && title.trim() !== '')

  const change = (id: string, to: Partial<DraftStep>) =>
    setDrafted(steps.map(step => (step.id === id ? { ...step, ...to } : step)))
  const focusStep = (id: string) =>
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"] input[type="checkbox"]`)?.focus(),
    )
  const move = (id: string, by: 1 | -1) => {
    setDrafted(moved(steps, id, by))
    focusStep(id)
  }
  const { held, grip } = useGrip(list, (from, to) => setDrafted(placed(steps, from, to)))
  const add = () => {
    let number = steps.length + 1
    while (steps.some(({ id }) => id === `added-${number}`)) number++
    const id = `added-${number}`
    setDrafted([...steps, { id, title: '', on: true }])
    setEditing(id)
  }
  const done = (id: string, title: string) => {
    setEditing(null)
    const before = plan.find(step => step.id === id)?.title
    // A step without words is none: one of the plan gets its own words back, one that was added goes.
    if (title.trim() !== '') change(id, { title: title.trim() })
    else if (before !== undefined) change(id, { title: before })
    else setDrafted(steps.filter(step => step.id !== id))
    focusStep(id)
  }
  const start = () =>
    respond(
      changes === 0
        ? { decision: 'approve' }
        : { decision: 'approve', value: { steps: kept.map(({ id, title }) => ({ id, title })) } },
    )
  return (
    <>
      <div className="v-request-body">
        {changes > 0 && <Badge className="v-plan-changes">{t('request.changes', { count: changes })}</Badge>}
        <ol ref={list} className="v-plan-steps" aria-label={t('request.planSteps')}>
          {steps.map((step, at) => (
            <PlanStep
              key={step.id}
              step={step}
              number={at + 1}
              plan={plan}
              disabled={sending}
              editing={editing === step.id}
              held={held !== null && (held.from === at ? 'held' : 'aside')}
              shift={shiftOf(held, at)}
              grip={grip(at)}
              onSwitch={() => change(step.id, { on: !step.on })}
              onEdit={() => setEditing(step.id)}
              onDone={title => done(step.id, title)}
              onMove={by => move(step.id, by)}
            />
          ))}
        </ol>
        <Button look="quiet" className="v-plan-add" icon={Plus} disabled={sending} onClick={add}>
          {t('request.planAdd')}
        </Button>
        {words.text !== null && (
          <Field label={t('request.planChanges')}>
            {control => (
              <TextArea
                {...control}
                ref={words.control}
                rows={3}
                value={words.text ?? ''}
                onChange={event => words.change(event.target.value)}
              />
            )}
          </Field>
        )}
      </div>
      <RequestFoot>
        {words.text === null ? (
          <>
            <Button data-main look="primary" disabled={sending || kept.length === 0} onClick={start}>
              {t(changes > 0 ? 'request.planStartChanged' : 'request.planStart')}
            </Button>
            <Button data-safe disabled={sending} onClick={() => respond({ decision: 'deny' })}>
              {t('request.planDeny')}
            </Button>
            <Button
              ref={words.opener}
              look="quiet"
              className="v-request-last"
              disabled={sending}
              onClick={() => words.open('')}
            >
              {t('request.planAnother')}
            </Button>
          </>
        ) : (
          <>
            <Button
              data-main
              look="primary"
              disabled={sending || !words.text.trim()}
              onClick={() => respond({ decision: 'deny', text: words.text!.trim() })}
            >
              {t('request.planAnother')}
            </Button>
            <Button data-safe look="quiet" onClick={words.close}>
              {t('action.cancel')}
            </Button>
          </>
        )}
      </RequestFoot>
    </>
  )
}

interface StepProps {
  step: DraftStep
  number: number
  plan: Plan
  disabled: boolean
  editing: boolean
  /** Whether the pointer holds this step, or another one. */
  held: 'held' | 'aside' | false
  /** How far it is drawn from its place, in pixels. */
  shift: number
  grip: Pick<DOMAttributes<HTMLElement>, 'onPointerDown'>
  onSwitch: () => void
  onEdit: () => void
  onDone: (title: string) => void
  onMove: (by: 1 | -1) => void
}

/** One step: Space switches it, Enter edits it, Alt with an arrow moves it. */
function PlanStep(props: StepProps) {
  const { step, number, plan, disabled, editing, held, shift, grip, onSwitch, onEdit, onDone, onMove } = props
  const { t } = useI18n()
  const before = plan.find(({ id }) => id === step.id)
  const change = changeOf(plan, step)
  const name = visibleText(step.title) || t('request.planNew')
  const keys = (event: KeyboardEvent<HTMLLIElement>) => {
    const { key, altKey, ctrlKey, metaKey } = event
    if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
      event.preventDefault()
      event.stopPropagation()
      onMove(key === 'ArrowUp' ? -1 : 1)
    } else if (key === 'Enter' && !ctrlKey && !metaKey && (event.target as Element).matches('[type="checkbox"]')) {
      event.preventDefault()
      onEdit()
    }
  }
  return (
    <li
      className="v-plan-step"
      // A press on its words shows what can be done with it, where there is no pointer that hovers.
      tabIndex={-1}
      data-step={step.id}
      data-change={change}
      data-moved={held || undefined}
      style={held ? { transform: `translateY(${shift}px)` } : undefined}
      onKeyDown={keys}
    >
      <span className="v-plan-number" aria-hidden>
        {number}
      </span>
      <input
        type="checkbox"
        checked={step.on}
        disabled={disabled}
        aria-label={name}
        aria-keyshortcuts="Enter Alt+ArrowUp Alt+ArrowDown"
        onChange={onSwitch}
      />
      {editing ? (
        <StepEditor title={step.title} label={t('request.planEdit', { count: number })} onDone={onDone} />
      ) : (
        <span className="v-plan-words">
          <span className="v-plan-title" dir="auto">
            {change === 'edited' && before ? <Edited before={before.title} title={step.title} /> : visible(step.title)}
          </span>
          {before?.detail && change !== 'removed' && (
            <span className="v-plan-detail" dir="auto">
              {visible(before.detail)}
            </span>
          )}
        </span>
      )}
      {change !== 'none' && !editing && (
        <Badge tone={change === 'removed' ? 'plain' : 'accent'}>{t(`plan.change.${change}`)}</Badge>
      )}
      {!editing && (
        <span className="v-plan-tools">
          <IconButton
            icon={Pencil}
            label={t('request.planEdit', { count: number })}
            disabled={disabled}
            onClick={onEdit}
          />
          <IconButton
            icon={ArrowUp}
            label={t('request.planUp', { count: number })}
            disabled={disabled || number === 1}
            onClick={() => onMove(-1)}
          />
          <IconButton
            icon={ArrowDown}
            label={t('request.planDown', { count: number })}
            disabled={disabled}
            onClick={() => onMove(1)}
          />
        </span>
      )}
      {!editing && !disabled && (
        <span className="v-plan-grip" title={t('request.planDrag')} aria-hidden {...grip}>
          <Icon of={GripVertical} />
        </span>
      )}
    </li>
  )
}

/** The words that were not there before stand out. */
function Edited({ before, title }: { before: string; title: string }) {
  const old = new Set(before.split(/\s+/))
  return title.split(/(\s+)/).map((word, at) =>
    word.trim() === '' || old.has(word) ? (
      word
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no other identity than their place.
      <span key={at} className="v-plan-new">
        {visible(word)}
      </span>
    ),
  )
}

function StepEditor({ title, label, onDone }: { title: string; label: string; onDone: (title: string) => void }) {
  const [text, setText] = useState(title)
  const over = useRef(false)
  const finish = (with_: string) => {
    if (over.current) return
    over.current = true
    onDone(with_)
  }
  return (
    <TextInput
      aria-label={label}
      value={text}
      ref={element => element?.focus()}
      onChange={event => setText(event.target.value)}
      onBlur={() => finish(text)}
      onEnter={finish}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        finish(title)
      }}
    />
  )
}
