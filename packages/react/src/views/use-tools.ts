import type { Outcome, SessionHandle } from '@vitrine/client'
import { listTools, updateTools } from '@vitrine/client/tools'
import type { Answer, Command, Problem } from '@vitrine/protocol'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntityValue, useReadable } from '../hooks.ts'

/** The tools of a session as the server listed them last, and how that went. */
export interface ListedTools {
  /** Null until they came for the first time. */
  readonly answer: Answer<'SessionTools'> | null
  /** Why the newest question was not answered. */
  readonly problem: Problem | null
  /** Whether the list may be older than what the server knows. */
  readonly offline: boolean
  reload(): void
  change(command: Command<'updateTools'>): Promise<Outcome<Answer<'SessionTools'>>>
}

/** Facts come in groups, such as the calls of one step. They are one reason to ask. */
const TOGETHER_MS = 250
/** A source that starts is ready soon, and no event tells of it. */
const STARTING_MS = 3_000

/**
 * Lists the tools of a session, and again when its facts say that something about them has changed: a choice in any tab,
 * a run that began or ended, a call.
 */
export function useTools(handle: SessionHandle): ListedTools {
  const { client } = useVitrine()
  const { sessionId } = handle
  const [answer, setAnswer] = useState<Answer<'SessionTools'> | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [wishes, setWishes] = useState(0)
  const newest = useRef(0)
  const { state } = useReadable(client.connection)
  const offline = state !== 'live' && state !== 'catching-up'
  const facts = useEntityValue(
    handle,
    'session',
    ({ session }) => `${session.activeRunId} ${JSON.stringify(session.metadata.tools ?? null)}`,
  )
  const calls = useEntityValue(handle, 'tools', ({ tools }) => tools.byId.size)
  const starting = answer?.items.some(({ source }) => source.health.state === 'starting') ?? false

  const ask = useCallback(async (question: () => Promise<Outcome<Answer<'SessionTools'>>>) => {
    const asked = ++newest.current
    const outcome = await question()
    // An older answer does not take the place of a newer one.
    if (asked === newest.current) {
      if (outcome.ok) setAnswer(outcome.value)
      setProblem(outcome.ok ? null : outcome.problem)
    }
    return outcome
  }, [])
  const known = answer !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of the facts is a reason to ask again.
  useEffect(() => {
    if (offline) return
    const timer = setTimeout(() => ask(() => listTools(client, sessionId)), known ? TOGETHER_MS : 0)
    return () => clearTimeout(timer)
  }, [client, sessionId, ask, offline, facts, calls, wishes])
  useEffect(() => {
    const reload = () => document.visibilityState === 'visible' && setWishes(count => count + 1)
    document.addEventListener('visibilitychange', reload)
    const timer = starting ? setInterval(reload, STARTING_MS) : undefined
    return () => {
      document.removeEventListener('visibilitychange', reload)
      clearInterval(timer)
    }
  }, [starting])
  const change = useCallback(
    async (command: Command<'updateTools'>) => {
      const before = newest.current
      const outcome = await updateTools(client, sessionId, command)
      // A choice that was refused leaves the list as it is; whoever made it is told.
      if (outcome.ok && before === newest.current) await ask(async () => outcome)
      return outcome
    },
    [client, sessionId, ask],
  )
  const reload = useCallback(() => setWishes(count => count + 1), [])
  return { answer, problem, offline, reload, change }
}
