import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { visible, visibleText } from '../visible.tsx'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { X } from './icons.ts'

interface DialogProps {
  label: string
  className?: string
  title?: string
  onClose: () => void
  children: ReactNode
}

/** The native modal dialog: focus is held and given back, Escape and a click outside close it. */
export function Dialog({ label, className = '', title, onClose, children }: DialogProps) {
  const { t } = useI18n()
  const element = useRef<HTMLDialogElement>(null)
  // A layout effect: its clean-up runs while the element is still there, and closing gives the focus back.
  useLayoutEffect(() => {
    const dialog = element.current!
    const placeCaret = keepCaret()
    if (!dialog.open) dialog.showModal()
    return () => {
      dialog.close()
      placeCaret()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for closing is Escape, which the element handles itself.
    <dialog
      ref={element}
      className={`v-dialog ${className}`}
      aria-label={visibleText(label)}
      onCancel={event => {
        // React bubbles `cancel` of an inner dialog; only this dialog's own cancel closes it.
        if (event.target !== element.current) return
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (event.target === element.current) onClose()
      }}
    >
      {title && (
        <header className="v-dialog-head">
          <h2>{visible(title)}</h2>
          <IconButton icon={X} label={t('action.close')} onClick={onClose} />
        </header>
      )}
      {children}
    </dialog>
  )
}

/**
 * Remembers the caret of the field that has the focus, and gives what to call when the focus is back. Chromium leaves the
 * selection in the dialog, which is about to be removed: keys would go nowhere though the field looks ready.
 */
function keepCaret(): () => void {
  const field = document.activeElement
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return () => {}
  const { selectionStart, selectionEnd } = field
  return () => {
    if (selectionStart !== null && document.activeElement === field)
      field.setSelectionRange(selectionStart, selectionEnd)
  }
}

interface ConfirmProps {
  title: string
  /** The button that does it; its words name the effect. */
  yes: string
  danger?: boolean
  onAnswer: (yes: boolean) => void
  /** What will happen. */
  children: ReactNode
}

/** Asks before something is done. The safe choice has the focus. */
export function ConfirmDialog({ title, yes, danger = false, onAnswer, children }: ConfirmProps) {
  const { t } = useI18n()
  return (
    <Dialog label={title} title={title} onClose={() => onAnswer(false)}>
      <div className="v-dialog-body">
        {children}
        <div className="v-actions">
          {/* The dialog looks for the attribute when it opens; React's autoFocus acts before that. */}
          <Button ref={button => button?.setAttribute('autofocus', '')} onClick={() => onAnswer(false)}>
            {t('action.cancel')}
          </Button>
          <Button look={danger ? 'plain' : 'primary'} danger={danger} onClick={() => onAnswer(true)}>
            {visible(yes)}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
