/** In a hidden tab no frames are drawn: then this is how often subscribers are told. */
const HIDDEN_MS = 100
/** Where there are no frames at all. */
const FRAME_MS = 16

/** Calls `flush` once a frame at most, however often it is asked for. */
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
      // Both, because a tab may be hidden between the request and its frame.
      const hidden = typeof document === 'object' && document.hidden
      const drawn = !hidden && typeof requestAnimationFrame === 'function'
      timer = setTimeout(run, drawn || hidden ? HIDDEN_MS : FRAME_MS)
      if (drawn) frame = requestAnimationFrame(run)
    },
    cancel,
  }
}
