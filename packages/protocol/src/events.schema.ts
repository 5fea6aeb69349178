import { z } from 'zod'
import { actionEvents } from './events/action.schema.ts'
import { artifactEvents } from './events/artifact.schema.ts'
import { evidenceEvents } from './events/evidence.schema.ts'
import { messageEvents } from './events/message.schema.ts'
import { queueEvents } from './events/queue.schema.ts'
import { runEvents } from './events/run.schema.ts'
import { sessionEvents } from './events/session.schema.ts'
import { stateEvents } from './events/state.schema.ts'
import { taskEvents } from './events/task.schema.ts'
import { toolEvents } from './events/tool.schema.ts'

export { eventNotes, MAX_PREVIEW_CHARS, reason } from './events/base.schema.ts'
export { MAX_EVENT_BYTES } from './limits.ts'

/** Every event class, declared once. Types, JSON Schema and validation all come from this table. */
export const eventSchemas = {
  ...sessionEvents,
  ...runEvents,
  ...messageEvents,
  ...toolEvents,
  ...actionEvents,
  ...queueEvents,
  ...taskEvents,
  ...artifactEvents,
  ...evidenceEvents,
  ...stateEvents,
} as const

/**
 * The event classes that agents may say. Every class that is not listed here is the runtime's alone, so that nobody gives
 * agents a new class by forgetting about it. The type of what an agent yields and the check of what it yields are made
 * from this list.
 */
export const agentEventTypes = [
  'run.status',
  'step.started',
  'step.finished',
  'text.delta',
  'text.final',
  'reasoning.delta',
  'reasoning.summary',
  'file.added',
  'source.added',
  'activity.changed',
  'part.retracted',
  'messages.snapshot',
  'tool.started',
  'tool.args',
  'tool.progress',
  'tool.output.delta',
  'tool.result',
  'tool.failed',
  'plan.delta',
  'plan.final',
  'agent.spawned',
  'agent.completed',
  'agent.handoff',
  'context.compaction.started',
  'context.compaction.completed',
  'artifact.created',
  'artifact.updated',
  'artifact.preview.ready',
  'artifact.version.created',
  'artifact.diff.ready',
  'artifact.export.started',
  'artifact.export.completed',
  'artifact.failed',
  'artifact.deleted',
  'artifact.changed',
  'evidence.changed',
  'state.snapshot',
  'state.delta',
  'metric.changed',
  'diagnostic.changed',
] as const satisfies readonly (keyof typeof eventSchemas)[]

const schemas = Object.values(eventSchemas)
/** The shape of any event of the log. Its `type` says which class has to fit. */
export const sessionEvent = z.discriminatedUnion('type', schemas as unknown as [(typeof schemas)[number]])
