// Providers of models, and the agents that people make. This is an entry of its own, so that whoever does not show settings
// does not load it.

import type { Answer, Command } from '@vitrine/protocol'
import { newId } from './commands.ts'
import { type Connected, sendOf } from './send-of.ts'
import type { Outcome } from './types.ts'

const providerPath = (providerId: string): string => `/providers/${encodeURIComponent(providerId)}`
const agentPath = (agentId: string): string => `/agents/${encodeURIComponent(agentId)}`

/** The kinds of providers that can be connected, and the providers that are. No key is ever among it. */
export const listProviders = (client: Connected): Promise<Outcome<Answer<'ProviderList'>>> =>
  sendOf(client)('GET', '/providers')

/** Connects a provider, or changes one. A key that is left out stays as it is, and null takes it away. */
export const saveProvider = (
  client: Connected,
  provider: Command<'saveProvider'>,
  providerId = newId(),
): Promise<Outcome<Answer<'ProviderSaved'>>> =>
  sendOf(client)('PUT', providerPath(providerId), { body: provider, key: newId() })

/** Takes a provider away, with its key. Agents that use it stay, and say that it is missing. */
export const deleteProvider = (client: Connected, providerId: string): Promise<Outcome> =>
  sendOf(client)('DELETE', providerPath(providerId))

/** Tests a provider, connected or not, and says in words what is wrong. `ok` of the value says whether it works. */
export const testProvider = (
  client: Connected,
  access: Command<'testProvider'>,
): Promise<Outcome<Answer<'ProviderTested'>>> =>
  sendOf(client)('POST', '/provider-tests', { body: access, key: newId() })

/** The models of all connected providers. With `fresh` the providers are asked, also when they said it a moment ago. */
export const listModels = (
  client: Connected,
  options: { fresh?: boolean } = {},
): Promise<Outcome<Answer<'ModelList'>>> => sendOf(client)('GET', options.fresh ? '/models?fresh=true' : '/models')

/** An agent, with what it is made of when a person has made it. */
export const getAgent = (client: Connected, agentId: string): Promise<Outcome<Answer<'AgentDetails'>>> =>
  sendOf(client)('GET', agentPath(agentId))

/** Makes an agent. A copy of another one is made with the `config` of that one. */
export const createAgent = (
  client: Connected,
  agent: Command<'createAgent'>,
): Promise<Outcome<Answer<'AgentDetails'>>> => sendOf(client)('POST', '/agents', { body: agent, key: newId() })

/** Changes the given fields of an agent. Runs that are under way keep what they began with. */
export const updateAgent = (
  client: Connected,
  agentId: string,
  change: Command<'updateAgent'>,
): Promise<Outcome<Answer<'AgentDetails'>>> =>
  sendOf(client)('PATCH', agentPath(agentId), { body: change, key: newId() })

/** Deletes an agent. Its sessions stay and can be read, and take no more turns. */
export const deleteAgent = (client: Connected, agentId: string): Promise<Outcome> =>
  sendOf(client)('DELETE', agentPath(agentId))
