// The tools of a session. This is an entry of its own, so that whoever does not show them does not load it.

import type { Answer, Command } from '@vitrine/protocol'
import { sessionPath } from './commands.ts'
import { type Connected, sendOf } from './send-of.ts'
import type { Outcome } from './types.ts'

/** The tools that a session has now, who offers them, and what they may do. */
export const listTools = (client: Connected, sessionId: string): Promise<Outcome<Answer<'SessionTools'>>> =>
  sendOf(client)('GET', `${sessionPath(sessionId)}/tools`)

/** Says what tools may do in a session: the mode, and what counts for single tools. */
export const updateTools = (
  client: Connected,
  sessionId: string,
  change: Command<'updateTools'>,
): Promise<Outcome<Answer<'SessionTools'>>> =>
  sendOf(client)('PATCH', `${sessionPath(sessionId)}/tools`, { body: change })
