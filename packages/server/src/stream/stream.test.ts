import { type EventsFrame, type SessionSummary, unpackEvents } from '@vitrine/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventsIn, framesOf, type SentFrame, until } from '../http/app.test.kit.ts'
import { Refusal } from '../refusal.ts'
import { person } from '../runtime/harness.fixture.ts'
import { browserDialect as dialect } from './browser-dialect.ts'
import { browserStream } from './browser-stream.ts'
import { sessionDialect } from './session-dialect.ts'
import { sessionStream } from './session-stream.ts'
import { event, summary, upTo, world } from './stream.fixture.ts'
import { createStreams } from './streams.ts'

const seqs = (frames: SentFrame[], sessionId = 's'): number[] => eventsIn(frames, sessionId).map(({ seq }) => seq)

/** Reads on until this event has come. */
async function untilSeq(frames: AsyncGenerator<SentFrame>, seq: number, sessionId = 's'): Promise<SentFrame[]> {
  const seen: SentFrame[] = []
  while (seqs(seen, sessionId).at(-1) !== seq) seen.push((await frames.next()).value as SentFrame)
  return seen
}

afterEach(() => vi.useRealTimers())

describe('the stream of a browser', () => {
  it('P-410 says hello, sends the list, the backlog after each cursor, and that it has caught up', async () => {
    const w = world()
    w.append(5)
    w.logs.set('t', [])
    const frames = w.open({ s: 2, t: 0 }, '1')
    const seen = [...(await until(frames, 'caught-up')), ...(await until(frames, 'caught-up'))]
    expect(seen[0]).toMatchObject({ event: 'hello', data: { bootId: w.streams.bootId, heartbeatMs: 15_000 } })
    expect(seen.find(frame => frame.event === 'list')).toMatchObject({
      data: { begins: true, cursor: null, ends: true },
    })
    expect(seqs(seen)).toEqual([3, 4, 5])
    expect(seen.filter(frame => frame.event === 'caught-up').map(frame => frame.data)).toEqual(
      expect.arrayContaining([
        { sessionId: 's', seq: 5 },
        { sessionId: 't', seq: 0 },
      ]),
    )
    w.append(2)
    expect(seqs(await untilSeq(frames, 7))).toEqual([6, 7])
    w.abort.abort()
  })

  it('P-410 a change of the list that comes while rows are read is sent after them, and later ones at once', async () => {
    const w = world()
    w.sources.runtime.listSessions = async () => {
      const read = { sessions: [summary('s', 6)], cursor: null }
      w.hub.publishSummary('ann', summary('s', 7))
      return read
    }
    const frames = w.open({}, '1')
    expect((await until(frames, 'list')).at(-1)).toMatchObject({ data: { begins: true, ends: true } })
    expect((await until(frames, 'list')).at(-1)!.data).toEqual({ sessions: [summary('s', 7)] })
    w.hub.publishSummary('ann', summary('s', 8))
    w.hub.publishSummary('bob', summary('other', 1))
    w.hub.publishSummary('ann', summary('s', 9))
    expect((await until(frames, 'list')).at(-1)!.data).toEqual({ sessions: [summary('s', 8)] })
    expect((await until(frames, 'list')).at(-1)!.data).toEqual({ sessions: [summary('s', 9)] })
    w.abort.abort()
  })

  /** A list of this many sessions, of which some need attention; cursors are positions. */
  function listed(w: ReturnType<typeof world>, count: number, needs: (index: number) => boolean) {
    const all = Array.from({ length: count }, (_, index) => summary(`s${index}`, 1, { pinned: needs(index) }))
    w.sources.runtime.listSessions = async (_, { limit, only, cursor }) => {
      const rows = all.slice(Number(cursor ?? 0)).filter(row => !only || row.pinned)
      const sessions = rows.slice(0, limit)
      const more = rows.length > limit
      return { sessions, cursor: more ? String(all.indexOf(sessions.at(-1)!) + 1) : null }
    }
    return all
  }

  interface Piece {
    sessions: SessionSummary[]
    begins?: true
    at?: string
    cursor?: string | null
    ends?: true
  }

  /** The pieces of the list up to the one that ends a pass. */
  async function pass(frames: AsyncGenerator<SentFrame>): Promise<Piece[]> {
    const pieces: Piece[] = []
    while (!pieces.at(-1)?.ends) pieces.push((await until(frames, 'list')).at(-1)!.data as Piece)
    return pieces
  }
  const idsOf = (pieces: Piece[]) => new Set(pieces.flatMap(({ sessions }) => sessions.map(row => row.sessionId)))

  it('P-326 P-436 the list comes in small frames: the newest sessions, then what needs attention beyond them', async () => {
    const w = world()
    const all = listed(w, 300, index => index % 2 === 1)
    const pieces = await pass(w.open({}, '1'))
    expect(pieces.map(piece => piece.begins)).toEqual([true, ...pieces.slice(1).map(() => undefined)])
    expect(pieces.filter(piece => piece.cursor !== undefined).map(piece => piece.cursor)).toEqual(['50'])
    expect(idsOf(pieces)).toEqual(
      new Set(all.filter((row, index) => index < 50 || row.pinned).map(({ sessionId }) => sessionId)),
    )
    for (const piece of pieces) expect(JSON.stringify(piece).length).toBeLessThan(4096)
    w.abort.abort()
  })

  it('P-436 a pass over the list that was cut off goes on where it was, and a whole one follows it', async () => {
    const w = world()
    const all = listed(w, 300, index => index % 2 === 1)
    const seen: Piece[] = []
    // Each connection lives for two frames of the list.
    for (let from: string | undefined = '1'; from; from = seen.at(-1)!.at) {
      const frames = w.open({}, from)
      for (let count = 0; count < 2 && !seen.at(-1)?.ends; count++) {
        seen.push((await until(frames, 'list')).at(-1)!.data as Piece)
      }
      if (seen.at(-1)!.ends) {
        const whole = await pass(frames)
        expect(whole[0]!.begins).toBe(true)
        expect(idsOf(whole)).toEqual(idsOf(seen))
      }
      await frames.return(undefined)
    }
    expect(seen.filter(piece => piece.begins)).toHaveLength(1)
    expect(idsOf(seen).size).toBe(all.filter((row, index) => index < 50 || row.pinned).length)
    // A point that nobody gave out begins a new pass.
    w.sources.runtime.listSessions = async (_, { cursor }) => {
      if (cursor) throw new Refusal('cursor_invalid', 'No such cursor.')
      return { sessions: [], cursor: null }
    }
    expect((await pass(w.open({}, 'newest.40.made-up')))[0]).toEqual({
      sessions: [],
      folders: [],
      begins: true,
      cursor: null,
      ends: true,
    })
    w.abort.abort()
  })

  it('P-412 changes of the list that do not fit are not kept: another pass brings them', async () => {
    const w = world({ maxWaitingBytes: 2000 })
    listed(w, 5, () => false)
    const frames = w.open({}, '1')
    await pass(frames)
    for (let round = 1; round <= 1000; round++) w.hub.publishSummary('ann', summary(`s${round}`, round))
    listed(w, 7, () => false)
    const rest: Piece[] = []
    while (!rest.at(-1)?.ends) rest.push((await until(frames, 'list')).at(-1)!.data as Piece)
    expect(JSON.stringify(rest).length).toBeLessThan(4000)
    expect(idsOf(rest.slice(rest.findIndex(piece => piece.begins))).size).toBe(7)
    w.abort.abort()
  })

  it('P-411 L3 backlog and live join without gap or duplicate, wherever the reader joins', async () => {
    for (let round = 0; round < 30; round++) {
      const w = world()
      w.append(300)
      const from = Math.floor(Math.random() * 300)
      const frames = w.open({ s: from })
      let total = 300
      const writer = (async () => {
        while (total < 600) {
          const count = 1 + Math.floor(Math.random() * 20)
          w.append(count)
          total += count
          if (Math.random() < 0.7) await new Promise(resolve => setImmediate(resolve))
        }
      })()
      await writer
      expect(seqs(await untilSeq(frames, total))).toEqual(upTo(total, from + 1))
      w.abort.abort()
    }
  })

  it('P-411 a batch that was missed is read again instead of leaving a gap', async () => {
    const w = world()
    const frames = w.open()
    await until(frames, 'caught-up')
    w.logs.set('s', [event(1), event(2), event(3)])
    w.hub.publish('s', [event(3)])
    expect(seqs(await untilSeq(frames, 3))).toEqual([1, 2, 3])
    w.hub.publish('s', [event(2), event(3)])
    w.append(1)
    expect(seqs(await untilSeq(frames, 4))).toEqual([4])
    w.abort.abort()
  })

  it('P-460 a reader of another process needs only hints: it reads what it misses, and says nothing of falling behind', async () => {
    const w = world()
    const frames = w.open()
    await until(frames, 'caught-up')
    w.write([event(1), event(2), event(3)])
    w.hub.hint('s', 3)
    const seen = await untilSeq(frames, 3)
    // It hears of its own process's batches as before.
    w.append(2)
    seen.push(...(await untilSeq(frames, 5)))
    w.write([event(6)])
    w.hub.hint('s', 6)
    w.hub.hint('s', 4)
    seen.push(...(await untilSeq(frames, 6)))
    expect(seqs(seen)).toEqual(upTo(6))
    expect(new Set(seen.map(frame => frame.event))).toEqual(new Set(['events']))
    w.abort.abort()
  })

  it('P-460 L3 hints may be lost, doubled, late or too early: every event comes once and in order', async () => {
    for (let round = 0; round < 20; round++) {
      const w = world()
      const frames = w.open()
      const late: number[] = []
      for (let seq = 1; seq <= 200; ) {
        const count = 1 + Math.floor(Math.random() * 5)
        w.write(upTo(seq + count - 1, seq).map(one => event(one)))
        seq += count
        const [at] = [seq - 1]
        if (Math.random() < 0.4) w.hub.hint('s', at)
        if (Math.random() < 0.2) w.hub.hint('s', at)
        if (Math.random() < 0.3) late.push(at)
        // Nobody has written that far yet.
        if (Math.random() < 0.1) w.hub.hint('s', at + 3)
        if (Math.random() < 0.5) await new Promise(resolve => setImmediate(resolve))
        if (late.length > 3) w.hub.hint('s', late.shift()!)
      }
      const end = w.logs.get('s')!.length
      // Whoever hands hints on compares from time to time how far the log goes.
      w.hub.hint('s', end)
      expect(seqs(await untilSeq(frames, end))).toEqual(upTo(end))
      w.abort.abort()
    }
  })

  it('P-411 a long backlog of large events comes whole, at the pace of the reader', async () => {
    const w = world({ maxWaitingBytes: 1024 * 1024 })
    w.append(200, 60_000)
    const frames = w.open()
    const seen: SentFrame[] = []
    while (seqs(seen).at(-1) !== 200) {
      seen.push((await frames.next()).value as SentFrame)
      expect(seen.at(-1)!.event).not.toBe('cut')
    }
    expect(seqs(seen)).toEqual(upTo(200))
    w.abort.abort()
  })

  it('P-412 a burst larger than the buffer does not cut a reader that keeps up', async () => {
    const w = world()
    const frames = w.open()
    await until(frames, 'caught-up')
    w.append(100, 60_000)
    expect(seqs(await untilSeq(frames, 100))).toEqual(upTo(100))
    w.abort.abort()
  })

  it('P-412 a reader that does not keep up holds a bounded number of bytes, is told so and goes on from the log', async () => {
    const w = world({ maxWaitingBytes: 50_000 })
    const frames = w.open({ s: 0 })
    await until(frames, 'caught-up')
    w.append(3)
    await untilSeq(frames, 3)
    w.reads.length = 0
    // From here on nothing is read.
    for (let round = 0; round < 2000; round++) w.append(1, 1000)
    await new Promise(resolve => setTimeout(resolve, 20))
    // One page at most waits to be sent.
    expect(w.reads.length).toBeLessThanOrEqual(1)
    const before = await until(frames, 'behind')
    expect(JSON.stringify(before).length).toBeLessThan(60_000)
    const rest = await until(frames, 'caught-up')
    expect(seqs([...before, ...rest])).toEqual(upTo(2003, 4))
    expect(rest.at(-1)!.data).toEqual({ sessionId: 's', seq: 2003 })
    w.append(1)
    expect(seqs(await untilSeq(frames, 2004))).toEqual([2004])
    w.abort.abort()
  })

  it('P-412 a reader that is stuck costs the same for each batch, however large the batch is', async () => {
    const w = world({ maxWaitingBytes: 10_000 })
    w.open({ s: 0 })
    await new Promise(resolve => setTimeout(resolve, 5))
    w.append(1, 20_000)
    let touched = 0
    const spy = vi.spyOn(JSON, 'stringify').mockImplementation(() => {
      touched += 1
      return ''
    })
    w.append(1000)
    spy.mockRestore()
    expect(touched).toBe(0)
    w.abort.abort()
  })

  it('P-412 readers that get the same batch or the same page are sent the same bytes, encoded once', async () => {
    const w = world()
    w.append(100)
    const taken = async (response: Response) => {
      const reader = response.body!.getReader()
      return async () => (await reader.read()).value!
    }
    const all = Array.from({ length: 20 }, () =>
      browserStream({
        dialect,
        sources: w.sources,
        streams: w.streams,
        who: person('ann'),
        cursors: new Map([['s', { seq: 0 }]]),
        signal: w.abort.signal,
      }),
    )
    const readers = await Promise.all(all.map(taken))
    const decoder = new TextDecoder()
    for (const read of readers) {
      for (let text = ''; !text.includes('caught-up'); ) text += decoder.decode(await read())
    }
    expect(w.reads).toEqual([100])
    const waiting = readers.map(read => read())
    w.append(10)
    const chunks = await Promise.all(waiting)
    expect(new Set(chunks).size).toBe(1)
    w.abort.abort()
  })

  it('P-412 a reader that takes nothing for long is cut off with the point to resume from', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] })
    const w = world({ stallMs: 20_000 })
    const frames = w.open({ s: 0 })
    await until(frames, 'caught-up')
    w.append(3)
    await untilSeq(frames, 3)
    for (let round = 0; round < 200; round++) w.append(1, 1000)
    // The reader has asked for one chunk more, which it is given in the next turn of the event loop.
    await new Promise(resolve => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(31_000)
    const rest: SentFrame[] = []
    for await (const frame of frames) rest.push(frame)
    const { reason, resume } = rest.at(-1)!.data as { reason: string; resume: Record<string, number> }
    expect([rest.at(-1)!.event, reason]).toEqual(['cut', 'slow'])
    // Everything up to the resume point was delivered, and nothing after it.
    expect(seqs(rest)).toEqual(upTo(resume.s!, 4))
    expect(w.listeners).toEqual({ events: 0, hints: 0, summaries: 0, folders: 0 })
    const again = w.open({ s: resume.s! })
    expect(seqs(await untilSeq(again, 203))).toEqual(upTo(203, resume.s! + 1))
    w.abort.abort()
  })

  it('P-412 a reader that does not even take the last frame is closed after that frame had its time', async () => {
    vi.useFakeTimers()
    const w = world({ stallMs: 20_000, graceMs: 100 })
    let destroyed = 0
    const options = {
      dialect,
      sources: w.sources,
      streams: w.streams,
      who: person('ann'),
      cursors: new Map([['s', { seq: 0 }]]),
    }
    browserStream({ ...options, signal: w.abort.signal, destroy: () => void destroyed++ })
    await vi.advanceTimersByTimeAsync(1)
    w.append(5, 1000)
    await vi.advanceTimersByTimeAsync(30_000)
    expect([destroyed, w.streams.count('ann')]).toEqual([0, 1])
    await vi.advanceTimersByTimeAsync(200)
    expect([destroyed, w.streams.count('ann')]).toEqual([1, 0])
    expect(w.listeners).toEqual({ events: 0, hints: 0, summaries: 0, folders: 0 })
  })

  it('P-412 a reader that has stalled with something waiting is cut off too', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] })
    const w = world({ stallMs: 30_000, graceMs: 100 })
    w.open()
    await vi.advanceTimersByTimeAsync(50_000)
    expect(w.streams.count('ann')).toBe(0)
  })

  it('P-413 however a stream ends, nothing of it stays behind', async () => {
    const w = world()
    w.append(3)
    for (const how of ['abort', 'cancel', 'shutdown'] as const) {
      const abort = new AbortController()
      const response = browserStream({
        dialect,
        sources: w.sources,
        streams: w.streams,
        who: person('ann'),
        list: '1',
        cursors: new Map([['s', { seq: 0 }]]),
        signal: abort.signal,
      })
      const frames = framesOf(response)
      await until(frames, 'caught-up')
      expect([w.listeners, w.streams.count('ann')]).toEqual([{ events: 1, hints: 1, summaries: 2, folders: 1 }, 1])
      if (how === 'abort') abort.abort()
      if (how === 'cancel') await frames.return(undefined)
      if (how === 'shutdown') {
        w.streams.close()
        await until(frames, 'cut')
        expect((await frames.next()).done).toBe(true)
      }
      await vi.waitFor(() =>
        expect([w.listeners, w.streams.count('ann')]).toEqual([{ events: 0, hints: 0, summaries: 0, folders: 0 }, 0]),
      )
    }
  })

  it('P-414 batches that wait for the reader are written at once', async () => {
    const w = world()
    const response = browserStream({
      dialect,
      sources: w.sources,
      streams: w.streams,
      who: person('ann'),
      cursors: new Map([['s', { seq: 0 }]]),
      signal: w.abort.signal,
    })
    const reader = response.body!.getReader()
    await reader.read()
    await new Promise(resolve => setTimeout(resolve, 5))
    for (let round = 0; round < 50; round++) w.append(2)
    const text = new TextDecoder().decode((await reader.read()).value)
    expect(text.match(/event: events/g)).toHaveLength(50)
    w.abort.abort()
  })

  it('P-414 all streams together write at most 64 chunks in a turn of the event loop, and each gets its turn', async () => {
    const { turn } = createStreams()
    const turns: number[][] = []
    const all = Promise.withResolvers<void>()
    const begin = () => {
      if (turns.flat().length === 150) return all.resolve()
      setImmediate(begin)
      turns.push([])
    }
    begin()
    for (let stream = 0; stream < 150; stream++) void turn().then(() => turns.at(-1)!.push(stream))
    await all.promise
    expect(turns.flat()).toEqual(Array.from({ length: 150 }, (_, stream) => stream))
    // None in the turn in which they ask: what is sent to them until its end goes along.
    expect(turns.map(passed => passed.length)).toEqual([0, 64, 64, 22])
  })

  it('P-436 a frame of events is about 4 KiB at most, or one event', async () => {
    const w = world()
    w.append(2000, 30)
    w.append(3, 20_000)
    const frames = w.open()
    const seen = (await untilSeq(frames, 2003)).filter(frame => frame.event === 'events')
    expect(seqs(seen)).toEqual(upTo(2003))
    for (const { data } of seen) {
      const alone = unpackEvents(data as EventsFrame).length === 1
      expect(alone || JSON.stringify(data).length < 4300).toBe(true)
    }
    w.abort.abort()
  })

  it('P-436 what a browser follows comes in turns, so that no part of it waits for the end of another', async () => {
    const w = world()
    listed(w, 300, index => index % 2 === 1)
    w.append(2000, 30)
    w.append(2000, 30, 't')
    const frames = w.open({ s: 0, t: 0 }, '1')
    const first: SentFrame[] = []
    while (first.length < 12) first.push((await frames.next()).value as SentFrame)
    for (const part of [seqs(first), seqs(first, 't'), first.filter(frame => frame.event === 'list')]) {
      expect(part.length).toBeGreaterThan(2)
    }
    w.abort.abort()
  })

  it('P-415 a comment comes every 15 seconds while nothing else does', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const w = world()
    const frames = w.open()
    await until(frames, 'caught-up')
    for (let beat = 0; beat < 3; beat++) {
      const next = frames.next()
      await vi.advanceTimersByTimeAsync(15_000)
      expect((await next).value).toEqual({ event: 'comment', data: 'hb' })
    }
    w.abort.abort()
  })

  it('P-417 A03 a session that is unknown, deleted or ahead of its log is gone; the others go on', async () => {
    const w = world()
    w.append(3)
    const frames = w.open({ nobody: 0, s: 99 })
    const gone = [...(await until(frames, 'gone')), ...(await until(frames, 'gone'))].filter(f => f.event === 'gone')
    expect(gone.map(frame => frame.data)).toEqual(
      expect.arrayContaining([
        { sessionId: 'nobody', code: 'session_not_found' },
        { sessionId: 's', code: 'cursor_foreign' },
      ]),
    )
    const live = w.open({ s: 3 })
    await until(live, 'caught-up')
    w.hub.publishSummary('ann', summary('s', 3, { deleted: true }))
    expect((await until(live, 'gone')).at(-1)!.data).toEqual({ sessionId: 's', code: 'session_deleted' })
    expect(w.listeners.events).toBe(0)
    w.abort.abort()
  })

  it('P-417 a session that is deleted while its cursor is checked is gone, and nothing listens to it', async () => {
    const w = world()
    const checked = Promise.withResolvers<{ log: string; seq: number }>()
    w.sources.runtime.position = () => checked.promise
    const frames = w.open()
    w.hub.publishSummary('ann', summary('s', 0, { deleted: true }))
    checked.resolve({ log: 'this-log', seq: 0 })
    expect((await until(frames, 'gone')).at(-1)!.data).toEqual({ sessionId: 's', code: 'session_deleted' })
    expect(w.listeners.events).toBe(0)
    w.abort.abort()
  })

  it('P-417 what still waits of a session that is gone does not make it one to resume', async () => {
    const w = world()
    w.logs.set('t', [])
    const frames = w.open({ s: 0, t: 0 })
    await until(frames, 'caught-up')
    await until(frames, 'caught-up')
    w.append(2)
    w.hub.publishSummary('ann', summary('s', 2, { deleted: true }))
    w.streams.close()
    const rest = await until(frames, 'cut')
    expect(rest.map(frame => frame.event)).toEqual(['events', 'gone', 'cut'])
    expect(rest.at(-1)!.data).toEqual({ reason: 'stopping', resume: { t: 0 } })
  })

  it('P-437 a cursor of another log is not continued, whatever its seq', async () => {
    const w = world()
    w.append(3)
    const frames = framesOf(
      browserStream({
        dialect,
        sources: w.sources,
        streams: w.streams,
        who: person('ann'),
        cursors: new Map([['s', { seq: 2, log: 'another' }]]),
        signal: w.abort.signal,
      }),
    )
    expect((await until(frames, 'gone')).at(-1)!.data).toEqual({ sessionId: 's', code: 'cursor_foreign' })
    expect(w.listeners.events).toBe(0)
    w.abort.abort()
  })

  it('P-418 a frame leaves promptly after the commit was published', async () => {
    const w = world()
    const frames = w.open()
    await until(frames, 'caught-up')
    const times: number[] = []
    for (let round = 1; round <= 200; round++) {
      const next = frames.next()
      const from = performance.now()
      w.append(1)
      await next
      times.push(performance.now() - from)
    }
    times.sort((a, b) => a - b)
    expect(times[100]).toBeLessThan(5)
    w.abort.abort()
  })

  it('P-419 a shutdown sends what waits, then the point to resume from', async () => {
    const w = world()
    const frames = w.open()
    await until(frames, 'caught-up')
    w.append(4)
    w.streams.close()
    const rest = await until(frames, 'cut')
    expect(seqs(rest)).toEqual(upTo(4))
    expect(rest.at(-1)!.data).toEqual({ reason: 'stopping', resume: { s: 4 } })
    expect(() => w.open()).toThrow(expect.objectContaining({ code: 'stopping' }))
  })

  it('P-419 a storage that fails breaks the stream off, so that the reader resumes; the log has the reason', async () => {
    const w = world()
    w.append(3)
    w.sources.storage.events = () => Promise.reject(new Error('disk'))
    const frames = w.open()
    await expect(until(frames, 'caught-up')).rejects.toThrow('disk')
    expect(w.reported).toEqual([new Error('disk')])
    expect(w.listeners).toEqual({ events: 0, hints: 0, summaries: 0, folders: 0 })
  })

  it('H05 one person has a limited number of streams, another is not affected', () => {
    const w = world({ maxStreams: 3 })
    for (let count = 0; count < 3; count++) w.open()
    expect(() => w.open()).toThrow(expect.objectContaining({ code: 'too_many_streams' }))
    const leave = w.streams.admit('bob', () => {})
    leave()
    leave()
    w.abort.abort()
    expect(w.streams.count('ann')).toBe(0)
    expect(() => w.open()).not.toThrow()
  })
})

