import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  addPage,
  apply,
  createState,
  hydrate,
  type MessagesPage,
  messagesPage,
  type SessionEvent,
  type SessionState,
  type SessionSummary,
  type Snapshot,
  snapshot,
} from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { openFileBlobs } from './blobs/file-blobs.ts'
import { eventsIn, framesOf, type SentFrame } from './http/app.test.kit.ts'
import { person, scripted } from './runtime/harness.fixture.ts'
import { createServer } from './server.ts'
import { eachWithStorage, type StorageUnderTest } from './storage/storage.fixture.ts'
import type { Storage } from './storage/storage.ts'
import { createHub, type Hub } from './stream/hub.ts'

const component = (text: string) => ({ id: 'root', component: 'Text', text })

/** Says much in small pieces, with a call in between, and changes what it drew in its first turn. */
const busy = scripted(async function* ({ text }, { surfaces }) {
  if (text === 'draw')
    await surfaces.apply([{ version: 'v0.9', createSurface: { surfaceId: 'drawn', catalogId: 'basic' } }])
  if (text.startsWith('draw')) {
    await surfaces.apply([{ version: 'v0.9', updateComponents: { surfaceId: 'drawn', components: [component(text)] } }])
  }
  for (let word = 0; word < 12; word++) {
    yield { type: 'text.delta', partId: 'before', delta: `${text} ${word} ` }
    if (word % 3 === 0) await sleep(1)
  }
  yield { type: 'tool.started', partId: 'call', toolCallId: 'call', name: 'look' }
  yield { type: 'tool.args', toolCallId: 'call', delta: '{}', done: true }
  await sleep(1)
  yield { type: 'tool.result', toolCallId: 'call', preview: 'found' }
  yield { type: 'text.delta', partId: 'after', delta: 'done' }
  yield { type: 'state.snapshot', state: { last: text } }
})

/** Tells another process's hub what this one has made durable, as a bell between processes does: by number alone. */
const ringing = (hub: Hub, other: Hub, isLost: () => boolean): Hub => ({
  ...hub,
  publish(sessionId, events) {
    hub.publish(sessionId, events)
    if (!isLost()) other.hint(sessionId, events.at(-1)!.seq)
  },
  publishSummary(owner, summary) {
    hub.publishSummary(owner, summary)
    other.publishSummary(owner, summary)
  },
})

/** Entities are keyed: only messages have an order that means something. `asOf` says how an entity came to be loaded. */
function comparable(whole: Snapshot): unknown {
  const entities = Object.entries(JSON.parse(JSON.stringify(whole)).entities).map(([name, list]) => {
    if (!Array.isArray(list)) return [name, list]
    const plain = (list as { key: string }[]).map(entity => ({ ...entity, asOf: 0 }))
    return [name, name === 'messages' ? plain : plain.sort((a, b) => (a.key < b.key ? -1 : 1))]
  })
  return { ...Object.fromEntries(entities), seq: whole.seq }
}

