import { type Actor, own, type ToolChoices, type ToolMode, USUAL_TOOL_MODE } from '@vitrine/protocol'
import type { ToolEffects, ToolPolicy } from './tool.ts'

/** What counts for a tool, and who has said so. */
export interface PolicyVerdict {
  policy: ToolPolicy
  from: 'session' | 'agent' | 'mode' | 'default'
}

/**
 * The policy of a call is the first of these: what the person chose for the tool in this session, what the agent is
 * configured with, the mode of the session, and the default of what the tool does.
 */
export function policyOf(
  { toolId, effects = 'outside' }: { toolId: string; effects?: ToolEffects | undefined },
  { mode, policies }: ToolChoices,
  agent: ToolPolicy | undefined,
): PolicyVerdict {
  const chosen = own(policies, toolId)
  if (chosen) return { policy: chosen, from: 'session' }
  if (agent) return { policy: agent, from: 'agent' }
  const allowed = mode === 'all' || effects === 'none' || (effects === 'reads' && mode === 'reads')
  return { policy: allowed ? 'allow' : 'ask', from: mode === USUAL_TOOL_MODE ? 'default' : 'mode' }
}

/** Which policy has let a call run, as a fact says it. */
export function policyActor({ from }: PolicyVerdict, toolId: string, mode: ToolMode): Actor {
  const id = { session: `session:${toolId}`, agent: `agent:${toolId}`, mode: `mode:${mode}`, default: 'default' }[from]
  return { kind: 'policy', id, name: '' }
}
