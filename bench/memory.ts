import type { EventDraft, SessionEvent } from '@vitrine/protocol'
import type { AgentOutput } from '@vitrine/server'
import { startChild } from './child.ts'
import { placed, runStarted, word } from './events.ts'
import type { Row } from './row.ts'

/** Runs of about 500 events each make a session of a little more than 50k. */
export const RUNS = 103
const ROUNDS = 8

/** What an agent says in one run: reasoning, text and a tool call, in turns, so that no two deltas become one event. */
export function* outputs(): Iterable<AgentOutput> {
  for (let round = 0; round < ROUNDS; round++) {
    const toolCallId = `call-${round}`
    yield { type: 'tool.started', partId: `tool-${round}`, toolCallId, name: 'search' }
    for (let index = 0; index < 19; index++) {
      yield { type: 'text.delta', partId: `text-${round}`, delta: word(index) }
      yield { type: 'reasoning.delta', partId: `reasoning-${round}`, delta: word(index) }
      yield { type: 'tool.output.delta', toolCallId, delta: `line ${index}\n` }
    }
    yield { type: 'tool.result', toolCallId, preview: 'found' }
    yield { type: 'text.final', partId: `text-${round}` }
    yield { type: 'reasoning.summary', partId: `reasoning-${round}` }
  }
}

/** The same session as events. */
export function session(runs: number): SessionEvent[] {
  const drafts: EventDraft[] = []
  for (let run = 0; run < runs; run++) {
    const [runId, messageId] = [`run-${run}`, `answer-${run}`]
    drafts.push(runStarted(`${run}`))
    for (const output of outputs()) {
      const own: Record<string, unknown> = { ...output, runId, messageId }
      if (output.partId) own.partId = `${messageId}/${output.partId}`
      if (output.toolCallId) own.toolCallId = `${messageId}/${output.toolCallId}`
      if (output.type === 'text.final') Object.assign(own, { length: LENGTH, digest: 'd' })
      drafts.push(own as EventDraft)
    }
    drafts.push({ type: 'run.finished', runId, outcome: 'completed' })
  }
  return placed(drafts)
}

const LENGTH = Array.from({ length: 19 }, (_, index) => word(index)).join('').length

/** Each in a process of its own: nothing else is on its heap. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  // The server holds a window of the history, the client in this measurement all of it.
  for (const [which, limit] of Object.entries({ server: 3, client: 8 })) {
    const { said } = await startChild<{ bytes: number; events: number }>('./memory.child.ts', which)
    const { bytes, events } = said
    const size = bytes / 1e6
    rows.push({
      name: `heap of a session with ${events} events, ${which}`,
      ours: size,
      unit: 'MB',
      target: `≤ ${limit} MB`,
      ok: size <= limit,
    })
  }
  return rows
}
