import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  url: URL
  /** How many connections it has cut. */
  cuts(): number
  close(): Promise<void>
}

/** Passes bytes on, and cuts each connection after `budget` bytes, counted in both directions together. */
export async function startProxy(target: URL, budget: () => number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let cuts = 0
  let closing: Promise<unknown> | undefined
  const listener = createServer(client => {
    const server = connect(Number(target.port), target.hostname)
    let left = budget()
    const end = () => {
      client.destroy()
      server.destroy()
    }
    const pass = (to: Socket) => (bytes: Buffer) => {
      if (left < 0) return
      const whole = bytes.length <= left
      to.write(whole ? bytes : bytes.subarray(0, left))
      left -= bytes.length
      if (whole) return
      cuts++
      // The bytes that were passed on should still arrive before the cut.
      setImmediate(end)
    }
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.on('data', pass(to)).on('error', end).on('close', end)
      from.on('close', () => sockets.delete(from))
    }
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: new URL(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`),
    cuts: () => cuts,
    async close() {
      closing ??= once(listener, 'close')
      listener.close()
      for (const socket of sockets) socket.destroy()
      await closing
    },
  }
}
