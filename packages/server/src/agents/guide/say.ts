import type { BlobRef, Failure, Json, JsonObject, TurnInput } from '@vitrine/protocol'
import type { ActionAnswer, AgentContext, AgentOutput } from '../agent.ts'
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
  ui?: JsonObject
  uiHints?: JsonObject
}

/** The words a scenario is written in. One a run: it hands out the run's part and tool call ids. */
export type Say = ReturnType<typeof createSay>

/** `turnTo` plays what a text or an interaction asks for, in the middle of a scenario. */
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

    /** A part id that no other part of the run has. */
    part,

    /** An id that is unique in the session, for what outlives the run. */
    own: (name: string) => `${name}-${runId}`,

    pause: (ms: number) => pace.wait(ms, signal),

    /** Asks and waits. A run that is stopped meanwhile gets no answer: it ends. */
    ask: async (request: Parameters<AgentContext['ask']>[0]): Promise<ActionAnswer> => {
      const answer = await context.ask(request)
      signal.throwIfAborted()
      return answer
    },

    /** Whether a steer is waiting. Leaves it in the inbox: whoever takes it must act on it. */
    steered: (): Promise<boolean> =>
      Promise.race([
        context.steers.wait().then(() => !signal.aborted),
        new Promise<boolean>(resolve => setImmediate(resolve, false)),
      ]),

    /** One piece of the answer, streamed and closed. */
    async *text(markdown: string, partId = part()): Outputs {
      yield* stream('text.delta', partId, markdown)
      yield { type: 'text.final', partId }
    },

    /** Streams without closing: for what is cut off, withdrawn or goes on later. */
    open: (markdown: string, partId: string): Outputs => stream('text.delta', partId, markdown),

    async *reasoning(thoughts: string, summary?: string): Outputs {
      const partId = part()
      yield* stream('reasoning.delta', partId, thoughts)
      yield { type: 'reasoning.summary', partId, ...(summary !== undefined && { text: summary }) }
    },

    /** Starts a call and streams its arguments as a model would. Gives the call's id back. */
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

    /** A call with nothing to watch: started, worked for a moment, done. */
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

    /** Changes a surface without a word: what somebody types is noted, not talked about. */
    quietly: async (envelopes: JsonObject[]): Promise<void> => {
      await context.surfaces.apply(envelopes)
    },

    /** Values for the message's footer in place of the honest zeros. */
    pretend: (values: JsonObject) => {
      pretended = { ...pretended, ...values }
    },

    /** What the message cost. A script has no tokens and no price: the numbers are made up and say so. */
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
