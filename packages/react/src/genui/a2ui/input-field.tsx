import type { NodeSnapshot } from '@vitrine/genui/a2ui'
import { type ReactNode, useRef } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Field, type FieldControl } from '../../kit/field.tsx'
import { visible, visibleText } from '../../visible.tsx'
import { accessibilityOf, frame, text } from './props.ts'
import { Sent } from './sent.tsx'
import { useA2uiView, useControlState } from './view.ts'

/** `bookingDate` and `booking-date` read as words: the last resort for a field that nobody named. */
const words = (id: string) =>
  id
    .replace(/[-_.]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

interface Control extends FieldControl {
  disabled: boolean
  'aria-label'?: string
  'aria-busy'?: true
}

interface Props {
  node: NodeSnapshot
  kind: string
  /** A group of controls has a legend instead of a label. */
  group?: boolean
  /** The control brings the label itself. */
  ownLabel?: boolean
  /** What we say about the value, when the author says nothing. */
  help?: string | undefined
  children: (control: Control, label: string) => ReactNode
}

/** The field of a component that takes input: what is wrong with its value, and what became of sending it. */
export function InputField({ node, kind, group = false, ownLabel = false, help, children }: Props) {
  const { t } = useI18n()
  const { readOnly } = useA2uiView()
  const interaction = useControlState(node.id)
  const { label: spoken, description } = accessibilityOf(node)
  const label = text(node, 'label')
  const errors = interaction.touched ? node.errors : []
  const name = spoken ?? (label ? undefined : text(node, 'placeholder') || words(visibleText(node.componentId)))
  const {
    className,
    style,
    'aria-live': live,
    'aria-hidden': hidden,
  } = frame(node, `v-a2-bends v-a2-field v-a2-${kind}`)
  return (
    <Field
      className={className}
      style={style}
      aria-live={live}
      aria-hidden={hidden}
      group={group}
      {...(group && spoken !== undefined && { 'aria-label': spoken })}
      {...(!ownLabel && (label || group) && { label: label || name, labelHidden: !label })}
      help={description ?? help}
      error={errors.length > 0 && visible(errors.join(' '))}
      after={
        <>
          <span className="v-unseen" role="status">
            {interaction.state === 'sending' && t('action.sending')}
          </span>
          <Sent interaction={interaction} />
        </>
      }
    >
      {control =>
        children(
          {
            ...(name !== undefined && !group && { 'aria-label': name }),
            ...control,
            disabled: readOnly || node.props.disabled === true,
            ...((interaction.state === 'sending' || node.pending) && { 'aria-busy': true as const }),
          },
          label,
        )
      }
    </Field>
  )
}

/** Remembers whether the person changed the field since it was last reported. */
export function useReport(node: NodeSnapshot) {
  const { interactions } = useA2uiView()
  const changed = useRef(false)
  return {
    input(value: NodeSnapshot['props'][string]) {
      changed.current = true
      interactions.input(node.id, value)
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
