import type { EventDraft, SessionEvent } from '@vitrine/protocol'
import type { UIMessageChunk } from 'ai'
import { fold, placed, runStarted, word } from './events.ts'
import { aiMessage } from './peers.ts'
import { expect, type Row, takeTurns } from './row.ts'

const SIZES = [1_250, 10_000]

/** A tool that writes a long text: its arguments come as one string in JSON, piece by piece. */
const pieces = (count: number): string[] => [
  '{"path":"notes.md","content":"',
  ...Array.from({ length: count - 2 }, (_, index) => word(index)),
  '"}',
]

function ourEvents(count: number): SessionEvent[] {
  const tool = { runId: 'run-a', messageId: 'answer', partId: 'answer/tool', toolCallId: 'call' }
  const args = pieces(count).map(
    (delta): EventDraft => ({ type: 'tool.args', runId: 'run-a', toolCallId: 'call', delta }),
  )
  return placed([runStarted('a'), { ...tool, type: 'tool.started', name: 'write' }, ...args])
}

const aiChunks = (count: number): UIMessageChunk[] => [
  { type: 'start', messageId: 'answer' },
  { type: 'tool-input-start', toolCallId: 'call', toolName: 'write' },
  ...pieces(count).map(
    (inputTextDelta): UIMessageChunk => ({ type: 'tool-input-delta', toolCallId: 'call', inputTextDelta }),
  ),
  { type: 'finish' },
]

/** Arguments of one tool call; parsed once at the end, as a surface that shows them would. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of SIZES) {
    const [events, chunks] = [ourEvents(size), aiChunks(size)]
    const content = JSON.parse(pieces(size).join('')).content as string
    const times = await takeTurns(
      {
        ours: () => {
          const state = fold(events)
          expect(JSON.parse(state.tools.byId.get('call')!.args.toString()).content === content, 'our arguments')
          return state
        },
        ai: async () => {
          const message = await aiMessage(chunks)
          const part = message.parts.at(-1) as { input?: { content?: string } }
          expect(part.input?.content === content, "ai's arguments")
          return message
        },
      },
      size > 5_000 ? 3 : 7,
    )
    const ratio = times.ai / times.ours
    const large = size === SIZES.at(-1)
    rows.push({
      name: `${size} tool argument deltas, ai 7`,
      ours: times.ours,
      peer: times.ai,
      unit: 'ms',
      ratio,
      target: large ? '≥ 30 ×' : 'faster',
      ok: ratio >= (large ? 30 : 1),
    })
  }
  return [await flatness(), ...rows]
}

async function flatness(): Promise<Row> {
  const [few, many] = [SIZES[0]!, SIZES[1]!]
  const [small, large] = [ourEvents(few), ourEvents(many)]
  const read = (events: SessionEvent[]) => {
    const state = fold(events)
    state.tools.byId.get('call')!.args.toString()
    return state
  }
  const times = await takeTurns(
    {
      small: () => Array.from({ length: (many / few) * 5 }, () => read(small)),
      large: () => Array.from({ length: 5 }, () => read(large)),
    },
    15,
    30,
  )
  const ratio = times.large / times.small
  return {
    name: `ns per delta with ${many} arguments deltas (peer: with ${few})`,
    ours: (times.large / many / 5) * 1e6,
    peer: (times.small / many / 5) * 1e6,
    unit: 'ns',
    ratio,
    target: '≤ 1.3 ×',
    ok: ratio <= 1.3,
  }
}
