import { describe, expect, it, onTestFinished } from 'vitest'
import { ended, type Harness, harness, OWNER, scripted } from './harness.fixture.ts'

const envelope = (title: string) => ({
  version: 'v0.9',
  createSurface: {
    surfaceId: 'tours',
    root: {
      id: 'root',
      type: 'Column',
      children: [
        { id: 'title', type: 'Text', props: { text: title } },
        { id: 'name', type: 'Text', props: { text: { path: '/name' } } },
      ],
    },
    dataModel: { name: 'Harbour of Tromsø' },
  },
})

/** Draws a surface, shows a card, or removes the surface again. */
const drawer = scripted(async function* ({ text }, { surfaces }) {
  if (text.startsWith('draw ')) await surfaces.apply([envelope(text.slice(5))])
  else if (text === 'remove') await surfaces.apply([{ version: 'v0.9', deleteSurface: { surfaceId: 'tours' } }])
  else if (text === 'card') {
    yield { type: 'tool.started', partId: 'card', toolCallId: 'card', name: 'show' }
    yield {
      type: 'tool.result',
      toolCallId: 'card',
      ui: { version: '2.0', root: { type: 'stack', children: [{ type: 'text', content: 'Penguin figures' }] } },
    }
  }
  yield { type: 'text.delta', partId: 'said', delta: 'Done.' }
})

let turns = 0
async function say(h: Harness, sessionId: string, text: string): Promise<void> {
  const turnId = `turn-${++turns}`
  await h.runtime.submitTurn(OWNER, sessionId, { turnId, text })
  await h.until(sessionId, state => ended(state) && state.turns.byId.has(turnId))
}

const found = async (h: Harness, text: string) =>
  (await h.runtime.searchMessages(OWNER, { text, limit: 10 })).results.map(({ snippet }) => snippet.text)

async function open(): Promise<Harness> {
  const h = await harness({ agents: [drawer] })
  onTestFinished(() => h.close())
  return h
}

describe('P-9612 words that agents draw', () => {
  it('P-9612 are found on a surface as it is now, and not when it was removed or changed', async () => {
    const h = await open()
    const sessionId = await h.session()
    await say(h, sessionId, 'draw Walrus watching')
    await expect.poll(() => found(h, 'harbour')).toEqual(['Walrus watching Harbour of Tromsø'])
    await say(h, sessionId, 'remove')
    await expect.poll(() => found(h, 'harbour')).toEqual([])
  })

  it('P-9612 are found in a card', async () => {
    const h = await open()
    await say(h, await h.session(), 'card')
    await expect.poll(() => found(h, 'penguin')).toEqual([expect.stringContaining('Penguin figures')])
  })

  it('P-9612 of a session that an older version wrote are brought in the background, and erased with the session', async () => {
    let h = await open()
    const sessionId = await h.session()
    await say(h, sessionId, 'draw Otter watching')
    await say(h, sessionId, 'card')
    // As an older version would have left it: without the words that were drawn.
    const { DatabaseSync } = await import('node:sqlite')
    await h.runtime.close()
    await h.storage.close()
    const db = new DatabaseSync(`${h.folder}/vitrine.db`)
    db.exec(`DELETE FROM texts WHERE text LIKE '%Otter%' AND role = 'assistant' OR text LIKE '%Penguin%';
      UPDATE sessions SET indexed = 0`)
    db.close()
    h = await harness({ agents: [drawer], folder: h.folder })
    onTestFinished(() => h.close())
    await expect.poll(() => found(h, 'harbour'), { timeout: 20_000 }).toHaveLength(1)
    await expect.poll(() => found(h, 'penguin'), { timeout: 20_000 }).toHaveLength(1)
    await h.runtime.deleteSession(OWNER, sessionId)
    expect([await found(h, 'harbour'), await found(h, 'penguin')]).toEqual([[], []])
  })
})
