import { type Actor, type FileRef, toolChoices } from '@vitrine/protocol'
import type { AgentOutput, HistoryMessage } from '../../agents/agent.ts'
import type { StoredHistory } from '../../log/stored-history.ts'
import { ToolBoundary } from '../../tools/boundary.ts'
import { type GovernedTool, policyOf } from '../../tools/policy.ts'
import type { ToolPolicy } from '../../tools/tool.ts'
import type { SessionContent } from '../content.ts'
import type { RunActions } from './actions.ts'
import type { Emitter } from './emit.ts'
import type { FitHost } from './fit.ts'
import type { RunSlot } from './run-slot.ts'
import type { RunWriter } from './writer.ts'

/** How many of the newest messages are looked through for files. */
const MOST_MESSAGES = 500

/** The files that people attached to these messages, with the newest first. */
const attachedIn = (messages: readonly HistoryMessage[]): FileRef[] =>
  messages
    .flatMap(({ files = [], parts = [] }) => [
      ...files,
      ...parts.flatMap(part => (part.kind === 'steer' ? (part.files ?? []) : [])),
    ])
    .reverse()

/** What of a run its boundary for tools works with. */
export interface BoundaryParts {
  signal: AbortSignal
  writer: RunWriter
  emitter: Emitter
  slot: RunSlot
  actions: RunActions
  history: StoredHistory
  content: Pick<SessionContent, 'readFile' | 'storeFile' | 'whole'>
  host: Pick<FitHost, 'store'>
  /** Who the turn or the call is by. */
  by: Actor
  /** How long a tool may take that does not say so itself. */
  toolMs: number
  /** A tool failed after its call was over. */
  toolFailed(toolId: string, error: Error): void
  /** Calls of which nobody knows what came of them, by their id in the session. */
  doubts: Set<string>
  /** A person wants the run to end. */
  stop(by: Actor): Promise<void>
}

/** Who calls: an agent of a run with its prefix and its configuration, or nobody but the person. */
export interface Caller {
  agentId: string
  prefix: string
  subagentId: string | null
  policies?: Readonly<Record<string, ToolPolicy>> | undefined
}

/** Says which policy counts for a tool now. */
export const policyFor =
  ({ log }: RunWriter, policies: Caller['policies']) =>
  (tool: GovernedTool, wanted?: ToolPolicy) =>
    policyOf(tool, toolChoices(log.state), policies?.[tool.toolId] ?? wanted)

/** The boundary for the tool calls of one caller in a run. */
export function boundaryOf(parts: BoundaryParts, { agentId, prefix, subagentId, policies }: Caller): ToolBoundary {
  const { writer, emitter, slot, actions, history, content, host, signal, by, toolMs } = parts
  const { log } = writer
  const emit = async (output: AgentOutput): Promise<void> => void (await emitter.emit(output, prefix, subagentId))
  return new ToolBoundary({
    sessionId: log.state.sessionId,
    runId: writer.runId,
    agentId,
    by,
    signal,
    toolMs,
    mode: () => toolChoices(log.state).mode,
    policy: policyFor(writer, policies),
    nextCall: name => writer.nextCall(name),
    emit: async output => slot.work(() => emit(output)),
    async allowed(toolCallId, by) {
      // Everything that was said of the call before is durable with it.
      await log.settled()
      await log.write([{ type: 'tool.progress', ...writer.ids, toolCallId: writer.toolCallId(toolCallId, prefix), by }])
    },
    ask: (request, declared) => actions.ask(request, prefix, declared),
    store: host.store,
    storeFile: content.storeFile,
    files: async () => attachedIn(await history.said(MOST_MESSAGES, '', content.whole)),
    readFile: (digest, range) => content.readFile(digest, range),
    async logged(toolCallId) {
      await log.settled()
      return log.state.tools.byId.get(writer.toolCallId(toolCallId, prefix))
    },
    sessionCallId: toolCallId => writer.toolCallId(toolCallId, prefix),
    inDoubt: toolCallId => parts.doubts.delete(writer.toolCallId(toolCallId, prefix)),
    stop: parts.stop,
    late: parts.toolFailed,
  })
}
