import type { SessionEvent } from '@vitrine/protocol'
import { expect, it } from 'vitest'
import { person } from '../runtime/harness.fixture.ts'
import { dialectContract } from './dialect.contract.ts'
import type { Dialect, Encoder } from './dialect.ts'
import { sessionStream } from './session-stream.ts'
import { event, world } from './stream.fixture.ts'

// A third dialect in one file, and nothing else has to change for it: each line is JSON. Unlike ours it remembers something
// for each reader (it numbers the lines), leaves events out, ends with the run, and has words for a failure.

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

const numbered =
  (count: number): Encoder =>
  (_, events) => {
    const told = events.filter(({ type }) => type !== 'run.status')
    return {
      frames: told.map((event, index) => ({
        text: line({ line: count + index + 1, event }),
        upTo: event.seq,
        ...(event.type === 'run.finished' && { ends: true }),
      })),
      next: numbered(count + told.length),
    }
  }

const ndjson: Dialect = {
  headers: { 'content-type': 'application/x-ndjson' },
  heartbeat: '\n',
  encoder: numbered(0),
  say: ({ event, data }) => (event === 'cut' || event === 'gone' || event === 'broken' ? line({ event, data }) : ''),
}

const linesIn = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .filter(Boolean)
    .map(one => JSON.parse(one) as { line?: number; event: SessionEvent | string })

dialectContract('ndjson', {
  dialect: ndjson,
  read: text => linesIn(text).flatMap(({ event }) => (typeof event === 'string' ? [] : [event])),
})

const open = (w: ReturnType<typeof world>, seq = 0): Promise<Response> =>
  sessionStream({
    dialect: ndjson,
    sources: w.sources,
    streams: w.streams,
    who: person('ann'),
    sessionId: 's',
    cursor: { seq },
    signal: w.abort.signal,
  })

const finished = (seq: number): SessionEvent => ({
  seq,
  sessionId: 's',
  at: seq,
  type: 'run.finished',
  runId: 'r',
  outcome: 'completed',
})
const status = (seq: number): SessionEvent => ({
  seq,
  sessionId: 's',
  at: seq,
  type: 'run.status',
  runId: 'r',
  status: 'streaming',
})

it('P-462 a dialect remembers what each reader was sent, leaves out what it has no words for, and ends its stream', async () => {
  const w = world()
  w.write([event(1), status(2), event(3)])
  const early = await open(w)
  const late = await open(w, 2)
  const [all, rest] = [early, late].map(response => response.text())
  await new Promise(resolve => setTimeout(resolve, 5))
  const live = [status(4), event(5), finished(6), event(7)]
  w.write(live)
  w.hub.publish('s', live)
  const told = async (text: Promise<string> | undefined) =>
    linesIn((await text) ?? '').map(({ line, event }) => [line, (event as SessionEvent).seq])
  expect(await told(all)).toEqual([
    [1, 1],
    [2, 3],
    [3, 5],
    [4, 6],
  ])
  expect(await told(rest)).toEqual([
    [1, 3],
    [2, 5],
    [3, 6],
  ])
  // From storage alone it ends in the same way.
  expect(await told((await open(w, 3)).text())).toEqual([
    [1, 5],
    [2, 6],
  ])
  expect([w.listeners, w.streams.count('ann')]).toEqual([{ events: 0, hints: 0, summaries: 0, folders: 0 }, 0])
})

it('P-462 a dialect with words for a failure says them and ends, so that nobody takes it for the end', async () => {
  const w = world()
  w.append(3)
  w.sources.storage.events = () => Promise.reject(new Error('disk'))
  expect(linesIn(await (await open(w)).text())).toEqual([{ event: 'broken', data: {} }])
  expect(w.reported).toEqual([new Error('disk')])
  expect([w.listeners, w.streams.count('ann')]).toEqual([{ events: 0, hints: 0, summaries: 0, folders: 0 }, 0])
})
