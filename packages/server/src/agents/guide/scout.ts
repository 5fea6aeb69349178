import type { Agent } from '../agent.ts'
import type { GuideOptions } from './guide.ts'
import { createPace } from './pace.ts'
import { createSay, type Outputs } from './say.ts'

/** A second scripted agent. The guide spawns it; it works for a moment and reports. */
export function createScout({ pace = 1, seed = 2 }: GuideOptions = {}): Agent {
  return {
    agentId: 'scout',
    name: 'Scout',
    description: 'A scripted second agent that the guide sends out. It always finds the same three places.',
    scripted: true,
    async *run(_input, context) {
      const say = createSay(context, createPace(pace, seed), ({ text }): Outputs => say.text(text))
      try {
        yield* say.reasoning('Quiet, near, with a table and power. I look at the map.')
        yield* say.tool(
          {
            name: 'map.search',
            title: 'Search the map',
            summary: 'quiet places',
            args: { within: '1 km', quiet: true },
          },
          { preview: 'Library · 400 m\nTea house · 650 m\nBotanical garden · 900 m', value: { places: 3 } },
        )
        yield* say.text(
          'Three places, all quiet: the library (400 m, power at every table), the tea house (650 m, mornings only) and the botanical garden (900 m, no power).',
        )
      } catch (error) {
        if (!context.signal.aborted) throw error
      }
    },
  }
}
