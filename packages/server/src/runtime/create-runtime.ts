import { randomUUID } from 'node:crypto'
import { basicCatalog, type Catalog } from '@vitrine/genui/a2ui'
import type { Agent } from '../agents/agent.ts'
import { checkAgents } from '../agents/agent-card.ts'
import { createAgentRegistry } from '../agents/agent-registry.ts'
import type { ModelSource } from '../agents/model-source.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { summaryOf } from '../log/list-row.ts'
import { type LoadedSession, loadSession } from '../log/loaded-session.ts'
import { maskError, maskText } from '../masking/mask-secrets.ts'
import { Refusal } from '../refusal.ts'
import { createAgentSettings } from '../settings/agents.ts'
import { createProviders } from '../settings/providers.ts'
import { noSeals, type Seals } from '../settings/seals.ts'
import type { BlobIndex } from '../storage/blob-index.ts'
import type { CheckpointStore } from '../storage/checkpoint-store.ts'
import type { FolderStore } from '../storage/folder-store.ts'
import type { ForkStore } from '../storage/fork-store.ts'
import type { InstanceStore } from '../storage/instance-store.ts'
import type { LogStore } from '../storage/log-store.ts'
import type { SearchStore } from '../storage/search-store.ts'
import type { SessionStore } from '../storage/session-store.ts'
import type { SettingsStore } from '../storage/settings-store.ts'
import type { UploadStore } from '../storage/upload-store.ts'
import type { UsageStore } from '../storage/usage-store.ts'
import type { Hub } from '../stream/hub.ts'
import { checkSources, sourcesOf } from '../tools/sources.ts'
import type { ToolSources } from '../tools/tool.ts'
import { createAccess } from './access.ts'
import { respondToAction, revokePermission } from './commands/actions.ts'
import { sendSurfaceInteraction, sendUiAction } from './commands/interactions.ts'
import { editMessage, giveFeedback, regenerateMessage } from './commands/messages.ts'
import { editQueuedTurn, queueTurn, removeQueuedTurn, updateQueue } from './commands/queue.ts'
import { interruptRun, retryRun } from './commands/runs.ts'
import { steerRun } from './commands/steers.ts'
import { submitTurn } from './commands/turns.ts'
import { createContent } from './content.ts'
import { createCounting } from './counting.ts'
import { createDeleting } from './deleting.ts'
import { createFolders } from './folders.ts'
import { createForks } from './forks.ts'
import { createIndexing } from './indexing.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { OpenSessions } from './open-sessions.ts'
import { createReading } from './reading.ts'
import { serverStopped } from './reasons.ts'
import type { Runtime } from './runtime.ts'
import { createSearching } from './searching.ts'
import { createSessionPrompts } from './session-prompts.ts'
import { createSessionTools } from './session-tools.ts'
import { createSessions } from './sessions.ts'
import { Slots } from './slots.ts'
import { takeOver } from './take-over.ts'
import { createTasks } from './tasks.ts'
import { createUploads } from './uploads.ts'

/** What a runtime is made of. */
export interface RuntimeOptions {
  storage: LogStore &
    SessionStore &
    CheckpointStore &
    BlobIndex &
    UploadStore &
    ForkStore &
    FolderStore &
    SearchStore &
    SettingsStore &
    UsageStore &
    Pick<InstanceStore, 'instance'>
  blobs: Blobs
  hub: Hub
  /** Names this start of this process in the leases that it takes. */
  holder?: string
  /** A new session that names no agent gets the first one. */
  agents: readonly Agent[]
  /** Who offers models, to providers that people connect and agents that they make. */
  models?: ModelSource | undefined
  /** Seals the keys that people enter. Without it none can be stored. */
  seals?: Seals | undefined
  /** Who offers tools to the agents, beside the tools of the runtime itself. */
  tools?: ToolSources
  /** What agents draw with, beside the basic catalog. */
  catalogs?: readonly Catalog[]
  limits?: Partial<Limits>
  now?: () => number
  /** Failures of agents and of erasures, with their stack, for whoever runs the server. */
  report?: (line: string, error: unknown) => void
}

/** Histories that are read at once, because each takes memory and time of everybody. */
const LOADS = 2

/** A server without a source of models has no kinds of providers, so that nothing else is ever asked of it. */
const NO_MODELS: ModelSource = {
  kinds: [],
  test: async () => ({ ok: false, message: 'This server offers no models.' }),
  info: (_, modelId) => ({ modelId }),
  agent: () => {
    throw new TypeError('This server offers no models.')
  },
}

