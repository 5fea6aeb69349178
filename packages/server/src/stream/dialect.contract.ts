import type { SessionEvent } from '@vitrine/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { person } from '../runtime/harness.fixture.ts'
import type { Dialect, Encoder, Notice } from './dialect.ts'
import { sessionStream } from './session-stream.ts'
import { event, summary, upTo, world } from './stream.fixture.ts'

export interface DialectUnderTest {
  dialect: Dialect
  /** The events in a text of this dialect. What was cut off in the middle of a frame does not count. */
  read(text: string): SessionEvent[]
}

const notices: readonly Notice[] = [
  { event: 'hello', data: { streamId: 'stream', bootId: 'boot', heartbeatMs: 15_000 } },
  { event: 'caught-up', data: { sessionId: 's', seq: 3 } },
  { event: 'behind', data: { sessionId: 's' } },
  { event: 'gone', data: { sessionId: 's', code: 'session_deleted' } },
  { event: 'list', data: { sessions: [summary('s', 3)], begins: true, ends: true } },
  { event: 'cut', data: { reason: 'slow', resume: { s: 3 } } },
  { event: 'broken', data: {} },
]

/** What every dialect does, whatever its readers are. */
export function dialectContract(name: string, { dialect, read }: DialectUnderTest): void {
  const seqs = (text: string): number[] => read(text).map(({ seq }) => seq)

  const open = (w: ReturnType<typeof world>, after = 0, used = dialect): Promise<Response> =>
    sessionStream({
      dialect: used,
      sources: w.sources,
      streams: w.streams,
      who: person('ann'),
      sessionId: 's',
      cursor: { seq: after },
      signal: w.abort.signal,
    })

  /** Adds what comes to a text, until `enough` of it is there. */
  function reading(response: Response) {
    const reader = response.body!.getReader()
    const decoder = new TextDecoder()
    let text = ''
    return async (enough: (text: string) => boolean): Promise<string> => {
      while (!enough(text)) text += decoder.decode((await reader.read()).value, { stream: true })
      return text
    }
  }
  const untilSeq = (seq: number) => (text: string) => seqs(text).at(-1) === seq

  describe(`${name}: a dialect of the stream`, () => {
    afterEach(() => vi.useRealTimers())

    it('P-461 says what it is, and that nobody may keep it or hold it back', async () => {
      const w = world()
      const { headers, status } = await open(w)
      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        ...dialect.headers,
        'content-type': expect.stringMatching(/^\w+\/[\w.+-]+/),
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      w.abort.abort()
    })

    it('P-461 L3 sends every event once and in order, from storage and from the hub, in batches of any size', async () => {
      for (let round = 0; round < 10; round++) {
        const w = world()
        w.append(200)
        const from = Math.floor(Math.random() * 200)
        const text = reading(await open(w, from))
        for (let total = 200; total < 400; ) {
          const count = 1 + Math.floor(Math.random() * 20)
          w.append(count, 1 + Math.floor(Math.random() * 900))
          total += count
          if (Math.random() < 0.7) await new Promise(resolve => setImmediate(resolve))
        }
        const log = w.logs.get('s')!
        expect(read(await text(untilSeq(log.length)))).toEqual(log.slice(from))
        w.abort.abort()
      }
    })

    it('P-461 resumes after a cut at any byte: nothing is missing and nothing comes twice', async () => {
      const w = world()
      w.append(30)
      w.append(3, 6_000)
      w.append(30)
      const whole = await reading(await open(w))(untilSeq(63))
      const places = Array.from({ length: 25 }, () => Math.floor(Math.random() * whole.length))
      for (const place of [0, 1, whole.length - 1, ...places]) {
        const had = seqs(whole.slice(0, place))
        expect(had).toEqual(upTo(had.length))
        if (had.length === 63) continue
        const rest = await reading(await open(w, had.length))(untilSeq(63))
        expect([...had, ...seqs(rest)]).toEqual(upTo(63))
      }
      w.abort.abort()
    })

    it('P-461 beats while nothing else comes, and no reader takes that or a notice for an event', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
      const w = world()
      const text = reading(await open(w))
      w.append(1)
      const before = await text(untilSeq(1))
      await new Promise(resolve => setImmediate(resolve))
      for (let beat = 1; beat <= 3; beat++) {
        const next = text(now => now.length >= before.length + beat * dialect.heartbeat.length)
        await vi.advanceTimersByTimeAsync(15_000)
        await next
      }
      const heard = await text(() => true)
      expect(dialect.heartbeat).not.toBe('')
      expect(heard.endsWith(dialect.heartbeat.repeat(3))).toBe(true)
      expect(seqs(heard)).toEqual([1])
      for (const notice of notices) expect(seqs(dialect.say(notice) ?? '')).toEqual([])
      w.abort.abort()
    })

    it('P-461 is pure: the same events and the same notice are always the same words', () => {
      const events = upTo(40).map(seq => event(seq, seq * 30))
      const first = dialect.encoder('s', events)
      expect(dialect.encoder('s', events).frames).toEqual(first.frames)
      const later = upTo(80, 41).map(seq => event(seq))
      expect(first.next('s', later).frames).toEqual(first.next('s', later).frames)
      const ends = first.frames.map(frame => frame.upTo)
      expect(ends).toEqual(ends.toSorted((a, b) => a - b))
      expect(ends.at(-1)).toBe(40)
      for (const notice of notices) expect(dialect.say(notice)).toBe(dialect.say(notice))
    })

    it('P-461 encodes a page and a batch once for all readers that were sent the same before', async () => {
      const w = world()
      w.append(100)
      let calls = 0
      const counting = new WeakMap<Encoder, Encoder>()
      const counted = (encoder: Encoder): Encoder => {
        const made: Encoder =
          counting.get(encoder) ??
          ((sessionId, events) => {
            calls += 1
            const { frames, next } = encoder(sessionId, events)
            return { frames, next: counted(next) }
          })
        counting.set(encoder, made)
        return made
      }
      const used = { ...dialect, encoder: counted(dialect.encoder) }
      const readers = await Promise.all(Array.from({ length: 20 }, async () => reading(await open(w, 0, used))))
      for (const text of readers) await text(untilSeq(100))
      await new Promise(resolve => setTimeout(resolve, 5))
      expect(calls).toBe(1)
      w.append(10)
      for (const text of readers) await text(untilSeq(110))
      expect([calls, w.reads]).toEqual([2, [100]])
      w.abort.abort()
    })
  })
}
