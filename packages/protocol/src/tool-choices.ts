import type { SessionState } from './entities.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

/** How much a person lets happen in a session without being asked. */
export type ToolMode = 'ask' | 'reads' | 'all'

/** What a person has chosen about tools in one session. */
export interface ToolChoices {
  mode: ToolMode
  /** By the id of the tool. */
  policies: Readonly<Record<string, 'allow' | 'ask' | 'off'>>
}

/** What counts in a session about which nobody has chosen anything. */
export const USUAL_TOOL_MODE: ToolMode = 'reads'

const MODES: readonly Json[] = ['ask', 'reads', 'all'] satisfies ToolMode[]
const POLICIES: readonly Json[] = ['allow', 'ask', 'off']

/** What the facts of a session say about its tools. Metadata can be anything, and what is no choice counts as none. */
export function toolChoices({ session }: Pick<SessionState, 'session'>): ToolChoices {
  const { tools } = session.metadata
  const given: JsonObject = isObject(tools) ? tools : {}
  const policies = Object.entries(isObject(given.policies) ? given.policies : {})
  return {
    mode: MODES.includes(given.mode ?? null) ? (given.mode as ToolMode) : USUAL_TOOL_MODE,
    policies: Object.fromEntries(policies.filter(([, policy]) => POLICIES.includes(policy))) as ToolChoices['policies'],
  }
}
