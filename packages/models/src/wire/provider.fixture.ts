import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@vitrine/protocol'
import type { Model } from '../open-model.ts'

/** A call as a model makes it. */
export interface SaidCall {
  id: string
  name: string
  args: JsonObject
}

/** What a model says in one answer. */
export interface Said {
  reasoning?: string
  text?: string[]
  calls?: SaidCall[]
  /** An image that the model made, as Base64. Only Google sends one. */
  image?: string
  usage?: { input: number; output: number; cached?: number; reasoning?: number }
  /** The reason in the words of the wire format, when it is not the usual one. */
  finish?: string
}

/** What the server sends for one request. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  /** Pieces of the body, in order. */
  pieces: string[]
  /** The connection is cut after the pieces, instead of being ended. */
  cut?: boolean
  /** The pieces are sent when it resolves. */
  after?: Promise<unknown>
  /** The body is never ended. */
  open?: boolean
}

/** A wire format: how a real provider says things, and the real package that understands it. */
export interface Wire {
  name: string
  model(baseURL: string): Model
  says(said: Said): Reply
  /** The answer until its end marks, without them. */
  saysBeginning(said: Said): Reply
  fails(status: number, message: string, headers?: Record<string, string>): Reply
}

export interface Request {
  method: string
  path: string
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it and expects what should be there.
  body: any
}

/** A provider on loopback that answers what it was told to answer, and keeps what it was asked. */
export interface Provider {
  url: string
  requests: Request[]
  /** The next answers, in order. */
  answers: Reply[]
  /** Connections that are open. */
  open(): number
  close(): Promise<void>
}

export async function startProvider(): Promise<Provider> {
  const requests: Request[] = []
  const answers: Reply[] = []
  let open = 0
  const server = createServer(async (request, response) => {
    open++
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    })
    const reply = answers.shift() ?? { status: 500, pieces: ['{"error":{"message":"Nothing was prepared."}}'] }
    const type = reply.status === undefined ? 'text/event-stream' : 'application/json'
    response.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers })
    response.flushHeaders()
    await reply.after
    for (const piece of reply.pieces) {
      response.write(piece)
      await new Promise(resolve => setImmediate(resolve))
    }
    if (reply.cut) response.destroy()
    else if (!reply.open) response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answers,
    open: () => open,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Text in two pieces, as a model streams its arguments. */
export const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter(Boolean)
}

/** What a provider reads first to last: its cache compares tools, then instructions, then messages. */
const promptOf = ({ body }: Request): string =>
  JSON.stringify([
    body.tools,
    body.system ?? body.systemInstruction ?? body.instructions,
    body.messages ?? body.input ?? body.contents,
  ])

/** Which part of the prompt of a request the prompt of the next one begins with. */
export function prefixReuse(before: Request, after: Request): number {
  const [old, now] = [promptOf(before), promptOf(after)]
  let same = 0
  while (same < old.length && old[same] === now[same]) same++
  // The brackets that end the older prompt stand elsewhere in the newer one.
  return same >= old.length - 2 ? 1 : same / old.length
}
