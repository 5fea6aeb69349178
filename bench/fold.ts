import type { SessionEvent } from '@vitrine/protocol'
import { fold, placed, runStarted, textDeltas, textOf, wordsLength } from './events.ts'
import { agUiMessages, agUiText, aiMessage, aiText, aiTextOf } from './peers.ts'
import { expect, type Row, takeTurns } from './row.ts'

const SIZES = [1_000, 10_000, 20_000, 50_000]
const LARGEST = 50_000

const oneMessage = (count: number): SessionEvent[] => placed([runStarted('a'), ...textDeltas('a', count)])

/** Deltas of one message, folded and read once at the end. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = [await flatness()]
  for (const size of SIZES) {
    const length = wordsLength(size)
    const [events, aiChunks, agUiEvents] = [oneMessage(size), aiText(size), agUiText(size)]
    const ours = () => {
      const state = fold(events)
      expect(textOf(state, 'a').length === length, 'our text')
      return state
    }
    const ai = async () => {
      const message = await aiMessage(aiChunks)
      expect(aiTextOf(message).length === length, "ai's text")
      return message
    }
    const agUi = async () => {
      const messages = await agUiMessages(agUiEvents)
      expect(String(messages[0]?.content).length === length, "ag-ui's text")
      return messages
    }
    const withAi = await takeTurns({ ours, ai }, 5)
    const faster = withAi.ai / withAi.ours
    rows.push({
      name: `${size} text deltas, ai 7`,
      ours: withAi.ours,
      peer: withAi.ai,
      unit: 'ms',
      ratio: faster,
      target: '≥ 5 ×',
      ok: faster >= 5,
    })
    // Its time grows with the square: the large ones are measured once.
    const withAgUi = size < 20_000 ? await takeTurns({ ours, agUi }, 3) : await takeTurns({ ours, agUi }, 1, 0)
    const ratio = withAgUi.agUi / withAgUi.ours
    const target = size === LARGEST ? '≥ 200 ×' : 'faster'
    rows.push({
      name: `${size} text deltas, @ag-ui/client 1.0`,
      ours: withAgUi.ours,
      peer: withAgUi.agUi,
      unit: 'ms',
      ratio,
      target,
      ok: ratio >= (size === LARGEST ? 200 : 1),
    })
  }
  return rows
}

/** The same number of deltas in fifty messages of 1k and in one of 50k. */
async function flatness(): Promise<Row> {
  const [small, large] = [oneMessage(1_000), oneMessage(LARGEST)]
  const read = (events: SessionEvent[]) => {
    const state = fold(events)
    textOf(state, 'a')
    return state
  }
  const times = await takeTurns(
    { small: () => Array.from({ length: LARGEST / 1_000 }, () => read(small)), large: () => read(large) },
    15,
    30,
  )
  const ratio = times.large / times.small
  return {
    name: 'ns per delta in a message of 50k (peer: of 1k)',
    ours: (times.large / LARGEST) * 1e6,
    peer: (times.small / LARGEST) * 1e6,
    unit: 'ns',
    ratio,
    target: '≤ 1.3 ×',
    ok: ratio <= 1.3,
  }
}
