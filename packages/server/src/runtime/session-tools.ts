import { type Answer, type ToolChoices, toolChoices } from '@vitrine/protocol'
import type { Agent } from '../agents/agent.ts'
import { cardOf } from '../agents/agent-card.ts'
import type { AgentRegistry } from '../agents/agent-registry.ts'
import { FIND_TOOLS } from '../tools/find-tools.ts'
import { policyOf } from '../tools/policy.ts'
import { askSources, sourcesOf } from '../tools/sources.ts'
import type { ToolEffects, ToolPolicy, ToolSources } from '../tools/tool.ts'
import type { Access } from './access.ts'
import { RUNTIME_TOOLS } from './run/context.ts'
import type { Runtime } from './runtime.ts'
import type { SessionActor } from './session-actor.ts'

export interface SessionToolsOptions {
  access: Access
  tools: ToolSources
  registry: Pick<AgentRegistry, 'find'>
  /** From how many tools on a model has to find them. */
  toolsAtOnce: number
  report(line: string, error: unknown): void
}

type Item = Answer<'SessionTools'>['items'][number]
type Listed = Omit<Item, 'policy' | 'policyFrom'> & { configured?: ToolPolicy }

const RUNTIME: Item['source'] = { sourceId: 'runtime', name: 'Vitrine', kind: 'runtime', health: { state: 'ready' } }

/** What the tools of the runtime itself are for, in words for people. */
const RUNTIME_WORDS: Record<(typeof RUNTIME_TOOLS)[number], { title: string; description: string }> = {
  a2ui: { title: 'Draw', description: 'Draws interfaces in the conversation' },
  show_ui: { title: 'Show a card', description: 'Shows a result as a card' },
  ask: { title: 'Ask', description: 'Asks a question and waits for the answer' },
  find_tools: { title: 'Find tools', description: 'Searches all tools, and chooses those that it needs' },
}

/** The tools of a session as its owner sees them, and what they may do. */
export function createSessionTools(options: SessionToolsOptions): Pick<Runtime, 'listTools' | 'updateTools'> {
  const { access, registry, report } = options

  async function list(session: SessionActor, owner: string): Promise<Answer<'SessionTools'>> {
    const { sessionId, session: facts } = session.state
    const agentId = facts.agentId.known ? facts.agentId.value : ''
    const agent = await registry.find(owner, agentId)
    const late = (error: Error): void => report('A source of tools failed after it had listed them.', error)
    const sources = sourcesOf(options.tools)
    const { tools, problems } = await askSources(sources, { owner, sessionId, agentId }, { taken: RUNTIME_TOOLS, late })
    const chosen = toolChoices(session.state)
    const offered = tools.map(({ name, tool, source }): Listed => {
      const { toolId, title = name, description, effects = 'outside', policy } = tool
      const health = problems.has(source.sourceId) ? failed(problems.get(source.sourceId)!) : source.health?.()
      const { sourceId, name: called, kind } = source
      const from = { sourceId, name: called, kind, health: { ...(health ?? { state: 'ready' }) } }
      const configured = policy && { configured: policy }
      return { toolId, name, title, description, effects, source: from, governed: true, ...configured }
    })
    const hidden = [facts.metadata.enableA2ui === false && 'a2ui', tools.length <= options.toolsAtOnce && FIND_TOOLS]
    const items = [...ofRuntime(hidden), ...offered, ...usedByAgent(session, agent)]
    return {
      mode: chosen.mode,
      items: items.map(({ configured, ...item }) => ({ ...item, ...policyFields(item, chosen, agent, configured) })),
    }
  }

  return {
    listTools: (who, sessionId) => access.use(who, sessionId, session => list(session, who.id)),

    updateTools: (who, sessionId, { mode, policies = {} }) =>
      access.use(who, sessionId, async (session, by) => {
        await session.serially(async () => {
          const before = toolChoices(session.state)
          const merged = Object.entries({ ...before.policies, ...policies }).filter(([, policy]) => policy !== null)
          const tools = { mode: mode ?? before.mode, policies: Object.fromEntries(merged) as ToolChoices['policies'] }
          await session.log.write([{ type: 'session.updated', by, metadata: { tools } }])
        })
        return list(session, who.id)
      }),
  }
}

const failed = (message: string): Item['source']['health'] => ({ state: 'failed', message })

function policyFields(
  { toolId, effects }: { toolId: string; effects: ToolEffects },
  chosen: ToolChoices,
  agent: Agent | undefined,
  configured: ToolPolicy | undefined,
): Pick<Item, 'policy' | 'policyFrom'> {
  const { policy, from } = policyOf({ toolId, effects, policy: configured }, chosen, agent?.toolPolicies?.[toolId])
  return { policy, policyFrom: from }
}

const ofRuntime = (hidden: readonly (string | false)[]): Listed[] =>
  RUNTIME_TOOLS.filter(name => !hidden.includes(name)).map(name => ({
    toolId: `runtime:${name}`,
    name,
    ...RUNTIME_WORDS[name],
    effects: 'none',
    source: RUNTIME,
    governed: true,
  }))

/** What the agent has run by itself in the loaded part of the session. Nobody else knows of these tools. */
function usedByAgent({ state }: SessionActor, agent: Agent | undefined): Listed[] {
  const used = new Map<string, Listed>()
  const name = agent ? cardOf(agent).name : ''
  for (const call of state.tools.byId.values()) {
    if (call.executor !== 'agent' || !agent) continue
    const toolId = `${agent.agentId}:${call.name}`.slice(0, 180)
    used.set(toolId, {
      toolId,
      name: call.name,
      title: call.title ?? call.name,
      description: '',
      effects: 'outside',
      source: { sourceId: agent.agentId, name, kind: 'agent', health: { state: 'ready' } },
      governed: call.allowedBy !== null,
    })
  }
  return [...used.values()]
}
