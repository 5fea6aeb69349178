import type { Scenario } from '../scenario.ts'

export const metrics: Scenario = {
  id: 'metrics',
  title: 'Tokens and cost of a session',
  shows: 'tokens, cost, model and time of a message and of the session',
  example: 'what did that cost?',
  triggers: ['metrics', 'usage', 'cost', 'what did that cost', 'tokens', 'price', '用量', '费用', '成本', '花了多少'],
  async *play(_input, _context, say) {
    yield* say.text(
      `Look below this message: model, tokens, cost and time. For this one I pretend to be an expensive model, and every number is **simulated**. I am a script: I use no tokens and cost nothing.`,
    )
    const values = {
      simulated: true,
      usage: { inputTokens: 4_210, outputTokens: 388, reasoningTokens: 120, cachedTokens: 3_900 },
      cost: { amount: 0.0187, currency: 'USD' },
    }
    yield { type: 'metric.changed', scope: 'run', values }
    yield { type: 'metric.changed', scope: 'session', values }
    say.pretend({ ...values, model: 'simulated-large', timing: { firstTextMs: 640, durationMs: 5_120 } })
  },
}
