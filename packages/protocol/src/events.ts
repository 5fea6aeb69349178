import type { z } from 'zod'
import type { actionKind, actionOutcome, actionRequest, fileChange } from './events/action.schema.ts'
import type { artifactFacts } from './events/artifact.schema.ts'
import type { actor, blobRef, failure, fileRef, finishReason, reason, usage } from './events/base.schema.ts'
import type { evidenceFacts } from './events/evidence.schema.ts'
import type { activity, citation, messageSnapshot, source } from './events/message.schema.ts'
import type { queuedTurn } from './events/queue.schema.ts'
import type { interaction, runStatus, turnInput } from './events/run.schema.ts'
import type { queuePolicy } from './events/session.schema.ts'
import type { patchOperation, surfaceOp } from './events/state.schema.ts'
import type { planStep } from './events/task.schema.ts'
import type { executor, toolContent } from './events/tool.schema.ts'
import type { agentEventTypes, eventSchemas } from './events.schema.ts'

type Schemas = typeof eventSchemas

/** The names of all event classes, such as `text.delta`. */
export type EventType = keyof Schemas
/** An event class that agents may say. All others are the runtime's alone. */
export type AgentEventType = (typeof agentEventTypes)[number]
/** One event of a session's log. */
export type SessionEvent = { [T in EventType]: z.infer<Schemas[T]> }[EventType]
/** The event of one class: `EventOf<"text.delta">`. */
export type EventOf<T extends EventType> = z.infer<Schemas[T]>

/** Names bytes in the blob store of the session, with their size and digest. */
export type BlobRef = z.infer<typeof blobRef>
/** Bytes in the blob store that have a name. */
export type FileRef = z.infer<typeof fileRef>
/** What a run is doing, in one word. A status never ends a run. */
export type RunStatus = z.infer<typeof runStatus>
/** Who did something: a person, a remembered permission, or the runtime itself. */
export type Actor = z.infer<typeof actor>
/** Why something is as it is: a stable code, values for its words, and a message for those who do not know the code. */
export type Reason = z.infer<typeof reason>
/** The tokens that a model has used and what they cost. A number that is not known is absent. */
export type Usage = z.infer<typeof usage>
/** Why a model stopped writing. */
export type FinishReason = z.infer<typeof finishReason>
/** What a person did in an interface that an agent drew. */
export type Interaction = z.infer<typeof interaction>
/** What went wrong, whether it may be tried again, and what a person can do next. */
export type Failure = z.infer<typeof failure>
/** What a person or a client asks in one turn: a text or an interaction, and what came with it. */
export type TurnInput = z.infer<typeof turnInput>
/** How the queue of a session works: one turn after another or merged, and what a failed run does to it. */
export type QueuePolicy = z.infer<typeof queuePolicy>
/** A turn as it waits in the queue. */
export type QueuedTurn = z.infer<typeof queuedTurn>
/** What an agent can ask for, such as an approval, a choice or a form. */
export type ActionKind = z.infer<typeof actionKind>
/** What an action asks: its kind, its words, its risk, its options and when it expires. */
export type ActionRequest = z.infer<typeof actionRequest>
/** What would become of one file when an action is approved: its text before and after. */
export type FileChange = z.infer<typeof fileChange>
/** What became of an action, such as `approved` or `expired`. */
export type ActionOutcome = z.infer<typeof actionOutcome>
/** One step of a plan, and how far it is. */
export type PlanStep = z.infer<typeof planStep>
/** Who runs a tool. */
export type Executor = z.infer<typeof executor>
/** One piece of a tool's result. */
export type ToolContent = z.infer<typeof toolContent>
/** Something that an answer is based on. */
export type Source = z.infer<typeof source>
/** A passage of a text with the source that it rests on. */
export type Citation = z.infer<typeof citation>
/** What an agent shows beside its answer and no other event class fits. */
export type Activity = z.infer<typeof activity>
/** What can be said of an artifact. Events carry the facts that changed. */
export type ArtifactFacts = z.infer<typeof artifactFacts>
/** What can be said of evidence: claims, sources, and the verdicts of systems and of people. */
export type EvidenceFacts = z.infer<typeof evidenceFacts>
/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation = z.infer<typeof patchOperation>
/** One change of a surface: of its components, of its data, or of the whole. */
export type SurfaceOp = z.infer<typeof surfaceOp>
/** A message as a repair says that it should be. */
export type MessageSnapshot = z.infer<typeof messageSnapshot>

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** An event before the log gave it its place. */
export type EventDraft = DistributiveOmit<SessionEvent, 'seq' | 'sessionId' | 'at'>
