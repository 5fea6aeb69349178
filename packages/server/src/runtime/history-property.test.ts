import {
  addPage,
  answerText,
  hydrate,
  type MessagesPage,
  messagesInOrder,
  type SessionState,
  snapshot,
  versionsOf,
} from '@vitrine/protocol'
import { afterEach, expect, it } from 'vitest'
import type { HistoryMessage } from '../agents/agent.ts'
import { type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

let h: Harness
afterEach(() => h.close())

let seen: HistoryMessage[] = []
let count = 0
const talker = scripted(async function* ({ text }, { history }) {
  seen = await history(1_000)
  yield { type: 'text.delta', partId: 'p', delta: `answer ${++count} to ${text}` }
})

/** Whole numbers below a limit, the same ones for the same seed. */
function choicesOf(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const path = (state: SessionState) =>
  [...messagesInOrder(state)].map(message => [message.ordinal, message.role, answerText(state, message)])

/** Everything that a reader finds who comes late and loads page after page. */
async function late(id: string): Promise<SessionState> {
  const state = hydrate(await h.runtime.getSession(OWNER, id, 3))
  while (state.windowFrom > 1) {
    const page: MessagesPage = await h.runtime.listMessages(OWNER, id, state.windowFrom, 2)
    addPage(state, page)
  }
  return state
}

it.each([12, 13, 16])(
  'P-8513 histories with edits, regenerations and branches agree everywhere (seed %i)',
  async seed => {
    h = await harness({ agents: [talker] })
    const pick = choicesOf(seed)
    let id = await h.session()
    let n = 0
    const done = new Set<string>()
    const ran = async (runId: string) => h.until(id, ({ runs }) => Boolean(runs.byId.get(runId)?.outcome))
    for (let step = 0; step < 25; step++) {
      const messages = [...messagesInOrder(await h.state(id))]
      const one = messages[pick(messages.length)]
      const before = messages.filter(({ ordinal }) => ordinal < (one?.ordinal ?? 0)).length
      const what = one ? pick(5) : 0
      let expected: number | null = messages.length
      if (what >= 3 && one?.role === 'user') {
        await ran((await h.runtime.editMessage(OWNER, id, one.ordinal, { turnId: `e${n++}`, text: `edit ${n}` })).runId)
        expected = before
        done.add('edited')
        done.add('edited')
      } else if (what === 2 && one?.role === 'assistant') {
        await ran((await h.runtime.regenerateMessage(OWNER, id, one.ordinal, { newRunId: `again${n++}` })).runId)
        expected = before - 1
        done.add('regenerated')
      } else if (what === 1 && one?.role === 'assistant') {
        const { session } = await h.runtime.forkSession(OWNER, id, { ordinal: one.ordinal })
        id = session.sessionId
        expect(path(await h.state(id))).toEqual(path(await late(id)))
        expect(messages.slice(0, before + 1).map(({ ordinal }) => ordinal)).toEqual(
          path(await h.state(id)).map(([ordinal]) => ordinal),
        )
        expected = null
        done.add('branched')
      } else await ran((await h.runtime.submitTurn(OWNER, id, { turnId: `t${n++}`, text: `turn ${n}` })).runId)
      const state = await h.state(id)
      // The agent has read what was on the path before its turn.
      if (expected !== null) {
        const read = path(state).slice(0, expected)
        expect(seen.map(({ role, text }) => [role, text])).toEqual(read.map(([, role, text]) => [role, text]))
      }
      expect(path(await late(id))).toEqual(path(state))
      expect(path(hydrate(snapshot(state, 1)))).toEqual(path(state))
      expect(state.counts.messages).toBe(path(state).length)
      expect((await h.runtime.getSession(OWNER, id, 1)).counts).toEqual(state.counts)
      // Every version can be read, and together with the path they are all messages that there ever were.
      const found = new Set(path(state).map(([ordinal]) => ordinal))
      for (const { rewindId } of state.rewinds.byId.values()) {
        const page = await h.runtime.listVersionMessages(OWNER, id, rewindId, 0, 200)
        for (const { ordinal } of page.entities.messages) {
          expect(found.has(ordinal as number)).toBe(false)
          found.add(ordinal as number)
        }
      }
      expect(found.size).toBe(state.counts.ordinals)
      for (const message of messagesInOrder(state)) {
        expect(versionsOf(state, message)).toEqual(versionsOf(await late(id), message))
      }
      if (step === 12) h = await h.restart()
    }
    // Chance must not have left one of them out.
    expect([...done].sort()).toEqual(['branched', 'edited', 'regenerated'])
  },
)
