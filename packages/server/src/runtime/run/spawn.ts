import type { Agent, AgentContext } from '../../agents/agent.ts'
import { AgentError } from '../../agents/agent-error.ts'
import { drive } from './drive.ts'
import type { Emitter } from './emit.ts'
import { failureOf } from './failure.ts'
import type { Place } from './place.ts'
import type { RunWriter } from './writer.ts'

/** What one run may have under way, so that an agent that starts itself is stopped. */
const MAX_AGENTS = 64
const MAX_DEPTH = 8

/** Which agent of a run speaks: the ids of its parts and calls, and its place below the others. */
export interface Speaker {
  prefix: string
  agentId: string | null
  depth: number
}

export interface SpawnHost {
  writer: RunWriter
  emitter: Emitter
  place: Place
  agent(agentId: string): Agent | undefined
  context(speaker: Speaker): AgentContext
  /** An agent failed, or something that it left behind. */
  failed(agentId: string, error: Error): void
}

/** The agents that run inside a run of another one. */
export class Children {
  readonly #host: SpawnHost
  #spawned = 0

  constructor(host: SpawnHost) {
    this.#host = host
  }

  async spawn(
    parent: Speaker,
    childId: string,
    given: string,
    name: string | undefined,
  ): ReturnType<AgentContext['spawn']> {
    const { writer, emitter, place } = this.#host
    const agent = this.#host.agent(childId)
    if (!agent) throw new AgentError(`There is no agent "${childId}" to spawn.`, { code: 'agent_unknown' })
    const depth = parent.depth + 1
    if (depth > MAX_DEPTH || this.#spawned >= MAX_AGENTS) {
      const message = `A run has at most ${MAX_AGENTS} child agents, ${MAX_DEPTH} deep.`
      throw new AgentError(message, { code: 'spawn_limit' })
    }
    const prefix = `#a${++this.#spawned}`
    const agentId = `${writer.runId}${prefix}`
    const text = String(given).toWellFormed()
    await writer.stream({
      type: 'agent.spawned',
      ...writer.ids,
      agentId,
      messageId: writer.messageId,
      partId: writer.nextPart(),
      name: (name ?? agent.name).slice(0, 200).toWellFormed(),
      input: text.slice(0, 2_000).toWellFormed(),
      ...(parent.agentId !== null && { parentAgentId: parent.agentId }),
    })
    let said = ''
    const emit = async (given: unknown): Promise<void> => {
      const output = await place.work(() => emitter.emit(given, prefix, agentId))
      if (output?.type === 'text.delta') said += output.delta
    }
    const failed = (error: Error): void => this.#host.failed(childId, error)
    const context = this.#host.context({ prefix, agentId, depth })
    const ending = await place.agent(prefix, () => drive(writer, agent, { text }, context, emit, failed))
    if ('failed' in ending && ending.failed !== writer.illegal) failed(ending.failed)
    const outcome = 'failed' in ending ? 'failed' : ending.outcome
    const summary = 'failed' in ending ? failureOf(ending.failed).message : said
    const ids = { ...writer.ids, agentId }
    await writer.stream({ type: 'agent.completed', ...ids, outcome, summary: summary.slice(0, 2_000).toWellFormed() })
    return { outcome, text: said }
  }
}
