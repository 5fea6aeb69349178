import {
  type Answer,
  type AnswerName,
  apply,
  type Command,
  type CommandName,
  createState,
  messagesPage,
  type SessionEvent,
  type StreamFrame,
  snapshot,
} from '@vitrine/protocol'
import { browserDialect } from '../stream/browser-dialect.ts'

const at = 1_767_225_600_000
const inSession = { sessionId: 'ses_1', at }
const by = { kind: 'local', id: 'local', name: 'Ann' } as const
const part = { runId: 'run_1', messageId: 'msg_2', partId: 'msg_2/text' }

const events: SessionEvent[] = [
  { seq: 1, ...inSession, type: 'session.updated', agentId: 'guide', title: 'Plan the release', by },
  {
    seq: 2,
    ...inSession,
    type: 'run.started',
    runId: 'run_1',
    turnId: 'turn_1',
    agentId: 'guide',
    messageId: 'msg_1',
    input: { text: 'Plan the release of version 2' },
    attempt: 1,
    by,
  },
  { seq: 3, ...inSession, type: 'text.delta', ...part, delta: 'First' },
  { seq: 4, ...inSession, at: at + 20, type: 'text.delta', ...part, delta: ', the changelog.' },
]
const state = createState('ses_1')
for (const event of events) apply(state, event)
/** As it is on the wire. */
const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const session = {
  sessionId: 'ses_1',
  title: 'Plan the release',
  agentId: 'guide',
  createdAt: at,
  updatedAt: at + 60_000,
  seq: 42,
  readSeq: 40,
  pinned: false,
  archived: false,
  folderId: null,
  waitsFor: null,
  status: 'idle' as const,
  queued: 0,
  messageCount: 2,
  parentSessionId: null,
}

const tested = {
  ok: true,
  message: 'It works: 6 models can be used.',
  at,
  ms: 812,
  request: 'GET https://api.openai.com/v1/models',
}
const provider = {
  providerId: 'prov_1',
  kind: 'openai',
  name: 'OpenAI',
  isLocal: false,
  from: 'settings' as const,
  key: { state: 'set' as const, setAt: at },
  lastTest: tested,
  version: 2,
}

