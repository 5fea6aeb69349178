import type { Outcome, VitrineClient } from '@vitrine/client'
import { findSessions, type SearchOptions, searchMessages } from '@vitrine/client/lists'
import type { Answer, FoundMessage, FoundSession, Problem } from '@vitrine/protocol'
import { useCallback, useEffect, useRef, useState } from 'react'

/** What is looked for, and where. */
export interface Asked {
  text: string
  /** Sessions, each with some of its messages, or messages one by one. */
  by: 'sessions' | 'messages'
  agentId: string | null
  time: SearchTime
}

/** How far back a search goes. */
export type SearchTime = 'any' | 'today' | 'week' | 'month'

/** One line of what was found: a session with some of its messages. Asked for messages, it has one. */
export type Hit = FoundSession

type Counts = Pick<Answer<'FoundSessions'>, 'total' | 'messages' | 'searched' | 'bounded'>

/** What was found, as far as it is loaded. */
export interface Found extends Counts {
  asked: Asked
  /** Sessions, or single messages, as it was asked for. */
  hits: readonly Hit[]
  cursor: string | null
}

/** How a search stands. What was found before stays until the next answer. */
export interface FoundState {
  found: Found | null
  /** Whether an answer is awaited: of a new search, or of its next page. */
  busy: 'search' | 'more' | null
  problem: Problem | null
  loadMore: () => void
  again: () => void
}

const FIRST = 10
/** What one press loads. */
export const NEXT = 50
const DAY = 24 * 60 * 60 * 1000

/** The first moment that a search looks at. */
function sinceOf(time: SearchTime, now: number): number | undefined {
  if (time === 'any') return undefined
  return time === 'today' ? new Date(now).setHours(0, 0, 0, 0) : now - { week: 7, month: 30 }[time] * DAY
}

export const isSame = (a: Asked, b: Asked): boolean =>
  a.text === b.text && a.by === b.by && a.agentId === b.agentId && a.time === b.time

/** Asks the server when `asked` changes, and for more when somebody wants more. Without a text nothing is found. */
export function useFound(client: VitrineClient, asked: Asked): FoundState {
  const { text, by, agentId, time } = asked
  const [state, setState] = useState<Pick<FoundState, 'found' | 'busy' | 'problem'>>(NOTHING)
  const [tries, setTries] = useState(0)
  const current = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks for the same again.
  useEffect(() => {
    const mine = ++current.current
    if (!text) return setState(NOTHING)
    setState(before => ({ found: before.found, busy: 'search', problem: null }))
    pageOf(client, { text, by, agentId, time }, null).then(answer => {
      if (current.current !== mine) return
      setState(before =>
        answer.ok
          ? { found: answer.value, busy: null, problem: null }
          : { found: before.found, busy: null, problem: answer.problem },
      )
    })
  }, [client, text, by, agentId, time, tries])
  const { found } = state
  const loadMore = useCallback(async () => {
    if (!found?.cursor) return
    const mine = current.current
    setState(before => ({ ...before, busy: 'more', problem: null }))
    const answer = await pageOf(client, found.asked, found)
    if (current.current !== mine) return
    setState({ found: answer.ok ? answer.value : found, busy: null, problem: answer.ok ? null : answer.problem })
  }, [client, found])
  const again = useCallback(() => setTries(count => count + 1), [])
  return { ...state, loadMore, again }
}

const NOTHING = { found: null, busy: null, problem: null }

/** The first page, or what was found before with the page behind it. */
async function pageOf(client: VitrineClient, asked: Asked, before: Found | null): Promise<Outcome<Found>> {
  const { text, by, agentId, time } = asked
  const since = sinceOf(time, Date.now())
  const options: SearchOptions = {
    limit: before ? NEXT : FIRST,
    ...(agentId !== null && { agentId }),
    ...(since !== undefined && { since }),
  }
  const page = { ...options, ...(before?.cursor && { cursor: before.cursor }) }
  if (by === 'sessions') {
    const answer = await findSessions(client, text, page)
    if (!answer.ok) return answer
    const { sessions, ...rest } = answer.value
    return { ok: true, value: { asked, ...rest, hits: joined(by, before?.hits ?? [], sessions) } }
  }
  const [answer, counted] = await Promise.all([
    searchMessages(client, text, page),
    before ? { ok: true as const, value: before } : findSessions(client, text, { ...options, limit: 1 }),
  ])
  if (!answer.ok) return answer
  if (!counted.ok) return counted
  const { total, messages, searched, bounded } = counted.value
  const { results, cursor } = answer.value
  const hits = joined(by, before?.hits ?? [], results.map(hitOf))
  return { ok: true, value: { asked, total, messages, searched, bounded, cursor, hits } }
}

const hitOf = ({ session, ...message }: FoundMessage): Hit => ({ session, messages: [message], count: 1 })

/** What tells a hit apart: the session, or the message of it. */
export const idOfHit = ({ session, messages }: Hit, by: Asked['by']): string =>
  by === 'sessions' ? session.sessionId : `${session.sessionId}/${messages[0]?.ordinal}`

/** What is new behind what is there. A session that changed meanwhile, or a long message with several places, comes twice. */
function joined(by: Asked['by'], before: readonly Hit[], next: readonly Hit[]): Hit[] {
  const all = new Map(before.map(hit => [idOfHit(hit, by), hit]))
  for (const hit of next) if (!all.has(idOfHit(hit, by))) all.set(idOfHit(hit, by), hit)
  return [...all.values()]
}
