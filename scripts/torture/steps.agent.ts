import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '@vitrine/server'
import { note } from './journal.ts'

const STEPS = 6

/** An honest agent whose runs go on after a kill. Each step makes one call, which may run twice. */
export default {
  agentId: 'steps',
  name: 'Steps',
  description: 'Works in steps and goes on after a restart',
  scripted: true,
  resume: 'steps',
  async *run(_input, { sessionId, runId, turnId, attempt, resumed, admit, signal }) {
    if (!resumed) note('begin', sessionId, runId, turnId, attempt)
    const times = resumed?.times ?? 0
    for (let step = (resumed?.steps.length ?? 0) + 1; step <= STEPS; step++) {
      const stepId = `${step}`
      const open = resumed?.openStep === stepId
      const begun = resumed?.parts.find(part => open && part.kind === 'call' && part.partId.startsWith(`${step}.`))
      const call = begun?.kind === 'call' ? begun : undefined
      const toolCallId = call?.toolCallId ?? `${step}.${times}`
      if (!call) {
        yield { type: 'step.started', stepId }
        yield { type: 'tool.started', partId: toolCallId, toolCallId, name: 'work', executor: 'agent' }
        yield { type: 'tool.args', toolCallId, delta: '{}', done: true }
      }
      if (!call?.result) {
        await admit({ toolCallId, name: 'work', args: {}, effects: 'none', repeatable: true })
        await sleep(20)
        if (signal.aborted) return
        yield { type: 'tool.result', toolCallId, preview: `worked on step ${step}` }
      }
      yield { type: 'step.finished', stepId }
    }
    yield { type: 'text.delta', partId: `answer.${times}`, delta: `done ${turnId}` }
    note('end', sessionId, runId, turnId, attempt)
  },
} satisfies Agent
