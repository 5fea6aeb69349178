import { randomUUID } from 'node:crypto'
import {
  type AgentCommand,
  type AgentConfig,
  type AgentInfo,
  type Answer,
  type Command,
  type Json,
  type JsonObject,
  jsonEqual,
} from '@vitrine/protocol'
import { agentCapabilities, agentCommand } from '@vitrine/protocol/schema'
import type { Agent } from '../agents/agent.ts'
import { cardOf } from '../agents/agent-card.ts'
import type { AgentRegistry, MadeAgent } from '../agents/agent-registry.ts'
import type { ModelSource } from '../agents/model-source.ts'
import type { Principal } from '../auth/principal.ts'
import { Refusal } from '../refusal.ts'
import type { SettingsStore } from '../storage/settings-store.ts'
import { changed, full, invalid, type KnownProvider, type Providers } from './providers.ts'
import { checkMayHaveSettings, mayHaveSettings } from './who-may.ts'

/** How many agents a person may make. */
const MOST = 200
/** How often a change is tried again that somebody else was faster than. */
const TRIES = 5
/** Efforts of models about which nothing is known. */
const ANY_EFFORT = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']

export interface AgentSettingsOptions {
  storage: SettingsStore
  registry: AgentRegistry
  providers: Pick<Providers, 'known'>
  models?: ModelSource | undefined
}

/** The agents as people see them, make them and change them. */
export interface AgentSettings {
  listAgents(who: Principal): Promise<Answer<'AgentList'>>
  createAgent(who: Principal, command: Command<'createAgent'>): Promise<Answer<'AgentDetails'>>
  getAgent(who: Principal, agentId: string): Promise<Answer<'AgentDetails'>>
  updateAgent(who: Principal, agentId: string, command: Command<'updateAgent'>): Promise<Answer<'AgentDetails'>>
  deleteAgent(who: Principal, agentId: string): Promise<void>
}

type Known = Map<string, KnownProvider>

const DEFAULTS: Omit<AgentConfig, 'name' | 'providerId' | 'modelId'> = {
  description: '',
  avatar: null,
  instructions: '',
  effort: null,
  temperature: null,
  maxSteps: null,
  greeting: '',
  suggestedActions: [],
  tools: {},
  voice: null,
}

