import { inline } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'
import { said, sentence, unanswered } from './responses.ts'

export const question: Scenario = {
  id: 'question',
  title: 'Question in your own words',
  shows: 'asking a question that you answer in your own words',
  example: 'ask me a question',
  triggers: ['ask me', 'ask me a question', 'question', '提问', '问我'],
  async *play(_input, _context, say) {
    const response = await say.ask({
      kind: 'question',
      title: 'What should I call you?',
      detail: 'Any name will do. It is only used in the next sentence.',
    })
    const name = said(response) ? sentence(response) : ''
    yield* say.text(
      name
        ? `Nice to meet you, ${inline(name, 60)}. Your answer went straight to the step that needed it; no new turn was started.`
        : unanswered(response),
    )
  },
}
