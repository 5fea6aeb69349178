import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { type Notice, useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'

/** What was just done and can still be undone, or could not be done. */
export function Notices() {
  const { notices } = useVitrine()
  return (
    <div className="v-notices">
      {notices.map(notice => (
        <Item key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function Item({ notice }: { notice: Notice }) {
  const { t } = useI18n()
  const { dismiss } = useVitrine()
  const { id, lasts } = notice
  useEffect(() => {
    if (lasts === undefined) return
    const timer = setTimeout(() => dismiss(id), lasts)
    return () => clearTimeout(timer)
  }, [dismiss, id, lasts])
  return (
    <div className="v-notice" data-tone={notice.tone} role="status">
      <span>{notice.text}</span>
      {notice.action && (
        <button
          type="button"
          className="v-button"
          onClick={() => {
            notice.action!.run()
            dismiss(id, true)
          }}
        >
          {notice.action.label}
        </button>
      )}
      <button
        type="button"
        className="v-button v-quiet v-icon"
        aria-label={t('action.close')}
        title={t('action.close')}
        onClick={() => dismiss(id)}
      >
        <X aria-hidden />
      </button>
    </div>
  )
}
