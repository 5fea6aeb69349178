import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  apply,
  createState,
  type EventDraft,
  messagesPage,
  packEvents,
  partsPage,
  partsStart,
  type SessionEvent,
  type SessionState,
  type SessionSummary,
  type StreamFrames,
  snapshot,
  windowStart,
} from '@vitrine/protocol'

const EPOCH = 1_700_000_000_000

export interface Log {
  /** Which log it is: one that is made again under the same id has another. */
  id: string
  events: SessionEvent[]
  state: SessionState
  deleted: boolean
  createdAt: number
}

interface Subscriber {
  client: string
  response: ServerResponse
  cursors: Map<string, number>
  heartbeat: NodeJS.Timeout
}

interface Recorded {
  client: string
  method: string
  path: string
  body: unknown
  key: string | string[] | undefined
}

/** A small server that speaks the wire contract over a real socket, and can be told to misbehave. */
export class Loopback {
  readonly logs = new Map<string, Log>()
  readonly requests: Recorded[] = []
  readonly subscribers = new Set<Subscriber>()
  /** Streams opened so far, by client. */
  readonly streams = new Map<string, number>()
  heartbeatMs = 15_000
  maxFrame = 64
  /** What a snapshot and a page of parts may be. */
  partsBytes = Number.POSITIVE_INFINITY
  /** Seqs at which the stream of a client breaks in the middle of the frame, once each. */
  readonly breaks = new Map<string, Set<number>>()
  broken = 0
  /** How many answers of writes get lost after the write was done. */
  loseAnswers = 0
  /** Answers instead of the stream or the request, when it returns a status. */
  refuse: (path: string, client: string) => number | undefined = () => undefined
  /** Holds an answer back. */
  delay: (path: string) => Promise<void> | undefined = () => undefined
  /** Leaves out events on purpose, as a broken server would. */
  skip: (sessionId: string, seq: number) => boolean = () => false
  mute = false
  #made = 0
  #answers = new Map<string, { status: number; body: unknown }>()
  #server = createServer((request, response) => void this.#handle(request, response))
  port = 0

  async listen(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
    return this
  }

  /** The base URL; the name tells the server's faults which client is meant. */
  url(client = 'one'): string {
    return `http://127.0.0.1:${this.port}/${client}/api`
  }

  async stop(): Promise<void> {
    for (const { heartbeat } of this.subscribers) clearInterval(heartbeat)
    this.subscribers.clear()
    this.#server.closeAllConnections()
    if (this.#server.listening) await new Promise(resolve => this.#server.close(resolve))
  }

  /** The process dies and comes back on the same port with what was durable. */
  async restart(downMs = 0): Promise<void> {
    await this.stop()
    await new Promise(resolve => setTimeout(resolve, downMs))
    this.#server = createServer((request, response) => void this.#handle(request, response))
    await this.listen(this.port)
  }

  /** Deleted ones that can be brought back. */
  readonly hidden = new Map<string, Log>()

  create(sessionId: string): Log {
    const id = `log-${sessionId}-${++this.#made}-0123456789abcdef`
    const log: Log = {
      id,
      events: [],
      state: createState(sessionId),
      deleted: false,
      createdAt: EPOCH + this.logs.size,
    }
    this.logs.set(sessionId, log)
    this.#tellList(sessionId)
    return log
  }

  delete(sessionId: string): void {
    this.logs.get(sessionId)!.deleted = true
    this.#tellList(sessionId)
    for (const subscriber of this.subscribers) {
      if (subscriber.cursors.delete(sessionId))
        this.#write(subscriber, 'gone', { sessionId, code: 'session_not_found' })
    }
    this.logs.delete(sessionId)
  }

  append(sessionId: string, drafts: EventDraft[]): void {
    const log = this.logs.get(sessionId)!
    for (const draft of drafts) {
      const seq = log.events.length + 1
      const event = { ...draft, seq, sessionId, at: EPOCH + seq } as SessionEvent
      log.events.push(event)
      apply(log.state, event)
    }
    for (const subscriber of this.subscribers) this.#pump(subscriber, sessionId)
  }

  cut(reason: 'slow' | 'stopping'): void {
    for (const subscriber of [...this.subscribers]) {
      this.#write(subscriber, 'cut', { reason, resume: Object.fromEntries(subscriber.cursors) })
      this.#drop(subscriber)
      subscriber.response.end()
    }
  }

  /** A frame to everybody. */
  say<Name extends keyof StreamFrames>(event: Name, data: StreamFrames[Name]): void {
    for (const subscriber of this.subscribers) this.#write(subscriber, event, data)
  }

  dropAll(): void {
    for (const subscriber of [...this.subscribers]) {
      this.#drop(subscriber)
      subscriber.response.destroy()
    }
  }

  summary(sessionId: string): SessionSummary {
    const { state, deleted, createdAt } = this.logs.get(sessionId)!
    return {
      sessionId,
      title: sessionId,
      agentId: 'guide',
      createdAt,
      updatedAt: Math.max(createdAt, state.session.updatedAt),
      seq: state.seq,
      readSeq: 0,
      pinned: false,
      archived: false,
      folderId: null,
      waitsFor: null,
      status: 'idle',
      queued: 0,
      messageCount: state.counts.messages,
      parentSessionId: null,
      ...(deleted && { deleted }),
    }
  }

  #sorted(): SessionSummary[] {
    const rows = [...this.logs.keys()].map(sessionId => this.summary(sessionId))
    return rows.sort((a, b) => b.updatedAt - a.updatedAt || (a.sessionId < b.sessionId ? -1 : 1))
  }

