import { quoted } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'

export const recall: Scenario = {
  id: 'recall',
  title: 'What I see of the conversation',
  shows: 'what an agent gets to see of the conversation so far',
  example: 'what did I say before?',
  triggers: ['what did i say', 'remember', 'history', 'recall', '历史', '之前', '记得', '我说过'],
  async *play(_input, context, say) {
    const history = await context.history(50)
    const last = history.findLast(message => message.role === 'user')
    yield* say.text(
      last
        ? `There are **${history.length} messages** before this one that I can see. The last thing you wrote was:

${quoted(last.text)}

I only repeat it; as a script I do not understand it.`
        : 'This is the beginning of our conversation: there is nothing before it.',
    )
  },
}
