import type { Answer, ListFrame } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKit, framesOf, type Kit } from './app.test.kit.ts'

describe('folders and the archive', () => {
  let kit: Kit
  beforeAll(async () => {
    kit = await createKit()
  })
  afterAll(() => kit.close())

  const json = async <T>(who: string, method: string, path: string, body?: unknown): Promise<T> =>
    (await (await kit.as(who, method, path, body)).json()) as T
  const folders = async (who: string) => (await json<Answer<'FolderList'>>(who, 'GET', '/folders')).folders

  it('P-9212 a folder is made, renamed, deleted and made again, and its sessions stay', async () => {
    const { folder } = await json<Answer<'FolderSaved'>>('ann', 'PUT', '/folders/fol_1', { name: '  Work ' })
    expect(folder.name).toBe('Work')
    await json('ann', 'POST', '/sessions', { sessionId: 'inside' })
    const moved = await json<Answer<'Session'>>('ann', 'PATCH', '/sessions/inside', { folderId: folder.folderId })
    expect(moved.session.folderId).toBe(folder.folderId)
    await json('ann', 'PUT', `/folders/${folder.folderId}`, { name: 'Office' })
    expect(await folders('ann')).toEqual([{ ...folder, name: 'Office' }])
    expect((await kit.as('ann', 'DELETE', `/folders/${folder.folderId}`)).status).toBe(204)
    expect(await folders('ann')).toEqual([])
    const { sessions } = await json<Answer<'SessionList'>>('ann', 'GET', '/sessions')
    expect(sessions.map(({ sessionId }) => sessionId)).toContain('inside')
    // The same folder again has its session again: this is how a deletion is undone.
    await json('ann', 'PUT', `/folders/${folder.folderId}`, { name: 'Office' })
    const out = await json<Answer<'Session'>>('ann', 'PATCH', '/sessions/inside', { folderId: null })
    expect(out.session.folderId).toBe(null)
  })

  it('A03 P-9212 the folders of somebody else are not there', async () => {
    const { folder } = await json<Answer<'FolderSaved'>>('ann', 'PUT', '/folders/mine', { name: 'Mine' })
    const path = `/folders/${folder.folderId}`
    expect(await folders('bob')).toEqual([])
    expect((await kit.as('bob', 'DELETE', path)).status).toBe(404)
    await json('bob', 'POST', '/sessions', { sessionId: 'of-bob' })
    const refused = await kit.as('bob', 'PATCH', '/sessions/of-bob', { folderId: folder.folderId })
    expect(await refused.json()).toMatchObject({ code: 'folder_not_found' })
    await json('bob', 'PUT', path, { name: 'His' })
    expect([await folders('bob'), (await folders('ann')).at(-1)]).toEqual([[{ ...folder, name: 'His' }], folder])
  })

  it('P-9212 refuses a folder without a name, and more folders than there may be', async () => {
    expect((await kit.as('ann', 'PUT', '/folders/x', { name: '  ' })).status).toBe(400)
    for (let n = 0; n < 200; n++) await kit.as('cat', 'PUT', `/folders/f${n}`, { name: `Folder ${n}` })
    const refused = await kit.as('cat', 'PUT', '/folders/more', { name: 'One more' })
    expect(await refused.json()).toMatchObject({ code: 'folder_limit' })
  })

  it('P-9213 the stream of the list has all folders at its beginning, and again when they change', async () => {
    await json('dan', 'PUT', '/folders/one', { name: 'One' })
    const response = await kit.as('dan', 'GET', '/stream?list=1')
    const frames = framesOf(response)
    const next = async (ready: (frame: ListFrame) => boolean): Promise<ListFrame> => {
      for (;;) {
        const { value, done } = await frames.next()
        if (done) throw new Error('The stream has ended')
        if (value.event === 'list' && ready(value.data as ListFrame)) return value.data as ListFrame
      }
    }
    expect((await next(({ begins }) => begins === true)).folders).toEqual([{ folderId: 'one', name: 'One' }])
    await json('dan', 'PUT', '/folders/one', { name: 'Uno' })
    expect((await next(({ folders }) => folders !== undefined)).folders).toEqual([{ folderId: 'one', name: 'Uno' }])
    await frames.return(undefined)
  })

  it('P-9214 an archived session is in a list of its own, and arranging sessions does not make them new', async () => {
    await json('eve', 'POST', '/sessions', { sessionId: 'old' })
    const before = await json<Answer<'SessionList'>>('eve', 'GET', '/sessions')
    await new Promise(resolve => setTimeout(resolve, 5))
    const change = { archived: true, pinned: true, title: 'Another' }
    const { session } = await json<Answer<'Session'>>('eve', 'PATCH', '/sessions/old', change)
    expect(session).toMatchObject({ ...change, updatedAt: before.sessions[0]!.updatedAt })
    const archived = await json<Answer<'SessionList'>>('eve', 'GET', '/sessions?only=archived')
    expect(archived.sessions.map(({ sessionId }) => sessionId)).toEqual(['old'])
    await json('eve', 'PATCH', '/sessions/old', { archived: false })
    expect((await json<Answer<'SessionList'>>('eve', 'GET', '/sessions?only=archived')).sessions).toEqual([])
  })
})
