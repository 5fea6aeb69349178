import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { fileUrl, uploadFile } from './files.ts'
import type { VitrineClient } from './types.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that answers every request in the same way, and a client that talks to it without a browser. */
async function answering(status: number, body: string, type = 'application/json') {
  const requests: { headers: Record<string, unknown>; body: string }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    requests.push({ headers: request.headers, body: text })
    if (status > 0) response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const { port } = server.address() as AddressInfo
  const client = { api: { baseUrl: `http://127.0.0.1:${port}/api`, fetch } } as unknown as VitrineClient
  return { client, requests }
}

describe('P-9115 an upload', () => {
  it('P-9115 sends the bytes with their media type under its key', async () => {
    const value = { digest: 'd', size: 5, mediaType: 'text/csv', expiresAt: 1 }
    const { client, requests } = await answering(201, JSON.stringify(value))
    const outcome = await uploadFile(client, new Blob(['a,b,c'], { type: 'text/csv' }), { key: 'k' })
    expect(outcome).toEqual({ ok: true, value })
    expect(requests).toMatchObject([
      { body: 'a,b,c', headers: { 'content-type': 'text/csv', 'idempotency-key': 'k', 'content-length': '5' } },
    ])
  })

  it('P-9115 says why it was refused, also when something in between answers, and never throws', async () => {
    const problem = { code: 'too_large', title: 'Too large', status: 413, detail: '', type: 'x' }
    const refused = await answering(413, JSON.stringify(problem), 'application/problem+json')
    expect(await uploadFile(refused.client, new Blob(['x']), { key: 'k' })).toEqual({ ok: false, problem })
    const proxy = await answering(502, '<html>', 'text/html')
    expect(await uploadFile(proxy.client, new Blob(['x']), { key: 'k' })).toMatchObject({
      ok: false,
      problem: { code: 'bad_answer', status: 502 },
    })
    const away = { api: { baseUrl: 'http://127.0.0.1:1/api', fetch } } as unknown as VitrineClient
    expect(await uploadFile(away, new Blob(['x']), { key: 'k' })).toMatchObject({ problem: { code: 'offline' } })
  })

  it('P-9115 can be cancelled, before and while it is sent', async () => {
    const { client } = await answering(0, '')
    const stop = new AbortController()
    const sending = uploadFile(client, new Blob(['x']), { key: 'k', signal: stop.signal })
    setTimeout(() => stop.abort(), 20)
    expect(await sending).toMatchObject({ ok: false, problem: { code: 'closed' } })
    const again = await uploadFile(client, new Blob(['x']), { key: 'k', signal: stop.signal })
    expect(again).toMatchObject({ ok: false, problem: { code: 'closed' } })
  })

  it('P-9115 the address of a file keeps to its session', () => {
    const client = { api: { baseUrl: '/api', fetch: undefined } } as unknown as VitrineClient
    expect(fileUrl(client, 'a/b', '../x')).toBe('/api/sessions/a%2Fb/blobs/..%2Fx')
  })
})
