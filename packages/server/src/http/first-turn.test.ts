import type { Answer, Problem } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKit, type Kit } from './app.test.kit.ts'

describe('a session that is made with its first turn', () => {
  let kit: Kit
  beforeAll(async () => {
    kit = await createKit()
  })
  afterAll(() => kit.close())

  const make = (body: object) => kit.as('ann', 'POST', '/sessions', body)
  const listed = async () => {
    const { sessions } = (await (await kit.as('ann', 'GET', '/sessions')).json()) as Answer<'SessionList'>
    return sessions.map(({ sessionId, title, messageCount }) => [sessionId, title, messageCount > 0])
  }

  it('P-9256 has its title and its turn with the answer, once, however often it is sent', async () => {
    const command = { sessionId: 'whole', turn: { turnId: 't1', text: 'Count the walruses' } }
    const response = await make(command)
    expect(response.status).toBe(201)
    const { session } = (await response.json()) as Answer<'SessionCreated'>
    expect(session).toMatchObject({ sessionId: 'whole', title: 'Count the walruses' })
    expect((await make(command)).status).toBe(201)
    // A page that only knows of the session, and one that sends the turn by itself, get the same.
    expect((await make({ sessionId: 'whole' })).status).toBe(201)
    expect((await kit.as('ann', 'POST', '/sessions/whole/turns', command.turn)).status).toBe(202)
    expect(await listed()).toEqual([['whole', 'Count the walruses', true]])
    const accept = { accept: 'application/json' }
    const page = await kit.as('ann', 'GET', '/sessions/whole/events?after=0', undefined, accept)
    const { events } = (await page.json()) as Answer<'EventsPage'>
    expect(events.filter(({ type }) => type === 'run.started')).toHaveLength(1)
  })

  it('P-9256 is refused as its parts would be: another turn under the id, a missing file, a task with two turns', async () => {
    const codeOf = async (body: object) => ((await (await make(body)).json()) as Problem).code
    expect(await codeOf({ sessionId: 'whole', turn: { turnId: 't1', text: 'Something else' } })).toBe('key_reused')
    const files = [{ digest: '0'.repeat(64), name: 'a.txt' }]
    expect(await codeOf({ sessionId: 'filed', turn: { turnId: 't2', text: 'See', files } })).toBe('file_not_found')
    const parent = { sessionId: 'whole', turnId: 't3', input: { text: 'A task' } }
    expect(await codeOf({ parent, turn: { turnId: 't4', text: 'And a turn' } })).toBe('not_allowed')
  })
})
