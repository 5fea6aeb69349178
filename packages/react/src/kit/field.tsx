import { type ComponentProps, type ReactNode, useId } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from './icon.tsx'
import { CircleAlert } from './icons.ts'
import { withClass } from './with-class.ts'

/** What a field gives to the control in it. */
export interface FieldControl {
  id: string
  'aria-invalid'?: true
  'aria-describedby'?: string
}

type Props = Omit<ComponentProps<'fieldset'>, 'children'> & {
  /** Left out by a control that brings its own label, such as a checkbox. */
  label?: ReactNode
  /** The label is there for those who listen, and not seen. */
  labelHidden?: boolean
  /** Says that it may be left empty. */
  optional?: boolean
  /** Several controls that belong together: they have a legend instead of a label. */
  group?: boolean
  help?: ReactNode
  /** What is wrong with the value. It is said aloud when it comes. */
  error?: ReactNode
  /** What stands below everything: what became of sending the value. */
  after?: ReactNode
  children: (control: FieldControl) => ReactNode
}

/** A control with its label, its help and what is wrong with its value, tied together for those who listen. */
export function Field(props: Props) {
  const { label, labelHidden, optional, group, help, error, after, className, children, ...rest } = props
  const { t } = useI18n()
  const id = useId()
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  const about = described ? { 'aria-describedby': described } : {}
  const Tag = (group ? 'fieldset' : 'div') as 'fieldset'
  const words = (
    <>
      {label}
      {optional && <span className="v-field-optional"> {t('kit.optional')}</span>}
    </>
  )
  const labelClass = labelHidden ? 'v-unseen' : 'v-field-label'
  return (
    <Tag {...rest} className={withClass('v-field', className)} {...(group && about)}>
      {label === undefined ? null : group ? (
        <legend className={labelClass} dir="auto">
          {words}
        </legend>
      ) : (
        <label htmlFor={id} className={labelClass} dir="auto">
          {words}
        </label>
      )}
      {children({ id, ...(error ? { 'aria-invalid': true as const } : {}), ...about })}
      {help && (
        <p id={`${id}-help`} className="v-field-help" dir="auto">
          {help}
        </p>
      )}
      <div className="v-field-errors" aria-live="polite">
        {error && (
          <p id={`${id}-error`} className="v-field-error" dir="auto">
            <Icon of={CircleAlert} />
            <span>{error}</span>
          </p>
        )}
      </div>
      {after}
    </Tag>
  )
}
