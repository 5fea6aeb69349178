import { known, missing, type SessionState, type Tool, type ToolResult } from '../entities.ts'
import { Text } from '../text.ts'
import { add, changed, fill, find, type Handlers, seen } from './changes.ts'
import { closePart, partOf } from './message.ts'

/** The newest part of a tool's output that the projection keeps; the whole is behind the result's reference. */
const OUTPUT_KEPT = 32 * 1024
/** The beginning of a long output is kept as well: it often says what was done. */
const OUTPUT_HEAD = 4 * 1024

/** Tool calls. */
export const toolHandlers = {
  'tool.started': (state, event) => {
    state.counts.tools++
    const part = partOf(state, event)
    if (!part) return
    part.refId = event.toolCallId
    add(state, state.tools, {
      toolCallId: event.toolCallId,
      messageId: event.messageId,
      partId: event.partId,
      runId: event.runId,
      name: event.name,
      title: event.title ?? null,
      summary: event.summary ?? null,
      retryOf: event.retryOf ?? null,
      executor: event.executor ?? null,
      metadata: event.metadata ?? null,
      state: 'preparing',
      args: new Text(),
      argsDone: false,
      approvedArgs: null,
      allowedBy: null,
      waitedMs: 0,
      progress: null,
      output: new Text(),
      outputHead: '',
      outputLength: 0,
      result: missing('loading'),
      error: null,
      startedAt: state.at,
      endedAt: null,
    })
    find(state.runs, event.runId)?.openTools.add(event.toolCallId)
  },

  'tool.args': (state, event) => {
    const tool = toolOf(state, event)
    if (!tool) return
    if (event.delta) tool.args.append(event.delta)
    if (event.done) {
      tool.argsDone = true
      tool.state = 'running'
    }
    tool.summary = event.summary ?? tool.summary
    changed(state, tool)
  },

  'tool.progress': (state, event) => {
    const tool = toolOf(state, event)
    if (!tool) return
    tool.state = 'running'
    // Only the runtime says who has allowed the call, and says nothing else with it.
    if (event.by) tool.allowedBy = event.by
    else tool.progress = fill({ message: null, current: null, total: null, ...tool.progress }, event)
    changed(state, tool)
  },

  'tool.output.delta': (state, event) => {
    const tool = toolOf(state, event)
    if (!tool) return
    tool.state = 'running'
    tool.outputLength += event.delta.length
    tool.output.append(event.delta)
    if (tool.output.length > 2 * OUTPUT_KEPT) {
      tool.outputHead ||= tool.output.toString().slice(0, OUTPUT_HEAD)
      tool.output.replace(tool.output.from(tool.output.length - OUTPUT_KEPT))
    }
    changed(state, tool)
  },

  'tool.result': (state, event) => {
    const tool = toolOf(state, event)
    if (!tool) return
    tool.result = resultOf(event)
    if (event.preliminary) changed(state, tool)
    else endTool(state, tool, 'done')
  },

  'tool.failed': (state, event) => {
    const tool = toolOf(state, event)
    if (!tool) return
    tool.error = event.error
    tool.result = event.preview || event.ref || event.value !== undefined ? resultOf(event) : missing('failed')
    endTool(state, tool, 'failed')
  },
} satisfies Partial<Handlers>

const resultOf = (event: object): Tool['result'] =>
  known(
    fill<ToolResult>(
      {
        preview: null,
        tail: null,
        value: null,
        ref: null,
        ui: null,
        uiHints: null,
        uiProblems: null,
        content: null,
        structured: null,
        app: null,
        meta: null,
        preliminary: false,
      },
      event,
    ),
  )

/** The call that the event speaks of, unless it has ended or came with a page that holds the event already. */
function toolOf(state: SessionState, event: { toolCallId: string }): Tool | undefined {
  const tool = find(state.tools, event.toolCallId)
  return tool && tool.endedAt === null && !seen(state, tool.messageId) ? tool : undefined
}

function endTool(state: SessionState, tool: Tool, to: 'done' | 'failed' | 'unknown'): void {
  tool.state = to
  tool.argsDone = true
  tool.endedAt = state.at
  // As at the end of a part: one string takes less memory than its pieces.
  tool.args.toString()
  tool.output.toString()
  find(state.runs, tool.runId)?.openTools.delete(tool.toolCallId)
  changed(state, tool)
  const part = find(state.parts, tool.partId)
  if (part?.state === 'streaming') closePart(state, part, to === 'unknown' ? 'incomplete' : 'final')
}

/** The run ended before the call did. */
export function leaveTool(state: SessionState, toolCallId: string): void {
  const tool = find(state.tools, toolCallId)
  if (tool?.endedAt !== null) return
  tool.result = missing('unknown')
  endTool(state, tool, 'unknown')
}
