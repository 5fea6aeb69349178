import { type Actor, isObject, type Json, type JsonObject, own, type SessionState } from '@vitrine/protocol'
import type { ToolEffects, ToolPolicy } from './tool.ts'

/** How much a person lets happen in a session without being asked. */
export type ToolMode = 'ask' | 'reads' | 'all'

/** What a person has chosen about tools in one session. */
export interface SessionTools {
  mode: ToolMode
  /** By the id of the tool. */
  policies: Readonly<Record<string, ToolPolicy>>
}

/** What counts for a tool, and who has said so. */
export interface PolicyVerdict {
  policy: ToolPolicy
  from: 'session' | 'agent' | 'source' | 'mode' | 'default'
}

/** What decides about a tool, beside what people have chosen. */
export interface GovernedTool {
  toolId: string
  effects?: ToolEffects | undefined
  /** What whoever set up its source wants for it. */
  policy?: ToolPolicy | undefined
}

const MODES: readonly Json[] = ['ask', 'reads', 'all'] satisfies ToolMode[]
const POLICIES: readonly Json[] = ['allow', 'ask', 'off'] satisfies ToolPolicy[]

/** What the facts of a session say about its tools. Metadata can be anything, and what is no choice counts as none. */
export function sessionTools({ session }: Pick<SessionState, 'session'>): SessionTools {
  const { tools } = session.metadata
  const given: JsonObject = isObject(tools) ? tools : {}
  const policies = Object.entries(isObject(given.policies) ? given.policies : {})
  return {
    mode: MODES.includes(given.mode ?? null) ? (given.mode as ToolMode) : 'ask',
    policies: Object.fromEntries(
      policies.filter(([, policy]) => POLICIES.includes(policy)),
    ) as SessionTools['policies'],
  }
}

/**
 * The policy of a call is the first of these: what the person chose for the tool in this session, what the agent is
 * configured with, what the source was set up with, the mode of the session, and the default of what the tool does.
 */
export function policyOf(
  { toolId, effects = 'outside', policy }: GovernedTool,
  { mode, policies }: SessionTools,
  agent: ToolPolicy | undefined,
): PolicyVerdict {
  const chosen = own(policies, toolId)
  if (chosen) return { policy: chosen, from: 'session' }
  if (agent) return { policy: agent, from: 'agent' }
  if (policy) return { policy, from: 'source' }
  const isHarmless = effects === 'none' || effects === 'reads'
  if (mode === 'all') return { policy: 'allow', from: 'mode' }
  return { policy: isHarmless ? 'allow' : 'ask', from: mode === 'reads' ? 'mode' : 'default' }
}

/** Which policy has let a call run, as a fact says it. */
export function policyActor({ from }: PolicyVerdict, toolId: string, mode: ToolMode): Actor {
  const id = {
    session: `session:${toolId}`,
    agent: `agent:${toolId}`,
    source: `source:${toolId}`,
    mode: `mode:${mode}`,
    default: 'default',
  }[from]
  return { kind: 'policy', id, name: '' }
}
