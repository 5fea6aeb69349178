import { inline } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'
import { chosen, said, unanswered } from './responses.ts'

const PLACES = [
  { value: 'sea', label: 'The sea', detail: 'salt, wind, late breakfasts' },
  { value: 'mountains', label: 'The mountains', detail: 'boots, huts, early mornings' },
  { value: 'city', label: 'A city', detail: 'museums, trams, too much coffee' },
]
const EXTRAS = [
  { value: 'train', label: 'Go by train' },
  { value: 'quiet', label: 'Somewhere quiet' },
  { value: 'food', label: 'Good food nearby' },
]

export const choice: Scenario = {
  id: 'choice',
  title: 'Choices to make',
  shows: 'letting you choose: one of several, then any number',
  example: 'let me choose',
  triggers: ['choose', 'choice', 'options', 'multiple choice', '选择', '选项', '选一个'],
  async *play(_input, _context, say) {
    yield* say.text(
      'Two quick questions. The run waits for you as long as it takes, also over a restart of your browser.',
    )
    const place = await say.ask({ kind: 'choice', title: 'Where would you go?', options: PLACES })
    if (!said(place)) return yield* say.text(unanswered(place))
    const extras = await say.ask({
      kind: 'choice',
      title: 'What matters? Pick any number.',
      options: EXTRAS,
      multiple: true,
    })
    const name = (value: string) =>
      [...PLACES, ...EXTRAS].find(option => option.value === value)?.label ?? inline(value)
    const wishes = said(extras) ? [...chosen(extras).map(name), ...(extras.text ? [inline(extras.text, 80)] : [])] : []
    const where = chosen(place).map(name).join(', ') || inline(place.text ?? '', 80)
    yield* say.text(
      `**${where || 'Anywhere'}**${wishes.length > 0 ? `, with: ${wishes.join(', ').toLowerCase()}` : ', no special wishes'}. Noted!

${place.text === undefined ? 'I got the values behind the labels, so nothing had to be guessed from words.' : 'You answered in your own words, and they reached me as they are.'}`,
    )
  },
}
