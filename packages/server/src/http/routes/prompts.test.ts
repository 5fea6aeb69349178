import type { Answer } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ToolSource } from '../../tools/tool.ts'
import { source } from '../../tools/tools.fixture.ts'
import { createKit, type Kit } from '../app.test.kit.ts'

const docs: ToolSource = {
  ...source([], 'docs'),
  prompts: async ({ owner }) => [
    { name: 'review', title: `For ${owner}`, arguments: [{ name: 'page', required: true }] },
  ],
  fillPrompt: async (_, name, { page = '' }) => {
    if (name !== 'review') throw new Error(`There is no prompt ${name}.`)
    const image = { kind: 'image', bytes: new Uint8Array(3), mediaType: 'image/png' } as const
    return { messages: [{ role: 'user', parts: [{ kind: 'text', text: `Review ${page}.` }, image] }] }
  },
  resources: async () => ({
    resources: [{ uri: 'docs://start', name: 'start', mediaType: 'text/markdown', size: 7 }],
    templates: [{ uriTemplate: 'docs://{page}', name: 'page' }],
  }),
  readResource: async (_, uri) => {
    if (uri === 'docs://bytes') return [{ kind: 'resource', uri, bytes: new Uint8Array([1, 2]) }]
    if (uri === 'docs://huge') return [{ kind: 'resource', uri, text: 'x'.repeat(9_000_000) }]
    return [{ kind: 'resource', uri, mediaType: 'text/markdown', text: '# Start' }]
  },
}
const broken: ToolSource = {
  ...source([], 'broken'),
  prompts: () => Promise.reject(new Error('It is down.')),
  resources: () => Promise.reject(new Error('It is down.')),
}

let kit: Kit
let path: string
beforeAll(async () => {
  kit = await createKit({ tools: [source([], 'plain'), docs, broken] })
  const created = (await (await kit.as('ann', 'POST', '/sessions', {})).json()) as Answer<'SessionCreated'>
  path = `/sessions/${created.session.sessionId}`
})
afterAll(() => kit.close())

const get = async (below: string, who = 'ann') => {
  const response = await kit.as(who, 'GET', `${path}${below}`)
  return { status: response.status, body: await response.json() }
}
const post = async (below: string, body: object, who = 'ann') => {
  const response = await kit.as(who, 'POST', `${path}${below}`, body)
  return { status: response.status, body: await response.json() }
}
const fill = (body: object) => post('/prompts/fill', body)
const problems = [{ sourceId: 'broken', name: 'Source broken', message: 'It is down.' }]

describe('prompts and resources over HTTP', () => {
  it('MC-26 prompts are listed with their source, and a source that fails is named', async () => {
    expect(await get('/prompts')).toEqual({
      status: 200,
      body: {
        items: [
          {
            source: { sourceId: 'docs', name: 'Source docs' },
            name: 'review',
            title: 'For ann',
            description: '',
            arguments: [{ name: 'page', title: 'page', description: '', required: true }],
          },
        ],
        problems,
      },
    })
  })

  it('MC-26 a prompt is filled, and bytes in it are named', async () => {
    expect(await fill({ sourceId: 'docs', name: 'review', arguments: { page: 'start.md' } })).toEqual({
      status: 200,
      body: { description: '', messages: [{ role: 'user', text: 'Review start.md.\n\n[image image/png, 3 bytes]' }] },
    })
  })

  it.each([
    [{ sourceId: 'nobody', name: 'review' }, 404, 'source_not_found'],
    [{ sourceId: 'docs', name: 'other' }, 502, 'source_failed'],
    [{ sourceId: 'plain', name: 'review' }, 502, 'source_failed'],
    [{ sourceId: 'docs' }, 400, 'invalid_request'],
    [{ sourceId: 'docs', name: 'review', arguments: { page: 7 } }, 400, 'invalid_request'],
  ])('MC-26 %j is refused with %s %s', async (body, status, code) => {
    expect(await fill(body)).toMatchObject({ status, body: { code } })
  })

  it('MC-27 resources and templates are listed, and read as text or as bytes', async () => {
    expect((await get('/resources')).body).toMatchObject({
      items: [{ uri: 'docs://start', title: 'start', size: 7, source: { sourceId: 'docs' } }],
      templates: [{ uriTemplate: 'docs://{page}' }],
      problems,
    })
    const read = (uri: string) => post('/resources/read', { sourceId: 'docs', uri })
    expect((await read('docs://start')).body).toEqual({
      contents: [{ uri: 'docs://start', mediaType: 'text/markdown', text: '# Start' }],
    })
    expect((await read('docs://bytes')).body).toEqual({ contents: [{ uri: 'docs://bytes', base64: 'AQI=' }] })
    expect(await read('docs://huge')).toMatchObject({ status: 502, body: { code: 'source_failed' } })
  })

  it('MC-26 MC-27 belong to whose session it is', async () => {
    const refused = { status: 404, body: { code: 'session_not_found' } }
    for (const below of ['/prompts', '/resources']) expect(await get(below, 'bob')).toMatchObject(refused)
    expect(await post('/prompts/fill', { sourceId: 'docs', name: 'review' }, 'bob')).toMatchObject(refused)
    expect(await post('/resources/read', { sourceId: 'docs', uri: 'docs://start' }, 'bob')).toMatchObject(refused)
  })
})
