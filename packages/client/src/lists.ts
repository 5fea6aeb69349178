import { type Answer, MAX_SEARCH, type SessionSummary } from '@vitrine/protocol'
import { newId } from './commands.ts'
import { type Connected, sendOf } from './send-of.ts'
import type { Outcome } from './types.ts'

// What people do with their list of sessions beyond following it. It is an entry of its own, so that an interface that only
// shows a session does not load it.

const folderPath = (folderId: string): string => `/folders/${encodeURIComponent(folderId)}`

/** Where a search looks, and which page of it is wanted. */
export interface SearchOptions {
  /** Only in sessions of this agent. */
  agentId?: string
  /** Only what was said at this time or later. */
  since?: number
  limit?: number
  /** The `cursor` of the page before. */
  cursor?: string
}

function searchQuery(text: string, options: SearchOptions): string {
  const query = new URLSearchParams({ q: text.slice(0, MAX_SEARCH) })
  for (const [name, value] of Object.entries(options)) query.set(name, String(value))
  return query.toString()
}

/** The newest sessions whose title has this text, loaded or not. They are not kept live. */
export async function searchSessions(client: Connected, text: string): Promise<Outcome<SessionSummary[]>> {
  const answer = await sendOf(client)<Answer<'SessionList'>>('GET', `/sessions?${searchQuery(text, {})}`)
  return answer.ok ? { ok: true, value: answer.value.sessions } : answer
}

/** The newest messages of all sessions of the person that have every word of the text. */
export const searchMessages = (
  client: Connected,
  text: string,
  options: SearchOptions = {},
): Promise<Outcome<Answer<'SearchResults'>>> => sendOf(client)('GET', `/search?${searchQuery(text, options)}`)

/** The sessions of the person that have every word of the text in their title or in a message, and how many there are. */
export const findSessions = (
  client: Connected,
  text: string,
  options: SearchOptions = {},
): Promise<Outcome<Answer<'FoundSessions'>>> => sendOf(client)('GET', `/search/sessions?${searchQuery(text, options)}`)

/** Makes a folder, or gives it another name. With the same `folderId` it is the same folder, also one that was deleted. */
export const saveFolder = (
  client: Connected,
  name: string,
  folderId = newId(),
): Promise<Outcome<Answer<'FolderSaved'>>> => sendOf(client)('PUT', folderPath(folderId), { body: { name } })

/** Deletes a folder. The sessions in it stay. */
export const deleteFolder = (client: Connected, folderId: string): Promise<Outcome> =>
  sendOf(client)('DELETE', folderPath(folderId))

/** The sessions that were put away. They are not kept live. */
export const listArchivedSessions = (client: Connected): Promise<Outcome<SessionSummary[]>> => all(client, 'archived')

/** The deleted sessions that can still be brought back; each has `eraseAt`. */
export const listDeletedSessions = (client: Connected): Promise<Outcome<SessionSummary[]>> => all(client, 'deleted')

async function all(client: Connected, only: 'archived' | 'deleted'): Promise<Outcome<SessionSummary[]>> {
  const send = sendOf(client)
  const sessions: SessionSummary[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ only, limit: '200', ...(cursor && { cursor }) })
    const answer: Outcome<Answer<'SessionList'>> = await send('GET', `/sessions?${query}`)
    if (!answer.ok) return answer
    sessions.push(...answer.value.sessions)
    cursor = answer.value.cursor
  }
  return { ok: true, value: sessions }
}
