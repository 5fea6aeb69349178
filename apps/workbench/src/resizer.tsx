import type { KeyboardEvent, PointerEvent } from 'react'

interface Props {
  label: string
  width: number
  min: number
  max: number
  /** The pane lies before (start) or after (end) the line. */
  pane: 'start' | 'end'
  onResize: (width: number) => void
}

/** The line between two panes, moved by pointer or arrow keys. */
export function Resizer({ label, width, min, max, pane, onResize }: Props) {
  const clamp = (value: number) => Math.round(Math.min(max, Math.max(min, value)))
  const sign = () => (pane === 'start' ? 1 : -1) * (document.dir === 'rtl' ? -1 : 1)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const line = event.currentTarget
    const from = event.clientX
    line.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => onResize(clamp(width + sign() * (moved.clientX - from)))
    line.addEventListener('pointermove', move)
    line.addEventListener('lostpointercapture', () => line.removeEventListener('pointermove', move), { once: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    onResize(clamp(width + sign() * step))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is not a rule.
    <div
      className="w-resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  )
}
