import type { PlanStep } from '@vitrine/protocol'
import type { AgentContext, AgentOutput } from '../../agent.ts'
import type { Say } from '../say.ts'
import type { Scenario } from '../scenario.ts'
import { approval } from './approval.ts'
import { artifact } from './artifact.ts'
import { bookingForm } from './booking-form.ts'
import { choice } from './choice.ts'
import { compaction } from './compaction.ts'
import { correction } from './correction.ts'
import { dashboard } from './dashboard.ts'
import { diagnostic } from './diagnostic.ts'
import { editFiles } from './edit-files.ts'
import { evidence } from './evidence.ts'
import { form } from './form.ts'
import { longAnswer } from './long-answer.ts'
import { metrics } from './metrics.ts'
import { pickFromTable } from './pick-from-table.ts'
import { question } from './question.ts'
import { reasoning } from './reasoning.ts'
import { allowed, keptSteps } from './responses.ts'
import { resultCards } from './result-cards.ts'
import { retriedTool } from './retried-tool.ts'
import { sharedState } from './shared-state.ts'
import { slowWork } from './slow-work.ts'
import { steer } from './steer.ts'
import { subagent } from './subagent.ts'
import { tools } from './tools.ts'

interface Chapter {
  id: string
  title: string
  intro: string
  stops: readonly Scenario[]
}

const CHAPTERS: readonly Chapter[] = [
  {
    id: 'answers',
    title: 'Answers and thinking',
    intro: 'First the simplest thing: how I think and how I answer.',
    stops: [reasoning, longAnswer],
  },
  {
    id: 'tools',
    title: 'Tools at work',
    intro: 'Now tools: several at once, one that fails, and one that takes its time.',
    stops: [tools, retriedTool, slowWork],
  },
  {
    id: 'requests',
    title: 'Asking you',
    intro: 'Sometimes only you can decide. These are the ways I can ask.',
    stops: [approval, editFiles, choice, form, question, correction],
  },
  {
    id: 'together',
    title: 'Working together',
    intro: 'Working together: you steer, we share state, and a second agent helps.',
    stops: [steer, sharedState, subagent],
  },
  {
    id: 'interfaces',
    title: 'Interfaces I draw',
    intro: 'Words are not always best. Here are interfaces that I draw and you use.',
    stops: [bookingForm, dashboard, pickFromTable],
  },
  {
    id: 'cards',
    title: 'Results as cards',
    intro: 'And this is what results can look like when a tool says what to show.',
    stops: resultCards,
  },
  {
    id: 'records',
    title: 'Documents and records',
    intro: 'Last: what stays beside the conversation.',
    stops: [artifact, evidence, diagnostic, compaction, metrics],
  },
]
type Wish = 'go' | 'skip' | 'stop'
const TITLE = 'Tour of the workbench'

const step = ({ id, title }: Chapter, status: PlanStep['status']): PlanStep => ({ id, title, status })

/**
 * Handles what the person writes between two stops: stop ends
 * the tour, skip skips the chapter, anything else is played.
 */
async function* heard(context: AgentContext, say: Say): AsyncGenerator<AgentOutput, Wish> {
  for (const { text, interaction } of await context.steers.take()) {
    if (!interaction && /\b(stop|end|quit|enough)\b|停|结束/i.test(text)) return 'stop'
    if (!interaction && /\b(skip|next)\b|跳过|下一/i.test(text)) return 'skip'
    yield* say.turnTo({ text, interaction })
  }
  return 'go'
}

/** The tour is a plan: the person approves it, and its steps are followed. */
export const tour: Scenario = {
  id: 'tour',
  title: 'Tour of everything',
  shows: 'everything, one thing after another',
  example: '/tour',
  argument: 'part',
  triggers: ['tour', 'show me around', 'show me everything', '导览', '参观', '带我看看'],
  async *play(input, context, say) {
    const wanted = CHAPTERS.filter(({ id }) => new RegExp(`\\b${id}\\b`, 'i').test(input.text))
    let chapters: readonly Chapter[] = wanted.length > 0 ? wanted : CHAPTERS
    yield* say.text(
      `Welcome! I am a **script**: nothing here needs a model or a key, and everything I do goes through the real runtime. Steer me with **skip** or **stop** at any time.`,
    )
    yield { type: 'plan.delta', title: TITLE, steps: chapters.map(chapter => step(chapter, 'pending')) }
    if (chapters.length > 1) {
      const answer = await say.ask({
        kind: 'plan',
        title: 'Shall we take this tour?',
        detail: 'Leave out what does not interest you. Some stops ask you something; nothing real is changed.',
        plan: chapters.map(({ id, title, stops }) => ({ id, title, detail: stops.map(stop => stop.shows).join('; ') })),
      })
      if (!allowed(answer)) {
        yield { type: 'plan.final', title: TITLE, steps: chapters.map(chapter => step(chapter, 'skipped')) }
        return yield* say.text('Another time, then. **/help** lists everything you can look at on its own.')
      }
      const kept = keptSteps(answer)
      if (kept) {
        chapters = kept.flatMap(({ id, title }) => {
          const chapter = chapters.find(candidate => candidate.id === id)
          return chapter ? [title ? { ...chapter, title } : chapter] : []
        })
      }
    }
    yield { type: 'plan.final', title: TITLE, steps: chapters.map(chapter => step(chapter, 'pending')) }

    const ended = new Map<string, PlanStep['status']>()
    let wish: Wish = 'go'
    for (const chapter of chapters) {
      yield { type: 'plan.delta', steps: [step(chapter, 'active')] }
      yield* say.text(`## ${chapter.title}\n\n${chapter.intro}`)
      wish = 'go'
      for (const stop of chapter.stops) {
        // In the tour the slow work is short. On its own it takes as long as the person asks for.
        yield* stop.play({ text: stop === slowWork ? '1 s' : stop.example }, context, say)
        wish = yield* heard(context, say)
        if (wish !== 'go') break
      }
      ended.set(chapter.id, wish === 'go' ? 'done' : 'skipped')
      yield { type: 'plan.delta', steps: [step(chapter, ended.get(chapter.id)!)] }
      if (wish === 'stop') break
    }
    const steps = chapters.map(chapter => step(chapter, ended.get(chapter.id) ?? 'skipped'))
    yield { type: 'plan.final', title: TITLE, steps }
    yield* say.text(
      wish === 'stop'
        ? 'We stop here. **/help** lists the rest, whenever you like.'
        : `That was the tour. Three things I left for you, because they end or fill a run: **fail on purpose** and then press **Try again**, **work slowly for 60 seconds** and then interrupt, and **stress 10000**. Everything else is in **/help**.`,
    )
  },
}