/** One example for each answer, shown in the OpenAPI document. */
export const answerExamples: { readonly [N in AnswerName]: Answer<N> } = {
  Problem: {
    type: 'urn:vitrine:problem:invalid_request',
    title: 'Bad Request',
    status: 400,
    code: 'invalid_request',
    detail: 'Invalid input: expected string, received number',
    path: '/text',
  },
  Session: { session },
  SessionCreated: { session },
  SessionList: { sessions: [session], cursor: null },
  FolderSaved: { folder: { folderId: 'fol_1', name: 'Checkout' } },
  FolderList: { folders: [{ folderId: 'fol_1', name: 'Checkout' }] },
  SearchResults: {
    results: [
      {
        session,
        messageId: 'msg_2',
        ordinal: 2,
        role: 'assistant',
        at,
        snippet: { text: 'First, the changelog.', ranges: [{ start: 11, end: 20 }], begins: true, ends: true },
      },
    ],
    cursor: null,
  },
  FoundSessions: {
    sessions: [
      {
        session,
        messages: [
          {
            messageId: 'msg_2',
            ordinal: 2,
            role: 'assistant',
            at,
            snippet: { text: 'First, the changelog.', ranges: [{ start: 11, end: 20 }], begins: true, ends: true },
          },
        ],
        count: 1,
      },
    ],
    cursor: null,
    total: 1,
    messages: 1,
    searched: 12,
    bounded: false,
  },
  SessionSnapshot: wire({ ...snapshot(state, 1), log: 'q83vEjRWeJASNFZ4' }),
  MessagesPage: wire(messagesPage(state, 1, 2)),
  EventsPage: { events: events.slice(2), next: null },
  AgentList: {
    agents: [
      {
        agentId: 'guide',
        name: 'Guide',
        description: 'Shows what Vitrine can do',
        scripted: true,
        commands: [{ name: 'tour', description: 'Shows everything', argument: 'part' }],
        madeBy: 'program',
        editable: false,
      },
    ],
  },
  AgentDetails: {
    agent: {
      agentId: 'agt_1',
      name: 'Forge',
      description: 'Writes code',
      scripted: false,
      madeBy: 'person',
      editable: true,
      model: {
        providerId: 'prov_1',
        providerName: 'Ollama',
        modelId: 'llama3.2',
        contextTokens: 131_072,
        effort: 'high',
        isLocal: true,
      },
      avatar: { icon: 'hammer', colour: 'blue' },
      suggestedActions: ['Review the open pull request'],
      problem: {
        code: 'unreachable',
        message: 'Nothing answers at http://127.0.0.1:11434/v1. Ollama is not running, or it runs on another machine.',
        next: 'Start Ollama and test again.',
      },
    },
    config: {
      name: 'Forge',
      description: 'Writes code',
      avatar: { icon: 'hammer', colour: 'blue' },
      providerId: 'prov_1',
      modelId: 'llama3.2',
      instructions: 'Make small commits.',
      effort: 'high',
      temperature: null,
      maxSteps: null,
      greeting: '',
      suggestedActions: ['Review the open pull request'],
      tools: { 'files:write': 'ask' },
      voice: null,
    },
    version: 1,
  },
  ProviderList: {
    kinds: [
      {
        kind: 'openai',
        name: 'OpenAI',
        key: 'required',
        address: 'optional',
        defaultAddress: 'https://api.openai.com/v1',
        keyLooksLike: 'sk-',
      },
    ],
    providers: [provider],
  },
  ProviderSaved: { provider },
  ProviderTested: {
    ...tested,
    models: [{ modelId: 'gpt-5-mini', name: 'GPT-5 mini', contextTokens: 400_000, price: { input: 0.25, output: 2 } }],
  },
  ModelList: {
    models: [
      {
        providerId: 'prov_1',
        providerName: 'OpenAI',
        isLocal: false,
        modelId: 'gpt-5-mini',
        name: 'GPT-5 mini',
        contextTokens: 400_000,
        takes: { images: true, tools: true },
        efforts: ['minimal', 'low', 'medium', 'high'],
      },
    ],
    problems: [],
  },
  TurnStarted: { turnId: 'turn_1', runId: 'run_1', state: 'started' },
  Queue: {
    turns: [{ turnId: 'turn_2', input: { text: 'And then?' }, preview: 'And then?', createdAt: at + 60_000 }],
    held: false,
    reason: null,
    policy: { mode: 'serial', onFailure: 'hold' },
  },
  SessionTools: {
    mode: 'reads',
    items: [
      {
        toolId: 'files:write',
        name: 'write_file',
        title: 'Write a file',
        description: 'Writes a text into a file of the folder',
        effects: 'writes',
        source: { sourceId: 'files', name: 'Files', kind: 'runtime', health: { state: 'ready' } },
        policy: 'ask',
        policyFrom: 'default',
        governed: true,
      },
    ],
  },
  SessionPrompts: {
    items: [
      {
        source: { sourceId: 'mcp.docs', name: 'Docs' },
        name: 'review',
        title: 'Review a page',
        description: 'Looks for what is unclear',
        arguments: [{ name: 'page', title: 'Page', description: 'Its path', required: true }],
      },
    ],
    problems: [{ sourceId: 'mcp.git', name: 'Git', message: 'Git did not answer within 5 s.' }],
  },
  FilledPrompt: { description: '', messages: [{ role: 'user', text: 'Review the page start.md.' }] },
  SessionResources: {
    items: [
      {
        source: { sourceId: 'mcp.docs', name: 'Docs' },
        name: 'start.md',
        title: 'Getting started',
        description: '',
        mediaType: 'text/markdown',
        uri: 'docs://guide/start',
        size: 4_112,
      },
    ],
    templates: [
      {
        source: { sourceId: 'mcp.docs', name: 'Docs' },
        name: 'page',
        title: 'Any page',
        description: '',
        uriTemplate: 'docs://{page}',
      },
    ],
    problems: [],
  },
  ResourceContents: {
    contents: [{ uri: 'docs://guide/start', mediaType: 'text/markdown', text: '# Getting started' }],
  },
  Usage: {
    items: [
      {
        day: '2026-01-01',
        agentId: 'guide',
        model: 'meridian-2',
        runs: 12,
        inputTokens: 48_200,
        cachedInputTokens: 31_000,
        outputTokens: 6_100,
        reasoningTokens: null,
        totalTokens: 54_300,
        cost: { amount: 0.27, currency: 'USD' },
      },
    ],
    bounded: false,
  },
  TurnQueued: { turnId: 'turn_2', state: 'queued', position: 0 },
  QueueHeld: { held: false },
  QueuedTurnPlace: { turnId: 'turn_2', position: 0 },
  SteerAccepted: { steerId: 'steer_1', state: 'accepted' },
  RunsInterrupted: { runIds: ['run_1'] },
  RunRetried: { runId: 'run_2' },
  ActionResolved: { actionId: 'act_1', outcome: 'approved', first: true },
  InteractionAccepted: { state: 'steered', runId: 'run_1' },
  FileUploaded: { digest: '9f86d081…', size: 48_211, mediaType: 'image/png', expiresAt: at + 86_400_000 },
  CatalogList: {
    catalogs: [
      {
        ids: ['https://example.com/energy'],
        module: '/api/catalogs/modules/0f3c5d7e9a1b2c4d.js',
        components: { Gauge: { refs: ['child', 'children', 'tabs.child', 'footer'] } },
        functions: { toKelvin: { returnType: 'number', effect: false } },
      },
    ],
  },
  MediaHosts: { hosts: ['images.example.org'] },
  Sandbox: { url: '/sandbox/mermaid.1767229200000.c2lnbmVk/mermaid.html', expiresAt: at + 3_600_000 },
  Health: { status: 'ok', bootId: '7f7c1f1e-6b0a-4a53-9d0e-0d7b5f1c2a34' },
  NewToken: { token: 'n3wT0ken', url: 'http://127.0.0.1:4700/?token=n3wT0ken' },
  OpenApiDocument: { openapi: '3.1.0' },
  JsonSchema: { type: 'object' },
  SchemaList: { schemas: [{ name: 'event', url: '/api/schemas/event.json' }] },
}

