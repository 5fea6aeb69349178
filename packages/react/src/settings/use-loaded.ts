import type { Outcome } from '@vitrine/client'
import type { Problem } from '@vitrine/protocol'
import { useCallback, useEffect, useState } from 'react'

export interface Loaded<T> {
  /** What was answered last. It stays while it is asked for again. */
  value: T | null
  problem: Problem | null
  /** Asks again. */
  again: () => Promise<void>
}

/** What a question to the server was answered with. `ask` keeps its identity. */
export function useLoaded<T>(ask: () => Promise<Outcome<T>>): Loaded<T> {
  const [value, setValue] = useState<T | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const again = useCallback(async () => {
    const answer = await ask()
    setProblem(answer.ok ? null : answer.problem)
    if (answer.ok) setValue(answer.value)
  }, [ask])
  useEffect(() => void again(), [again])
  return { value, problem, again }
}
