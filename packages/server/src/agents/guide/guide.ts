import type { AgentCommand, TurnInput } from '@vitrine/protocol'
import type { Agent, AgentContext } from '../agent.ts'
import { createPace } from './pace.ts'
import { createSay, type Outputs, type Say } from './say.ts'
import { match, type Scenario } from './scenario.ts'
import { approval } from './scenarios/approval.ts'
import { artifact } from './scenarios/artifact.ts'
import { attached, attachments } from './scenarios/attachments.ts'
import { bookingForm } from './scenarios/booking-form.ts'
import { choice } from './scenarios/choice.ts'
import { compaction } from './scenarios/compaction.ts'
import { correction } from './scenarios/correction.ts'
import { dashboard } from './scenarios/dashboard.ts'
import { diagnostic } from './scenarios/diagnostic.ts'
import { editFiles } from './scenarios/edit-files.ts'
import { evidence } from './scenarios/evidence.ts'
import { failingRun } from './scenarios/failing-run.ts'
import { form } from './scenarios/form.ts'
import { hello, helloTriggers, helpText, helpTriggers, inChinese, notUnderstood } from './scenarios/help.ts'
import { interaction } from './scenarios/interaction.ts'
import { longAnswer } from './scenarios/long-answer.ts'
import { markdown } from './scenarios/markdown.ts'
import { metrics } from './scenarios/metrics.ts'
import { pickFromTable } from './scenarios/pick-from-table.ts'
import { plan } from './scenarios/plan.ts'
import { question } from './scenarios/question.ts'
import { reasoning } from './scenarios/reasoning.ts'
import { recall } from './scenarios/recall.ts'
import { resultCards } from './scenarios/result-cards.ts'
import { retriedTool } from './scenarios/retried-tool.ts'
import { sharedState } from './scenarios/shared-state.ts'
import { slowWork } from './scenarios/slow-work.ts'
import { steer } from './scenarios/steer.ts'
import { stress } from './scenarios/stress.ts'
import { subagent } from './scenarios/subagent.ts'
import { tools } from './scenarios/tools.ts'
import { tour } from './scenarios/tour.ts'

export interface GuideOptions {
  /** 1 streams 60 to 120 pieces a second, like a model. 0 streams as fast as possible. */
  pace?: number
  /** The same seed gives the same pauses. */
  seed?: number
}

const help: Scenario = {
  id: 'help',
  title: 'What I can do',
  shows: 'this list',
  example: '/help',
  triggers: helpTriggers,
  async *play({ text }, _context, say) {
    yield* say.text(helpText(scenarios, inChinese(text)))
  },
}

const greeting: Scenario = {
  id: 'hello',
  title: 'Greeting',
  shows: 'a greeting',
  example: 'hello',
  triggers: helloTriggers,
  play: ({ text }, _context, say) => hello(text, say),
}

/** All scenarios of the guide, in the order in which its help lists them. */
export const scenarios: readonly Scenario[] = [
  longAnswer,
  markdown,
  reasoning,
  tools,
  retriedTool,
  approval,
  editFiles,
  choice,
  form,
  question,
  correction,
  plan,
  steer,
  slowWork,
  sharedState,
  subagent,
  bookingForm,
  dashboard,
  pickFromTable,
  ...resultCards,
  artifact,
  evidence,
  diagnostic,
  compaction,
  metrics,
  recall,
  attachments,
  failingRun,
  stress,
  tour,
  help,
  greeting,
]

const commandOf = ({ id, title, argument }: Scenario): AgentCommand => ({
  name: id,
  description: title,
  ...(argument && { argument }),
})

async function* dispatch(input: TurnInput, context: AgentContext, say: Say): Outputs {
  if (input.interaction) return yield* interaction.play(input, context, say)
  const scenario = match(scenarios, input.text)
  const files = input.files ?? []
  if (files.length > 0 && scenario !== attachments) yield* attached(files, input.text, context, say)
  if (scenario) yield* scenario.play(input, context, say)
  else if (files.length === 0) yield* notUnderstood(input.text, say)
}

/** A scripted agent that needs no key and uses everything that the runtime offers. */
export function createGuide({ pace = 1, seed = 1 }: GuideOptions = {}): Agent {
  return {
    agentId: 'guide',
    name: 'Guide',
    description:
      'A scripted guide that shows what the workbench can do. It needs no key and understands fixed requests.',
    scripted: true,
    capabilities: { mode: 'text', input: ['text', 'file'], output: ['text'], execution: 'local' },
    commands: [tour, help, ...scenarios.filter(scenario => scenario !== tour && scenario !== help)].map(commandOf),
    async *run(input, context) {
      const say: Say = createSay(context, createPace(pace, seed), said => dispatch(said, context, say))
      try {
        yield* dispatch(input, context, say)
        // Steers that came too late for the scenario are answered now, each with the scenario that it asks for.
        for (let steers = await context.steers.take(); steers.length > 0; steers = await context.steers.take()) {
          for (const { steerId: _, ...said } of steers) yield* dispatch(said, context, say)
        }
        yield say.metrics()
      } catch (error) {
        // When the run was interrupted, this is not a failure. The runtime marks open parts as cut off.
        if (!context.signal.aborted) throw error
      }
    },
  }
}
