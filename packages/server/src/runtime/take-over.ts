import type { Catalog } from '@vitrine/genui/a2ui'
import type { AgentRegistry } from '../agents/agent-registry.ts'
import type { LoadedSession } from '../log/loaded-session.ts'
import { SessionLog } from '../log/session-log.ts'
import type { CheckpointStore } from '../storage/checkpoint-store.ts'
import type { InstanceStore } from '../storage/instance-store.ts'
import type { LogStore } from '../storage/log-store.ts'
import type { SessionRow, SessionStore } from '../storage/session-store.ts'
import type { ToolSources } from '../tools/tool.ts'
import { unlessGone } from './access.ts'
import { compileUi } from './compile-ui.ts'
import type { Content } from './content.ts'
import type { Limits } from './limits.ts'
import { SessionActor } from './session-actor.ts'
import type { Slots } from './slots.ts'
import type { Tasks } from './tasks.ts'

export interface TakeOverOptions {
  storage: LogStore & CheckpointStore & Pick<SessionStore, 'session'> & Pick<InstanceStore, 'instance'>
  /** Names this start of this process in the leases that it takes. */
  holder: string
  content: Content
  /** What agents draw with; the basic catalog is the first. */
  catalogs: readonly Catalog[]
  slots: Slots
  tasks: Tasks
  limits: Limits
  registry: Pick<AgentRegistry, 'find'>
  tools: ToolSources
  load(sessionId: string): Promise<LoadedSession>
  now(): number
  report(line: string, error: unknown): void
}

/** Makes the session this process's own: the lease, its projection, its one writer, and the end of what a crash cut off. */
export async function takeOver(row: SessionRow, options: TakeOverOptions): Promise<SessionActor> {
  const { storage, holder, content, catalogs, slots, tasks, limits, registry, tools, now, report } = options
  const { sessionId, owner } = row
  const { epoch } = await unlessGone(storage, sessionId, storage.lease(sessionId, holder))
  const loaded = await options.load(sessionId)
  const { state } = loaded
  const hub = tasks.hubOf(state, row.status)
  const log = new SessionLog({ storage, hub, row, loaded, epoch, holder, batchMs: limits.batchMs, now })
  const session = new SessionActor({
    log,
    content: content.ofSession({ sessionId, owner }),
    catalogs,
    slots,
    agent: agentId => registry.find(owner, agentId),
    tools,
    owner,
    limits,
    now,
    secret: async () => (await storage.instance()).secret,
    report,
    compileUi: hints => {
      const { locale } = state.session.metadata
      return compileUi(hints, typeof locale === 'string' ? locale : undefined)
    },
  })
  // A run that is open in the log and that no process works on was cut off.
  await session.recover()
  await tasks.catchUp(session)
  return session
}
