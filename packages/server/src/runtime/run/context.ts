import type { A2uiToolResult } from '@vitrine/genui/a2ui'
import type { JsonObject } from '@vitrine/protocol'
import type { Agent, AgentContext, AgentOutput, AgentTool, ResumedRun } from '../../agents/agent.ts'
import { argumentAsJson } from '../../agents/as-json.ts'
import { outsideAgents } from '../../agents/stray.ts'
import { maskText } from '../../masking/mask-secrets.ts'
import { secretsOf } from '../../tools/boundary.ts'
import { chosenTools, FIND_TOOLS, findTools, idsToOffer } from '../../tools/find-tools.ts'
import type { OfferedTool } from '../../tools/sources.ts'
import type { SessionSurfaces } from '../surfaces.ts'
import { askTool } from './ask-tool.ts'
import { drawingTools, type RuntimeTool } from './drawing-tools.ts'
import type { FitHost } from './fit.ts'
import { memoryOf } from './memory.ts'
import { type BoundaryParts, boundaryOf, policyFor } from './run-boundary.ts'
import type { Steers } from './steers.ts'
import type { Speaker, Subagents } from './subagents.ts'

export interface ContextParts extends BoundaryParts {
  attempt: number
  steers: Steers
  subagents: Subagents
  surfaces: SessionSurfaces
  host: FitHost
  /** How many tools of sources a model is given at once. */
  toolsAtOnce: number
  /** What the run has done before it was cut off. */
  resumed: ResumedRun | undefined
}

/** The agent that a context is for, and the tools of sources that it is offered. */
export interface Offer {
  agent: Agent
  tools: readonly OfferedTool[]
}

/** The names of the tools that the runtime itself has. */
export const RUNTIME_TOOLS = ['a2ui', 'show_ui', 'ask', FIND_TOOLS] as const

/** A run that gives more titles than these does not know what it is about. */
const MOST_TITLES = 20

/**
 * What one agent of a run may use. Everything but the signal is data or a promise, so that an agent may live in a
 * worker. The runtime does its own work outside of the agent, so that an error there is not taken for one of the agent.
 */
