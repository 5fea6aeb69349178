import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { UiSchemaRenderer } from '@vitrine/genui/schema'
import type { BlobRef, Failure, Json, JsonObject, TurnInput } from '@vitrine/protocol'
import type { ActionResponse, AgentContext, AgentOutput } from '../agent.ts'
import type { Pace } from './pace.ts'

export type Outputs = AsyncGenerator<AgentOutput, void>

export interface ToolStart {
  name: string
  title?: string
  summary?: string
  args?: Json
  retryOf?: string
}

export interface ToolEnd {
  preview?: string
  value?: Json
  ref?: BlobRef
  ui?: UiSchemaRenderer
  uiHints?: UiHintsPayload
}

/**
 * The vocabulary in which scenarios are written. Each run has its
 * own, because it hands out the run's part and tool call ids.
 */
export type Say = ReturnType<typeof createSay>

/** `turnTo` plays the scenario that a text or an interaction asks for, inside of another scenario. */
export function createSay(context: AgentContext, pace: Pace, turnTo: (said: TurnInput) => Outputs) {
  const { signal, runId } = context
  const startedAt = performance.now()
  let parts = 0
  let calls = 0
  let spoken = 0
  let firstTextAt: number | undefined
  let pretended: JsonObject = {}

  const part = () => `p${++parts}`

  async function* stream(type: 'text.delta' | 'reasoning.delta', partId: string, text: string): Outputs {
    for (const delta of pace.chunks(text)) {
      await pace.beat(signal)
      spoken++
      if (type === 'text.delta') firstTextAt ??= performance.now()
      yield { type, partId, delta }
    }
  }

  return {
    turnTo,

    /** Gives a part id that is unique in the run. */
    part,

    /** Gives an id that is unique in the session, for things that stay after the run. */
    own: (name: string) => `${name}-${runId}`,

    pause: (ms: number) => pace.wait(ms, signal),

    /** Asks and waits. A run that is stopped meanwhile gets no response: it ends. */
    ask: async (request: Parameters<AgentContext['ask']>[0]): Promise<ActionResponse> => {
      const response = await context.ask(request)
      signal.throwIfAborted()
      return response
    },

    /** Says whether a steer is waiting. The steer stays in the inbox, because whoever takes it has to act on it. */
    steered: (): Promise<boolean> =>
      Promise.race([
        context.steers.wait().then(() => !signal.aborted),
        new Promise<boolean>(resolve => setImmediate(resolve, false)),
      ]),

    /** One piece of the answer text, streamed and closed. */
    async *text(markdown: string, partId = part()): Outputs {
      yield* stream('text.delta', partId, markdown)
      yield { type: 'text.final', partId }
    },

    /** Streams a text and does not finish it, because it is cut off, withdrawn or continued later. */
    open: (markdown: string, partId: string): Outputs => stream('text.delta', partId, markdown),

    async *reasoning(thoughts: string, summary?: string): Outputs {
      const partId = part()
      yield* stream('reasoning.delta', partId, thoughts)
      yield { type: 'reasoning.summary', partId, ...(summary !== undefined && { text: summary }) }
    },

    /** Starts a tool call and streams its arguments as a model would. Returns the id of the call. */
    async *call({ name, title, summary, args = {}, retryOf }: ToolStart): AsyncGenerator<AgentOutput, string> {
      const toolCallId = `${runId}-t${++calls}`
      yield {
        type: 'tool.started',
        partId: part(),
        toolCallId,
        name,
        ...(title !== undefined && { title }),
        ...(summary !== undefined && { summary }),
        ...(retryOf !== undefined && { retryOf }),
      }
      const written = JSON.stringify(args)
      for (let at = 0; at < written.length; at += 48) {
        await pace.beat(signal)
        yield { type: 'tool.args', toolCallId, delta: written.slice(at, at + 48) }
      }
      yield { type: 'tool.args', toolCallId, delta: '', done: true }
      return toolCallId
    },

    progress: (toolCallId: string, message: string, current?: number, total?: number): AgentOutput => ({
      type: 'tool.progress',
      toolCallId,
      message,
      ...(current !== undefined && { current }),
      ...(total !== undefined && { total }),
    }),

    result: (toolCallId: string, end: ToolEnd = {}): AgentOutput => ({ type: 'tool.result', toolCallId, ...end }),

    failed: (toolCallId: string, error: Failure): AgentOutput => ({ type: 'tool.failed', toolCallId, error }),

    /** Does a whole tool call without progress: it starts, takes a moment, and ends. */
    async *tool(start: ToolStart, end: ToolEnd, ms = 600): Outputs {
      const toolCallId = yield* this.call(start)
      await pace.wait(ms, signal)
      yield this.result(toolCallId, end)
    },

    /** Sends envelopes through the `a2ui` tool and says whether all of them were applied. */
    async *surface(title: string, envelopes: JsonObject[]): AsyncGenerator<AgentOutput, boolean> {
      const toolCallId = yield* this.call({ name: 'a2ui', title, args: { envelopes } })
      const value = await context.surfaces.apply(envelopes, toolCallId)
      yield this.result(toolCallId, { value })
      return value.failed === 0
    },

    /** Changes a surface without writing any text, for example when a person types into a field. */
    quietly: async (envelopes: JsonObject[]): Promise<void> => {
      await context.surfaces.apply(envelopes)
    },

    /** Sets the values of the message's footer, which are zero otherwise. */
    pretend: (values: JsonObject) => {
      pretended = { ...pretended, ...values }
    },

    /**
     * Gives tokens and price of the message. A script has neither, so the numbers are made up and are marked as such.
     */
    metrics: (): AgentOutput => ({
      type: 'metric.changed',
      scope: 'message',
      values: {
        simulated: true,
        model: 'guide (scripted)',
        usage: { inputTokens: 0, outputTokens: spoken },
        cost: { amount: 0, currency: 'USD' },
        timing: {
          ...(firstTextAt !== undefined && { firstTextMs: Math.round(firstTextAt - startedAt) }),
          durationMs: Math.round(performance.now() - startedAt),
        },
        ...pretended,
      },
    }),
  }
}
