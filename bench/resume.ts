import { type BaseEvent, HttpAgent } from '@ag-ui/client'
import { AbstractChat, type ChatStatus, type UIMessage, type UIMessageChunk } from 'ai'
import { oneSession } from './client.ts'
import { placed, runStarted, SESSION, textDeltas, textOf, word } from './events.ts'
import { agUiText, aiText, aiTextOf } from './peers.ts'
import { expect, type Row } from './row.ts'

const DELTAS = 2_000
/** The connection breaks after this many of them. */
const BROKEN_AT = 1_200
/** And the next one begins this many before. */
const OVERLAP = 400

const whole = Array.from({ length: DELTAS }, (_, index) => word(index)).join('')

/** What comes after the break: everything from the start, from a little before the break, or only what is missing. */
type Again = 'replay' | 'overlap' | 'tail'
interface Outcome {
  /** Characters that are missing or there twice, also when an error was thrown on the way. */
  wrong: number
  /** The stream that broke off without an end was reported as an answer that is complete. */
  falseSuccess: boolean
}

const wrongIn = (text: string): number => {
  if (text === whole) return 0
  return Math.max(1, Math.abs(text.length - whole.length))
}

export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  const peers = { '@ag-ui/client 1.0': agUi, 'ai 7': ai }
  const names = {
    replay: 'the whole stream again',
    overlap: `the last ${OVERLAP} deltas again`,
    tail: 'only what is missing',
  } as const
  for (const [peerName, peer] of Object.entries(peers)) {
    for (const again of ['replay', 'overlap', 'tail'] as const) {
      const [mine, theirs] = [await ours(again), await peer(again)]
      rows.push({
        name: `after a break ${names[again]}, ${peerName}`,
        ours: mine.wrong,
        peer: theirs.wrong,
        unit: 'characters lost or doubled',
        target: '0',
        ok: mine.wrong === 0,
      })
    }
    const [mine, theirs] = [await ours('tail'), await peer('tail')]
    rows.push({
      name: `a stream that broke off called complete, ${peerName}`,
      ours: Number(mine.falseSuccess),
      peer: Number(theirs.falseSuccess),
      unit: 'times',
      target: '0',
      ok: !mine.falseSuccess,
    })
  }
  return rows
}

async function ours(again: Again): Promise<Outcome> {
  const events = placed([
    runStarted('a'),
    ...textDeltas('a', DELTAS),
    { type: 'run.finished', runId: 'run-a', outcome: 'completed' },
  ])
  const broken = events.slice(0, BROKEN_AT + 1)
  const back = { replay: events.length, overlap: OVERLAP, tail: 0 }[again]
  let falseSuccess = false
  const asked: number[] = []
  const session = oneSession(after => {
    asked.push(after)
    if (asked.length === 1) return { events: broken, end: 'break' }
    // Before anything else comes: is what broke off shown as done?
    const run = session.handle.state.runs.byId.get('run-a')
    falseSuccess = run?.outcome !== null || session.client.connection.get().state === 'live'
    return { events: events.filter(({ seq }) => seq > Math.max(0, after - back)), end: 'open' }
  })
  await session.until(state => state.runs.byId.get('run-a')?.outcome === 'completed')
  const text = textOf(session.handle.state, 'a')
  session.client.close()
  expect(asked.join() === `0,${broken.length}`, `our client asked for ${SESSION} after ${asked.join()}`)
  return { wrong: wrongIn(text), falseSuccess }
}

/** The deltas, with whatever belongs before and after them. */
function cut<T>(all: readonly T[], isDelta: (item: T) => boolean, again: Again): { first: T[]; second: T[] } {
  const start = all.findIndex(isDelta)
  const from = { replay: 0, overlap: start + BROKEN_AT - OVERLAP, tail: start + BROKEN_AT }[again]
  return { first: all.slice(0, start + BROKEN_AT), second: all.slice(from) }
}

async function agUi(again: Again): Promise<Outcome> {
  const { first, second } = cut<BaseEvent>(agUiText(DELTAS), ({ type }) => type === 'TEXT_MESSAGE_CONTENT', again)
  const answers = [first, second]
  const agent = new HttpAgent({
    url: 'http://bench/agent',
    threadId: 'thread',
    fetch: async () => {
      const body = answers.shift()!.map(event => `data: ${JSON.stringify(event)}\n\n`)
      return new Response(body.join(''), { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const falseSuccess = await agent.runAgent({ runId: 'run' }).then(
    () => true,
    () => false,
  )
  await quietly(() => agent.runAgent({ runId: 'run' }))
  const text = agent.messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('')
  return { wrong: wrongIn(text), falseSuccess }
}

/** The least state that the chat of ai works on; its React hook has the same with notifications. */
class Chat extends AbstractChat<UIMessage> {
  constructor(answers: UIMessageChunk[][]) {
    const state = {
      status: 'ready' as ChatStatus,
      error: undefined as Error | undefined,
      messages: [] as UIMessage[],
      pushMessage: (message: UIMessage) => void state.messages.push(message),
      popMessage: () => void state.messages.pop(),
      replaceMessage: (index: number, message: UIMessage) => void state.messages.splice(index, 1, message),
      snapshot: <T>(thing: T): T => structuredClone(thing),
    }
    const stream = () => {
      const chunks = answers.shift()!
      return new ReadableStream<UIMessageChunk>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk)
          controller.close()
        },
      })
    }
    const transport = { sendMessages: async () => stream(), reconnectToStream: async () => stream() }
    super({ state, transport })
  }
}

async function ai(again: Again): Promise<Outcome> {
  const { first, second } = cut<UIMessageChunk>(aiText(DELTAS), ({ type }) => type === 'text-delta', again)
  const chat = new Chat([first, second])
  await quietly(() => chat.sendMessage({ text: 'go' }))
  const falseSuccess = chat.status === 'ready' && chat.error === undefined
  await quietly(() => chat.resumeStream())
  const text = chat.messages.filter(({ role }) => role === 'assistant').map(aiTextOf)
  return { wrong: wrongIn(text.join('')), falseSuccess }
}

/** What a peer throws or prints is part of its answer; the figure says what is left in its messages. */
async function quietly(work: () => Promise<unknown>): Promise<void> {
  const { error, warn } = console
  console.error = console.warn = () => {}
  try {
    await work()
  } catch {
  } finally {
    Object.assign(console, { error, warn })
  }
}