describe('the stream of one session', () => {
  const openSession = async (w: ReturnType<typeof world>, seq: number, log?: string) =>
    framesOf(
      await sessionStream({
        dialect: sessionDialect,
        sources: w.sources,
        streams: w.streams,
        who: person('ann'),
        sessionId: 's',
        cursor: { seq, log },
        signal: w.abort.signal,
      }),
    )

  it('P-416 sends each event with its seq as id, strictly after the cursor', async () => {
    const w = world()
    w.append(5)
    const frames = await openSession(w, 3)
    const seen: SentFrame[] = []
    while (seen.length < 3) seen.push((await frames.next()).value as SentFrame)
    w.append(1)
    seen.push((await frames.next()).value as SentFrame)
    expect(seen.map(frame => [frame.event, frame.id])).toEqual([
      ['comment', undefined],
      ['message', '4'],
      ['message', '5'],
      ['message', '6'],
    ])
    expect(seen.at(-1)!.data).toEqual(event(6))
    w.abort.abort()
  })

  it('P-417 refuses what it cannot follow, and ends when the session is deleted', async () => {
    const w = world()
    await expect(openSession(w, 7)).rejects.toMatchObject({ code: 'cursor_foreign' })
    await expect(openSession(w, 0, 'another')).rejects.toMatchObject({ code: 'cursor_foreign' })
    const frames = await openSession(w, 0)
    w.hub.publishSummary('ann', summary('s', 0, { deleted: true }))
    await until(frames, 'gone')
    expect((await frames.next()).done).toBe(true)
    expect(w.listeners).toEqual({ events: 0, hints: 0, summaries: 0, folders: 0 })
  })
})
