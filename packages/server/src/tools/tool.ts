import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { UiSchemaRenderer } from '@vitrine/genui/schema'
import type { ActionRequest, Actor, FileChange, FileRef, Json, JsonObject } from '@vitrine/protocol'
import type { ActionResponse, FileRange } from '../agents/agent.ts'

/**
 * What a tool does to the world: nothing, it reads, it writes where the person works, or it acts outside, such as with a
 * request to somebody else. A tool that does not say counts as `outside`.
 */
export type ToolEffects = 'none' | 'reads' | 'writes' | 'outside'

/** Whether a call runs at once, waits for a person, or does not run at all. */
export type ToolPolicy = 'allow' | 'ask' | 'off'

/** A tool that the runtime runs behind its boundary. */
export interface SourceTool {
  /** The id by which policies, grants and buttons name the tool, unique on a server, such as `files:read`. */
  readonly toolId: string
  /** The name by which a model calls it: 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string
  /** What people call it; the name when nothing is given. */
  readonly title?: string
  /** What it is for, in words for a model. */
  readonly description: string
  /** The JSON Schema of the arguments, whose root is an object. */
  readonly inputSchema: JsonObject
  /** The JSON Schema of `structured` in its output. */
  readonly outputSchema?: JsonObject
  readonly effects?: ToolEffects
  /** What whoever set up the source wants for this tool. What a person or an agent has chosen counts before it. */
  readonly policy?: ToolPolicy
  /** The same call may run twice without doing something twice, so that it is repeated after a crash. */
  readonly repeatable?: boolean
  /** The section about this tool for the system prompt. */
  readonly prompt?: string
  /** How long a call may take; the limit of the boundary when nothing is given. */
  readonly timeoutMs?: number
  /** JSON pointers to arguments and results that are secrets, such as `/password`. Facts have a mask in their place. */
  readonly secrets?: readonly string[]
  /** What a person is shown before they decide: what the call would change, and what it is about. */
  describe?(args: JsonObject, call: ToolCall): Promise<ToolCallPreview>
  /** Runs the tool. What it throws is told to whoever called. */
  execute(args: JsonObject, call: ToolCall): Promise<ToolOutput>
}

/** What a request for an approval shows of a call. */
export interface ToolCallPreview {
  title?: string
  detail?: string
  /** The files that the call would change. */
  changes?: FileChange[]
}

/** What a tool may use while it works on one call. */
export interface ToolCall {
  readonly sessionId: string
  readonly runId: string
  readonly agentId: string
  /** The call in the session. */
  readonly toolCallId: string
  /** Who wants it: the person whose turn it is. */
  readonly by: Actor
  /** The same for every attempt at this call, and for no other call: what the tool calls may do a thing once for it. */
  readonly idempotencyKey: string
  /** Fires when the run is stopped or the time is over. */
  readonly signal: AbortSignal
  /** Says how far the call is. */
  progress(progress: { message?: string; current?: number; total?: number }): void
  /** Shows a piece of output as it appears. */
  output(delta: string, stream?: 'output' | 'error'): void
  /** Asks the person something in the middle of the call. */
  ask(request: ActionRequest): Promise<ActionResponse>
  /** The files that people attached in this session, with the newest first. */
  files(): Promise<FileRef[]>
  /** The bytes of a file that a person attached in this session. At most 8 MiB are read at once. */
  readFile(digest: string, range?: FileRange): Promise<Uint8Array>
}

/** One piece of a result. Bytes are stored, and facts refer to them. */
export type ToolOutputPart =
  | { kind: 'text'; text: string }
  | { kind: 'image' | 'audio'; bytes: Uint8Array; mediaType: string }
  | { kind: 'resource'; uri: string; title?: string; mediaType?: string; text?: string; bytes?: Uint8Array }