  #page(after: number, limit: number): { sessions: SessionSummary[]; cursor: string | null } {
    const rows = this.#sorted()
    const end = after + limit
    return { sessions: rows.slice(after, end), cursor: end < rows.length ? String(end) : null }
  }

  #tellList(sessionId: string): void {
    for (const subscriber of this.subscribers) this.#write(subscriber, 'list', { sessions: [this.summary(sessionId)] })
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://loopback')
    const [, client = '', , ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const path = `/${rest.join('/')}`
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : undefined
    const method = request.method!
    this.requests.push({ client, method, path, body, key: request.headers['idempotency-key'] })
    const status = this.refuse(path, client)
    if (status) return this.#problem(response, status, status === 401 ? 'unauthenticated' : `refused_${status}`)
    await this.delay(path)
    if (path === '/stream') return this.#stream(client, url.searchParams, response)
    if (method === 'GET') return this.#read(path, rest, url.searchParams, response)

    const key = JSON.stringify([method, path, text])
    const answer = this.#answers.get(key) ?? this.#execute(method, rest, body, url.searchParams)
    if (method !== 'DELETE' && !path.endsWith('/restore')) this.#answers.set(key, answer)
    if (this.loseAnswers > 0) {
      this.loseAnswers--
      response.destroy()
      return
    }
    if (answer.status >= 400) this.#problem(response, answer.status, String(answer.body))
    else if (answer.body === undefined) response.writeHead(answer.status).end()
    else this.#json(response, answer.status, answer.body)
  }

  #read(path: string, [, sessionId = '', what, digest]: string[], query: URLSearchParams, response: ServerResponse) {
    if (path === '/agents') {
      const agents = [{ agentId: 'guide', name: 'Guide', description: 'Scripted', scripted: true }]
      return this.#json(response, 200, { agents })
    }
    if (path === '/sessions') {
      const page = this.#page(Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 50))
      const q = query.get('q')
      if (query.get('only') === 'deleted') {
        const sessions = [...this.hidden.keys()].map(sessionId => ({ sessionId, deleted: true }))
        return this.#json(response, 200, { sessions, cursor: null })
      }
      if (q === null) return this.#json(response, 200, page)
      const found = [...this.logs.keys()].filter(id => id.includes(q)).map(id => this.summary(id))
      return this.#json(response, 200, { sessions: found, cursor: null })
    }
    const log = this.logs.get(sessionId)
    if (!log) return this.#problem(response, 404, 'session_not_found')
    if (what === 'messages' && digest !== undefined) {
      const before = Number(query.get('before'))
      const message = [...log.state.messages.byId.values()].find(({ ordinal }) => ordinal === Number(digest))!
      const from = partsStart(log.state, message, before, this.partsBytes)
      return this.#json(response, 200, partsPage(log.state, message, from, before))
    }
    if (what === 'messages') {
      const before = Number(query.get('before'))
      const from = Math.max(1, before - Number(query.get('limit') ?? 50))
      return this.#json(response, 200, messagesPage(log.state, from, before))
    }
    if (what === 'blobs')
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end(`bytes of ${digest}`)
    const window = { messages: Number(query.get('messages') ?? 50), bytes: Number.POSITIVE_INFINITY }
    const from = windowStart(log.state, window)
    this.#json(response, 200, { ...snapshot(log.state, from, this.partsBytes), log: log.id })
  }

  #execute(
    method: string,
    [, sessionId = '', ...rest]: string[],
    body: Record<string, unknown> | undefined,
    query: URLSearchParams,
  ) {
    if (method === 'POST' && sessionId === '') {
      const created = String(body!.sessionId)
      this.create(created)
      return { status: 201, body: { session: this.summary(created), ...(body!.parent ? { taskId: 'task-1' } : {}) } }
    }
    const [what, id, verb] = rest
    const hidden = this.hidden.get(sessionId)
    if (what === 'restore' && hidden) {
      this.hidden.delete(sessionId)
      this.logs.set(sessionId, Object.assign(hidden, { deleted: false }))
      this.#tellList(sessionId)
      return { status: 200, body: { session: this.summary(sessionId) } }
    }
    const log = this.logs.get(sessionId)
    if (!log) return { status: 404, body: 'session_not_found' }
    if (method === 'DELETE' && what === undefined) {
      this.delete(sessionId)
      if (!query.has('erase')) this.hidden.set(sessionId, log)
      return { status: 204, body: undefined }
    }
    if (method === 'DELETE' && what === 'queue') {
      const { queue } = log.state
      if (!queue.turns.some(turn => turn.turnId === id)) return { status: 404, body: 'turn_not_found' }
      this.append(sessionId, [{ type: 'queue.changed', change: 'removed', turnId: id! }])
      return { status: 204, body: undefined }
    }
    if (what === 'turns') {
      if (log.state.session.activeRunId) return { status: 409, body: 'run_active' }
      const turnId = String(body!.turnId)
      const runId = `run-of-${turnId}`
      this.append(sessionId, [started(runId, turnId, String(body!.text))])
      return { status: 202, body: { turnId, runId, state: 'started' } }
    }
    if (what === 'ui-actions') {
      const { key, ...said } = body as { key: string }
      if (!log.state.turns.byId.has(key)) this.append(sessionId, [started(`run-of-${key}`, key, JSON.stringify(said))])
      return { status: 202, body: { state: 'started' } }
    }
    if (what === 'queue' && method === 'POST') {
      const turnId = String(body!.turnId)
      const text = String(body!.text)
      const turn = { turnId, input: { text }, preview: text, createdAt: 1 }
      this.append(sessionId, [{ type: 'queue.changed', change: 'added', turnId, turn }])
      return { status: 202, body: { turnId, state: 'queued', position: log.state.queue.turns.length - 1 } }
    }
    return { status: method === 'PUT' ? 204 : 202, body: method === 'PUT' ? undefined : { what, id, verb, body } }
  }

  #stream(client: string, query: URLSearchParams, response: ServerResponse): void {
    this.streams.set(client, (this.streams.get(client) ?? 0) + 1)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const cursors = new Map<string, number>()
    const heartbeat = setInterval(() => !this.mute && response.write(': hb\n\n'), this.heartbeatMs)
    const subscriber: Subscriber = { client, response, cursors, heartbeat }
    this.subscribers.add(subscriber)
    response.on('close', () => this.#drop(subscriber))
    this.#write(subscriber, 'hello', { streamId: 's', bootId: 'b', heartbeatMs: this.heartbeatMs })
    if (query.has('list')) this.#write(subscriber, 'list', { begins: true, ...this.#page(0, 50), ends: true })
    for (const given of query.getAll('s')) {
      const [sessionId = '', seq, id] = given.split(':')
      const log = this.logs.get(sessionId)
      const code = !log ? 'session_not_found' : log.id !== id ? 'cursor_foreign' : undefined
      if (code) {
        this.#write(subscriber, 'gone', { sessionId, code })
        continue
      }
      cursors.set(sessionId, Number(seq))
      if (this.#pump(subscriber, sessionId)) {
        this.#write(subscriber, 'caught-up', { sessionId, seq: cursors.get(sessionId)! })
      }
    }
  }

  /** False when the stream broke on the way. */
  #pump(subscriber: Subscriber, sessionId: string): boolean {
    const { cursors, client } = subscriber
    const { events } = this.logs.get(sessionId)!
    const breaks = this.breaks.get(client)
    for (;;) {
      const cursor = cursors.get(sessionId)
      if (cursor === undefined || !this.subscribers.has(subscriber)) return false
      if (cursor >= events.length) return true
      const batch = events.slice(cursor, cursor + this.maxFrame).filter(({ seq }) => !this.skip(sessionId, seq))
      const fatal = breaks && batch.find(({ seq }) => breaks.has(seq))
      if (fatal) {
        breaks.delete(fatal.seq)
        this.broken++
        const frame = Buffer.concat(packed(sessionId, batch))
        this.#drop(subscriber)
        subscriber.response.write(frame.subarray(0, Math.floor(Math.random() * frame.length)), () =>
          subscriber.response.destroy(),
        )
        return false
      }
      cursors.set(sessionId, Math.min(cursor + this.maxFrame, events.length))
      if (!this.mute) for (const frame of packed(sessionId, batch)) subscriber.response.write(frame)
    }
  }

  #write<Name extends keyof StreamFrames>({ response }: Subscriber, event: Name, data: StreamFrames[Name]): void {
    if (!this.mute) response.write(frame(event, JSON.stringify(data)))
  }

  #drop(subscriber: Subscriber): void {
    clearInterval(subscriber.heartbeat)
    this.subscribers.delete(subscriber)
  }

  #json(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  #problem(response: ServerResponse, status: number, code: string): void {
    const problem = { type: 'about:blank', title: code, status, code, detail: `said by the server: ${code}` }
    response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem))
  }
}

