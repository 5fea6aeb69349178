import type { Agent, AgentContext } from '../../agents/agent.ts'
import { cardOf } from '../../agents/agent-card.ts'
import { AgentError } from '../../agents/agent-error.ts'
import { drive } from './drive.ts'
import type { Emitter } from './emit.ts'
import { failureOf } from './failure.ts'
import type { RunSlot } from './run-slot.ts'
import type { RunWriter } from './writer.ts'

/** How many subagents a run may have, and how deep, so that an agent that spawns itself is stopped. */
const MAX_SUBAGENTS = 64
const MAX_DEPTH = 8

/** Which agent of a run speaks: the prefix of its ids, its own id, and how deep below the main agent it is. */
export interface Speaker {
  prefix: string
  subagentId: string | null
  depth: number
}

export interface SubagentsHost {
  writer: RunWriter
  emitter: Emitter
  slot: RunSlot
  agent(agentId: string): Promise<Agent | undefined>
  context(speaker: Speaker, agent: Agent): Promise<AgentContext>
  /** An agent has failed, or something that it had started and not waited for. */
  failed(agentId: string, error: Error): void
}

/** The subagents of one run. */
export class Subagents {
  readonly #host: SubagentsHost
  #spawned = 0

  /** `spawned` is how many the run had before it was cut off. */
  constructor(host: SubagentsHost, spawned = 0) {
    this.#host = host
    this.#spawned = spawned
  }

  async spawn(
    parent: Speaker,
    agentId: string,
    given: string,
    name: string | undefined,
  ): ReturnType<AgentContext['spawn']> {
    const { writer, emitter, slot } = this.#host
    const agent = await this.#host.agent(agentId)
    if (!agent) throw new AgentError(`There is no agent "${agentId}" to spawn.`, { code: 'agent_not_found' })
    const depth = parent.depth + 1
    if (depth > MAX_DEPTH || this.#spawned >= MAX_SUBAGENTS) {
      const message = `A run has at most ${MAX_SUBAGENTS} subagents, ${MAX_DEPTH} deep.`
      throw new AgentError(message, { code: 'spawn_limit' })
    }
    const prefix = `#a${++this.#spawned}`
    const subagentId = `${writer.runId}${prefix}`
    const text = String(given).toWellFormed()
    await writer.stream({
      type: 'agent.spawned',
      ...writer.ids,
      subagentId,
      agentId,
      messageId: writer.messageId,
      partId: writer.nextPart(),
      name: (name ?? cardOf(agent).name).slice(0, 200).toWellFormed(),
      input: text.slice(0, 2_000).toWellFormed(),
      ...(parent.subagentId !== null && { parentSubagentId: parent.subagentId }),
    })
    let said = ''
    const emit = async (given: unknown): Promise<void> => {
      const output = await slot.work(() => emitter.emit(given, prefix, subagentId))
      if (output?.type === 'text.delta') said += output.delta
    }
    const failed = (error: Error): void => this.#host.failed(agentId, error)
    const context = await this.#host.context({ prefix, subagentId, depth }, agent)
    const ending = await slot.agent(prefix, () => drive(writer, agent, { text }, context, emit, failed))
    if ('failed' in ending && ending.failed !== writer.illegal) failed(ending.failed)
    const outcome = 'outcome' in ending ? ending.outcome : 'failed'
    const summary = 'failed' in ending ? failureOf(ending.failed).message : said
    const ids = { ...writer.ids, subagentId }
    await writer.stream({ type: 'agent.completed', ...ids, outcome, summary: summary.slice(0, 2_000).toWellFormed() })
    return { outcome, text: said }
  }
}
