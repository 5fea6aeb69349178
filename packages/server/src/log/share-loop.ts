/** Streamed output keeps the event loop no longer than this in a row, however many agents speak without a pause. */
const MOST_MS = 8

let since: number | undefined
let next: Promise<void> | undefined

/** A promise to wait for, when streamed output has kept the event loop for so long that others must work now. */
export function pauseForOthers(): Promise<void> | undefined {
  const now = performance.now()
  if (since === undefined) {
    since = now
    setImmediate(() => {
      since = undefined
    })
  }
  if (now - since < MOST_MS) return undefined
  next ??= new Promise(resolve =>
    setImmediate(() => {
      next = undefined
      resolve()
    }),
  )
  return next
}
