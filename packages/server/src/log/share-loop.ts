/** Streamed output holds the event loop no longer than this in a row, however many agents speak without a pause. */
const MOST_MS = 8

let since: number | undefined
let next: Promise<void> | undefined

/** A promise to wait for when it is time to let others have a turn of the event loop. */
export function othersTurn(): Promise<void> | undefined {
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
