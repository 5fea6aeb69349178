import X from 'lucide-react/icons/x'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useI18n } from './i18n/i18n.tsx'
import { visible, visibleText } from './visible.tsx'

/** The native modal dialog: focus is held and given back, Escape and a click outside close it. */
export function Dialog(props: {
  label: string
  className?: string
  title?: string
  onClose: () => void
  children: ReactNode
}) {
  const { label, className = '', title, onClose, children } = props
  const { t } = useI18n()
  const element = useRef<HTMLDialogElement>(null)
  // A layout effect: its clean-up runs while the element is still there, and closing gives the focus back.
  useLayoutEffect(() => {
    const dialog = element.current!
    if (!dialog.open) dialog.showModal()
    return () => dialog.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for closing is Escape, which the element handles itself.
    <dialog
      ref={element}
      className={`v-dialog ${className}`}
      aria-label={visibleText(label)}
      onCancel={event => {
        // React passes on what a dialog inside this one was told: Escape closes one at a time.
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
          <button type="button" className="v-button v-quiet v-icon" aria-label={t('action.close')} onClick={onClose}>
            <X aria-hidden />
          </button>
        </header>
      )}
      {children}
    </dialog>
  )
}
