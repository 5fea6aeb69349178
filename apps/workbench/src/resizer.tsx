import type { KeyboardEvent, PointerEvent } from 'react'

interface Props {
  label: string
  width: number
  min: number
  max: number
  /** The width that a double click gives back. */
  usual: number
  /** The pane lies before (start) or after (end) the gap. */
  pane: 'start' | 'end'
  onResize: (width: number) => void
}

/** The gap between two panes, moved by pointer or arrow keys. A double click or Enter resets it. */
export function Resizer({ label, width, min, max, usual, pane, onResize }: Props) {
  const clamp = (value: number) => Math.round(Math.min(max, Math.max(min, value)))
  const sign = (gap: Element) => (pane === 'start' ? 1 : -1) * (getComputedStyle(gap).direction === 'rtl' ? -1 : 1)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const gap = event.currentTarget
    const from = event.clientX
    const way = sign(gap)
    gap.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => {
      // A click, or the first of two, moves nothing.
      if (Math.abs(moved.clientX - from) > 2) onResize(clamp(width + way * (moved.clientX - from)))
    }
    gap.addEventListener('pointermove', move)
    gap.addEventListener('lostpointercapture', () => gap.removeEventListener('pointermove', move), { once: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
    const next = step !== undefined ? clamp(width + sign(event.currentTarget) * step) : usual
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    onResize(next)
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
      onDoubleClick={() => onResize(usual)}
      onKeyDown={onKeyDown}
    />
  )
}
