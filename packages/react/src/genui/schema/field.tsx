import { fieldError, initialValue, type ResolvedNode } from '@vitrine/genui/schema'
import { useI18n } from '../../i18n/i18n.tsx'
import { Checkbox } from '../../kit/checkbox.tsx'
import { Choices } from '../../kit/choices.tsx'
import { DateTimeInput } from '../../kit/date-time-input.tsx'
import { Field } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { Slider } from '../../kit/slider.tsx'
import { TextArea } from '../../kit/text-area.tsx'
import { TextInput } from '../../kit/text-input.tsx'
import { namesSecret } from '../../mask-secrets.ts'
import { visible, visibleText } from '../../visible.tsx'
import { useBusy, useField } from './card-state.ts'
import { valuesOf } from './form-values.ts'
import { useUi } from './ui-context.ts'

type FieldNode = ResolvedNode<'field'>

const dates = { date: 'date', time: 'time', datetime: 'datetime-local' } as const
const types = { email: 'email', url: 'url', tel: 'tel', password: 'password' } as const
const modes = { integer: 'numeric', number: 'decimal' } as const
const of = <T extends object>(table: T, key: string): T[keyof T] | undefined =>
  Object.hasOwn(table, key) ? table[key as keyof T] : undefined

/** One input with its label, help and error. It is checked when left and when sent; an error goes as soon as it is put right. */
export function NodeField({ node }: { node: FieldNode }) {
  const { t } = useI18n()
  const { state, locale, readOnly, send } = useUi()
  const entry = useField(state, node.name)
  const busy = useBusy(state)
  const value = entry?.value ?? initialValue(node)
  const error = entry?.error
  const problem = () => fieldError(node, valuesOf([node], state)[node.name], locale)
  const change = (next: unknown) => {
    state.setField(node.name, { value: next })
    if (node.input !== 'password' && !namesSecret(`${node.name} ${node.label}`)) state.store(node.name, next)
    if (error !== undefined) state.setField(node.name, { value: next, error: problem() })
  }
  const leave = () => {
    // A field that was only passed is not wrong yet. What the server has said of a value stands until it changes.
    if (entry && value !== '') state.setField(node.name, { value, error: problem() ?? error })
  }
  const off = readOnly || node.disabled === true
  const disabled = off || busy
  const { input, options = [] } = node
  const group = input === 'radio' || input === 'multiselect'
  const common = {
    'data-field': node.name,
    'aria-required': node.required || undefined,
    onBlur: leave,
  }
  // A line that is disabled while it is sent would lose the focus and not get it back.
  const line = { ...common, disabled: off, readOnly: busy, dir: 'auto' as const }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const placeholder = node.placeholder === undefined ? undefined : visibleText(node.placeholder)
  const kind = of(dates, input)
  return (
    <Field
      className="v-ui-field"
      {...(input !== 'checkbox' && { label: visible(node.label), optional: !node.required })}
      {...(group && { group, disabled, 'data-field': node.name })}
      help={node.help && visible(node.help)}
      error={error && visible(error)}
    >
      {control => {
        if (input === 'checkbox')
          return (
            <Checkbox
              {...control}
              {...common}
              disabled={disabled}
              label={visible(node.label)}
              checked={value === true}
              onCheck={change}
            />
          )
        if (group) {
          const multiple = input === 'multiselect'
          const chosen: readonly unknown[] = multiple ? (Array.isArray(value) ? value : []) : [value]
          return (
            <Choices
              look="inline"
              choices={options.map(({ label }) => ({ label: visible(label) }))}
              chosen={options.flatMap((option, index) => (chosen.includes(option.value) ? [index] : []))}
              multiple={multiple}
              invalid={error !== undefined}
              onChoose={(index, on) => {
                const option = options[index]!.value
                if (!multiple) change(option)
                else change(on ? [...chosen, option] : chosen.filter(other => other !== option))
              }}
            />
          )
        }
        if (input === 'select')
          return (
            <Select
              {...control}
              {...common}
              disabled={disabled}
              options={options.map(({ label }) => ({ label: visibleText(label) }))}
              chosen={options.findIndex(option => option.value === value)}
              empty={placeholder ?? t('kit.choose')}
              clearable
              onChoose={index => change(options[index]?.value ?? '')}
            />
          )
        if (input === 'multiline')
          return (
            <TextArea
              {...control}
              {...line}
              rows={node.rows ?? 4}
              placeholder={placeholder}
              value={text}
              onChange={event => change(event.target.value)}
            />
          )
        if (input === 'slider') {
          const [min, max] = [Number(node.min ?? 0), Number(node.max ?? 100)]
          return (
            <Slider
              {...control}
              {...common}
              disabled={disabled}
              min={min}
              max={max}
              step={node.step ?? (max - min > 1 ? 1 : 0.01)}
              value={Number(text)}
              text={new Intl.NumberFormat(locale).format(Number(text))}
              onSlide={change}
            />
          )
        }
        if (kind)
          return <DateTimeInput {...control} {...line} kind={kind} value={text} onPick={change} onEnter={send} />
        return (
          <TextInput
            {...control}
            {...line}
            type={of(types, input) ?? 'text'}
            inputMode={of(modes, input)}
            autoComplete="off"
            placeholder={placeholder}
            value={text}
            onChange={event => change(event.target.value)}
            onEnter={send}
          />
        )
      }}
    </Field>
  )
}
