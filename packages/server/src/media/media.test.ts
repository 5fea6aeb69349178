import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Problem } from '@vitrine/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AppOptions, createApp } from '../http/app.ts'
import { localOwner } from '../http/auth.ts'
import { bodyLimits } from '../http/body.ts'
import { createMedia, type MediaLimits, type MediaOptions, mediaLimits } from './media.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const WEBM = Buffer.concat([Buffer.from('\x1a\x45\xdf\xa3....webm', 'latin1'), Buffer.alloc(5_000, 7)])

async function listen(listener: RequestListener) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

interface Options {
  media?: MediaOptions
  limits?: Partial<MediaLimits>
}

/** Our server with one owner, and nothing behind it but the media. */
function serverWith({ media, limits }: Options) {
  const auth = localOwner({ instance: { id: 'i', secret: 's' }, allowedHosts: undefined })
  const parts = { media: createMedia(media, { ...mediaLimits, ...limits }), auth, basePath: '', limits: bodyLimits }
  const app = createApp(parts as unknown as AppOptions)
  const signedIn = { authorization: `Bearer ${auth.link.token}` }
  const get = (path: string, headers: Record<string, string> = signedIn) => app.request(`/api${path}`, { headers })
  return { get, signedIn }
}

/** A host on loopback that may be asked, and our server in front of it. */
async function open(listener: RequestListener, options: Options = {}) {
  const { host, asked } = await listen(listener)
  const { get: ask, signedIn } = serverWith({ ...options, media: { local: [host], ...options.media } })
  const path = (at: string, as = 'image', more = '') =>
    `/media?as=${as}&url=${encodeURIComponent(`http://${host}${at}`)}${more}`
  const get = (at: string, as?: string, headers: Record<string, string> = {}, more = '') =>
    ask(path(at, as, more), { ...signedIn, ...headers })
  return { host, asked, ask, path, get }
}

const code = async (response: Promise<Response> | Response) => ((await (await response).json()) as Problem).code

const send = (response: ServerResponse, bytes: Buffer, type = 'image/png') =>
  response.writeHead(200, { 'content-type': type, 'set-cookie': 'spy=1', 'content-length': bytes.length }).end(bytes)

