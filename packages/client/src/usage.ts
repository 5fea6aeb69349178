// What runs have used. This is an entry of its own, so that whoever does not show it does not load it.

import type { Answer } from '@vitrine/protocol'
import { type Connected, sendOf } from './send-of.ts'
import type { Outcome } from './types.ts'

/** Of which time, in milliseconds since 1970, and of which session. */
export interface UsageSpan {
  from: number
  to: number
  /** Minutes that the local time is ahead of UTC: it says where a day begins. */
  offset?: number
  sessionId?: string
}

/** What the runs of the person have used, by day, agent and model. */
export const getUsage = (client: Connected, span: UsageSpan): Promise<Outcome<Answer<'Usage'>>> => {
  const query = new URLSearchParams(Object.entries(span).map(([name, value]) => [name, String(value)]))
  return sendOf(client)('GET', `/usage?${query}`)
}
