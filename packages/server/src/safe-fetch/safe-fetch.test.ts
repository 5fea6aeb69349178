import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FetchRefused, type Lookup, type SafeFetchOptions, safeFetch } from './safe-fetch.ts'

const limits = { totalMs: 10_000, idleMs: 5_000 }

/** A server on loopback; `asked` has what arrived. */
async function listen(listener: RequestListener) {
  const asked: { url: string; headers: NodeJS.Dict<string | string[]> }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers })
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, asked, host: `127.0.0.1:${port}` }
}

/** A host on loopback that says what it likes. `closed` is done when its first connection is over. */
async function listenRaw(answer: (socket: Socket) => void) {
  const closed = Promise.withResolvers<void>()
  const server = createSocketServer(socket => {
    socket.once('close', () => closed.resolve())
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, closed: closed.promise }
}

/** Something comes all the time, and it never becomes an answer. */
function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n')
  const timer = setInterval(() => socket.write('X-A: b\r\n'), 20)
  socket.once('close', () => clearInterval(timer))
}

const refusal = async (url: string, options: Partial<SafeFetchOptions> = {}): Promise<string> => {
  try {
    const { body } = await safeFetch(url, { ...limits, ...options })
    body.destroy()
    return 'fetched'
  } catch (error) {
    if (error instanceof FetchRefused) return error.why
    throw error
  }
}

const textOf = async (url: string, options: Partial<SafeFetchOptions>): Promise<string> => {
  const { body } = await safeFetch(url, { ...limits, ...options })
  return Buffer.concat(await body.toArray()).toString()
}