/** What a tool gives back. All of it is optional: a tool may have nothing to say. */
export interface ToolOutput {
  /** The result as text for a model and for people, of any size. */
  text?: string
  /** The result as data. */
  value?: Json
  content?: readonly ToolOutputPart[]
  /** The result in the form of the output schema. */
  structured?: Json
  /** Hints or a document that show the result. */
  uiHints?: UiHintsPayload
  ui?: UiSchemaRenderer
  /** What the tool says about its result and no model is given. */
  meta?: JsonObject
  /** The tool says that it failed. The rest of the output says why. */
  failed?: boolean
}

/** For whom the tools of a source are listed. */
export interface ToolAudience {
  readonly owner: string
  readonly sessionId: string
  readonly agentId: string
}

/** How a source is. A source that is not ready may still list the tools that it had. */
export interface ToolSourceHealth {
  state: 'ready' | 'starting' | 'failed' | 'stopped'
  /** What is wrong, and what to do, in words for a person. */
  message?: string
}

/** A prompt that a source has ready: a person chooses it, gives its arguments, and sends what the source made of it. */
export interface SourcePrompt {
  readonly name: string
  /** What people call it; the name when nothing is given. */
  readonly title?: string
  readonly description?: string
  readonly arguments: readonly { name: string; title?: string; description?: string; required: boolean }[]
}

/** What a source made of a prompt and its arguments. */
export interface FilledPrompt {
  description?: string
  messages: readonly { role: 'user' | 'assistant'; parts: readonly ToolOutputPart[] }[]
}

/** Something that a source lets people read and give to an agent. */
export interface SourceResource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mediaType?: string
  /** How many bytes it has, as the source says. */
  readonly size?: number
}

/** Resources whose addresses are made by filling in a template (RFC 6570). */
export interface SourceResourceTemplate extends Omit<SourceResource, 'uri' | 'size'> {
  readonly uriTemplate: string
}

/** All that a source lets people read. */
export interface SourceResources {
  readonly resources: readonly SourceResource[]
  readonly templates: readonly SourceResourceTemplate[]
}

/** Who offers tools: the runtime, a program that mounts the server, an MCP server. */
export interface ToolSource {
  /** Unique on a server, such as `files` or `mcp.github`. */
  readonly sourceId: string
  /** What people call it. */
  readonly name: string
  readonly kind: 'runtime' | 'host' | 'mcp'
  /** The tools that this agent may be offered in this session. It is asked when a run begins and when a panel is opened. */
  tools(audience: ToolAudience): Promise<readonly SourceTool[]>
  /** The prompts that a person may choose in this session. What it throws is told in their place, and so with the others. */
  prompts?(audience: ToolAudience): Promise<readonly SourcePrompt[]>
  fillPrompt?(audience: ToolAudience, name: string, args: Readonly<Record<string, string>>): Promise<FilledPrompt>
  resources?(audience: ToolAudience): Promise<SourceResources>
  readResource?(audience: ToolAudience, uri: string): Promise<readonly ToolOutputPart[]>
  health?(): ToolSourceHealth
  close?(): Promise<void>
}

/** The sources of a server: a list that stays, or a function that says which there are now. */
export type ToolSources = readonly ToolSource[] | (() => readonly ToolSource[])

/** A call that wants to run: of a tool of a source, or of one that an agent executes itself. */
export interface CallToAdmit {
  /** The id of the call, as the agent that announced it names it. */
  toolCallId: string
  name: string
  title?: string
  effects?: ToolEffects
  args: Json
  /** The JSON Schema that the arguments have to fit. */
  inputSchema?: JsonObject
  /** The same call may run twice without doing something twice, so that it is repeated after a crash. */
  repeatable?: boolean
  /** What the agent wants for its own tool. What a person has chosen in the session counts before it. */
  policy?: 'allow' | 'ask'
}

/** Whether a call may run, and with which arguments; or why not, in words for a model. */
export type Admission =
  | { allowed: true; args: Json /** A person has changed the arguments. */; edited?: true; idempotencyKey: string }
  | { allowed: false; error: { code: string; message: string } }
