import { quoted } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'

export const subagent: Scenario = {
  id: 'subagent',
  title: 'Work for a second agent',
  shows: 'handing a piece of work to a second agent and using what it found',
  example: 'send a scout',
  triggers: [
    'scout',
    'send a scout',
    'child agent',
    'sub-agent',
    'subagent',
    'delegate',
    'second agent',
    '子代理',
    '侦察',
    '委派',
  ],
  async *play(_input, context, say) {
    yield* say.text(
      'I send the **scout**, a second scripted agent, to look around. Its work appears under its own name.',
    )
    const { outcome, text } = await context.spawn('scout', 'Find a quiet place to work nearby.', 'Scout')
    context.signal.throwIfAborted()
    if (outcome !== 'completed') {
      return yield* say.text(
        `The scout did not come back (${outcome}). I would rather tell you than make something up.`,
      )
    }
    yield* say.reasoning('The scout names three places. The library is closest and quiet, so it comes first.')
    yield* say.text(`The scout is back. In its own words:

${quoted(text)}

My pick would be the **library**. What a subagent says is kept apart from my answer, just like reasoning and tools.`)
  },
}
