import type { Json, JsonObject } from '@vitrine/protocol'
import type { AgentContext } from '../../agents/agent.ts'
import { argumentAsJson } from '../../agents/as-json.ts'
import { outsideAgents } from '../../agents/stray.ts'
import { drawingTools } from '../drawing-tools.ts'
import type { StoredHistory } from '../stored-history.ts'
import type { SessionSurfaces } from '../surfaces.ts'
import type { Asks } from './asks.ts'
import type { Emitter } from './emit.ts'
import type { FitHost } from './fit.ts'
import type { Place } from './place.ts'
import type { Children, Speaker } from './spawn.ts'
import type { Steers } from './steers.ts'
import type { RunWriter } from './writer.ts'

export interface ContextParts {
  attempt: number
  signal: AbortSignal
  writer: RunWriter
  emitter: Emitter
  place: Place
  asks: Asks
  steers: Steers
  children: Children
  surfaces: SessionSurfaces
  history: StoredHistory
  host: FitHost
}

/**
 * What one agent of a run may use. Everything but the signal is data or a promise, so that an agent may live in a
 * worker. The runtime's own work is not the agent's: an error in it must not be taken for one of the agent.
 */
export function createContext(parts: ContextParts, speaker: Speaker): AgentContext {
  const { writer, emitter, place, asks, steers, children, surfaces, history, host, signal, attempt } = parts
  const { prefix, agentId } = speaker
  const { log } = writer

  const offered = <A extends unknown[], T>(work: (...args: A) => Promise<T>): ((...args: A) => Promise<T>) => {
    return (...args) => {
      const done = outsideAgents(async () => work(...args))
      // An agent may start something and not wait for it: its failure must not end the process.
      done.catch(() => {})
      return done
    }
  }
  const working = <A extends unknown[], T>(work: (...args: A) => Promise<T>): ((...args: A) => Promise<T>) =>
    offered((...args) => place.work(() => work(...args)))
  const applySurfaces = async (given: Json[], toolCallId?: string): Promise<JsonObject> => {
    const call = toolCallId === undefined ? undefined : writer.toolCallId(toolCallId, prefix)
    const messageId = `${writer.messageId}${prefix}`
    const ids = { ...writer.ids, messageId, partId: () => writer.nextPart(), toolCallId: call }
    // The engine reads each envelope as JSON: one that is none takes no other along.
    return surfaces.apply(given, ids)
  }
  const tools = drawingTools({
    a2ui: log.state.session.metadata.enableA2ui !== false,
    callId: name => writer.nextCall(name),
    emit: async output => void (await emitter.emit(output, prefix, agentId)),
    applySurfaces,
    correctionOf: hints => host.compileUi(hints).correction,
  })
  return {
    sessionId: log.state.sessionId,
    runId: writer.runId,
    turnId: writer.turnId,
    attempt,
    signal,
    steers: { take: offered(steers.inbox.take), wait: offered(steers.inbox.wait) },
    ask: offered(request => asks.ask(request, prefix)),
    store: working(large => host.store(large)),
    spawn: offered(async (childId, input, name) => {
      await place.take()
      return place.wait(prefix, children.spawn(speaker, childId, input, name))
    }),
    surfaces: { apply: working(applySurfaces) },
    tools: tools.map(tool => ({ ...tool, call: working(args => tool.call(argumentAsJson(args) as JsonObject)) })),
    history: offered((limit = 100) => history.said(limit, writer.turnId)),
    state: offered(async () => {
      // With what this agent itself has just yielded.
      await log.settled()
      const { value } = log.state.shared
      return value.known ? structuredClone(value.value) : undefined
    }),
  }
}
