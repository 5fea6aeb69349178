import type { z } from 'zod'
import type * as schema from './events.schema.ts'

type Schemas = typeof schema.eventSchemas

export type EventType = keyof Schemas
/** One event of a session's log. */
export type SessionEvent = { [T in EventType]: z.infer<Schemas[T]> }[EventType]
export type EventOf<T extends EventType> = z.infer<Schemas[T]>

export type BlobRef = z.infer<typeof schema.blobRef>
export type RunStatus = z.infer<typeof schema.runStatus>
export type Actor = z.infer<typeof schema.actor>
export type Reason = z.infer<typeof schema.reason>
export type Interaction = z.infer<typeof schema.interaction>
export type Failure = z.infer<typeof schema.failure>
export type TurnInput = z.infer<typeof schema.turnInput>
export type QueuePolicy = z.infer<typeof schema.queuePolicy>
export type QueuedTurn = z.infer<typeof schema.queuedTurn>
export type ActionKind = z.infer<typeof schema.actionKind>
export type ActionRequest = z.infer<typeof schema.actionRequest>
export type ActionOutcome = z.infer<typeof schema.actionOutcome>
export type PlanStep = z.infer<typeof schema.planStep>
export type ArtifactFacts = z.infer<typeof schema.artifactFacts>
export type EvidenceFacts = z.infer<typeof schema.evidenceFacts>
export type PatchOperation = z.infer<typeof schema.patchOperation>
export type SurfaceOp = z.infer<typeof schema.surfaceOp>
export type MessageSnapshot = z.infer<typeof schema.messageSnapshot>

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** An event before the log gave it its place. */
export type EventDraft = DistributiveOmit<SessionEvent, 'seq' | 'sessionId' | 'at'>
