import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Field, useReport } from './field.tsx'
import { finite, given, oneOf, text } from './props.ts'
import type { RendererProps } from './view.ts'

export function TextField({ node }: RendererProps) {
  const { t } = useI18n()
  const [revealed, reveal] = useState(false)
  const report = useReport(node)
  const variant = oneOf(node.props.variant, 'shortText', 'longText', 'number', 'obscured')
  // A number in the data stays a number, a text stays a text.
  const numeric = useRef(false)
  if (typeof node.props.value === 'number') numeric.current = true
  const typedValue = (typed: string) =>
    variant === 'number' && numeric.current && typed !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed
  const value = given(node, 'value')
  const shared = {
    className: 'v-input',
    value,
    placeholder: text(node, 'placeholder') || undefined,
    onChange: (event: { target: { value: string } }) =>
      report.input(typedValue(event.target.value), variant === 'obscured'),
    onBlur: (event: { target: { value: string } }) => report.left(typedValue(event.target.value)),
  }
  return (
    <Field node={node} kind="text-field">
      {control =>
        variant === 'longText' ? (
          <textarea {...control} {...shared} rows={Math.min(30, Math.max(2, finite(node.props.rows, 3)))} />
        ) : (
          <div className="v-a2-input">
            <input
              {...control}
              {...shared}
              type={variant === 'number' ? 'number' : variant === 'obscured' && !revealed ? 'password' : 'text'}
              {...(variant === 'number' && { step: 'any', inputMode: 'decimal' as const })}
              {...(variant === 'obscured' && { autoComplete: 'off', spellCheck: false })}
              onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
                // The Enter that ends a composition is not a submit.
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                event.preventDefault()
                report.submit(typedValue(event.currentTarget.value))
              }}
            />
            {variant === 'obscured' && (
              <button
                type="button"
                className="v-button v-quiet v-icon"
                aria-label={t(revealed ? 'a2ui.hide' : 'a2ui.reveal')}
                aria-pressed={revealed}
                disabled={control.disabled}
                onClick={() => reveal(!revealed)}
              >
                {revealed ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
              </button>
            )}
          </div>
        )
      }
    </Field>
  )
}
