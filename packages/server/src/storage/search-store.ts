import type { Snippet } from '@vitrine/protocol'
import type { SessionRow } from './session-store.ts'

/** A text that can be found: a text part of a message on the active path, or the words of a surface or card that it shows. */
export interface SearchableText {
  messageId: string
  ordinal: number
  partId: string
  role: 'user' | 'assistant' | 'system'
  at: number
  text: string
}

/** What an append changes of what can be found. It is done in the order of these fields. */
export interface TextChange {
  /** Nothing of the session is found until `indexTexts` has brought all of its texts again. */
  anew?: true
  /** Messages from this ordinal on have left the active path. */
  leaveFrom?: number
  /** Parts that are not shown any more. */
  remove?: readonly string[]
  put?: readonly SearchableText[]
}

/** What a person looks for, and where. */
export interface TextSearch {
  owner: string
  text: string
  /** Only in sessions of this agent. */
  agentId?: string
  /** Only what was said at this time or later. */
  since?: number
}

/** Which page of what a person can find is wanted. */
export interface TextQuery extends TextSearch {
  limit: number
  /** The place of the last result of the page before. */
  before?: number
}

/** A message in which the words were found. */
export interface FoundText extends Omit<SearchableText, 'text' | 'partId'> {
  /** Rises with time. */
  place: number
  session: SessionRow
  snippet: Snippet
}

/** A session in which the words were found. */
export interface SessionFound {
  session: SessionRow
  /** How many of its messages have the words; none when only its title has them. */
  messages: number
  /** The places of the newest such messages, at most `NEWEST`. */
  places: number[]
}

/** The sessions in which the words were found, those that changed last first. */
export interface SessionsFound {
  found: SessionFound[]
  /** How many messages were found. */
  messages: number
  /** How many sessions were looked through. */
  searched: number
  /** The search ended at `MOST_FOUND`: what is older was not looked at. */
  bounded: boolean
}

/** So many texts, so many titles and so many sessions are counted, and no more. */
export const MOST_FOUND = 1_000
/** So many messages of a session are told apart. */
export const NEWEST = 2

/**
 * The texts of messages, by their words. `append` of LogStore brings new texts in the same commit as their events. All of
 * it can be made again from the logs.
 */
export interface SearchStore {
  /** The newest texts of this person's sessions that have all words, strictly before a place. Hidden sessions are not found. */
  searchTexts(query: TextQuery): Promise<FoundText[]>
  /** The sessions that have all words in their title or in one message, counted up to a bound. */
  findSessions(search: TextSearch): Promise<SessionsFound>
  /** The texts at these places, as `searchTexts` gives them. What is not there any more, or not this person's, is left out. */
  textsAt(search: Pick<TextSearch, 'owner' | 'text'>, places: readonly number[]): Promise<FoundText[]>
  /** The newest sessions whose texts are not all here: they were made by an older version, or as a copy. */
  unindexed(limit: number): Promise<string[]>
  /**
   * Brings texts of such a session, and says whether they were taken: not when its log does not end at `seq` any more. With
   * `last` all of its texts are here.
   */
  indexTexts(sessionId: string, seq: number, texts: readonly SearchableText[], last: boolean): Promise<boolean>
}
