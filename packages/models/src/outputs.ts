import type { AgentContext, AgentOutput } from '@vitrine/server'
import { explain } from './provider-errors.ts'
import { isWhole, type ModelPart, StepOutputs, stepEnd, stored } from './step-outputs.ts'
import { stoppedEarly } from './stopped-early.ts'
import { plusUsage } from './usage.ts'

/**
 * What the parts of `streamText(...).fullStream` mean in a conversation, for an agent with a loop of its own. It throws
 * an `AgentError` when the provider fails or the stream ends without a reason.
 */
export async function* outputs(
  stream: AsyncIterable<ModelPart>,
  context: Pick<AgentContext, 'storeFile'>,
): AsyncGenerator<AgentOutput> {
  const usedCalls = new Set<string>()
  let step = 0
  let said = new StepOutputs('0', usedCalls)
  let total = {}
  let finished = false
  for await (const part of stream) {
    if (part.type === 'abort') return
    if (part.type === 'error') throw explain(part.error).error
    if (part.type === 'start-step') {
      step++
      said = new StepOutputs(String(step), usedCalls)
      yield { type: 'step.started', stepId: String(step) }
    } else if (part.type === 'finish-step') {
      const { finishReason, usage, model } = stepEnd(part)
      yield { type: 'step.finished', stepId: String(step), finishReason, usage }
      total = plusUsage(total, usage)
      yield { type: 'metric.changed', scope: 'run', usage: total, values: model === undefined ? {} : { model } }
    } else if (part.type === 'finish') {
      finished = true
      if (!isWhole(part.finishReason))
        yield stoppedEarly(part.finishReason, part.rawFinishReason, said.parts.length > 0)
    } else if (part.type === 'file') yield said.file(await stored(part, context))
    // Delegating to a list costs several turns of the queue for each item, and deltas are many.
    else for (const output of said.of(part)) yield output
  }
  if (!finished) throw explain(new Error('The stream ended before the answer did.')).error
}