/** Puts the parts of the runtime together and hands each command and each read to the part that it is for. */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { storage, blobs, hub, agents, holder = randomUUID(), now = Date.now } = options
  const report = (line: string, error: unknown): void => options.report?.(maskText(line), maskError(error))
  const { tools = [] } = options
  checkAgents(agents)
  checkSources(sourcesOf(tools))
  const limits = { ...defaultLimits, ...options.limits }
  const catalogs = [basicCatalog, ...(options.catalogs ?? [])]
  const slots = new Slots(limits.runs)
  const loads = new Slots(LOADS)
  const { models, seals = noSeals } = options
  const providers = createProviders({ storage, seals, models: models ?? NO_MODELS, now, report })
  const registry = createAgentRegistry({ agents, storage, models, access: providers.access })
  const settings = createAgentSettings({ storage, registry, providers, models })

  async function load(sessionId: string): Promise<LoadedSession> {
    const giveBack = await loads.take()
    return loadSession(storage, sessionId).finally(giveBack)
  }

  const content = createContent({ storage, blobs, now })
  const open = new OpenSessions({
    open: row =>
      takeOver(row, { storage, holder, content, catalogs, slots, tasks, limits, registry, tools, load, now, report }),
    row: sessionId => storage.session(sessionId),
    damaged: sessionId =>
      storage.noteDamage(sessionId).then(
        row => row && hub.publishSummary(row.owner, summaryOf(row)),
        error => report(`the damage of session ${sessionId} could not be noted`, error),
      ),
    limit: limits.openSessions,
    bytes: limits.openBytes,
  })
  const access = createAccess(storage, open)
  const { command } = access
  const folders = createFolders(storage, hub)
  const sessions = createSessions({ storage, hub, open, access, folders, registry, now })
  const tasks = createTasks({ storage, hub, open, access, sessions })
  const reading = createReading({ storage, open, access, content, load })
  const forks = createForks({ storage, hub, access, now })
  const toolsOf = createSessionTools({ access, tools, registry, toolsAtOnce: limits.toolsAtOnce, report })
  const uploads = createUploads({ storage, blobs, limits, now })
  const { eraseAfterMs } = limits
  const deleting = createDeleting({ storage, blobs, uploads, hub, open, eraseAfterMs, now, report })
  const searching = createSearching(storage)
  const counting = createCounting(storage, now)
  const indexing = createIndexing({ storage, load })

  return {
    async createSession(who, { parent, ...rest }) {
      if (!parent) return sessions.createSession(who, rest)
      if (!rest.turn) return tasks.startTask(who, { ...rest, parent })
      const next = 'Leave `turn` out.'
      throw new Refusal('not_allowed', 'A task has its first turn in `parent`.', { path: '/turn', next })
    },
    updateSession: sessions.updateSession,
    deleteSession: deleting.deleteSession,
    restoreSession: deleting.restoreSession,
    eraseSession: deleting.eraseSession,
    markSessionRead: sessions.markSessionRead,
    listSessions: sessions.listSessions,
    searchMessages: searching.searchMessages,
    findSessions: searching.findSessions,
    getUsage: counting.getUsage,
    listFolders: folders.listFolders,
    saveFolder: folders.saveFolder,
    deleteFolder: folders.deleteFolder,

    listProviders: providers.listProviders,
    saveProvider: providers.saveProvider,
    deleteProvider: providers.deleteProvider,
    testProvider: providers.testProvider,
    listModels: providers.listModels,
    listAgents: settings.listAgents,
    createAgent: settings.createAgent,
    getAgent: settings.getAgent,
    updateAgent: settings.updateAgent,
    deleteAgent: settings.deleteAgent,

    ...createSessionPrompts({ access, tools, report }),
    listTools: toolsOf.listTools,
    updateTools: toolsOf.updateTools,

    position: reading.position,
    getSession: reading.getSession,
    listMessages: reading.listMessages,
    listMessageParts: reading.listMessageParts,
    listVersionMessages: reading.listVersionMessages,
    getQueue: reading.getQueue,
    getBlob: reading.getBlob,
    uploadFile: uploads.uploadFile,

    async forkSession(who, id, command) {
      const forked = await forks.forkSession(who, id, command)
      indexing.start()
      return forked
    },

    editMessage: (who, id, ordinal, edit) => command(who, id, (session, by) => editMessage(session, ordinal, edit, by)),
    regenerateMessage: (who, id, ordinal, again) =>
      command(who, id, (session, by) => regenerateMessage(session, ordinal, again, by)),
    giveFeedback: (who, id, ordinal, feedback) =>
      command(who, id, (session, by) => giveFeedback(session, ordinal, feedback, by)),
    submitTurn: (who, id, turn) => command(who, id, (session, by) => submitTurn(session, turn, by)),
    queueTurn: (who, id, turn) => command(who, id, (session, by) => queueTurn(session, turn, by)),
    updateQueue: (who, id, change) => command(who, id, (session, by) => updateQueue(session, change, by)),
    editQueuedTurn: (who, id, turnId, edit) =>
      command(who, id, (session, by) => editQueuedTurn(session, turnId, edit, by)),
    removeQueuedTurn: (who, id, turnId) => command(who, id, (session, by) => removeQueuedTurn(session, turnId, by)),
    steerRun: (who, id, runId, steer) => command(who, id, (session, by) => steerRun(session, runId, steer, by)),
    interruptRun: (who, id, runId) => command(who, id, (session, by) => interruptRun(session, runId, by)),
    interruptSession: tasks.interruptSession,
    retryRun: (who, id, runId, retry) => command(who, id, (session, by) => retryRun(session, runId, retry, by)),
    respondToAction: (who, id, actionId, response) =>
      command(who, id, (session, by) => respondToAction(session, actionId, response, by)),
    revokePermission: (who, id, permissionId) =>
      command(who, id, (session, by) => revokePermission(session, permissionId, by)),
    sendSurfaceInteraction: (who, id, surfaceId, interaction) =>
      command(who, id, (session, by) => sendSurfaceInteraction(session, surfaceId, interaction, by)),
    sendUiAction: (who, id, pressed) =>
      access.use(who, id, (session, by) => sendUiAction(session, pressed, by, blobs.get)),

    async recover() {
      await deleting.start()
      indexing.start()
      // A session that cannot be opened must not keep the others from their people: it is tried again in the background.
      for (const row of await storage.unfinished()) {
        await open.use(row, async () => {}).catch(() => open.takeUp(row.sessionId))
      }
    },

    async close() {
      await deleting.stop()
      await indexing.stop()
      await open.close(serverStopped)
      await tasks.settled()
    },
  }
}