describe('C10 media of other hosts', () => {
  it('C10 come through our own route, as what they are, and cannot act as a page', async () => {
    const { get, asked } = await open((_request, response) => send(response, PNG, 'text/html'))
    const response = await get('/a.png')
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(response.headers.get('set-cookie')).toBeNull()
    const { headers } = asked[0]!
    expect([headers.cookie, headers.referer, headers.authorization, headers.origin]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('C10 an SVG with a script is an image that can do nothing', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const { get } = await open((_request, response) => send(response, svg, 'image/svg+xml'))
    const { headers } = await get('/a.svg')
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  })

  it('C10 what is no medium, or one for another element, is refused', async () => {
    const { get } = await open((request, response) =>
      request.url === '/film' ? send(response, WEBM, 'image/png') : send(response, Buffer.from('<html>'), 'image/png'),
    )
    expect(await code(get('/page'))).toBe('media_unsupported')
    expect(await code(get('/film'))).toBe('media_unsupported')
    expect((await get('/film', 'video')).headers.get('content-type')).toBe('video/webm')
  })

  it('C10 H03 the limits of size hold, whatever the host says of it', async () => {
    const much = Buffer.concat([PNG, Buffer.alloc(5_000)])
    const { get } = await open(
      (request, response) => {
        if (request.url === '/says') return send(response, much)
        response.writeHead(200)
        response.write(PNG)
        // The rest comes after the beginning has been judged.
        const timer = setInterval(() => response.write(Buffer.alloc(3_000)), 5)
        response.once('close', () => clearInterval(timer))
      },
      { limits: { imageBytes: 10_000 } },
    )
    expect((await get('/says')).status).toBe(200)
    const endless = await get('/endless')
    await expect(endless.arrayBuffer()).rejects.toThrow()
    const small = await open((_request, response) => send(response, much), { limits: { imageBytes: 1_000 } })
    expect(await code(small.get('/says'))).toBe('too_large')
  })

  it('C10 H03 a host that is slow, fails, packs or breaks off is not waited for', async () => {
    const { get } = await open(
      (request, response) => {
        if (request.url === '/404') return response.writeHead(404).end(PNG)
        if (request.url === '/packed') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(PNG)
        if (request.url === '/broken') return response.writeHead(200).write('x', () => response.destroy())
      },
      { limits: { idleMs: 200 } },
    )
    for (const path of ['/404', '/packed', '/broken', '/never']) {
      expect([path, await code(get(path))]).toEqual([path, 'media_unavailable'])
    }
  })

  it('C10 H03 private addresses are refused by the route, also behind a redirect', async () => {
    const { get, ask, asked } = await open((_request, response) =>
      response.writeHead(302, { location: 'http://localhost:1/' }).end(),
    )
    expect(await code(get('/', 'image', {}, '&clicked=1'))).toBe('media_refused')
    const before = asked.length
    for (const url of ['http://127.0.0.1:9/', 'http://[::1]/', 'http://0x7f.1/', 'http://169.254.169.254/']) {
      const answer = ask(`/media?as=image&url=${encodeURIComponent(url)}`)
      expect([url, await code(answer)]).toEqual([url, 'media_refused'])
    }
    expect(asked).toHaveLength(before)
  })

  it('C10 a host that is allowed cannot send the request on to another one without a click', async () => {
    const other = await listen((_request, response) => send(response, PNG))
    const { host, asked } = await listen((_request, response) =>
      response.writeHead(302, { location: `http://${other.host}/?secret` }).end(),
    )
    const { get } = serverWith({ media: { local: [host, other.host] } })
    const path = `/media?as=image&url=${encodeURIComponent(`http://${host}/`)}`
    expect(await code(get(path))).toBe('media_refused')
    expect([asked.length, other.asked.length]).toEqual([1, 0])
    expect((await get(`${path}&clicked=1`)).status).toBe(200)
  })

  it('C10 nobody but a person of the server has media fetched, and no link or other site', async () => {
    const { ask, get, asked, path } = await open((_request, response) => send(response, PNG))
    expect((await ask(path('/'), {})).status).toBe(401)
    expect((await get('/', 'image', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' })).status).toBe(
      422,
    )
    expect((await get('/', 'image', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await get('/', 'image', { origin: 'null' })).status).toBe(403)
    expect(asked).toEqual([])
  })

  it('P-9001 video and audio come in the pieces that the browser asks for', async () => {
    const { get, asked } = await open((request, response) => {
      const [, from = '0'] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? []
      if (request.headers.range === undefined) return send(response, WEBM)
      const piece = WEBM.subarray(Number(from))
      const range = `bytes ${from}-${WEBM.length - 1}/${WEBM.length}`
      response.writeHead(206, { 'content-range': range, 'content-length': piece.length }).end(piece)
    })
    // The middle of a file whose beginning nobody has seen does not tell what it is: all of it is fetched.
    const unknown = await get('/film', 'video', { range: 'bytes=1000-' })
    expect([unknown.status, (await unknown.arrayBuffer()).byteLength]).toEqual([200, WEBM.length])
    const middle = await get('/film', 'video', { range: 'bytes=1000-' })
    expect([middle.status, middle.headers.get('content-range'), middle.headers.get('content-type')]).toEqual([
      206,
      `bytes 1000-${WEBM.length - 1}/${WEBM.length}`,
      'video/webm',
    ])
    expect(Buffer.from(await middle.arrayBuffer())).toEqual(WEBM.subarray(1000))
    expect((await get('/film', 'image', { range: 'bytes=0-' })).status).toBe(415)
    expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=1000-', undefined])
  })

  it('P-9002 one person cannot fetch without an end: the rest is refused until something has ended', async () => {
    const { get } = await open(() => {}, { limits: { fetches: 2, idleMs: 400 } })
    const slow = [get('/1'), get('/2')]
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(await code(get('/3'))).toBe('media_busy')
    expect(await Promise.all(slow.map(code))).toEqual(['media_unavailable', 'media_unavailable'])
    expect(await code(get('/4'))).toBe('media_unavailable')
  })

  it('P-9002 a host that switches to another protocol keeps no place', async () => {
    const { get } = await open(
      ({ socket }) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      { limits: { fetches: 1 } },
    )
    for (const path of ['/1', '/2', '/3']) expect(await code(get(path))).toBe('media_unavailable')
  })

  it('P-9003 the hosts of the configuration are listed; what is no host is refused at the start', async () => {
    const { get } = serverWith({ media: { hosts: ['images.example.org', '*.example.net'] } })
    expect(await (await get('/media/hosts')).json()).toEqual({
      hosts: ['images.example.org', '*.example.net'],
    })
    for (const host of ['*', '*.', 'a b', 'a;b', 'https://a.b', 'a.b/c', '']) {
      expect(() => createMedia({ hosts: [host] })).toThrow(TypeError)
    }
    for (const host of ['127.0.0.1:x', 'http://127.0.0.1', '']) {
      expect(() => createMedia({ local: [host] })).toThrow(TypeError)
    }
  })
})
