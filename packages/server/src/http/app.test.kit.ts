import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EventsFrame, type SessionEvent, unpackEvents } from '@vitrine/protocol'
import { expect } from 'vitest'
import type { Agent, AgentContext, AgentOutput } from '../agents/agent.ts'
import type { ModelSource } from '../agents/model-source.ts'
import type { Principal } from '../auth/principal.ts'
import { openFileBlobs } from '../blobs/file-blobs.ts'
import { createCatalogs } from '../catalogs/catalogs.ts'
import { createMedia } from '../media/media.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { person } from '../runtime/harness.fixture.ts'
import type { Limits } from '../runtime/limits.ts'
import { createSandboxes } from '../sandbox/sandboxes.ts'
import { fileSeals } from '../settings/seals.ts'
import { openSqlite } from '../storage/sqlite/sqlite.ts'
import type { Storage } from '../storage/storage.ts'
import { createHub } from '../stream/hub.ts'
import { createStreams, type StreamLimits, streamLimits } from '../stream/streams.ts'
import type { ToolSource } from '../tools/tool.ts'
import { type AppOptions, createApp } from './app.ts'
import { localOwner } from './auth.ts'
import { type BodyLimits, bodyLimits } from './body.ts'
import { undescribed } from './document.test.kit.ts'

/** Answers what it is told: `ask` waits for an approval, `wait` for the interrupt, `large` stores much text. */
export const echo: Agent = {
  agentId: 'echo',
  name: 'Echo',
  description: 'Says what it is told',
  scripted: true,
  async *run(input, context): AsyncGenerator<AgentOutput> {
    const say = (delta: string): AgentOutput => ({ type: 'text.delta', partId: 'p', delta })
    if (input.text === 'ask') yield* ask(context)
    else if (input.text === 'expire') yield* ask(context, Date.now() + 30)
    else if (input.text === 'wait') {
      yield say('Waiting')
      await new Promise<void>(resolve => context.signal.addEventListener('abort', () => resolve()))
    } else if (input.text === 'large') {
      const { preview } = await context.store({ text: 'x'.repeat(20_000), mediaType: 'text/html' })
      yield say(preview.slice(0, 10))
    } else yield say(input.text)
    yield { type: 'text.final', partId: 'p' }
  },
}

async function* ask(context: AgentContext, expiresAt?: number): AsyncGenerator<AgentOutput> {
  const request = { kind: 'approval' as const, title: 'May I?', ...(expiresAt === undefined ? {} : { expiresAt }) }
  const { outcome } = await context.ask(request)
  yield { type: 'text.delta', partId: 'p', delta: outcome }
}

export interface Kit {
  readonly parts: Omit<AppOptions, 'auth'> & { storage: Storage }
  readonly app: ReturnType<typeof createApp>
  readonly token: string
  readonly folder: string
  readonly logged: string[]
  /** A request of this person with a JSON body; without a person it is a request of nobody. */
  as(
    owner: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>
  /** With `keep` the folder stays, so that another kit can go on with it. */
  close(options?: { keep?: boolean }): Promise<void>
}

export interface KitOptions {
  limits?: Partial<BodyLimits & StreamLimits & Limits>
  agents?: Agent[]
  tools?: ToolSource[]
  models?: ModelSource
  /** What everybody is who asks. People whose ids begin with `local` run the installation. */
  kind?: Principal['kind']
  staticFolder?: string
  allowedHosts?: string[]
  folder?: string
}

/** The real runtime and database behind the app, with as many people as a test needs. */
export async function createKit(options: KitOptions = {}): Promise<Kit> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'vitrine-http-')))
  const storage = await openSqlite({ folder })
  const hub = createHub()
  const agents = options.agents ?? [echo]
  const blobs = await openFileBlobs({ folder })
  const { tools = [], models, kind = 'person' } = options
  const seals = fileSeals({ file: join(folder, 'settings.key') })
  const connected = { agents, tools, models, seals }
  const runtime = createRuntime({ storage, blobs, hub, ...connected, limits: { interruptMs: 500, ...options.limits } })
  await runtime.recover()
  const streams = createStreams({ ...streamLimits, ...options.limits })
  const logged: string[] = []
  const log = (line: string, error: unknown) => logged.push(`${line} ${(error as Error).message}`)
  const limits = { ...bodyLimits, ...options.limits }
  const { staticFolder } = options
  const media = createMedia()
  const basePath = ''
  const sandboxes = createSandboxes({ storage, staticFolder, basePath })
  const content = { media, sandboxes, catalogs: createCatalogs({}, basePath), staticFolder }
  const parts = { runtime, storage, hub, streams, limits, basePath, ...content, log }
  const local = localOwner({ instance: await storage.instance(), allowedHosts: options.allowedHosts })
  const app = createApp({ ...parts, auth: local })
  // The same checks, then whoever the test says it is.
  const named = createApp({
    ...parts,
    auth: {
      ...local,
      async authorise(request) {
        await local.authorise(request)
        const id = request.headers.get('x-owner') ?? ''
        return { ...person(id), kind, roles: id.startsWith('local') ? ['owner'] : [] }
      },
    },
  })
  return {
    parts,
    app,
    token: local.link.token,
    folder,
    logged,
    async as(owner, method, path, body, headers = {}) {
      const given: Record<string, string> = { ...headers }
      if (owner !== null) Object.assign(given, { authorization: `Bearer ${local.link.token}`, 'x-owner': owner })
      if (body !== undefined) given['content-type'] ??= 'application/json'
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const init = { method, headers: given, ...(body === undefined ? {} : { body: text }) }
      const response = await named.request(`/api${path}`, init)
      // Whatever a test asks for, the answer is one that the OpenAPI document describes.
      expect(await undescribed(method, path, response)).toEqual([])
      return response
    },
    async close({ keep = options.folder !== undefined } = {}) {
      streams.close()
      await runtime.close()
      await storage.close()
      if (!keep) await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface SentFrame {
  event: string
  id?: string
  data: unknown
}

/** The frames of an event stream as they come. */
export async function* framesOf(response: Response): AsyncGenerator<SentFrame> {
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
    rest += chunk
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const frame = readFrame(rest.slice(0, end))
      rest = rest.slice(end + 2)
      yield frame
    }
  }
}

function readFrame(text: string): SentFrame {
  if (text.startsWith(':')) return { event: 'comment', data: text.slice(1).trim() }
  const fields = new Map(text.split('\n').map(line => line.split(/: (.*)/s, 2) as [string, string]))
  const id = fields.get('id')
  const data = fields.get('data')
  return {
    event: fields.get('event') ?? 'message',
    data: data && JSON.parse(data),
    ...(id === undefined ? {} : { id }),
  }
}

/** The events that these frames of a browser's stream carry, of one session or of all. */
export const eventsIn = (frames: SentFrame[], sessionId?: string): SessionEvent[] =>
  frames
    .filter(({ event }) => event === 'events')
    .map(({ data }) => data as EventsFrame)
    .filter(frame => sessionId === undefined || frame.sessionId === sessionId)
    .flatMap(unpackEvents)

/** The next frames up to and with the first of this event. */
export async function until(frames: AsyncGenerator<SentFrame>, event: string): Promise<SentFrame[]> {
  const seen: SentFrame[] = []
  for (;;) {
    const { done, value } = await frames.next()
    if (done) throw new Error(`The stream ended before ${event}: ${seen.map(frame => frame.event).join()}`)
    seen.push(value)
    if (value.event === event) return seen
  }
}
