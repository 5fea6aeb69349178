import { diagnosticLines } from '@vitrine/genui'
import { a2uiPrompt, a2uiTool, type Catalog, toEnvelopes } from '@vitrine/genui/a2ui'
import { hintsCorrection, showUiPrompt as hintsPrompt, showUiTool } from '@vitrine/genui/hints'
import type { Failure, Json, JsonObject } from '@vitrine/protocol'
import type { AgentOutput, AgentTool } from '../../agents/agent.ts'
import type { JudgedUi } from '../compile-ui.ts'

/** A tool of the runtime, called with arguments that were already read as JSON. */
export interface RuntimeTool extends Omit<AgentTool, 'call'> {
  call(args: JsonObject): Promise<JsonObject>
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
    work: (toolCallId: string) => Promise<Outcome>,
  ): Promise<JsonObject> {
    const toolCallId = drawing.callId(name)
    const text = JSON.stringify(args)
    await emit({ type: 'tool.started', partId: toolCallId, toolCallId, name })
    await emit({ type: 'tool.args', toolCallId, delta: text, done: true })
    const { answer, error, ...result } = await work(toolCallId)
    if (error) await emit({ type: 'tool.failed', toolCallId, error, preview: text })
    else await emit({ type: 'tool.result', toolCallId, ...result })
    return answer
  }

  const showUi: RuntimeTool = {
    name: showUiTool.name,
    description: showUiTool.description,
    inputSchema: showUiTool.inputSchema as JsonObject,
    prompt: hintsPrompt,
    call: hints =>
      shown(showUiTool.name, hints, async () => {
        const { problems, notes } = drawing.judge(hints)
        const note = notes.length > 0 && { note: diagnosticLines(notes).join('\n') }
        const empty = notes.some(({ code }) => code === 'nothing_shown')
        if (problems.length === 0 && !empty) return { answer: { shown: true, ...note }, uiHints: hints }
        const correction = hintsCorrection([...problems, ...notes])
        const error = { code: 'ui_hints', message: correction.slice(0, 2_000) }
        return { answer: { shown: false, error: correction }, error }
      }),
  }
  const a2ui: RuntimeTool = {
    ...a2uiTool,
    prompt: a2uiPrompt(drawing.catalogs, { ask: true }),
    call: args =>
      shown(a2uiTool.name, args, async toolCallId => {
        const envelopes = toEnvelopes(args)
        if (envelopes.length === 0 || (envelopes[0] === args && args.version === undefined)) {
          const error = 'Give one envelope or more as a list: {"envelopes": [...]}.'
          return { answer: { applied: 0, failed: 1, error }, error: { code: 'invalid_arguments', message: error } }
        }
        const answer = await drawing.applySurfaces(args, toolCallId)
        if (answer.applied !== 0 || answer.failed === 0) return { answer, value: answer }
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
  value?: Json
}