const frame = (event: keyof StreamFrames, json: string): Buffer => Buffer.from(`event: ${event}\ndata: ${json}\n\n`)

const packed = (sessionId: string, events: SessionEvent[]): Buffer[] =>
  packEvents(sessionId, events).map(({ json }) => frame('events', json))

const started = (runId: string, turnId: string, text: string): EventDraft => ({
  type: 'run.started',
  runId,
  turnId,
  agentId: 'guide',
  attempt: 1,
  messageId: `m-${turnId}`,
  input: { text },
})

/** A run of exactly `length` events that touches parts, tools, state, plan and metrics, with text in several scripts. */
export function longRun(length: number, name = 'r'): EventDraft[] {
  const runId = `run-${name}`
  const drafts: EventDraft[] = [started(runId, `turn-${name}`, 'do it'), { type: 'state.snapshot', state: { n: 0 } }]
  for (let round = 0; drafts.length < length - 1; round++) {
    const messageId = `answer-${name}-${round}`
    const partId = `${messageId}/text`
    const reasoning = `${messageId}/reasoning`
    const tool = { runId, messageId, partId: `${messageId}/tool`, toolCallId: `call-${name}-${round}` }
    for (let i = 0; i < 8; i++)
      drafts.push({ type: 'reasoning.delta', runId, messageId, partId: reasoning, delta: `${i}; ` })
    for (let i = 0; i < 40; i++) drafts.push({ type: 'text.delta', runId, messageId, partId, delta: `字 ${i} é😀 ` })
    drafts.push({ ...tool, type: 'tool.started', name: 'search' })
    for (let i = 0; i < 10; i++) drafts.push({ ...tool, type: 'tool.args', delta: `{"${i}"`, done: i === 9 })
    for (let i = 0; i < 10; i++) drafts.push({ ...tool, type: 'tool.output.delta', delta: `line ${i}\n` })
    drafts.push({ ...tool, type: 'tool.result', preview: 'found' })
    drafts.push({ type: 'state.delta', patch: [{ op: 'replace', path: '/n', value: round }] })
    drafts.push({ type: 'metric.changed', scope: 'run', runId, values: { tokens: round } })
  }
  drafts.length = length - 1
  drafts.push({ type: 'run.finished', runId, outcome: 'completed' })
  return drafts
}