export function createAgentSettings({ storage, registry, providers, models }: AgentSettingsOptions): AgentSettings {
  const given = (agentId: string): Agent | undefined => registry.given.find(agent => agent.agentId === agentId)

  function modelOf(
    known: Known,
    { providerId, modelId, effort }: Pick<AgentConfig, 'providerId' | 'modelId' | 'effort'>,
  ) {
    const provider = known.get(providerId)
    const { name, contextTokens } = (provider && models?.info(provider.kind, modelId)) ?? {}
    return {
      providerId,
      ...(provider && { providerName: provider.name, isLocal: provider.isLocal }),
      modelId,
      ...(name !== undefined && { name }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(effort !== null && { effort }),
    }
  }

  function givenInfo(agent: Agent, known: Known): AgentInfo {
    const { capabilities, commands, ...card } = cardOf(agent)
    const { data } = agentCapabilities.safeParse(capabilities)
    const offered = commandsOf(commands)
    const { providerId, modelId, effort = null } = agent.model ?? {}
    const model =
      providerId !== undefined && modelId !== undefined ? modelOf(known, { providerId, modelId, effort }) : undefined
    const problem = providerId === undefined ? undefined : known.get(providerId)?.problem
    return {
      ...card,
      ...(data && { capabilities: data }),
      ...(offered.length > 0 && { commands: offered }),
      madeBy: 'program',
      editable: false,
      ...(model && { model }),
      ...(problem && { problem }),
    }
  }

  function madeInfo({ agentId, config }: MadeAgent, known: Known): AgentInfo {
    const { name, description, avatar, greeting, suggestedActions, voice } = config
    const problem = models ? (known.get(config.providerId) ?? MISSING).problem : NO_MODELS
    return {
      agentId,
      name,
      description,
      scripted: false,
      ...(voice !== null && { capabilities: { voiceId: voice } }),
      madeBy: 'person',
      editable: true,
      model: modelOf(known, config),
      ...(avatar && { avatar }),
      ...(greeting !== '' && { greeting }),
      ...(suggestedActions.length > 0 && { suggestedActions }),
      ...(problem && { problem }),
    }
  }

  const detailsOf = (made: MadeAgent, known: Known): Answer<'AgentDetails'> => ({
    agent: madeInfo(made, known),
    config: made.config,
    version: made.version,
  })

  function check(config: AgentConfig, known: Known, before?: AgentConfig): void {
    const provider = known.get(config.providerId)
    const errors: Parameters<typeof invalid>[0] = []
    if (!provider && config.providerId !== before?.providerId) {
      errors.push({ path: '/providerId', detail: 'This provider is not connected.' })
    }
    if (config.effort !== null && config.effort !== before?.effort) {
      const efforts = (provider && models?.info(provider.kind, config.modelId).efforts) ?? ANY_EFFORT
      if (!efforts.includes(config.effort)) {
        errors.push({ path: '/effort', detail: `This model knows the efforts ${efforts.join(', ')}.` })
      }
    }
    if (errors.length > 0) throw invalid(errors)
  }

  async function own(who: Principal, agentId: string): Promise<MadeAgent> {
    if (given(agentId)) {
      const next = 'Make an agent of your own.'
      throw new Refusal('agent_fixed', 'This agent comes with the server.', { next })
    }
    const made = await registry.madeBy(who.id, agentId)
    if (made) return made
    throw notFound()
  }

  const save = (owner: string, agentId: string, config: AgentConfig, expected: number): Promise<number | undefined> =>
    storage.saveSetting(owner, { kind: 'agent', id: agentId, data: config as unknown as JsonObject }, expected)

  return {
    async listAgents(who) {
      const known = await providers.known(who.id)
      const made = mayHaveSettings(who) ? await registry.made(who.id) : []
      const own = made.filter(({ agentId }) => !given(agentId)).map(one => madeInfo(one, known))
      return { agents: registry.given.map(agent => givenInfo(agent, known)).toSpliced(registry.place, 0, ...own) }
    },

    async getAgent(who, agentId) {
      const known = await providers.known(who.id)
      const agent = given(agentId)
      if (agent) return { agent: givenInfo(agent, known) }
      const made = await registry.madeBy(who.id, agentId)
      if (!made) throw notFound()
      return detailsOf(made, known)
    },

    async createAgent(who, { agentId = `agt_${randomUUID()}`, ...fields }) {
      checkMayHaveSettings(who)
      const config: AgentConfig = { ...DEFAULTS, ...said(fields) }
      const known = await providers.known(who.id)
      const before = await registry.madeBy(who.id, agentId)
      // The same command sent again gets the first agent.
      if (before && jsonEqual(before.config as Json, config as Json)) return detailsOf(before, known)
      if (before || given(agentId)) throw invalid([{ path: '/agentId', detail: 'This id is taken. Use another one.' }])
      check(config, known)
      if ((await registry.made(who.id)).length >= MOST) throw full(MOST, 'agents')
      const version = await save(who.id, agentId, config, 0)
      if (version === undefined) throw changed()
      return detailsOf({ agentId, config, version }, known)
    },

    async updateAgent(who, agentId, { version: expected, ...fields }) {
      checkMayHaveSettings(who)
      const known = await providers.known(who.id)
      for (let tries = 1; ; tries++) {
        const before = await own(who, agentId)
        if (expected !== undefined && expected !== before.version) throw changed()
        const config: AgentConfig = { ...before.config, ...said(fields) }
        check(config, known, before.config)
        const version = await save(who.id, agentId, config, before.version)
        if (version !== undefined) return detailsOf({ agentId, config, version }, known)
        if (expected !== undefined || tries === TRIES) throw changed()
      }
    },

    async deleteAgent(who, agentId) {
      checkMayHaveSettings(who)
      await own(who, agentId)
      await storage.removeSetting(who.id, 'agent', agentId)
    },
  }
}

type Said<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
}

/** The fields that a command has. */
const said = <T extends object>(fields: T): Said<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Said<T>

const notFound = (): Refusal =>
  new Refusal('not_found', 'There is no such agent.', { next: 'GET /api/agents lists them.' })

const MISSING: Pick<KnownProvider, 'problem'> = {
  problem: {
    code: 'provider_missing',
    message: 'The provider of this agent is not connected.',
    next: 'Choose a model of a connected provider in the settings of the agent.',
  },
}

const NO_MODELS: KnownProvider['problem'] = {
  code: 'models_unavailable',
  message: 'This server was started without a source of models.',
  next: 'Start it with one.',
}

const MOST_COMMANDS = 100

/** The commands of an agent that can be offered. One that has the wrong shape is left out, and the others are there. */
const commandsOf = (given: unknown): AgentCommand[] =>
  (Array.isArray(given) ? given : [])
    .flatMap(command => agentCommand.safeParse(command).data ?? [])
    .slice(0, MOST_COMMANDS)
