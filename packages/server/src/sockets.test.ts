import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { watchSockets } from './sockets.ts'

describe('the end of an HTTP server', () => {
  it('P-419 an answer that was handed over is sent to its end, also what no buffer of the system has room for', async () => {
    const answer = Buffer.alloc(64 * 2 ** 20, 'x')
    const http = createServer((_request, response) => response.end(answer))
    const sockets = watchSockets(http)
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const reader = connect((http.address() as AddressInfo).port, '127.0.0.1')
    reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(reader, 'readable')
    let bytes = 0
    const closed = sockets.close(20_000)
    reader.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    await once(reader, 'close')
    await closed
    expect(bytes).toBeGreaterThan(answer.length)
  })
})
