import type { PlanStep } from '@vitrine/protocol'
import type { Scenario } from '../scenario.ts'
import { keptSteps, said } from './responses.ts'

const STEPS = [
  { id: 'collect', title: 'Collect what people asked for', detail: 'Read 40 tickets of the last month' },
  { id: 'group', title: 'Group the requests', detail: 'By topic, then by how often they come' },
  { id: 'estimate', title: 'Estimate the three most wanted', detail: 'Small, medium or large' },
  { id: 'draft', title: 'Draft the announcement', detail: 'Half a page, no promises' },
]
const TITLE = 'Plan the next release'

export const plan: Scenario = {
  id: 'plan',
  shows: 'a plan that you approve, shorten or refuse, and then watch',
  example: 'make a plan',
  triggers: ['plan', 'make a plan', 'steps', 'roadmap', '计划', '规划', '步骤'],
  async *play(_input, _context, say) {
    yield* say.reasoning('Four steps are enough. I write them down one by one, then ask before I begin.')
    const at = (id: string, status: PlanStep['status']): PlanStep => {
      const { title, detail } = STEPS.find(step => step.id === id)!
      return { id, title, detail, status }
    }
    for (const { id } of STEPS) {
      await say.pause(300)
      yield { type: 'plan.delta', title: TITLE, steps: [at(id, 'pending')] }
    }
    const response = await say.ask({ kind: 'plan', title: 'Shall I go ahead with this plan?', plan: STEPS })
    if (!said(response)) {
      yield { type: 'plan.final', title: TITLE, steps: STEPS.map(({ id }) => at(id, 'skipped')) }
      return yield* say.text('All right, I leave it. The plan stays visible with every step marked as skipped.')
    }
    const kept = keptSteps(response)?.filter(id => STEPS.some(step => step.id === id)) ?? STEPS.map(({ id }) => id)
    const skipped = STEPS.filter(({ id }) => !kept.includes(id)).map(({ id }) => id)
    const shown = (done: number, active: number) => [
      ...kept.map((id, n) => at(id, n < done ? 'done' : n === active ? 'active' : 'pending')),
      ...skipped.map(id => at(id, 'skipped')),
    ]
    yield { type: 'plan.final', title: TITLE, steps: shown(0, -1) }
    for (const [n, id] of kept.entries()) {
      yield { type: 'plan.delta', steps: [at(id, 'active')] }
      yield* say.tool(
        { name: `work.${id}`, title: at(id, 'active').title },
        { preview: at(id, 'done').detail ?? '' },
        700,
      )
      yield { type: 'plan.delta', steps: [at(id, 'done')] }
      if (n === 0) yield* say.reasoning('So far so good. On to the next step.')
    }
    yield { type: 'plan.final', title: TITLE, steps: shown(kept.length, -1) }
    const less =
      skipped.length > 0
        ? ` You took out ${skipped.length}, and I left ${skipped.length === 1 ? 'it' : 'them'} out.`
        : ''
    yield* say.text(
      `All **${kept.length} steps** are done.${less} The plan is a fact of its own, so the panel shows where I am without guessing from what I write. *(Scripted: no tickets were read.)*`,
    )
  },
}
