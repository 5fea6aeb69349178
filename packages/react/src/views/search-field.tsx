import { MAX_SEARCH } from '@vitrine/protocol'
import type { KeyboardEvent } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { Search, X } from '../kit/icons.ts'
import { withClass } from '../kit/with-class.ts'

interface Props {
  value: string
  autoFocus?: boolean
  className?: string
  onChange: (text: string) => void
  /** Escape in the empty field; without it, the field has nothing to close. */
  onClose?: () => void
  /** Other keys. True when it has acted on the key. */
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => boolean
}

/** The field that looks for sessions and messages. Escape clears it, and then closes what belongs to it. */
export function SearchField({ value, autoFocus = false, className, onChange, onClose, onKey }: Props) {
  const { t } = useI18n()
  const clear = () => (value ? onChange('') : onClose?.())
  return (
    <label className={withClass('v-search', className)}>
      <Icon of={Search} />
      <input
        type="search"
        data-search-field
        aria-label={t('sessions.search')}
        placeholder={t('sessions.search')}
        value={value}
        maxLength={MAX_SEARCH}
        // biome-ignore lint/a11y/noAutofocus: it is shown because somebody wants to type into it.
        autoFocus={autoFocus}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          if (onKey?.(event) || event.key !== 'Escape' || (!value && !onClose)) return
          event.preventDefault()
          event.stopPropagation()
          clear()
        }}
      />
      {(value || onClose) && (
        <button type="button" className="v-search-clear" onClick={clear}>
          <span className="v-unseen">{t('sessions.clearSearch')}</span>
          <kbd>Esc</kbd>
          <Icon of={X} />
        </button>
      )}
    </label>
  )
}
