import type { NodeSnapshot } from '@vitrine/genui/a2ui'
import { type ReactNode, useId, useRef } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { visible, visibleText } from '../../visible.tsx'
import { accessibilityOf, frame, text } from './props.ts'
import { Sent } from './sent.tsx'
import { useInteraction, useView } from './view.ts'

/** `bookingDate` and `booking-date` read as words: the last resort for a field that nobody named. */
const words = (id: string) =>
  id
    .replace(/[-_.]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

interface ControlProps {
  id: string
  disabled: boolean
  'aria-label'?: string
  'aria-invalid'?: true
  'aria-describedby'?: string
  'aria-busy'?: true
}

/** Label, control, what is wrong with its value and what became of sending it. Every input is drawn in one. */
export function Field(props: {
  node: NodeSnapshot
  kind: string
  /** The label stands after the control. */
  inline?: boolean
  /** A group of controls has a legend instead of a label. */
  legend?: boolean
  aside?: ReactNode
  children: (control: ControlProps) => ReactNode
}) {
  const { node, kind, inline = false, legend = false, aside, children } = props
  const { t } = useI18n()
  const id = useId()
  const { readOnly } = useView()
  const interaction = useInteraction(node.id)
  const { label: spoken, description } = accessibilityOf(node)
  const label = text(node, 'label')
  const errors = interaction.touched ? node.errors : []
  const described = [description && `${id}-about`, errors.length > 0 && `${id}-wrong`].filter(Boolean).join(' ')
  const name = spoken ?? (label ? undefined : text(node, 'placeholder') || words(visibleText(node.componentId)))
  const { className, style, 'aria-live': live, 'aria-hidden': hidden } = frame(node, `v-field v-a2-field v-a2-${kind}`)
  const Tag = legend ? 'fieldset' : 'div'
  const control = children({
    id,
    disabled: readOnly || node.props.disabled === true,
    ...(name !== undefined && !legend && { 'aria-label': name }),
    ...(errors.length > 0 && { 'aria-invalid': true as const }),
    ...(described && { 'aria-describedby': described }),
    ...((interaction.state === 'sending' || node.pending) && { 'aria-busy': true as const }),
  })
  const caption = legend ? (
    <legend className={label ? 'v-field-label' : 'v-unseen'}>{label || name}</legend>
  ) : label ? (
    <label htmlFor={id} className="v-field-label">
      {label}
    </label>
  ) : null
  return (
    <Tag
      className={className}
      style={style}
      aria-live={live}
      aria-hidden={hidden}
      {...(legend && spoken !== undefined && { 'aria-label': spoken })}
      {...(legend && described && { 'aria-describedby': described })}
    >
      {inline ? (
        <div className="v-a2-inline">
          {control}
          {caption}
        </div>
      ) : (
        <>
          {aside && !legend ? (
            <div className="v-a2-caption">
              {caption}
              {aside}
            </div>
          ) : (
            caption
          )}
          {control}
        </>
      )}
      {description && (
        <p id={`${id}-about`} className="v-field-help">
          {description}
        </p>
      )}
      <p id={`${id}-wrong`} className="v-field-error" aria-live="polite">
        {visible(errors.join(' '))}
      </p>
      <span className="v-unseen" role="status">
        {interaction.state === 'sending' && t('a2ui.sending')}
      </span>
      <Sent interaction={interaction} />
    </Tag>
  )
}

/** Remembers whether the person changed the field since it was last reported. */
export function useReport(node: NodeSnapshot) {
  const { interactions } = useView()
  const changed = useRef(false)
  return {
    input(value: NodeSnapshot['props'][string], secret = false) {
      changed.current = true
      interactions.input(node.id, value, secret)
    },
    /** A value that is complete as it stands. */
    choose(value: NodeSnapshot['props'][string]) {
      interactions.input(node.id, value)
      interactions.touch(node.id)
      interactions.act(node.id, 'change', value)
    },
    left(value: NodeSnapshot['props'][string]) {
      interactions.touch(node.id)
      if (!changed.current) return
      changed.current = false
      interactions.act(node.id, 'change', value)
    },
    submit(value: NodeSnapshot['props'][string]) {
      changed.current = false
      interactions.touch(node.id)
      interactions.act(node.id, 'submit', value)
    },
  }
}
