import { useEffect, useRef } from 'react'
import { type Notice, useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Check, CircleAlert, Trash, X } from '../kit/icons.ts'
import { visible } from '../visible.tsx'

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
  const element = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (lasts === undefined) return
    const timer = setInterval(() => !element.current?.matches(':hover, :focus-within') && dismiss(id), lasts)
    return () => clearInterval(timer)
  }, [dismiss, id, lasts])
  useEffect(() => {
    // The focused element is gone, so keyboard users need the focus on the undo button.
    if (document.activeElement === document.body) button.current?.focus()
  }, [])
  return (
    <div
      ref={element}
      className={notice.tone === 'danger' ? 'v-notice v-lamp' : 'v-notice'}
      data-lamp={notice.tone === 'danger' ? 'failed' : undefined}
      role="status"
    >
      <Icon of={notice.tone === 'danger' ? CircleAlert : notice.action?.undoes ? Trash : Check} />
      <span>{visible(notice.text)}</span>
      {notice.action && (
        <Button
          look="link"
          ref={button}
          onClick={() => {
            notice.action!.run()
            dismiss(id)
          }}
        >
          {notice.action.label}
        </Button>
      )}
      <IconButton icon={X} label={t('action.close')} onClick={() => dismiss(id)} />
    </div>
  )
}
