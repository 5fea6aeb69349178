import { quoted } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'
import { onBooking } from './booking-form.ts'
import { onDashboard } from './dashboard.ts'
import { onTable } from './pick-from-table.ts'
import { byName, surfaceUse } from './surface-use.ts'
import { toolActions } from './tool-actions.ts'

const SURFACES = { booking: onBooking, dashboard: onDashboard, trains: onTable } as const

/** Played for interactions: a person used a surface or a result card instead of typing. */
export const interaction: Scenario = {
  id: 'interaction',
  title: 'Answers to what you do in a card',
  shows: 'answering to what you do in the interfaces I draw',
  example: 'press a button in a form that I drew',
  triggers: [],
  async *play(input, context, say) {
    const used = surfaceUse(input.interaction)
    if (used) {
      const kind = used.surfaceId.split('-', 1)[0] as keyof typeof SURFACES
      if (Object.hasOwn(SURFACES, kind)) return yield* SURFACES[kind](used, say)
      return yield* say.text(
        `You used ${quoted(used.componentId, 80)}\n\nI did not draw that surface, so I cannot say what it means.`,
      )
    }
    if (input.interaction?.kind !== 'ui_schema') return
    const { action, values } = input.interaction
    if (action.type === 'tool') {
      const run = Object.hasOwn(toolActions, action.toolId) ? toolActions[action.toolId] : undefined
      if (run) return yield* run(action.params ?? {}, context, say)
      return yield* say.text(`There is no tool of that name here, so nothing was done:\n\n${quoted(action.toolId, 80)}`)
    }
    yield* toolActions['form.submit']!({ ...action.payload, ...byName(values) }, context, say)
  },
}
