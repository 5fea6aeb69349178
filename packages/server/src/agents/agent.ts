import type { A2uiToolResult } from '@vitrine/genui/a2ui'
import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { UiSchemaRenderer } from '@vitrine/genui/schema'
import type {
  ActionOutcome,
  ActionRequest,
  Actor,
  AgentCapabilities,
  AgentCommand,
  AgentEventType,
  BlobRef,
  EventDraft,
  Executor,
  Failure,
  FileRef,
  Interaction,
  Json,
  JsonObject,
  Reason,
  ToolContent,
  TurnInput,
  Usage,
} from '@vitrine/protocol'
import type { Admission, CallToAdmit, ToolEffects, ToolPolicy } from '../tools/tool.ts'

type Added = 'runId' | 'turnId' | 'messageId' | 'length' | 'digest' | 'by'
type Said<T> = T extends { type: 'messages.snapshot' }
  ? Omit<T, Added | 'scope'>
  : // Hints and documents have types of their own, so that mistakes in them do not compile.
    T extends { type: 'tool.result' }
    ? Omit<T, Added | 'ui' | 'uiHints' | 'uiProblems'> & {
        ui?: UiSchemaRenderer
        uiHints?: UiHintsPayload
      }
    : T extends { type: 'tool.started' }
      ? Omit<T, Added> & {
          /** JSON pointers to arguments and results that are secrets. Facts have a mask in their place, and not this list. */
          secrets?: readonly string[]
        }
      : Omit<T, Added>

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

/** What a person responded to a request of an agent, and what became of the request. */
export interface ActionResponse {
  outcome: ActionOutcome
  /** The choice, the values of the form, the edited arguments, or what the person wrote. */
  value: Json | null
  /**
   * What the person wrote: with `denied` the instructions that go with the refusal, with `answered` their own words
   * instead of an option or of a decision about the plan. Only `approved` and `approved-for-scope` allow something.
   */
  text?: string
  /** Who responded: a person, a remembered permission (`policy`) or the runtime (`system`: expired, cancelled). */
  by: Actor
}

/** Something that a person wants the agent to consider while its run is under way. */
export interface Steering {
  steerId: string
  /**
   * What the person typed. For an interaction this is its text
   * form, so that an agent which knows only text can read it.
   */
  text: string
  interaction?: Interaction
  /** What the person attached. `context.readFile` gives the bytes. */
  files?: FileRef[]
}

/** The steers of a run that the agent has not taken yet. */
export interface SteerInbox {
  /** Takes all waiting steers. The runtime notes at which place of the run they took effect. */
  take(): Promise<Steering[]>
  /** Resolves when a steer is waiting or the run is being stopped. */
  wait(): Promise<void>
}

/** A message of the conversation as an agent reads it: who wrote it, its text, and what stands in it. */
export interface HistoryMessage {
  /** The id of the message in the session. */
  messageId: string
  role: 'user' | 'assistant' | 'system'
  /** What the person said, or the answer text. */
  text: string
  /** What the person attached to it. */
  files?: FileRef[]
  /**
   * What stands in an answer, in order. What was withdrawn is left out. In a message of the person: the tool that they have
   * called without the agent, which `text` says in words.
   */
  parts?: HistoryPart[]
}

/** A part of an answer as an agent reads it. Part ids and call ids are those that its agent gave. */
export type HistoryPart =
  | { kind: 'text'; partId: string; text: string }
  /** `signature` is what `reasoning.summary` said that the provider wants back. */
  | { kind: 'reasoning'; partId: string; text: string; signature?: string }
  | HistoryCall
  | { kind: 'file'; partId: string; file: FileRef }
  | HistoryCompaction
  /** What the person said while the run was under way, at the place where it took effect. */
  | { kind: 'steer'; text: string; files?: FileRef[] }

