import type { z } from 'zod'
import type { actionKind, actionOutcome, actionRequest } from './events/action.schema.ts'
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

export type EventType = keyof Schemas
/** An event class that agents may say. All others are the runtime's alone. */
export type AgentEventType = (typeof agentEventTypes)[number]
/** One event of a session's log. */
export type SessionEvent = { [T in EventType]: z.infer<Schemas[T]> }[EventType]
export type EventOf<T extends EventType> = z.infer<Schemas[T]>

export type BlobRef = z.infer<typeof blobRef>
/** Bytes in the blob store that have a name. */
export type FileRef = z.infer<typeof fileRef>
export type RunStatus = z.infer<typeof runStatus>
export type Actor = z.infer<typeof actor>
export type Reason = z.infer<typeof reason>
export type Usage = z.infer<typeof usage>
export type FinishReason = z.infer<typeof finishReason>
export type Interaction = z.infer<typeof interaction>
export type Failure = z.infer<typeof failure>
export type TurnInput = z.infer<typeof turnInput>
export type QueuePolicy = z.infer<typeof queuePolicy>
export type QueuedTurn = z.infer<typeof queuedTurn>
export type ActionKind = z.infer<typeof actionKind>
export type ActionRequest = z.infer<typeof actionRequest>
export type ActionOutcome = z.infer<typeof actionOutcome>
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
export type ArtifactFacts = z.infer<typeof artifactFacts>
export type EvidenceFacts = z.infer<typeof evidenceFacts>
export type PatchOperation = z.infer<typeof patchOperation>
export type SurfaceOp = z.infer<typeof surfaceOp>
export type MessageSnapshot = z.infer<typeof messageSnapshot>

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** An event before the log gave it its place. */
export type EventDraft = DistributiveOmit<SessionEvent, 'seq' | 'sessionId' | 'at'>
