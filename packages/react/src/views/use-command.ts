import type { Outcome } from '@vitrine/client'
import type { Problem } from '@vitrine/protocol'
import { useCallback, useState } from 'react'
import { goOnWriting } from '../shortcuts.ts'

/** A command that a button sends: whether it is on its way, and why it was refused. */
export interface CommandState {
  readonly sending: boolean
  readonly problem: Problem | null
  /** Sends it. What it changed comes with the stream; the answer says whether it was taken. */
  readonly send: <T>(command: () => Promise<Outcome<T>>) => Promise<Outcome<T>>
}

/** Sends a command whose button goes away when it is taken: the focus goes to where people write. */
export async function sendAway<T>(send: CommandState['send'], command: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const done = goOnWriting()
  const answer = await send(command)
  if (answer.ok) done()
  return answer
}

export function useCommand(): CommandState {
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const send = useCallback(async <T>(command: () => Promise<Outcome<T>>) => {
    setSending(true)
    setProblem(null)
    const answer = await command()
    setSending(false)
    if (!answer.ok) setProblem(answer.problem)
    return answer
  }, [])
  return { sending, problem, send }
}
