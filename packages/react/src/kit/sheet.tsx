import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Dialog } from './dialog.tsx'
import { withClass } from './with-class.ts'

/** How far a sheet has to be pulled down to be closed. */
const FAR = 48

const ENTRY_AFTER = 50

interface Props {
  label: string
  className?: string
  onClose: () => void
  children: ReactNode
}

/** A pane of a narrow window, which comes up from the lower edge. Its handle closes it by a pull, a press or a key. */
export function Sheet({ label, className, onClose, children }: Props) {
  const { t } = useI18n()
  const from = useRef<number | null>(null)
  const end = (event: PointerEvent) => {
    if (from.current !== null && event.clientY - from.current > FAR) onClose()
    from.current = null
  }
  return (
    <Dialog label={label} className={withClass('v-sheet', className)} onClose={onClose}>
      <button
        type="button"
        className="v-grab"
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

/** Makes Back of the browser close what is open, as it does on a phone, and not leave the page below it. */
export function useBackCloses(onClose: () => void): void {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const { href } = location
    let stands = false
    // An effect that React only tries out must not leave an entry behind, and a sheet that was closed right before this
    // one is still taking its own entry away.
    const timer = setTimeout(() => {
      history.pushState(history.state, '')
      stands = true
    }, ENTRY_AFTER)
    const onBack = () => {
      if (!stands) return
      stands = false
      close.current()
    }
    addEventListener('popstate', onBack)
    return () => {
      clearTimeout(timer)
      removeEventListener('popstate', onBack)
      if (stands && location.href === href) history.back()
    }
  }, [])
}