describe('H03 a fetch of an address from elsewhere', () => {
  it('H03 reaches nothing on this machine, however its address is written', async () => {
    const { port, asked } = await listen((_request, response) => response.end('secret'))
    const hosts = [
      '127.0.0.1',
      '127.0.0.2',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '017700000001',
      '0177.0.0.1',
      '127.0.0.1.',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '0.0.0.0',
      '0',
      'localhost',
    ]
    for (const host of hosts)
      expect([host, await refusal(`http://${host}:${port}/`)]).toEqual([host, 'private_address'])
    expect(asked).toEqual([])
  })

  it.each(['http://10.0.0.1/', 'http://172.16.0.1/', 'http://192.168.0.1/', 'http://169.254.169.254/latest/meta-data'])(
    'H03 refuses %s without a connection',
    async url => expect(await refusal(url)).toBe('private_address'),
  )

  it.each([
    'file:///etc/passwd',
    'ftp://example.org/',
    'data:,x',
    'javascript:1',
    'http://a:b@example.org/',
    'nonsense',
  ])('H03 refuses %s', async url => expect(await refusal(url)).toBe('url'))

  it('H03 refuses the ports of other protocols', async () => {
    for (const port of [22, 25, 110, 587]) expect(await refusal(`http://example.org:${port}/`)).toBe('url')
  })

  it('H03 refuses a name when one of its addresses is private', async () => {
    const { port, asked } = await listen((_request, response) => response.end('secret'))
    for (const address of ['127.0.0.1', '10.1.2.3', '::1', '::ffff:127.0.0.1', 'fe80::1']) {
      const family = address.includes(':') ? 6 : 4
      const lookup: Lookup = async () => [
        { address: '93.184.215.14', family: 4 },
        { address, family },
      ]
      expect(await refusal(`http://rebind.example:${port}/`, { lookup })).toBe('private_address')
    }
    expect(asked).toEqual([])
  })

  it('H03 looks a name up once and connects to what was checked: a name that changes its address gains nothing', async () => {
    const checked = await listen((_request, response) => response.end('checked'))
    let lookups = 0
    const lookup: Lookup = async () => {
      lookups++
      // A second answer would lead elsewhere, where nothing listens.
      return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.3', family: 4 }]
    }
    const local = [`rebind.example:${checked.port}`]
    expect(await textOf(`http://rebind.example:${checked.port}/x`, { lookup, local })).toBe('checked')
    expect(lookups).toBe(1)
    expect(checked.asked[0]!.headers.host).toBe(`rebind.example:${checked.port}`)
  })

  it('H03 checks each redirect, also to names and to other ports of an allowed host', async () => {
    const secret = await listen((_request, response) => response.end('secret'))
    const targets = [
      `http://127.0.0.1:${secret.port}/`,
      `http://localhost:${secret.port}/`,
      `http://2130706433:${secret.port}/`,
      `http://[::1]:${secret.port}/`,
      `//127.0.0.1:${secret.port}/`,
      'http://169.254.169.254/latest',
      `http://rebind.example:${secret.port}/`,
    ]
    const { host } = await listen((request, response) => {
      const target = targets[Number(request.url!.slice(1))]!
      response.writeHead(302, { location: target }).end()
    })
    const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    for (const place of targets.keys()) {
      const options = { local: [host], lookup, otherHosts: true }
      expect([place, await refusal(`http://${host}/${place}`, options)]).toEqual([place, 'private_address'])
    }
    expect(secret.asked).toEqual([])
  })

  it('H03 follows a redirect to a file: URL as little as one without an end', async () => {
    const { host } = await listen((request, response) => {
      const location = request.url === '/file' ? 'file:///etc/passwd' : '/again'
      response.writeHead(301, { location }).end()
    })
    expect(await refusal(`http://${host}/file`, { local: [host] })).toBe('url')
    expect(await refusal(`http://${host}/again`, { local: [host] })).toBe('redirects')
  })

  it('H03 follows a redirect to another host only when that was asked for', async () => {
    const other = await listen((_request, response) => response.end('other'))
    const { host } = await listen((_request, response) =>
      response.writeHead(302, { location: `http://${other.host}/` }).end(),
    )
    const local = [host, other.host]
    expect(await refusal(`http://${host}/`, { local })).toBe('other_host')
    expect(await textOf(`http://${host}/`, { local, otherHosts: true })).toBe('other')
  })

  it('H03 a host that does not answer, or does not go on, is given up', async () => {
    const { host } = await listen((request, response) => {
      if (request.url === '/slow') response.write('x')
    })
    const local = [host]
    expect(await refusal(`http://${host}/never`, { local, totalMs: 200 })).toBe('timeout')
    expect(await refusal(`http://${host}/never`, { local, idleMs: 200 })).toBe('timeout')
    const { body } = await safeFetch(`http://${host}/slow`, { ...limits, local, idleMs: 200 })
    await expect(body.toArray()).rejects.toThrow()
    const never: Lookup = () => new Promise(() => {})
    expect(await refusal('http://name.example/', { lookup: never, totalMs: 100 })).toBe('timeout')
    expect(await refusal('http://name.example/', { lookup: async () => [] })).toBe('unreachable')
  })

  it.each<[what: string, answer: (socket: Socket) => void, why: string]>([
    [
      'switches to another protocol',
      socket => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      'unreachable',
    ],
    ['closes before it answers', socket => socket.end(), 'unreachable'],
    ['closes in the middle of the head', socket => socket.end('HTTP/1.1 200 OK\r\nContent-'), 'unreachable'],
    ['breaks the connection off', socket => socket.resetAndDestroy(), 'unreachable'],
    ['says to go on, and then nothing', socket => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 'timeout'],
    ['sends its head without an end', socket => drip(socket), 'timeout'],
    ['never answers', () => {}, 'timeout'],
  ])('H03 the fetch ends in time and lets the connection go when a host %s', async (_what, answer, why) => {
    const { host, closed } = await listenRaw(answer)
    expect(await refusal(`http://${host}/`, { local: [host], totalMs: 300 })).toBe(why)
    await closed
  })

  it('H03 nothing of the person goes along', async () => {
    const { host, asked } = await listen((_request, response) => response.end())
    await textOf(`http://${host}/`, { local: [host], headers: { accept: 'image/*' } })
    expect(Object.keys(asked[0]!.headers).sort()).toEqual(['accept', 'connection', 'host'])
  })
})
