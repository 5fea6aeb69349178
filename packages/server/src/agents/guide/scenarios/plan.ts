import type { PlanStep } from '@vitrine/protocol'
import { inline } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'
import { allowed, keptSteps } from './responses.ts'

interface Step {
  id: string
  title: string
  detail?: string
}

const STEPS: readonly Step[] = [
  { id: 'collect', title: 'Collect what people asked for', detail: 'Read 40 tickets of the last month' },
  { id: 'group', title: 'Group the requests', detail: 'By topic, then by how often they come' },
  { id: 'estimate', title: 'Estimate the three most wanted', detail: 'Small, medium or large' },
  { id: 'draft', title: 'Draft the announcement', detail: 'Half a page, no promises' },
]
const TITLE = 'Plan the next release'
/** So often the guide makes another plan when it is asked for one. */
const TRIES = 3

const shown = ({ id, title, detail }: Step, status: PlanStep['status']): PlanStep => ({
  id,
  title,
  ...(detail !== undefined && { detail }),
  status,
})

export const plan: Scenario = {
  id: 'plan',
  title: 'Plan that you can change',
  shows: 'a plan that you start, change, refuse or answer in words, and then watch',
  example: 'make a plan',
  triggers: ['plan', 'make a plan', 'steps', 'roadmap', '计划', '规划', '步骤'],
  async *play(_input, _context, say) {
    yield* say.reasoning('Four steps are enough. I write them down one by one, then ask before I begin.')
    for (const step of STEPS) {
      await say.pause(300)
      yield { type: 'plan.delta', title: TITLE, steps: [shown(step, 'pending')] }
    }
    let steps = STEPS
    let response = await say.ask({ kind: 'plan', title: 'Start with these 4 steps?', plan: [...steps] })
    // What the person wrote is no consent. It becomes a step of another plan, about which they are asked again.
    for (let tries = 1; response.text !== undefined && tries < TRIES; tries++) {
      yield* say.text(`Another plan, then. You said: ${inline(response.text, 200)}.`)
      const asked = { id: `asked-${tries}`, title: response.text.slice(0, 200).toWellFormed(), detail: 'As you asked' }
      steps = [asked, ...steps]
      yield { type: 'plan.delta', title: TITLE, steps: steps.map(step => shown(step, 'pending')) }
      response = await say.ask({ kind: 'plan', title: `Start with these ${steps.length} steps?`, plan: [...steps] })
    }
    if (!allowed(response)) {
      yield { type: 'plan.final', title: TITLE, steps: steps.map(step => shown(step, 'skipped')) }
      return yield* say.text('All right, I leave it. The plan stays visible with every step marked as skipped.')
    }
    const known = new Map(steps.map(step => [step.id, step]))
    const kept = keptSteps(response)?.flatMap(({ id, title }): Step[] => {
      const step = known.get(id)
      if (step) return [title ? { ...step, title } : step]
      return title ? [{ id, title }] : []
    }) ?? [...steps]
    const skipped = steps.filter(({ id }) => !kept.some(step => step.id === id))
    const all = (status: PlanStep['status']) => [
      ...kept.map(step => shown(step, status)),
      ...skipped.map(step => shown(step, 'skipped')),
    ]
    yield { type: 'plan.final', title: TITLE, steps: all('pending') }
    for (const [n, step] of kept.entries()) {
      yield { type: 'plan.delta', steps: [shown(step, 'active')] }
      yield* say.tool({ name: `work.${step.id}`, title: step.title }, { preview: step.detail ?? 'Done' }, 700)
      yield { type: 'plan.delta', steps: [shown(step, 'done')] }
      if (n === 0) yield* say.reasoning('So far so good. On to the next step.')
    }
    yield { type: 'plan.final', title: TITLE, steps: all('done') }
    yield* say.text(
      `All **${kept.length} steps** are done.${changes(steps, kept, skipped)} The plan is a fact of its own, so the panel shows where I am without guessing from what I write. *(Scripted: no tickets were read.)*`,
    )
  },
}

/** What the person changed, in words, so that they see that it arrived. */
function changes(before: readonly Step[], kept: readonly Step[], skipped: readonly Step[]): string {
  const added = kept.filter(({ id }) => !before.some(step => step.id === id))
  const edited = kept.filter(({ id, title }) => before.some(step => step.id === id && step.title !== title))
  const said = [
    skipped.length > 0 && `You took out ${skipped.length}, and I left ${skipped.length === 1 ? 'it' : 'them'} out.`,
    edited.length > 0 && `You changed: ${edited.map(({ title }) => inline(title, 80)).join(', ')}.`,
    added.length > 0 && `You added: ${added.map(({ title }) => inline(title, 80)).join(', ')}.`,
  ]
  return said
    .filter(one => one !== false)
    .map(one => ` ${one}`)
    .join('')
}