/** Nothing assumes that the process which reads is the one that writes. */
export function twoServersContract<Options>(name: string, subject: StorageUnderTest<Options>): void {
  describe(`${name}: two servers on one storage`, () => {
    const { storage } = eachWithStorage(subject)
    const closers: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const close of closers.splice(0).reverse()) await close()
    })

    /** One that is written to and one that is read; what the first makes durable rings at the second. */
    async function pair(isLost = () => false, readFrom: Storage = storage) {
      const folder = await mkdtemp(join(tmpdir(), 'vitrine-two-'))
      closers.push(() => rm(folder, { recursive: true, force: true }))
      const blobs = await openFileBlobs({ folder })
      const hubs = { writer: createHub(), reader: createHub() }
      const start = async (hub: Hub, from: Storage) => {
        const server = createServer({
          auth: { authorise: async () => person('ann') },
          storage: from,
          blobs,
          agents: [busy],
          hub,
          log: (line, error) => expect.unreachable(`${line} ${error}`),
        })
        closers.push(server.close)
        await server.ready
        const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
          const headers = { 'content-type': 'application/json', accept: 'application/json' }
          const given = body === undefined ? {} : { body: JSON.stringify(body) }
          const answer = await server.fetch(new Request(`http://x/api${path}`, { method, headers, ...given }))
          expect([path, answer.status]).toEqual([path, expect.toSatisfy((status: number) => status < 300)])
          return (await answer.text().then(text => (text === '' ? undefined : JSON.parse(text)))) as T
        }
        const stream = async (path: string) => {
          const abort = new AbortController()
          closers.push(async () => abort.abort())
          return framesOf(await server.fetch(new Request(`http://x/api${path}`, { signal: abort.signal })))
        }
        return { call, stream }
      }
      const writer = await start(ringing(hubs.writer, hubs.reader, isLost), storage)
      const reader = await start(hubs.reader, readFrom)
      return { writer, reader, hubs }
    }

    async function foldUpTo(seq: number): Promise<SessionState> {
      const state = createState('s')
      for (const event of await storage.events('s', 0, seq)) apply(state, event)
      return state
    }

    /** What a server answers is what the log has, as far as its window goes. */
    async function expectSnapshot(got: Snapshot): Promise<void> {
      const expected = snapshot(await foldUpTo(got.seq), hydrate(got).windowFrom)
      expect(comparable(got)).toEqual(comparable(expected))
    }

    async function idle(): Promise<boolean> {
      return (await storage.session('s'))?.unfinished === false
    }

    it('P-341 L11 the one that only reads shows at every moment what the other one has made durable', {
      timeout: 60_000,
    }, async () => {
      const { writer, reader } = await pair()
      await writer.call('POST', '/sessions', { sessionId: 's' })
      // More messages than a window holds, so that checkpoints and pages are stored while the other one reads them.
      for (let turn = 1; turn <= 40; turn++) {
        await writer.call('POST', '/sessions/s/queue', { turnId: `t${turn}`, text: `turn ${turn}` })
      }
      let moments = 0
      for (let before = 0; !(await idle()); moments++) {
        const { seq } = (await storage.session('s'))!
        const [mine, theirs] = await Promise.all([
          reader.call<Snapshot>('GET', '/sessions/s'),
          writer.call<Snapshot>('GET', '/sessions/s'),
        ])
        // Both are at least as new as what was durable when they were asked, and as what they answered before.
        for (const got of [mine, theirs]) expect(got.seq).toBeGreaterThanOrEqual(Math.max(seq, before))
        await expectSnapshot(mine)
        await expectSnapshot(theirs)
        before = mine.seq
        const queue = await reader.call<{ turns: unknown[] }>('GET', '/sessions/s/queue')
        expect(queue.turns.length).toBeLessThanOrEqual(40)
      }
      expect(moments).toBeGreaterThan(5)

      const end = (await storage.session('s'))!.seq
      const read = async ({ call }: typeof reader) => {
        const state = hydrate(await call<Snapshot>('GET', '/sessions/s?messages=30'))
        while (state.windowFrom > 1) {
          const page = await call<MessagesPage>('GET', `/sessions/s/messages?before=${state.windowFrom}&limit=20`)
          expect([page.seq, addPage(state, page)]).toEqual([end, true])
        }
        return comparable(snapshot(state, 1))
      }
      const whole = comparable(snapshot(await foldUpTo(end), 1))
      expect(await read(reader)).toEqual(whole)
      expect(await read(writer)).toEqual(whole)
      const list = ({ call }: typeof reader) => call<{ sessions: SessionSummary[] }>('GET', '/sessions')
      expect(await list(reader)).toEqual(await list(writer))
    })

    it('P-341 one that held the session itself does not go on showing what it remembers', async () => {
      const { writer, reader } = await pair()
      await reader.call('POST', '/sessions', { sessionId: 's' })
      await reader.call('POST', '/sessions/s/turns', { turnId: 'mine', text: 'first' })
      await expect.poll(idle, { timeout: 5_000 }).toBe(true)
      await reader.call('GET', '/sessions/s')
      for (let turn = 1; turn <= 5; turn++) {
        await writer.call('POST', '/sessions/s/turns', { turnId: `theirs ${turn}`, text: `later ${turn}` })
        await expect.poll(idle, { timeout: 5_000 }).toBe(true)
        const { seq } = (await storage.session('s'))!
        const got = await reader.call<Snapshot>('GET', '/sessions/s')
        expect(got.seq).toBe(seq)
        await expectSnapshot(got)
        const page = await reader.call<MessagesPage>('GET', '/sessions/s/messages')
        expect([page.seq, page.entities.messages.length]).toEqual([seq, 2 + 2 * turn])
        await reader.call('PUT', '/sessions/s/read', { seq })
        const { sessions } = await writer.call<{ sessions: SessionSummary[] }>('GET', '/sessions')
        expect(sessions).toMatchObject([{ readSeq: seq }])
      }
    })

    it('P-341 a checkpoint that is saved while the other one reads mixes nothing old with anything new', {
      timeout: 60_000,
    }, async () => {
      let loaded = false
      let meanwhile: (() => Promise<void>) | undefined
      const interrupted: Storage = {
        ...storage,
        events: async (...args) => {
          const events = await storage.events(...args)
          loaded = true
          return events
        },
        messagePages: async (...args) => {
          if (loaded && meanwhile) {
            const once = meanwhile
            meanwhile = undefined
            await once()
          }
          return storage.messagePages(...args)
        },
      }
      const { writer, reader } = await pair(undefined, interrupted)
      const turns = async (...texts: string[]) => {
        const { seq } = (await storage.session('s'))!
        for (const text of texts) await writer.call('POST', '/sessions/s/queue', { turnId: text, text })
        const saved = async () => ((await storage.checkpoint('s'))?.seq ?? 0) > seq && idle()
        await expect.poll(saved, { timeout: 20_000 }).toBe(true)
      }
      await writer.call('POST', '/sessions', { sessionId: 's' })
      // What the first turn draws is in a message that the window does not hold any more.
      await turns('draw', ...Array.from({ length: 35 }, (_, index) => `turn ${index}`))
      loaded = false
      // The reader has loaded the session, and the page that it asks for next is changed by a later turn.
      meanwhile = () => turns('draw again')
      const page = await reader.call<MessagesPage>('GET', '/sessions/s/messages?before=3')
      expect(meanwhile).toBeUndefined()
      const { surfaces, messages } = messagesPage(await foldUpTo(page.seq), 1, 3).entities
      expect(JSON.stringify(page.entities.surfaces)).toContain('draw again')
      const told = (entities: object[]) => JSON.parse(JSON.stringify(entities.map(entity => ({ ...entity, asOf: 0 }))))
      expect(told(page.entities.surfaces)).toEqual(told(surfaces))
      expect(told(page.entities.messages)).toEqual(told(messages))
    })

    it('P-341 P-460 streams of the one that reads have every event once, in order and durable, although hints get lost', async () => {
      const { writer, reader, hubs } = await pair(() => Math.random() < 0.5)
      await writer.call('POST', '/sessions', { sessionId: 's' })
      const browser = await reader.stream('/stream?list=1&s=s:0')
      const session = await reader.stream('/sessions/s/events?after=0')
      const seen = { browser: [] as SessionEvent[], session: [] as SessionEvent[] }
      const titles = new Set<string>()
      let early = 0
      const take = async (
        into: SessionEvent[],
        frames: AsyncGenerator<SentFrame>,
        of: (frame: SentFrame) => SessionEvent[],
      ) => {
        for await (const frame of frames) {
          if (frame.event === 'list')
            for (const row of (frame.data as { sessions: SessionSummary[] }).sessions) titles.add(row.status)
          const events = of(frame)
          into.push(...events)
          if (events.length > 0 && (await storage.session('s'))!.seq < events.at(-1)!.seq) early++
        }
      }
      const reading = [
        take(seen.browser, browser, frame => eventsIn([frame])),
        take(seen.session, session, ({ event, data }) => (event === 'message' ? [data as SessionEvent] : [])),
      ]
      for (let turn = 1; turn <= 8; turn++) {
        await writer.call('POST', '/sessions/s/queue', { turnId: `t${turn}`, text: `turn ${turn}` })
      }
      await expect.poll(idle, { timeout: 20_000 }).toBe(true)
      const log = await storage.events('s', 0, 100_000)
      // What a process that hands on hints does from time to time, because some get lost.
      hubs.reader.hint('s', log.length)
      await expect
        .poll(() => [seen.browser.length, seen.session.length], { timeout: 5_000 })
        .toEqual([log.length, log.length])
      expect(seen.browser).toEqual(log)
      expect(seen.session).toEqual(log)
      expect(early).toBe(0)
      expect(titles).toContain('running')
      await writer.call('DELETE', '/sessions/s')
      await expect
        .poll(() => reading[1] && Promise.race([reading[1].then(() => 'ended'), sleep(20, 'open')]))
        .toBe('ended')
    })
  })
}
