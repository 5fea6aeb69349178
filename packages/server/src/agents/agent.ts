import type {
  ActionOutcome,
  ActionRequest,
  Actor,
  BlobRef,
  EventDraft,
  EventType,
  Interaction,
  Json,
  JsonObject,
  Reason,
  TurnInput,
} from '@vitrine/protocol'

/** What an agent may say itself. The runtime owns the rest: runs, queue, steers, action requests, permissions. */
export type AgentEventType = Exclude<
  EventType,
  | 'session.updated'
  | 'run.started'
  | 'run.finished'
  | 'run.failed'
  | 'action.required'
  | 'action.resolved'
  | 'queue.changed'
  | `steer.${string}`
  | 'permission.changed'
  | 'task.changed'
  | 'surface.changed'
>

type Added = 'runId' | 'turnId' | 'messageId' | 'length' | 'digest' | 'by'
type Said<T> = T extends { type: 'messages.snapshot' } ? Omit<T, Added | 'scope'> : Omit<T, Added>

/**
 * One output of an agent. The runtime adds run, turn and message; part ids are local to the run.
 * `text.final` may leave out length and digest: the runtime knows them.
 */
export type AgentOutput = Spoken<Said<Extract<EventDraft, { type: AgentEventType }>>> & { messageId?: string }

/** An agent may give a reason in its own words; the runtime makes it a reason with the code `agent_said`. */
type Spoken<T> = T extends { reason: Reason }
  ? Omit<T, 'reason'> & { reason: Reason | string }
  : T extends { reason?: Reason | undefined }
    ? Omit<T, 'reason'> & { reason?: Reason | string }
    : T

export interface ActionAnswer {
  outcome: ActionOutcome
  /** The choice, the form's values, edited arguments, the answer in words. */
  value: Json | null
  /** Who answered: a person, a remembered permission (`policy`) or the runtime (`system`: expired, cancelled). */
  by: Actor
}

export interface Steering {
  steerId: string
  /** What was typed; for an interaction its text form, so that an agent that knows only text understands it. */
  text: string
  interaction?: Interaction
}

export interface SteerInbox {
  /** Takes what is waiting; the runtime notes where in the run it took effect. */
  take(): Promise<Steering[]>
  /** Resolves when something is waiting or the run is being stopped. */
  wait(): Promise<void>
}

export interface HistoryMessage {
  role: 'user' | 'assistant' | 'system'
  text: string
}

/** Bytes that are too large for an event: the runtime stores them and puts a preview and a reference into the event. */
export interface LargeText {
  text: string
  mediaType?: string
}

/** A tool with its definition for a model. A call is shown in the conversation by itself. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
  /** What the system prompt says about it. */
  readonly prompt: string
  /** The answer for the model; when something was refused it says what to correct. */
  call(args: JsonObject): Promise<JsonObject>
}

export interface AgentContext {
  sessionId: string
  runId: string
  turnId: string
  attempt: number
  /** Fires on interrupt. An agent that ignores it is cut off at the hard limit. */
  signal: AbortSignal
  steers: SteerInbox
  /** Pauses the run until a person, a remembered grant or the expiry has answered. */
  ask(request: ActionRequest & { toolCallId?: string }): Promise<ActionAnswer>
  /** Stores large output and returns what a tool event carries of it. */
  store(large: LargeText): Promise<{ preview: string; ref?: BlobRef }>
  /** Runs another agent inside this run; its parts appear under `name`. Resolves with its answer text. */
  spawn(
    agentId: string,
    input: string,
    name?: string,
  ): Promise<{ outcome: 'completed' | 'failed' | 'interrupted'; text: string }>
  /** Applies A2UI envelopes to the session's surfaces and says what came of each. */
  surfaces: { apply(envelopes: Json[], toolCallId?: string): Promise<JsonObject> }
  /** What the runtime offers to every agent, ready to hand to a model: `a2ui` and `show_ui`. */
  tools: readonly AgentTool[]
  /** The conversation so far, oldest first, without this turn. */
  history(limit?: number): Promise<HistoryMessage[]>
  /** The session's shared state (`state.*`), or undefined when there is none. */
  state(): Promise<Json | undefined>
}

export interface Agent {
  readonly agentId: string
  readonly name: string
  readonly description: string
  /** True when no model answers: the interface says so. */
  readonly scripted: boolean
  run(input: TurnInput, context: AgentContext): AsyncIterable<AgentOutput>
}
