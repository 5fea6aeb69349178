import { setTimeout as sleep } from 'node:timers/promises'
import type { UiSchemaRenderer } from '@vitrine/genui/schema'
import type { Agent, AgentOutput } from '@vitrine/server'
import { note } from './journal.ts'

const form = {
  version: 'v0.9',
  createSurface: {
    surfaceId: 'form',
    catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json',
    root: { id: 'root', type: 'Column', children: [{ id: 'send', type: 'Button', props: { text: 'Send' } }] },
    dataModel: {},
  },
}

const choose = { type: 'payload', payload: { chosen: 7 } } as const
const card: UiSchemaRenderer = {
  version: '2.0',
  root: { type: 'stack', children: [{ type: 'button', label: 'Choose', action: choose }] },
}

const say = (delta: string, partId = 'answer'): AgentOutput => ({ type: 'text.delta', partId, delta })

/**
 * An honest agent. The first word of the turn says what it does. A second attempt, and any other text, is short work.
 */
export default {
  agentId: 'worker',
  name: 'Worker',
  description: 'Does what the torture harness tells it',
  scripted: true,
  async *run({ text, files = [] }, { sessionId, runId, turnId, attempt, signal, steers, ask, surfaces, readFile }) {
    note('begin', sessionId, runId, turnId, attempt)
    const [task, count] = attempt === 1 ? text.split(' ') : []
    if (task === 'fail') throw new Error('Told to fail')
    // A file that cannot be read fails the run, and the judge sees a run that did not complete.
    if (task === 'read') for (const { digest } of files) yield say(`${(await readFile(digest)).length} `)
    if (task === 'ask') yield say((await ask({ kind: 'approval', title: 'May I?' })).outcome)
    if (task === 'draw') await surfaces.apply([form])
    if (task === 'card') {
      yield { type: 'tool.started', partId: 'card', toolCallId: 'card', name: 'show' }
      yield { type: 'tool.result', toolCallId: 'card', ui: card }
    }
    if (task === 'slow') {
      for (let i = 0; i < 2_000; i++) {
        if (signal.aborted) return
        yield say(`${i} `)
        for (const { text: steering } of await steers.take()) yield say(`steered by ${steering} `)
        await sleep(4)
      }
    }
    // Two parts take turns, so that the log does not merge the deltas into few events.
    if (task === 'many') for (let i = 0; i < Number(count); i++) yield say(`${i} ${'x'.repeat(30)} `, `p${i % 2}`)
    yield say(`done ${turnId}`)
    note('end', sessionId, runId, turnId, attempt)
  },
} satisfies Agent
