import { inline } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'

const ITEMS: Record<string, string[]> = {
  mountains: [
    'hiking boots',
    'a warm layer',
    'rain jacket',
    'a paper map',
    'headlamp',
    'blister plasters',
    'trail mix',
    'thin gloves',
  ],
  sea: [
    'sunscreen',
    'swimwear',
    'a light towel',
    'sandals',
    'sunglasses',
    'a thick novel',
    'snorkel',
    'after-sun lotion',
  ],
  city: [
    'comfortable shoes',
    'a transit card',
    'a small umbrella',
    'museum tickets',
    'a power bank',
    'one good shirt',
    'earplugs',
    'a tote bag',
  ],
}
const WORDS: [RegExp, string][] = [
  [/\b(sea|beach|coast|ocean|island)\b|海/i, 'sea'],
  [/\b(city|town|museum)\b|城/i, 'city'],
  [/\b(mountains?|hik\w*|alps)\b|山/i, 'mountains'],
]
const STOP = /\b(stop|enough|done|finish|that'?s all|shorter)\b|停|够了/i

export const steer: Scenario = {
  id: 'steer',
  title: 'Steering in the middle of the work',
  shows: 'changing course in the middle of the work when you steer',
  example: 'let me steer you',
  triggers: ['steer', 'change course', 'packing list', 'redirect', '转向', '引导', '调整方向'],
  async *play(_input, context, say) {
    yield* say.text(
      'I am packing for the **mountains**, slowly. While I do, **steer** me: “make it the sea”, “a city”, or “stop”.',
    )
    let place = 'mountains'
    let partId = say.part()
    yield* say.open('Packing list:\n\n', partId)
    for (let n = 0; n < 8; n++) {
      await Promise.race([say.pause(1500), context.steers.wait()])
      context.signal.throwIfAborted()
      const steers = await context.steers.take()
      if (steers.length > 0) yield { type: 'text.final', partId }
      for (const { text, interaction } of steers) {
        if (interaction) {
          yield* say.turnTo({ text, interaction })
          continue
        }
        if (STOP.test(text)) return yield* say.text('Stopping here, as you said. The list so far stays.')
        const next = WORDS.find(([word]) => word.test(text))?.[1]
        if (next && next !== place) {
          place = next
          yield* say.text(`You steered: ${inline(text)}. So it is the **${place}** now; I go on from here.`)
        } else {
          yield* say.text(
            `You steered: ${inline(text)}. I know only mountains, sea and city, so I keep to the **${place}**.`,
          )
        }
      }
      if (steers.length > 0) partId = say.part()
      yield* say.open(`- ${ITEMS[place]![n]}\n`, partId)
    }
    yield { type: 'text.final', partId }
    yield* say.text(
      'Packed. A steer reaches a run *while it works*; the mark in the conversation shows where I took it in. If you want something done afterwards instead, **queue** it.',
    )
  },
}
