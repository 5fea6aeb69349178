// Prompts and resources of MCP servers. This is an entry of its own, so that whoever does not offer them does not load it.

import type { Answer, Command } from '@vitrine/protocol'
import { sessionPath } from './commands.ts'
import { type Connected, sendOf } from './send-of.ts'
import type { Outcome } from './types.ts'

/** The prompts that a person may choose in a session, such as `/` commands. */
export const listPrompts = (client: Connected, sessionId: string): Promise<Outcome<Answer<'SessionPrompts'>>> =>
  sendOf(client)('GET', `${sessionPath(sessionId)}/prompts`)

/** Has a source fill a prompt with its arguments. What comes back is for the composer. */
export const fillPrompt = (
  client: Connected,
  sessionId: string,
  prompt: Command<'fillPrompt'>,
): Promise<Outcome<Answer<'FilledPrompt'>>> =>
  sendOf(client)('POST', `${sessionPath(sessionId)}/prompts/fill`, { body: prompt })

/** The resources that a person may read and attach in a session. */
export const listResources = (client: Connected, sessionId: string): Promise<Outcome<Answer<'SessionResources'>>> =>
  sendOf(client)('GET', `${sessionPath(sessionId)}/resources`)

/** What a resource has now. To give it to the agent, upload it as a file and attach that to a turn. */
export const readResource = (
  client: Connected,
  sessionId: string,
  resource: Command<'readResource'>,
): Promise<Outcome<Answer<'ResourceContents'>>> =>
  sendOf(client)('POST', `${sessionPath(sessionId)}/resources/read`, { body: resource })
