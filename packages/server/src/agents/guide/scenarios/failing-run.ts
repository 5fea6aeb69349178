import type { Scenario } from '../scenario.ts'

/** Fails the run as a real agent should: with a code, a reason and a next step. */
class ScriptedFailure extends Error {
  override name = 'ScriptedFailure'
  readonly code = 'scripted_failure'
  readonly retryable = true
  readonly next = 'Press Try again: the second attempt succeeds.'
}

export const failingRun: Scenario = {
  id: 'failing-run',
  title: 'Run that fails until you retry',
  shows: 'a run that fails on purpose and succeeds when you retry it',
  example: 'fail on purpose',
  triggers: ['fail', 'fail on purpose', 'crash', 'break', 'error', '失败', '故意失败', '出错', '崩溃'],
  async *play(_input, context, say) {
    if (context.attempt > 1) {
      yield* say.tool({ name: 'database.connect', title: 'Connect' }, { preview: 'connected' })
      return yield* say.text(
        `Attempt ${context.attempt} worked. **The failed attempt is still above**, with what it said and why it ended: a retry adds, it never hides.`,
      )
    }
    yield* say.text('I am going to fail now, on purpose. What I have said so far will stay; then press **Try again**.')
    const toolCallId = yield* say.call({ name: 'database.connect', title: 'Connect' })
    await say.pause(800)
    yield say.failed(toolCallId, { code: 'refused', message: 'The database refuses connections.', retryable: true })
    throw new ScriptedFailure('The database refuses connections (on purpose).')
  },
}