/** The place in an answer at which its agent made a summary of what was said before. */
export interface HistoryCompaction {
  kind: 'compaction'
  partId: string
  summary: string
  /** From where on the agent still reads everything as it was said: a message, or a step of the same answer. */
  keptFrom?: string
}

/** A tool call of an answer, with its arguments and what came of it. */
export interface HistoryCall {
  kind: 'call'
  partId: string
  toolCallId: string
  name: string
  /** The arguments as the model wrote them: JSON text, or the beginning of it when the call was cut off. */
  args: string
  /** Who ran the tool, if its agent said so. */
  executor?: Executor
  /** What a person changed the arguments to. */
  approvedArgs?: Json
  /** What the agent said with `tool.started`. */
  metadata?: JsonObject
  /** The result as the log has it: data, or the beginning and the end of a text whose whole `readFile` reads. */
  result?: { value?: Json; preview?: string; tail?: string; ref?: BlobRef; content?: ToolContent[] }
  /** Why the call failed. */
  error?: Failure
}

/** A part of a file: from the byte `start` up to and without the byte `end`. */
export interface FileRange {
  start?: number
  end?: number
}

/** A text that is too large for an event: the runtime stores it and puts a preview and a reference into the event. */
export interface LargeText {
  text: string
  mediaType?: string
}

/** A file that an agent gives with its answer: at most 8 MiB. */
export interface FileToStore {
  bytes: Uint8Array
  mediaType: string
  name?: string
}

/** A tool with its definition for a model. A call is shown in the conversation by itself, and so is its result. */
export interface AgentTool {
  /** The id by which policies, grants and buttons name the tool. */
  readonly toolId: string
  /** The name by which the model calls it, which no other tool of the list has. */
  readonly name: string
  /** What people call it. */
  readonly title?: string
  readonly effects: ToolEffects
  /** Who offers it. It is absent for the tools of the runtime itself: `a2ui`, `show_ui`, `ask` and `find_tools`. */
  readonly sourceId?: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
  /** The section about this tool for the system prompt. */
  readonly prompt: string
  /**
   * The arguments as the model gave them. The result is for the model; when something was refused it says what to correct.
   * An agent that has already said `tool.started` and `tool.args` gives the id of that call: then only the result is added.
   * A tool of a source gives `{ result }` or `{ error }`, as the history has them in its next turn.
   */
  call(args: object, options?: { toolCallId?: string }): Promise<JsonObject>
}

/** What an agent is told of a run that was cut off and goes on. */
export interface ResumedRun {
  /** How often the run has gone on after a restart. Part ids have to differ from those of the attempts before. */
  times: number
  /** The steps that are complete, oldest first, with what each has used. */
  steps: readonly { stepId: string; usage?: Usage }[]
  /**
   * The step whose model has ended and whose calls are not all finished: finish the calls that have no result under their
   * ids, then the step. It is absent when the next thing to do is a new step.
   */
  openStep?: string
  /** What stands in the answer so far, as `history` gives it in later turns. What was taken back is left out. */
  parts: readonly HistoryPart[]
  /** The ids of all calls that the run has announced. A new call needs another one. */
  callIds: readonly string[]
}

/**
 * What an agent remembers in a session beside the messages: at most 64 values of at most 4 KiB of JSON each, and 16 KiB
 * together. It is part of the log of the session: durable, copied with a branch and erased with the session.
 */
export interface AgentMemory {
  /** The value under the key, or undefined. */
  get(key: string): Promise<Json | undefined>
  /** Resolves when the value is durable. A secret of a known form is masked. */
  set(key: string, value: Json): Promise<void>
  delete(key: string): Promise<void>
}

