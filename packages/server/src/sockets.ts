import { once } from 'node:events'
import type { Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The sockets of an HTTP server. */
export interface Sockets {
  /**
   * Accepts nothing more, and resolves when every socket has ended. A socket without a request under way ends at once, and
   * one with a request after its answer. A socket on which nothing moves for so many milliseconds is broken off, and after
   * three times as long every socket is.
   */
  close(patience: number): Promise<void>
}

/**
 * Keeps the answers that are under way on each socket. Node itself calls a socket idle only when a request on it has been
 * answered: one that never sent a byte, or only a part of a header, would hold up the end of the server.
 */
export function watchSockets(http: HttpServer): Sockets {
  const answers = new Map<Socket, Set<ServerResponse>>()
  let closing = false

  http.on('connection', socket => {
    answers.set(socket, new Set())
    socket.once('close', () => answers.delete(socket))
  })

  http.on('request', ({ socket }, response) => {
    const underWay = answers.get(socket)
    if (!underWay) return
    underWay.add(response)
    response.once('close', () => {
      underWay.delete(response)
      if (closing && underWay.size === 0) socket.destroySoon()
    })
  })

  return {
    async close(patience) {
      closing = true
      const closed = once(http, 'close')
      // Node calls a socket idle as soon as its answer was handed over, and would lose what its reader has not taken yet.
      http.closeIdleConnections = () => {}
      http.close()
      for (const [socket, underWay] of answers) {
        if (underWay.size === 0) socket.destroy()
        // Whoever is told so sends no other request on this socket.
        for (const response of underWay) if (!response.headersSent) response.setHeader('connection', 'close')
        // This timer of Node begins again when the reader has taken a part of what waits for it.
        socket.setTimeout(patience, () => socket.destroy())
      }
      const force = setTimeout(() => http.closeAllConnections(), 3 * patience)
      await closed
      clearTimeout(force)
    },
  }
}
