import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json, JsonObject, SessionEvent } from '@vitrine/protocol'
import {
  type Agent,
  type RunningServer,
  type SourceTool,
  startServer,
  type ToolCall,
  type ToolOutput,
  type ToolSource,
} from '@vitrine/server'

/** An agent that calls the tool whose name is its turn, with the arguments behind it. */
const caller: Agent = {
  agentId: 'caller',
  name: 'Caller',
  description: 'An agent of a test',
  scripted: true,
  async *run({ text }, { tools }) {
    const [name = '', ...rest] = text.split(' ')
    const tool = tools.find(one => one.name === name)
    const answer = tool ? await tool.call(JSON.parse(rest.join(' ') || '{}')) : 'There is no such tool.'
    yield { type: 'text.delta', partId: 'answer', delta: JSON.stringify(answer) }
  },
}

type Request = Extract<SessionEvent, { type: 'action.required' }>

/** A server on a socket with a session whose agent calls tools. */
export interface Door {
  readonly sessionId: string
  /** Starts a call and does not wait for it. */
  send(name: string, args: JsonObject): Promise<void>
  /** Calls a tool and gives what the model was told. */
  call(
    name: string,
    args?: JsonObject,
  ): Promise<{ result?: { preview?: string; value?: Json }; error?: { code: string; message: string } }>
  /** What a person is asked, once they are. */
  asked(): Promise<Request>
  answer(request: Request, response: JsonObject): Promise<void>
  /** What the model was told about the call that was sent last. */
  told(): ReturnType<Door['call']>
  events(): Promise<SessionEvent[]>
  upload(bytes: string | Uint8Array, name: string): Promise<string>
  /** Tools of the session with their policies. */
  get(path: string): Promise<Json>
  close(): Promise<void>
}

export async function openDoor(tools: readonly ToolSource[]): Promise<Door> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'vitrine-tools-'))
  const server: RunningServer = await startServer({ dataFolder, port: 0, agents: [caller], tools, log: () => {} })
  const { origin, searchParams } = new URL(server.url)
  const authorization = `Bearer ${searchParams.get('token')}`
  const ask = async (method: string, path: string, body?: unknown, type = 'application/json') => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: type === 'application/json' ? JSON.stringify(body) : (body as string) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const { sessionId } = (await ask('POST', '/sessions', {})).session
  let turns = 0
  let files: { digest: string; name: string }[] = []
  const answered = new Set<string>()
  const events = async (): Promise<SessionEvent[]> => {
    const all: SessionEvent[] = []
    for (let after: number | null = 0; after !== null; ) {
      const page: { events: SessionEvent[]; next: number | null } = await ask(
        'GET',
        `/sessions/${sessionId}/events?after=${after}`,
      )
      all.push(...page.events)
      after = page.next
    }
    return all
  }
  const find = async <T>(look: (events: SessionEvent[]) => T | undefined): Promise<T> => {
    for (let tries = 0; ; tries++) {
      const log = await events()
      const found = look(log)
      if (found !== undefined) return found
      if (tries > 1_500) throw new Error(`It never came: ${JSON.stringify(log.slice(-8))}`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const door: Door = {
    sessionId,
    async send(name, args) {
      turns++
      const attached = files.length > 0 ? { files } : {}
      files = []
      await ask('POST', `/sessions/${sessionId}/turns`, {
        turnId: `t${turns}`,
        text: `${name} ${JSON.stringify(args)}`,
        ...attached,
      })
    },
    async call(name, args = {}) {
      await door.send(name, args)
      return door.told()
    },
    asked: () =>
      find(log =>
        log.find((event): event is Request => event.type === 'action.required' && !answered.has(event.actionId)),
      ),
    async answer(request, response) {
      answered.add(request.actionId)
      await ask('POST', `/sessions/${sessionId}/actions/${request.actionId}/response`, response)
    },
    told: () =>
      find(log => {
        const turnId = `t${turns}`
        const failed = log.find(event => event.type === 'run.failed' && event.turnId === turnId)
        if (failed) throw new Error(JSON.stringify(failed))
        if (!log.some(event => event.type === 'run.finished' && event.turnId === turnId)) return undefined
        const said = log
          .map(event => (event.type === 'text.delta' && event.turnId === turnId ? event.delta : ''))
          .join('')
        return JSON.parse(said)
      }),
    events,
    async upload(bytes, name) {
      const { digest } = await ask('POST', '/blobs', bytes, 'application/octet-stream')
      files.push({ digest, name })
      return digest
    },
    get: path => ask('GET', path),
    async close() {
      await server.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
  return door
}

/** The tools of a source by their names, called without a server. */
export async function handsOn(source: ToolSource) {
  const tools = new Map<string, SourceTool>()
  for (const tool of await source.tools({ owner: 'ann', sessionId: 's', agentId: 'a' })) tools.set(tool.name, tool)
  let calls = 0
  const call = (given: Partial<ToolCall> = {}): ToolCall => ({
    sessionId: 's',
    runId: 'r',
    agentId: 'a',
    toolCallId: `call-${++calls}`,
    by: { kind: 'person', id: 'ann', name: 'Ann' },
    idempotencyKey: `call-${calls}`,
    signal: AbortSignal.timeout(60_000),
    progress: () => {},
    output: () => {},
    ask: async () => {
      throw new Error('Nobody was to be asked.')
    },
    files: async () => [],
    readFile: async () => {
      throw new Error('There is no file.')
    },
    ...given,
  })
  return {
    tools,
    call,
    run: (name: string, args: JsonObject = {}, given: Partial<ToolCall> = {}): Promise<ToolOutput> =>
      tools.get(name)!.execute(args, call(given)),
  }
}
