import type { SessionEvent } from '@vitrine/protocol'
import { fold, placed, runStarted, textDeltas, textOf, wordsLength } from './events.ts'
import { expect, type Row, takeTurns } from './row.ts'

const DELTAS = 50_000

/** The least that a fold can do: find the part by its id and append. No rules, no order, nothing but text. */
function keyedMap(events: readonly SessionEvent[]): Map<string, { v: number; text: string }> {
  const parts = new Map<string, { v: number; text: string }>()
  for (const event of events) {
    if (event.type !== 'text.delta') continue
    const part = parts.get(event.partId)
    if (part) {
      part.v = event.seq
      part.text += event.delta
    } else parts.set(event.partId, { v: event.seq, text: event.delta })
  }
  return parts
}

const LENGTH = wordsLength(DELTAS)

/** Reading one character makes the engine build the string that concatenation has put off. */
const readText = (text: string): void => {
  expect(text.length === LENGTH && text.charCodeAt(DELTAS) > 0, 'the text')
}

export async function run(): Promise<Row[]> {
  const events = placed([runStarted('a'), ...textDeltas('a', DELTAS)])
  const times = await takeTurns(
    {
      ours: () => {
        const state = fold(events)
        readText(textOf(state, 'a'))
        return state
      },
      floor: () => {
        const parts = keyedMap(events)
        readText(parts.get('answer-a/text')!.text)
        return parts
      },
    },
    41,
    100,
  )
  const ratio = times.ours / times.floor
  return [
    {
      name: `${DELTAS} deltas verified and folded, a keyed map`,
      ours: times.ours,
      peer: times.floor,
      unit: 'ms',
      ratio,
      target: '≤ 5 ×',
      ok: ratio <= 5,
    },
  ]
}
