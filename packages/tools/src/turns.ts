/** Lets a few do their work at the same time, and the others wait their turn. */
export function takingTurns(most: number): <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let busy = 0
  return async (signal, work) => {
    if (busy >= most) {
      const turn = Promise.withResolvers<void>()
      const leave = (): void => {
        const at = waiting.indexOf(turn.resolve)
        if (at === -1) return
        waiting.splice(at, 1)
        turn.reject(signal.reason)
      }
      waiting.push(turn.resolve)
      signal.addEventListener('abort', leave, { once: true })
      try {
        signal.throwIfAborted()
        // Whoever ends hands on its place, so that nobody takes it in between.
        await turn.promise
      } catch (error) {
        leave()
        throw error
      } finally {
        signal.removeEventListener('abort', leave)
      }
    } else busy++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy--
    }
  }
}