/** What the runtime gives to an agent for one run. */
export interface AgentContext {
  sessionId: string
  runId: string
  turnId: string
  attempt: number
  /** What was done before, when the run was cut off and goes on. Only an agent with `resume` finds it. */
  resumed?: ResumedRun
  /** Fires on interrupt. An agent that ignores it is cut off at the hard limit. */
  signal: AbortSignal
  steers: SteerInbox
  /** Pauses the run until a person, a remembered permission or the expiry has responded. */
  ask(request: ActionRequest & { toolCallId?: string }): Promise<ActionResponse>
  /** Stores large output and returns what a tool event carries of it. */
  store(large: LargeText): Promise<{ preview: string; tail?: string; ref?: BlobRef }>
  /** Stores the bytes of a file, such as an image that a model made, and returns what `file.added` carries of it. */
  storeFile(file: FileToStore): Promise<FileRef>
  /**
   * The bytes of a file that a person attached in this session, by the digest in `input.files`. At most 8 MiB are read at
   * once; a larger file is read in parts.
   */
  readFile(digest: string, range?: FileRange): Promise<Uint8Array>
  /** Runs another agent inside this run; its parts appear under `name`. Resolves with its answer text. */
  spawn(
    agentId: string,
    input: string,
    name?: string,
  ): Promise<{ outcome: 'completed' | 'failed' | 'interrupted'; text: string }>
  /** Applies one or more A2UI envelopes to the session's surfaces. The result says for each whether it was applied. */
  surfaces: { apply(envelopes: object | readonly object[], toolCallId?: string): Promise<A2uiToolResult> }
  /** Who the turn is by. */
  principal: Actor
  /**
   * Ready to hand to a model: `a2ui`, `show_ui` and `ask` of the runtime, and the tools of all sources. When there are too
   * many of these, the runtime has `find_tools` as well, and what a model chooses with it is added at the end of this same
   * list: read it again in each step.
   */
  tools: readonly AgentTool[]
  /**
   * The gate for a tool that the agent executes itself, after it has said `tool.started` and `tool.args`: it checks the
   * arguments and asks by policy. The agent runs the call only when it is allowed, with these arguments, and says its result.
   */
  admit(call: CallToAdmit): Promise<Admission>
  /** The conversation so far, oldest first, without this turn. */
  history(limit?: number): Promise<HistoryMessage[]>
  /** What this agent remembers in this session. A rewind does not change it. */
  memory: AgentMemory
  /** Gives the session a title. False when a person has given it one: that stays. */
  setTitle(title: string): Promise<boolean>
  /** The session's shared state (`state.*`), or undefined when there is none. */
  state(): Promise<Json | undefined>
}

/** What you connect: a function that gets a turn and yields what it does. */
export interface Agent {
  /** The name by which sessions remember their agent: unique on a server, letters, digits and `. _ -`. */
  readonly agentId: string
  /** What people read; the `agentId` when nothing is given. */
  readonly name?: string
  /** What the agent is for, in a sentence that people read; empty when nothing is given. */
  readonly description?: string
  /** True when the answers are scripted and no model writes them. The interface shows this to people. */
  readonly scripted?: boolean
  /** What interfaces and other dialects may know about it; `GET /agents` tells it. */
  readonly capabilities?: AgentCapabilities
  /** What a message can begin with, such as `/tour`. The composer offers it; the agent finds it in the text. */
  readonly commands?: readonly AgentCommand[]
  /** What the agent answers with, so that people see it. */
  readonly model?: { readonly providerId?: string; readonly modelId: string; readonly effort?: string | null }
  /** What the agent is configured with for tools, by the id of the tool. What a person chooses in a session counts before it. */
  readonly toolPolicies?: Readonly<Record<string, ToolPolicy>>
  /**
   * `steps`: a run that a restart cut off goes on from its last complete step, at most twice in a row without a new one.
   * The agent says `step.started` and `step.finished`, runs its calls through `context.tools` or `context.admit` when its
   * model has ended, and begins after what `context.resumed` says. Without it such a run is interrupted.
   */
  readonly resume?: 'steps'
  run(input: TurnInput, context: AgentContext): AsyncIterable<AgentOutput>
}
