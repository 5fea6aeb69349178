import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon, type IconData } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { Eye, EyeOff } from './icons.ts'
import { withClass } from './with-class.ts'

/** The Enter that ends a composition belongs to the input method; it means nothing to us. */
export const isEnter = (event: KeyboardEvent): boolean => event.key === 'Enter' && !event.nativeEvent.isComposing

type Props = ComponentProps<'input'> & {
  /** Enter was pressed in it. */
  onEnter?: (text: string) => void
  /** What is typed hidden may have an icon that says what it is. */
  icon?: IconData
}

/** One line of text. What is typed hidden can be shown. */
export function TextInput({ onEnter, onKeyDown, className, icon, type = 'text', ...rest }: Props) {
  const { t } = useI18n()
  const [shown, show] = useState(false)
  const secret = type === 'password'
  const input = (
    <input
      {...rest}
      onKeyDown={event => {
        onKeyDown?.(event)
        if (!onEnter || !isEnter(event)) return
        event.preventDefault()
        onEnter(event.currentTarget.value)
      }}
      className={withClass('v-input', className)}
      type={secret && shown ? 'text' : type}
    />
  )
  if (!secret) return input
  return (
    <div className="v-secret">
      {icon && <Icon of={icon} />}
      {input}
      <IconButton
        icon={shown ? EyeOff : Eye}
        label={t(shown ? 'kit.hide' : 'kit.reveal')}
        aria-pressed={shown}
        disabled={rest.disabled}
        onClick={() => show(!shown)}
      />
    </div>
  )
}
