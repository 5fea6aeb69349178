import type { Message } from '@ag-ui/client'
import { fold, placed, runStarted, textDeltas, textOf, turns, wordsLength } from './events.ts'
import { agUiMessages, agUiText } from './peers.ts'
import { expect, median, type Row } from './row.ts'

const EARLIER = 1_000
const DELTAS = 2_000
const SESSIONS = 10

/** Deltas of a new message in a session that has a thousand already. Loading the history is not measured. */
export async function run(): Promise<Row[]> {
  const history = placed(turns(EARLIER / 2))
  const answer = [runStarted('new'), ...textDeltas('new', DELTAS)]
  const after = (earlier: typeof history) => {
    const events = placed(answer, earlier.length)
    const states = Array.from({ length: SESSIONS }, () => fold(earlier))
    globalThis.gc?.()
    const since = performance.now()
    for (const state of states) fold(events, state)
    const ms = (performance.now() - since) / SESSIONS
    for (const state of states) expect(textOf(state, 'new').length === wordsLength(DELTAS), 'our text')
    return ms
  }
  const earlier = Array.from(
    { length: EARLIER },
    (_, index): Message => ({
      id: `message-${index}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${index}`,
    }),
  )
  const peer = async () => {
    const events = agUiText(DELTAS)
    globalThis.gc?.()
    const since = performance.now()
    const messages = await agUiMessages(events, earlier)
    const ms = performance.now() - since
    expect(messages.length === EARLIER + 1, "ag-ui's messages")
    return ms
  }

  const samples = { late: [] as number[], first: [] as number[], agUi: [] as number[] }
  for (let turn = -10; turn < 15; turn++) {
    const late = after(history)
    const first = after([])
    if (turn >= 0) samples.late.push(late)
    if (turn >= 0) samples.first.push(first)
    if (turn >= 0 && turn % 5 === 0) samples.agUi.push(await peer())
  }
  const perSecond = (ms: readonly number[]) => (DELTAS / median(ms)) * 1000
  const [late, first, agUi] = [perSecond(samples.late), perSecond(samples.first), perSecond(samples.agUi)]
  return [
    {
      name: `events/s after ${EARLIER} messages, @ag-ui/client 1.0`,
      ours: late,
      peer: agUi,
      unit: 'events/s',
      ratio: late / agUi,
      target: '≥ 500k events/s',
      ok: late >= 500_000,
    },
    {
      name: `time after ${EARLIER} messages (peer: ours after none)`,
      ours: (DELTAS / late) * 1000,
      peer: (DELTAS / first) * 1000,
      unit: 'ms',
      ratio: first / late,
      target: '≤ 1.3 ×',
      ok: first / late <= 1.3,
    },
  ]
}
