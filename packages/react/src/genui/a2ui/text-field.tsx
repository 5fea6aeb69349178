import { useRef } from 'react'
import { TextArea } from '../../kit/text-area.tsx'
import { TextInput } from '../../kit/text-input.tsx'
import { InputField, useReport } from './input-field.tsx'
import { finite, given, oneOf, text } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

export function TextField({ node }: A2uiRendererProps) {
  const report = useReport(node)
  const variant = oneOf(node.props.variant, 'shortText', 'longText', 'number', 'obscured')
  // A number in the data stays a number, a text stays a text.
  const numeric = useRef(false)
  if (typeof node.props.value === 'number') numeric.current = true
  const typedValue = (typed: string) =>
    variant === 'number' && numeric.current && typed !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed
  const shared = {
    value: given(node, 'value'),
    placeholder: text(node, 'placeholder') || undefined,
    onChange: (event: { target: { value: string } }) => report.input(typedValue(event.target.value)),
    onBlur: (event: { target: { value: string } }) => report.left(typedValue(event.target.value)),
  }
  return (
    <InputField node={node} kind="text-field">
      {control =>
        variant === 'longText' ? (
          <TextArea {...control} {...shared} rows={Math.min(30, Math.max(2, finite(node.props.rows, 3)))} />
        ) : (
          <TextInput
            {...control}
            {...shared}
            type={variant === 'number' ? 'number' : variant === 'obscured' ? 'password' : 'text'}
            {...(variant === 'number' && { step: 'any', inputMode: 'decimal' as const })}
            {...(variant === 'obscured' && { autoComplete: 'off', spellCheck: false })}
            onEnter={typed => report.submit(typedValue(typed))}
          />
        )
      }
    </InputField>
  )
}
