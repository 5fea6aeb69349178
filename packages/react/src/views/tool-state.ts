import type { SessionState, Tool } from '@vitrine/protocol'

/** How the row says that a call stands. */
export type ToolState =
  | 'preparing'
  | 'running'
  | 'done'
  | 'flawed'
  | 'failed'
  | 'interrupted'
  | 'waiting'
  | 'denied'
  | 'correcting'
  | 'unknown'

/** What the agent wanted to show had a mistake: it was told so in words for it, and tries again. */
const isCorrection = ({ name, error }: Tool) => name === 'show_ui' && error?.code === 'ui_hints'

/** The tool did its work, and what it wants to show of it is not legal: its card may lack something. */
const isFlawed = ({ result }: Tool) => result.known && (result.value.uiProblems?.length ?? 0) > 0

/** A call that nobody let begin or end did not fail. */
export function shownState(tool: Tool, waiting: boolean): ToolState {
  if (waiting && tool.endedAt === null) return 'waiting'
  if (tool.state === 'done' && isFlawed(tool)) return 'flawed'
  if (tool.state !== 'failed') return tool.state
  const code = tool.error?.code
  if (code === 'interrupted' || code === 'denied') return code
  return isCorrection(tool) ? 'correcting' : 'failed'
}

/** Whether a person is asked about one of the calls of a message. */
export function callWaits({ actions, tools }: SessionState, messageId: string): boolean {
  for (const { state, toolCallId } of actions.byId.values())
    if (state === 'pending' && toolCallId && tools.byId.get(toolCallId)?.messageId === messageId) return true
  return false
}

/** Whether the call ended without a result and still did not fail. */
export const isStopped = (tool: Tool): boolean => shownState(tool, false) !== 'failed'

const retries = new WeakMap<SessionState, { v: number; count: number; newer: ReadonlyMap<string, string> }>()

/** The call that tried a failed call of the same message again, by the id of the failed one. */
export function retriedBy(state: SessionState): ReadonlyMap<string, string> {
  const { v, byId } = state.tools
  const known = retries.get(state)
  if (known?.v === v && known.count === byId.size) return known.newer
  const newer = new Map<string, string>()
  for (const { toolCallId, retryOf, messageId } of byId.values())
    if (retryOf !== null && byId.get(retryOf)?.messageId === messageId) newer.set(retryOf, toolCallId)
  retries.set(state, { v, count: byId.size, newer })
  return newer
}

/** The calls of the same message that a call repeats, the first one first. */
export function attemptsBefore(state: SessionState, tool: Tool): Tool[] {
  const before: Tool[] = []
  for (let id = tool.retryOf; id !== null; ) {
    const earlier = state.tools.byId.get(id)
    if (!earlier || earlier.messageId !== tool.messageId || before.includes(earlier) || earlier === tool) break
    before.unshift(earlier)
    id = earlier.retryOf
  }
  return before
}

/** Which attempt a call is, counted over all messages that are loaded. */
export function attemptOf(state: SessionState, tool: Tool): number {
  let attempt = 1
  const seen = new Set([tool.toolCallId])
  for (let before = tool.retryOf; before && !seen.has(before); attempt++) {
    seen.add(before)
    before = state.tools.byId.get(before)?.retryOf ?? null
  }
  return attempt
}
