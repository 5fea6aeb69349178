import type { Answer } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scripted } from '../../runtime/harness.fixture.ts'
import { createKit, type Kit } from '../app.test.kit.ts'

const agent = scripted(async function* ({ text }) {
  yield { type: 'text.delta', partId: 'p', delta: 'Counted.' }
  if (text === 'nothing') return
  yield {
    type: 'metric.changed',
    scope: 'run',
    usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 60, cost: { amount: 0.5, currency: 'EUR' } },
    // Not every text can be stored, and no number is too large to be claimed.
    values: { model: text === 'odd' ? 'broken \ud83d model\0' : 'm-1', ...(text === 'odd' && { contextUsed: 1e300 }) },
  }
})

let kit: Kit
let path: string
beforeEach(async () => {
  kit = await createKit({ agents: [agent] })
  const created = (await (await kit.as('ann', 'POST', '/sessions', {})).json()) as Answer<'SessionCreated'>
  path = `/sessions/${created.session.sessionId}`
})
afterEach(() => kit.close())

const turn = async (turnId: string, text: string) => {
  expect((await kit.as('ann', 'POST', `${path}/turns`, { turnId, text })).status).toBe(202)
  await expect
    .poll(async () => {
      const events = await kit.parts.storage.events(path.split('/')[2]!, 0, 1000)
      return events.filter(({ type }) => type === 'run.finished' || type === 'run.failed').length
    })
    .toBe(Number(turnId.slice(1)))
}
const usage = async (query = '', who = 'ann') =>
  (await (await kit.as(who, 'GET', `/usage${query}`)).json()) as Answer<'Usage'>

describe('what runs have used, over HTTP', () => {
  it('P-9740 P-9752 is counted with the end of each run, replaced versions too, for its owner alone', async () => {
    await turn('t1', 'one')
    await turn('t2', 'nothing')
    await kit.as('ann', 'POST', `${path}/messages/2/regenerate`, { newRunId: 'again' })
    await expect.poll(async () => (await usage()).items[0]?.runs).toBe(2)
    const { items, bounded } = await usage()
    expect(bounded).toBe(false)
    expect(items).toMatchObject([
      {
        day: new Date().toISOString().slice(0, 10),
        model: 'm-1',
        inputTokens: 200,
        outputTokens: 40,
        cachedInputTokens: 120,
        reasoningTokens: null,
        totalTokens: 240,
        cost: { amount: 1, currency: 'EUR' },
      },
    ])
    expect((await usage('', 'bob')).items).toEqual([])
    expect((await usage(`?sessionId=${path.split('/')[2]}`)).items).toHaveLength(1)
    expect((await usage('?sessionId=other')).items).toEqual([])
    await kit.as('ann', 'DELETE', path)
    expect((await usage()).items).toEqual([])
  })

  it('P-9752 whatever an agent says of its model, the run ends and is counted', async () => {
    await turn('t1', 'odd')
    expect((await usage()).items).toMatchObject([{ runs: 1, totalTokens: 120 }])
  })

  it.each([['?from=9&to=3'], ['?from=1&to=900000000000000'], ['?offset=9999'], ['?from=x']])(
    'P-9740 refuses %s',
    async query => {
      expect((await kit.as('ann', 'GET', `/usage${query}`)).status).toBe(400)
    },
  )
})
