import { diagnosticLines } from '@vitrine/genui'
import { a2uiPrompt, a2uiTool, type Catalog, toEnvelopes } from '@vitrine/genui/a2ui'
import { hintsCorrection, showUiPrompt, showUiTool } from '@vitrine/genui/hints'
import type { Failure, JsonObject } from '@vitrine/protocol'
import type { AgentOutput, AgentTool } from '../../agents/agent.ts'
import type { JudgedUi } from '../compile-ui.ts'

/** A tool of the runtime, called with arguments that were already read as JSON. */
export interface RuntimeTool extends Omit<AgentTool, 'call' | 'toolId' | 'effects'> {
  /** `announced` is the call that the agent has already shown, with its arguments. */
  call(args: JsonObject, announced?: string): Promise<JsonObject>
}

/** Shows a call of a tool of the runtime, unless its agent has done so. Returns its id, local to the run. */
export async function announce(
  { callId, emit }: Pick<Drawing, 'callId' | 'emit'>,
  call: { name: string; args: JsonObject; summary?: string },
  announced: string | undefined,
): Promise<string> {
  if (announced !== undefined) return announced
  const { name, args, ...summary } = call
  const toolCallId = callId(name)
  await emit({ type: 'tool.started', partId: toolCallId, toolCallId, name, ...summary })
  await emit({ type: 'tool.args', toolCallId, delta: JSON.stringify(args), done: true })
  return toolCallId
}

export interface Drawing {
  /** False when the session sets `enableA2ui: false`. */
  a2ui: boolean
  /** What the tool `a2ui` draws with. */
  catalogs: readonly Catalog[]
  /** An id for the next call, local to the run. */
  callId(name: string): string
  emit(output: AgentOutput): Promise<void>
  applySurfaces(envelopes: object, toolCallId: string): Promise<JsonObject>
  judge(hints: JsonObject): Pick<JudgedUi, 'problems' | 'notes'>
}

/** The tools by which any agent draws. Each call is shown like every other tool call. */
export function drawingTools(drawing: Drawing): RuntimeTool[] {
  const { emit } = drawing

  async function shown(
    name: string,
    args: JsonObject,
    announced: string | undefined,
    work: (toolCallId: string) => Promise<Outcome>,
  ): Promise<JsonObject> {
    const toolCallId = await announce(drawing, { name, args }, announced)
    const { answer, error, uiHints } = await work(toolCallId)
    // The log has what the model is told, because its next turn is made of the log.
    const told = { toolCallId, value: answer }
    if (error) await emit({ type: 'tool.failed', ...told, error, preview: JSON.stringify(args) })
    else await emit({ type: 'tool.result', ...told, ...(uiHints && { uiHints }) })
    return answer
  }

  const showUi: RuntimeTool = {
    name: showUiTool.name,
    description: showUiTool.description,
    inputSchema: showUiTool.inputSchema as JsonObject,
    prompt: showUiPrompt,
    call: (hints, announced) =>
      shown(showUiTool.name, hints, announced, async () => {
        const { problems, notes } = drawing.judge(hints)
        const note = notes.length > 0 && { note: diagnosticLines(notes).join('\n') }
        if (problems.length === 0) return { answer: { shown: true, ...note }, uiHints: hints }
        const correction = hintsCorrection(problems)
        const error = { code: 'ui_hints', message: correction.slice(0, 2_000) }
        return { answer: { shown: false, error: correction }, error }
      }),
  }
  const a2ui: RuntimeTool = {
    ...a2uiTool,
    prompt: a2uiPrompt(drawing.catalogs, { ask: true }),
    call: (args, announced) =>
      shown(a2uiTool.name, args, announced, async toolCallId => {
        const envelopes = toEnvelopes(args)
        if (envelopes.length === 0 || (envelopes[0] === args && args.version === undefined)) {
          const error = 'Give one envelope or more as a list: {"envelopes": [...]}.'
          return { answer: { applied: 0, failed: 1, error }, error: { code: 'invalid_arguments', message: error } }
        }
        const answer = await drawing.applySurfaces(args, toolCallId)
        if (answer.applied !== 0 || answer.failed === 0) return { answer }
        const message = 'None of the envelopes could be applied.'
        return { answer, error: { code: 'a2ui_refused', message } }
      }),
  }
  return drawing.a2ui ? [a2ui, showUi] : [showUi]
}

interface Outcome {
  answer: JsonObject
  error?: Failure
  uiHints?: JsonObject
}
