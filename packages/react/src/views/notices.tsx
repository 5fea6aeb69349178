import { useEffect, useRef } from 'react'
import { type Notice, useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Check, CircleAlert, Trash, X } from '../kit/icons.ts'
import { goOnWriting } from '../shortcuts.ts'
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
  const undoable = notice.action !== undefined
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (lasts === undefined) return
    const timer = setInterval(() => !element.current?.matches(':hover, :focus-within') && dismiss(id), lasts)
    return () => clearInterval(timer)
  }, [dismiss, id, lasts])
  useEffect(() => {
    // What had the focus went away with what was done.
    if (undoable && document.activeElement === document.body) goOnWriting()()
  }, [undoable])
  // The focus never goes to the notice by itself: a key that is on its way must not undo what was just done.
  const leave = (act?: () => void) => {
    const goOn = goOnWriting()
    act?.()
    dismiss(id)
    requestAnimationFrame(goOn)
  }
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
        <Button look="link" onClick={() => leave(notice.action!.run)}>
          {notice.action.label}
        </Button>
      )}
      <IconButton icon={X} label={t('action.close')} onClick={() => leave()} />
    </div>
  )
}
