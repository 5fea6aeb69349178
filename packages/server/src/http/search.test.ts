import type { Answer } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKit, type Kit } from './app.test.kit.ts'

describe('searching the messages', () => {
  let kit: Kit
  beforeAll(async () => {
    kit = await createKit()
  })
  afterAll(() => kit.close())

  const json = async <T>(who: string, method: string, path: string, body?: unknown): Promise<T> =>
    (await (await kit.as(who, method, path, body)).json()) as T

  const search = (who: string, text: string, more = '') =>
    json<Answer<'SearchResults'>>(who, 'GET', `/search?q=${encodeURIComponent(text)}${more}`)

  /** A session in which this was said and repeated by the agent. */
  async function talk(who: string, text: string): Promise<string> {
    const { session } = await json<Answer<'SessionCreated'>>(who, 'POST', '/sessions', {})
    await json(who, 'POST', `/sessions/${session.sessionId}/turns`, { turnId: `t-${session.sessionId}`, text })
    await idle(who, session.sessionId)
    return session.sessionId
  }

  async function idle(who: string, sessionId: string): Promise<void> {
    await expect
      .poll(async () => {
        const list = await json<Answer<'SessionList'>>(who, 'GET', '/sessions')
        return list.sessions.find(one => one.sessionId === sessionId)?.status
      })
      .toBe('idle')
  }

  it('P-9207 finds what the person and the agent said, in Chinese too, with snippets and pages', async () => {
    const sessionId = await talk('ann', 'Please move the walrus report to Friday 创建会议')
    const found = await search('ann', 'walrus fri')
    expect(found.results.map(({ role, session }) => [role, session.sessionId])).toEqual([
      ['assistant', sessionId],
      ['user', sessionId],
    ])
    const [{ snippet, ordinal, session }] = found.results as [Answer<'SearchResults'>['results'][number]]
    expect(ordinal).toBe(2)
    expect(session).not.toHaveProperty('owner')
    expect(snippet.ranges.map(({ start, end }) => snippet.text.slice(start, end))).toEqual(['walrus', 'Fri'])
    for (const text of ['创建', '会议']) expect((await search('ann', text)).results).toHaveLength(2)
    const first = await search('ann', 'walrus', '&limit=1')
    const second = await search('ann', 'walrus', `&limit=1&cursor=${first.cursor}`)
    expect([first, second].map(({ results }) => results.map(one => one.ordinal))).toEqual([[2], [1]])
    expect(second.cursor).toBe(null)
  })

  it('A03 P-9207 never finds what belongs to somebody else', async () => {
    await talk('ann', 'the secret kangaroo')
    expect((await search('ann', 'kangaroo')).results).toHaveLength(2)
    expect(await search('bob', 'kangaroo')).toEqual({ results: [], cursor: null })
    expect((await kit.as(null, 'GET', '/search?q=kangaroo')).status).toBe(401)
  })

  it('P-9207 finds nothing without words, and refuses a search that is too long and a cursor that is not its own', async () => {
    expect(await search('ann', ' …')).toEqual({ results: [], cursor: null })
    for (const query of [`?q=${'x'.repeat(201)}`, '?q=a&limit=51', '?q=a&limit=0']) {
      const response = await kit.as('ann', 'GET', `/search${query}`)
      expect([query, response.status]).toEqual([query, 400])
    }
    const foreign = await kit.as('ann', 'GET', '/search?q=a&cursor=x')
    expect(await foreign.json()).toMatchObject({ code: 'cursor_invalid' })
  })

  it('P-9208 finds the message as it stands, not what it said before it was edited', async () => {
    const sessionId = await talk('ann', 'the old giraffe')
    const edit = { turnId: 'again', text: 'the new giraffe' }
    await kit.as('ann', 'POST', `/sessions/${sessionId}/messages/1/edit`, edit)
    await idle('ann', sessionId)
    expect((await search('ann', 'old giraffe')).results).toEqual([])
    expect((await search('ann', 'new giraffe')).results).toHaveLength(2)
  })

  it('P-9208 finds an archived session, a branch, and no deleted one', async () => {
    const sessionId = await talk('ann', 'the lonely platypus')
    await kit.as('ann', 'PATCH', `/sessions/${sessionId}`, { archived: true })
    const [found] = (await search('ann', 'platypus')).results
    expect(found?.session.archived).toBe(true)
    await kit.as('ann', 'POST', `/sessions/${sessionId}/forks`, { sessionId: 'branch' })
    const ids = async () => new Set((await search('ann', 'platypus')).results.map(({ session }) => session.sessionId))
    await expect.poll(ids).toEqual(new Set([sessionId, 'branch']))
    await kit.as('ann', 'DELETE', `/sessions/${sessionId}`)
    expect(await ids()).toEqual(new Set(['branch']))
  })

  const find = (who: string, text: string, more = '') =>
    json<Answer<'FoundSessions'>>(who, 'GET', `/search/sessions?q=${encodeURIComponent(text)}${more}`)

  it('P-9251 finds by session, with titles, snippets, numbers, filters and pages', async () => {
    const ids = []
    for (const text of ['An otter swims', 'Another otter', 'The otter, again']) ids.push(await talk('cyd', text))
    await json('cyd', 'PATCH', `/sessions/${ids[0]}`, { archived: true })
    const { session } = await json<Answer<'SessionCreated'>>('cyd', 'POST', '/sessions', { title: 'Otter: plans' })
    await json('cyd', 'POST', '/sessions', { title: 'Nothing of it' })
    const all = await find('cyd', 'otter')
    expect(all).toMatchObject({ total: 4, messages: 6, searched: 5, bounded: false, cursor: null })
    expect(all.sessions.map(one => [one.session.sessionId, one.count, one.session.archived])).toEqual([
      [session.sessionId, 0, false],
      [ids[2], 2, false],
      [ids[1], 2, false],
      [ids[0], 2, true],
    ])
    const [newest] = all.sessions[1]!.messages
    expect(newest).toMatchObject({ ordinal: 2, role: 'assistant' })
    expect(newest!.snippet.ranges.map(({ start, end }) => newest!.snippet.text.slice(start, end))).toEqual(['otter'])
    expect(all.sessions[1]!.session).not.toHaveProperty('owner')

    const first = await find('cyd', 'otter', '&limit=3')
    const second = await find('cyd', 'otter', `&limit=3&cursor=${first.cursor}`)
    expect([...first.sessions, ...second.sessions]).toEqual(all.sessions)
    expect(second).toMatchObject({ cursor: null, total: 4 })

    expect((await find('cyd', 'otter', '&agentId=nobody')).sessions).toEqual([])
    expect((await find('cyd', 'otter', `&since=${Date.now() + 1_000}`)).sessions).toEqual([])
    const since = newest!.at
    expect((await find('cyd', 'swims', `&since=${since}`)).total).toBe(0)
    expect((await search('cyd', 'otter', `&since=${since}`)).results.length).toBeLessThan(6)
  })

  it('A03 P-9251 finds nothing of somebody else and nothing that is deleted, and refuses a foreign cursor', async () => {
    const sessionId = await talk('cyd', 'the quiet pangolin')
    expect(await find('bob', 'pangolin')).toMatchObject({ sessions: [], total: 0, messages: 0 })
    await kit.as('cyd', 'DELETE', `/sessions/${sessionId}`)
    expect(await find('cyd', 'pangolin')).toMatchObject({ sessions: [], total: 0, messages: 0 })
    expect(await find('cyd', ' …')).toMatchObject({ sessions: [], total: 0 })
    expect((await kit.as(null, 'GET', '/search/sessions?q=pangolin')).status).toBe(401)
    const foreign = await kit.as('cyd', 'GET', '/search/sessions?q=a&cursor=x')
    expect(await foreign.json()).toMatchObject({ code: 'cursor_invalid' })
    for (const more of ['&since=-1', '&since=soon', '&limit=51']) {
      const response = await kit.as('cyd', 'GET', `/search/sessions?q=a${more}`)
      expect([more, response.status]).toEqual([more, 400])
    }
  })
})
