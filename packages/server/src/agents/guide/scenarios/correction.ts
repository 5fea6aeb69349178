import { inline } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'
import { said, sentence } from './responses.ts'

const DRAFT = 'The capital of Australia is Sydney, and it was founded in 1913.'

export const correction: Scenario = {
  id: 'correction',
  title: 'Draft that you correct',
  shows: 'asking you to correct a draft before it is used',
  example: 'let me correct you',
  triggers: ['correct', 'correct you', 'correction', 'wrong', 'mistake', '纠正', '更正', '改正'],
  async *play(_input, _context, say) {
    yield* say.reasoning('I am sure of the year, not of the city. Better to have it checked before it goes out.')
    const response = await say.ask({
      kind: 'correction',
      title: 'Please check this sentence',
      detail: 'Change what is wrong, or send it as it is. (There is a mistake in it.)',
      args: { text: DRAFT },
      schema: { type: 'object', required: ['text'], properties: { text: { type: 'string', title: 'Sentence' } } },
    })
    const text = said(response) ? sentence(response) || DRAFT : undefined
    if (text === undefined) return yield* say.text('I throw the draft away, then. Better nothing than something wrong.')
    const verdict =
      text === DRAFT
        ? 'You left it as it was. Between us: it is **Canberra** that was founded in 1913.'
        : 'I go on with **your** version, not with mine.'
    yield* say.text(`${inline(text, 300)}

${verdict}`)
  },
}
