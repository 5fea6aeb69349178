import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Api, ApiEnv } from '../env.ts'
import { pathId, serve } from '../route.ts'

const inProvider = z.object({ providerId: pathId('providerId', 'prov_1', 'The provider') })
const inAgent = z.object({ agentId: pathId('agentId', 'agt_1', 'The agent') })

/** Providers of models, and the agents that people make. */
export function settingsRoutes(app: OpenAPIHono<ApiEnv>, { runtime, limits }: Api): void {
  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/providers',
      operationId: 'listProviders',
      tag: 'models',
      summary: 'Lists the providers of models',
      description:
        'The kinds that can be connected, and those that are: by the person, or by whoever started the server. No key is ever part of an answer; it says whether one is set.',
      answers: { status: 200, bodies: ['ProviderList'], description: 'All providers.' },
      refusals: ['not_owner', 'storage_failed'],
    },
    ({ who }) => runtime.listProviders(who),
  )

  serve(
    app,
    limits,
    {
      method: 'put',
      path: '/providers/{providerId}',
      operationId: 'saveProvider',
      tag: 'models',
      summary: 'Connects a provider, or changes one',
      description:
        'The id is chosen by the caller. The key is sealed before it is stored, and can be written and never read. A change of the kind or the address needs the key again. Only the owner of the installation may name an address.',
      params: inProvider,
      answers: { status: 200, bodies: ['ProviderSaved'], description: 'The provider is connected.' },
      refusals: [
        'settings_invalid',
        'settings_changed',
        'settings_limit',
        'provider_fixed',
        'keys_unavailable',
        'not_owner',
      ],
    },
    ({ who, params, command }) => runtime.saveProvider(who, params.providerId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'delete',
      path: '/providers/{providerId}',
      operationId: 'deleteProvider',
      tag: 'models',
      summary: 'Takes a provider away, with its key',
      description: 'Agents that use it stay, and say that it is missing. A run that is under way goes on.',
      params: inProvider,
      answers: { status: 204, bodies: [], description: 'The provider is gone.' },
      refusals: ['provider_not_found', 'provider_fixed', 'not_owner'],
    },
    ({ who, params }) => runtime.deleteProvider(who, params.providerId),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/provider-tests',
      operationId: 'testProvider',
      tag: 'models',
      summary: 'Tests a provider, connected or not',
      description:
        'The provider is asked for its models, which costs nothing. A test that fails is an answer like any other: it says in words what is wrong and what to do. How the test of a connected provider as it is ended is kept.',
      answers: { status: 200, bodies: ['ProviderTested'], description: 'What came of the test.' },
      refusals: ['provider_not_found', 'settings_invalid', 'not_owner'],
    },
    ({ who, command }) => runtime.testProvider(who, command),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/models',
      operationId: 'listModels',
      tag: 'models',
      summary: 'Lists the models of all connected providers',
      description:
        'The providers are asked, each for a few seconds at most; what they say counts for some minutes. What is not known about a model is absent.',
      query: z.object({
        fresh: z.enum(['true', 'false']).default('false').openapi({
          description: 'With `true` the providers are asked, also when they said it a moment ago',
        }),
      }),
      answers: { status: 200, bodies: ['ModelList'], description: 'The models, and which providers did not list any.' },
      refusals: ['not_owner', 'storage_failed'],
    },
    ({ who, query }) => runtime.listModels(who, { fresh: query.fresh === 'true' }),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/agents',
      operationId: 'listAgents',
      tag: 'agents',
      summary: 'Lists the agents that a session can have',
      description:
        'Those that the program gave, and those that the person made. The first one is what a new session gets when it names none.',
      answers: { status: 200, bodies: ['AgentList'], description: 'All agents that the person can choose.' },
      refusals: ['storage_failed'],
    },
    ({ who }) => runtime.listAgents(who),
  )

  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/agents',
      operationId: 'createAgent',
      tag: 'agents',
      summary: 'Makes an agent that answers with a model',
      description: 'It can be chosen at once. A copy of another agent is made with the `config` of that one.',
      answers: { status: 201, bodies: ['AgentDetails'], description: 'The agent was made.' },
      refusals: ['settings_invalid', 'settings_changed', 'settings_limit', 'not_owner'],
    },
    ({ who, command }) => runtime.createAgent(who, command),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/agents/{agentId}',
      operationId: 'getAgent',
      tag: 'agents',
      summary: 'Gives an agent and what it is made of',
      description: 'What an agent is made of is told when the person who asks has made it.',
      params: inAgent,
      answers: { status: 200, bodies: ['AgentDetails'], description: 'The agent, with what it is made of.' },
      refusals: ['storage_failed'],
    },
    ({ who, params }) => runtime.getAgent(who, params.agentId),
  )

  serve(
    app,
    limits,
    {
      method: 'patch',
      path: '/agents/{agentId}',
      operationId: 'updateAgent',
      tag: 'agents',
      summary: 'Changes an agent that the person made',
      description: 'Runs that begin later use what was changed. A run that is under way keeps what it began with.',
      params: inAgent,
      answers: { status: 200, bodies: ['AgentDetails'], description: 'The agent with the change.' },
      refusals: ['settings_invalid', 'settings_changed', 'agent_fixed', 'not_owner'],
    },
    ({ who, params, command }) => runtime.updateAgent(who, params.agentId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'delete',
      path: '/agents/{agentId}',
      operationId: 'deleteAgent',
      tag: 'agents',
      summary: 'Deletes an agent that the person made',
      description:
        'Its sessions stay and can be read; a turn in them is refused with `agent_unavailable`. A run that is under way goes on.',
      params: inAgent,
      answers: { status: 204, bodies: [], description: 'The agent is gone.' },
      refusals: ['agent_fixed', 'not_owner'],
    },
    ({ who, params }) => runtime.deleteAgent(who, params.agentId),
  )
}
