import { summaryOf } from '../log/list-row.ts'
import { Refusal } from '../refusal.ts'
import type { FoundText, SearchStore } from '../storage/search-store.ts'
import type { Runtime, SearchQuery } from './runtime.ts'
import { isAfter, readCursor, writeCursor } from './sessions.ts'

/** What people find in their own sessions. */
export function createSearching(storage: SearchStore): Pick<Runtime, 'searchMessages' | 'findSessions'> {
  return {
    async searchMessages(who, query) {
      const { limit, cursor } = query
      const before = cursor === undefined ? undefined : placeOf(cursor)
      const found = await storage.searchTexts({
        ...searchOf(who.id, query),
        limit: limit + 1,
        ...(before !== undefined && { before }),
      })
      const page = found.slice(0, limit)
      const results = page.map(text => ({ session: summaryOf(text.session), ...messageOf(text) }))
      return { results, cursor: found.length > limit ? `${page.at(-1)!.place}` : null }
    },

    async findSessions(who, query) {
      const { limit, cursor } = query
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const search = searchOf(who.id, query)
      const { found, messages, searched, bounded } = await storage.findSessions(search)
      const rest = after ? found.filter(({ session }) => isAfter(session, after)) : found
      const page = rest.slice(0, limit)
      const texts = await storage.textsAt(
        search,
        page.flatMap(({ places }) => places),
      )
      const byPlace = new Map(texts.map(text => [text.place, text]))
      const sessions = page.map(({ session, messages: count, places }) => ({
        session: summaryOf(session),
        messages: places.flatMap(place => byPlace.get(place) ?? []).map(messageOf),
        count,
      }))
      const next = rest.length > limit ? writeCursor(page.at(-1)!.session) : null
      return { sessions, cursor: next, total: found.length, messages, searched, bounded }
    },
  }
}

const searchOf = (owner: string, { text, agentId, since }: SearchQuery) => ({
  owner,
  text,
  ...(agentId !== undefined && { agentId }),
  ...(since !== undefined && { since }),
})

const messageOf = ({ place: _, session: __, ...message }: FoundText) => message

function placeOf(cursor: string): number {
  if (/^\d{1,16}$/.test(cursor)) return Number(cursor)
  const why = 'The cursor is not one that this server gave out.'
  throw new Refusal('cursor_invalid', why, { next: 'Start from the first page.' })
}
