import type { SessionEvent } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { agentThat, type Door, ofType, openDoor } from '../door.test.kit.ts'

let door: Door
afterEach(() => door.close())

const talker = agentThat(async function* ({ text }, { signal }) {
  if (text === 'work') return void (await new Promise(resolve => signal.addEventListener('abort', resolve)))
  yield { type: 'text.delta', partId: 'p', delta: `answer to ${text}` }
})

async function talk(...texts: string[]): Promise<string> {
  door = await openDoor([talker])
  const id = await door.session()
  for (const [index, text] of texts.entries()) {
    await door.submitTurn(id, text, `t${index + 1}`)
    await door.ended(id, index + 1)
  }
  return id
}

const rewinds = (events: readonly SessionEvent[]) => ofType(events, 'history.rewound')

describe('P-8515 the history of a session through HTTP', () => {
  it('P-8515 a message is edited, its earlier version read, and the same request again gets the first answer', async () => {
    const id = await talk('one', 'two')
    const edit = { turnId: 'e1', text: 'another' }
    const first = await door.call('POST', `/sessions/${id}/messages/3/edit`, edit)
    expect([first.status, first.json.state]).toEqual([202, 'started'])
    await door.ended(id, 3)
    const again = await door.call('POST', `/sessions/${id}/messages/3/edit`, edit)
    expect([again.status, again.json]).toEqual([202, first.json])
    const { json } = await door.call('GET', `/sessions/${id}`)
    expect(json.counts).toMatchObject({ messages: 4, ordinals: 6 })
    const [rewind] = json.entities.rewinds
    const page = await door.call('GET', `/sessions/${id}/versions/${rewind.rewindId}/messages?limit=1`)
    expect(page.json.entities.messages).toMatchObject([{ ordinal: 3, rewindId: rewind.rewindId }])
    const rest = await door.call('GET', `/sessions/${id}/versions/${rewind.rewindId}/messages?after=${page.json.next}`)
    expect([rest.json.entities.messages.length, rest.json.next]).toEqual([1, null])
    await door.restart()
    const later = await door.call('GET', `/sessions/${id}/versions/${rewind.rewindId}/messages`)
    expect(later.json.entities.messages.map(({ ordinal }: { ordinal: number }) => ordinal)).toEqual([3, 4])
  })

  it('P-8515 an answer is regenerated and rated', async () => {
    const id = await talk('one')
    const again = await door.call('POST', `/sessions/${id}/messages/2/regenerate`, { newRunId: 'r2' })
    expect([again.status, again.json]).toEqual([202, { runId: 'r2' }])
    await door.ended(id, 2)
    const path = `/sessions/${id}/messages/3/feedback`
    for (const rating of ['up', 'up', 'none']) expect((await door.call('PUT', path, { rating })).status).toBe(204)
    expect(ofType(await door.events(id), 'feedback.changed').map(({ rating }) => rating)).toEqual(['up', 'none'])
    expect((await door.call('PUT', path, { rating: 'perhaps' })).status).toBe(400)
    expect((await door.call('PUT', path, { rating: 'up', reason: 'nul \0' })).status).toBe(400)
  })

  it('P-8515 P-8510 the same Idempotency-Key makes one branch', async () => {
    const id = await talk('one', 'two')
    const fork = () => door.call('POST', `/sessions/${id}/forks`, { ordinal: 2 }, { 'idempotency-key': 'k' })
    const made = await Promise.all([fork(), fork(), fork()])
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    const ids = new Set(made.map(({ json }) => json.session.sessionId))
    expect(ids.size).toBe(1)
    const [branch] = [...ids]
    expect((await door.call('GET', `/sessions/${branch}`)).json.entities.session.forkOf).toMatchObject({
      sessionId: id,
      ordinal: 2,
    })
    const { json } = await door.call('GET', '/sessions')
    expect(json.sessions).toHaveLength(2)
  })

  it('P-8515 P-8503 what is not possible is refused with a status, a code and what to do next', async () => {
    const id = await talk('one')
    const edit = { turnId: 'e', text: 'x' }
    const refused = async (path: string, body: object = edit) => {
      const { status, json } = await door.call('POST', `/sessions/${path}`, body)
      return [status, json.code]
    }
    expect(await refused(`${id}/messages/9/edit`)).toEqual([404, 'message_not_found'])
    expect(await refused(`${id}/messages/x/edit`)).toEqual([404, 'message_not_found'])
    expect(await refused(`${id}/messages/2/edit`)).toEqual([422, 'message_fixed'])
    expect(await refused(`missing/messages/1/edit`)).toEqual([404, 'session_not_found'])
    expect(await refused(`${id}/messages/1/edit`, { turnId: 'e', text: '' })).toEqual([400, 'invalid_request'])
    expect(await refused(`${id}/forks`, { seq: 9_999 })).toEqual([404, 'event_not_found'])
    await door.submitTurn(id, 'work', 'w')
    expect(await refused(`${id}/messages/1/edit`)).toEqual([409, 'run_active'])
    expect(await refused(`${id}/messages/2/regenerate`, { newRunId: 'r' })).toEqual([409, 'run_active'])
    // A branch changes nothing in its source, so that it can be made at any time.
    expect((await door.call('POST', `/sessions/${id}/forks`, {})).status).toBe(201)
    expect(rewinds(await door.events(id))).toEqual([])
  })
})
