import { Text } from '@vitrine/protocol'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useState } from 'react'
import { useI18n } from './i18n/i18n.tsx'
import { Plain } from './json-view.tsx'

/** An honest "could not be shown", with what came on demand. */
export function NotShown({ raw }: { raw: () => unknown }) {
  const { t } = useI18n()
  const [open, setOpen] = useState(false)
  return (
    <div className="v-not-shown" role="note">
      <p>
        <CircleAlert aria-hidden />
        <span>{t('notShown.label')}</span>
      </p>
      <details className="v-disclosure" onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <ChevronRight className="v-chevron" aria-hidden />
          {t('notShown.raw')}
        </summary>
        {open && <Plain text={textOf(raw)} label={t('notShown.raw')} />}
      </details>
    </div>
  )
}

/** Anything as text: it may be cyclic or no JSON at all. */
export function textOf(read: () => unknown): string {
  let raw: unknown
  try {
    raw = read()
    return typeof raw === 'string' ? raw : (JSON.stringify(raw, plain, 2) ?? String(raw))
  } catch {
    return String(raw)
  }
}

/** Entities of a session hold texts, sets and maps, which JSON would leave out. */
function plain(_name: string, value: unknown): unknown {
  if (value instanceof Text) return value.toString()
  return value instanceof Map || value instanceof Set ? [...value] : value
}
