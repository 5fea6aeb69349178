import { type Actor, own, type ToolChoices, type ToolMode, USUAL_TOOL_MODE } from '@vitrine/protocol'
import type { ToolEffects, ToolPolicy } from './tool.ts'

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

/**
 * The policy of a call is the first of these: what the person chose for the tool in this session, what the agent is
 * configured with, what the source was set up with, the mode of the session, and the default of what the tool does.
 */
export function policyOf(
  { toolId, effects = 'outside', policy }: GovernedTool,
  { mode, policies }: ToolChoices,
  agent: ToolPolicy | undefined,
): PolicyVerdict {
  const chosen = own(policies, toolId)
  if (chosen) return { policy: chosen, from: 'session' }
  if (agent) return { policy: agent, from: 'agent' }
  if (policy) return { policy, from: 'source' }
  const allowed = mode === 'all' || effects === 'none' || (effects === 'reads' && mode === 'reads')
  return { policy: allowed ? 'allow' : 'ask', from: mode === USUAL_TOOL_MODE ? 'default' : 'mode' }
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
