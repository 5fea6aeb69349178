import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { McpTransport } from './config.ts'

/** Bytes of one message. */
const MAX_MESSAGE = 16 * 1024 * 1024

/** Speaks streamable HTTP with the address that the owner has set. Redirects stay on its origin, so that headers do too. */
export const httpTransport = ({ url, headers = {} }: Extract<McpTransport, { kind: 'http' }>) =>
  new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    redirectPolicy: 'same-origin',
    fetch: async (input, init) => limited(await fetch(input, init)),
  })

/** The same answer, which breaks off when one message in it is too large. */
function limited(response: Response): Response {
  if (!response.body) return response
  let size = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      // In a stream of events an empty line ends a message; in other answers the whole body is one.
      const end = chunk.lastIndexOf(10)
      const isEvents = /event-stream/i.test(response.headers.get('content-type') ?? '')
      const boundary = isEvents && end > 0 && (chunk[end - 1] === 10 || chunk[end - 1] === 13)
      size = boundary ? chunk.length - end : size + chunk.length
      if (size > MAX_MESSAGE) {
        controller.error(new Error(`it sent a message of more than ${MAX_MESSAGE / 1024 / 1024} MB`))
      } else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  const copy = new Response(response.body.pipeThrough(counting), { status, statusText, headers })
  // The transport follows redirects by the address of the answer.
  Object.defineProperty(copy, 'url', { value: response.url })
  return copy
}
