import { AgentError, type AgentOutput } from '@vitrine/server'
import type { FinishReason } from 'ai'

/**
 * What people are told of a model that stopped before it had said all. It throws where nothing useful can be there: such
 * an answer must not look complete.
 */
export function stoppedEarly(reason: FinishReason, raw: string | undefined, hasSaid: boolean): AgentOutput {
  if (reason === 'content-filter') {
    throw new AgentError('The provider stopped the answer because of its rules about content.', {
      code: 'content_filtered',
      next: 'Ask in other words, or choose another model.',
    })
  }
  if (reason === 'length' && hasSaid) {
    return warning('answer_cut', 'The answer is cut off: the model has reached the most that it may write at once.')
  }
  if (reason === 'length') {
    throw new AgentError('The model has reached the most that it may write before it said anything.', {
      code: 'answer_cut',
      next: 'Raise the limit of output tokens of this agent, or let the model think less.',
      retryable: false,
    })
  }
  const word = raw ?? reason
  if (hasSaid && reason === 'other') {
    return warning(
      'finish_unknown',
      `The answer may be incomplete: the model stopped for a reason we do not know (${word}).`,
    )
  }
  throw new AgentError(`The model stopped without an answer (${word}).`, { code: 'model_stopped', next: 'Try again.' })
}

const warning = (code: string, message: string): AgentOutput => ({
  type: 'diagnostic.changed',
  diagnosticId: code,
  state: 'open',
  level: 'warning',
  code,
  message: message.slice(0, 2_000),
})
