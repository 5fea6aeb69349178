import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Plain } from '../../json-view.tsx'

/** An honest "could not be shown", with what came on demand. */
export function NotShownCard({ raw }: { raw: unknown }) {
  const { t } = useI18n()
  const [open, setOpen] = useState(false)
  return (
    <div className="v-ui-not-shown" role="note">
      <p>
        <CircleAlert aria-hidden />
        <span>{t('ui.notShown')}</span>
      </p>
      <details className="v-disclosure" onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <ChevronRight className="v-chevron" aria-hidden />
          {t('ui.raw')}
        </summary>
        {open && <Plain text={textOf(raw)} label={t('ui.raw')} />}
      </details>
    </div>
  )
}

/** Anything as text: it may be cyclic or no JSON at all. */
function textOf(raw: unknown): string {
  if (typeof raw === 'string') return raw
  try {
    return JSON.stringify(raw, null, 2) ?? String(raw)
  } catch {
    return String(raw)
  }
}