export function createContext(parts: ContextParts, speaker: Speaker, offer: Offer): AgentContext {
  const { agent } = offer
  const { writer, emitter, slot, actions, steers, subagents, surfaces, history, content, host, signal } = parts
  const { prefix, subagentId } = speaker
  const { log } = writer

  let titles = 0
  const memory = memoryOf(writer, agent.agentId)

  const offered = <A extends unknown[], T>(work: (...args: A) => Promise<T>): ((...args: A) => Promise<T>) => {
    return (...args) => {
      const done = outsideAgents(async () => work(...args))
      // An agent may start something and not wait for it: its failure must not end the process.
      done.catch(() => {})
      return done
    }
  }
  const working = <A extends unknown[], T>(work: (...args: A) => Promise<T>): ((...args: A) => Promise<T>) =>
    offered(async (...args) => slot.work(() => work(...args)))
  const applySurfaces = async (given: object, toolCallId?: string): Promise<A2uiToolResult> => {
    const call = toolCallId === undefined ? undefined : writer.toolCallId(toolCallId, prefix)
    const messageId = `${writer.messageId}${prefix}`
    const ids = { ...writer.ids, messageId, partId: () => writer.nextPart(), toolCallId: call }
    // The engine reads each envelope by itself, so that one that is not JSON does not spoil the others.
    return (await surfaces.apply(given, ids)) as A2uiToolResult
  }
  const callId = (name: string): string => writer.nextCall(name)
  const emit = async (output: AgentOutput): Promise<void> => void (await emitter.emit(output, prefix, subagentId))
  const a2ui = log.state.session.metadata.enableA2ui !== false
  const drawing = drawingTools({
    a2ui,
    catalogs: surfaces.catalogs,
    callId,
    emit,
    applySurfaces,
    judge: hints => host.compileUi(hints),
  })
  const asking = askTool({
    a2ui,
    callId,
    emit: async output => slot.work(() => emit(output)),
    ask: request => actions.ask(request, prefix),
  })
  /** Calls of a tool, with arguments that are JSON whatever the agent gave. */
  const taking = (tool: RuntimeTool) => (args: object, options?: { toolCallId?: string }) =>
    tool.call(argumentAsJson(args) as JsonObject, options?.toolCallId)
  const caller = { agentId: agent.agentId, prefix, subagentId, policies: agent.toolPolicies }
  const policy = policyFor(writer, caller.policies)
  const boundary = boundaryOf(parts, caller)
  for (const { name, tool } of offer.tools) emitter.masks.declare(prefix, name, secretsOf(tool))
  const callable = (one: OfferedTool): AgentTool => ({
    ...ofSource(one),
    call: offered(
      async (args: object, options?: { toolCallId?: string }) =>
        (await boundary.call(one, argumentAsJson(args) as JsonObject, options?.toolCallId)) as JsonObject,
    ),
  })
  const usable = offer.tools.filter(({ tool }) => policy(tool).policy !== 'off')
  const isOn = (tool: AgentTool): boolean => policy(tool).policy !== 'off'
  // A drawing call takes a slot all the time; one that asks gives it to others while a person thinks.
  const tools: AgentTool[] = [
    ...drawing.map(tool => ({ ...ofRuntime(tool), call: working(taking(tool)) })).filter(isOn),
    ...[{ ...ofRuntime(asking), call: offered(taking(asking)) }].filter(isOn),
  ]
  if (usable.length <= parts.toolsAtOnce) tools.push(...usable.map(callable))
  else {
    const most = parts.toolsAtOnce
    const byId = new Map(usable.map(one => [one.tool.toolId, one]))
    let ids = idsToOffer(usable, log.state, most)
    const keep = async (): Promise<void> => {
      await log.write([{ type: 'session.updated', ...writer.ids, metadata: { foundTools: ids } }])
    }
    const find = findTools({
      offered: usable,
      callId,
      emit,
      async choose(chosen) {
        const more = chosen.map(({ tool }) => tool.toolId)
        ids = [...new Set([...ids, ...chosenTools(log.state), ...more])].slice(-most)
        await keep()
        // The list only grows while the run goes on, so that what a provider has read of it stays as it was.
        tools.push(...chosen.filter(({ name }) => !tools.some(tool => tool.name === name)).map(callable))
      },
    })
    tools.push({ ...ofRuntime(find), call: working(taking(find)) })
    tools.push(...ids.flatMap(toolId => byId.get(toolId) ?? []).map(callable))
    // A tool that was called stays available, also when its call is no longer in the loaded part of the session.
    if (ids.length > chosenTools(log.state).length) keep().catch(() => {})
  }
  return {
    sessionId: log.state.sessionId,
    runId: writer.runId,
    turnId: writer.turnId,
    attempt: parts.attempt,
    ...(parts.resumed && subagentId === null && { resumed: parts.resumed }),
    signal,
    steers: { take: offered(steers.inbox.take), wait: offered(steers.inbox.wait) },
    ask: offered(request => actions.ask(request, prefix)),
    store: working(large => host.store({ ...large, text: maskText(String(large?.text ?? '')) })),
    storeFile: working(file => content.storeFile(file)),
    readFile: offered((digest, range) => content.readFile(digest, range)),
    spawn: offered(async (agentId, input, name) => {
      await slot.take()
      return slot.wait(prefix, subagents.spawn(speaker, agentId, input, name))
    }),
    surfaces: { apply: working(applySurfaces) },
    principal: parts.by,
    tools,
    admit: offered(call => boundary.admit(call)),
    history: offered((limit = 100) => history.said(limit, writer.turnId, content.whole)),
    memory: { get: offered(memory.get), set: offered(memory.set), delete: offered(memory.delete) },
    setTitle: offered(async given => {
      const title = typeof given === 'string' ? given.replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed() : ''
      const { session } = log.state
      if (title === '' || session.titledBy || titles++ >= MOST_TITLES) return false
      if (session.title.known && session.title.value === title) return true
      await log.write([{ type: 'session.updated', ...writer.ids, title }])
      return true
    }),
    state: offered(async () => {
      // The state includes what this agent itself has just yielded.
      await log.settled()
      const { value } = log.state.shared
      return value.known ? structuredClone(value.value) : undefined
    }),
  }
}

const ofRuntime = (tool: RuntimeTool): RuntimeTool & Pick<AgentTool, 'toolId' | 'effects'> => ({
  ...tool,
  toolId: `runtime:${tool.name}`,
  effects: 'none',
})

const ofSource = ({ name, tool, source }: OfferedTool): Omit<AgentTool, 'call'> => ({
  toolId: tool.toolId,
  name,
  ...(tool.title !== undefined && { title: tool.title }),
  effects: tool.effects ?? 'outside',
  sourceId: source.sourceId,
  description: tool.description,
  inputSchema: tool.inputSchema,
  prompt: tool.prompt ?? '',
})
