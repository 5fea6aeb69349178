/** In a hidden tab no frames are drawn: then this is how often subscribers are told. */
const HIDDEN_MS = 100
/** Where there are no frames at all. */
const FRAME_MS = 16

/**
 * Calls `flush` before the next frame is drawn, once, however often it is requested. A page that is hidden draws no
 * frames, and there a timer calls it.
 */
export function onceAFrame(flush: () => void): { request(): void; cancel(): void } {
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    if (frame) cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = 0
    timer = undefined
  }
  const run = () => {
    cancel()
    flush()
  }
  return {
    request() {
      if (timer !== undefined) return
      // Both, because a hidden tab draws no frame, and a tab may be hidden at any time.
      const draws = typeof requestAnimationFrame === 'function'
      timer = setTimeout(run, draws ? HIDDEN_MS : FRAME_MS)
      if (draws) frame = requestAnimationFrame(run)
    },
    cancel,
  }
}
