import type { Scenario } from '../scenario.ts'

export const retriedTool: Scenario = {
  id: 'retried-tool',
  title: 'Tool that is tried again',
  shows: 'a tool that fails, is tried again, and takes back what was said too early',
  example: 'show me a flaky tool',
  triggers: ['flaky', 'failing tool', 'retry a tool', 'retried', 'retract', 'try again', '重试', '撤回', '不稳定'],
  async *play(_input, _context, say) {
    const args = { city: 'Lisbon', days: 3 }
    const first = yield* say.call({ name: 'weather.forecast', title: 'Forecast', summary: 'Lisbon, 3 days', args })
    const early = say.part()
    const replacement = say.part()
    yield* say.open('The forecast for Lisbon is on its way, and from the first numbers it looks like ra', early)
    await say.pause(500)
    yield { type: 'tool.output.delta', toolCallId: first, stream: 'error', delta: 'connection reset by peer\n' }
    yield say.failed(first, {
      code: 'upstream_reset',
      message: 'The forecast service closed the connection.',
      retryable: true,
      next: 'I try once more.',
    })
    // This text relied on a call that failed. It is withdrawn, so that it does not stay as if it were true.
    yield {
      type: 'part.retracted',
      partId: early,
      reason: 'The forecast it was based on did not arrive.',
      replacedBy: replacement,
    }
    yield { type: 'run.status', status: 'retrying', reason: 'The forecast service closed the connection.' }
    await say.pause(700)
    const again = { name: 'weather.forecast', title: 'Forecast, second try', summary: 'Lisbon, 3 days', args }
    const second = yield* say.call({ ...again, retryOf: first })
    await say.pause(500)
    yield say.result(second, { preview: '22° sunny · 23° sunny · 21° cloudy', value: { high: [22, 23, 21] } })
    yield { type: 'run.status', status: 'streaming' }
    yield* say.text(
      `**Lisbon: 22° and 23° with sun, then 21° and clouds.**

The first call failed after I had already begun to answer, so I *withdrew* that sentence instead of leaving a guess in your conversation. Both calls are kept: the failed one says why, the second one says which call it repeats. *(Scripted: the weather is invented.)*`,
      replacement,
    )
  },
}