/** One finished turn with a question and an answer: two messages. */
/** A run whose message has many calls. */
export function manyTools(name: string, calls: number): EventDraft[] {
  const run = { runId: `run-${name}` }
  const drafts = Array.from({ length: calls }, (_, n): EventDraft[] => {
    const messageId = `${name}/m`
    const toolCallId = `${name}/c${n}`
    return [
      { type: 'tool.started', ...run, messageId, partId: `${messageId}/p${n}`, toolCallId, name: 'search' },
      { type: 'tool.result', ...run, toolCallId, preview: 'found' },
    ]
  })
  const finished: EventDraft = { type: 'run.finished', ...run, outcome: 'completed' }
  return [started(run.runId, `turn-${name}`, 'many'), ...drafts.flat(), finished]
}

export function shortTurn(name: string): EventDraft[] {
  const runId = `run-${name}`
  const part = { runId, messageId: `answer-${name}`, partId: `answer-${name}/text` }
  return [
    started(runId, `turn-${name}`, `question ${name}`),
    { ...part, type: 'text.delta', delta: `answer ${name}` },
    { ...part, type: 'text.final', length: `answer ${name}`.length, digest: 'd' },
    { type: 'run.finished', runId, outcome: 'completed' },
  ]
}

export async function until(what: () => boolean, ms = 10_000): Promise<void> {
  const end = Date.now() + ms
  while (!what()) {
    if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain for ${what}`)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

/** Fast enough for tests; the proportions are those of production. */
export const FAST = { base: 4, cap: 50, answer: 2_000, linger: 30 }

/** The whole state as plain data, from the oldest message that is loaded. */
export const plain = (state: SessionState, from = state.windowFrom) => snapshot(state, from)
