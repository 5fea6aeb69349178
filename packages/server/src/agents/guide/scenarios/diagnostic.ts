import type { Scenario } from '../scenario.ts'

export const diagnostic: Scenario = {
  id: 'diagnostic',
  title: 'Warning that appears and clears',
  shows: 'a warning that appears and is cleared when the cause is gone',
  example: 'show a diagnostic',
  triggers: ['diagnostic', 'diagnostics', 'warning', '诊断', '警告'],
  async *play(_input, _context, say) {
    const diagnosticId = say.own('disk')
    yield {
      type: 'diagnostic.changed',
      diagnosticId,
      state: 'open',
      level: 'warning',
      code: 'disk_almost_full',
      message: 'The disk of the build machine is 94 % full (simulated).',
    }
    yield* say.text('Something is not right: the build machine is running out of disk. I clean up.')
    yield* say.tool({ name: 'disk.clean', title: 'Clean up', args: { keepDays: 7 } }, { preview: 'freed 38 GB' }, 1200)
    yield { type: 'diagnostic.changed', diagnosticId, state: 'cleared' }
    yield* say.text(
      'Solved, and the warning is gone. Diagnostics are for what you should *know* without it being part of my answer. *(Scripted: no disk was harmed.)*',
    )
  },
}