/** One example for each command. */
export const commandExamples: { readonly [N in CommandName]: Command<N> } = {
  createSession: { title: 'Plan the release', agentId: 'guide' },
  updateSession: { title: 'Plan the spring release', pinned: true },
  updateTools: { mode: 'reads', policies: { 'files:write': 'allow', 'web:fetch': null } },
  saveProvider: { kind: 'openai', name: 'OpenAI', key: 'sk-example' },
  testProvider: { kind: 'ollama', address: 'http://127.0.0.1:11434/v1' },
  createAgent: { name: 'Forge', providerId: 'prov_1', modelId: 'llama3.2', instructions: 'Make small commits.' },
  updateAgent: { effort: 'high', version: 1 },
  fillPrompt: { sourceId: 'mcp.docs', name: 'review', arguments: { page: 'start.md' } },
  readResource: { sourceId: 'mcp.docs', uri: 'docs://guide/start' },
  saveFolder: { name: 'Checkout' },
  markSessionRead: { seq: 42 },
  forkSession: { ordinal: 2, title: 'Plan the release in another way' },
  editMessage: { turnId: 'turn_3', text: 'Plan the release of version 3' },
  regenerateMessage: { newRunId: 'run_3' },
  giveFeedback: { rating: 'up', reason: 'It began with the changelog' },
  submitTurn: {
    turnId: 'turn_1',
    text: 'Plan the release of version 2',
    files: [{ digest: '9f86d081…', name: 'changelog.md' }],
  },
  queueTurn: { turnId: 'turn_2', text: 'And then?' },
  editQueuedTurn: { text: 'And after that?', position: 0 },
  updateQueue: { held: false },
  steerRun: { steerId: 'steer_1', text: 'Leave the changelog out' },
  interruptSession: { turnId: 'turn_1' },
  retryRun: { newRunId: 'run_2' },
  respondToAction: { decision: 'approve' },
  sendSurfaceInteraction: { key: 'click_1', componentId: 'save', eventType: 'click' },
  sendUiAction: { key: 'press_1', toolCallId: 'call_1', action: { type: 'payload', payload: { id: 7 } } },
}

const hello: StreamFrame = {
  event: 'hello',
  data: { streamId: 'stream_1', bootId: 'boot_1', heartbeatMs: 15_000 },
}

/** Bodies that are not JSON. */
export const plainExamples = {
  BrowserStream: browserDialect.say(hello)! + browserDialect.encoder('ses_1', events).frames[0]!.text,
  SessionEventStream: `id: 3\ndata: ${JSON.stringify(events[2])}\n\n`,
  FileContent: 'bytes',
  BlobContent: 'bytes',
  CatalogModule: 'export default ({ React }) => ({ components: {} })',
  MediaContent: 'bytes',
}
