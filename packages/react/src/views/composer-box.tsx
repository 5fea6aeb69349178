import type { ReactNode, Ref } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { isEnter } from '../kit/text-input.tsx'

interface Props {
  text: string
  placeholder: string
  rows: number
  /** The page has this one purpose. */
  autoFocus?: boolean
  input?: Ref<HTMLTextAreaElement>
  /** What Enter will do, or why nothing can be sent. */
  hint: string
  blocked?: boolean
  onChange: (text: string) => void
  onEnter: () => void
  /** What can be chosen for the text, before the hint. */
  choices?: ReactNode
  buttons: ReactNode
}

/** Where a person writes, with what can be done with the text below it. */
export function ComposerBox(props: Props) {
  const { text, placeholder, rows, autoFocus, input, hint, blocked, onChange, onEnter, choices, buttons } = props
  const { t } = useI18n()
  return (
    <form
      className="v-composer-box"
      onSubmit={event => {
        event.preventDefault()
        onEnter()
      }}
    >
      <textarea
        ref={input}
        data-composer
        className="v-composer-input"
        aria-label={t('composer.label')}
        aria-describedby="v-composer-hint"
        placeholder={placeholder}
        rows={rows}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: only on a page that is there to write.
        autoFocus={autoFocus}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          if (event.shiftKey || !isEnter(event)) return
          event.preventDefault()
          onEnter()
        }}
      />
      <div className="v-composer-bar">
        {choices}
        <span id="v-composer-hint" className="v-composer-hint" data-blocked={blocked || undefined}>
          {hint}
        </span>
        <div className="v-composer-buttons">{buttons}</div>
      </div>
    </form>
  )
}
