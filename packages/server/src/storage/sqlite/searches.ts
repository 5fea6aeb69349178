import { MOST_FOUND, NEWEST, type SearchStore, type SessionFound, type TextQuery } from '../search-store.ts'
import type { Reads } from './operations.ts'
import type { Step } from './texts.ts'

/** So many sessions of a person are looked at for their titles. */
const MOST_SESSIONS = 10_000

type Read = <K extends 'searchTexts' | 'matches' | 'matched' | 'textsAt'>(
  name: K,
  ...args: Parameters<Reads[K]>
) => Promise<ReturnType<Reads[K]>>

/** Puts searches together from steps: between two of them the worker that reads is free for others. */
export function searchesBy(read: Read): Pick<SearchStore, 'searchTexts' | 'findSessions' | 'textsAt'> {
  async function all<T>(query: TextQuery, read: (rest: TextQuery) => Promise<Step<T, number>>): Promise<T[]> {
    const found: T[] = []
    for (let next = query.before; ; ) {
      const step = await read({
        ...query,
        limit: query.limit - found.length,
        ...(next !== undefined && { before: next }),
      })
      found.push(...step.found)
      if (step.next === null) return found
      next = step.next
    }
  }

  return {
    searchTexts: query => all(query, rest => read('searchTexts', rest)),

    async findSessions(search) {
      const matches = await all({ ...search, limit: MOST_FOUND + 1 }, rest => read('matches', rest))
      let bounded = matches.length > MOST_FOUND
      // Of a long message several texts can match: it is one message.
      const messages = new Map(
        matches.slice(0, MOST_FOUND).map(match => [`${match.session}/${match.ordinal}`, match] as const),
      )
      const bySession = Map.groupBy(messages.values(), ({ session }) => session)
      const found: SessionFound[] = []
      let searched = 0
      for (let after: Parameters<Reads['matched']>[2]; ; ) {
        const step = await read('matched', search, [...bySession.keys()], after)
        searched += step.looked
        for (const { number, session } of step.found) {
          const places = (bySession.get(number) ?? []).map(({ place }) => place).sort((a, b) => b - a)
          found.push({ session, messages: places.length, places: places.slice(0, NEWEST) })
        }
        const most = searched >= MOST_SESSIONS || found.length >= MOST_FOUND
        bounded ||= most && step.next !== null
        if (step.next === null || most) return { found, messages: messages.size, searched, bounded }
        after = step.next
      }
    },

    async textsAt(search, places) {
      const found = []
      for (let rest = places; ; ) {
        const step = await read('textsAt', search, rest)
        found.push(...step.found)
        if (step.next === null) return found
        rest = rest.slice(step.next)
      }
    },
  }
}
