import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionEvent } from '@vitrine/protocol'
import type { Agent } from './agents/agent.ts'
import { type StartServerOptions, startServer } from './start-server.ts'

/** What came back: every byte of it, and its JSON when it is JSON. */
export interface Answered {
  status: number
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it and expects what should be there.
  json: any
}

/** The server as people have it: on a socket, reached by HTTP alone. */
export interface Door {
  readonly url: string
  readonly token: string
  /** Everything that the server has sent so far, with the heads of its answers. */
  readonly sent: string[]
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  /** A new session; resolves with its id. */
  session(body?: object): Promise<string>
  submitTurn(sessionId: string, text: string, turnId?: string): Promise<Answered>
  events(sessionId: string): Promise<SessionEvent[]>
  /** Looks at the log until there is what is looked for. */
  find<T>(sessionId: string, look: (events: SessionEvent[]) => T | undefined | false): Promise<T>
  /** The log once this many runs have ended and none is active. */
  ended(sessionId: string, runs?: number): Promise<SessionEvent[]>
  /** The log once nothing is added to it any more. */
  still(sessionId: string): Promise<SessionEvent[]>
  restart(): Promise<void>
  close(): Promise<void>
}

export const agentThat = (run: Agent['run'], agentId = 'test'): Agent => ({
  agentId,
  name: agentId,
  description: 'An agent of a test',
  scripted: true,
  run,
})

/** The answer text of a run, or of all, as the log has it. */
export const saidIn = (events: readonly SessionEvent[], runId?: string): string =>
  events
    .map(event => (event.type === 'text.delta' && (runId === undefined || event.runId === runId) ? event.delta : ''))
    .join('')

export const ofType = <T extends SessionEvent['type']>(
  events: readonly SessionEvent[],
  type: T,
): Extract<SessionEvent, { type: T }>[] =>
  events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type)

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

export async function openDoor(agents: Agent[], options: Partial<StartServerOptions> = {}): Promise<Door> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'vitrine-door-'))
  const start = () => startServer({ dataFolder, host: '127.0.0.1', port: 0, agents, log: () => {}, ...options })
  let server = await start()
  const sent: string[] = []

  const door: Door = {
    get url() {
      return new URL(server.url).origin
    },
    get token() {
      return new URL(server.url).searchParams.get('token')!
    },
    sent,
    async call(method, path, body, headers = {}) {
      const given = { authorization: `Bearer ${door.token}`, accept: 'application/json', ...headers }
      const response = await fetch(`${door.url}${path.startsWith('/') ? `/api${path}` : path}`, {
        method,
        headers: body === undefined ? given : { 'content-type': 'application/json', ...given },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const heads = Object.fromEntries(response.headers)
      sent.push(`${JSON.stringify(heads)}\n${text}`)
      const isJson = /json/.test(heads['content-type'] ?? '')
      return { status: response.status, headers: heads, text, json: isJson ? JSON.parse(text) : undefined }
    },
    session: async (body = {}) => (await door.call('POST', '/sessions', body)).json.session.sessionId,
    submitTurn: (sessionId, text, turnId = `turn-${Math.random()}`) =>
      door.call('POST', `/sessions/${sessionId}/turns`, { turnId, text }),
    async events(sessionId) {
      const events: SessionEvent[] = []
      for (let after: number | null = 0; after !== null; ) {
        const page: Answered = await door.call('GET', `/sessions/${sessionId}/events?after=${after}`)
        if (page.status !== 200) throw new Error(`The log of ${sessionId}: ${page.text}`)
        events.push(...page.json.events)
        after = page.json.next
      }
      return events
    },
    async find(sessionId, look) {
      for (let tries = 0; ; tries++) {
        const events = await door.events(sessionId)
        const found = look(events)
        if (found !== undefined && found !== false) return found
        if (tries > 400) throw new Error(`It never came: ${JSON.stringify(events.slice(-20))}`)
        await sleep(20)
      }
    },
    ended: (sessionId, runs = 1) =>
      door.find(sessionId, events => {
        const begun = ofType(events, 'run.started').filter(event => event.parentRunId === undefined)
        const over = new Set(
          events.flatMap(event => (/^run\.(finished|failed)$/.test(event.type) ? [event.runId] : [])),
        )
        return begun.length >= runs && begun.every(event => over.has(event.runId)) && events
      }),
    async still(sessionId) {
      for (let before = await door.events(sessionId); ; ) {
        await sleep(80)
        const now = await door.events(sessionId)
        if (now.length === before.length) return now
        before = now
      }
    },
    async restart() {
      await server.close()
      server = await start()
    },
    async close() {
      await server.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
  return door
}
