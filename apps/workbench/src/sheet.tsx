import { Dialog, useI18n } from '@vitrine/react'
import { type PointerEvent, type ReactNode, useRef } from 'react'

/** How far a sheet has to be pulled down to be closed. */
const FAR = 48

/** A pane of a narrow window, which comes up from the lower edge. Its handle closes it by a pull, a press or a key. */
export function Sheet({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const { t } = useI18n()
  const from = useRef<number | null>(null)
  const end = (event: PointerEvent) => {
    if (from.current !== null && event.clientY - from.current > FAR) onClose()
    from.current = null
  }
  return (
    <Dialog label={label} className="w-sheet" onClose={onClose}>
      <button
        type="button"
        className="w-grab"
        aria-label={t('layout.grab')}
        // The dialog gives the focus to what has this attribute; a field would call up the keyboard of a phone.
        ref={button => button?.setAttribute('autofocus', '')}
        onClick={onClose}
        onPointerDown={event => {
          from.current = event.clientY
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerUp={end}
        onPointerCancel={end}
      />
      {children}
    </Dialog>
  )
}
